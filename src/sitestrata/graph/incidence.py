"""Which rows have which columns, and how alike two rows are: the cosine over columns weighted by their rarity.

Rows are pages or groups of pages, columns whatever they carry: link targets, resources, class names, words. A column
weighs the more the rarer it is: the logarithm of (rows anywhere) / (rows that have it). The rows at hand are a sample:
for each of them there are many elsewhere that have none of these columns. Without them a column that every row at hand
has would weigh nothing, and the pages of one site, taken alone, would have nothing in common. A column that a single
row has cannot be shared; whether it sets its row apart (a name) or is an accident (a link in prose) the caller says.

Cost: one sort of the entries to build; a comparison is one merge of two sorted rows.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sitestrata._kernels import load
from sitestrata.graph.numbering import distinct, numbered

__all__ = [
    "Incidence",
    "column_rarity",
    "incidence",
    "keep_entries",
    "merge_rows",
    "row_cosines",
    "row_dots",
    "row_numbers",
]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

ROWS_ELSEWHERE = 100.0  # for each row at hand; 30 to 300 part the same collections alike


@dataclass(frozen=True, slots=True)
class Incidence:
    """A matrix in compressed sparse rows: row ``r`` has the columns ``indices[indptr[r]:indptr[r+1]]``, sorted."""

    indptr: Ints
    indices: NDArray[np.int32]
    values: Floats
    column_count: int

    @property
    def row_count(self) -> int:
        """Return the number of rows."""
        return len(self.indptr) - 1


def incidence(row_count: int, row: ArrayLike, column: ArrayLike, *, column_count: int | None = None) -> Incidence:
    """Build the 0/1 matrix from entries in any order; column labels may be any integers.

    Where ``column_count`` is given, columns are known to be numbered from 0.

    >>> matrix = incidence(2, [1, 0, 0, 0], [7, 9, 7, 9])
    >>> matrix.indptr.tolist(), matrix.indices.tolist(), matrix.column_count
    ([0, 2, 3], [0, 1, 0], 2)
    """
    columns = np.asarray(column, np.int64)
    if column_count is None:
        labels, columns = numbered(columns)
        column_count = len(labels)
    width = max(column_count, 1)
    cells = distinct(np.asarray(row, np.int64) * width + columns)
    return Incidence(
        _starts(cells // width, row_count), (cells % width).astype(np.int32), np.ones(len(cells)), column_count
    )


def merge_rows(matrix: Incidence, group: ArrayLike, group_count: int) -> Incidence:
    """Turn rows into rows of groups: a value is the mean of the values of the group's rows.

    >>> matrix = incidence(3, [0, 1, 1, 2], [7, 7, 9, 9])
    >>> merge_rows(matrix, [0, 0, 1], 2).values.tolist()
    [1.0, 0.5, 1.0]
    """
    groups = np.asarray(group, np.int64)
    width = max(matrix.column_count, 1)
    cells, place = numbered(groups[row_numbers(matrix)] * width + matrix.indices)
    size = np.maximum(np.bincount(groups, minlength=group_count), 1)
    owner = cells // width
    sums = np.bincount(place, weights=matrix.values, minlength=len(cells))
    return Incidence(
        _starts(owner, group_count), (cells % width).astype(np.int32), sums / size[owner], matrix.column_count
    )


def row_numbers(matrix: Incidence) -> Ints:
    """Return the row of each entry."""
    return np.repeat(np.arange(matrix.row_count), np.diff(matrix.indptr))


def keep_entries(matrix: Incidence, chosen: NDArray[np.bool_]) -> Incidence:
    """Keep some of the entries of a matrix.

    >>> matrix = incidence(2, [0, 0, 1], [7, 9, 9])
    >>> keep_entries(matrix, np.array([False, True, True])).indptr.tolist()
    [0, 1, 2]
    """
    kept_before = np.concatenate([[0], np.cumsum(chosen)])
    return Incidence(
        kept_before[matrix.indptr].astype(np.int64), matrix.indices[chosen], matrix.values[chosen], matrix.column_count
    )


def column_rarity(matrix: Incidence, *, single_rows: bool = False) -> Floats:
    """Return the weight of each column: log((rows at hand and elsewhere) / (rows that have it)).

    A column of a single row weighs nothing unless ``single_rows``.
    """
    having = np.bincount(matrix.indices, minlength=matrix.column_count)
    weight: Floats = np.log((matrix.row_count * ROWS_ELSEWHERE + 1) / np.maximum(having, 1))
    if not single_rows:
        weight[having < 2] = 0.0
    return weight


def row_cosines(
    matrix: Incidence, u: ArrayLike, v: ArrayLike, *, prior: float = 0.0, single_rows: bool = False
) -> Floats:
    """Return the cosine of each pair of rows, 0 where a row has nothing that could be shared.

    ``prior`` is the weight of what a row may carry unseen, in columns of mean weight: it keeps two rows with a single
    column in common from looking equal. ``single_rows`` is that of `column_rarity`.

    >>> matrix = incidence(3, [0, 0, 1, 1, 2], [1, 2, 1, 2, 3])
    >>> row_cosines(matrix, [0, 0], [1, 2]).round(6).tolist()
    [1.0, 0.0]
    """
    a, b = np.ascontiguousarray(u, np.int64), np.ascontiguousarray(v, np.int64)
    weight = column_rarity(matrix, single_rows=single_rows) ** 2
    dots = row_dots(matrix, a, b, weight)
    squares = np.bincount(
        row_numbers(matrix), weights=matrix.values**2 * weight[matrix.indices], minlength=matrix.row_count
    )
    unseen = prior * float(weight[weight > 0].mean()) if (weight > 0).any() else 0.0
    lengths = np.sqrt((squares[a] + unseen) * (squares[b] + unseen))
    cosines: Floats = np.divide(dots, lengths, out=np.zeros(len(a)), where=lengths > 0)
    return cosines


def row_dots(matrix: Incidence, u: ArrayLike, v: ArrayLike, weight: Floats | None = None) -> Floats:
    """Return the dot product of each pair of rows, a column counting with its weight.

    >>> matrix = incidence(3, [0, 0, 1, 1, 2], [1, 2, 1, 2, 3])
    >>> row_dots(matrix, [0, 0], [1, 2]).tolist()
    [2.0, 0.0]
    """
    a, b = np.ascontiguousarray(u, np.int64), np.ascontiguousarray(v, np.int64)
    weights = np.ones(matrix.column_count) if weight is None else weight
    dots: Floats = load("row_dots").row_dots(matrix.indptr, matrix.indices, matrix.values, weights, a, b)
    return dots


def _starts(sorted_rows: Ints, row_count: int) -> Ints:
    return np.concatenate([[0], np.cumsum(np.bincount(sorted_rows, minlength=row_count))]).astype(np.int64)
