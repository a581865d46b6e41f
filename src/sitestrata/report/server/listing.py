"""One screenful of a long table: filtered, sorted, and continued from where the last one ended.

Continuing by the last row's key costs the same at row 900,000 as at row 50, where skipping rows would sort them all.
"""

import base64
import binascii
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sitestrata.errors import UsageError
from sitestrata.report.server.catalogue import Snapshot

__all__ = ["Listing", "Screen"]

_KEY_TEXT = 1000  # characters of a key that a cursor carries; longer ones are cut on both sides of the comparison


@dataclass(frozen=True, slots=True)
class Screen:
    """Some rows, where to go on from them, and how many there are in all."""

    rows: list[dict[str, Any]]
    total: int
    next: str | None
    previous: str | None


@dataclass(frozen=True, slots=True)
class Listing:
    """A table that can be looked through."""

    table: str  # a table, not a view
    key: str  # unique
    columns: Sequence[str]
    sorts: Mapping[str, str]  # what may be sorted by -> an expression that is never null

    def screen(
        self,
        snapshot: Snapshot,
        *,
        where: Sequence[tuple[str, object]] = (),
        sort: str,
        is_descending: bool = False,
        limit: int,
        cursor: str | None = None,
    ) -> Screen:
        """Return some rows that meet all conditions, each an SQL condition with one parameter."""
        if sort not in self.sorts:
            raise UsageError(f"Sort by one of: {', '.join(self.sorts)}.")
        expression = self.sorts[sort]
        place = _read_cursor(cursor)
        is_backward = place is not None and place.is_backward
        is_falling = is_descending != is_backward
        sign, order = ("<", "DESC") if is_falling else (">", "ASC")
        tie_sign, tie_order = ("<", "DESC") if is_backward else (">", "ASC")
        where_sql = f" WHERE {' AND '.join(condition for condition, _ in where)}" if where else ""
        values: list[object] = [value for _, value in where]
        after = ""
        if place is not None:
            after = f"WHERE v {sign} ? OR (v = ? AND k {tie_sign} ?)"
            values += [place.value, place.value, place.key]
        # One pass over the column that is sorted by and those that are searched; the rest is read of the rows shown.
        seen = f"SELECT rowid AS r, {self.key} AS k, {expression} AS v FROM {self.table}{where_sql}"  # noqa: S608 - our own names
        count = f"(SELECT count(*) FROM {'f' if where else self.table})"  # noqa: S608
        found = snapshot.rows(
            f"WITH f AS {'' if where else 'NOT '}MATERIALIZED ({seen}), "  # noqa: S608
            f"t AS (SELECT r, k, v, {count} AS n FROM f {after} ORDER BY v {order}, k {tie_order} LIMIT ?) "
            f"SELECT k, v, n, {', '.join(f'p.{column}' for column in self.columns)} "
            f"FROM t JOIN {self.table} p ON p.rowid = t.r ORDER BY v {order}, k {tie_order}",
            *values,
            limit + 1,
        )
        total = found[0]["n"] if found else 0
        has_more = len(found) > limit
        found = found[:limit]
        if is_backward:
            found.reverse()
        ends = [(row["v"], row["k"]) for row in found]
        goes_on = has_more or is_backward
        came_from = has_more if is_backward else place is not None
        return Screen(
            rows=found,
            total=total,
            next=_write_cursor(*ends[-1], is_backward=False) if ends and goes_on else None,
            previous=_write_cursor(*ends[0], is_backward=True) if ends and came_from else None,
        )


@dataclass(frozen=True, slots=True)
class _Place:
    value: object
    key: int
    is_backward: bool


def _write_cursor(value: object, key: int, *, is_backward: bool) -> str:
    text = json.dumps([value[:_KEY_TEXT] if isinstance(value, str) else value, str(key), is_backward])
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def _read_cursor(cursor: str | None) -> _Place | None:
    if not cursor:
        return None
    try:
        value, key, is_backward = json.loads(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
        number = int(key)
    except (ValueError, TypeError, binascii.Error, RecursionError) as error:
        raise UsageError("This place in the list does not exist; begin at the top.") from error
    is_plain = isinstance(value, str | int | float) and isinstance(is_backward, bool)
    if not is_plain or not -(2**63) <= number < 2**63:
        raise UsageError("This place in the list does not exist; begin at the top.")
    return _Place(value, number, is_backward)
