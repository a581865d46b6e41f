"""Bisecting k-means on sparse rows: the rival that MenuMiner 6.2.1 took from earlier work.

Rows are brought to unit length and compared by cosine (spherical k-means). Starting from one cluster, the largest one
is split in two by 2-means until there are as many as wanted; every stage on the way is a partition for its own number
of clusters, so one run serves all k. Of several random starts per split the one with the largest summed similarity
counts; the seed makes it repeatable.

Written on NumPy because SciPy and scikit-learn are no dependencies of the product.

Paper: MenuMiner 6.2.1
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["SparseRows", "bisect", "unit_rows"]

Numbers = NDArray[np.int64]
Reals = NDArray[np.float64]
STARTS = 5
MAX_ROUNDS = 30


@dataclass(frozen=True, slots=True)
class SparseRows:
    """A sparse matrix by rows: entry ``i`` of ``start[r]:start[r + 1]`` lies in column ``column[i]``."""

    start: Numbers
    column: Numbers
    value: Reals

    @property
    def count(self) -> int:
        """Number of rows."""
        return len(self.start) - 1

    @classmethod
    def from_pairs(cls, row: Numbers, column: Numbers, rows: int) -> "SparseRows":
        """Count how often each (row, column) occurs."""
        width = int(column.max()) + 1 if len(column) else 1
        cells, counts = np.unique(row * width + column, return_counts=True)
        start = np.zeros(rows + 1, dtype=np.int64)
        np.cumsum(np.bincount(cells // width, minlength=rows), out=start[1:])
        return cls(start, cells % width, counts.astype(np.float64))

    def take(self, rows: Numbers) -> "SparseRows":
        """Return some rows, with the columns that they use numbered from 0."""
        lengths = self.start[rows + 1] - self.start[rows]
        start = np.zeros(len(rows) + 1, dtype=np.int64)
        np.cumsum(lengths, out=start[1:])
        entries = np.arange(start[-1]) + np.repeat(self.start[rows] - start[:-1], lengths)
        _, column = np.unique(self.column[entries], return_inverse=True)
        return SparseRows(start, column.astype(np.int64), self.value[entries])


def unit_rows(rows: SparseRows) -> SparseRows:
    """Scale every row to length one; empty rows stay empty."""
    place = _row_of_entry(rows)
    length = np.sqrt(np.bincount(place, weights=rows.value**2, minlength=rows.count))
    return SparseRows(rows.start, rows.column, rows.value / length[place])


def bisect(rows: SparseRows, most: int, *, seed: int = 0) -> Iterator[Numbers]:
    """Yield partitions of the rows into 2, 3, ... clusters, at most ``most``; ends early when nothing can be split."""
    rng = np.random.default_rng(seed)
    label = np.zeros(rows.count, dtype=np.int64)
    sizes = [rows.count]
    splittable = [rows.count > 1]
    while len(sizes) < most and any(splittable):
        # Largest first, lowest number among equals.
        chosen = max((i for i in range(len(sizes)) if splittable[i]), key=lambda i: (sizes[i], -i))
        members = np.flatnonzero(label == chosen)
        side = _two_means(rows.take(members), rng)
        moved = members[side]
        if len(moved) in (0, len(members)):
            splittable[chosen] = False
            continue
        label[moved] = len(sizes)
        sizes[chosen] = len(members) - len(moved)
        sizes.append(len(moved))
        splittable[chosen] = sizes[chosen] > 1
        splittable.append(len(moved) > 1)
        yield label.copy()


def _two_means(rows: SparseRows, rng: np.random.Generator) -> NDArray[np.bool_]:
    place = _row_of_entry(rows)
    width = int(rows.column.max()) + 1 if len(rows.column) else 1
    best = np.zeros(rows.count, dtype=bool)
    best_quality = -np.inf
    for _ in range(STARTS):
        seeds = rng.choice(rows.count, 2, replace=False)
        centres = [_dense(rows, int(row), width) for row in seeds]
        side = np.zeros(rows.count, dtype=bool)
        quality = -np.inf
        for round_number in range(MAX_ROUNDS):
            left, right = (np.bincount(place, rows.value * c[rows.column], minlength=rows.count) for c in centres)
            new_side = right > left
            quality = float(np.maximum(left, right).sum())
            if round_number and np.array_equal(new_side, side):
                break
            side = new_side
            centres = [_centre(rows, place, side == which, width) for which in (False, True)]
        if quality > best_quality:
            best, best_quality = side, quality
    return best


def _row_of_entry(rows: SparseRows) -> Numbers:
    return np.repeat(np.arange(rows.count), np.diff(rows.start))


def _dense(rows: SparseRows, row: int, width: int) -> Reals:
    part = slice(rows.start[row], rows.start[row + 1])
    return np.bincount(rows.column[part], rows.value[part], minlength=width).astype(np.float64, copy=False)


def _centre(rows: SparseRows, place: Numbers, chosen: NDArray[np.bool_], width: int) -> Reals:
    entries = chosen[place]
    total = np.bincount(rows.column[entries], rows.value[entries], minlength=width).astype(np.float64, copy=False)
    length = float(np.sqrt((total**2).sum()))
    return total / length if length else total
