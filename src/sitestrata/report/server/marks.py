"""What was found on one page -> marks at the nodes of its tree.

Menus, segments and tables are those of the workspace's tables; blocks and records are read off the page again. A menu
is drawn around its own links: around the smallest element that holds those of one segment, or, where that element
holds more foreign links than own ones (a list in the middle of a text), around each link. A run of leaves is drawn
around the largest elements that hold nothing else.
"""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from sitestrata.page import PageFacts
from sitestrata.report.server.archive import Mark
from sitestrata.report.server.catalogue import Snapshot
from sitestrata.report.server.reading import PageReading

__all__ = ["LAYER_TABLES", "find_marks", "places_of_leaves", "places_of_links"]

MAX_MARKS = 2000  # of one layer

# The tables that a layer is drawn from, and the stage that makes them.
LAYER_TABLES: Mapping[str, tuple[str, ...]] = {
    "menus": ("menus", "menu_pages", "links"),
    "segments": ("segments",),
    "blocks": (),
    "tables": ("data_tables",),
    "records": (),
}
_MENUS = """
    SELECT m.menu, m.role, l.segment, list(l.node ORDER BY l.node) AS nodes
    FROM menu_pages p JOIN menus m USING (menu) JOIN links l ON l.page = p.capture AND list_contains(p.links, l.ordinal)
    WHERE p.page = ? AND p.capture = ? AND l.page = ? GROUP BY ALL ORDER BY m.menu, nodes[1] LIMIT ?
"""
_SEGMENTS = "SELECT node, len(links) AS size FROM segments WHERE page = ? AND len(links) > 1 ORDER BY node LIMIT ?"
_TABLES = """
    SELECT node, orientation, "rows", "columns" FROM data_tables WHERE page = ? AND is_data ORDER BY node LIMIT ?
"""


def find_marks(snapshot: Snapshot, page: int, capture: int, reading: PageReading) -> dict[str, list[Mark]]:
    """Return what was found on a page, by layer; a layer whose tables are not there is left out.

    Of the marks of one thing only the first has a label, so labels count things.
    """
    marks: dict[str, list[Mark]] = {}
    if snapshot.has(*LAYER_TABLES["menus"]):
        marks["menus"] = list(_menus(snapshot, page, capture, reading.facts))
    if snapshot.has(*LAYER_TABLES["segments"]):
        rows = snapshot.rows(_SEGMENTS, capture, MAX_MARKS)
        marks["segments"] = [Mark("segments", row["node"], _count(row["size"], "link")) for row in rows]
    if snapshot.has(*LAYER_TABLES["tables"]):
        marks["tables"] = [
            Mark("tables", row["node"], f"{row['orientation']} table, {row['rows']} x {row['columns']}")
            for row in snapshot.rows(_TABLES, capture, MAX_MARKS)
        ]
    if not reading.refusal:
        blocks = [node for node in reading.tree if node.kind == "block"][:MAX_MARKS]
        marks["blocks"] = [
            mark
            for block in blocks
            for mark in _around(reading.facts, "blocks", block.first_leaf, block.end_leaf, block.role or "block")
        ]
        marks["records"] = [
            mark
            for number, record in enumerate(reading.records[:MAX_MARKS], 1)
            for mark in _around(reading.facts, "records", record.first, record.end, str(number), record.name)
        ]
    return marks


def _menus(snapshot: Snapshot, page: int, capture: int, facts: PageFacts) -> Iterator[Mark]:
    rows = snapshot.rows(_MENUS, page, capture, capture, MAX_MARKS)
    sizes: dict[int, int] = {}
    for row in rows:
        sizes[row["menu"]] = sizes.get(row["menu"], 0) + len(row["nodes"])
    named = set()
    for row in rows:
        label = f"{row['role']} menu, {_count(sizes[row['menu']], 'link')}"
        for node in places_of_links(facts, row["nodes"]):
            yield Mark("menus", node, "" if row["menu"] in named else label)
            named.add(row["menu"])


def _around(facts: PageFacts, layer: str, first: int, end: int, label: str, detail: str = "") -> Iterator[Mark]:
    for place, node in enumerate(places_of_leaves(facts, first, end)):
        yield Mark(layer, node, "" if place else label, detail)


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


def places_of_leaves(facts: PageFacts, first: int, end: int) -> list[int]:
    """Return the largest nodes, below the body, whose leaves all lie in a run of leaves; together they hold the run."""
    dom, leaves = facts.dom, facts.leaves.node
    body = next((node for node in dom.children(0) if dom.tag_name(node) == "body"), 0)
    places = []
    leaf = first
    while leaf < end:
        node = int(leaves[leaf])
        covered = leaf + 1
        while (above := int(dom.parent[node])) > body:
            before = int(np.searchsorted(leaves, above))
            after = int(np.searchsorted(leaves, dom.end[above]))
            if before < first or after > end:
                break
            node, covered = above, after
        places.append(node)
        leaf = max(covered, leaf + 1)
    return places


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
