"""Which menu of a site people would call its main menu."""

import numpy as np

from sitestrata.menus import main_menus
from sitestrata.model import Menu, MenuItem, MenuPage, table_from_records

PAGES = list(range(100, 110))


def chosen(
    menus: dict[int, tuple[str, float, list[int], list[int]]],
    *,
    entry: dict[int, int] | None = None,
    kind: str = "clique",
) -> dict[int, int]:
    """Choose among menus given as number -> (role, position, targets, pages that show it); one site, number 1."""
    tables = {
        "menus": [
            Menu(number, role, 1.0, kind, "", None, len(pages), len(targets), (), 1.0, 0.0, position, None, "")
            for number, (role, position, targets, pages) in menus.items()
        ],
        "menu_items": [
            MenuItem(number, place, -1, 0, "", target, None, 1, False)
            for number, (_, _, targets, _) in menus.items()
            for place, target in enumerate(targets)
        ],
        "menu_pages": [
            MenuPage(page, number, page, (), (), None) for number, (_, _, _, pages) in menus.items() for page in pages
        ],
    }
    made = {name: table_from_records(name, rows) for name, rows in tables.items()}
    return main_menus(np.array(PAGES), np.ones(len(PAGES), np.int64), entry or {}, **made)


def test_widespread_menu_of_own_pages_beats_a_footer_of_as_many() -> None:
    assert {1: 1} == chosen({1: ("main", 0.1, PAGES[:5], PAGES), 2: ("footer", 0.9, PAGES[5:], PAGES)})


def test_menu_that_leads_elsewhere_is_no_main_menu() -> None:
    assert {1: 1} == chosen({1: ("main", 0.3, PAGES[:4], PAGES), 2: ("other", 0.0, [1, 2, 3, 4, 5], PAGES)})
    assert {} == chosen({2: ("other", 0.0, [1, 2, 3, 4, 5], PAGES)})


def test_menu_of_the_entry_page_wins_over_one_of_a_part() -> None:
    menus = {1: ("main", 0.0, PAGES[:4], PAGES[:4]), 2: ("main", 0.0, PAGES[4:], PAGES[4:])}

    assert {1: 2} == chosen(menus)
    assert {1: 1} == chosen(menus, entry={1: PAGES[0]})


def test_contents_list_counts_on_the_entry_page_only() -> None:
    menus = {1: ("toc", 0.0, PAGES[1:], PAGES[:1])}

    assert {1: 1} == chosen(menus, entry={1: PAGES[0]}, kind="single")
    assert {} == chosen(menus, entry={1: PAGES[3]}, kind="single")


def test_menus_do_not_depend_on_the_order_of_rows() -> None:
    menus = {1: ("main", 0.0, PAGES[:4], PAGES[:5]), 2: ("main", 0.0, PAGES[:4], PAGES[:5])}

    assert chosen(menus) == chosen(dict(reversed(menus.items())))
