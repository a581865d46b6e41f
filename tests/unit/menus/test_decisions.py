"""A person's word on the role of a menu counts."""

import pyarrow as pa

from sitestrata.menus.decisions import apply_menu_decisions, decided_menus
from sitestrata.model import Decision, Menu, MenuItem, table_from_records

HEADER, FOOTER = "body/nav/ul", "body/footer/p"


def menus(*, places: tuple[str, str] = (HEADER, FOOTER)) -> pa.Table:
    return table_from_records(
        "menus",
        [
            Menu(number, "footer", 0.5, "repeat", place, None, 3, 3, (), 1.0, 0.0, 0.9, None, "position")
            for number, place in zip((-7, 12), places, strict=True)
        ],
    )


def items(first: str = "abc", second: str = "xyz") -> pa.Table:
    return table_from_records(
        "menu_items",
        [
            MenuItem(menu, place, -1, 0, name.upper(), place, address(name), 3, False)
            for menu, names in ((-7, first), (12, second))
            for place, name in enumerate(names)
        ],
    )


def address(name: str) -> str:
    return f"https://a.example/{name}"


def decision(names: str, role: str = "main", *, place: str = HEADER, menu: str = "99") -> Decision:
    return Decision("menu-role", menu, role, place, tuple(address(name) for name in names))


def roles(decisions: list[Decision], first: str = "abc", second: str = "xyz") -> list[str]:
    made: list[str] = apply_menu_decisions(menus(), items(first, second), decisions).column("role").to_pylist()
    return made


def test_a_decided_role_is_certain_and_says_so() -> None:
    made = apply_menu_decisions(menus(), items(), [Decision("menu-role", "-7", "main")])

    assert [("main", 1.0, "decision"), ("footer", 0.5, "position")] == [
        (row["role"], row["confidence"], row["reason"]) for row in made.to_pylist()
    ]
    assert menus().schema == made.schema


def test_the_last_word_counts_and_menus_that_are_gone_do_not() -> None:
    decisions = [Decision("menu-role", "12", role) for role in ("main", "toc")]

    assert ["footer", "toc"] == roles([*decisions, Decision("menu-role", "99", "main")])


def test_without_decisions_nothing_changes() -> None:
    assert menus().equals(apply_menu_decisions(menus(), items(), []))


def test_a_menu_that_gained_or_lost_an_item_keeps_its_decided_role() -> None:
    assert ["main", "footer"] == roles([decision("abc")], "abcd")
    assert ["main", "footer"] == roles([decision("abc")], "ab")


def test_a_menu_with_mostly_other_targets_is_another_one() -> None:
    assert ["footer", "footer"] == roles([decision("abc")], "adefg")
    assert {} == decided_menus(menus(), items("adefg"), [decision("abc")])


def test_of_two_lists_of_the_same_pages_the_one_at_the_place_is_meant() -> None:
    assert ["main", "footer"] == roles([decision("abc")], "abcd", "abc")
    assert ["footer", "main"] == roles([decision("abc", place=FOOTER)], "abc", "abcd")


def test_a_decision_on_the_menu_itself_counts_more_than_one_on_its_forerunner() -> None:
    later = decision("abcd", "toc", menu="-7")

    assert ["toc", "footer"] == roles([decision("abc"), later], "abcd", "abc")
    assert ["toc", "footer"] == roles([later, decision("abc")], "abcd", "abc")
