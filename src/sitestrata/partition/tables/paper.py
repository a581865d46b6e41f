"""Tables as the paper judges them: three rules to detect, clustering to find the header cells.

The detector asks for a border or two rows and columns, for rows of equal width, and for cells that form two clusters
along the lines. The template identifier clusters each line into one or two groups, calls the first cell of the table a
header, and lets "header" spread to every cell that shares a line and a cluster with one.

Paper: OntoMiner 4.2.1, 4.2.2
Cost: rows x columns x rounds; tables of more than MAX_SLOTS slots are refused.
Differences from the paper: the weights of the features are not printed, ours stand in ``_WEIGHTS``; a tagger for parts
of speech would know one language, so the share of letters stands for it; the threshold under which a line is one
cluster is ours; two-means begins with the first cell and the one farthest from it, so that it gives the same answer
every time. Tables nested in a cell are tables of their own (the paper could not read them).
"""

import numpy as np
import numpy.typing as npt

from sitestrata.partition.tables.grids import Grid, GridCell
from sitestrata.partition.tables.headers import Headers
from sitestrata.partition.tables.values import NUMERIC, read_value

__all__ = ["MAX_SLOTS", "mark_headers", "paper_detects", "paper_headers"]

Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]

SAME_WIDTH = 0.8  # OntoMiner 4.2.1, the second rule
SAME_CLUSTER = 0.8  # OntoMiner 4.2.1, the third rule
ONE_CLUSTER = 0.28  # mean distance from the centre below which a line is one cluster; ours
ROUNDS = 20  # of two-means
MAX_SLOTS = 20_000

_SPECIAL = frozenset("$€£¥%+-*/=<>{}[]()@#&|~^")
# bold, italic, capitalised, link, letters, number, date, words, word length, special characters
_WEIGHTS = np.array([1.0, 0.5, 0.4, 0.4, 0.5, 1.0, 0.8, 0.4, 0.3, 0.6])


def paper_detects(grid: Grid) -> bool:
    """Apply the three rules of the Data Table Detector."""
    if not (grid.border > 0 or (grid.rows >= 2 and grid.columns >= 2)) or grid.slots.size == 0:
        return False
    widths = np.bincount((grid.slots >= 0).sum(axis=1))
    if widths.max() < SAME_WIDTH * grid.rows:
        return False
    if grid.slots.size > MAX_SLOTS:
        return False
    vectors = _vectors(grid)
    shown = grid.slots >= 0
    cluster = np.full(grid.slots.shape, -1, dtype=np.int64)
    cluster[shown] = _two_means(vectors[shown])
    if len(np.unique(cluster[shown])) < 2:
        return False
    return any(_dominance(lines) >= SAME_CLUSTER for lines in (cluster, cluster.T))


def paper_headers(grid: Grid) -> tuple[Headers, tuple[tuple[int, int], ...]]:
    """Find the header cells by clustering; return the header lines they form, and the cells."""
    if grid.slots.size > MAX_SLOTS or grid.slots.size == 0:
        return Headers(0, 0, 0, ("data",) * grid.rows), ()
    marked = mark_headers(grid)
    top = 0
    while top < grid.rows and bool(marked[top].all()):
        top += 1
    body = marked[top:]
    left = 0
    while left < grid.columns and len(body) and bool(body[:, left].all()):
        left += 1
    if top == grid.rows:  # everything clusters with the first cell: there is no contrast, so no orientation
        return Headers(0, 0, 0, ("data",) * grid.rows), ()
    roles = ("header",) * top + ("data",) * (grid.rows - top)
    cells = tuple((int(row), int(column)) for row, column in np.argwhere(marked))
    return Headers(0, top, left, roles), cells


def mark_headers(grid: Grid) -> Flags:
    """Mark the first cell, then all that cluster with marked ones in their column or row, until nothing changes."""
    vectors = _vectors(grid)
    columns = np.stack([_line_clusters(vectors[:, column]) for column in range(grid.columns)], axis=1)
    rows = np.stack([_line_clusters(vectors[row]) for row in range(grid.rows)])
    marked = np.zeros(grid.slots.shape, dtype=bool)
    marked[0, 0] = True
    while True:
        spread = marked.copy()
        for column in np.flatnonzero(marked.any(axis=0)):
            spread[:, column] |= np.isin(columns[:, column], columns[marked[:, column], column])
        for row in np.flatnonzero(spread.any(axis=1)):
            spread[row] |= np.isin(rows[row], rows[row][spread[row]])
        if (spread == marked).all():
            return marked
        marked = spread


def _line_clusters(vectors: Floats) -> npt.NDArray[np.int64]:
    spread = np.linalg.norm(vectors - vectors.mean(axis=0), axis=1).mean()
    return np.zeros(len(vectors), dtype=np.int64) if spread < ONE_CLUSTER else _two_means(vectors)


def _two_means(vectors: Floats) -> npt.NDArray[np.int64]:
    centres = np.stack([vectors[0], vectors[np.linalg.norm(vectors - vectors[0], axis=1).argmax()]])
    cluster = np.zeros(len(vectors), dtype=np.int64)
    for _ in range(ROUNDS):
        distance = np.linalg.norm(vectors[:, None, :] - centres[None, :, :], axis=2)
        nearest = distance.argmin(axis=1)
        if (nearest == cluster).all() and _:
            break
        cluster = nearest
        for number in (0, 1):
            if (cluster == number).any():
                centres[number] = vectors[cluster == number].mean(axis=0)
    return cluster


def _dominance(lines: npt.NDArray[np.int64]) -> float:
    shares = []
    for line in lines:
        shown = line[line >= 0]
        if len(shown):
            shares.append(np.bincount(shown).max() / len(shown))
    return float(np.mean(shares)) if shares else 0.0


def _vectors(grid: Grid) -> Floats:
    """Return the weighted features of every slot; a slot without a cell is like an empty one."""
    features = np.array([*(_features(cell) for cell in grid.cells), [0.0] * len(_WEIGHTS)]) * _WEIGHTS
    vectors: Floats = features[grid.slots]
    return vectors


def _features(cell: GridCell) -> list[float]:
    text = cell.text
    words = text.split()
    letters = sum(char.isalpha() for char in text)
    return [
        float(cell.emphasised or cell.is_header),
        float(cell.is_italic),
        float(bool(words) and all(word[0].isupper() or not word[0].isalpha() for word in words)),
        float(cell.leaves > 0 and cell.linked == cell.leaves),
        letters / len(text) if text else 0.0,
        float(read_value(cell.text).kind in NUMERIC),
        float(read_value(cell.text).kind in ("date", "time")),
        min(len(words) / 8, 1.0),
        min(letters / len(words) / 10, 1.0) if words else 0.0,
        float(any(char in _SPECIAL for char in text)),
    ]
