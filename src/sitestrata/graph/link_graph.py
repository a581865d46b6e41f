"""Turn columns of edges into a graph in compressed sparse rows, and ask it for degrees, reverses and subgraphs.

Nodes are positions 0..n-1; ``ids`` says which 64-bit id stands at each position, sorted, so that two runs that see the
same edges in another order build the same arrays. Parallel edges become one edge whose weight is their sum.

Cost: one sort of the edges.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = [
    "LinkGraph",
    "edges_to_graph",
    "in_degrees",
    "out_degrees",
    "pairs_to_graph",
    "positions_of",
    "reverse",
    "rows_of",
    "subgraph",
    "undirected",
]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class LinkGraph:
    """A directed graph: the edges out of node ``u`` are ``indices[indptr[u]:indptr[u + 1]]``, sorted."""

    ids: Ints
    indptr: Ints
    indices: NDArray[np.int32]
    weights: Floats

    @property
    def node_count(self) -> int:
        """Return the number of nodes."""
        return len(self.ids)

    @property
    def edge_count(self) -> int:
        """Return the number of directed edges."""
        return len(self.indices)

    def neighbours(self, node: int) -> NDArray[np.int32]:
        """Return the positions that ``node`` points to."""
        return self.indices[self.indptr[node] : self.indptr[node + 1]]


def edges_to_graph(
    source: ArrayLike, target: ArrayLike, *, weight: ArrayLike | None = None, ids: ArrayLike | None = None
) -> LinkGraph:
    """Build a graph from columns of node ids, without loops.

    Args:
        source: id of the node each edge leaves.
        target: id of the node each edge enters.
        weight: weight of each edge; 1 where not given, so that an edge's weight counts its parallels.
        ids: the nodes to keep, isolated ones included; edges with another end are dropped. All ends where not given.

    >>> graph = edges_to_graph([30, 10, 10, 10], [10, 30, 30, 10])
    >>> graph.ids.tolist(), graph.neighbours(0).tolist(), graph.weights.tolist()
    ([10, 30], [1], [2.0, 1.0])
    """
    tails, heads = np.asarray(source, np.int64), np.asarray(target, np.int64)
    nodes = np.unique(np.concatenate([tails, heads]) if ids is None else np.asarray(ids, np.int64))
    u, u_known = positions_of(nodes, tails)
    v, v_known = positions_of(nodes, heads)
    keep = u_known & v_known
    weights = np.ones(len(tails)) if weight is None else np.asarray(weight, np.float64)
    return pairs_to_graph(nodes, u[keep], v[keep], weights[keep])


def pairs_to_graph(ids: Ints, u: ArrayLike, v: ArrayLike, weights: ArrayLike) -> LinkGraph:
    """Build a graph over ``ids`` from edges given as positions, summing parallels and dropping loops."""
    n = len(ids)
    tails, heads, values = np.asarray(u, np.int64), np.asarray(v, np.int64), np.asarray(weights, np.float64)
    proper = tails != heads
    keys, place = np.unique(tails[proper] * max(n, 1) + heads[proper], return_inverse=True)
    summed = np.bincount(place, weights=values[proper], minlength=len(keys))
    rows = keys // max(n, 1)
    indptr = np.zeros(n + 1, np.int64)
    np.cumsum(np.bincount(rows, minlength=n), out=indptr[1:])
    return LinkGraph(ids, indptr, (keys - rows * n).astype(np.int32), summed.astype(np.float64))


def positions_of(ids: Ints, wanted: ArrayLike) -> tuple[Ints, NDArray[np.bool_]]:
    """Look ids up in the sorted array ``ids``: their positions, and which of them are there at all."""
    sought = np.asarray(wanted, np.int64)
    if len(ids) == 0:
        return np.zeros(len(sought), np.int64), np.zeros(len(sought), np.bool_)
    places = np.minimum(np.searchsorted(ids, sought), len(ids) - 1)
    return places, ids[places] == sought


def rows_of(graph: LinkGraph) -> Ints:
    """Return the node each edge leaves, edge by edge."""
    return np.repeat(np.arange(graph.node_count, dtype=np.int64), np.diff(graph.indptr))


def out_degrees(graph: LinkGraph) -> Ints:
    """Count the edges out of each node."""
    return np.diff(graph.indptr)


def in_degrees(graph: LinkGraph) -> Ints:
    """Count the edges into each node."""
    return np.bincount(graph.indices, minlength=graph.node_count).astype(np.int64)


def reverse(graph: LinkGraph) -> LinkGraph:
    """Turn every edge round."""
    return pairs_to_graph(graph.ids, graph.indices, rows_of(graph), graph.weights)


def undirected(graph: LinkGraph) -> LinkGraph:
    """Return the underlying undirected graph: each edge both ways, with the sum of the two weights.

    Paper: Senellart 3.2, Figure 9 step 3.
    """
    rows = rows_of(graph)
    return pairs_to_graph(
        graph.ids,
        np.concatenate([rows, graph.indices]),
        np.concatenate([graph.indices, rows]),
        np.concatenate([graph.weights, graph.weights]),
    )


def subgraph(graph: LinkGraph, nodes: ArrayLike) -> LinkGraph:
    """Return the graph among the given positions; its ``ids`` are theirs."""
    kept = np.unique(np.asarray(nodes, np.int64))
    place = np.full(graph.node_count, -1, np.int64)
    place[kept] = np.arange(len(kept))
    u, v = place[rows_of(graph)], place[graph.indices]
    inside = (u >= 0) & (v >= 0)
    return pairs_to_graph(graph.ids[kept], u[inside], v[inside], graph.weights[inside])
