"""The compiled interval programme and its twin give the same splits, and these are the cheapest."""

from functools import cache

import numpy as np
import pytest

from sitestrata._kernels import interval_twin, is_compiled, load


def test_the_kernel_is_compiled() -> None:
    assert is_compiled("interval")


@pytest.mark.parametrize("seed", range(12))
def test_kernel_twin_and_brute_force_agree(seed: int) -> None:
    rng = np.random.default_rng(seed)
    count = int(rng.integers(1, 9))
    ancestors = int(rng.integers(1, 6))
    above = rng.integers(0, ancestors, (count, count)).astype(np.int32)
    cost = rng.integers(0, 4, (ancestors, ancestors)) / 4  # ties are frequent, sums are exact

    fast = load("interval").parenthesise(above, cost)

    assert interval_twin.parenthesise(above, cost).tolist() == fast.tolist()

    @cache
    def cheapest(i: int, j: int) -> float:
        return min(
            (cheapest(i, k) + cheapest(k + 1, j) + cost[above[i, k], above[k + 1, j]] for k in range(i, j)), default=0.0
        )

    def paid(i: int, j: int) -> float:
        if i == j:
            return 0.0
        k = int(fast[i, j])
        return float(paid(i, k) + paid(k + 1, j) + cost[above[i, k], above[k + 1, j]])

    assert cheapest(0, count - 1) == paid(0, count - 1)
