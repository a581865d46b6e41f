"""The main menu of a site of which one or two pages were captured."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from sitestrata.menus import main_menus
from sitestrata.menus.front_page import FrontLink, FrontPage
from sitestrata.menus.lone_page import menu_of_lone_page
from sitestrata.model import table_from_records

OWN = frozenset([1])
PLACES = frozenset(["http://h.example/"])

List = tuple[str, int, Sequence[str]]  # path, which list it stands in (-1: none), labels


def front_page(*lists: List, gaps: dict[int, int] | None = None, away: frozenset[int] = frozenset()) -> FrontPage:
    """Make an entry page of lists in document order; the links of list n lead to 100 (n + 1) and what follows.

    Args:
        lists: the lists.
        gaps: how much text stands before each link of a list, where there is any.
        away: lists that lead to another site.
    """
    segments: dict[int, tuple[int, int]] = {}
    links: list[FrontLink] = []
    for number, (_, parent, labels) in enumerate(lists):
        segments[number] = (parent, 1000 * number)
        site = "other.example" if number in away else "h.example"
        for place, label in enumerate(labels):
            target = 100 * (number + 1) + place
            gap = (gaps or {}).get(number, 0)
            url = f"http://{site}/{target}"
            links.append(FrontLink(1000 * number + place + 1, number, target, url, label, gap))
    return FrontPage(tuple(links), segments, paths={number: path for number, (path, _, _) in enumerate(lists)})


def menu_of(front: FrontPage, own: frozenset[int] = OWN) -> list[int]:
    return [link.target for link in menu_of_lone_page(front, own, PLACES)]


BAR: List = ("body/nav", -1, ["Home", "Goods", "Help"])
NEWS: List = ("body/div#news", -1, [f"Something happened that takes long to tell, {day}" for day in "abcdefgh"])
FOOT: List = ("body/footer", -1, ["Terms", "Privacy", "About", "Jobs"])


def test_list_before_the_text_beats_news_and_the_foot() -> None:
    assert [100, 101, 102] == menu_of(front_page(BAR, NEWS, FOOT, gaps={1: 200}))


def test_what_leads_elsewhere_or_is_numbers_of_pages_is_no_menu() -> None:
    numbers: List = ("body/p", -1, ["1", "2", "3", "»"])
    icons: List = ("body/ul", -1, ["Pictures", "Films", "Letters"])

    assert [300, 301, 302] == menu_of(front_page(icons, numbers, BAR, away=frozenset([0])))
    assert [] == menu_of(front_page(icons, numbers, away=frozenset([0])))


def test_what_drops_down_from_a_list_is_in_its_menu() -> None:
    panel: List = ("body/nav/li/ul", 0, ["Hats", "Shoes", "Gloves", "Socks"])
    found = menu_of(front_page(BAR, panel, NEWS, gaps={2: 200}))

    assert [100, 101, 102, 200, 201, 202, 203] == sorted(found)


def test_bar_whose_entries_lead_nowhere_is_all_its_drop_downs() -> None:
    bar: List = ("body/div", -1, [])
    boxes: list[List] = [("body/div/ul", 0, ["Hats", "Shoes", "Gloves"]), ("body/div/ul", 0, ["Songs", "Plays"])]

    assert [200, 201, 202, 300, 301] == menu_of(front_page(bar, *boxes, NEWS, gaps={3: 200}))
    # With much text between them they are lists of their own.
    assert [200, 201, 202] == menu_of(front_page(bar, *boxes, NEWS, gaps={2: 90, 3: 200}))


def test_list_that_both_pages_have_beats_one_of_one_page() -> None:
    tags: List = ("body/p", -1, ["hat", "shoe", "glove", "sock"])
    front = front_page(tags, BAR, NEWS, gaps={2: 200})

    assert [100, 101, 102, 103] == menu_of(front)
    only_here = {target: frozenset([1]) for target in (100, 101, 102, 103)}
    assert [200, 201, 202] == menu_of(replace(front, rare=only_here), own=frozenset([1, 2]))


def test_site_of_one_or_two_pages_has_such_a_list_for_its_main_menu() -> None:
    def chosen(pages: int) -> list[int | None]:
        page = np.arange(1, pages + 1)
        found = main_menus(
            page,
            np.ones(pages, np.int64),
            {1: 1},
            **{name: table_from_records(name, []) for name in ("menus", "menu_items", "menu_pages")},
            fronts={1: front_page(BAR, NEWS, gaps={1: 200})},
            places={1: PLACES},
        )
        return [item.target for item in found]

    assert [100, 101, 102] == chosen(1) == chosen(2)
    assert [] == chosen(3)
