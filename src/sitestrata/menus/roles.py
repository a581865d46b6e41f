"""What each menu is for, decided from structure, spread, targets and position.

A list of questions, asked in order; the first that is answered decides, and the answer names the question (``reason``).
Landmarks only add confidence. Words, class names and ids are never looked at, so that a page without any says the same.

=============  =========================================================================================
breadcrumb     each step's own page shows the steps before it (`sitestrata.menus.runs`)
pager          leads to pages whose like leads back and moves along, or a closed series with its own shortcuts
language       its targets are written in different languages, or their addresses differ in a language only
version        its targets are the same page elsewhere: lists with equal labels, each shown by its own targets
organisation   it is at home on its targets, and these share nothing else that repeats
other          its targets do not show it
local          a wider menu at home stands on all of its pages
footer         it stands on the pages of a main menu, behind it and at their end
main           it is the first of the widest menus at home
toc            it stands on one page, and its targets lead back there
=============  =========================================================================================
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sitestrata.menus.assemble import Shown
from sitestrata.menus.features import Features
from sitestrata.menus.web import LANDMARKS, MenuWeb

__all__ = ["ROLES", "Roles", "decide_roles", "find_bars"]

ROLES = ("main", "local", "footer", "language", "version", "pager", "breadcrumb", "toc", "organisation", "other")
AT_HOME = 0.5  # share of the captured targets that show a menu
UNLIKE = 0.2  # likeness below which the targets of a menu share nothing but it
FOOT = 0.6  # place on the page from which on a list may be a footer
SAME_PAGES = 0.8  # share of pages that a footer and a main menu have in common
SAMPLE = 60

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Roles:
    """One row a menu."""

    role: list[str]
    reason: list[str]
    confidence: Floats


def find_bars(features: Features) -> Bools:
    """Tell which menus lead into sites that share nothing else."""
    is_bar: Bools = (features.home >= 3) & (features.home_share >= AT_HOME) & (features.likeness < UNLIKE)
    return is_bar


def decide_roles(web: MenuWeb, features: Features, given: dict[int, tuple[str, str]]) -> Roles:
    """Decide the role of every menu; ``given`` are those that the way they were found decides, with the reason."""
    count = len(features.pages)
    role, reason, sure = [""] * count, [""] * count, np.zeros(count)
    at_home = (features.home_share >= AT_HOME) & (features.captured > 0)
    widest: list[int] = []
    for number in range(count):
        if number in given:
            role[number], reason[number] = given[number]
            sure[number] = 0.9
        elif not at_home[number]:
            role[number], reason[number], sure[number] = "other", "targets-do-not-show-it", 0.9
        elif features.wider[number] >= 0:
            role[number], reason[number], sure[number] = "local", "wider-menu", 0.9
        else:
            widest.append(number)
    _mains_and_footers(web, features, widest, role, reason, sure)
    for number in range(count):
        sure[number] = _with_landmark(role[number], LANDMARKS[features.landmark[number]], float(sure[number]))
    return Roles(role, reason, sure)


def _mains_and_footers(
    web: MenuWeb, features: Features, widest: list[int], role: list[str], reason: list[str], sure: Floats
) -> None:
    """Of the widest menus of the same pages the first is the main menu; those at the end of the page are footers."""
    beside = _beside(web, features.shown, widest)
    for number in widest:
        others = beside[number]
        earlier = [other for other in others if features.start[other] < features.start[number]]
        if not others:
            role[number], reason[number], sure[number] = "main", "widest-alone", 0.9
        elif not earlier:
            role[number], reason[number], sure[number] = "main", "widest-first", 0.9
        elif features.start[number] >= FOOT:
            role[number], reason[number], sure[number] = "footer", "widest-last", 0.85
        else:
            role[number], reason[number], sure[number] = "other", "widest-second", 0.6


def _beside(web: MenuWeb, shown: Shown, menus: list[int]) -> dict[int, list[int]]:
    """Return for each menu those of the others that stand on nearly the same pages."""
    chosen = np.zeros(len(shown.of_menu) - 1, np.bool_)
    chosen[menus] = True
    rows = np.flatnonzero(chosen[shown.menu])
    by_page = rows[np.argsort(shown.page[rows], kind="stable")]
    begin = np.searchsorted(shown.page[by_page], np.arange(web.page_count + 1))
    pages = np.diff(shown.of_menu)
    found: dict[int, list[int]] = {}
    for number in menus:
        some = shown.pages(number)
        if len(some) > SAMPLE:
            some = some[np.linspace(0, len(some) - 1, SAMPLE).astype(np.int64)]
        others = np.concatenate([shown.menu[by_page[begin[row] : begin[row + 1]]] for row in some.tolist()])
        which, times = np.unique(others, return_counts=True)
        near = (times >= SAME_PAGES * len(some)) & (which != number)
        near &= pages[which] >= SAME_PAGES * pages[number]
        found[number] = which[near].tolist()
    return found


# Landmarks an author may have put around a menu of a role; they add confidence and decide nothing.
_FITTING = {
    "main": {"banner", "navigation"},
    "local": {"navigation", "complementary"},
    "footer": {"contentinfo"},
    "breadcrumb": {"navigation"},
    "pager": {"navigation"},
}


def _with_landmark(role: str, landmark: str, sure: float) -> float:
    if not landmark or role not in _FITTING:
        return sure
    return sure + (1 - sure) / 2 if landmark in _FITTING[role] else sure * 0.9
