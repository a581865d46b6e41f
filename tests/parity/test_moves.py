"""The compiled moves and their Python twin make the same moves."""

import numpy as np
import pytest

from sitestrata._kernels import is_compiled, load, moves_twin


def test_the_kernel_is_compiled() -> None:
    assert is_compiled("moves")


@pytest.mark.parametrize("seed", range(20))
def test_kernel_and_twin_agree(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n, m = 50, 300
    u, v, w = rng.integers(0, n, m), rng.integers(0, n, m), rng.normal(size=m)
    tails, heads, votes = np.concatenate([u, v]), np.concatenate([v, u]), np.concatenate([w, w])
    order = np.lexsort((heads, tails))
    indptr = np.concatenate([[0], np.cumsum(np.bincount(tails, minlength=n))]).astype(np.int64)
    start = rng.integers(0, n, n)
    fast, slow = start.copy(), start.copy()

    made = load("moves").move_nodes(indptr, heads[order], votes[order], fast, 20)

    assert moves_twin.move_nodes(indptr, heads[order], votes[order], slow, 20) == made
    assert fast.tolist() == slow.tolist()
