"""Building graphs, components, conductance and personalised PageRank against networkx."""

import networkx as nx
import numpy as np
import pytest

from sitestrata.graph.components import connected_components, reachable
from sitestrata.graph.conductance import conductance, cut_weight
from sitestrata.graph.link_graph import (
    LinkGraph,
    edges_to_graph,
    in_degrees,
    out_degrees,
    reverse,
    subgraph,
    undirected,
)
from sitestrata.graph.pagerank import personalised_pagerank


def random_graph(seed: int, n: int = 40, m: int = 70) -> tuple[LinkGraph, nx.DiGraph]:
    rng = np.random.default_rng(seed)
    u, v = rng.integers(0, n, m), rng.integers(0, n, m)
    rival = nx.DiGraph()
    rival.add_nodes_from(range(n))
    rival.add_edges_from((int(a), int(b)) for a, b in zip(u, v, strict=True) if a != b)
    return edges_to_graph(u, v, ids=np.arange(n)), rival


def sets(labels: np.ndarray) -> set[frozenset[int]]:
    return {frozenset(np.flatnonzero(labels == label).tolist()) for label in np.unique(labels)}


def test_order_of_edges_does_not_matter() -> None:
    rng = np.random.default_rng(0)
    u, v = rng.integers(0, 1000, 500) * 7919, rng.integers(0, 1000, 500) * 7919
    order = rng.permutation(500)
    one, two = edges_to_graph(u, v), edges_to_graph(u[order], v[order])

    for name in ("ids", "indptr", "indices", "weights"):
        assert np.array_equal(getattr(one, name), getattr(two, name))


def test_edges_to_unknown_nodes_are_left_out() -> None:
    graph = edges_to_graph([1, 1, 9], [2, 8, 1], ids=[2, 1])

    assert [1, 2] == graph.ids.tolist()
    assert 1 == graph.edge_count


def test_empty_graph_has_no_components() -> None:
    graph = edges_to_graph([], [])

    assert 0 == graph.node_count
    assert [] == connected_components(graph).tolist()
    assert [] == personalised_pagerank(graph, []).tolist()


@pytest.mark.parametrize("seed", range(20))
def test_degrees_components_and_reach_equal_networkx(seed: int) -> None:
    graph, rival = random_graph(seed)

    assert [d for _, d in rival.out_degree()] == out_degrees(graph).tolist()
    assert [d for _, d in rival.in_degree()] == in_degrees(graph).tolist() == out_degrees(reverse(graph)).tolist()
    assert {frozenset(c) for c in nx.weakly_connected_components(rival)} == sets(connected_components(graph))
    assert nx.descendants(rival, 3) | {3} == set(np.flatnonzero(reachable(graph, [3])).tolist())


@pytest.mark.parametrize("seed", range(10))
def test_conductance_equals_networkx(seed: int) -> None:
    graph, rival = random_graph(seed)
    both = undirected(graph)
    simple = LinkGraph(both.ids, both.indptr, both.indices, np.ones(both.edge_count))
    nodes = list(range(20))

    assert nx.conductance(rival.to_undirected(), nodes) == pytest.approx(conductance(simple, nodes))
    assert nx.cut_size(rival.to_undirected(), nodes) == cut_weight(simple, nodes)


@pytest.mark.parametrize("seed", range(10))
def test_pagerank_equals_networkx_within_its_bound(seed: int) -> None:
    graph, rival = random_graph(seed, 40, 200)
    both = undirected(graph)
    simple = LinkGraph(both.ids, both.indptr, both.indices, np.ones(both.edge_count))
    expected = nx.pagerank(rival.to_undirected(), alpha=0.9, personalization={0: 1, 1: 1}, tol=1e-12, max_iter=1000)
    rank = personalised_pagerank(simple, [0, 1], alpha=0.1, tolerance=1e-7)

    assert np.abs(rank - [expected[u] for u in range(40)]).max() < 1e-5


def test_pagerank_stays_with_a_page_without_links() -> None:
    graph = edges_to_graph([1], [2], ids=[1, 2, 3])

    assert [0, 0, 1] == personalised_pagerank(graph, [2]).tolist()


def test_subgraph_keeps_inner_edges_only() -> None:
    graph = edges_to_graph([1, 2, 3], [2, 3, 4])
    inner = subgraph(graph, [0, 1, 3])

    assert [1, 2, 4] == inner.ids.tolist()
    assert [(0, 1)] == [(u, int(v)) for u in range(3) for v in inner.neighbours(u)]
