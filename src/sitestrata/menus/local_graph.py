"""The neighbourhood of a page, reduced to what can be part of a segment clique with it.

1. The local web graph: the page and all pages it is linked with.
2. On the neighbours, segments without a link to the page are left out: they cannot form a clique with its segments.
3. Only edges that go both ways stay.
4. All maximal cliques of what is left.

The whole collection is a `SegmentWeb`: for every segment the captured pages it links, as integer columns. Links that
are not answered by a link back, from whatever segment, are taken out beforehand (MenuMiner 3.3).

Paper: MenuMiner 5.1

Differences from the paper: a page's own segments count as containing the page itself, whether or not the menu links the
page at hand (else a menu that does not would have no clique).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from sitestrata.graph.cliques import maximal_cliques
from sitestrata.graph.link_graph import positions_of
from sitestrata.graph.numbering import distinct

__all__ = [
    "LocalGraph",
    "SegmentWeb",
    "build_segment_web",
    "links_around",
    "local_cliques",
    "local_graph",
    "neighbours",
]

MIN_CLIQUE = 3  # MenuMiner 3.3

Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class SegmentWeb:
    """Segments of pages and the pages they link; pages and segments are numbered in a fixed order."""

    first_segment: Ints  # the segments of page p are first_segment[p] : first_segment[p + 1]
    page_of: Ints  # page of each segment
    path: Sequence[str]  # DOM path of each segment
    first_target: Ints  # the links of segment s are target[first_target[s] : first_target[s + 1]], sorted
    target: Ints  # captured pages, each once, never the page itself
    is_mutual: NDArray[np.bool_]  # of each link: some segment of its target leads back

    @property
    def page_count(self) -> int:
        """Return the number of pages."""
        return len(self.first_segment) - 1

    def segments(self, page: int) -> range:
        """Return the segments of a page."""
        return range(int(self.first_segment[page]), int(self.first_segment[page + 1]))

    def mutual(self, segment: int) -> Ints:
        """Return the pages that a segment links and that link back."""
        span = slice(self.first_target[segment], self.first_target[segment + 1])
        return self.target[span][self.is_mutual[span]]

    def targets(self, segment: int) -> Ints:
        """Return all captured pages that a segment links."""
        return self.target[self.first_target[segment] : self.first_target[segment + 1]]


@dataclass(frozen=True, slots=True)
class LocalGraph:
    """The page (first) and its neighbours; sets of them are bit masks, bit ``i`` for ``pages[i]``."""

    pages: list[int]
    place: dict[int, int]  # of each page in ``pages``
    # Of each page: (segment, mask of the pages it links and of the page itself)
    segments: list[list[tuple[int, int]]]
    edges: Ints  # that go both ways: place in ``pages`` * number of pages + other place, sorted


def build_segment_web(
    segment_page: Ints, path: Sequence[str], segment: Ints, target: Ints, page_count: int
) -> SegmentWeb:
    """Build the web from segments sorted by page and from links (segment, page linked), in any order."""
    width = max(page_count, 1)
    proper = segment_page[segment] != target
    cells = distinct(segment[proper] * width + target[proper])
    segment, target = cells // width, cells % width
    source = segment_page[segment]
    edges = distinct(source * width + target)
    _, is_mutual = positions_of(edges, target * width + source)
    return SegmentWeb(
        np.searchsorted(segment_page, np.arange(page_count + 1)).astype(np.int64),
        segment_page,
        path,
        np.searchsorted(segment, np.arange(len(segment_page) + 1)).astype(np.int64),
        target,
        is_mutual,
    )


def neighbours(web: SegmentWeb, page: int) -> Ints:
    """Return the pages that a page links and that link back, in order (step 1: others would be lost in step 3)."""
    span = slice(*web.first_target[web.first_segment[page : page + 2]])
    return distinct(web.target[span][web.is_mutual[span]])


def links_around(web: SegmentWeb, near: Ints) -> int:
    """Count the links of some pages: what it takes to look at a neighbourhood."""
    return int((web.first_target[web.first_segment[near + 1]] - web.first_target[web.first_segment[near]]).sum())


def local_graph(web: SegmentWeb, page: int) -> LocalGraph:
    """Return the reduced, undirected neighbourhood of a page (steps 1 to 3)."""
    pages = np.concatenate([[page], neighbours(web, page)])
    count = len(pages)
    # The links of all their segments, one page after the other.
    begin = web.first_segment[pages]
    segment = _ranges(begin, web.first_segment[pages + 1])
    owner = np.repeat(np.arange(count), web.first_segment[pages + 1] - begin)
    first = web.first_target[segment]
    link = _ranges(first, web.first_target[segment + 1])
    row = np.repeat(np.arange(len(segment)), web.first_target[segment + 1] - first)
    mutual = web.is_mutual[link]
    row, target = row[mutual], web.target[link[mutual]]
    # Step 2. The page's own segments stay if they link anything.
    kept = np.zeros(len(segment), np.bool_)
    kept[row[(target == page) | (owner[row] == 0)]] = True
    at = np.minimum(np.searchsorted(pages[1:], target) + 1, count - 1)
    at[target == page] = 0
    inside = kept[row] & (pages[at] == target)
    row, at = row[inside], at[inside]
    # Step 3.
    edges = distinct(np.concatenate([np.arange(1, count), owner[row] * count + at]))
    _, is_mutual = positions_of(edges, edges % count * count + edges // count)
    segment, bounds = segment[kept], np.searchsorted(owner[kept], np.arange(count + 1)).tolist()
    masks = _masks(np.concatenate([row, np.flatnonzero(kept)]), np.concatenate([at, owner[kept]]), count)
    return LocalGraph(
        pages.tolist(),
        {one: at for at, one in enumerate(pages.tolist())},
        [list(zip(segment[a:b].tolist(), masks[a:b], strict=True)) for a, b in pairwise(bounds)],
        edges[is_mutual],
    )


def local_cliques(graph: LocalGraph, *, max_cliques: int, max_steps: int) -> tuple[list[int], bool]:
    """Return the maximal cliques of at least three pages as masks (step 4), and whether these are all."""
    count = len(graph.pages)
    row, column = graph.edges // count, graph.edges % count
    found = maximal_cliques(
        np.searchsorted(row, np.arange(count + 1)),
        column.astype(np.int32),
        min_size=MIN_CLIQUE,
        max_cliques=max_cliques,
        max_steps=max_steps,
    )
    return _masks(np.repeat(np.arange(len(found)), np.diff(found.first)), found.members, count), found.is_complete


def _ranges(begin: Ints, end: Ints) -> Ints:
    """Return the numbers of some ranges, one range after the other."""
    size = end - begin
    found: Ints = np.arange(int(size.sum())) + np.repeat(begin - (np.cumsum(size) - size), size)
    return found


def _masks(row: Ints, bit: Ints | NDArray[np.int32], width: int) -> list[int]:
    """Return the bits of each row that has any as a mask."""
    order = np.argsort(row, kind="stable")
    bits = bit[order]
    bounds = [*np.flatnonzero(np.diff(row[order], prepend=-1)).tolist(), len(order)]
    flags = np.zeros(width, np.bool_)
    masks = []
    for begin, end in pairwise(bounds):
        flags[bits[begin:end]] = True
        masks.append(int.from_bytes(np.packbits(flags, bitorder="little").tobytes(), "little"))
        flags[bits[begin:end]] = False
    return masks
