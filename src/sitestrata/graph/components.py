"""Connected and strongly connected components of a graph.

Connected components by repeated hooking to the smallest neighbour and pointer jumping (array work, a logarithmic number
of rounds in practice); strongly connected ones by Tarjan's algorithm without recursion, linear in nodes and edges.
Both label a component by the smallest position in it, so the labels do not depend on the order of the edges.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sitestrata.graph.link_graph import LinkGraph, rows_of

__all__ = ["connected_components", "reachable", "strong_components"]

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


def strong_components(graph: LinkGraph) -> Ints:
    """Label each node with the smallest position of its strongly connected component."""
    n = graph.node_count
    indptr, indices = graph.indptr.tolist(), graph.indices.tolist()
    order = [-1] * n  # when a node was first seen
    low = [0] * n
    label = np.full(n, -1, np.int64)
    on_stack = [False] * n
    stack: list[int] = []
    clock = 0
    for root in range(n):
        if order[root] >= 0:
            continue
        work = [(root, indptr[root])]
        while work:
            node, place = work.pop()
            if order[node] < 0:
                order[node] = low[node] = clock
                clock += 1
                stack.append(node)
                on_stack[node] = True
            descended = False
            while place < indptr[node + 1]:
                head = indices[place]
                if order[head] < 0:
                    work.append((node, place))  # come back to this edge: then head is done and its low is final
                    work.append((head, indptr[head]))
                    descended = True
                    break
                if on_stack[head]:
                    low[node] = min(low[node], low[head])
                place += 1
            if descended:
                continue
            if low[node] == order[node]:
                members = [stack.pop()]
                while members[-1] != node:
                    members.append(stack.pop())
                label[members] = min(members)
                for member in members:
                    on_stack[member] = False
    return label
