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

__all__ = ["Cell", "RawTable", "raw_tables"]

MAX_COLSPAN = 1000  # HTML Standard 4.9.11
MAX_ROWSPAN = 65_534


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
    nodes = dom.find("table")
    index = {node: number for number, node in enumerate(nodes)}
    slots_left = limits.table_slots
    tables = []
    for node in nodes:
        table, slots = _form_table(dom, node, index, slots_left)
        slots_left = max(slots_left - slots, 0)
        tables.append(table)
    return tuple(tables)


def _form_table(dom: Dom, node: int, index: dict[int, int], slots_left: int) -> tuple[RawTable, int]:
    cells: list[Cell] = []
    sections: list[str] = []
    row_nodes: list[int] = []
    width = 0
    slots = 0
    for section, rows in _row_groups(dom, node):
        top = len(row_nodes)
        busy: dict[int, int] = {}  # column -> first row below the cell that covers it
        for offset, row_node in enumerate(rows):
            row = top + offset
            column = 0
            for cell_node in dom.children(row_node):
                name = dom.tag_name(cell_node)
                if name not in ("td", "th"):
                    continue
                while busy.get(column, 0) > row:
                    column += 1
                colspan, rowspan = _spans(dom, cell_node, len(rows) - offset)
                if slots + colspan * rowspan > slots_left:
                    colspan = rowspan = 1
                slots += colspan * rowspan
                for covered in range(column, column + colspan):
                    busy[covered] = max(busy.get(covered, 0), row + rowspan)
                scope = (dom.attribute(cell_node, "scope") or "").strip().lower()
                cells.append(
                    Cell(
                        row=row,
                        column=column,
                        rowspan=rowspan,
                        colspan=colspan,
                        is_header=name == "th",
                        scope=scope if scope in ("row", "col", "rowgroup", "colgroup") else None,
                        headers=tuple((dom.attribute(cell_node, "headers") or "").split()),
                        node=cell_node,
                    )
                )
                column += colspan
                width = max(width, column)
        row_nodes.extend(rows)
        sections.extend([section] * len(rows))
    enclosing = next((index[above] for above in dom.ancestors(node) if above in index), -1)
    caption = next((child for child in dom.children(node) if dom.tag_name(child) == "caption"), -1)
    table = RawTable(
        node=node,
        parent=enclosing,
        rows=len(row_nodes),
        columns=width,
        cells=tuple(cells),
        sections=tuple(sections),
        row_nodes=tuple(row_nodes),
        caption=caption,
        border=_number(dom.attribute(node, "border"), 1 if dom.attribute(node, "border") == "" else 0),
    )
    return table, slots


def _row_groups(dom: Dom, node: int) -> Iterator[tuple[str, list[int]]]:
    """Yield the row groups of a table, footers last; rows outside any group form groups of their own."""
    feet = []
    loose: list[int] = []
    for child in dom.children(node):
        name = dom.tag_name(child)
        if name == "tr":
            loose.append(child)
        elif name in ("thead", "tbody", "tfoot"):
            if loose:
                yield "body", loose
                loose = []
            rows = [row for row in dom.children(child) if dom.tag_name(row) == "tr"]
            if name == "tfoot":
                feet.append(rows)
            else:
                yield ("head" if name == "thead" else "body"), rows
    if loose:
        yield "body", loose
    for rows in feet:
        yield "foot", rows


def _spans(dom: Dom, cell: int, rows_left: int) -> tuple[int, int]:
    colspan = _number(dom.attribute(cell, "colspan"), 1)
    colspan = 1 if colspan == 0 else min(colspan, MAX_COLSPAN)
    rowspan = min(_number(dom.attribute(cell, "rowspan"), 1), MAX_ROWSPAN)
    return colspan, rows_left if rowspan == 0 else min(rowspan, rows_left)


def _number(text: str | None, default: int) -> int:
    """Read a non-negative integer as HTML does: leading digits count, the rest does not."""
    digits = ""
    for char in (text or "").strip(" \t\r\n\f").removeprefix("+"):
        if char not in "0123456789":
            break
        digits += char
    return int(digits[:9]) if digits else default
