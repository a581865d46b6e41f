"""Strands, breadcrumbs and pagers -> menus on pages: which link belongs to which menu.

The menus of a page may share a strand with those of another page (the drop-down of an organisation in the bars of its
sites), so a link is given to the menu that is most complete on its page.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sitestrata.graph.link_graph import positions_of
from sitestrata.graph.numbering import distinct, first_of_each, tally
from sitestrata.menus.repeats import Strands
from sitestrata.menus.web import MenuWeb

__all__ = ["Shown", "fixed_menus", "shown_menus"]

MIN_PAGES = 3  # MenuMiner 3.3: less is "certainly not enough"
MIN_ITEMS = 2
DENSE = 0.3  # share of the links from its first to its last that are the menu's: logo and last link are none
COMPLETE = 0.5  # share of a menu's entries that a page must show

Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Shown:
    """Menus on pages, one row each, sorted by menu and page."""

    menu: Ints
    page: Ints
    first: Ints  # its first link on the page
    last: Ints
    links: Ints  # how many it has there
    of_menu: Ints  # the rows of menu m are of_menu[m] : of_menu[m + 1]
    key: Ints  # menu * page_count + page, sorted

    def pages(self, menu: int) -> Ints:
        """Return the pages that show a menu."""
        return self.page[self.of_menu[menu] : self.of_menu[menu + 1]]


def shown_menus(web: MenuWeb, link_menu: Ints, menu_count: int) -> Shown:
    """List which pages show which menus, given the menu of each link (-1 = none)."""
    links = np.flatnonzero(link_menu >= 0)
    width = max(web.page_count, 1)
    key, first, row, count = tally(link_menu[links] * width + web.page[links])
    last = np.zeros(len(key), np.int64)
    last[row] = links  # the last one of each row stays
    menu = key // width
    of_menu = np.searchsorted(menu, np.arange(menu_count + 1))
    return Shown(menu, key % width, links[first], last, count, of_menu, key)


def fixed_menus(web: MenuWeb, strands: Strands, groups: Sequence[frozenset[int]]) -> tuple[Ints, int]:
    """Give the links of strands to menus; return the menu of each link of the web, and how many menus there are."""
    link_menu = np.full(len(web.page), -1, np.int64)
    size = np.bincount(strands.strand, minlength=strands.strand_count)
    weight = size.tolist()
    groups = [group for group in groups if sum(weight[strand] for strand in group) >= MIN_ITEMS]
    if not groups:
        return link_menu, 0
    member = np.array([strand for group in groups for strand in sorted(group)], np.int64)
    menu = np.repeat(np.arange(len(groups)), [len(group) for group in groups])
    entries = np.bincount(menu, weights=size[member])
    order = np.argsort(member, kind="stable")
    member, menu = member[order], menu[order]
    of_strand = np.searchsorted(member, np.arange(strands.strand_count + 1))
    # Every strand on every page with every menu it is part of.
    width = max(web.page_count, 1)
    strand = strands.shown // width
    times = np.diff(of_strand)[strand]
    row = np.repeat(np.arange(len(strand)), times)
    offset = np.arange(len(row)) - np.repeat(np.cumsum(times) - times, times)
    candidate = menu[of_strand[strand[row]] + offset]
    key, _, place, _ = tally(candidate * width + strands.shown[row] % width)
    count = np.bincount(place, weights=strands.shown_links[row], minlength=len(key))
    # The page that an entry leads to counts as showing it.
    own = positions_of(_own_keys(web, strands, member, menu, width), key)[1]
    complete = (count + own) / np.maximum(entries[key // width], 1)
    best = np.lexsort((candidate, -entries[candidate], -complete[place], row))
    best = best[first_of_each(row[best])]
    best = best[complete[place[best]] >= COMPLETE]
    menu_of_shown = np.full(len(strand), -1, np.int64)
    menu_of_shown[row[best]] = candidate[best]
    link_menu[strands.links] = menu_of_shown[strands.shown_of_link]
    return _keep_menus(web, link_menu, len(groups))


def _own_keys(web: MenuWeb, strands: Strands, member: Ints, menu: Ints, width: int) -> Ints:
    """Return menu * width + page for the pages that menus lead to."""
    first = np.argsort(strands.strand, kind="stable")
    begin = np.searchsorted(strands.strand[first], np.arange(strands.strand_count + 1))
    times = begin[member + 1] - begin[member]
    row = np.repeat(np.arange(len(member)), times)
    offset = np.arange(len(row)) - np.repeat(np.cumsum(times) - times, times)
    entry = first[begin[member[row]] + offset]
    page = web.target_page[strands.entry_target[entry]].astype(np.int64)
    known = page >= 0
    return distinct(menu[row][known] * width + page[known])


def _keep_menus(web: MenuWeb, link_menu: Ints, count: int) -> tuple[Ints, int]:
    """Drop menus that too few pages show or that have too few items, and number the others."""
    shown = shown_menus(web, link_menu, count)
    pages = np.diff(shown.of_menu)
    used = np.flatnonzero(link_menu >= 0)
    targets = distinct(link_menu[used] * max(len(web.target_id), 1) + web.target[used])
    items = np.bincount(targets // max(len(web.target_id), 1), minlength=count)
    span = shown.last - shown.first + 1
    density = np.bincount(shown.menu, weights=shown.links / span, minlength=count) / np.maximum(pages, 1)
    return renumber(link_menu, (pages >= MIN_PAGES) & (items >= MIN_ITEMS) & (density >= DENSE))


def renumber(link_menu: Ints, keep: Iterable[bool] | NDArray[np.bool_]) -> tuple[Ints, int]:
    """Keep some menus, in their order."""
    kept = np.asarray(keep, np.bool_)
    number = np.full(len(kept) + 1, -1, np.int64)
    number[:-1][kept] = np.arange(int(kept.sum()))
    return number[link_menu], int(kept.sum())
