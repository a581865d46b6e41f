"""Menus on pages -> what tells their roles apart: spread, targets, position. No word and no class name is looked at.

``home_share``
    Of a menu's captured targets, the share that shows the menu too. Menus of a site are at home on their targets; lists
    of links to elsewhere are not.
likeness
    How much the targets that show the menu are alike in everything else that repeats. The targets of a main menu share
    a logo, a footer, a template; those of an organisation's bar lead into sites that share nothing but the bar; those
    of a switch between languages share the template, but no link.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sitestrata.graph.link_graph import positions_of
from sitestrata.graph.numbering import distinct, mix, number_keys, number_within
from sitestrata.menus.assemble import Shown, shown_menus
from sitestrata.menus.repeats import Strands
from sitestrata.menus.web import LANDMARKS, MenuWeb

__all__ = ["Features", "measure_likeness", "measure_menus"]

SAMPLE = 60  # pages of a menu that are compared with other menus
CHROME_PAGES = 5  # that show an entry, for it to tell which pages belong together
CHROME_ENTRIES = 3  # of this kind that a page must have
DIGITS = 9  # of a share that is compared with a limit: sums of floats depend on their order

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
    cells = distinct(menu * width + web.target[used])
    of_cell, target = cells // width, cells % width
    page = web.target_page[target].astype(np.int64)
    captured = page >= 0
    is_home = np.zeros(len(cells), np.bool_)
    is_home[captured] = positions_of(shown.key, of_cell[captured] * max(web.page_count, 1) + page[captured])[1]
    total = np.bincount(of_cell[captured], minlength=count)
    home = np.bincount(of_cell[is_home], minlength=count)
    home_share = home / np.maximum(total, 1)
    home_page, home_first = page[is_home], np.searchsorted(of_cell[is_home], np.arange(count + 1))
    begin = np.searchsorted(web.page, np.arange(web.page_count + 1))
    size = np.maximum(np.diff(begin)[shown.page] - 1, 1)
    landmark = _commonest(menu, web.landmark[used].astype(np.int64), count, len(LANDMARKS))
    return Features(
        shown=shown,
        pages=pages,
        targets=np.bincount(of_cell, minlength=count),
        captured=total,
        home=home,
        home_share=home_share,
        start=_mean(shown.menu, (shown.first - begin[shown.page]) / size, count),
        end=_mean(shown.menu, (shown.last - begin[shown.page]) / size, count),
        landmark=landmark,
        home_pages={
            number: home_page[home_first[number] : home_first[number + 1]].tolist()
            for number in np.flatnonzero(home).tolist()
        },
    )


def _mean(owner: Ints, values: Floats, count: int) -> Floats:
    return np.bincount(owner, weights=values, minlength=count) / np.maximum(np.bincount(owner, minlength=count), 1)


def _commonest(owner: Ints, value: Ints, count: int, width: int) -> Ints:
    votes = np.bincount(owner * width + value, minlength=count * width).reshape(count, width)
    return votes.argmax(axis=1) if count else np.zeros(0, np.int64)


def measure_likeness(
    web: MenuWeb, strands: Strands, link_menu: Ints, pages: Mapping[int, list[int]], count: int
) -> tuple[Floats, Callable[[], Floats]]:
    """Return for each menu how alike some pages are: in the entries that they show; and, if asked, in their places.

    The mean over the pages given for a menu, of the share of their other repeated entries (places of their links) that
    at least half of them have. 1 where there are fewer than two.
    """
    entry_of = np.full(len(web.page), -1, np.int64)
    entry_of[strands.links] = strands.entry
    chosen = [(menu, _some(its)) for menu, its in pages.items() if len(its) > 1]
    # One row for each page of a menu, and below it one for each of its other links.
    owner = np.repeat([menu for menu, _ in chosen], [len(some) for _, some in chosen]).astype(np.int64)
    page = np.array([one for _, some in chosen for one in some], np.int64)
    begin = np.searchsorted(web.page, np.arange(web.page_count + 1))
    times = begin[page + 1] - begin[page]
    row = np.repeat(np.arange(len(page)), times)
    link = np.arange(len(row)) - np.repeat(np.cumsum(times) - times - begin[page], times)
    entry = entry_of[link]
    other = (entry >= 0) & (link_menu[link] != owner[row])
    row, link, entry = row[other], link[other], entry[other]
    is_chrome = strands.entry_pages[entry] >= CHROME_PAGES
    # Each entry of a page once.
    shown = np.flatnonzero(is_chrome)
    shown = shown[number_within(row[shown], entry[shown])[1]]
    chrome = np.bincount(row[shown], minlength=len(page)) >= CHROME_ENTRIES
    number = np.bincount(owner, minlength=count)
    # Pages without anything that repeats tell nothing about where they belong.
    tells = np.bincount(owner[chrome], minlength=count) >= np.maximum(2, number / 2)

    def places() -> Floats:
        once = number_within(row, web.place[link])[1]
        return np.where(tells, _common_share(owner, row[once], web.place[link[once]], count), 1.0)

    return np.where(tells, _common_share(owner, row[shown], entry[shown], count), 1.0), places


def _some(pages: list[int]) -> list[int]:
    return pages if len(pages) <= SAMPLE else [pages[k * len(pages) // SAMPLE] for k in range(SAMPLE)]


def _common_share(owner: Ints, row: Ints, value: Ints, count: int) -> Floats:
    """Return for each menu the mean over its pages (rows) of the share of values that half of them have.

    Each value of a row comes once.
    """
    which, first = number_keys(mix(owner[row], value))
    half = np.maximum(2, np.bincount(owner, minlength=count) / 2)
    is_common = np.bincount(which, minlength=len(first))[which] >= half[owner[row]]
    size = np.bincount(row, minlength=len(owner))
    share = np.bincount(row[is_common], minlength=len(owner)) / np.maximum(size, 1)
    total = np.bincount(owner[size > 0], minlength=count)
    mean = np.bincount(owner, weights=share, minlength=count) / np.maximum(total, 1)
    return np.where(total > 1, np.round(mean, DIGITS), 1.0)
