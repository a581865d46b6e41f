"""What nobody captured may be pages of a site; of a small crawl its main menu is told by them."""

import numpy as np
import pyarrow as pa

from sitestrata.menus import main_menus
from sitestrata.menus.unseen import UnseenPages
from sitestrata.model import Menu, MenuItem, MenuPage, table_from_records

PLACES = {1: frozenset({"http://a/"}), 2: frozenset({"http://b/", "http://c/two/"})}
BUTTONS = {101: "http://a/in", 102: "http://a/join"}
BAR = {number: f"http://a/{number}" for number in range(201, 209)}


def unseen(menus: dict[int, dict[int, str]], shown: list[tuple[int, int]], pages: dict[int, int]) -> UnseenPages:
    """Make it of menus as number -> address by target, where they are shown as (menu, site), and pages by site."""
    items = [
        MenuItem(menu, place, -1, 0, "", target, url, 1, False)
        for menu, targets in menus.items()
        for place, (target, url) in enumerate(targets.items())
    ]
    pairs = pa.table(
        {name: pa.array([pair[place] for pair in shown], pa.int64()) for place, name in enumerate(("menu", "site"))}
    )
    page = np.array(sorted(pages))
    site = np.array([pages[one] for one in page.tolist()])
    return UnseenPages(page, site, PLACES, table_from_records("menu_items", items), pairs)


def test_what_lies_at_the_place_of_a_site_and_is_in_menus_of_no_other_is_likely_its_page() -> None:
    menu = {101: "http://a/in", 7: "http://a/x", 8: "http://elsewhere/", 9: "http://a/bar"}

    found = unseen({1: menu, 2: {9: "http://a/bar"}}, [(1, 1), (2, 2)], {101: 1, 500: 2})

    assert 1 == found.count(1, np.array([7, 8, 9]))
    assert 0 == found.count(2, np.array([7, 8, 9]))
    assert (0.5, 0.0) == (found.share(1), found.share(2))


def test_of_a_shared_host_only_the_folder_of_a_site_counts() -> None:
    found = unseen({1: {7: "http://c/two/x", 8: "http://c/one/x"}}, [(1, 2)], {500: 2})

    assert 1 == found.count(2, np.array([7, 8]))


def test_without_menus_nothing_is_missing() -> None:
    found = unseen({}, [], {500: 2})

    assert (0, 0.0) == (found.count(2, np.array([7])), found.share(2))


def chosen(pages: dict[int, str], bar: dict[int, str], *, home_share: float = 0.0) -> set[int | None]:
    """Return the targets of the main menu: of two buttons that lead to captured pages and show them, or a bar."""
    ids = sorted({100, *pages})
    menus = [
        Menu(1, "main", 1.0, "clique", "", None, len(ids), 2, (), 1.0, 0.0, 0.0, None, "widest"),
        Menu(
            2,
            "other",
            0.9,
            "repeat",
            "",
            None,
            len(ids),
            len(bar),
            (),
            home_share,
            0.0,
            0.2,
            None,
            "targets-do-not-show-it",
        ),
    ]
    items = [
        MenuItem(menu, place, -1, 0, str(target), target, url, len(ids), False)
        for menu, targets in ((1, BUTTONS), (2, bar))
        for place, (target, url) in enumerate(targets.items())
    ]
    shown = [MenuPage(page, menu, menu, (menu,), (), None) for page in ids for menu in (1, 2)]
    made = {"menus": menus, "menu_items": items, "menu_pages": shown}
    tables = {name: table_from_records(name, rows) for name, rows in made.items()}
    found = main_menus(np.array(ids), np.ones(len(ids), np.int64), {1: 100}, **tables, fronts={}, places=PLACES)
    return {item.target for item in found}


def test_a_bar_that_was_not_captured_beats_the_buttons_that_were() -> None:
    assert set(BAR) == chosen(BUTTONS, BAR)


def test_links_to_elsewhere_that_were_not_captured_do_not() -> None:
    assert set(BUTTONS) == chosen(BUTTONS, {number: f"http://friends/{number}" for number in BAR})


def test_a_few_missing_pages_do_not() -> None:
    assert set(BUTTONS) == chosen(BUTTONS, dict(list(BAR.items())[:4]))


def test_too_few_targets_of_a_bar_that_show_it_do_not_speak_against_it() -> None:
    """The buttons stand in the bar, too."""
    assert {*BUTTONS, *BAR} == chosen(BUTTONS, {**BAR, **BUTTONS}, home_share=1.0)
