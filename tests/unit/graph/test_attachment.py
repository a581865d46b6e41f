"""Loose nodes join parts and one another; parts never join; numbers decide nothing."""

import numpy as np
import pytest

from sitestrata.graph.attachment import attach


def test_loose_nodes_go_together_by_the_best_tie_that_one_of_them_has() -> None:
    """0 is tied to 1 only, 1 to the part {2, 3}: 0 goes there too, though it comes before 1."""
    part, is_loose = np.array([0, 1, 2, 2]), np.array([True, True, False, False])

    assert [0, 0, 0, 0] == attach(part, is_loose, np.array([0, 1]), np.array([1, 3]), np.array([5.0, 1.0])).tolist()


def test_nothing_joins_by_a_tie_that_is_not_positive() -> None:
    part, is_loose = np.arange(3), np.ones(3, np.bool_)

    assert [0, 1, 2] == attach(part, is_loose, np.array([0, 1]), np.array([1, 2]), np.array([0.0, -1.0])).tolist()


@pytest.mark.parametrize("seed", range(30))
def test_parts_stay_apart_and_other_numbers_give_the_same_sets(seed: int) -> None:
    rng = np.random.default_rng(seed)
    count = 40
    is_loose = rng.random(count) < 0.7
    part = np.where(is_loose, np.arange(count), rng.integers(0, 4, count) + count)
    u, v = rng.integers(0, count, 120), rng.integers(0, count, 120)
    weight = rng.normal(size=120)
    found = attach(part, is_loose, u, v, weight)

    held = [set(part[(found == one) & ~is_loose].tolist()) for one in np.unique(found)]
    assert all(len(parts) <= 1 for parts in held)
    assert sum(map(len, held)) == len(set(part[~is_loose].tolist()))

    new = rng.permutation(count)
    old = np.argsort(new)
    again = attach(part[old], is_loose[old], new[u], new[v], weight)[new]
    sets = {frozenset(np.flatnonzero(found == one).tolist()) for one in found.tolist()}
    assert sets == {frozenset(np.flatnonzero(again == one).tolist()) for one in again.tolist()}
