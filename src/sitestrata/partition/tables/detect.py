"""A grid -> features that tell whether it is data or only places things on the page.

The score is a sum of named features with weights (`sitestrata.partition.tables.weights`); above 0 means data. What
counts: columns alike within themselves, values, brevity, full rows of equal width; against it: links, forms, blocks in
cells, tables inside.

Paper: OntoMiner 4.2.1 (Data Table Detector; its own rules are in `sitestrata.partition.tables.paper`)
"""

from collections import Counter

import numpy as np
import numpy.typing as npt

from sitestrata.partition.tables.grids import Grid
from sitestrata.partition.tables.look import EMPTY, NUMBER, Look

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


def table_features(grid: Grid, look: Look) -> Floats:
    """Describe a grid."""
    cells = [grid.cells[number] for number in sorted(set(look.cell.ravel().tolist()) - {-1})]
    shown = [cell for cell in cells if cell.text or cell.leaves or cell.controls or cell.pictures]
    count = max(len(shown), 1)
    filled = look.kind != EMPTY
    slots = max(int(filled.sum()), 1)
    own = [len(set(row) - {-1}) for row in look.cell.tolist()]
    widths = np.bincount([width for width in own if width] or [0])
    return np.array(
        [
            min(np.log2(max(grid.columns, 1)), 4.0),
            widths.max() / max(len(own), 1),
            float(filled.mean()) if filled.size else 0.0,
            float((look.kind >= NUMBER).sum()) / slots,
            _alike(np.where(filled, look.shape, 0)[1:].T.tolist()),
            float((filled & (look.length <= BRIEF)).sum()) / slots,
            sum(cell.leaves > 0 and cell.linked == cell.leaves for cell in shown) / count,
            float(np.log1p(sum(cell.linked for cell in shown) / count)),
            sum(cell.controls > 0 for cell in shown) / count,
            float(np.log1p(sum(cell.blocks for cell in shown) / count)),
            float(any(cell.holds_table for cell in cells)),
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
