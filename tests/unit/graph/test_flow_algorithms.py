"""Preflow-push, minimum cuts and the chain against certificates, rival libraries and brute force."""

from fractions import Fraction
from itertools import chain as flatten
from itertools import combinations, pairwise

import networkx as nx
import numpy as np
import pytest

from sitestrata.graph.chain import minimal_cut_chain
from sitestrata.graph.link_graph import edges_to_graph, rows_of
from sitestrata.graph.min_cut import integer_capacities, minimum_cut
from sitestrata.graph.preflow import certificate, preflow_push, sink_side, source_side


def random_network(seed: int) -> tuple[int, list[tuple[int, int, int]]]:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(4, 16))
    pairs = {(int(u), int(v)) for u, v in rng.integers(0, n, (int(rng.integers(n, 4 * n)), 2)) if u != v}
    return n, [(u, v, int(rng.integers(1, 12))) for u, v in sorted(pairs)]


def test_preflow_push_equals_ortools_and_networkx_on_a_thousand_random_graphs() -> None:
    """The three values agree, the flow carries its own certificate, and the minimal source sides are equal."""
    for seed in range(1000):
        n, arcs = random_network(seed)
        state = preflow_push(arcs, 0, n - 1, n, gap=bool(seed % 2))
        proof = certificate(state)
        value, side = minimum_cut(*(list(column) for column in zip(*arcs, strict=True)), 0, n - 1)
        rival = nx.DiGraph()
        rival.add_nodes_from(range(n))
        rival.add_weighted_edges_from(arcs, weight="capacity")

        assert proof["value"] == proof["cut"] == value == nx.maximum_flow_value(rival, 0, n - 1)
        assert proof["asymmetry"] == proof["imbalance"] == 0 and proof["excess"] <= 0
        assert sorted(source_side(state)) == side.tolist()


def test_sink_side_of_an_unfinished_preflow_is_already_the_cut() -> None:
    """Once no overflow can reach the sink, what cannot reach it is a minimum cut although flow is left standing."""
    arcs = [(0, 1, 10), (1, 2, 5), (2, 1, 5), (2, 3, 1)]
    for steps in range(8, 30):
        state = preflow_push(arcs, 0, 3, 4, max_steps=steps, gap=False)
        assert {0, 1, 2} == set(range(4)) - sink_side(state)


def test_lowered_source_height_ends_sooner_with_the_same_value_here() -> None:
    n, arcs = random_network(7)
    full, low = preflow_push(arcs, 0, n - 1, n, gap=False), preflow_push(arcs, 0, n - 1, n, source_height=4, gap=False)

    assert low.pushes + low.raises <= full.pushes + full.raises
    assert low.o[n - 1] <= full.o[n - 1]


def brute_force_chain(n: int, arcs: list[tuple[int, int, int]], seed: set[int]) -> list[tuple[Fraction, set[int]]]:
    """Try every set at every crossing of two lines: the minimal sets just above each breakpoint, eps growing."""
    others = [u for u in range(n) if u not in seed]
    sets = [seed | set(extra) for extra in flatten.from_iterable(combinations(others, k) for k in range(n))]
    lines = [(sum(c for u, v, c in arcs if u in s and v not in s), len(s), s) for s in sets]
    crossings = {Fraction(0)} | {
        Fraction(a - b, m - k)
        for (a, k, _), (b, m, _) in combinations(lines, 2)
        if m != k and Fraction(a - b, m - k) > 0
    }
    chain: list[tuple[Fraction, set[int]]] = []
    for eps in sorted(crossings):
        _, _, best = min((cut + eps * size, size, sorted(s)) for cut, size, s in lines)
        if not chain or set(best) != chain[-1][1]:
            chain.append((eps, set(best)))
    return chain


@pytest.mark.parametrize("seed", range(60))
def test_chain_equals_brute_force_over_every_set(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(3, 8))
    arcs = [(u, v, int(rng.integers(1, 9))) for u in range(n) for v in range(n) if u != v and rng.random() < 0.5]
    if not arcs:
        arcs = [(0, 1, 1)]
    u, v, c = (np.array(column) for column in zip(*arcs, strict=True))
    graph = edges_to_graph(u, v, weight=c, ids=np.arange(n))
    chain = minimal_cut_chain(graph, graph.weights.astype(np.int64), [0])
    expected = brute_force_chain(n, arcs, {0})

    assert [Fraction(*scale.low) for scale in chain] == [eps for eps, _ in expected]
    assert [set(scale.nodes.tolist()) for scale in chain] == [nodes for _, nodes in expected]


def test_chain_is_nested_and_its_cuts_are_the_graphs() -> None:
    rng = np.random.default_rng(1)
    graph = edges_to_graph(rng.integers(0, 300, 2000), rng.integers(0, 300, 2000))
    capacities = integer_capacities(graph.weights, factor=300)
    chain = minimal_cut_chain(graph, capacities, [5])
    rows = rows_of(graph)

    assert len(chain) >= 2
    for outer, inner in pairwise(chain):
        assert set(inner.nodes.tolist()) < set(outer.nodes.tolist())
        assert Fraction(*outer.high) == Fraction(*inner.low)  # type: ignore[misc]
    for scale in chain:
        inside = np.isin(np.arange(300), scale.nodes)
        assert scale.cut == capacities[inside[rows] & ~inside[graph.indices]].sum()


def test_chain_of_a_lone_seed_is_the_seed() -> None:
    graph = edges_to_graph([1], [2], ids=[1, 2, 3])

    assert [[2]] == [scale.nodes.tolist() for scale in minimal_cut_chain(graph, [1], [2])]


def test_too_large_capacities_are_an_error_not_a_wrong_answer() -> None:
    graph = edges_to_graph([1, 2], [2, 3])

    with pytest.raises(OverflowError):
        minimal_cut_chain(graph, [2**61, 2**61], [0])
    with pytest.raises(OverflowError):
        minimum_cut([0, 0, 1, 2], [1, 2, 3, 3], [2**62] * 4, 0, 3)


def test_scaled_capacities_keep_every_edge_and_fit() -> None:
    weights = np.array([1.0, 1e-12, 0.5, 0.0])

    assert [2**24, 1, 2**23, 0] == integer_capacities(weights).tolist()
    assert int(integer_capacities(np.ones(1000), factor=2**50).sum()) * 2**50 < 2**62
    with pytest.raises(ValueError, match="finite"):
        integer_capacities([1.0, -1.0])
