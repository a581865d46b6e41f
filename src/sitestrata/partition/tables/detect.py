"""A grid -> features that tell whether it is data or only places things on the page.

The score is a sum of named features with weights (`sitestrata.partition.tables.weights`); above 0 means data. What
counts: lines alike within themselves and unlike their header, values, brevity; against it: prose, forms, pictures, many
pieces in one cell, tables inside, rows of unequal width.

Paper: OntoMiner 4.2.1 (Data Table Detector; its own rules are in `sitestrata.partition.tables.paper`)
"""

from collections import Counter

import numpy as np
import numpy.typing as npt

from sitestrata.partition.tables.grids import Grid
from sitestrata.partition.tables.look import EMPTY, NUMBER, Look

__all__ = ["TABLE_FEATURES", "table_features"]

Floats = npt.NDArray[np.float64]

TABLE_FEATURES = (
    "rows",  # log2, at most 6
    "columns",  # log2, at most 4
    "uniform",  # share of rows with the most frequent number of cells
    "filled",  # share of slots that show something
    "values",  # share of shown slots that are numbers, dates, times
    "alike down",  # mean share of the most frequent shape in a column, first row apart
    "alike across",  # the same in a row, first column apart
    "brief",  # share of shown slots of at most 40 characters
    "prose",  # share of more than 150
    "linked",  # share of shown cells that are links
    "links in a cell",  # log of the mean number
    "pieces in a cell",  # log of the mean number of leaves
    "most pieces",  # log of the largest
    "pictures",  # mean number in a cell, at most 2
    "controls",  # cells with form controls, share
    "blocks",  # log of the mean number of blocks in a cell
    "holds table",
    "bordered",
    "marked",  # the markup has header cells, but not only
    "has head",  # thead or caption
    "full rows",  # share of rows that are one cell over all columns
)

BRIEF = 40
PROSE = 150


def table_features(grid: Grid, look: Look) -> Floats:
    """Describe a grid."""
    cells = [grid.cells[number] for number in sorted(set(look.cell.ravel().tolist()) - {-1})]
    shown = [cell for cell in cells if cell.text or cell.leaves or cell.controls or cell.pictures]
    count = max(len(shown), 1)
    filled = look.kind != EMPTY
    slots = max(int(filled.sum()), 1)
    own = [len(set(row) - {-1}) for row in look.cell.tolist()]
    widths = np.bincount([width for width in own if width] or [0])
    marked = sum(cell.is_header for cell in cells)
    shapes = np.where(filled, look.shape, 0)
    return np.array(
        [
            min(np.log2(max(grid.rows, 1)), 6.0),
            min(np.log2(max(grid.columns, 1)), 4.0),
            widths.max() / max(len(own), 1),
            float(filled.mean()) if filled.size else 0.0,
            float((look.kind >= NUMBER).sum()) / slots,
            _alike(shapes[1:].T.tolist()),
            _alike(shapes[:, 1:].tolist()),
            float((filled & (look.length <= BRIEF)).sum()) / slots,
            float((look.length > PROSE).sum()) / slots,
            sum(cell.leaves > 0 and cell.linked == cell.leaves for cell in shown) / count,
            float(np.log1p(sum(cell.linked for cell in shown) / count)),
            float(np.log1p(sum(cell.leaves for cell in shown) / count)),
            float(np.log1p(max((cell.leaves for cell in shown), default=0))),
            min(sum(cell.pictures for cell in shown) / count, 2.0),
            sum(cell.controls > 0 for cell in shown) / count,
            float(np.log1p(sum(cell.blocks for cell in shown) / count)),
            float(any(cell.holds_table for cell in cells)),
            float(grid.border > 0),
            float(0 < marked < len(cells)),
            float("head" in grid.sections or grid.caption is not None),
            sum(width == 1 for width in own) / max(len(own), 1) if grid.columns > 1 else 0.0,
        ]
    )


def _alike(shapes: list[list[int]]) -> float:
    """Return the mean share of the most frequent shape in a line, over lines with at least two texts; 0 is no text."""
    shares = []
    for line in shapes:
        shown = [shape for shape in line if shape]
        if len(shown) > 1:
            shares.append(max(Counter(shown).values()) / len(shown))
    return sum(shares) / len(shares) if shares else 0.0
