"""The label hierarchy as the paper finds it: flat segments, a binary tree in each and over them, groups, promotion.

Paper: OntoMiner 4.1, 4.3
Cost: cubic in the leaves of a segment and in the number of segments; see `sitestrata.partition.binary` for the limit.
Differences from the paper: leaves longer than FREE_TEXT are its "free text": they are kept and not analysed further.
How the data of a table enters the tree is not printed: here it is one unit of the dynamic programme, which a label may
be promoted over, with its records below it. A table without headers, or with tables in it, is left to the partitioner.
"""

from collections.abc import Mapping

import numpy as np

from sitestrata.page import PageFacts
from sitestrata.partition.binary import Part, binary_tree, check_units
from sitestrata.partition.blocks import Block
from sitestrata.partition.flat import flat_segments
from sitestrata.partition.grouping import group_tree
from sitestrata.partition.lines import NO_HEAD, Label, make_label
from sitestrata.partition.promotion import promote
from sitestrata.partition.table_labels import table_labels
from sitestrata.partition.tables import TableOptions, data_grids
from sitestrata.partition.tables.grids import Grid, GridCell

__all__ = ["paper_blocks", "paper_forest"]

FREE_TEXT = 120  # characters


def paper_blocks(facts: PageFacts) -> tuple[Block, ...]:
    """Return the flat segments as blocks; the paper gives them no role."""
    return tuple(
        Block(first, end, int(facts.leaves.node[first]), "other") for first, end in flat_segments(facts.leaves.path)
    )


def paper_forest(facts: PageFacts) -> list[Label]:
    """Return the label hierarchy of a page.

    Raises:
        UnusablePageError: a segment has too many leaves, or the page too many segments.

    """
    cells = _Cells(facts)
    tables = {
        grid.node: table_labels(grid, headers, cells)
        for grid, headers in data_grids(facts, options=TableOptions(profile="paper"))
        if (headers.top or headers.left) and not any(cell.holds_table for cell in grid.cells)
    }
    short: list[list[Part]] = []  # the units of each segment: leaves, and tables where their first leaf is
    free: list[Part] = []
    inside = 0  # leaves up to here are told by a table
    starts = {cells.leaves(node)[0]: node for node in sorted(tables, reverse=True) if tables[node]}  # the outermost
    for first, end in flat_segments(facts.leaves.path):
        units = []
        for leaf in range(first, end):
            if leaf < inside:
                continue
            if leaf in starts:
                inside = cells.leaves(starts[leaf])[1]
                units.append(Part(starts[leaf], leaf, inside, "table"))
                continue
            one = Part(_element(facts, leaf), leaf, leaf + 1, "leaf")
            (units if len(facts.leaf_text(leaf)) <= FREE_TEXT else free).append(one)
        if units:
            short.append(units)
    # Before any of the work: a page that is refused must not take long.
    check_units(max([len(short), *map(len, short)]))
    segments = [binary_tree(facts, units) for units in short]
    if not segments:
        return [_label(facts, leaf, tables) for leaf in free]
    root = binary_tree(facts, segments)
    promote(facts, group_tree(facts, root))
    forest = [_label(facts, one, tables) for one in (root, *free)]
    return sorted(_opened(forest), key=lambda label: label.first)


class _Cells:
    """Reads the cells of data tables, each as one label (`table_labels.ReadCells`)."""

    def __init__(self, facts: PageFacts) -> None:
        self.facts = facts

    def leaves(self, node: int) -> tuple[int, int]:
        """Return the range of leaves in an element."""
        first, end = np.searchsorted(self.facts.leaves.node, [node, int(self.facts.dom.end[node])]).tolist()
        return first, end

    def caption(self, grid: Grid) -> list[Label]:
        return [self._label(grid.caption or "", grid.caption_node)] if grid.caption_node >= 0 and grid.caption else []

    def head(self, cell: GridCell) -> Label:
        return self._label(cell.text, cell.node)

    def value(self, cell: GridCell) -> list[Label]:
        return [self._label(cell.text, cell.node)] if cell.text else []

    def whole_row(self, cell: GridCell) -> Label:
        return self._label("", int(self.facts.dom.parent[cell.node]))

    def _label(self, text: str, node: int) -> Label:
        first, end = self.leaves(node)
        url, is_link = _link(self.facts, first) if text and first < end else (None, False)
        label = make_label(text, url, node, first, end, NO_HEAD)
        label.is_link = is_link
        return label


def _link(facts: PageFacts, leaf: int) -> tuple[str | None, bool]:
    """Return the address that a leaf links, and whether it is inside a link."""
    link = int(facts.leaves.link[leaf])
    at = facts.links.node.tolist().index(link) if link in facts.links.node else -1
    return (facts.links.book.address(int(facts.links.number[at])) if at >= 0 else None), link >= 0


def _element(facts: PageFacts, leaf: int) -> int:
    """Return the element that a leaf stands in, or is."""
    node = int(facts.leaves.node[leaf])
    return int(facts.dom.parent[node]) if facts.dom.is_text(node) else node


def _opened(forest: list[Label]) -> list[Label]:
    """Take away partitions at the top that name nothing."""
    out = []
    stack = list(reversed(forest))
    while stack:
        label = stack.pop()
        if label.children and not label.text and label.kind == "part":
            stack.extend(reversed(label.children))
        else:
            out.append(label)
    return out


def _label(facts: PageFacts, root: Part, tables: Mapping[int, list[Label]]) -> Label:
    """Turn a tree of parts into labels, without recursion; ``tables`` are the records of tables, by their nodes."""
    top = _own_label(facts, root)
    if root.kind == "table":
        top.kind, top.children = "part", tables[root.node]
    stack = [(root, top)]
    while stack:
        part, label = stack.pop()
        for child in _named(part.children):
            if child.kind == "table":
                label.children += tables[child.node]
                continue
            made = _own_label(facts, child)
            label.children.append(made)
            stack.append((child, made))
    return top


def _named(parts: list[Part]) -> list[Part]:
    """Open partitions that nothing names: they only held the binary tree together."""
    out = []
    stack = list(reversed(parts))
    while stack:
        part = stack.pop()
        if part.kind == "part" and part.label is None and part.children:
            stack.extend(reversed(part.children))
        else:
            out.append(part)
    return out


def _own_label(facts: PageFacts, part: Part) -> Label:
    named = part if part.kind == "leaf" else part.label
    if named is None:
        label = make_label("", None, part.node, part.first, part.end, NO_HEAD)
    else:
        leaf = named.first
        url, is_link = _link(facts, leaf)
        label = make_label(facts.leaf_text(leaf), url, named.node, min(part.first, leaf), part.end, NO_HEAD)
        label.is_link = is_link
    label.kind = part.kind
    return label
