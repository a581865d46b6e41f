"""One page, wherever it is: a file, standard input, the Web, or a workspace -> its facts."""

import sys
import tempfile
from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path

import pyarrow as pa

from sitestrata.errors import SourceError, UsageError, WorkspaceError
from sitestrata.model import Reject, Want
from sitestrata.ontology.expand import ReadPages
from sitestrata.page import PageFacts, PageLimits, UnusablePageError, read_page
from sitestrata.run.sheets import CapturedSheets
from sitestrata.run.storage import CHOSEN, HeldTables, conform, schema_of
from sitestrata.run.workspace import Workspace
from sitestrata.sources import captures_of, read_bodies, read_jobs
from sitestrata.urls import normalise, url_id

__all__ = [
    "NOWHERE",
    "SAME_MENUS",
    "is_address",
    "live_page",
    "local_page",
    "menu_nodes",
    "page_reader",
    "pages_with_its_menus",
    "shown_address",
    "stored_page",
    "stored_pages",
]

NOWHERE = "https://file.invalid/"  # base of a page that came from a file of which nobody said where it was (RFC 2606)

ASKED_SELDOM = 8  # times: a domain asks for pages about five times, and a copy costs as much as some answers
# What a reader looks up in: an address that was not captured and stands for itself tells nothing.
_HELD = {
    "captures": "SELECT * FROM captures",
    CHOSEN: f"SELECT * FROM {CHOSEN}",  # noqa: S608 - a name of our own
    "aliases": "SELECT url_id, url, canonical, is_captured FROM aliases WHERE NOT is_captured AND url <> canonical",
}
# Others that show menus of a page, those with most of them first: they have its template.
SAME_MENUS = """
SELECT any_value(pages.url) AS url, other.capture AS capture
FROM menu_pages AS own JOIN menu_pages AS other USING (menu) JOIN pages ON pages.url_id = other.capture
WHERE own.capture = ? AND other.capture <> ?
GROUP BY other.capture ORDER BY count(*) DESC, other.capture LIMIT ?
"""


def is_address(text: str) -> bool:
    """Tell whether a word on the command line is meant as a web address."""
    return text.lower().startswith(("http://", "https://"))


def shown_address(url: str | None) -> str | None:
    """Return an address as it should be shown: what was resolved against NOWHERE stays relative."""
    return f"/{url[len(NOWHERE) :]}" if url is not None and url.startswith(NOWHERE) else url


def local_page(name: str, *, base_url: str | None = None, limits: PageLimits | None = None) -> PageFacts:
    """Read a page from a file, or from standard input if the name is "-"."""
    limits = limits or PageLimits()
    if base_url is not None and normalise(base_url) is None:
        raise UsageError(f"{base_url!r} is not a web address. Give it in full, as in https://example.org/page.html")
    try:
        if name == "-":
            body = sys.stdin.buffer.read(limits.page_size + 1)
        else:
            with Path(name).open("rb") as file:
                body = file.read(limits.page_size + 1)
    except OSError as error:
        raise SourceError(f"Cannot read {name}: {error.strerror or error}") from error
    return _read(body, base_url or NOWHERE, name, limits)


def live_page(url: str, *, allow_private: bool = False) -> PageFacts:
    """Fetch one page politely (robots.txt counts) and read it."""
    from sitestrata.run.rounds import LiveFetcher
    from sitestrata.sources.crawl import CrawlOptions

    address = normalise(url)
    if address is None:
        raise UsageError(f"{url!r} is not a web address. Give it in full, as in https://example.org/")
    options = CrawlOptions(scope="any", max_pages=1, follow=False, allow_private=allow_private)
    with (
        tempfile.TemporaryDirectory(prefix="sitestrata-") as folder,
        LiveFetcher(Path(folder) / "page.warc.gz", options) as fetcher,
    ):
        fetcher.want([Want(address, "asked for", 1.0)])
        found = next(fetcher.observed(), None)
    if found is None or found.facts is None:
        outcome = found.outcome if found is not None else "nothing"
        raise SourceError(f"{address} could not be read: the answer was {outcome!r}, or it is no HTML page.")
    return found.facts


def stored_page(workspace: Workspace, url: str, *, limits: PageLimits | None = None) -> PageFacts:
    """Read a captured page of a workspace again, with the emphasis that style sheets captured with it give."""
    address = normalise(url)
    if address is None:
        raise UsageError(f"{url!r} is not a web address. Give it in full, as in https://example.org/")
    for page in stored_pages(workspace, [address], limits=limits):
        return CapturedSheets(workspace).dress(page)
    raise WorkspaceError(f"{address} was not captured as a page in {workspace.folder}; see `sitestrata pages`.")


def stored_pages(
    workspace: Workspace, urls: Sequence[str] | None = None, *, limits: PageLimits | None = None
) -> Iterator[PageFacts]:
    """Read captured pages of a workspace again, in the order of the sources; without ``urls``, all of them.

    Pages that cannot be read are left out: the workspace lists them as rejects.
    """
    wanted = None if urls is None else {url_id(url) for url in urls}
    yield from _read_captures(workspace, _chosen_captures(workspace.query, wanted), limits or PageLimits())


def _chosen_captures(query: Callable[[str], pa.Table], ids: Collection[int] | None = None) -> pa.Table:
    """Return the captures that are pages of a workspace, by the ids of their addresses; of some of them if given."""
    some = "" if ids is None else f"WHERE url_id IN ({', '.join(map(str, ids)) or 'NULL'})"
    rows = query(
        f"""
        SELECT c.* FROM (SELECT * FROM captures {some}) c
        JOIN (SELECT url_id, source, "offset" FROM {CHOSEN} {some}) chosen
        ON chosen.url_id = c.url_id AND chosen.source = c.source AND chosen."offset" = c."offset" ORDER BY c.url_id
        """  # noqa: S608 - numbers
    )
    return conform(schema_of("captures"), rows)


def _read_captures(workspace: Workspace, wanted: pa.Table, limits: PageLimits) -> Iterator[PageFacts]:
    sources = [item.source for item in workspace.manifest.inputs]
    for source, some in read_jobs(sources, wanted, rows=max(wanted.num_rows, 1)):
        for found in read_bodies(source, captures_of(some), relocate=workspace.manifest.relocated):
            if isinstance(found, Reject):
                continue
            capture, body = found
            try:
                yield read_page(body, capture.url, charset=capture.charset, limits=limits)
            except UnusablePageError:
                continue


def page_reader(workspace: Workspace) -> ReadPages:
    """Return what reads pages of a workspace again, whatever address of theirs it is asked for."""
    return _PageReader(workspace)


class _PageReader:
    """Looks up what it is asked for; one that is asked often, for many domains in turn, holds what it looks up in.

    It may be sent to where a stage runs, a task for each domain, and goes without what it holds.
    """

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self._asked = 0
        self._held: HeldTables | None = None
        self._sheets: CapturedSheets | None = None

    def __reduce__(self) -> tuple[type["_PageReader"], tuple[Workspace]]:
        return _PageReader, (self.workspace,)

    def __call__(self, urls: Sequence[str]) -> Iterator[tuple[str, PageFacts | None]]:
        self._asked += 1
        if self._held is None and self._asked > ASKED_SELDOM:
            known = self.workspace.manifest.tables()
            self._held = self.workspace.reader().hold({name: sql for name, sql in _HELD.items() if name in known})
        query = self._held.query if self._held is not None else self.workspace.query
        self._sheets = self._sheets or CapturedSheets(self.workspace)
        names = _canonical(query, urls) if "aliases" in self.workspace.tables and urls else {}
        asked: dict[str, list[str]] = {}
        for url in urls:
            asked.setdefault(names.get(url, url), []).append(url)
        wanted = _chosen_captures(query, {url_id(url) for url in asked})
        for facts in _read_captures(self.workspace, wanted, PageLimits()):
            dressed = self._sheets.dress(facts)
            yield from ((url, dressed) for url in asked.pop(facts.url, []))
        yield from ((url, None) for some in asked.values() for url in some)


def _canonical(query: Callable[[str], pa.Table], urls: Sequence[str]) -> dict[str, str]:
    """Return the captured addresses that stand for some that were not captured."""
    ids = ", ".join(str(url_id(url)) for url in urls)
    rows = query(f"SELECT url, canonical FROM aliases WHERE NOT is_captured AND url_id IN ({ids})")  # noqa: S608
    return dict(zip(rows["url"].to_pylist(), rows["canonical"].to_pylist(), strict=True))


def menu_nodes(workspace: Workspace, facts: PageFacts) -> frozenset[int]:
    """Return the nodes of the links of a page that menus found across pages cover."""
    if not {"menu_pages", "menus"} <= set(workspace.tables):
        return frozenset()
    with workspace.reader().connect() as connection:
        rows = connection.execute("SELECT unnest(links) FROM menu_pages WHERE capture = ?", [facts.url_id]).fetchall()
    nodes = facts.links.node.tolist()
    return frozenset(nodes[ordinal] for (ordinal,) in rows if 0 <= ordinal < len(nodes))


def pages_with_its_menus(workspace: Workspace, facts: PageFacts, *, count: int) -> Iterator[PageFacts]:
    """Read some other pages with the template of a page, in the order of the sources."""
    if not {"menu_pages", "menus"} <= set(workspace.tables):
        return
    with workspace.reader().connect() as connection:
        rows = connection.execute(SAME_MENUS, [facts.url_id, facts.url_id, count]).fetchall()
    yield from stored_pages(workspace, [url for url, _ in rows])


def _read(body: bytes, url: str, name: str, limits: PageLimits) -> PageFacts:
    try:
        return read_page(body, url, limits=limits)
    except UnusablePageError as error:
        raise SourceError(f"{name} cannot be read as a page: {error.detail}") from error
