"""One step of MCL, column by column: expand, prune, inflate. The specification of ``mcl.pyx``.

A matrix is column-wise: column j has rows ``indices[indptr[j]:indptr[j + 1]]``. Rows of a new column stand in the order
in which the sum first met them, which keeps every sum in a fixed order without sorting.
"""

import numpy as np
from numpy.typing import NDArray

__all__ = ["step"]

WIDEST = 4  # times the entries to keep that a column may have for ties


def step(
    indptr: NDArray[np.int64],
    indices: NDArray[np.int32],
    values: NDArray[np.float32],
    inflation: float,
    cutoff: float,
    select: int,
    recover: int,
    share: float,
    threads: int,  # noqa: ARG001 - one column never depends on another
) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.float32], float, float]:
    """Return the next matrix, its chaos and the mean mass that pruning kept."""
    n = len(indptr) - 1
    width = WIDEST * max(select, recover, 1)
    columns: list[tuple[NDArray[np.int64], NDArray[np.float32]]] = []
    chaos = kept_mass = 0.0
    for j in range(n):
        total = np.zeros(n, np.float32)
        met = [np.zeros(0, np.int32)]
        for place in range(indptr[j], indptr[j + 1]):
            k = indices[place]
            rows = indices[indptr[k] : indptr[k + 1]]
            total[rows] += values[place] * values[indptr[k] : indptr[k + 1]]
            met.append(rows)
        distinct, first = np.unique(np.concatenate(met), return_index=True)
        ordered = distinct[np.argsort(first)].astype(np.int64)
        column = total[ordered]
        chosen = _prune(ordered, column, np.float32(cutoff), select, recover, share)
        assert len(chosen) <= width
        ordered, column = ordered[chosen], column[chosen]
        mass = _sum(column)
        scaled = column.astype(np.float64) / mass if mass > 0 else column.astype(np.float64)
        chaos = max(chaos, float(scaled.max(initial=0.0)) - _sum(scaled * scaled))
        kept_mass += mass
        # Divide by the largest entry first: the power of a small entry must not vanish before its column does.
        peak = float(scaled.max(initial=0.0))
        inflated = np.power(scaled / peak, inflation) if peak > 0 else scaled
        normal = (inflated / _sum(inflated)).astype(np.float32) if peak > 0 else inflated.astype(np.float32)
        alive = normal > 0
        columns.append((ordered[alive], normal[alive]))
    lengths = [len(rows) for rows, _ in columns]
    starts = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    empty = [np.zeros(0, np.int64)]
    next_indices = np.concatenate([rows for rows, _ in columns] or empty).astype(np.int32)
    next_values = np.concatenate([column for _, column in columns] or [np.zeros(0, np.float32)]).astype(np.float32)
    return starts, next_indices, next_values, chaos, kept_mass / n if n else 1.0


def _sum(column: NDArray[np.floating]) -> float:
    """Add in order, as the kernel does."""
    total = 0.0
    for value in column.tolist():
        total += value
    return total


def _prune(
    rows: NDArray[np.int64],
    column: NDArray[np.float32],
    cutoff: np.float32,
    select: int,
    recover: int,
    share: float,
) -> NDArray[np.int64]:
    """Choose the places of a column to keep: cut, then select, then recover where too little mass is left."""
    width = WIDEST * max(select, recover, 1)
    whole = _sum(column)
    above = np.flatnonzero(column >= cutoff)
    if len(above) == 0 or (len(above) < recover and _sum(column[above]) < share * whole):
        return _largest(rows, column, np.arange(len(rows)), max(recover, 1), width)
    kept = _largest(rows, column, above, select, width)
    if select < len(above) and len(kept) < recover and _sum(column[kept]) < share * whole:
        kept = _largest(rows, column, above, recover, width)
    return kept


def _largest(
    rows: NDArray[np.int64], column: NDArray[np.float32], places: NDArray[np.int64], most: int, width: int
) -> NDArray[np.int64]:
    """Return the places of the largest entries and of what ties with the last, so that the order of nodes is no matter.

    Where more than ``width`` tie, the smaller rows are taken.
    """
    if len(places) <= most:
        return places
    by_size = places[np.lexsort((rows[places], -column[places]))]
    tied = places[column[places] >= column[by_size[most - 1]]]
    return tied if len(tied) <= width else np.sort(by_size[:most])
