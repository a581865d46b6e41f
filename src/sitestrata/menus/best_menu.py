"""Which menu of each site is most like its main menu, and how sure that is.

A menu that stands on many pages of the site, leads to many of them, comes early on the page, stands on the entry page
and has a role that speaks for it. None of these is sure by itself (the legal footer stands on every page too, the front
page may have a template of its own), so they are multiplied. Of a crawl that took little of a site, what its menus lead
to counts although it was not captured (`unseen`).

Paper: MenuMiner 6.4
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from sitestrata.graph.link_graph import positions_of
from sitestrata.menus.roles import AT_HOME
from sitestrata.menus.unseen import UnseenPages

__all__ = ["AS_RICH", "EVERYWHERE", "FEW_ITEMS", "MANY_UNSEEN", "MIN_ITEMS", "BestMenus", "find_best_menus"]

# How much a role speaks for a menu.
ROLE_WEIGHT = {"main": 1.0, "local": 0.9, "other": 0.6, "footer": 0.4, "organisation": 0.05}
WEAK_ROLE = 0.1  # pagers, breadcrumbs and switches, if they have items that stay
ENTRY_WEIGHT = 10.0  # of a menu that the entry page shows
FEW_ITEMS = 6.0  # items within the site from which on a menu is worth half
COMMON = 0.5  # share of the pages that show a menu, in their upper half, for a site to need no contents list
EVERYWHERE = 0.8  # the same of a main menu that may stand anywhere ...
MIN_ITEMS = 3  # ... if it leads to that many pages of the site
RICHER = 3.0  # how many times as many pages contents must list to be preferred to a menu behind the text ...
AS_RICH = 1.0  # ... or to one that neither the entry page nor nearly all others have
LATE = 0.5  # what the end of the page costs
UNSEEN = 0.75  # share of what a site's menus lead to; if more was not captured, that counts too: the crawl took little
TOLD = 2  # captured targets that tell whether a menu is at home
MANY_UNSEEN = 8  # targets that were not captured, from which on more do not speak for a menu

Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class BestMenus:
    """The best menu of each site that has any."""

    menu: dict[int, int]  # site -> menu
    leads: dict[int, int]  # site -> to how many of its pages that menu leads
    sure: set[int]  # sites that surely have a main menu
    # Of sites that may have one: how many times as many pages contents must list to be preferred, because the menu
    # stands behind the text, as the foot of the page does, or not on the entry page.
    doubt: dict[int, float]


def find_best_menus(
    page: Ints,
    site: Ints,
    entry: Mapping[int, int],
    menus: pa.Table,
    menu_items: pa.Table,
    menu_pages: pa.Table,
    places: Mapping[int, frozenset[str]],
) -> BestMenus:
    """Weigh the menus of each site against each other; ``page`` is sorted, the rest is as in `main_menus`."""
    size = dict(zip(*(column.tolist() for column in np.unique(site, return_counts=True)), strict=True))
    table = menus.filter(pc.not_equal(menus["kind"], "single")).sort_by("menu")
    ids = _ints(table, "menu")
    role_weight = np.array([ROLE_WEIGHT.get(role, WEAK_ROLE) for role in table["role"].to_pylist()])
    reason, home_share = table["reason"].to_pylist(), table["home_share"].to_pylist()
    position = table["position"].to_numpy()
    items = _items_by_menu(ids, menu_items)
    row, is_page = positions_of(page, _ints(menu_pages, "page"))
    menu, is_menu = positions_of(ids, _ints(menu_pages, "menu"))
    row, menu = row[is_page & is_menu], menu[is_page & is_menu]
    # One candidate for each menu and site: on how many pages of the site it stands.
    sites, place = np.unique(site, return_inverse=True)
    width = max(len(sites), 1)
    cells, shown = np.unique(menu * width + place[row], return_counts=True)
    entries = np.isin(page, [entry[owner] for owner in sites.tolist() if owner in entry])
    on_entry = np.isin(cells, (menu * width + place[row])[entries[row]])
    pairs = pa.table({"menu": ids[cells // width], "site": sites[cells % width]})
    unseen = UnseenPages(page, site, places, menu_items, pairs)
    best: dict[int, tuple[float, int, int]] = {}
    sure: set[int] = set()
    doubt: dict[int, float] = {}
    is_foot = np.array(table["role"]) == "footer"
    has_foot = {
        int(sites[cell % width])
        for cell, pages in zip(cells.tolist(), shown.tolist(), strict=True)
        if is_foot[cell // width] and pages >= EVERYWHERE * size[int(sites[cell % width])]
    }
    for cell, pages, is_on_entry in zip(cells.tolist(), shown.tolist(), on_entry.tolist(), strict=True):
        number, owner = cell // width, int(sites[cell % width])
        targets = items.get(number)
        if targets is None:
            continue
        spot, captured = positions_of(page, targets)
        own = int((site[spot[captured]] == owner).sum())
        share = unseen.share(owner) if unseen.share(owner) > UNSEEN else 0.0
        missing = unseen.count(owner, targets[~captured])
        inside = own + share * min(missing, MANY_UNSEEN)
        outside = int(captured.sum()) - own + share * (int((~captured).sum()) - missing)
        # Of a crawl that took little no menu is seen to be at home, and none is seen not to be.
        is_open = (
            share > UNSEEN
            and reason[number] == "targets-do-not-show-it"
            and (int(captured.sum()) < TOLD or home_share[number] >= AT_HOME)
        )
        weight = ROLE_WEIGHT["local"] if is_open and missing else float(role_weight[number])
        score = (
            pages
            / size[owner]
            * (inside / (inside + FEW_ITEMS))
            * weight
            * (1 - LATE * float(position[number]))
            * (0.5 + 0.5 * inside / max(inside + outside, 1))
            * (ENTRY_WEIGHT if is_on_entry else 1.0)
        )
        if score > 0:
            best[owner] = max(best.get(owner, (0.0, 0, 0)), (score, -int(ids[number]), own))
        is_common = (pages >= COMMON * size[owner] and inside > 1) or (is_on_entry and inside >= FEW_ITEMS)
        # A main menu that (nearly) every page has may stand behind the text, if it is not the foot of the page itself.
        is_main = weight >= ROLE_WEIGHT["main"] and pages >= EVERYWHERE * size[owner] and own >= MIN_ITEMS
        is_early = weight >= ROLE_WEIGHT["local"] and position[number] < COMMON
        is_everywhere = is_on_entry or pages >= EVERYWHERE * size[owner]
        if is_common and is_everywhere and (is_early or (is_main and owner in has_foot)):
            sure.add(owner)
        elif is_common and (is_early or is_main):
            doubt[owner] = max(doubt.get(owner, 0.0), RICHER if is_everywhere else AS_RICH)
    return BestMenus(
        menu={owner: -identity for owner, (_, identity, _) in sorted(best.items())},
        leads={owner: own for owner, (_, _, own) in best.items()},
        sure=sure,
        doubt=doubt,
    )


def _items_by_menu(ids: Ints, menu_items: pa.Table) -> dict[int, Ints]:
    """Return the distinct targets of each menu, by the place of the menu in ``ids``."""
    linked = menu_items.filter(menu_items["target"].is_valid())
    menu, known = positions_of(ids, _ints(linked, "menu"))
    menu, target = menu[known], _ints(linked, "target")[known]
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
