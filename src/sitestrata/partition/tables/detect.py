"""A grid -> features that tell whether it is data or only places things on the page.

The score is a sum of named features with weights (`sitestrata.partition.tables.weights`); above 0 means data. What
counts: columns alike within themselves, values, brevity, full rows of equal width; against it: links, forms, blocks in
cells, tables inside.

Paper: OntoMiner 4.2.1 (Data Table Detector; its own rules are in `sitestrata.partition.tables.paper`)
"""

from math import log1p, log2

import numpy as np
import numpy.typing as npt

from sitestrata.partition.tables.grids import Grid
from sitestrata.partition.tables.look import EMPTY, VALUE, Look, kernel

__all__ = ["TABLE_FEATURES", "table_features"]

Floats = npt.NDArray[np.float64]

# Few, each with one direction: with more, tables of sites that were left out of the fit were judged worse.
TABLE_FEATURES = (
    "columns",  # log2, at most 4
    "uniform",  # share of rows with the most frequent number of cells
    "filled",  # share of slots that show something
    "values",  # share of shown slots that are numbers, dates, times
    "alike down",  # mean share of the most frequent shape in a column, first row apart
    "brief",  # share of shown slots of at most 40 characters
    "linked",  # share of shown cells that are links
    "links in a cell",  # log of the mean number
    "controls",  # cells with form controls, share
    "blocks",  # log of the mean number of blocks in a cell
    "holds table",
    "full rows",  # share of rows that are one cell over all columns
)

BRIEF = 40

_CELL, _KIND, _LENGTH, _SHAPE = kernel.CELL, kernel.KIND, kernel.LENGTH, kernel.SHAPE
_EMPTY, _VALUE = EMPTY, VALUE


def table_features(grid: Grid, look: Look) -> Floats:
    """Describe a grid."""
    planes = look.planes.data
    rows, columns = look.planes.shape[1], look.planes.shape[2]
    filled = values = brief = full = 0
    widths: dict[int, int] = {}
    numbers: set[int] = set()
    for row in range(rows):
        own = set()
        for column in range(columns):
            number = planes[_CELL, row, column]
            if number >= 0:
                own.add(number)
            kind = planes[_KIND, row, column]
            filled += kind != _EMPTY
            values += kind >= _VALUE
            brief += kind != _EMPTY and planes[_LENGTH, row, column] <= BRIEF
        numbers |= own
        width = len(own)
        full += width == 1
        if width:
            widths[width] = widths.get(width, 0) + 1
    shown = links = linked = controls = blocks = tables = 0
    for number in numbers:
        cell = grid.cells[number]
        tables += cell.holds_table
        if cell.text or cell.leaves or cell.controls or cell.pictures:
            shown += 1
            links += cell.leaves > 0 and cell.linked == cell.leaves
            linked += cell.linked
            controls += cell.controls > 0
            blocks += cell.blocks
    # Compiled, the quotient of two integers would be one.
    count, slots, lines = float(max(shown, 1)), float(max(filled, 1)), float(max(rows, 1))
    return np.array(
        [
            min(log2(max(grid.columns, 1)), 4.0),
            max(widths.values(), default=0) / lines,
            filled / (lines * max(columns, 1)),
            values / slots,
            _alike(look),
            brief / slots,
            links / count,
            log1p(linked / count),
            controls / count,
            log1p(blocks / count),
            float(tables > 0),
            full / lines if grid.columns > 1 else 0.0,
        ]
    )


def _alike(look: Look) -> float:
    """Return the mean share of the most frequent shape in a column, over columns with at least two texts.

    The first row is left out, as it may be a header.
    """
    planes = look.planes.data
    share = 0.0
    lines = 0
    for column in range(look.planes.shape[2]):
        counts: dict[int, int] = {}
        total = most = 0.0
        for row in range(1, look.planes.shape[1]):
            shape = planes[_SHAPE, row, column]
            if shape and planes[_KIND, row, column] != _EMPTY:
                count = counts.get(shape, 0) + 1
                counts[shape] = count
                total += 1
                most = max(most, count)
        if total > 1:
            share += most / total
            lines += 1
    return share / lines if lines else 0.0
