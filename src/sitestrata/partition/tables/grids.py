"""The tables of a page -> `Grid`: every slot with its cell, every cell with what can be seen of it.

A grid comes from a ``<table>``, from elements with ARIA table roles, or from a definition list; what follows treats
them alike. Spans are expanded by copying, as the paper's cleaner does, so that a record is a whole line.
A cell's text leaves out tables nested in it: they are grids of their own, and each text is read once.

Paper: OntoMiner 4.2.2 (Data Table Cleaner)
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from sitestrata.page import TAG_ID, TAGS, Cell, Dom, Emphasis, PageFacts, PageLimits, RawTable, raw_tables
from sitestrata.page.tables import MAX_COLSPAN, MAX_ROWSPAN, attribute_numbers

__all__ = ["Grid", "GridCell", "hidden_by_style", "page_grids"]

MAX_SLOTS = 4_000_000  # of one grid; a wider or longer one is not looked into, and reported
MAX_TERMS = 8  # of a definition list that share a description
MAX_TEXT = 20_000  # characters of a cell that are kept

_ITALIC = int(Emphasis.ITALIC)
_EMPHASIS = int(Emphasis.BOLD | Emphasis.HEADING | Emphasis.STYLED)
_CONTROLS = ("input", "select", "textarea", "button")
_BLOCKS = ("p", "div", "ul", "ol", "dl", "li", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "form", "br")
_CODES = ("code", "kbd", "listing", "pre", "samp", "tt", "xmp")
_PICTURE, _CONTROL, _BLOCK, _TABLE, _CODE = 1, 2, 3, 4, 5
_KNOWN = len(TAGS)
_TAG_KINDS = np.zeros(len(TAGS), dtype=np.int32)  # by tag
for _kind, _names in (
    (_PICTURE, ("img",)),
    (_CONTROL, _CONTROLS),
    (_BLOCK, _BLOCKS),
    (_TABLE, ("table",)),
    (_CODE, _CODES),
):
    _TAG_KINDS[[TAG_ID[_name] for _name in _names]] = _kind
_ARIA_TABLES = frozenset({"table", "grid", "treegrid"})
_ARIA_CELLS = {"cell": False, "gridcell": False, "columnheader": True, "rowheader": True}
_ARIA_SCOPES = {"columnheader": "col", "rowheader": "row"}


class GridCell:
    """One cell: where it stands and what it shows."""

    __slots__ = (
        "blocks",
        "colspan",
        "column",
        "controls",
        "emphasised",
        "holds_table",
        "is_code",
        "is_header",
        "is_italic",
        "leaves",
        "linked",
        "node",
        "pictures",
        "row",
        "rowspan",
        "scope",
        "text",
    )

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
    is_code: bool  # most of its leaves are code, keys to press, or preformatted
    pictures: int
    controls: int  # of forms
    blocks: int  # paragraphs, lists, line breaks, ...
    holds_table: bool


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
    caption_node: int  # -1 where there is none
    border: int
    is_cut: bool = False  # too large to look into, or its spans are: there are no cells and no slots

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
    with_lists: bool = True,
) -> list[Grid]:
    """Return the grids of a page: its ``<table>`` elements in document order, then ARIA tables, then lists.

    Those that ``wanted`` does not want, told their source and shape, come without cells and slots.
    """
    dom = facts.dom
    raw: list[tuple[str, RawTable]] = []
    if facts.table_count:
        raw += [("table", table) for table in raw_tables(dom, limits=limits)]
    if dom.having("role"):
        raw += [("aria", table) for table in _aria_tables(dom)]
    if with_lists:
        raw += [("list", table) for table in _definition_lists(dom)]
    filled = [wanted is None or wanted(source, table) for source, table in raw]
    seen = _Seen(facts, [table.node for source, table in raw if source == "table"]) if any(filled) else None
    return [
        _grid(index, source, table, seen if is_filled else None, facts.dom)
        for index, ((source, table), is_filled) in enumerate(zip(raw, filled, strict=True))
    ]


class _Seen:
    """What can be seen of the nodes of a page; arrays are seen as memoryviews: compiled that is C."""

    def __init__(self, facts: PageFacts, tables: Sequence[int]) -> None:
        self.facts = facts
        dom, leaves = facts.dom, facts.leaves
        self.dom = dom
        self.end = dom.end.data
        self.tag = dom.tag.data
        self.starts = dom.text_start.data
        self.stops = dom.text_end.data
        self.bytes = dom.text
        self.leaf_node = leaves.node.data
        self.link = leaves.link.data
        self.emphasis = leaves.emphasis.data
        self.kinds = _TAG_KINDS.data
        self.tables = tables
        self.hidden = hidden_by_style(dom)
        self.hidden_by: list[int] = []  # of each leaf: the innermost hidden element that holds it
        if self.hidden:
            self.hidden_by = self.innermost(self.hidden)
        self.holder: list[int] = []  # of each leaf: the innermost table that holds it

    def cells(self, cells: Sequence[Cell]) -> list[GridCell]:
        """Describe cells."""
        named = _named_headers(self.dom, cells)
        described = []
        for cell in cells:
            one = self.cell(cell.node)
            one.row = cell.row
            one.column = cell.column
            one.rowspan = cell.rowspan
            one.colspan = cell.colspan
            one.is_header = cell.is_header or cell.node in named
            one.scope = cell.scope or named.get(cell.node)
            described.append(one)
        return described

    def cell(self, node: int) -> GridCell:
        """Describe a cell, wherever it stands: nested tables count in every cell that holds them."""
        one = GridCell.__new__(GridCell)
        end = self.end[node]
        first, last = self.leaf_from(node), self.leaf_from(end)
        shown = linked = plain = upright = 0
        only = -1
        for leaf in range(first, last):
            if self.hidden and self.hidden_by[leaf] > node:
                continue
            shown += 1
            only = leaf
            linked += self.link[leaf] >= 0
            plain += (self.emphasis[leaf] & _EMPHASIS) == 0
            upright += (self.emphasis[leaf] & _ITALIC) == 0
        pictures = controls = blocks = tables = codes = past_code = 0
        for inner in range(node, end):
            tag = self.tag[inner]
            if tag < _KNOWN and self.kinds[tag]:
                kind = self.kinds[tag]
                if kind == _PICTURE:
                    pictures += 1
                elif kind == _CONTROL:
                    controls += 1
                elif kind == _CODE:
                    if inner >= past_code:
                        past_code = self.end[inner]
                        codes += self.leaf_from(past_code) - self.leaf_from(inner)
                elif inner > node:
                    if kind == _BLOCK:
                        blocks += 1
                    else:
                        tables += 1
        text = self.own_text(node, first, last) if tables else self.text(node, shown, only)
        one.node = node
        one.text = text[:MAX_TEXT] if len(text) > MAX_TEXT else text
        one.leaves = shown
        one.linked = linked
        one.emphasised = shown > 0 and not plain
        one.is_italic = shown > 0 and not upright
        one.is_code = 2 * codes > shown
        one.pictures = pictures
        one.controls = controls
        one.blocks = blocks
        one.holds_table = tables > 0
        return one

    def leaf_from(self, node: int) -> int:
        """Return the first leaf at a node or behind it."""
        low, high = 0, len(self.leaf_node)
        while low < high:
            middle = (low + high) // 2
            if self.leaf_node[middle] < node:
                low = middle + 1
            else:
                high = middle
        return low

    def text(self, node: int, shown: int, only: int) -> str:
        """Return what a subtree shows: the common case of one text without a walk."""
        if not shown:
            return ""
        if shown == 1:
            leaf = self.leaf_node[only]
            start, stop = self.starts[leaf], self.stops[leaf]
            return self.bytes[start:stop].decode("utf-8").strip() if start < stop else self.facts.leaf_text(only)
        hidden = self.hidden and self.hidden[bisect_right(self.hidden, node) : bisect_left(self.hidden, self.end[node])]
        text = self.dom.inner_text(node, without=hidden)
        if text:
            return text
        leaves = range(self.leaf_from(node), self.leaf_from(self.end[node]))
        return " ".join([self.facts.leaf_text(leaf) for leaf in leaves])

    def own_text(self, node: int, first: int, last: int) -> str:
        """Return what a subtree shows outside the tables nested in it."""
        if not self.holder:
            self.holder = self.innermost(self.tables)
        pieces = []
        for leaf in range(first, last):
            # A leaf is outside the nested tables if the innermost table that holds it begins before the cell.
            if self.holder[leaf] < node and not (self.hidden and self.hidden_by[leaf] > node):
                place = self.leaf_node[leaf]
                pieces.append(self.bytes[self.starts[place] : self.stops[place]].decode("utf-8"))
        return " ".join(" ".join(pieces).split())

    def innermost(self, elements: Sequence[int]) -> list[int]:
        """Return of each leaf which of some elements, in document order, is the innermost that holds it; -1 = none."""
        holder = [-1] * len(self.leaf_node)
        for element in elements:
            start, stop = self.leaf_from(element), self.leaf_from(self.end[element])
            holder[start:stop] = [element] * (stop - start)  # inner ones come later
        return holder


def hidden_by_style(dom: Dom) -> list[int]:
    """Return the elements that their own style hides: in cells these are keys to sort by, not what the cell says."""
    styles = [(node, dom.attribute(node, "style") or "") for node in dom.having("style")]
    return [node for node, style in styles if "display:none" in style.replace(" ", "").lower()]


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


def _grid(index: int, source: str, table: RawTable, seen: _Seen | None, dom: Dom) -> Grid:
    is_cut = table.is_clipped or table.rows * table.columns > MAX_SLOTS
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
    if not caption:
        caption = (dom.attribute(table.node, "aria-label") or "").strip() or _named_by(dom, table.node)
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
        caption_node=table.caption,
        border=table.border,
        is_cut=is_cut,
    )


def _named_by(dom: Dom, node: int) -> str:
    """Return what the elements say that an element names as its label (WAI-ARIA 1.2, aria-labelledby)."""
    names = (dom.attribute(node, "aria-labelledby") or "").split()
    if not names:
        return ""
    by_id = {dom.attribute(one, "id"): one for one in reversed(dom.having("id"))}
    return " ".join(filter(None, [dom.inner_text(by_id[name]) for name in names if name in by_id]))


def _aria_tables(dom: Dom) -> Iterator[RawTable]:
    """Find tables that are built of other elements with ARIA roles (WAI-ARIA 1.2, table, row, cell)."""
    colspans, rowspans = attribute_numbers(dom, "aria-colspan"), attribute_numbers(dom, "aria-rowspan")
    places = attribute_numbers(dom, "aria-colindex")  # from 1: where columns are left out
    roles = {node: (dom.attribute(node, "role") or "").strip().lower() for node in dom.having("role")}
    marked = sorted(roles)
    for node in marked:
        if roles[node] not in _ARIA_TABLES or dom.tag_name(node) == "table":
            continue
        end = int(dom.end[node])
        cells: list[Cell] = []
        rows = 0
        caption = -1
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
            elif role == "caption" and caption < 0:
                caption = inner
            elif role == "row":
                rows += 1
                row_end, column = int(dom.end[inner]), 0
            elif role in _ARIA_CELLS and inner < row_end:
                row = rows - 1
                if column < places.get(inner, 0) <= MAX_COLSPAN:
                    column = places[inner] - 1
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
            cells = [replace(cell, rowspan=min(cell.rowspan, rows - cell.row)) for cell in cells]
            yield _simple_table(node, cells, rows, width, caption)


def _definition_lists(dom: Dom) -> Iterator[RawTable]:
    """Find definition lists: one row a description, its term on the left."""
    for node in dom.find("dl"):
        cells: list[Cell] = []
        rows = 0
        terms: list[int] = []
        used = True  # whether the terms at hand have had a description
        for child in _list_items(dom, node):
            if dom.tag_name(child) == "dt":
                if used:
                    terms, used = [], False
                terms = [*terms[-MAX_TERMS + 1 :], child]
            elif terms:
                for term in terms:
                    cells.append(_cell(rows, 0, term, is_header=True, scope="row"))
                    cells.append(_cell(rows, 1, child))
                    rows += 1
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


def _simple_table(node: int, cells: list[Cell], rows: int, width: int, caption: int = -1) -> RawTable:
    return RawTable(node, -1, rows, width, tuple(cells), ("body",) * rows, caption, 0)
