"""Small webs of link segments for tests: page -> its segments, each a list of the pages it links."""

from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np

from sitestrata.menus.clique_finder import SegmentClique
from sitestrata.menus.local_graph import SegmentWeb, build_segment_web
from sitestrata.menus.uniformity import align_all

Segments = Mapping[int, Sequence[Sequence[int]]]


def segment_web(segments: Segments, paths: Mapping[tuple[int, int], str] | None = None) -> SegmentWeb:
    """Build a web; the path of a page's n-th segment is ``html/body/ul`` unless ``paths[page, n]`` says otherwise."""
    count = max([*segments, *(page for lists in segments.values() for one in lists for page in one)], default=-1) + 1
    owner, path, links = [], [], []
    for page in range(count):
        for number, targets in enumerate(segments.get(page, ())):
            links += [(len(owner), target) for target in targets]
            path.append((paths or {}).get((page, number), "html/body/ul"))
            owner.append(page)
    table = np.array(links, np.int64).reshape(-1, 2)
    return build_segment_web(np.array(owner, np.int64), path, table[:, 0], table[:, 1], count)


def all_segment_cliques(web: SegmentWeb, page: int | None = None) -> list[SegmentClique]:
    """Enumerate the set SC of MenuMiner 3.3, literally; with ``page``, only the cliques it belongs to.

    These are all sets of at least three segments of different pages such that each page is a target of all the others.
    """
    targets = {segment: set(web.mutual(segment).tolist()) for segment in range(len(web.page_of))}
    found = []
    chosen: list[tuple[int, int]] = []

    def extend(next_page: int) -> None:
        if len(chosen) > 2 and (page is None or any(own == page for own, _ in chosen)):
            found.append(SegmentClique(tuple(own for own, _ in chosen), tuple(segment for _, segment in chosen)))
        for own in range(next_page, web.page_count):
            for segment in web.segments(own):
                if all(other in targets[segment] and own in targets[their] for other, their in chosen):
                    chosen.append((own, segment))
                    extend(own + 1)
                    chosen.pop()

    extend(0)
    return found


def best_segment_cliques(web: SegmentWeb) -> list[SegmentClique]:
    """Compute SC* as MenuMiner 3.3 does: take the largest and most uniform, drop what shares a link, repeat."""
    left = all_segment_cliques(web)
    chosen = []
    while left:
        best = min(left, key=lambda clique: (-len(clique), wildcards(web, clique), clique))
        chosen.append(best)
        taken = links_of(best)
        left = [clique for clique in left if not taken & links_of(clique)]
    return chosen


def links_of(clique: SegmentClique) -> set[tuple[int, int]]:
    """Return the links (segment, page) that a clique consists of."""
    pairs = list(zip(clique.pages, clique.segments, strict=True))
    return {link for (a, s), (b, t) in combinations(pairs, 2) for link in ((s, b), (t, a))}


def wildcards(web: SegmentWeb, clique: SegmentClique) -> int:
    """Return how little uniform the segments of a clique are."""
    return align_all(web.path[segment] for segment in clique.segments).wildcards
