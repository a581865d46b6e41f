"""Which rows have which columns, and how alike two rows are: the cosine over columns weighted by their rarity.

Rows are pages or groups of pages, columns whatever they carry: link targets, resources, class names, words. A column
that every row has says nothing, so a column weighs the logarithm of (rows + 1) / (rows that have it); one that a single
row has cannot be shared and weighs nothing.

Cost: one sort of the entries to build; a comparison is one merge of two sorted rows.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sitestrata._kernels import load

__all__ = ["Incidence", "column_rarity", "incidence", "row_cosines", "row_norms"]


@dataclass(frozen=True, slots=True)
class Incidence:
    """A 0/1 matrix in compressed sparse rows: row ``r`` has ``indices[indptr[r]:indptr[r+1]]``, sorted."""

    indptr: NDArray[np.int64]
    indices: NDArray[np.int32]
    column_count: int

    @property
    def row_count(self) -> int:
        """Return the number of rows."""
        return len(self.indptr) - 1


def incidence(row_count: int, row: ArrayLike, column: ArrayLike) -> Incidence:
    """Build the matrix from entries in any order; column labels may be any integers.

    >>> matrix = incidence(2, [1, 0, 0, 0], [7, 9, 7, 9])
    >>> matrix.indptr.tolist(), matrix.indices.tolist(), matrix.column_count
    ([0, 2, 3], [0, 1, 0], 2)
    """
    rows = np.asarray(row, np.int64)
    labels, columns = np.unique(np.asarray(column, np.int64), return_inverse=True)
    width = max(len(labels), 1)
    cells = np.unique(rows * width + columns)
    indptr = np.concatenate([[0], np.cumsum(np.bincount(cells // width, minlength=row_count))]).astype(np.int64)
    return Incidence(indptr, (cells % width).astype(np.int32), len(labels))


def column_rarity(matrix: Incidence) -> NDArray[np.float64]:
    """Return the weight of each column: log((rows + 1) / (rows that have it)), 0 for a column of a single row."""
    having = np.bincount(matrix.indices, minlength=matrix.column_count)
    weight: NDArray[np.float64] = np.log((matrix.row_count + 1) / np.maximum(having, 1))
    weight[having < 2] = 0.0
    return weight


def row_norms(matrix: Incidence, weight: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the Euclidean length of each row, an entry being the weight of its column."""
    squares = np.concatenate([[0.0], np.cumsum(weight[matrix.indices] ** 2)])
    lengths: NDArray[np.float64] = np.sqrt(np.maximum(squares[matrix.indptr[1:]] - squares[matrix.indptr[:-1]], 0.0))
    return lengths


def row_cosines(matrix: Incidence, u: ArrayLike, v: ArrayLike) -> NDArray[np.float64]:
    """Return the cosine of each pair of rows, 0 where a row has nothing that could be shared.

    >>> matrix = incidence(3, [0, 0, 1, 1, 2], [1, 2, 1, 2, 3])
    >>> row_cosines(matrix, [0, 0], [1, 2]).round(6).tolist()
    [1.0, 0.0]
    """
    a, b = np.ascontiguousarray(u, np.int64), np.ascontiguousarray(v, np.int64)
    weight = column_rarity(matrix)
    dots: NDArray[np.float64] = load("row_dots").row_dots(matrix.indptr, matrix.indices, weight**2, a, b)
    norms = row_norms(matrix, weight)
    product = norms[a] * norms[b]
    cosines: NDArray[np.float64] = np.divide(dots, product, out=np.zeros(len(a)), where=product > 0)
    return cosines
