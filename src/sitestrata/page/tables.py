"""The ``<table>`` elements of a page -> raw grids: which cell stands where, nothing about what it means.

Positions follow the HTML Standard (4.9.12, "forming a table"): spans push later cells aside, a ``rowspan`` of 0 reaches
to the end of its row group, footers come last. Nested tables are tables of their own; a cell of the outer table only
knows that its subtree holds them.

Difference from the standard: a ``rowspan`` that reaches beyond the rows of its group is cut there, as it is on screen;
the standard would add rows without cells.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from sitestrata.page.dom import Dom
from sitestrata.page.limits import PageLimits
from sitestrata.page.vocabulary import TAG_ID

__all__ = ["MAX_COLSPAN", "MAX_ROWSPAN", "Cell", "RawTable", "attribute_numbers", "raw_tables"]

MAX_COLSPAN = 1000  # HTML Standard 4.9.11
MAX_ROWSPAN = 65_534

_TR, _TD, _TH, _CAPTION = (TAG_ID[name] for name in ("tr", "td", "th", "caption"))
_GROUPS = {TAG_ID["thead"]: "head", TAG_ID["tbody"]: "body", TAG_ID["tfoot"]: "foot"}
_SCOPES = frozenset({"row", "col", "rowgroup", "colgroup"})


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell and the slots it covers."""

    row: int
    column: int
    rowspan: int  # after cutting
    colspan: int
    is_header: bool  # <th>
    scope: str | None  # row, col, rowgroup, colgroup
    headers: tuple[str, ...]  # ids of the cells that head this one
    node: int


@dataclass(frozen=True, slots=True)
class RawTable:
    """One table: its cells in document order, and its size in slots."""

    node: int
    parent: int  # index of the table it is nested in; -1 = none
    rows: int
    columns: int
    cells: tuple[Cell, ...]
    sections: tuple[str, ...]  # of each row: head, body, foot
    row_nodes: tuple[int, ...]
    caption: int  # node of its <caption>; -1 = none
    border: int  # the attribute as a number; 0 = none

    def grid(self) -> list[list[int]]:
        """Return the table as rows of indices into ``cells``; -1 where no cell is."""
        slots = [[-1] * self.columns for _ in range(self.rows)]
        for number, cell in enumerate(self.cells):
            for row in range(cell.row, cell.row + cell.rowspan):
                for column in range(cell.column, cell.column + cell.colspan):
                    if slots[row][column] < 0:
                        slots[row][column] = number
        return slots


def raw_tables(dom: Dom, *, limits: PageLimits | None = None) -> tuple[RawTable, ...]:
    """Return all tables of a page in document order."""
    limits = limits or PageLimits()
    former = _Former(dom, limits.table_slots)
    return tuple([former.form(node) for node in former.index])


class _Former:
    """Forms the tables of one page; plain lists, because single elements of arrays are slow to get at."""

    def __init__(self, dom: Dom, slots: int) -> None:
        self.dom = dom
        self.index = {node: number for number, node in enumerate(dom.find("table"))}
        self.slots_left = slots
        self.end = dom.end.tolist()
        self.tag = dom.tag.tolist()
        self.colspan = attribute_numbers(dom, "colspan")
        self.rowspan = attribute_numbers(dom, "rowspan")
        self.scope = {node: text.strip().lower() for node, text in _values(dom, "scope")}
        self.headers = {node: tuple(text.split()) for node, text in _values(dom, "headers")}

    def children(self, node: int) -> Iterator[int]:
        child, stop = node + 1, self.end[node]
        while child < stop:
            yield child
            child = self.end[child]

    def form(self, node: int) -> RawTable:
        cells: list[Cell] = []
        sections: list[str] = []
        row_nodes: list[int] = []
        width = 0
        slots = 0
        for section, rows in self.row_groups(node):
            top = len(row_nodes)
            busy: dict[int, int] = {}  # column -> first row below the cell that covers it
            for offset, row_node in enumerate(rows):
                row = top + offset
                column = 0
                for cell_node in self.children(row_node):
                    tag = self.tag[cell_node]
                    if tag not in (_TD, _TH):
                        continue
                    while busy.get(column, 0) > row:
                        column += 1
                    colspan, rowspan = self.spans(cell_node, len(rows) - offset)
                    if slots + colspan * rowspan > self.slots_left:
                        colspan = rowspan = 1
                    slots += colspan * rowspan
                    if rowspan > 1:
                        for covered in range(column, column + colspan):
                            busy[covered] = max(busy.get(covered, 0), row + rowspan)
                    scope = self.scope.get(cell_node)
                    cells.append(
                        Cell(
                            row,
                            column,
                            rowspan,
                            colspan,
                            tag == _TH,
                            scope if scope in _SCOPES else None,
                            self.headers.get(cell_node, ()),
                            cell_node,
                        )
                    )
                    column += colspan
                    width = max(width, column)
            row_nodes.extend(rows)
            sections.extend([section] * len(rows))
        self.slots_left = max(self.slots_left - slots, 0)
        border = self.dom.attribute(node, "border")
        return RawTable(
            node=node,
            parent=next((self.index[above] for above in self.dom.ancestors(node) if above in self.index), -1),
            rows=len(row_nodes),
            columns=width,
            cells=tuple(cells),
            sections=tuple(sections),
            row_nodes=tuple(row_nodes),
            caption=next((child for child in self.children(node) if self.tag[child] == _CAPTION), -1),
            border=_number(border, 1 if border == "" else 0),
        )

    def row_groups(self, node: int) -> Iterator[tuple[str, list[int]]]:
        """Yield the row groups of a table, footers last; rows outside any group form groups of their own."""
        feet = []
        loose: list[int] = []
        for child in self.children(node):
            tag = self.tag[child]
            if tag == _TR:
                loose.append(child)
            elif tag in _GROUPS:
                if loose:
                    yield "body", loose
                    loose = []
                rows = [row for row in self.children(child) if self.tag[row] == _TR]
                if _GROUPS[tag] == "foot":
                    feet.append(rows)
                else:
                    yield _GROUPS[tag], rows
        if loose:
            yield "body", loose
        for rows in feet:
            yield "foot", rows

    def spans(self, cell: int, rows_left: int) -> tuple[int, int]:
        colspan = min(self.colspan.get(cell, 1) or 1, MAX_COLSPAN)
        rowspan = min(self.rowspan.get(cell, 1), MAX_ROWSPAN)
        return colspan, rows_left if rowspan == 0 else min(rowspan, rows_left)


def _values(dom: Dom, name: str) -> list[tuple[int, str]]:
    """Return the nodes that have an attribute, each with its value."""
    nodes = dom.having(name)
    return [(node, dom.attribute(node, name) or "") for node in nodes]


def attribute_numbers(dom: Dom, name: str) -> dict[int, int]:
    """Return the nodes that have an attribute, with its value as a number; 1 where it is none."""
    return {node: _number(text, 1) for node, text in _values(dom, name)}


def _number(text: str | None, default: int) -> int:
    """Read a non-negative integer as HTML does: leading digits count, the rest does not."""
    digits = ""
    for char in (text or "").strip(" \t\r\n\f").removeprefix("+"):
        if char not in "0123456789":
            break
        digits += char
    return int(digits[:9]) if digits else default
