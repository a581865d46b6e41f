"""What the tables say about one page -> marks at the nodes of its tree.

A menu is drawn around its own links: around the smallest element that holds those of one segment, or, where that
element holds more foreign links than own ones (a list in the middle of a text), around each link.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from sitestrata.page import PageFacts
from sitestrata.report.server.archive import LAYERS, Mark
from sitestrata.report.server.catalogue import Snapshot

__all__ = ["count_marks", "find_marks", "is_ready"]

MAX_MARKS = 2000  # of one layer

# The tables that a layer is drawn from.
NEEDS: Mapping[str, tuple[str, ...]] = {
    "menus": ("menus", "menu_pages", "links"),
    "segments": ("segments",),
    "blocks": ("trees",),
    "tables": ("data_tables",),
    "records": ("trees",),
}
_MENUS = """
    SELECT m.menu, m.role, l.segment, list(l.node ORDER BY l.node) AS nodes
    FROM menu_pages p JOIN menus m USING (menu) JOIN links l ON l.page = p.capture AND list_contains(p.links, l.ordinal)
    WHERE p.page = ? AND p.capture = ? AND l.page = ? GROUP BY ALL ORDER BY m.menu, l.segment LIMIT ?
"""
_SEGMENTS = "SELECT node, len(links) AS size FROM segments WHERE page = ? AND len(links) > 1 ORDER BY node LIMIT ?"
_TREES = """
    SELECT node, kind, role, label FROM trees WHERE page = ? AND kind = ? ORDER BY ordinal LIMIT ?
"""
_TABLES = """
    SELECT node, orientation, "rows", "columns" FROM data_tables WHERE page = ? AND is_data ORDER BY node LIMIT ?
"""
_COUNTS = {
    "menus": "SELECT count(*) AS n FROM menu_pages WHERE page = ? AND capture = ?",
    "segments": "SELECT count(*) AS n FROM segments WHERE ? IS NOT NULL AND page = ? AND len(links) > 1",
    "blocks": "SELECT count(*) AS n FROM trees WHERE ? IS NOT NULL AND page = ? AND kind = 'block'",
    "tables": "SELECT count(*) AS n FROM data_tables WHERE ? IS NOT NULL AND page = ? AND is_data",
    "records": "SELECT count(*) AS n FROM trees WHERE ? IS NOT NULL AND page = ? AND kind = 'member'",
}


def is_ready(snapshot: Snapshot, layer: str) -> bool:
    """Tell whether the tables of a layer have been made."""
    return snapshot.has(*NEEDS[layer])


def count_marks(snapshot: Snapshot, page: int, capture: int) -> dict[str, int]:
    """Return how many things of each layer a page has."""
    counts = dict.fromkeys((layer.name for layer in LAYERS), 0)
    for layer in counts:
        if is_ready(snapshot, layer):
            row = snapshot.row(_COUNTS[layer], page, capture)
            counts[layer] = row["n"] if row else 0
    return counts


def find_marks(snapshot: Snapshot, page: int, capture: int, facts: PageFacts) -> list[Mark]:
    """Return everything that was found on a page, by node."""
    marks: list[Mark] = []
    if is_ready(snapshot, "menus"):
        rows = snapshot.rows(_MENUS, page, capture, capture, MAX_MARKS)
        sizes: dict[int, int] = {}
        for row in rows:
            sizes[row["menu"]] = sizes.get(row["menu"], 0) + len(row["nodes"])
        for row in rows:
            label = f"{row['role']} menu, {_count(sizes[row['menu']], 'link')}"
            marks += [Mark("menus", node, label) for node in places_of_links(facts, row["nodes"])]
    if is_ready(snapshot, "segments"):
        for row in snapshot.rows(_SEGMENTS, capture, MAX_MARKS):
            marks.append(Mark("segments", row["node"], _count(row["size"], "link")))
    for layer, kind in (("blocks", "block"), ("records", "member")):
        if is_ready(snapshot, layer):
            marks += [Mark(layer, row["node"], _named(row)) for row in snapshot.rows(_TREES, capture, kind, MAX_MARKS)]
    if is_ready(snapshot, "tables"):
        for row in snapshot.rows(_TABLES, capture, MAX_MARKS):
            marks.append(Mark("tables", row["node"], f"{row['orientation']} table, {row['rows']} x {row['columns']}"))
    return marks[: len(LAYERS) * MAX_MARKS]


def places_of_links(facts: PageFacts, links: Sequence[int]) -> list[int]:
    """Return the nodes to draw around some links: what holds them all, or each, if that holds mostly others."""
    dom = facts.dom
    known = [node for node in links if 0 <= node < len(dom)]
    if len(known) < 2:
        return known
    holder, last = known[0], max(known)
    while holder > 0 and int(dom.end[holder]) <= last:
        holder = int(dom.parent[holder])
    inside = np.count_nonzero((facts.links.node >= holder) & (facts.links.node < dom.end[holder]))
    return [holder] if inside <= 2 * len(known) else known


def _named(row: dict[str, Any]) -> str:
    kind = row["role"] or "block" if row["kind"] == "block" else "record"
    return f"{kind}: {row['label'][:60]}" if row["label"] else kind


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
