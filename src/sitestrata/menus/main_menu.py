"""The main menu of given sites: which of the menus on their pages people would call so.

It stands on many pages of the site, leads to many of them, and comes early on the page; it stands on the entry page;
its role speaks for it. None of these is sure by itself (the legal footer stands on every page too, the front page may
have a template of its own), so they are multiplied. A site without any such menu has the contents list of its entry
page, if there is one.

Paper: MenuMiner 6.4

Differences from the paper: it takes the menu on most pages, and of equals the first in document order; that gets one
drop-down of a bar, or a footer.
"""

from collections.abc import Mapping

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sitestrata.graph.link_graph import positions_of

__all__ = ["main_menus"]

# How much a role speaks for a menu.
ROLE_WEIGHT = {"main": 1.0, "local": 0.9, "other": 0.6, "footer": 0.4, "toc": 0.5, "organisation": 0.05}
WEAK_ROLE = 0.1  # pagers, breadcrumbs and switches, if they have items that stay
ENTRY_WEIGHT = 4.0  # of a menu that the entry page shows
FEW_ITEMS = 6.0  # items within the site from which on a menu is worth half
COMMON = 0.5  # share of the pages that show a menu, in their upper half, for a site to need no contents list
LATE = 0.5  # what the end of the page costs

Ints = NDArray[np.int64]


def main_menus(
    page: Ints, site: Ints, entry: Mapping[int, int], *, menus: pa.Table, menu_items: pa.Table, menu_pages: pa.Table
) -> dict[int, int]:
    """Return the main menu of each site that has one.

    Args:
        page: ids of pages.
        site: the site of each of them.
        entry: site -> id of its entry page, as far as known.
        menus: the tables of this name, as are the next two.
        menu_items: see ``menus``.
        menu_pages: see ``menus``.
    """
    order = np.argsort(page, kind="stable")
    page, site = page[order], site[order]
    size = dict(zip(*(column.tolist() for column in np.unique(site, return_counts=True)), strict=True))
    table = menus.sort_by("menu")
    ids = _ints(table, "menu")
    role_weight = np.array([ROLE_WEIGHT.get(role, WEAK_ROLE) for role in table["role"].to_pylist()])
    is_single = np.array([kind == "single" for kind in table["kind"].to_pylist()], np.bool_)
    position = table["position"].to_numpy()
    items = _items_by_menu(ids, menu_items)
    at, known = positions_of(page, _ints(menu_pages, "page"))
    menu = positions_of(ids, _ints(menu_pages, "menu"))[0][known]
    where = at[known]
    # One candidate for each menu and site: on how many pages of the site it stands.
    sites, place = np.unique(site, return_inverse=True)
    width = max(len(sites), 1)
    cells, shown = np.unique(menu * width + place[where], return_counts=True)
    best: dict[int, tuple[float, int]] = {}
    contents: dict[int, tuple[float, int]] = {}
    has_menu: set[int] = set()
    entries = {number: positions_of(page, np.array([entry[number]]))[0][0] for number in entry if number in size}
    on_entry = {
        (int(m), int(s))
        for m, s, row in zip(menu.tolist(), site[where].tolist(), where.tolist(), strict=True)
        if entries.get(s) == row
    }
    for cell, pages in zip(cells.tolist(), shown.tolist(), strict=True):
        number, owner = cell // width, int(sites[cell % width])
        targets = items.get(number)
        if targets is None:
            continue
        spot, captured = positions_of(page, targets)
        own = int((site[spot[captured]] == owner).sum())
        is_on_entry = (number, owner) in on_entry
        if is_single[number] and not is_on_entry:
            continue
        score = (
            (1.0 if is_single[number] else pages / size[owner])
            * (own / (own + FEW_ITEMS))
            * float(role_weight[number])
            * (1 - LATE * float(position[number]))
            * (0.5 + 0.5 * own / max(int(captured.sum()), 1))
            * (ENTRY_WEIGHT if is_on_entry else 1.0)
        )
        chosen = contents if is_single[number] else best
        if score > 0:
            chosen[owner] = max(chosen.get(owner, (0.0, 0)), (score, -int(ids[number])))
        is_common = pages >= COMMON * size[owner] or (is_on_entry and own >= FEW_ITEMS)
        is_menu = not is_single[number] and role_weight[number] >= ROLE_WEIGHT["local"]
        if is_menu and is_common and position[number] < COMMON:
            has_menu.add(owner)
    for owner, rank in contents.items():
        if owner not in has_menu:
            best[owner] = max(best.get(owner, rank), rank)
    return {owner: -identity for owner, (_, identity) in sorted(best.items())}


def _items_by_menu(ids: Ints, menu_items: pa.Table) -> dict[int, Ints]:
    """Return the distinct targets of each menu, by the place of the menu in ``ids``."""
    linked = menu_items.filter(menu_items["target"].is_valid())
    menu = positions_of(ids, _ints(linked, "menu"))[0]
    target = _ints(linked, "target")
    order = np.lexsort((target, menu))
    menu, target = menu[order], target[order]
    begin = np.searchsorted(menu, np.arange(len(ids) + 1))
    return {
        number: np.unique(target[begin[number] : begin[number + 1]])
        for number in range(len(ids))
        if begin[number] < begin[number + 1]
    }


def _ints(table: pa.Table, column: str) -> Ints:
    values: Ints = table[column].to_numpy()
    return values
