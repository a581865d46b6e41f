"""Menus on pages -> what tells their roles apart: spread, targets, position. No word and no class name is looked at.

``home_share``
    Of a menu's captured targets, the share that shows the menu too. Menus of a site are at home on their targets; lists
    of links to elsewhere are not.
likeness
    How much the targets that show the menu are alike in everything else that repeats. The targets of a main menu share
    a logo, a footer, a template; those of an organisation's bar lead into sites that share nothing but the bar; those
    of a switch between languages share the template, but no link.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sitestrata.graph.link_graph import positions_of
from sitestrata.menus.assemble import Shown, shown_menus
from sitestrata.menus.repeats import Strands
from sitestrata.menus.web import LANDMARKS, MenuWeb

__all__ = ["Features", "measure_likeness", "measure_menus"]

SAMPLE = 60  # pages of a menu that are compared with other menus
CHROME_PAGES = 5  # that show an entry, for it to tell which pages belong together
CHROME_ENTRIES = 3  # of this kind that a page must have
AT_HOME = 0.4  # home_share from which a menu is at home

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Features:
    """One value a menu."""

    shown: Shown
    pages: Ints
    targets: Ints  # distinct
    captured: Ints  # of these
    home: Ints  # of these: show the menu
    home_share: Floats
    start: Floats  # mean place of the first and the last link, 0 = first of the page, 1 = last
    end: Floats
    landmark: Ints  # the commonest one, as a number
    home_pages: dict[int, list[int]]  # targets that show the menu, as pages


def measure_menus(web: MenuWeb, link_menu: Ints, count: int) -> Features:
    """Measure all menus at once."""
    shown = shown_menus(web, link_menu, count)
    pages = np.diff(shown.of_menu)
    used = np.flatnonzero(link_menu >= 0)
    menu = link_menu[used]
    width = max(len(web.target_id), 1)
    cells = np.unique(menu * width + web.target[used])
    of_cell, target = cells // width, cells % width
    page = web.target_page[target].astype(np.int64)
    captured = page >= 0
    is_home = np.zeros(len(cells), np.bool_)
    is_home[captured] = positions_of(shown.key, of_cell[captured] * max(web.page_count, 1) + page[captured])[1]
    total = np.bincount(of_cell[captured], minlength=count)
    home = np.bincount(of_cell[is_home], minlength=count)
    home_share = home / np.maximum(total, 1)
    home_first = np.searchsorted(of_cell[is_home], np.arange(count + 1))
    begin = np.searchsorted(web.page, np.arange(web.page_count + 1))
    size = np.maximum(np.diff(begin)[shown.page] - 1, 1)
    last = _last_links(web, link_menu)
    landmark = _commonest(menu, web.landmark[used].astype(np.int64), count, len(LANDMARKS))
    return Features(
        shown=shown,
        pages=pages,
        targets=np.bincount(of_cell, minlength=count),
        captured=total,
        home=home,
        home_share=home_share,
        start=_mean(shown.menu, (shown.first - begin[shown.page]) / size, count),
        end=_mean(shown.menu, (last - begin[shown.page]) / size, count),
        landmark=landmark,
        home_pages={
            number: page[is_home][home_first[number] : home_first[number + 1]].tolist()
            for number in np.flatnonzero(home).tolist()
        },
    )


def _mean(owner: Ints, values: Floats, count: int) -> Floats:
    return np.bincount(owner, weights=values, minlength=count) / np.maximum(np.bincount(owner, minlength=count), 1)


def _last_links(web: MenuWeb, link_menu: Ints) -> Ints:
    used = np.flatnonzero(link_menu >= 0)[::-1]
    _, first = np.unique(link_menu[used] * max(web.page_count, 1) + web.page[used], return_index=True)
    return used[first]


def _commonest(owner: Ints, value: Ints, count: int, width: int) -> Ints:
    votes = np.bincount(owner * width + value, minlength=count * width).reshape(count, width)
    return votes.argmax(axis=1) if count else np.zeros(0, np.int64)


def measure_likeness(web: MenuWeb, strands: Strands, link_menu: Ints, features: Features) -> tuple[Floats, Floats]:
    """Return for each menu how alike its targets are: in the entries that they show, and in the places of their links.

    The mean over the targets that show the menu, of the share of their other repeated entries (places of their links)
    that at least half of the targets have. 1 where fewer than two targets show the menu.
    """
    count = len(features.pages)
    entries, places = np.ones(count), np.ones(count)
    entry_of = np.full(len(web.page), -1, np.int64)
    entry_of[strands.links] = strands.entry
    begin = np.searchsorted(web.page, np.arange(web.page_count + 1))
    for number, targets in features.home_pages.items():
        if len(targets) < 2:
            continue
        chosen = targets if len(targets) <= SAMPLE else [targets[k * len(targets) // SAMPLE] for k in range(SAMPLE)]
        shown, spots = [], []
        for target in chosen:
            links = np.arange(begin[target], begin[target + 1])
            links = links[(link_menu[links] != number) & (entry_of[links] >= 0)]
            some = np.unique(entry_of[links])
            shown.append(some[strands.entry_pages[some] >= CHROME_PAGES])
            spots.append(np.unique(web.place[links]))
        # Targets without anything that repeats tell nothing about where they belong.
        if sum(len(some) >= CHROME_ENTRIES for some in shown) >= max(2, len(shown) / 2):
            entries[number], places[number] = _common_share(shown), _common_share(spots)
    return entries, places


def _common_share(lists: list[Ints]) -> float:
    everything, times = np.unique(np.concatenate(lists), return_counts=True)
    common = everything[times >= max(2, len(lists) / 2)]
    shares = [len(np.intersect1d(some, common, assume_unique=True)) / len(some) for some in lists if len(some)]
    return float(np.mean(shares)) if len(shares) > 1 else 1.0
