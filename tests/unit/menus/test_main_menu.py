"""Which menu of a site people would call its main menu."""

from dataclasses import replace

import numpy as np

from sitestrata.menus import main_menus
from sitestrata.menus.front_page import FrontLink, FrontPage
from sitestrata.model import Menu, MenuItem, MenuPage, table_from_records

PAGES = list(range(100, 110))


def chosen(
    menus: dict[int, tuple[str, float, list[int], list[int]]],
    *,
    entry: dict[int, int] | None = None,
    front: FrontPage | None = None,
) -> dict[int, list[tuple[int | None, int | None]]]:
    """Choose among menus given as number -> (role, position, targets, pages that show it); one site, number 1.

    Returns the menu and the target of each item, by site.
    """
    tables = {
        "menus": [
            Menu(number, role, 1.0, "clique", "", None, len(pages), len(targets), (), 1.0, 0.0, position, None, "")
            for number, (role, position, targets, pages) in menus.items()
        ],
        "menu_items": [
            MenuItem(number, place, -1, 0, str(target), target, None, 1, False)
            for number, (_, _, targets, _) in menus.items()
            for place, target in enumerate(targets)
        ],
        "menu_pages": [
            MenuPage(page, number, page, (number,), (), None)
            for number, (_, _, _, pages) in menus.items()
            for page in pages
        ],
    }
    made = {name: table_from_records(name, rows) for name, rows in tables.items()}
    found = main_menus(
        np.array(PAGES),
        np.ones(len(PAGES), np.int64),
        entry or {},
        **made,
        fronts={entry[1]: front} if entry and front else {},
    )
    items: dict[int, list[tuple[int | None, int | None]]] = {}
    for place, item in enumerate(found):
        assert place == item.ordinal  # one site
        items.setdefault(item.site, []).append((item.menu, item.target))
    return items


def menu_of(items: dict[int, list[tuple[int | None, int | None]]]) -> dict[int, int | None]:
    """Return the menu that a site's items come from."""
    return {site: some[0][0] for site, some in items.items()}


def front_page(*segments: list[int]) -> FrontPage:
    """Make an entry page of lists side by side, numbered from 1, each given by its targets."""
    links = tuple(
        FrontLink(100 * number + place, number, target, f"http://h/{target}", str(target))
        for number, targets in enumerate(segments, 1)
        for place, target in enumerate(targets)
    )
    return FrontPage(links, {0: (-1, 0), **{number: (0, 100 * number) for number in range(1, len(segments) + 1)}})


def test_widespread_menu_of_own_pages_beats_a_footer_of_as_many() -> None:
    assert {1: 1} == menu_of(chosen({1: ("main", 0.1, PAGES[:5], PAGES), 2: ("footer", 0.9, PAGES[5:], PAGES)}))


def test_menu_that_leads_elsewhere_is_no_main_menu() -> None:
    assert {1: 1} == menu_of(chosen({1: ("main", 0.3, PAGES[:4], PAGES), 2: ("other", 0.0, [1, 2, 3, 4, 5], PAGES)}))
    assert {} == menu_of(chosen({2: ("other", 0.0, [1, 2, 3, 4, 5], PAGES)}))


def test_menu_of_the_entry_page_wins_over_one_of_a_part() -> None:
    menus = {1: ("main", 0.0, PAGES[:4], PAGES[:4]), 2: ("main", 0.0, PAGES[4:], PAGES[4:])}

    assert {1: 2} == menu_of(chosen(menus))
    assert {1: 1} == menu_of(chosen(menus, entry={1: PAGES[0]}))


def test_site_without_a_common_menu_has_the_contents_of_its_entry_page() -> None:
    chapters = [(None, page) for page in PAGES[1:5]]
    front = front_page(PAGES[1:5])

    assert {1: chapters} == chosen({}, entry={1: PAGES[0]}, front=front)
    assert {1: chapters} == chosen({1: ("main", 0.0, PAGES[5:8], PAGES[5:8])}, entry={1: PAGES[0]}, front=front)


def test_common_menu_beats_the_contents_of_the_entry_page() -> None:
    menus = {1: ("main", 0.0, PAGES[5:8], PAGES)}

    assert {1: 1} == menu_of(chosen(menus, entry={1: PAGES[0]}, front=front_page(PAGES[1:])))


def test_contents_of_nearly_every_page_beat_a_bar_that_leads_to_few() -> None:
    """A manual with a bar for its index; a front page that lists some of the pages is news."""
    menus: dict[int, tuple[str, float, list[int], list[int]]] = {1: ("main", 0.0, PAGES[8:], PAGES)}
    front = front_page(PAGES[8:], PAGES[1:])

    assert set(PAGES[1:]) == {target for _, target in chosen(menus, entry={1: PAGES[0]}, front=front)[1]}
    assert {1: 1} == menu_of(chosen(menus, entry={1: PAGES[0]}, front=front_page(PAGES[8:], PAGES[1:7])))
    # A list of everything that other pages have too is a menu itself.
    menus[2] = ("other", 0.1, PAGES, PAGES[:3])
    assert {1: 1} == menu_of(chosen(menus, entry={1: PAGES[0]}, front=front))


def test_contents_leave_out_pages_that_are_known_to_be_of_other_sites() -> None:
    found = main_menus(
        np.array([1, 2, 3, 4, 5]),
        np.array([1, 1, 1, 1, 2]),
        {1: 1},
        **{name: table_from_records(name, []) for name in ("menus", "menu_items", "menu_pages")},
        fronts={1: front_page([2, 5, 3, 4, 77])},
    )

    assert [2, 3, 4, 77] == [item.target for item in found]


def test_boxes_of_one_column_are_one_menu() -> None:
    menus = {1: ("main", 0.0, PAGES[5:8], PAGES), 2: ("other", 0.1, [1, 2, 3], PAGES), 3: ("other", 0.2, [4, 5], PAGES)}
    front = front_page(PAGES[5:8], [1, 2, 3], [4, 5])
    own = [(1, page) for page in PAGES[5:8]]

    assert {1: own} == chosen(menus, entry={1: PAGES[0]}, front=front)
    column = dict.fromkeys((1, 2, 3), frozenset([1, 2, 3]))
    with_column = chosen(menus, entry={1: PAGES[0]}, front=replace(front, columns=column))
    assert {1: [*own, (1, 1), (1, 2), (1, 3)]} == with_column


def test_main_menu_of_every_page_may_stand_behind_the_text_but_not_at_the_foot() -> None:
    late: dict[int, tuple[str, float, list[int], list[int]]] = {1: ("main", 0.7, PAGES[5:7], PAGES)}
    more: dict[int, tuple[str, float, list[int], list[int]]] = {1: ("main", 0.7, PAGES[5:8], PAGES)}
    foot = ("footer", 0.9, PAGES[8:], PAGES)
    front = front_page(PAGES[1:])

    assert {1: 1} == menu_of(chosen({**more, 2: foot}, entry={1: PAGES[0]}, front=front))
    assert {1: 1} == menu_of(chosen(more, entry={1: PAGES[0]}, front=front))
    assert {1: [(None, page) for page in PAGES[1:]]} == chosen(late, entry={1: PAGES[0]}, front=front)


def test_contents_beat_an_early_menu_that_the_entry_page_does_not_have() -> None:
    menus: dict[int, tuple[str, float, list[int], list[int]]] = {1: ("main", 0.1, PAGES[5:8], PAGES[4:])}
    front = front_page(PAGES[1:])

    assert {1: [(None, page) for page in PAGES[1:]]} == chosen(menus, entry={1: PAGES[0]}, front=front)
    assert {1: 1} == menu_of(chosen({1: ("main", 0.1, PAGES[5:8], PAGES[1:])}, entry={1: PAGES[0]}, front=front))


def test_a_tree_of_one_section_is_compared_with_all_levels_of_the_contents() -> None:
    front = front_page([101, 106, 107])
    deep = FrontPage(
        (*front.links, *(FrontLink(500 + page, 2, page, f"http://h/{page}", str(page)) for page in range(102, 106))),
        {**front.segments, 2: (1, 150)},
    )
    some = {1: ("local", 0.1, [102, 103, 104, 105], PAGES[2:8])}

    assert {1: None} == menu_of(chosen(some, entry={1: 100}, front=deep))
    assert {1: 1} == menu_of(chosen(some, entry={1: 100}, front=front))


def test_drop_downs_apart_from_their_bar_are_items_too() -> None:
    menus: dict[int, tuple[str, float, list[int], list[int]]] = {
        1: ("main", 0.0, PAGES[1:4], PAGES),
        2: ("other", 0.1, PAGES[4:6], PAGES),
        3: ("other", 0.2, PAGES[6:9], PAGES),
    }
    page = front_page(PAGES[1:4], PAGES[4:6], PAGES[6:9])
    items = chosen(menus, entry={1: PAGES[0]}, front=page)
    text = replace(page, links=(*page.links[:5], replace(page.links[5], gap=300), *page.links[6:]))

    assert {(1, page) for page in PAGES[1:9]} == set(items[1])
    assert {(1, page) for page in PAGES[1:4]} == set(chosen(menus, entry={1: PAGES[0]}, front=text)[1])


def test_entry_page_adds_what_stands_among_the_items() -> None:
    menus = {1: ("main", 0.0, PAGES[5:8], PAGES)}
    front = front_page([PAGES[5], 77, PAGES[6], PAGES[7]], [1, 2, 3])

    assert {1: [(1, PAGES[5]), (1, 77), (1, PAGES[6]), (1, PAGES[7])]} == chosen(
        menus, entry={1: PAGES[0]}, front=front
    )


def test_few_items_in_a_paragraph_bring_nothing_else_along() -> None:
    menus = {1: ("main", 0.0, PAGES[5:8], PAGES)}
    front = front_page([PAGES[5], *range(1, 9)])

    assert {1: [(1, page) for page in PAGES[5:8]]} == chosen(menus, entry={1: PAGES[0]}, front=front)


def test_tiny_site_lists_what_nobody_else_links() -> None:
    """Only its entry page is captured, and of the pages it lists none."""
    links = front_page([1, 2, 3], [50, 60, 70, 80]).links
    rare = {1: frozenset([9]), 2: frozenset([9]), 3: frozenset([9]), 50: frozenset([9, 100])}
    found = main_menus(
        np.array([9, 100, 60, 70, 80]),
        np.array([1, 2, 2, 2, 2]),
        {1: 9},
        **{name: table_from_records(name, []) for name in ("menus", "menu_items", "menu_pages")},
        fronts={9: FrontPage(links, front_page([], []).segments, rare)},
    )

    assert [1, 2, 3] == [item.target for item in found]


def test_menus_do_not_depend_on_the_order_of_rows() -> None:
    menus = {1: ("main", 0.0, PAGES[:4], PAGES[:5]), 2: ("main", 0.0, PAGES[:4], PAGES[:5])}

    assert chosen(menus) == chosen(dict(reversed(menus.items())))


def test_words_above_all_items_are_no_item() -> None:
    menus = [Menu(1, "main", 1.0, "clique", "", None, len(PAGES), 4, (), 1.0, 0.0, 0.1, None, "")]
    pages = [MenuPage(page, 1, page, (1,), (), None) for page in PAGES]

    def labels(*items: tuple[str, int, int | None]) -> list[tuple[str, int]]:
        rows = [
            MenuItem(
                1, place, -1, level, label, target, f"http://h/{target}" if target else None, 9 if target else 0, False
            )
            for place, (label, level, target) in enumerate(items)
        ]
        found = main_menus(
            np.array(PAGES),
            np.ones(len(PAGES), np.int64),
            {},
            menus=table_from_records("menus", menus),
            menu_items=table_from_records("menu_items", rows),
            menu_pages=table_from_records("menu_pages", pages),
            fronts={},
        )
        return [(item.label, item.level) for item in found]

    assert [("A", 0), ("B", 0), ("C", 0)] == labels(("Skip", 0, None), ("A", 1, 100), ("B", 1, 101), ("C", 1, 102))
    two = (("One", 0, None), ("A", 1, 100), ("B", 1, 101), ("Two", 0, None), ("C", 1, 102))
    assert [(label, level) for label, level, _ in two] == labels(*two)
