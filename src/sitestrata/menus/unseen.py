"""Which addresses that nobody captured are likely pages of a site.

A crawl that took eight pages of a shop may have none of the pages that its main menu leads to, but that behind "sign
in", which every page links. What was not captured counts as a page of the site if it lies where the site's addresses do
and no other site has it in a menu; and it counts the less, the more of such addresses were captured: of a site that was
crawled to the end, what is missing is dead or no page.

Paper: MenuMiner 6.4

Differences from the paper: it knows captured pages only.
"""

from collections.abc import Mapping

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sitestrata.graph.link_graph import positions_of

__all__ = ["UnseenPages"]

Ints = NDArray[np.int64]


class UnseenPages:
    """The targets of menus that nobody captured, by the site that they are likely pages of."""

    def __init__(
        self, page: Ints, site: Ints, places: Mapping[int, frozenset[str]], menu_items: pa.Table, shown: pa.Table
    ) -> None:
        """Tell from what the menus of sites lead to.

        Args:
            page: ids of pages, sorted.
            site: the site of each of them.
            places: what the addresses of a site begin with: its hosts, or its folder of one that it shares.
            menu_items: the table of this name.
            shown: which menu stands on a page of which site: columns ``menu`` and ``site``, each pair once.
        """
        items = menu_items.filter(menu_items["target"].is_valid()).select(["menu", "target", "url"])
        pairs = items.join(shown, "menu", join_type="inner").group_by(["target", "site"]).aggregate([("url", "min")])
        pairs = pairs.sort_by([("target", "ascending"), ("site", "ascending")])
        target, owner = pairs["target"].to_numpy(), pairs["site"].to_numpy()
        spot, is_captured = positions_of(page, target)
        is_own = np.zeros(len(target), np.bool_)
        is_own[is_captured] = site[spot[is_captured]] == owner[is_captured]
        _, which, sites = np.unique(target, return_inverse=True, return_counts=True)
        is_alone = sites[which] == 1
        urls = pairs["url_min"].to_pylist()
        for row in np.flatnonzero(~is_captured & is_alone).tolist():
            is_own[row] = any(urls[row].startswith(place) for place in places.get(int(owner[row]), ()))
        chosen = is_own & ~is_captured
        self._target, self._owner = target[chosen], owner[chosen]
        missing, captured = (np.unique(owner[rows], return_counts=True) for rows in (chosen, is_own & is_captured))
        seen = dict(zip(*(column.tolist() for column in captured), strict=True))
        self._share: dict[int, float] = {
            one: lost / (lost + seen.get(one, 0))
            for one, lost in zip(*(column.tolist() for column in missing), strict=True)
        }

    def share(self, owner: int) -> float:
        """Return which share of the pages that the menus of a site lead to nobody captured."""
        return self._share.get(owner, 0.0)

    def count(self, owner: int, targets: Ints) -> int:
        """Return how many of some distinct targets are such pages of a site."""
        spot, known = positions_of(self._target, targets)
        return int((self._owner[spot[known]] == owner).sum())
