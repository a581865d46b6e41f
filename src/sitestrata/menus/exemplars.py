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
    is_live = strands.strand_pages >= MIN_PAGES - 1
    counts = np.zeros(len(web.page), np.bool_)
    counts[strands.links] = True
    counts &= ~ignored
    wanted = np.unique(strands.first_page[is_live])
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
            if any(strands.first_page[number] == page for number in group):
                found.add(group)
    return sorted(found, key=sorted)


def _exemplars(
    reader: TableReader, web: MenuWeb, pages: Ints
) -> Iterator[tuple[int, list[PageSegment], list[tuple[int, str]]]]:
    """Yield some pages with their segments and their links (row of the web, DOM path)."""
    captures = web.capture[pages]
    order = np.argsort(captures, kind="stable")
    segments = _rows(reader, "segments", ["page", "ordinal", "parent", "path"], captures[order])
    links = _rows(reader, "links", ["page", "ordinal", "path"], captures[order])
    begin = np.searchsorted(web.page, pages)
    end = np.searchsorted(web.page, pages, side="right")
    for page, capture, first, last in zip(pages.tolist(), captures.tolist(), begin.tolist(), end.tolist(), strict=True):
        paths = dict(zip(*links.get(capture, ((), ())), strict=True))
        rows = [(row, paths[int(web.ordinal[row])]) for row in range(first, last)]
        ordinals, parents, texts = segments.get(capture, ((), (), ()))
        yield page, [PageSegment(*item) for item in zip(ordinals, parents, texts, strict=True)], rows


def _rows(reader: TableReader, table: str, columns: Sequence[str], captures: Ints) -> dict[int, tuple[list[Any], ...]]:
    """Read the rows of some pages, as lists by page."""
    kept = []
    for batch in reader.batches(table, columns):
        _, known = positions_of(captures, np.asarray(batch["page"], dtype=np.int64))
        if known.any():
            kept.append(batch.take(pa.array(np.flatnonzero(known))))
    if not kept:
        return {}
    rows = pa.Table.from_batches(kept).sort_by([("page", "ascending"), ("ordinal", "ascending")])
    page = rows["page"].to_numpy()
    starts = np.flatnonzero(np.concatenate([[True], page[1:] != page[:-1]])).tolist()
    lists = [rows[name].to_pylist() for name in columns[1:]]
    ends = [*starts[1:], len(page)]
    return {int(page[a]): tuple(column[a:b] for column in lists) for a, b in zip(starts, ends, strict=True)}
