"""A workspace as DuckDB sees it: a view a table, and a few tables put together once for the views of the browser.

`Catalogue.current` returns a `Snapshot` of what the manifest lists now; when a run replaces the manifest, the next
request gets a new one. Every question has a time limit, and few are asked at once: a server for one person must not
take the machine from the runs it starts.
"""

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import Any

import duckdb

from sitestrata.errors import WorkspaceError
from sitestrata.run.listing import SITE_NAME, SITE_NAME_JOINS
from sitestrata.run.storage import CHOSEN
from sitestrata.run.workspace import Workspace, open_workspace

__all__ = ["BusyError", "Catalogue", "Snapshot", "TooSlowError"]

QUERY_SECONDS = 10.0
QUERIES_AT_ONCE = 4
WAIT_SECONDS = 20.0  # for one of these places
MEMORY_LIMIT = 2 * 1024**3


class TooSlowError(Exception):
    """A question took longer than it may."""


class BusyError(Exception):
    """Too many questions are being answered."""


class Snapshot:
    """The tables of a workspace as one manifest lists them."""

    def __init__(self, workspace: Workspace, *, seconds: float = QUERY_SECONDS) -> None:
        self.workspace = workspace
        self.tables = frozenset(workspace.tables)
        self._seconds = seconds
        self._places = threading.BoundedSemaphore(QUERIES_AT_ONCE)
        self._making = threading.Lock()
        self._locks: dict[str, threading.RLock] = {}
        self._made: dict[str, Any] = {}
        # With the table of chosen captures, which is ours and not listed.
        names = (*workspace.tables, CHOSEN) if CHOSEN in workspace.manifest.tables() else workspace.tables
        self._connection = workspace.reader(names).connect()
        for name in names:
            if not workspace.manifest.files(name):
                # An empty table is a relation that only one connection knows; the others need it as well.
                self._connection.execute(f'CREATE TABLE "{name}_rows" AS SELECT * FROM "{name}_empty"')  # noqa: S608
                self._connection.execute(f'CREATE OR REPLACE VIEW "{name}" AS SELECT * FROM "{name}_rows"')  # noqa: S608
        _prepare(self._connection, self.tables)

    def rows(self, sql: str, *values: object) -> list[dict[str, Any]]:
        """Answer a question whose parameters are ``values``."""
        with self.asking() as cursor:
            found = cursor.execute(sql, list(values))
            names = [column[0] for column in found.description]
            return [dict(zip(names, row, strict=True)) for row in found.fetchall()]

    def row(self, sql: str, *values: object) -> dict[str, Any] | None:
        """Return the first row of an answer."""
        found = self.rows(sql, *values)
        return found[0] if found else None

    def has(self, *tables: str) -> bool:
        """Tell whether all these tables are there."""
        return self.tables >= set(tables)

    @contextmanager
    def asking(self) -> Iterator[Any]:
        """Lend a cursor for one question, within the limits."""
        if not self._places.acquire(timeout=WAIT_SECONDS):
            raise BusyError
        cursor = self._connection.cursor()
        alarm = threading.Timer(self._seconds, cursor.interrupt)
        alarm.daemon = True
        alarm.start()
        try:
            yield cursor
        except duckdb.InterruptException as error:
            raise TooSlowError from error
        finally:
            alarm.cancel()
            cursor.close()
            self._places.release()

    def once(self, name: str, make: Callable[[], Any]) -> Any:
        """Return something that is made when it is first asked for."""
        with self._making:
            lock = self._locks.setdefault(name, threading.RLock())
        with lock:
            if name not in self._made:
                self._made[name] = make()
            return self._made[name]

    @cached_property
    def version(self) -> str:
        """Return what changes with every change of the workspace."""
        manifest = self.workspace.manifest
        return f"{manifest.runs}-{sum(not record.is_stale for record in manifest.stages.values())}"

    def close(self) -> None:
        """Let go of the files."""
        self._connection.close()


class Catalogue:
    """The workspace in a folder, whatever state it is in; there may be none yet."""

    def __init__(self, folder: Path, *, seconds: float = QUERY_SECONDS) -> None:
        self.folder = folder
        self._seconds = seconds
        self._lock = threading.Lock()
        self._stamp: tuple[int, int] | None = None
        self._snapshot: Snapshot | None = None

    @property
    def name(self) -> str:
        """Return what the workspace is called."""
        return self.folder.resolve().name

    def current(self) -> Snapshot:
        """Return the workspace as it is now; raises `WorkspaceError` where there is none."""
        with self._lock:
            stamp = self._read_stamp()
            if self._snapshot is None or stamp != self._stamp:
                fresh = Snapshot(open_workspace(self.folder, memory_limit=MEMORY_LIMIT), seconds=self._seconds)
                # The old one may still be answering; it closes when its last user lets it go.
                self._snapshot, self._stamp = fresh, stamp
            return self._snapshot

    def _read_stamp(self) -> tuple[int, int]:
        try:
            status = (self.folder / "manifest.json").stat()
        except OSError as error:
            raise WorkspaceError(f"There is no workspace in {self.folder} yet.") from error
        return status.st_mtime_ns, status.st_ino


# One row a distinct page, as `sitestrata.sites` counts pages. Text that is searched is folded once.
_PAGE_ROWS = """
    CREATE TABLE page_rows AS
    SELECT page_id, capture, url, title, split_part(url, '/', 3) AS host, language, links, text,
           {site}, {subsite}, lower(url || ' ' || title) AS search
    FROM (
        SELECT {page_id} AS page_id, p.url_id AS capture, {url} AS url, coalesce(p.title, '') AS title,
               coalesce(p.language, '') AS language, p.link_count AS links, p.text_length AS text,
               row_number() OVER (PARTITION BY {page_id} ORDER BY p.url_id <> {page_id}, p.url_id) AS place
        FROM pages p {aliases}
    ) {boundaries} {tree}
    WHERE place = 1
    ORDER BY page_id
"""
# A subsite whose pages are a whole section: a person may decide that it is a site.
_APART = """
    SELECT p.subsite FROM (
        SELECT t.subsite, min(b.section) AS section, max(b.section) AS other, count(*) AS pages
        FROM tree t JOIN boundaries b USING (page_id) WHERE t.subsite IS NOT NULL GROUP BY t.subsite
    ) p JOIN (SELECT section, count(*) AS pages FROM boundaries GROUP BY section) s
    ON s.section = p.section AND s.pages = p.pages WHERE p.section = p.other
"""
_SUBSITE = f"""
    LEFT JOIN (SELECT page_id, subsite, subsite IN ({_APART}) AS is_apart FROM tree) t USING (page_id)
"""  # noqa: S608 - a query of our own
_SITE_ROWS = """
    CREATE TABLE site_rows AS
    SELECT *, lower(name || ' ' || entry_url || ' ' || array_to_string(hosts, ' ')) AS search FROM (
        SELECT s.site, {name} AS name, s.entry_url, s.hosts, s.pages, s.sections, s.parent, s.method, s.confidence,
               coalesce(s.hosts[1], '') AS host
        FROM sites s {joins}
    ) ORDER BY site
"""


def _prepare(connection: Any, tables: Sequence[str] | frozenset[str]) -> None:
    if "pages" in tables:
        has_aliases, has_sites, has_subsites = (name in tables for name in ("aliases", "boundaries", "subsites"))
        connection.execute(
            _PAGE_ROWS.format(
                page_id="a.page_id" if has_aliases else "p.url_id",
                url="a.canonical" if has_aliases else "p.url",
                aliases="JOIN aliases a USING (url_id)" if has_aliases else "",
                boundaries="LEFT JOIN boundaries b USING (page_id)" if has_sites else "",
                tree=_SUBSITE if has_subsites else "",
                subsite="t.subsite, coalesce(t.is_apart, false) AS is_apart"
                if has_subsites
                else "NULL::BIGINT AS subsite, false AS is_apart",
                site="b.site, coalesce(b.method, '') AS method, coalesce(b.confidence, 0) AS confidence"
                if has_sites
                else "NULL::BIGINT AS site, '' AS method, 0.0 AS confidence",
            )
        )
    if "sites" in tables:
        is_named = "profiles" in tables
        connection.execute(
            _SITE_ROWS.format(name=SITE_NAME if is_named else "s.name", joins=SITE_NAME_JOINS if is_named else "")
        )
