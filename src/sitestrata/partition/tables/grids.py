"""The tables of a page -> `Grid`: every slot with its cell, every cell with what can be seen of it.

A grid comes from a ``<table>``, from elements with ARIA table roles, or from a definition list; what follows treats
them alike. Spans are expanded by copying, as the paper's cleaner does, so that a record is a whole line.
A cell's text leaves out tables nested in it: they are grids of their own, and each text is read once.

Paper: OntoMiner 4.2.2 (Data Table Cleaner)
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sitestrata.page import TAG_ID, Cell, Dom, Emphasis, PageFacts, PageLimits, RawTable, raw_tables
from sitestrata.partition.tables.values import Value, read_value

__all__ = ["Grid", "GridCell", "page_grids"]

MAX_SLOTS = 4_000_000  # of one grid; a wider or longer one is not looked into, and reported
MAX_TERMS = 8  # of a definition list that share a description
MAX_TEXT = 20_000  # characters of a cell that are kept

_EMPHASIS = int(Emphasis.BOLD | Emphasis.HEADING | Emphasis.STYLED)
_CONTROLS = ("input", "select", "textarea", "button")
_BLOCKS = ("p", "div", "ul", "ol", "dl", "li", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "form", "br")
_ARIA_TABLES = frozenset({"table", "grid", "treegrid"})
_ARIA_CELLS = {"cell": False, "gridcell": False, "columnheader": True, "rowheader": True}
_ARIA_SCOPES = {"columnheader": "col", "rowheader": "row"}


@dataclass(slots=True, eq=False)
class GridCell:
    """One cell: where it stands and what it shows."""

    row: int
    column: int
    rowspan: int
    colspan: int
    is_header: bool  # the markup says so
    scope: str | None
    node: int
    text: str
    leaves: int
    linked: int  # leaves inside hyperlinks
    emphasised: bool  # all its leaves are bold, a heading, or styled to stand out
    is_italic: bool  # all its leaves are
    pictures: int
    controls: int  # of forms
    blocks: int  # paragraphs, lists, line breaks, ...
    holds_table: bool

    @property
    def value(self) -> Value:
        """Return what the text says; only asked for where it matters, since long tables are judged by a sample."""
        return read_value(self.text)


@dataclass(slots=True, eq=False)
class Grid:
    """One table, cleaned: ``slots[r, c]`` is the index of the cell that covers the slot, -1 where none does."""

    index: int
    source: str  # table, aria, list
    node: int
    parent: int
    rows: int
    columns: int
    cells: list[GridCell]
    slots: npt.NDArray[np.int32]
    sections: tuple[str, ...]  # of each row: head, body, foot
    caption: str | None
    border: int
    is_cut: bool = False  # too large to look into: there are no cells and no slots

    def text(self, row: int, column: int) -> str:
        """Return what a slot shows; "" where no cell is."""
        number = int(self.slots[row, column])
        return self.cells[number].text if number >= 0 else ""

    def texts(self) -> tuple[tuple[str, ...], ...]:
        """Return what all slots show."""
        texts = [*(cell.text for cell in self.cells), ""]  # slot -1 is the last one
        return tuple(tuple([texts[number] for number in row]) for row in self.slots.tolist())


def page_grids(facts: PageFacts, *, limits: PageLimits | None = None) -> list[Grid]:
    """Return the grids of a page: its ``<table>`` elements in document order, then ARIA tables, then lists."""
    dom = facts.dom
    raw: list[tuple[str, RawTable]] = []
    if facts.table_count:
        raw += [("table", table) for table in raw_tables(dom, limits=limits)]
    if facts.dom.having("role"):
        raw += [("aria", table) for table in _aria_tables(dom)]
    raw += [("list", table) for table in _definition_lists(dom)]
    if not raw:
        return []
    seen = _Seen(facts, [table.node for source, table in raw if source == "table"])
    return [_grid(index, source, table, seen) for index, (source, table) in enumerate(raw)]


class _Seen:
    """Counts over the nodes of a page, as prefix sums: what a subtree holds is a difference."""

    def __init__(self, facts: PageFacts, tables: Sequence[int]) -> None:
        self.facts = facts
        self.dom = facts.dom
        tag = facts.dom.tag
        leaves = facts.leaves
        self.leaf_node = leaves.node
        self.linked = _prefix(leaves.link >= 0)
        self.plain = _prefix((leaves.emphasis & _EMPHASIS) == 0)
        self.upright = _prefix((leaves.emphasis & int(Emphasis.ITALIC)) == 0)
        self.pictures = _prefix(tag == TAG_ID["img"])
        self.controls = _prefix(np.isin(tag, [TAG_ID[name] for name in _CONTROLS]))
        self.blocks = _prefix(np.isin(tag, [TAG_ID[name] for name in _BLOCKS]))
        self.tables = np.array(tables, dtype=np.int32)
        self.table_set = set(tables)

    def cells(self, cells: Sequence[Cell]) -> list[GridCell]:
        """Describe cells, all in one go."""
        node = np.array([cell.node for cell in cells], dtype=np.int32)
        end = self.dom.end[node]
        first = np.searchsorted(self.leaf_node, node).astype(np.int32)
        last = np.searchsorted(self.leaf_node, end).astype(np.int32)
        table = np.searchsorted(self.tables, node, side="right")
        holds_table = np.append(self.tables, np.iinfo(np.int32).max)[table] < end
        shown = last > first
        columns = (
            node,
            first,
            last,
            last - first,
            self.linked[last] - self.linked[first],
            shown & (self.plain[last] == self.plain[first]),
            shown & (self.upright[last] == self.upright[first]),
            self.pictures[end] - self.pictures[node],
            self.controls[end] - self.controls[node],
            self.blocks[end] - self.blocks[node + 1],
            holds_table,
        )
        described = []
        for cell, (at, start, stop, leaves, linked, bold, italic, pictures, controls, blocks, has_table) in zip(
            cells, zip(*(column.tolist() for column in columns), strict=True), strict=True
        ):
            text = self.own_text(at) if has_table else self.text(at, start, stop)
            described.append(
                GridCell(
                    row=cell.row,
                    column=cell.column,
                    rowspan=cell.rowspan,
                    colspan=cell.colspan,
                    is_header=cell.is_header,
                    scope=cell.scope,
                    node=at,
                    text=text[:MAX_TEXT],
                    leaves=leaves,
                    linked=linked,
                    emphasised=bold,
                    is_italic=italic,
                    pictures=pictures,
                    controls=controls,
                    blocks=blocks,
                    holds_table=has_table,
                )
            )
        return described

    def text(self, node: int, first: int, last: int) -> str:
        """Return what a subtree shows: the common case of one text without a walk."""
        if first == last:
            return ""
        if last == first + 1:
            return self.facts.leaf_text(first)
        shown = self.dom.inner_text(node)
        return shown or " ".join(self.facts.leaf_text(leaf) for leaf in range(first, last))

    def own_text(self, node: int) -> str:
        """Return what a subtree shows outside the tables nested in it."""
        pieces: list[str] = []
        current, end = node + 1, int(self.dom.end[node])
        while current < end:
            if current in self.table_set:
                current = int(self.dom.end[current])
                continue
            if self.dom.is_text(current) and self.facts.is_visible(current):
                pieces.append(self.dom.own_text(current))
            current += 1
        return " ".join(" ".join(pieces).split())


def _prefix(flags: npt.NDArray[np.bool_]) -> npt.NDArray[np.int32]:
    return np.concatenate([[0], np.cumsum(flags)]).astype(np.int32)


def _grid(index: int, source: str, table: RawTable, seen: _Seen) -> Grid:
    is_cut = table.rows * table.columns > MAX_SLOTS
    cells = [] if is_cut or not table.cells else seen.cells(table.cells)
    slots = np.full((0, 0) if is_cut else (table.rows, table.columns), -1, dtype=np.int32)
    # Where cells overlap, the first one keeps the slot: written last.
    for number in range(len(cells) - 1, -1, -1):
        cell = cells[number]
        slots[cell.row : cell.row + cell.rowspan, cell.column : cell.column + cell.colspan] = number
    caption = seen.dom.inner_text(table.caption) if table.caption >= 0 else ""
    return Grid(
        index=index,
        source=source,
        node=table.node,
        parent=table.parent,
        rows=table.rows,
        columns=table.columns,
        cells=cells,
        slots=slots,
        sections=table.sections,
        caption=caption[:MAX_TEXT] or None,
        border=table.border,
        is_cut=is_cut,
    )


def _aria_tables(dom: Dom) -> Iterator[RawTable]:
    """Find tables that are built of other elements with ARIA roles (WAI-ARIA 1.2, table, row, cell)."""
    roles = {node: (dom.attribute(node, "role") or "").strip().lower() for node in dom.having("role")}
    marked = sorted(roles)
    for node in marked:
        if roles[node] not in _ARIA_TABLES or dom.tag_name(node) == "table":
            continue
        end = int(dom.end[node])
        cells: list[Cell] = []
        rows: list[int] = []
        width = column = 0
        row_end = -1
        skip_to = node  # past a table nested in this one
        for inner in marked[np.searchsorted(marked, node, side="right") :]:
            if inner >= end:
                break
            if inner < skip_to:
                continue
            role = roles[inner]
            if role in _ARIA_TABLES:
                skip_to = int(dom.end[inner])
            elif role == "row":
                rows.append(inner)
                row_end, column = int(dom.end[inner]), 0
            elif role in _ARIA_CELLS and inner < row_end:
                is_header = _ARIA_CELLS[role]
                cells.append(_cell(len(rows) - 1, column, inner, is_header=is_header, scope=_ARIA_SCOPES.get(role)))
                column += 1
                width = max(width, column)
        if cells:
            yield _simple_table(node, cells, rows, width)


def _definition_lists(dom: Dom) -> Iterator[RawTable]:
    """Find definition lists: one row a description, its term on the left."""
    for node in dom.find("dl"):
        cells: list[Cell] = []
        rows: list[int] = []
        terms: list[int] = []
        used = True  # whether the terms at hand have had a description
        for child in _list_items(dom, node):
            if dom.tag_name(child) == "dt":
                if used:
                    terms, used = [], False
                terms = [*terms[-MAX_TERMS + 1 :], child]
            elif terms:
                for term in terms:
                    cells.append(_cell(len(rows), 0, term, is_header=True, scope="row"))
                    cells.append(_cell(len(rows), 1, child))
                    rows.append(child)
                used = True
        if rows:
            yield _simple_table(node, cells, rows, 2)


def _list_items(dom: Dom, node: int) -> Iterator[int]:
    for child in dom.children(node):
        name = dom.tag_name(child)
        if name in ("dt", "dd"):
            yield child
        elif name == "div":  # a group of a term and its descriptions (HTML Standard 4.4.9)
            yield from (inner for inner in dom.children(child) if dom.tag_name(inner) in ("dt", "dd"))


def _cell(row: int, column: int, node: int, *, is_header: bool = False, scope: str | None = None) -> Cell:
    return Cell(row, column, 1, 1, is_header, scope, (), node)


def _simple_table(node: int, cells: list[Cell], rows: list[int], width: int) -> RawTable:
    return RawTable(node, -1, len(rows), width, tuple(cells), ("body",) * len(rows), tuple(rows), -1, 0)
