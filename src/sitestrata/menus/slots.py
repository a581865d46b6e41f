"""Items whose labels stay while their targets change from page to page: slots of a menu, and menus made of them alone.

The bar of generated documentation has "Index", which leads to one page, beside "Package", which leads to that of the
class at hand; a wiki has "History" and "Links here" on each page, and a shop "Sign in", with the way back in its
address. By their targets such items never repeat. A *slot* is a label at one place of one list, on many of the pages
that show it.

Nothing is known of a label but that it is the same; which word it is does not count.

Cost: linear in the links that no menu has.
"""

import numpy as np
from numpy.typing import NDArray

from sitestrata.graph.link_graph import positions_of
from sitestrata.graph.numbering import distinct, mix, number_keys
from sitestrata.menus.assemble import MIN_ITEMS, MIN_PAGES, Shown
from sitestrata.menus.runs import Runs
from sitestrata.menus.web import MenuWeb

__all__ = ["find_labelled_runs", "find_slots"]

SLOT_SHARE = 0.2  # of a menu's pages, those that show the slot: a class has it, a package has not
STAYS = 0.5  # of the pages with a list at one place, those that show a label, for it to stay
FILLED = 0.75  # share of a list's links whose labels stay
ONCE = 1.1  # times on a page, on average: what each item of a list has is no item of it
MAX_LISTS = 2  # lists on one page, for instance above and below the text
WIDE = 0.3  # of a site's pages, those that show lists of such labels; fewer are content that recurs
INSIDE = 0.5  # share of such a list's links that lead to captured pages: buttons to share a page lead elsewhere

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]


def find_slots(web: MenuWeb, link_menu: Ints, shown: Shown, free: Bools, fixed: Bools) -> tuple[Ints, Ints]:
    """Return for each link the slot that it fills, -1 = none; and for each slot its menu.

    Args:
        web: the collection.
        link_menu: the menu of each link, -1 = none; those of slots have none yet.
        shown: which pages show which menus.
        free: links that may fill a slot.
        fixed: which menus have items that stay, beside which slots are looked for.
    """
    result = np.full(len(web.page), -1, np.int64)
    used = np.flatnonzero(link_menu >= 0)
    used = used[fixed[link_menu[used]]]
    menu_of = np.full(len(web.segment_page), -1, np.int64)
    menu_of[web.segment[used]] = link_menu[used]
    rows = np.flatnonzero(free & (link_menu < 0) & (web.label != 0))
    rows = rows[menu_of[web.segment[rows]] >= 0]
    menu = menu_of[web.segment[rows]]
    # Items of the same list: links at a place where the menu has some, and with a label that none of them has.
    listed = positions_of(distinct(mix(link_menu[used], web.place[used])), mix(menu, web.place[rows]))[1]
    listed &= ~positions_of(distinct(mix(link_menu[used], web.label[used])), mix(menu, web.label[rows]))[1]
    rows, menu = rows[listed], menu[listed]
    which, first = number_keys(mix(menu, web.place[rows], web.label[rows]))
    links, pages, targets = _measure(web, rows, which, len(first))
    is_slot = (targets > 1) & (links <= ONCE * pages)
    is_slot &= pages >= np.maximum(MIN_PAGES, SLOT_SHARE * np.diff(shown.of_menu)[menu[first]])
    number = np.where(is_slot, np.cumsum(is_slot) - 1, -1)
    result[rows] = number[which]
    return result, menu[first[is_slot]]


def find_labelled_runs(web: MenuWeb, runs: Runs, community: Ints, candidates: Bools) -> Bools:
    """Tell which runs are lists of labels that stay: a menu that leads elsewhere on each page.

    Args:
        web: the collection.
        runs: links of one segment at one place.
        community: a number for the site of each page, as far as menus tell it.
        candidates: runs that nothing else explains.
    """
    run = runs.of_link()
    rows = np.flatnonzero(candidates[run])
    run, links = run[rows], runs.links[rows]
    spot, _ = number_keys(mix(runs.place, community[runs.page]))
    count = len(runs)
    whole = np.bincount(community, minlength=web.page_count)[community[runs.page]]
    lists = np.bincount(spot[candidates], minlength=count)
    width = max(web.page_count, 1)
    around = np.bincount(distinct(spot[candidates] * width + runs.page[candidates]) // width, minlength=count)
    which, first = number_keys(mix(spot[run], web.label[links]))
    times, pages, targets = _measure(web, links, which, len(first))
    stays = (web.label[links[first]] != 0) & (times <= MAX_LISTS * pages)
    stays &= (pages >= MIN_PAGES) & (pages >= STAYS * around[spot[run[first]]])
    size = np.bincount(run, minlength=count)
    staying = np.bincount(run[stays[which]], minlength=count)
    changing = np.bincount(run[(stays & (targets > 1))[which]], minlength=count)
    inside = np.bincount(run[web.target_page[web.target[links]] >= 0], minlength=count)
    is_list = (
        candidates & (inside >= INSIDE * size) & (staying >= MIN_ITEMS) & (staying >= FILLED * size) & (changing > 0)
    )
    listed = np.bincount(spot[is_list], minlength=count)
    is_one = (lists <= MAX_LISTS * around) & (listed >= STAYS * lists)
    return is_list & is_one[spot] & (around[spot] >= WIDE * whole)


def _measure(web: MenuWeb, links: Ints, which: Ints, count: int) -> tuple[Ints, Ints, Ints]:
    """Return for each group of links how many there are, on how many pages, with how many targets."""
    pages = distinct(which * max(web.page_count, 1) + web.page[links]) // max(web.page_count, 1)
    targets = distinct(which * max(len(web.target_id), 1) + web.target[links]) // max(len(web.target_id), 1)
    return (
        np.bincount(which, minlength=count),
        np.bincount(pages, minlength=count),
        np.bincount(targets, minlength=count),
    )
