"""Segment cliques -> s-menus: all pages that show the menu, and which menus share pages.

A page shows an s-menu if one of its segments links all pages of the clique and its DOM path fits the menu's signature,
the aligned path of the clique's segments. The page itself need not be linked.

Paper: MenuMiner 6.2.2

Cost: for each clique, the segments that link its least linked page.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sitestrata.menus.clique_finder import SegmentClique
from sitestrata.menus.local_graph import SegmentWeb
from sitestrata.menus.uniformity import Signature, align_all, fits

__all__ = ["SMenu", "cliques_to_menus"]

Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class SMenu:
    """A clique of segments, its signature, and the pages that show it with the segment that does, aligned."""

    clique: SegmentClique
    signature: Signature
    pages: tuple[int, ...]  # sorted
    segments: tuple[int, ...]


def cliques_to_menus(web: SegmentWeb, cliques: Sequence[SegmentClique]) -> list[SMenu]:
    """Find the pages on which each clique's menu is present."""
    by_target = np.argsort(web.target, kind="stable")
    owner = np.repeat(np.arange(len(web.page_of)), np.diff(web.first_target))[by_target]
    begin = np.searchsorted(web.target[by_target], np.arange(web.page_count + 1))
    return [_spread(web, clique, owner, begin) for clique in cliques]


def _spread(web: SegmentWeb, clique: SegmentClique, owner: Ints, begin: Ints) -> SMenu:
    signature = align_all(web.path[segment] for segment in clique.segments)
    shown = dict(zip(clique.pages, clique.segments, strict=True))
    # Every segment that shows the menu links one of any two of its pages: the page itself is the only one not linked.
    rarest = sorted(clique.pages, key=lambda page: (int(begin[page + 1] - begin[page]), page))[:2]
    candidates = np.unique(np.concatenate([owner[begin[page] : begin[page + 1]] for page in rarest]))
    members = np.array(clique.pages, np.int64)
    for segment in candidates.tolist():
        page = int(web.page_of[segment])
        if page in shown:
            continue
        needed = members[members != page]
        targets = web.targets(segment)
        at = np.minimum(np.searchsorted(targets, needed), len(targets) - 1)
        if (targets[at] == needed).all() and fits(web.path[segment], signature):
            shown[page] = segment
    pages = tuple(sorted(shown))
    return SMenu(clique, signature, pages, tuple(shown[page] for page in pages))
