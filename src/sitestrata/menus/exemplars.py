"""A few pages looked at closely: which strands form one menu on pages that stand for their template."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sitestrata.graph.link_graph import positions_of
from sitestrata.menus.assemble import MIN_PAGES
from sitestrata.menus.containers import PageLink, PageSegment, join_strands
from sitestrata.menus.repeats import Strands
from sitestrata.menus.web import MenuWeb
from sitestrata.model import TableReader

__all__ = ["group_strands"]

MAX_LINKS = 5_000  # of an exemplar; index pages with more tell nothing about menus

Ints = NDArray[np.int64]


def group_strands(
    reader: TableReader, web: MenuWeb, strands: Strands, ignored: NDArray[np.bool_]
) -> list[frozenset[int]]:
    """Return the sets of strands that form one menu, as the first page of each strand shows them.

    ``ignored`` marks links of the web that are accounted for otherwise (breadcrumbs, pagers).
    """
    strand_of = np.full(len(web.page), -1, np.int64)
    strand_of[strands.links] = strands.strand[strands.entry]
    # The page that an entry leads to may show it without a link, so two pages may be three.
    counts = np.zeros(len(web.page), np.bool_)
    counts[strands.links] = True
    counts &= ~ignored
    is_live = (strands.strand_pages >= MIN_PAGES - 1) & (
        np.bincount(strand_of[counts], minlength=strands.strand_count) > 0
    )
    entries = np.bincount(strands.strand, minlength=strands.strand_count)
    is_chosen = is_live & ((entries > 1) | (strands.strand_pages >= MIN_PAGES))
    exemplar = _exemplar_of(web, strands, strand_of, is_chosen)
    wanted = np.unique(exemplar[is_chosen])
    found: set[frozenset[int]] = set()
    for page, segments, links in _exemplars(reader, web, wanted):
        counted = [(row, path) for row, path in links if counts[row]]
        if len(counted) > MAX_LINKS:
            continue
        rows = np.array([row for row, _ in counted], np.int64)
        strand = strand_of[rows]
        strand[~is_live[strand]] = -1
        page_links = [
            PageLink(
                segment=int(web.segment_ordinal[web.segment[row]]),
                path=path,
                strand=number,
                pages=int(strands.strand_pages[number]) if number >= 0 else 0,
                home_share=float(strands.home_share[number]) if number >= 0 else 0.0,
            )
            for (row, path), number in zip(counted, strand.tolist(), strict=True)
        ]
        for group in join_strands(segments, page_links):
            if any(exemplar[number] == page for number in group):
                found.add(group)
    return sorted(found, key=sorted)


def _exemplar_of(web: MenuWeb, strands: Strands, strand_of: Ints, is_chosen: NDArray[np.bool_]) -> Ints:
    """Return the page on which each chosen strand is looked at: few pages show all of them, rare ones first."""
    exemplar = np.full(strands.strand_count, -1, np.int64)
    chosen = np.flatnonzero(is_chosen)
    begin = np.searchsorted(web.page, np.arange(web.page_count + 1))
    for number in chosen[np.argsort(strands.strand_pages[chosen], kind="stable")].tolist():
        if exemplar[number] < 0:
            page = strands.first_page[number]
            here = strand_of[begin[page] : begin[page + 1]]
            here = here[here >= 0]
            exemplar[here[is_chosen[here] & (exemplar[here] < 0)]] = page
    return exemplar


def _exemplars(
    reader: TableReader, web: MenuWeb, pages: Ints
) -> Iterator[tuple[int, list[PageSegment], list[tuple[int, str]]]]:
    """Yield some pages with their segments and their links (row of the web, DOM path)."""
    captures = np.sort(web.capture[pages])
    segments = _RowsByPage(reader, "segments", ["ordinal", "parent", "path"], captures)
    links = _RowsByPage(reader, "links", ["ordinal", "path"], captures)
    begin = np.searchsorted(web.page, pages).tolist()
    end = np.searchsorted(web.page, pages, side="right").tolist()
    for page, capture, first, last in zip(pages.tolist(), web.capture[pages].tolist(), begin, end, strict=True):
        paths = dict(zip(*links.of(capture), strict=True))
        rows = [
            (row, paths[ordinal])
            for row, ordinal in zip(range(first, last), web.ordinal[first:last].tolist(), strict=True)
        ]
        yield page, [PageSegment(*item) for item in zip(*segments.of(capture), strict=True)], rows


class _RowsByPage:
    """The rows of some pages, held as Arrow columns and handed out page by page."""

    def __init__(self, reader: TableReader, table: str, columns: Sequence[str], captures: Ints) -> None:
        kept = []
        for batch in reader.batches(table, ["page", *columns]):
            _, known = positions_of(captures, np.asarray(batch["page"], dtype=np.int64))
            if known.any():
                kept.append(batch.take(pa.array(np.flatnonzero(known))))
        self._columns = list(columns)
        self._rows = pa.Table.from_batches(kept) if kept else None
        if self._rows is not None:
            self._rows = self._rows.sort_by([("page", "ascending"), ("ordinal", "ascending")])
            self._page = self._rows["page"].to_numpy()

    def of(self, capture: int) -> tuple[list[Any], ...]:
        """Return the columns of a page as lists."""
        if self._rows is None:
            return tuple([] for _ in self._columns)
        first, last = np.searchsorted(self._page, [capture, capture + 1]).tolist()
        rows = self._rows.slice(first, last - first)
        return tuple(rows[name].to_pylist() for name in self._columns)
