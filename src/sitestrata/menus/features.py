"""Menus on pages -> what tells their roles apart: spread, targets, position. No word and no class name is looked at.

``home_share``
    Of a menu's captured targets, the share that shows the menu too. Menus of a site are at home on their targets; lists
    of links to elsewhere are not.
``likeness``
    How much the targets that show the menu are alike in everything else that repeats. The targets of a main menu share
    a logo, a footer, a template; those of an organisation's bar lead into sites that share nothing but the bar.
``wider``
    The most widespread other menu at home that stands on (nearly) all of its pages and on more: what it is local to.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sitestrata.graph.link_graph import positions_of
from sitestrata.menus.assemble import Shown, shown_menus
from sitestrata.menus.repeats import Strands, mix
from sitestrata.menus.web import LANDMARKS, MenuWeb

__all__ = ["Features", "measure_menus"]

SAMPLE = 60  # pages of a menu that are compared with other menus
INSIDE = 0.9  # share of a menu's pages on which a wider one stands
WIDER = 1.25  # times as many pages
AT_HOME = 0.5  # home_share from which a menu is at home

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
    likeness: Floats  # 0 to 1; 1 where fewer than two targets show the menu
    start: Floats  # mean place of the first and the last link, 0 = first of the page, 1 = last
    end: Floats
    landmark: Ints  # the commonest one, as a number
    wider: Ints  # menu; -1 = none
    repeats_target: Floats  # share of its links on a page that lead where another one leads


def measure_menus(web: MenuWeb, strands: Strands, link_menu: Ints, count: int) -> Features:
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
        likeness=_likeness(web, strands, link_menu, of_cell[is_home], page[is_home], count),
        start=_mean(shown.menu, (shown.first - begin[shown.page]) / size, count),
        end=_mean(shown.menu, (last - begin[shown.page]) / size, count),
        landmark=landmark,
        wider=_wider(web, shown, pages, home_share, count),
        repeats_target=_repeats(web, link_menu, used, count),
    )


def _repeats(web: MenuWeb, link_menu: Ints, used: Ints, count: int) -> Floats:
    links = np.bincount(link_menu[used], minlength=count)
    first = np.unique(mix(link_menu[used], web.page[used], web.target[used]), return_index=True)[1]
    distinct = np.bincount(link_menu[used][first], minlength=count)
    share: Floats = 1 - distinct / np.maximum(links, 1)
    return share


def _mean(owner: Ints, values: Floats, count: int) -> Floats:
    return np.bincount(owner, weights=values, minlength=count) / np.maximum(np.bincount(owner, minlength=count), 1)


def _last_links(web: MenuWeb, link_menu: Ints) -> Ints:
    used = np.flatnonzero(link_menu >= 0)[::-1]
    _, first = np.unique(link_menu[used] * max(web.page_count, 1) + web.page[used], return_index=True)
    return used[first]


def _commonest(owner: Ints, value: Ints, count: int, width: int) -> Ints:
    votes = np.bincount(owner * width + value, minlength=count * width).reshape(count, width)
    return votes.argmax(axis=1) if count else np.zeros(0, np.int64)


def _likeness(web: MenuWeb, strands: Strands, link_menu: Ints, menu: Ints, page: Ints, count: int) -> Floats:
    """Return for each menu how much of what repeats on its targets, the menu itself left out, they share.

    The mean over the targets that show the menu, of the share of their other repeated entries that at least half of the
    targets show.
    """
    likeness = np.ones(count)
    entry_of = np.full(len(web.page), -1, np.int64)
    entry_of[strands.links] = strands.entry
    begin = np.searchsorted(web.page, np.arange(web.page_count + 1))
    first = np.searchsorted(menu, np.arange(count + 1))
    for number in np.flatnonzero(np.diff(first) > 1).tolist():
        targets = page[first[number] : first[number + 1]]
        if len(targets) > SAMPLE:
            targets = targets[np.linspace(0, len(targets) - 1, SAMPLE).astype(np.int64)]
        lists = []
        for target in targets.tolist():
            links = np.arange(begin[target], begin[target + 1])
            entries = entry_of[links[(link_menu[links] != number) & (entry_of[links] >= 0)]]
            lists.append(np.unique(entries[strands.entry_pages[entries] > 1]))
        everything, times = np.unique(np.concatenate(lists), return_counts=True)
        common = everything[times >= max(2, len(lists) / 2)]
        shares = [len(np.intersect1d(some, common, assume_unique=True)) / len(some) for some in lists if len(some)]
        likeness[number] = float(np.mean(shares)) if len(shares) > 1 else 1.0
    return likeness


def _wider(web: MenuWeb, shown: Shown, pages: Ints, home_share: Floats, count: int) -> Ints:
    by_page = np.argsort(shown.page, kind="stable")
    begin = np.searchsorted(shown.page[by_page], np.arange(web.page_count + 1))
    wider = np.full(count, -1, np.int64)
    at_home = home_share >= AT_HOME
    for number in range(count):
        rows = shown.pages(number)
        if len(rows) > SAMPLE:
            rows = rows[np.linspace(0, len(rows) - 1, SAMPLE).astype(np.int64)]
        others = np.concatenate([shown.menu[by_page[begin[row] : begin[row + 1]]] for row in rows.tolist()])
        which, times = np.unique(others, return_counts=True)
        fits = (times >= INSIDE * len(rows)) & at_home[which] & (pages[which] >= WIDER * pages[number])
        if fits.any():
            candidates = which[fits]
            wider[number] = candidates[np.lexsort((candidates, -pages[candidates]))[0]]
    return wider
