"""The tables of a page -> `Grid`: every slot with its cell, every cell with what can be seen of it.

A grid comes from a ``<table>``, from elements with ARIA table roles, or from a definition list; what follows treats
them alike. Spans are expanded by copying, as the paper's cleaner does, so that a record is a whole line.
A cell's text leaves out tables nested in it: they are grids of their own, and each text is read once.

Paper: OntoMiner 4.2.2 (Data Table Cleaner)
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from sitestrata.page import TAG_ID, TAGS, Cell, Dom, Emphasis, PageFacts, PageLimits, RawTable, raw_tables
from sitestrata.page.tables import MAX_COLSPAN, MAX_ROWSPAN, attribute_numbers
from sitestrata.partition.tables.values import Value, read_value

__all__ = ["Grid", "GridCell", "page_grids"]

MAX_SLOTS = 4_000_000  # of one grid; a wider or longer one is not looked into, and reported
MAX_TERMS = 8  # of a definition list that share a description
MAX_TEXT = 20_000  # characters of a cell that are kept

_ITALIC = int(Emphasis.ITALIC)
_EMPHASIS = int(Emphasis.BOLD | Emphasis.HEADING | Emphasis.STYLED)
_CONTROLS = ("input", "select", "textarea", "button")
_BLOCKS = ("p", "div", "ul", "ol", "dl", "li", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "form", "br")
_PICTURE, _CONTROL, _BLOCK = 1, 2, 3
_TAG_KINDS = np.zeros(len(TAGS) + 1, dtype=np.int8)  # by tag, clipped to len(TAGS)
for _kind, _names in ((_PICTURE, ("img",)), (_CONTROL, _CONTROLS), (_BLOCK, _BLOCKS)):
    _TAG_KINDS[[TAG_ID[_name] for _name in _names]] = _kind
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


def page_grids(
    facts: PageFacts,
    *,
    limits: PageLimits | None = None,
    wanted: Callable[[str, RawTable], bool] | None = None,
    only_elements: bool = False,
) -> list[Grid]:
    """Return the grids of a page: its ``<table>`` elements in document order, then ARIA tables, then lists.

    Those that ``wanted`` does not want, told their source and shape, come without cells and slots.
    With ``only_elements`` there are neither ARIA tables nor lists.
    """
    dom = facts.dom
    raw: list[tuple[str, RawTable]] = []
    if facts.table_count:
        raw += [("table", table) for table in raw_tables(dom, limits=limits)]
    if not only_elements:
        if facts.dom.having("role"):
            raw += [("aria", table) for table in _aria_tables(dom)]
        raw += [("list", table) for table in _definition_lists(dom)]
    filled = [wanted is None or wanted(source, table) for source, table in raw]
    seen = _Seen(facts, [table.node for source, table in raw if source == "table"]) if any(filled) else None
    return [
        _grid(index, source, table, seen if is_filled else None, facts.dom)
        for index, ((source, table), is_filled) in enumerate(zip(raw, filled, strict=True))
    ]


class _Seen:
    """Counts over the nodes of a page, as prefix sums: what a subtree holds is a difference."""

    def __init__(self, facts: PageFacts, tables: Sequence[int]) -> None:
        self.facts = facts
        self.dom = dom = facts.dom
        kinds = _TAG_KINDS[np.minimum(dom.tag, len(TAGS))]
        leaves = facts.leaves
        self.leaf_node = leaves.node
        self.start, self.stop = dom.text_start[leaves.node], dom.text_end[leaves.node]
        self.linked = _prefix(leaves.link >= 0)
        self.plain = _prefix((leaves.emphasis & _EMPHASIS) == 0)
        self.upright = _prefix((leaves.emphasis & _ITALIC) == 0)
        self.pictures = _prefix(kinds == _PICTURE)
        self.controls = _prefix(kinds == _CONTROL)
        self.blocks = _prefix(kinds == _BLOCK)
        self.tables = np.array(tables, dtype=np.int32)
        self.holder: list[int] = []  # of each leaf: the innermost table that holds it

    def cells(self, cells: Sequence[Cell]) -> list[GridCell]:
        """Describe cells, all in one go."""
        node = np.array([cell.node for cell in cells], dtype=np.int32)
        end = self.dom.end[node]
        first = np.searchsorted(self.leaf_node, node).astype(np.int32)
        last = np.searchsorted(self.leaf_node, end).astype(np.int32)
        table = np.searchsorted(self.tables, node, side="right")
        holds_table = np.append(self.tables, np.iinfo(np.int32).max)[table] < end
        shown = last > first
        one = np.minimum(first, max(len(self.leaf_node) - 1, 0))
        columns = (
            node,
            first,
            last,
            # Of the cell's only text; of others the two are equal.
            np.where(last == first + 1, self.start[one], 0) if len(self.start) else first,
            np.where(last == first + 1, self.stop[one], 0) if len(self.start) else first,
            last - first,
            self.linked[last] - self.linked[first],
            shown & (self.plain[last] == self.plain[first]),
            shown & (self.upright[last] == self.upright[first]),
            self.pictures[end] - self.pictures[node],
            self.controls[end] - self.controls[node],
            self.blocks[end] - self.blocks[node + 1],
            holds_table,
        )
        text = self.dom.text
        named = _named_headers(self.dom, cells)
        described = []
        for (
            cell,
            at,
            start,
            stop,
            byte,
            last_byte,
            leaves,
            linked,
            bold,
            italic,
            pictures,
            controls,
            blocks,
            inner,
        ) in zip(cells, *(column.tolist() for column in columns), strict=True):
            if inner:
                said = self.own_text(at, start, stop)
            elif byte < last_byte:
                said = text[byte:last_byte].decode().strip()
            else:
                said = self.text(at, start, stop)
            described.append(
                GridCell(
                    cell.row,
                    cell.column,
                    cell.rowspan,
                    cell.colspan,
                    cell.is_header or at in named,
                    cell.scope or named.get(at),
                    at,
                    said[:MAX_TEXT],
                    leaves,
                    linked,
                    bold,
                    italic,
                    pictures,
                    controls,
                    blocks,
                    inner,
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

    def own_text(self, node: int, first: int, last: int) -> str:
        """Return what a subtree shows outside the tables nested in it."""
        if not self.holder:
            holder = np.full(len(self.leaf_node), -1, dtype=np.int32)
            spans = np.searchsorted(self.leaf_node, np.stack([self.tables, self.dom.end[self.tables]])).T
            for table, (start, stop) in zip(self.tables.tolist(), spans.tolist(), strict=True):
                holder[start:stop] = table  # inner tables come later
            self.holder = holder.tolist()
        text = self.dom.text
        # A leaf is outside the nested tables if the innermost table that holds it begins before the cell.
        pieces = [
            text[self.start[leaf] : self.stop[leaf]].decode() for leaf in range(first, last) if self.holder[leaf] < node
        ]
        return " ".join(" ".join(pieces).split())


def _named_headers(dom: Dom, cells: Sequence[Cell]) -> dict[int, str]:
    """Return the cells that others name in their attribute ``headers``, each with the scope that follows from it."""
    if not any(cell.headers for cell in cells):
        return {}
    by_id: dict[str, Cell] = {}
    for cell in cells:
        name = dom.attribute(cell.node, "id")
        if name:
            by_id.setdefault(name, cell)
    scopes: dict[int, str] = {}
    for cell in cells:
        for name in cell.headers:
            head = by_id.get(name)
            if head is not None and head is not cell:
                is_beside = head.row <= cell.row < head.row + head.rowspan
                scopes.setdefault(head.node, "row" if is_beside else "col")
    return scopes


def _prefix(flags: npt.NDArray[np.bool_]) -> npt.NDArray[np.int32]:
    sums = np.zeros(len(flags) + 1, dtype=np.int32)
    np.cumsum(flags, out=sums[1:])
    return sums


def _grid(index: int, source: str, table: RawTable, seen: _Seen | None, dom: Dom) -> Grid:
    is_cut = table.rows * table.columns > MAX_SLOTS
    cells = [] if is_cut or seen is None or not table.cells else seen.cells(table.cells)
    slots = np.full((0, 0) if is_cut or seen is None else (table.rows, table.columns), -1, dtype=np.int32)
    # Where cells overlap, the first one keeps the slot: written last.
    for number in range(len(cells) - 1, -1, -1):
        cell = cells[number]
        if cell.rowspan == cell.colspan == 1:
            slots[cell.row, cell.column] = number
        else:
            slots[cell.row : cell.row + cell.rowspan, cell.column : cell.column + cell.colspan] = number
    caption = dom.inner_text(table.caption) if table.caption >= 0 else ""
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
    colspans, rowspans = attribute_numbers(dom, "aria-colspan"), attribute_numbers(dom, "aria-rowspan")
    roles = {node: (dom.attribute(node, "role") or "").strip().lower() for node in dom.having("role")}
    marked = sorted(roles)
    for node in marked:
        if roles[node] not in _ARIA_TABLES or dom.tag_name(node) == "table":
            continue
        end = int(dom.end[node])
        cells: list[Cell] = []
        rows: list[int] = []
        width = column = 0
        busy: dict[int, int] = {}  # column -> first row below the cell that covers it
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
                row = len(rows) - 1
                while busy.get(column, 0) > row:
                    column += 1
                colspan = min(colspans.get(inner, 1) or 1, MAX_COLSPAN)
                rowspan = min(rowspans.get(inner, 1) or MAX_ROWSPAN, MAX_ROWSPAN)  # 0: to the end of the group
                if rowspan > 1:
                    busy.update(dict.fromkeys(range(column, column + colspan), row + rowspan))
                is_header, scope = _ARIA_CELLS[role], _ARIA_SCOPES.get(role)
                cells.append(Cell(row, column, rowspan, colspan, is_header, scope, (), inner))
                column += colspan
                width = max(width, column)
        if cells:
            cells = [replace(cell, rowspan=min(cell.rowspan, len(rows) - cell.row)) for cell in cells]
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
