"""Menus as found -> the same with the roles that a person gave some of them.

The id of a menu is made of its targets and its place, so it changes when the menu does. A decision therefore also
carries the targets and the place that the menu had: if no menu has the id any more, the decision holds for the menu
that shares most of them.
"""

from collections.abc import Sequence

import pyarrow as pa
import pyarrow.compute as pc

from sitestrata.model import Decision

__all__ = ["MAX_TARGETS", "apply_menu_decisions", "decided_menus"]

REASON = "decision"
MIN_OVERLAP = 0.5  # shared targets over all of both: with less it is another menu rather than the same one changed
MAX_TARGETS = 500  # of a menu, in its order; more say nothing new about which it is


def apply_menu_decisions(menus: pa.Table, items: pa.Table, decisions: Sequence[Decision]) -> pa.Table:
    """Return the table ``menus`` with decided roles; a decision on a menu that is not there any more has no effect."""
    decided = decided_menus(menus, items, decisions)
    # The last word counts, but what names a menu by its id counts more than what spoke of one like it.
    words = sorted(decided.items(), key=lambda pair: pair[0].subject == str(pair[1]))
    roles = {menu: decision.object for decision, menu in words}
    if not roles:
        return menus
    given = [roles.get(menu) for menu in menus.column("menu").to_pylist()]
    columns: dict[str, list[object]] = {"role": [*given], "confidence": [1.0 if role else None for role in given]}
    columns["reason"] = [REASON if role else None for role in given]
    for name, values in columns.items():
        field = menus.schema.field(name)
        old = menus.column(name).to_pylist()
        new = [before if value is None else value for before, value in zip(old, values, strict=True)]
        menus = menus.set_column(menus.schema.get_field_index(name), field, pa.array(new, field.type))
    return menus


def decided_menus(menus: pa.Table, items: pa.Table, decisions: Sequence[Decision]) -> dict[Decision, int]:
    """Return the menu that each decision on a role concerns now; decisions without one are left out.

    Args:
        menus: the table of that name
        items: the table ``menu_items``
        decisions: in the order they were made
    """
    known = {str(menu): menu for menu in menus.column("menu").to_pylist()}
    wanted = [decision for decision in decisions if decision.kind == "menu-role"]
    found = {decision: known[decision.subject] for decision in wanted if decision.subject in known}
    lost = [decision for decision in wanted if decision not in found and decision.targets]
    if lost:
        place_of = dict(zip(menus.column("menu").to_pylist(), menus.column("signature").to_pylist(), strict=True))
        targets_of = _targets(items)
        found |= {
            decision: menu for decision in lost if (menu := _successor(decision, targets_of, place_of)) is not None
        }
    return {decision: found[decision] for decision in wanted if decision in found}


def _targets(items: pa.Table) -> dict[int, frozenset[str]]:
    some = items.filter(pc.and_(pc.less(items["ordinal"], MAX_TARGETS), pc.is_valid(items["url"])))
    targets: dict[int, set[str]] = {}
    for menu, url in zip(some.column("menu").to_pylist(), some.column("url").to_pylist(), strict=True):
        targets.setdefault(menu, set()).add(url)
    return {menu: frozenset(urls) for menu, urls in targets.items()}


def _successor(decision: Decision, targets_of: dict[int, frozenset[str]], place_of: dict[int, str]) -> int | None:
    """Return the menu that took the place of one: of those that share enough, one at its place, and the most alike."""
    own = frozenset(decision.targets)
    overlap = {menu: len(own & targets) / len(own | targets) for menu, targets in targets_of.items()}
    enough = [menu for menu, share in overlap.items() if share >= MIN_OVERLAP]
    return max(enough, key=lambda menu: (place_of[menu] == decision.place, overlap[menu], -menu), default=None)
