"""Minimum cuts of large networks through OR-tools, on integers, with every status checked.

OR-tools computes on 64-bit integers and says POSSIBLE_OVERFLOW where the flow may not fit; that becomes an
``OverflowError`` here, never a wrong answer. Real capacities are scaled by `integer_capacities`.

Paper: Senellart 2.2
"""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["LIMIT", "integer_capacities", "minimum_cut"]

TOP = 2**24  # the largest capacity that reals are scaled to
LIMIT = 2**62  # sums of capacities stay below this, so that a flow and its residuals fit 64 bits

Ints = NDArray[np.int64]


def integer_capacities(weights: ArrayLike, *, factor: int = 1) -> Ints:
    """Scale positive reals to integers of at most 24 bits, fewer where the sum times ``factor`` would not fit.

    A positive weight never becomes 0: rounding must not cut an edge.
    """
    values = np.asarray(weights, np.float64)
    if len(values) == 0:
        return np.zeros(0, np.int64)
    top = float(values.max())
    if not np.isfinite(top) or float(values.min()) < 0:
        raise ValueError("capacities must be finite and not negative")
    if top == 0:
        return np.zeros(len(values), np.int64)
    relative = values / top
    room = LIMIT // max(factor, 1) - len(values)  # rounding up to 1 adds at most one per edge
    scale = min(float(TOP), room / float(relative.sum()))
    if scale < 1:
        raise OverflowError(f"{len(values):,} capacities times {factor:,} do not fit 64 bits")
    return np.where(values > 0, np.maximum(np.rint(relative * scale), 1), 0).astype(np.int64)


def minimum_cut(tails: ArrayLike, heads: ArrayLike, capacities: ArrayLike, source: int, sink: int) -> tuple[int, Ints]:
    """Return the value of the minimum cut and the minimal source side, sorted.

    Raises:
        OverflowError: the sum of the capacities out of the source does not fit 64 bits.

    >>> value, side = minimum_cut([0, 0, 1, 1, 2], [1, 2, 2, 3, 3], [3, 2, 1, 2, 2], 0, 3)
    >>> value, side.tolist()
    (4, [0, 1, 2])
    """
    from ortools.graph.python.max_flow import SimpleMaxFlow  # takes 0.1 s to import: only who cuts pays

    tails, heads = np.asarray(tails, np.int32), np.asarray(heads, np.int32)
    capacities = np.asarray(capacities, np.int64)
    solver: Any = SimpleMaxFlow()
    solver.add_arcs_with_capacity(tails, heads, capacities)
    if source >= solver.num_nodes() or sink >= solver.num_nodes():
        # One end has no arc at all: nothing flows, and the source reaches what its arcs reach.
        return 0, _reached(tails, heads, capacities, source)
    status = solver.solve(source, sink)
    if status == solver.POSSIBLE_OVERFLOW:
        raise OverflowError(f"the flow from node {source} may not fit 64 bits; scale the capacities down")
    if status != solver.OPTIMAL:
        raise ValueError(f"OR-tools could not solve the network: {status}")
    return int(solver.optimal_flow()), np.sort(np.asarray(solver.get_source_side_min_cut(), np.int64))


def _reached(tails: NDArray[np.int32], heads: NDArray[np.int32], capacities: Ints, source: int) -> Ints:
    used = capacities > 0
    seen = {source}
    while True:
        inside = np.isin(tails[used], sorted(seen))
        more = set(heads[used][inside].tolist()) - seen
        if not more:
            return np.array(sorted(seen), np.int64)
        seen |= more
