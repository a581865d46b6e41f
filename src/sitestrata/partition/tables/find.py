"""A page -> its tables: which are data, how they are oriented, their header cells; and the page stage that keeps them.

Paper: OntoMiner 4.2
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from sitestrata.model import DataTable, Reject
from sitestrata.page import PageFacts, RawTable
from sitestrata.partition.tables.detect import TABLE_FEATURES, table_features
from sitestrata.partition.tables.grids import Grid, GridCell, page_grids
from sitestrata.partition.tables.headers import Headers, find_headers, orientation_of
from sitestrata.partition.tables.look import look_at
from sitestrata.partition.tables.paper import paper_detects, paper_headers
from sitestrata.partition.tables.records import values_of
from sitestrata.partition.tables.weights import TABLE, log_odds

__all__ = ["TableOptions", "data_grids", "find_tables", "read_tables"]

STAGE = "tables"
BRIEF_TERM = 60  # characters of a term in a list of pairs; longer ones are questions or sentences
FORM_CELLS = 0.3  # share of cells
PROSE = 200  # characters of a description

_LINKED = TABLE_FEATURES.index("linked")
_LAYOUT_ROLES = frozenset({"presentation", "none"})


@dataclass(frozen=True, slots=True)
class TableOptions:
    """How tables are judged."""

    profile: str = "default"  # paper: the rules and clustering of OntoMiner 4.2


def find_tables(facts: PageFacts, *, options: TableOptions | None = None) -> tuple[DataTable, ...]:
    """Return all tables of a page: ``<table>`` elements in document order, then ARIA tables, then definition lists."""
    judge = _judge_as_paper if options is not None and options.profile == "paper" else _judge
    return tuple(judge(facts, grid) for grid in page_grids(facts))


def read_tables(facts: PageFacts, options: TableOptions) -> dict[str, list[Any]]:
    """Read the tables off a page for a workspace: layout tables are kept without their text."""
    judge = _judge_as_paper if options.profile == "paper" else _judge
    tables: list[DataTable] = []
    rejects: list[Reject] = []
    for grid in page_grids(facts, wanted=partial(_may_hold_data, facts)):
        if grid.is_cut:
            size = f"Table {grid.index} has {grid.rows:,} rows and {grid.columns:,} columns"
            rejects.append(Reject(facts.url, STAGE, "table-too-large", f"{size}; it was not looked into."))
        tables.append(judge(facts, grid, is_text_kept=False))
    found: dict[str, list[Any]] = {
        "data_tables": tables,
        "table_values": [
            value for table in tables if table.is_data for value in values_of(table, language=facts.language)
        ],
    }
    if rejects:
        found["rejects"] = rejects
    return found


def data_grids(facts: PageFacts, *, options: TableOptions | None = None) -> Iterator[tuple[Grid, Headers]]:
    """Yield the tables of a page that hold data, cell by cell, with their header lines; definition lists are left."""
    if options is not None and options.profile == "paper":
        for grid in page_grids(facts, with_lists=False):
            if not grid.is_cut and grid.cells and paper_detects(grid):
                yield grid, paper_headers(grid)[0]
        return
    for grid in page_grids(facts, wanted=partial(_may_hold_data, facts), with_lists=False):
        headers, score = _judged(facts, grid)
        if score > 0:
            yield grid, headers


def _may_hold_data(facts: PageFacts, source: str, table: RawTable) -> bool:
    """Tell tables that may hold data from those that their shape or their author calls layout."""
    if source == "list":
        return True
    return min(table.rows, table.columns) > 1 and _role(facts, table.node) not in _LAYOUT_ROLES


def _judge(facts: PageFacts, grid: Grid, *, is_text_kept: bool = True) -> DataTable:
    return _record(facts, grid, *_judged(facts, grid), is_text_kept=is_text_kept)


def _judged(facts: PageFacts, grid: Grid) -> tuple[Headers, float]:
    """Return the header lines of a grid, and a score above 0 if it is data."""
    if grid.is_cut or not grid.cells:
        return _no_headers(grid), -1.0
    if grid.source == "list":
        return replace(_no_headers(grid), left=1), _pair_score(grid)
    if min(_lines(grid.slots), _lines(grid.slots.T)) < 2 or _shows_one_line(grid):  # there is nothing to compare with
        return _no_headers(grid), -1.0
    look = look_at(grid)
    features = table_features(grid, look)
    score = log_odds(TABLE, features)
    if grid.rows == 2:  # nothing repeats: links count against it twice
        score += TABLE[_LINKED] * float(features[_LINKED])
    if _is_form(grid) or _is_one_text(grid) or _is_list(grid):
        score = min(score, -1.0)
    score = _claimed(facts, grid, score)
    return (find_headers(grid, look) if score > 0 else _no_headers(grid)), score


def _lines(slots: npt.NDArray[np.int32]) -> int:
    """Count the first lines of a grid that are more than one cell from edge to edge; two are enough."""
    count = 0
    for number, line in enumerate(slots):
        if (line != line[0]).any() and (not number or (line != slots[number - 1]).any()):
            count += 1
            if count == 2:
                break
    return count


def _shows_one_line(grid: Grid) -> bool:
    """Tell whether all texts stand in one column, or in one row: an address, a listing, with cells for a margin."""
    rows, columns = set(), set()
    for cell in grid.cells:
        if cell.text:
            rows.add(cell.row)
            columns.add(cell.column)
            if len(rows) > 1 and len(columns) > 1:
                return False
    return True


def _no_headers(grid: Grid) -> Headers:
    return Headers(0, 0, 0, ("data",) * len(grid.slots))


def _judge_as_paper(facts: PageFacts, grid: Grid, *, is_text_kept: bool = True) -> DataTable:
    if grid.is_cut or not grid.cells or not paper_detects(grid):
        return _record(facts, grid, _no_headers(grid), -1.0, is_text_kept=is_text_kept)
    headers, cells = paper_headers(grid)
    return replace(_record(facts, grid, headers, 1.0), header_cells=cells)


def _claimed(facts: PageFacts, grid: Grid, score: float) -> float:
    """Heed what the author says about the element: ``role=presentation`` places things, the ARIA roles hold data.

    A grid is something to walk through by keys, and may be a list of links; one with headers holds data.
    """
    if _role(facts, grid.node) in _LAYOUT_ROLES:
        return min(score, -1.0)
    is_table = grid.source == "aria" and (
        _role(facts, grid.node) == "table" or any(cell.is_header for cell in grid.cells)
    )
    if is_table and min(grid.rows, grid.columns) > 1:
        return max(score, 1.0)
    return score


def _role(facts: PageFacts, node: int) -> str:
    return (facts.dom.attribute(node, "role") or "").strip().lower()


def _is_form(grid: Grid) -> bool:
    """Tell whether so many cells hold nothing but controls that the table is there to be filled in."""
    shown = [cell for cell in grid.cells if cell.text or cell.controls]
    return sum([cell.controls > 0 and not cell.text for cell in shown]) >= FORM_CELLS * max(len(shown), 1)


def _is_one_text(grid: Grid) -> bool:
    """Tell whether the first row opens a bracket that the last row closes: a text set in cells, as prototypes are."""
    first, last = _row(grid, 0), _row(grid, grid.rows - 1)
    return any(_open_brackets(text) > 0 for text in first) and any(_open_brackets(text) < 0 for text in last)


def _is_list(grid: Grid) -> bool:
    """Tell whether a column of bullets or of numbers that count ("1.", "2.") stands before one of texts."""
    number = 0
    first = ""
    for row in range(grid.rows):
        shown = [text for text in _row(grid, row) if text]
        if not shown:
            continue
        number += 1
        first = first or shown[0]
        is_bullet = shown[0] == first and not any(map(str.isalnum, first))
        if len(shown) != 2 or not (is_bullet or shown[0] in (f"{number}.", f"{number})")):
            return False
    return True


def _row(grid: Grid, row: int) -> list[str]:
    return [grid.text(row, column) for column in range(grid.columns)]


def _open_brackets(text: str) -> int:
    """Return how many round brackets a text leaves open; below 0, how many it closes that others opened."""
    return text.count("(") - text.count(")")


def _pair_score(grid: Grid) -> float:
    """Tell pairs of label and value from glossaries, questions, menus, fields to fill in and indented text."""
    names, described = ([grid.cells[number] for number in grid.slots[:, column].tolist()] for column in (0, 1))
    count = len({cell.node for cell in names})
    if count < 2 or _is_form(grid):
        return -1.0
    if _are_links(described) and (_are_links(names) or len(described) >= 2 * count):
        return -1.0  # contents, or a menu in groups
    terms = np.array([len(grid.text(row, 0)) for row in range(grid.rows)])
    values = np.array([len(grid.text(row, 1)) for row in range(grid.rows)])
    if not terms.any():
        return -1.0
    return 2.0 * float((terms <= BRIEF_TERM).mean()) - 1.0 - 2.0 * float((values > PROSE).mean())


def _header_cells(grid: Grid, headers: Headers) -> tuple[tuple[int, int], ...]:
    """Return the slots of header lines that a cell covers: a short row has none at its end."""
    return tuple([slot for slot in headers.cells(grid.columns) if grid.slots[slot] >= 0])


def _are_links(cells: Sequence[GridCell]) -> bool:
    return all(cell.leaves == cell.linked for cell in cells)


def _record(facts: PageFacts, grid: Grid, headers: Headers, score: float, *, is_text_kept: bool = True) -> DataTable:
    is_text_kept = is_text_kept or score > 0
    titles = [grid.text(row, 0) for row in range(headers.titles) if headers.roles[row] == "title"]
    title = " ".join(dict.fromkeys(filter(None, titles)))
    return DataTable(
        page=facts.url_id,
        index=grid.index,
        source=grid.source,
        node=grid.node,
        parent=grid.parent,
        is_data=score > 0,
        score=round(score, 6),
        orientation=orientation_of(headers.top, headers.left) if score > 0 else "none",
        title=grid.caption or title or None,
        rows=grid.rows,
        columns=grid.columns,
        grid=grid.texts() if is_text_kept else (),
        header_cells=_header_cells(grid, headers) if score > 0 else (),
        row_roles=headers.roles if is_text_kept else (),
    )
