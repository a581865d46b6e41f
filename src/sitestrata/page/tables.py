"""The ``<table>`` elements of a page -> raw grids: which cell stands where, nothing about what it means.

Positions follow the HTML Standard (4.9.12, "forming a table"): spans push later cells aside, a ``rowspan`` of 0 reaches
to the end of its row group, footers come last. Nested tables are tables of their own; a cell of the outer table only
knows that its subtree holds them.

Difference from the standard: a ``rowspan`` that reaches beyond the rows of its group, and a ``colspan`` beyond the last
column in which a cell begins (100 is often said for "all"), are cut there, as on screen; the standard would add
rows and columns without cells.
"""

from dataclasses import dataclass

from sitestrata.page.dom import Dom
from sitestrata.page.limits import PageLimits
from sitestrata.page.vocabulary import ATTRIBUTE_ID, TAG_ID

__all__ = ["MAX_COLSPAN", "MAX_ROWSPAN", "Cell", "RawTable", "attribute_numbers", "raw_tables"]

MAX_COLSPAN = 1000  # HTML Standard 4.9.11
MAX_ROWSPAN = 65_534

_TABLE, _TR, _TD, _TH, _CAPTION = [TAG_ID[name] for name in ("table", "tr", "td", "th", "caption")]
_GROUPS = {TAG_ID["thead"]: "head", TAG_ID["tbody"]: "body", TAG_ID["tfoot"]: "foot"}
_SCOPES = frozenset({"row", "col", "rowgroup", "colgroup"})


# Neither is frozen, since that takes longer to make; nobody changes them.
@dataclass(slots=True)
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


@dataclass(slots=True)
class RawTable:
    """One table: its cells in document order, and its size in slots."""

    node: int
    parent: int  # index of the table it is nested in; -1 = none
    rows: int
    columns: int
    cells: tuple[Cell, ...]
    sections: tuple[str, ...]  # of each row: head, body, foot
    caption: int  # node of its <caption>; -1 = none
    border: int  # the attribute as a number; 0 = none
    is_clipped: bool = False  # spans went beyond the limit of the page and count as 1: cells may stand elsewhere

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
    """Forms the tables of one page; arrays are seen as memoryviews: compiled that is C, in Python plain integers."""

    def __init__(self, dom: Dom, slots: int) -> None:
        self.dom = dom
        self.index = {node: number for number, node in enumerate(dom.find("table"))}
        self.slots_left = slots
        self.end = dom.end.data
        self.tag = dom.tag.data
        self.parent = dom.parent.data
        names = set(dom.attribute_name.tolist())  # most pages have none of the attributes
        self.colspan = attribute_numbers(dom, "colspan") if ATTRIBUTE_ID["colspan"] in names else {}
        self.rowspan = attribute_numbers(dom, "rowspan") if ATTRIBUTE_ID["rowspan"] in names else {}
        scopes = _values(dom, "scope") if ATTRIBUTE_ID["scope"] in names else []
        self.scope = {node: text.strip().lower() for node, text in scopes}
        headers = _values(dom, "headers") if ATTRIBUTE_ID["headers"] in names else []
        self.headers = {node: tuple(text.split()) for node, text in headers}

    def form(self, node: int) -> RawTable:
        """Form one table."""
        cells: list[Cell] = []
        sections: list[str] = []
        width = slots = 0
        is_clipped = False
        for section, rows in self.row_groups(node):
            top = len(sections)
            busy: dict[int, int] = {}  # column -> first row below the cell that covers it
            for offset, row_node in enumerate(rows):
                row = top + offset
                column = 0
                cell_node, row_end = row_node + 1, self.end[row_node]
                while cell_node < row_end:
                    tag = self.tag[cell_node]
                    if tag != _TD and tag != _TH:
                        cell_node = self.end[cell_node]
                        continue
                    while busy and busy.get(column, 0) > row:
                        column += 1
                    colspan = min(self.colspan.get(cell_node, 1) or 1, MAX_COLSPAN)
                    rowspan = min(self.rowspan.get(cell_node, 1), MAX_ROWSPAN)
                    left = len(rows) - offset  # rows of the group, of which a rowspan of 0 takes all
                    if rowspan == 0 or rowspan > left:
                        rowspan = left
                    if slots + colspan * rowspan > self.slots_left:
                        is_clipped = is_clipped or colspan * rowspan > 1
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
                    width = max(width, column + 1)
                    column += colspan
                    cell_node = self.end[cell_node]
            sections.extend([section] * len(rows))
        for cell in cells:
            if cell.column + cell.colspan > width:
                cell.colspan = width - cell.column
        self.slots_left = max(self.slots_left - slots, 0)
        border = self.dom.attribute(node, "border")
        captions = self.children(node, _CAPTION)
        return RawTable(
            node=node,
            parent=self.outer(node),
            rows=len(sections),
            columns=width,
            cells=tuple(cells),
            sections=tuple(sections),
            caption=captions[0] if captions else -1,
            border=_number(border, 1 if border == "" else 0),
            is_clipped=is_clipped,
        )

    def outer(self, node: int) -> int:
        """Return the index of the table that a table is nested in; -1 = none."""
        above = self.parent[node]
        while above >= 0:
            if self.tag[above] == _TABLE:
                return self.index[above]
            above = self.parent[above]
        return -1

    def children(self, node: int, tag: int) -> list[int]:
        """Return the children of a node that have a tag."""
        found = []
        child, stop = node + 1, self.end[node]
        while child < stop:
            if self.tag[child] == tag:
                found.append(child)
            child = self.end[child]
        return found

    def row_groups(self, node: int) -> list[tuple[str, list[int]]]:
        """Return the row groups of a table, footers last; rows outside any group form groups of their own."""
        groups: list[tuple[str, list[int]]] = []
        feet: list[tuple[str, list[int]]] = []
        loose: list[int] = []
        child, stop = node + 1, self.end[node]
        while child < stop:
            tag = self.tag[child]
            if tag == _TR:
                loose.append(child)
            elif tag in _GROUPS:
                if loose:
                    groups.append(("body", loose))
                    loose = []
                group = (_GROUPS[tag], self.children(child, _TR))
                (feet if group[0] == "foot" else groups).append(group)
            child = self.end[child]
        if loose:
            groups.append(("body", loose))
        return groups + feet


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
