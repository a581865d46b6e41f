"""Correlation clustering by contraction: exact on small graphs where it must be, order-free, and never silly."""

from itertools import product

import numpy as np
import pytest

from sitestrata.graph.contraction import agreement, best_partition, contract_edges


def random_votes(seed: int, nodes: int, edges: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    u, v = rng.integers(0, nodes, edges), rng.integers(0, nodes, edges)
    return u, v, rng.normal(size=edges)


def test_negative_votes_keep_nodes_apart() -> None:
    assert [0, 1, 2] == contract_edges(3, [0, 1, 0], [1, 2, 2], [-1.0, -2.0, 0.0]).tolist()


def test_many_weak_votes_against_outweigh_one_strong_vote_for() -> None:
    """{0,1} and {2,3} are pulled together by one edge and pushed apart by three."""
    u, v, w = [0, 2, 0, 0, 1, 1], [1, 3, 2, 3, 2, 3], [9.0, 9.0, 3.0, -2.0, -2.0, -2.0]

    assert [0, 0, 2, 2] == contract_edges(4, u, v, w).tolist()


def test_a_star_is_contracted_whole() -> None:
    leaves = np.arange(1, 1001)

    part = contract_edges(1001, np.zeros(1000, np.int64), leaves, np.linspace(1, 2, 1000))

    assert 1 == len(set(part.tolist()))


@pytest.mark.parametrize("seed", range(20))
def test_no_two_parts_would_gain_by_joining(seed: int) -> None:
    u, v, w = random_votes(seed, 30, 120)
    part = contract_edges(30, u, v, w)
    before = agreement(part, u, v, w)

    for a, b in product(sorted(set(part.tolist())), repeat=2):
        joined = np.where(part == b, a, part)

        assert agreement(joined, u, v, w) <= before + 1e-9


def all_edges_each_round(nodes: int, u: np.ndarray, v: np.ndarray, w: np.ndarray) -> list[int]:
    """Contract as the rule says, looking at every edge in every round."""
    part = list(range(nodes))
    while True:
        votes: dict[tuple[int, int], float] = {}
        for a, b, vote in sorted(zip(u.tolist(), v.tolist(), w.tolist(), strict=True), key=lambda edge: edge[2]):
            ends = (min(part[a], part[b]), max(part[a], part[b]))
            if ends[0] != ends[1]:
                votes[ends] = votes.get(ends, 0.0) + vote
        heaviest = max(votes.values(), default=0.0)
        if heaviest <= 0:
            return part
        best = {node: max(vote for ends, vote in votes.items() if node in ends) for ends in votes for node in ends}
        for (a, b), vote in votes.items():
            if vote >= heaviest / 2 and vote in (best[a], best[b]):
                one, other = sorted((part[a], part[b]))
                part = [one if label == other else label for label in part]


@pytest.mark.parametrize("seed", range(20))
def test_edges_that_are_not_looked_at_would_have_changed_nothing(seed: int) -> None:
    """Several groups of nodes that votes hold together at all, some of them far more strongly than others."""
    u, v, w = random_votes(seed, 40, 70)
    w = np.round(w, 3) * 4.0 ** (u // 10)  # sums that do not depend on the order of their terms to the last bit

    assert all_edges_each_round(40, u, v, w) == contract_edges(40, u, v, w).tolist()


@pytest.mark.parametrize("seed", range(20))
def test_the_order_of_edges_does_not_matter(seed: int) -> None:
    u, v, w = random_votes(seed, 40, 200)
    order = np.random.default_rng(seed + 1).permutation(200)

    assert contract_edges(40, u, v, w).tolist() == contract_edges(40, v[order], u[order], w[order]).tolist()


def test_close_to_the_best_partition_of_small_graphs() -> None:
    """Against brute force over all partitions of six nodes: the optimum in most, never under four fifths."""
    shares = []
    for seed in range(30):
        u, v, w = random_votes(seed, 6, 12)
        best = max(agreement(labels, u, v, w) for labels in product(range(6), repeat=6) if labels[0] == 0)
        shares.append(agreement(best_partition(6, u, v, w), u, v, w) / best)

    assert min(shares) >= 0.8
    assert np.mean(shares) >= 0.97


def test_moves_mend_what_contracting_many_edges_a_round_spoils() -> None:
    rng = np.random.default_rng(5)
    truth = np.repeat(np.arange(20), 30)
    u = rng.integers(0, 600, 9000)
    v = np.where(rng.random(9000) < 0.6, truth[u] * 30 + rng.integers(0, 30, 9000), rng.integers(0, 600, 9000))
    w = np.where(truth[u] == truth[v], 2.0, -1.0) + rng.normal(scale=0.8, size=9000)

    found = agreement(best_partition(600, u, v, w), u, v, w)
    one_at_a_time = agreement(contract_edges(600, u, v, w, round_share=1.0), u, v, w)

    assert found >= one_at_a_time


@pytest.mark.parametrize("seed", range(10))
def test_best_partition_does_not_depend_on_the_order_of_edges(seed: int) -> None:
    u, v, w = random_votes(seed, 40, 200)
    order = np.random.default_rng(seed + 1).permutation(200)

    assert best_partition(40, u, v, w).tolist() == best_partition(40, v[order], u[order], w[order]).tolist()
