"""The heaviest arborescence is what another library finds, and is a tree."""

import networkx as nx
import numpy as np
import pytest

from sitestrata.graph.arborescence import heaviest_arborescence


def random_edges(seed: int, nodes: int, degree: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    tail = np.concatenate([np.zeros(nodes - 1, np.int64), rng.integers(0, nodes, nodes * degree)])
    head = np.concatenate([np.arange(1, nodes), rng.integers(0, nodes, nodes * degree)])
    weight = np.concatenate([np.full(nodes - 1, 0.5), rng.integers(1, 12, nodes * degree).astype(float)])
    return tail, head, weight


@pytest.mark.parametrize("seed", range(40))
def test_weight_is_that_of_networkx(seed: int) -> None:
    nodes = 4 + seed
    tail, head, weight = random_edges(seed, nodes, 1 + seed % 4)
    graph = nx.DiGraph()
    for u, v, w in zip(tail.tolist(), head.tolist(), weight.tolist(), strict=True):
        if v != 0 and u != v and w > graph.get_edge_data(u, v, {"weight": 0})["weight"]:
            graph.add_edge(u, v, weight=w)
    expected = nx.maximum_spanning_arborescence(graph).size(weight="weight")

    edge = heaviest_arborescence(nodes, 0, tail, head, weight)

    assert expected == pytest.approx(weight[edge[1:]].sum())


@pytest.mark.parametrize("seed", range(20))
def test_every_node_hangs_below_the_root(seed: int) -> None:
    tail, head, weight = random_edges(seed, 60, 3)

    edge = heaviest_arborescence(60, 0, tail, head, weight)

    assert -1 == edge[0]
    assert np.arange(1, 60).tolist() == head[edge[1:]].tolist()
    for node in range(1, 60):
        steps, at = 0, node
        while at != 0:
            at = int(tail[edge[at]])
            steps += 1
            assert steps <= 60


def test_order_of_edges_does_not_matter() -> None:
    tail, head, weight = random_edges(3, 50, 4)
    shuffled = np.random.default_rng(1).permutation(len(tail))

    first = heaviest_arborescence(50, 0, tail, head, weight)
    second = heaviest_arborescence(50, 0, tail[shuffled], head[shuffled], weight[shuffled])

    assert tail[first[1:]].tolist() == tail[shuffled][second[1:]].tolist()


def test_unreachable_nodes_hang_nowhere() -> None:
    edge = heaviest_arborescence(4, 0, [0, 2, 3], [1, 3, 2], [1.0, 1.0, 1.0])

    assert [-1, 0, -1, -1] == edge.tolist()


def test_nested_circles_are_opened() -> None:
    # 1 <-> 2 is a circle inside the circle (1 2) <-> 3; only a light edge from the root enters, at 3.
    tail, head = [0, 2, 1, 3, 1], [3, 1, 2, 2, 3]

    edge = heaviest_arborescence(4, 0, tail, head, [1.0, 9.0, 9.0, 5.0, 6.0])

    assert [-1, 1, 3, 0] == edge.tolist()


def test_no_nodes_make_no_tree() -> None:
    assert 0 == len(heaviest_arborescence(0, 0, [], [], []))
