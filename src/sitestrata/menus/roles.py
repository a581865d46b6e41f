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

from collections import Counter
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sitestrata.graph.numbering import distinct
from sitestrata.menus.features import Features
from sitestrata.menus.web import LANDMARKS, MenuWeb

__all__ = ["ROLES", "Roles", "decide_roles", "find_bars_and_switches", "find_doubtful_bars", "is_at_home"]

ROLES = ("main", "local", "footer", "language", "version", "pager", "breadcrumb", "toc", "organisation", "other")
AT_HOME = 0.4  # share of the captured targets that show a menu
MIN_HOME = 2  # and how many
HOME_TARGETS = 0.25  # share of all targets, captured or not ...
MANY_HOME = 5  # ... or that many
UNLIKE = 0.12  # likeness below which the targets of a menu share nothing but it
SAME_TEMPLATE = 0.6  # likeness of the places of links from which on two pages have one template
VERY_TEMPLATE = 0.8  # the same for more than two, which may be sites that look alike
MAX_LANGUAGES = 60  # of a switch
FOOT = 0.6  # place on the page from which on a list may be a footer
MOST = 0.8  # share of pages
MANY = 0.5  # likewise
SHARED = 0.5  # share of a footer's targets that have their earlier menu in common
WIDER = 1.25  # times as many pages
INSIDE = 0.9  # share of a menu's pages on which a wider one stands
SAME_PAGES = 0.8  # share of pages that menus of the same pages have in common
SAMPLE = 60  # pages of a menu that are looked at
MANY_TARGETS = 8  # at home, from which on more do not speak for a main menu

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Roles:
    """One row a menu."""

    role: list[str]
    reason: list[str]
    confidence: Floats
    wider: Ints  # the menu that a local one is local to; -1 = none


def is_at_home(features: Features) -> Bools:
    """Tell which menus their own targets show."""
    at_home: Bools = (
        (features.home >= MIN_HOME)
        & (features.home_share >= AT_HOME)
        & ((features.home >= HOME_TARGETS * features.targets) | (features.home >= MANY_HOME))
    )
    return at_home


def find_doubtful_bars(features: Features, likeness: Floats) -> list[int]:
    """Return the menus of more than two targets, two of them captured, that share nothing else: too few to tell."""
    is_pair = is_at_home(features) & (features.home == MIN_HOME) & (features.targets > MIN_HOME)
    found: list[int] = np.flatnonzero(is_pair & (likeness < UNLIKE)).tolist()
    return found


def find_bars_and_switches(
    web: MenuWeb, link_menu: Ints, features: Features, likeness: tuple[Floats, Floats], around: Floats
) -> dict[int, tuple[str, str]]:
    """Return the roles of menus that lead into sites or editions that share nothing else, with the reason.

    ``around`` says how alike the pages of doubtful bars are: those of a bar belong to several sites.
    """
    found: dict[int, tuple[str, str]] = {}
    entries, places = likeness
    at_home = is_at_home(features)
    for number, spoken in _languages(web, link_menu, features).items():
        if None not in spoken and len(set(spoken)) == len(spoken):
            found[number] = ("language", "targets-in-different-languages")
    for number in np.flatnonzero(at_home & (entries < UNLIKE)).tolist():
        if number in found:
            continue
        is_pair = features.home[number] == MIN_HOME
        if places[number] >= (SAME_TEMPLATE if is_pair else VERY_TEMPLATE):
            found[number] = ("language", "targets-share-only-the-template")
        elif features.home[number] > MIN_HOME or around[number] < UNLIKE:
            found[number] = ("organisation", "targets-share-nothing-else")
    return found


def _languages(web: MenuWeb, link_menu: Ints, features: Features) -> dict[int, list[str | None]]:
    """Return the languages of the captured targets of each menu that has two or more."""
    used = np.flatnonzero(link_menu >= 0)
    width = max(len(web.target_id), 1)
    cells = distinct(link_menu[used] * width + web.target[used])
    first = np.searchsorted(cells // width, np.arange(len(features.pages) + 1))
    chosen = np.flatnonzero((features.captured >= MIN_HOME) & (features.targets <= MAX_LANGUAGES)).tolist()
    targets = {number: web.target_page[cells[first[number] : first[number + 1]] % width].tolist() for number in chosen}
    return {number: [web.language[page] for page in pages if page >= 0] for number, pages in targets.items()}


def decide_roles(web: MenuWeb, features: Features, given: dict[int, tuple[str, str]]) -> Roles:
    """Decide the role of every menu; ``given`` are those that the way they were found decides, with the reason."""
    count = len(features.pages)
    role, reason, sure = [""] * count, [""] * count, np.zeros(count)
    open_menus = is_at_home(features)
    open_menus[list(given)] = False
    for number in range(count):
        if number in given:
            role[number], reason[number], sure[number] = *given[number], 0.9
        elif not open_menus[number]:
            role[number], reason[number], sure[number] = "other", "targets-do-not-show-it", 0.9
    order = _Order(web, features, open_menus)
    for number in np.flatnonzero(open_menus).tolist():
        is_inside = any(features.start[other] < FOOT for other in order.wider(number))
        if not is_inside and _is_footer(order, features, number):
            role[number], reason[number], sure[number] = "footer", "last-behind-others", 0.9
            open_menus[number] = False
    order = _Order(web, features, open_menus)
    wider = np.full(count, -1, np.int64)
    for number in np.flatnonzero(open_menus).tolist():
        wider[number] = next(iter(order.wider(number)), -1)
    for number in np.flatnonzero(open_menus).tolist():
        beside = [other for other in order.beside(number) if wider[other] < 0]
        if wider[number] >= 0:
            role[number], reason[number], sure[number] = "local", "wider-menu", 0.9
        elif not beside:
            role[number], reason[number], sure[number] = "main", "widest", 0.9
        elif _rank(features, number) > max(_rank(features, other) for other in beside):
            role[number], reason[number], sure[number] = "main", "widest-and-first", 0.85
        elif features.start[number] >= FOOT:
            role[number], reason[number], sure[number] = "footer", "widest-and-last", 0.8
        else:
            role[number], reason[number], sure[number] = "other", "widest-and-second", 0.5
    for number in range(count):
        sure[number] = _with_landmark(role[number], LANDMARKS[features.landmark[number]], float(sure[number]))
    return Roles(role, reason, sure, wider)


def _rank(features: Features, number: int) -> tuple[float, int]:
    """Return what makes one of the widest menus the main one: it comes early and leads to many pages of the site."""
    many = min(int(features.home[number]), MANY_TARGETS) / MANY_TARGETS
    return many / 8 - float(features.start[number]), -number


def _is_footer(order: "_Order", features: Features, number: int) -> bool:
    """Tell whether a menu stands at the end of its pages, behind other menus that its targets have in common.

    A main menu behind the text has its sections' local menus before it, but these differ from target to target.
    """
    if features.start[number] < FOOT:
        return False
    pages = order.pages(number)
    lists = [order.on_page(page) for page in pages]
    behind = [menus[: menus.index(number)] for menus in lists]
    after = [menus[menus.index(number) + 1 :] for menus in lists]
    if sum(bool(menus) for menus in behind) < MANY * len(pages):
        return False
    if sum(all(features.start[other] >= FOOT for other in menus) for menus in after) < MOST * len(pages):
        return False
    targets = [order.on_page(page) for page in order.home_targets(number)]
    before = [
        [other for other in menus[: menus.index(number)] if features.start[other] < features.start[number]]
        for menus in targets
        if number in menus
    ]
    common = max(Counter(other for menus in before for other in menus).values(), default=0)
    has_sections = sum(bool(menus) for menus in before) >= SHARED * len(targets)
    return not has_sections or common >= SHARED * len(targets)


class _Order:
    """The chosen menus of each page in document order, and which menus stand on which other menus' pages."""

    def __init__(self, web: MenuWeb, features: Features, chosen: Bools) -> None:
        shown = features.shown
        rows = np.flatnonzero(chosen[shown.menu])
        self._rows = rows[np.lexsort((shown.first[rows], shown.page[rows]))]
        self._begin = np.searchsorted(shown.page[self._rows], np.arange(web.page_count + 1))
        self._shown = shown
        self._count = features.pages
        self._home = features.home_pages

    def pages(self, number: int) -> list[int]:
        """Return (some of) the pages that show a menu."""
        pages = self._shown.pages(number)
        if len(pages) > SAMPLE:
            pages = pages[np.linspace(0, len(pages) - 1, SAMPLE).astype(np.int64)]
        listed: list[int] = pages.tolist()
        return listed

    def home_targets(self, number: int) -> list[int]:
        """Return the targets of a menu that show it."""
        return self._home.get(number, [])

    def on_page(self, page: int) -> list[int]:
        """Return the menus of a page, in document order."""
        menus: list[int] = self._shown.menu[self._rows[self._begin[page] : self._begin[page + 1]]].tolist()
        return menus

    def _with(self, number: int) -> tuple[Counter[int], int]:
        pages = self.pages(number)
        return Counter(other for page in pages for other in self.on_page(page) if other != number), len(pages)

    def wider(self, number: int) -> list[int]:
        """Return the menus that stand on nearly all pages of a menu and on more, the most widespread first."""
        others, total = self._with(number)
        fits = [
            other
            for other, times in others.items()
            if times >= INSIDE * total and self._count[other] >= WIDER * self._count[number]
        ]
        return sorted(fits, key=lambda other: (-int(self._count[other]), other))

    def beside(self, number: int) -> list[int]:
        """Return the menus that stand on nearly the same pages."""
        others, total = self._with(number)
        return sorted(
            other
            for other, times in others.items()
            if times >= SAME_PAGES * total and self._count[other] >= SAME_PAGES * self._count[number]
        )


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
