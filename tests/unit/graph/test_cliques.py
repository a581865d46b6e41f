"""Maximal cliques against networkx and igraph, and within limits on graphs with too many."""

import igraph
import networkx as nx
import numpy as np
import pytest

from sitestrata.graph.cliques import Cliques, maximal_cliques
from sitestrata.graph.link_graph import LinkGraph, pairs_to_graph


def graph_of(edges: list[tuple[int, int]], count: int) -> LinkGraph:
    table = np.array([*edges, *((b, a) for a, b in edges)], np.int64).reshape(-1, 2)
    return pairs_to_graph(np.arange(count), table[:, 0], table[:, 1], np.ones(len(table)))


def search(graph: LinkGraph, **limits: int) -> Cliques:
    return maximal_cliques(graph.indptr, graph.indices, **limits)


def cliques_of(graph: LinkGraph, **limits: int) -> list[tuple[int, ...]]:
    found = search(graph, **limits)
    return sorted(tuple(found[number].tolist()) for number in range(len(found)))


@pytest.mark.parametrize("seed", range(12))
def test_same_cliques_as_networkx_and_igraph(seed: int) -> None:
    rng = np.random.default_rng(seed)
    count = int(rng.integers(1, 90))
    density = float(rng.random())
    edges = [(a, b) for a in range(count) for b in range(a) if rng.random() < density * 0.6]

    found = cliques_of(graph_of(edges, count))

    plain = nx.Graph()
    plain.add_nodes_from(range(count))
    plain.add_edges_from(edges)
    assert sorted(tuple(sorted(clique)) for clique in nx.find_cliques(plain)) == found
    assert sorted(tuple(sorted(clique)) for clique in igraph.Graph(count, edges).maximal_cliques()) == found


def test_smallest_size_leaves_out_smaller_cliques_only() -> None:
    edges = [(0, 1), (1, 2), (0, 2), (2, 3), (4, 5)]

    assert [(0, 1, 2), (2, 3), (4, 5)] == cliques_of(graph_of(edges, 7), min_size=2)
    assert [(0, 1, 2)] == cliques_of(graph_of(edges, 7), min_size=3)


def test_graphs_without_edges_or_nodes() -> None:
    assert [] == cliques_of(graph_of([], 0))
    assert [(0,), (1,)] == cliques_of(graph_of([], 2))


def test_complete_graph_of_a_thousand_nodes_is_one_clique() -> None:
    edges = [(a, b) for a in range(1000) for b in range(a)]

    assert [tuple(range(1000))] == cliques_of(graph_of(edges, 1000))


def test_moon_moser_graph_ends_at_the_limit() -> None:
    """45 nodes in triples, all joined but within a triple: 3 ** 15 maximal cliques."""
    edges = [(a, b) for a in range(45) for b in range(a) if a // 3 != b // 3]

    found = search(graph_of(edges, 45), max_cliques=1000)

    assert 1000 == len(found)
    assert not found.is_complete
    assert not search(graph_of(edges, 45), max_steps=500).is_complete


def test_index_page_with_five_thousand_links_is_quick() -> None:
    count = 5000
    edges = [(0, k) for k in range(1, count)] + [(k, k + 1) for k in range(1, count - 1)]

    found = search(graph_of(edges, count), min_size=3)

    assert count - 2 == len(found)
    assert found.is_complete
