"""Menus as found -> the same with the roles that a person gave some of them."""

from collections.abc import Sequence

import pyarrow as pa

from sitestrata.model import Decision

__all__ = ["apply_menu_decisions"]

REASON = "decision"


def apply_menu_decisions(menus: pa.Table, decisions: Sequence[Decision]) -> pa.Table:
    """Return the table ``menus`` with decided roles; a menu that is not there any more is passed over.

    A menu goes by its id, which is made of its targets and its place: the decision holds as long as both do.
    """
    roles = {decision.subject: decision.object for decision in decisions if decision.kind == "menu-role"}
    if not roles:
        return menus
    given = [roles.get(str(menu)) for menu in menus.column("menu").to_pylist()]
    columns: dict[str, list[object]] = {"role": [*given], "confidence": [1.0 if role else None for role in given]}
    columns["reason"] = [REASON if role else None for role in given]
    for name, values in columns.items():
        field = menus.schema.field(name)
        old = menus.column(name).to_pylist()
        new = [before if value is None else value for before, value in zip(old, values, strict=True)]
        menus = menus.set_column(menus.schema.get_field_index(name), field, pa.array(new, field.type))
    return menus
