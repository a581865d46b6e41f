"""One page, wherever it is: a file, standard input, the Web, or a workspace -> its facts."""

import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from sitestrata.errors import SourceError, UsageError, WorkspaceError
from sitestrata.model import Reject, Want
from sitestrata.ontology.expand import ReadPages
from sitestrata.page import PageFacts, PageLimits, UnusablePageError, read_page
from sitestrata.run.sheets import CapturedSheets
from sitestrata.run.storage import CHOSEN
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
    captures = _chosen_captures(workspace)
    wanted = captures if urls is None else _of_addresses(captures, urls)
    yield from _read_captures(workspace, wanted, limits or PageLimits())


def _chosen_captures(workspace: Workspace) -> pa.Table:
    """Return the captures that are pages of a workspace, by the ids of their addresses."""
    chosen = workspace.arrow(CHOSEN, ["url_id", "source", "offset"])
    captures = workspace.arrow("captures")
    place = ["url_id", "source", "offset"]  # a join cannot carry the columns that are lists
    numbered = captures.select(place).append_column("row", pa.array(range(captures.num_rows), pa.int64()))
    return captures.take(numbered.join(chosen, place, join_type="inner").sort_by([("url_id", "ascending")])["row"])


def _of_addresses(captures: pa.Table, urls: Sequence[str]) -> pa.Table:
    """Return the captures of some addresses, by halving: the work does not grow with all the others."""
    known = captures["url_id"].to_numpy()
    ids = np.unique(np.array([url_id(url) for url in urls], dtype=np.int64))
    at = np.searchsorted(known, ids)
    is_known = at < len(known)
    is_known[is_known] = known[at[is_known]] == ids[is_known]
    return captures.take(at[is_known])


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


@dataclass(slots=True)
class _PageReader:
    """Knows nothing until it is asked, so that it can be sent to where a stage runs."""

    workspace: Workspace
    names: Callable[[str], str] | None = None
    sheets: CapturedSheets | None = None
    captures: pa.Table | None = None

    def __call__(self, urls: Sequence[str]) -> Iterator[tuple[str, PageFacts | None]]:
        self.names = self.names or _canonical(self.workspace)
        self.sheets = self.sheets or CapturedSheets(self.workspace)
        if self.captures is None:
            self.captures = _chosen_captures(self.workspace).combine_chunks()
        asked: dict[str, list[str]] = {}
        for url in urls:
            asked.setdefault(self.names(url), []).append(url)
        for facts in _read_captures(self.workspace, _of_addresses(self.captures, list(asked)), PageLimits()):
            dressed = self.sheets.dress(facts)
            yield from ((url, dressed) for url in asked.pop(facts.url, []))
        yield from ((url, None) for some in asked.values() for url in some)


def _canonical(workspace: Workspace) -> Callable[[str], str]:
    """Return what finds the captured address that stands for another."""
    if "aliases" not in workspace.tables:
        return lambda url: url
    table = workspace.arrow("aliases", ["url_id", "url", "canonical", "is_captured"])
    others = table.filter(pc.invert(table["is_captured"]))
    known = dict(zip(others["url_id"].to_pylist(), others["canonical"].to_pylist(), strict=True))
    return lambda url: known.get(url_id(url), url)


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
