"""A person's word on the role of a menu counts."""

import pyarrow as pa

from sitestrata.menus.decisions import apply_menu_decisions
from sitestrata.model import Decision, Menu, table_from_records


def menus() -> pa.Table:
    return table_from_records(
        "menus",
        [
            Menu(number, "footer", 0.5, "repeat", "a/b", None, 3, 3, (), 1.0, 0.0, 0.9, None, "position")
            for number in (-7, 12)
        ],
    )


def test_a_decided_role_is_certain_and_says_so() -> None:
    made = apply_menu_decisions(menus(), [Decision("menu-role", "-7", "main")])

    assert [("main", 1.0, "decision"), ("footer", 0.5, "position")] == [
        (row["role"], row["confidence"], row["reason"]) for row in made.to_pylist()
    ]
    assert menus().schema == made.schema


def test_the_last_word_counts_and_menus_that_are_gone_do_not() -> None:
    decisions = [Decision("menu-role", "12", role) for role in ("main", "toc")]

    made = apply_menu_decisions(menus(), [*decisions, Decision("menu-role", "99", "main")])

    assert ["footer", "toc"] == made.column("role").to_pylist()


def test_without_decisions_nothing_changes() -> None:
    assert menus().equals(apply_menu_decisions(menus(), []))
