"""What the tables say about one page -> marks at the nodes of its tree."""

from typing import Any

from sitestrata.report.server.archive import Mark
from sitestrata.report.server.catalogue import Snapshot

__all__ = ["find_marks"]

MAX_MARKS = 2000  # of one layer

_SEGMENTS = "SELECT node, len(links) AS size FROM segments WHERE page = ? AND len(links) > 1 ORDER BY node LIMIT ?"
# A menu is drawn around each of the segments that show it.
_MENUS = """
    SELECT s.node, m.role, m.items, len(p.links) AS size FROM menu_pages p JOIN menus m USING (menu)
    JOIN segments s ON s.page = p.capture AND list_contains(p.segments, s.ordinal)
    WHERE p.page = ? AND p.capture = ? ORDER BY s.node, m.menu LIMIT ?
"""
_TABLES = (
    'SELECT node, orientation, "rows", "columns" FROM data_tables WHERE page = ? AND is_data ORDER BY node LIMIT ?'
)
_BLOCKS = (
    "SELECT node, kind, role, label FROM trees WHERE page = ? AND kind IN ('block', 'member') ORDER BY ordinal LIMIT ?"
)


def find_marks(snapshot: Snapshot, page: int, capture: int) -> list[Mark]:
    """Return everything that was found on a page, by node."""
    marks: list[Mark] = []
    if snapshot.has("menus", "menu_pages", "segments"):
        for row in snapshot.rows(_MENUS, page, capture, MAX_MARKS):
            marks.append(Mark("menus", row["node"], f"{row['role']} menu, {_count(row['size'], 'link')}"))
    if snapshot.has("segments"):
        for row in snapshot.rows(_SEGMENTS, capture, MAX_MARKS):
            marks.append(Mark("segments", row["node"], _count(row["size"], "link")))
    if snapshot.has("trees"):
        for row in snapshot.rows(_BLOCKS, capture, 2 * MAX_MARKS):
            layer = "blocks" if row["kind"] == "block" else "records"
            marks.append(Mark(layer, row["node"], _named(row)))
    if snapshot.has("data_tables"):
        for row in snapshot.rows(_TABLES, capture, MAX_MARKS):
            marks.append(Mark("tables", row["node"], f"{row['orientation']} table, {row['rows']} x {row['columns']}"))
    return marks


def _named(row: dict[str, Any]) -> str:
    kind = row["role"] or "block" if row["kind"] == "block" else "record"
    return f"{kind}: {row['label'][:60]}" if row["label"] else kind


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
