"""How well a set of nodes is cut off from the rest: weight of the edges that leave it over the weight it touches.

On an undirected graph (every edge both ways) conductance(S) = cut(S) / min(vol(S), vol(rest)), 0 for a union of
components, 1 for a set with no inner edge. An empty set, the whole graph and a set without edges have conductance 0.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sitestrata.graph.link_graph import LinkGraph, rows_of

__all__ = ["conductance", "cut_weight", "membership", "volumes"]


def membership(graph: LinkGraph, nodes: ArrayLike) -> NDArray[np.bool_]:
    """Return the set of ``nodes`` as a mask over the graph."""
    inside = np.zeros(graph.node_count, np.bool_)
    inside[np.asarray(nodes, np.int64)] = True
    return inside


def volumes(graph: LinkGraph) -> NDArray[np.float64]:
    """Sum the weights of the edges out of each node."""
    return np.bincount(rows_of(graph), weights=graph.weights, minlength=graph.node_count).astype(np.float64)


def cut_weight(graph: LinkGraph, nodes: ArrayLike) -> float:
    """Sum the weights of the edges that leave the set."""
    inside = membership(graph, nodes)
    return float(graph.weights[inside[rows_of(graph)] & ~inside[graph.indices]].sum())


def conductance(graph: LinkGraph, nodes: ArrayLike) -> float:
    """Return the conductance of a set of nodes in an undirected graph."""
    inside = membership(graph, nodes)
    volume = volumes(graph)
    smaller = min(float(volume[inside].sum()), float(volume[~inside].sum()))
    return cut_weight(graph, nodes) / smaller if smaller > 0 else 0.0
