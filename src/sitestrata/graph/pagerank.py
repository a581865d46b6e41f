"""Personalised PageRank by pushing: where a walk that keeps coming back to the seeds spends its time.

Every seed starts with residual 1/|seeds|. While some node's residual is at least ``tolerance`` times its degree, it
keeps the share ``alpha`` of its residual as rank and hands the rest to its neighbours in proportion to the weights
(Andersen, Chung, Lang 2006). All such nodes are pushed at once, so the result does not depend on an order; the rank of
a node is short of the true one by at most ``tolerance`` times its degree.

Cost: 1 / (alpha * tolerance) edge visits in all, whatever the size of the graph.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sitestrata.graph.link_graph import LinkGraph

__all__ = ["ALPHA", "TOLERANCE", "personalised_pagerank"]

ALPHA = 0.1  # trial runs: large enough to stay near, small enough to see the whole neighbourhood
TOLERANCE = 1e-6


def personalised_pagerank(
    graph: LinkGraph, seeds: ArrayLike, *, alpha: float = ALPHA, tolerance: float = TOLERANCE
) -> NDArray[np.float64]:
    """Return the rank of every node for a walk that restarts at the seeds with probability ``alpha``."""
    n = graph.node_count
    start = np.unique(np.asarray(seeds, np.int64))
    rank, residual = np.zeros(n), np.zeros(n)
    if len(start) == 0:
        return rank
    residual[start] = 1.0 / len(start)
    indptr = graph.indptr
    degrees = np.diff(indptr)
    limits = tolerance * np.maximum(degrees, 1)
    # Push by weight: cumulative sums give each row's total without a loop over rows.
    sums = np.concatenate([[0.0], np.cumsum(graph.weights)])
    totals = sums[indptr[1:]] - sums[indptr[:-1]]
    active = start
    # Invariant: sum(rank) + sum(residual) = 1, and rank + PPR(residual) is the exact answer.
    while len(active):
        given = residual[active]
        residual[active] = 0.0
        isolated = (degrees[active] == 0) | (totals[active] <= 0)
        rank[active] += np.where(isolated, given, alpha * given)
        movers, moved = active[~isolated], (1.0 - alpha) * given[~isolated]
        lengths = degrees[movers]
        ends = np.cumsum(lengths)
        places = np.arange(ends[-1] if len(ends) else 0) + np.repeat(indptr[movers] - (ends - lengths), lengths)
        heads = graph.indices[places]
        flow = np.repeat(moved / totals[movers], lengths) * graph.weights[places]
        if len(heads) * 8 > n:
            residual += np.bincount(heads, weights=flow, minlength=n)
            active = np.flatnonzero(residual >= limits)
        else:
            touched, place = np.unique(heads, return_inverse=True)
            residual[touched] += np.bincount(place, weights=flow, minlength=len(touched))
            touched = touched.astype(np.int64)
            active = touched[residual[touched] >= limits[touched]]
    return rank
