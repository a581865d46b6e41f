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

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from sitestrata._kernels import load
from sitestrata.graph.link_graph import positions_of

__all__ = ["LocalGraph", "SegmentWeb", "build_segment_web", "local_cliques", "local_graph"]

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
    # Of each page: (segment, mask of the pages it links and of the page itself)
    segments: list[list[tuple[int, int]]]
    adjacent: list[int]


def build_segment_web(
    segment_page: Ints, path: Sequence[str], segment: Ints, target: Ints, page_count: int
) -> SegmentWeb:
    """Build the web from segments sorted by page and from links (segment, page linked), in any order."""
    width = max(page_count, 1)
    proper = segment_page[segment] != target
    cells = np.unique(segment[proper] * width + target[proper])
    segment, target = cells // width, cells % width
    source = segment_page[segment]
    edges = np.unique(source * width + target)
    _, is_mutual = positions_of(edges, target * width + source)
    return SegmentWeb(
        np.searchsorted(segment_page, np.arange(page_count + 1)).astype(np.int64),
        segment_page,
        path,
        np.searchsorted(segment, np.arange(len(segment_page) + 1)).astype(np.int64),
        target,
        is_mutual,
    )


def local_graph(web: SegmentWeb, page: int) -> LocalGraph:
    """Return the reduced, undirected neighbourhood of a page (steps 1 to 3)."""
    # Step 1. Neighbours that do not answer would be lost in step 3.
    own = [(segment, web.mutual(segment)) for segment in web.segments(page)]
    near = sorted({other for _, targets in own for other in targets.tolist()})
    pages = [page, *near]
    number = {other: k for k, other in enumerate(pages)}
    segments = [[(segment, _mask(targets, number) | 1) for segment, targets in own if len(targets)]]
    reach = [0] * len(pages)
    reach[0] = (1 << len(pages)) - 2
    for k, other in enumerate(near, 1):
        kept = []
        for segment in web.segments(other):
            targets = web.mutual(segment)
            at = int(np.searchsorted(targets, page))
            if at < len(targets) and targets[at] == page:  # step 2
                mask = _mask(targets, number)
                kept.append((segment, mask | 1 << k))
                reach[k] |= mask
        segments.append(kept)
    # Step 3.
    adjacent = [0] * len(pages)
    for k, mask in enumerate(reach):
        for other in _bits(mask):
            if reach[other] >> k & 1:
                adjacent[k] |= 1 << other
    return LocalGraph(pages, segments, adjacent)


def local_cliques(graph: LocalGraph, *, max_cliques: int, max_steps: int) -> tuple[list[int], bool]:
    """Return the maximal cliques of at least three pages as masks (step 4), and whether these are all."""
    rows = [list(_bits(mask)) for mask in graph.adjacent]
    indptr = np.concatenate([[0], np.cumsum([len(row) for row in rows])]).astype(np.int64)
    indices = np.array([other for row in rows for other in row], np.int32)
    first, members, is_complete = load("cliques").maximal_cliques(indptr, indices, MIN_CLIQUE, max_cliques, max_steps)
    listed = members.tolist()
    bounds = first.tolist()
    return [sum(1 << member for member in listed[a:b]) for a, b in pairwise(bounds)], is_complete


def _mask(targets: Ints, number: Mapping[int, int]) -> int:
    mask = 0
    for target in targets.tolist():
        at = number.get(target)
        if at is not None:
            mask |= 1 << at
    return mask


def _bits(mask: int) -> Iterator[int]:
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low
