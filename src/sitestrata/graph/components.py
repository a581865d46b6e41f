"""Connected components of a graph, and what can be reached in it.

Components by repeated hooking to the smallest neighbour and pointer jumping (array work, a logarithmic number of rounds
in practice). A component is labelled by the smallest position in it, so labels do not depend on the order of the edges.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sitestrata.graph.link_graph import LinkGraph, rows_of

__all__ = ["connected_components", "reachable"]

Ints = NDArray[np.int64]


def connected_components(graph: LinkGraph) -> Ints:
    """Label each node with the smallest position it is joined to, whatever the direction of the edges."""
    label = np.arange(graph.node_count, dtype=np.int64)
    u, v = rows_of(graph), graph.indices.astype(np.int64)
    while True:
        a, b = label[u], label[v]
        low, high = np.minimum(a, b), np.maximum(a, b)
        split = low != high
        if not split.any():
            return label
        # Invariant: label[x] <= x and label[x] is joined to x; hooking roots to smaller labels keeps both.
        np.minimum.at(label, high[split], low[split])
        while True:
            jumped = label[label]
            if np.array_equal(jumped, label):
                break
            label = jumped


def reachable(graph: LinkGraph, seeds: ArrayLike) -> NDArray[np.bool_]:
    """Tell which nodes can be reached from the seeds along the edges."""
    seen = np.zeros(graph.node_count, np.bool_)
    frontier = np.unique(np.asarray(seeds, np.int64))
    seen[frontier] = True
    while len(frontier):
        heads = graph.indices[_spans(graph.indptr, frontier)]
        frontier = np.unique(heads[~seen[heads]]).astype(np.int64)
        seen[frontier] = True
    return seen


def _spans(indptr: Ints, nodes: Ints) -> Ints:
    """Return the places of all edges out of ``nodes``."""
    starts, lengths = indptr[nodes], indptr[nodes + 1] - indptr[nodes]
    ends = np.cumsum(lengths)
    places: Ints = np.arange(ends[-1] if len(ends) else 0) + np.repeat(starts - (ends - lengths), lengths)
    return places
