"""Tables of contents: lists that stand on one page only, and whose targets lead back there.

The front page of a manual lists its chapters, and each chapter links the front page. Of a page's segments the one is
taken that holds most links of this kind and little else. A list of records answers to the same description, so the page
must consist of links for the better part, or the list must be in the order in which readers turn the pages: entries
that follow one another are neighbours in a pager.

Cost: linear in links and segments.
"""

import numpy as np
from numpy.typing import NDArray

from sitestrata.graph.link_graph import positions_of
from sitestrata.graph.numbering import distinct, number_within
from sitestrata.menus.web import MenuWeb

__all__ = ["find_contents"]

MIN_ITEMS = 3
PURE = 0.7  # share of the links of a segment, with all below it, that are answered
DOMINANT = 0.6  # share of the page's answered links that the list holds
LINKED_TEXT = 0.4  # share of the page's text that is linked
IN_ORDER = 0.5  # share of the entries whose pages lead on to the next one's

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]


def find_contents(web: MenuWeb, free: Bools, neighbours: tuple[Ints, Ints]) -> Ints:
    """Return for each link the page whose contents list it belongs to; -1 = none. Only ``free`` links are asked.

    ``neighbours`` are pairs of pages that a pager leads from and to.
    """
    width = max(web.page_count, 1)
    target = web.target_page[web.target].astype(np.int64)
    page = web.page.astype(np.int64)
    inside = (target >= 0) & (target != page)
    is_child = np.zeros(len(page), np.bool_)
    asked = np.flatnonzero(free & inside)
    is_child[asked] = positions_of(web.edges, target[asked] * width + page[asked])[1]
    count = len(web.segment_page)
    levels = _levels(web)
    other = ~(web.is_self & (web.fragment > 0))
    links = _with_below(web, levels, np.bincount(web.segment[other], minlength=count))
    # Each target once on a page: a list may have a picture and a title for each.
    once = np.flatnonzero(is_child)[number_within(page[is_child], target[is_child])[1]]
    children = _with_below(web, levels, np.bincount(web.segment[once], minlength=count))
    tied = distinct(np.concatenate([a * width + b for a, b in (neighbours, neighbours[::-1])]))
    follows = once[1:][
        (page[once][1:] == page[once][:-1]) & positions_of(tied, target[once][:-1] * width + target[once][1:])[1]
    ]
    in_order = _with_below(web, levels, np.bincount(web.segment[follows], minlength=count))
    answered = _with_below(web, levels, np.bincount(web.segment[is_child], minlength=count))
    total = np.bincount(web.page[once], minlength=web.page_count)
    on_page = web.segment_page
    good = (
        (children >= MIN_ITEMS)
        & (answered >= PURE * links)
        & (children >= DOMINANT * total[on_page])
        & ((web.linked_share[on_page] >= LINKED_TEXT) | (in_order >= IN_ORDER * (children - 1)))
    )
    # The most complete one of each page, of equals the innermost.
    rows = np.flatnonzero(good)
    best = rows[np.lexsort((-rows, -children[rows], on_page[rows]))]
    best = best[np.unique(on_page[best], return_index=True)[1]]
    chosen = np.zeros(count, np.bool_)
    chosen[best] = True
    for level in levels:
        parent = web.segment_parent[level]
        chosen[level] |= (parent >= 0) & chosen[parent]
    result = np.full(len(page), -1, np.int64)
    taken = np.flatnonzero(chosen[web.segment] & free & inside)
    result[taken] = page[taken]
    return result


def _levels(web: MenuWeb) -> list[Ints]:
    """Return the segments by depth, the outermost first."""
    depth = np.zeros(len(web.segment_page), np.int64)
    step = web.segment_parent.astype(np.int64)
    while (step >= 0).any():
        depth += step >= 0
        step = np.where(step >= 0, web.segment_parent[np.maximum(step, 0)], -1)
    order = np.argsort(depth, kind="stable")
    begin = np.searchsorted(depth[order], np.arange(int(depth.max(initial=-1)) + 2))
    return [order[a:b] for a, b in zip(begin[:-1].tolist(), begin[1:].tolist(), strict=True)]


def _with_below(web: MenuWeb, levels: list[Ints], own: Ints) -> Ints:
    """Add to each segment's count those of the segments below it."""
    total = own.astype(np.int64)
    for level in reversed(levels):
        parent = web.segment_parent[level]
        np.add.at(total, parent[parent >= 0], total[level[parent >= 0]])
    return total
