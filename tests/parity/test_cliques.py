"""The compiled clique search and its Python twin find the same cliques in the same order."""

import numpy as np
import pytest

from sitestrata._kernels import cliques_twin, is_compiled, load


def test_the_kernel_is_compiled() -> None:
    assert is_compiled("cliques")


@pytest.mark.parametrize("seed", range(25))
@pytest.mark.parametrize("limits", [(1, 10**6, 10**6), (3, 10**6, 10**6), (2, 7, 10**6), (1, 10**6, 40)])
def test_kernel_and_twin_agree(seed: int, limits: tuple[int, int, int]) -> None:
    rng = np.random.default_rng(seed)
    count = int(rng.integers(1, 80))
    matrix = np.triu(rng.random((count, count)) < rng.random() * 0.7, 1)
    matrix |= matrix.T
    indptr = np.concatenate([[0], np.cumsum(matrix.sum(axis=1))]).astype(np.int64)
    indices = np.nonzero(matrix)[1].astype(np.int32)

    first, members, is_complete = load("cliques").maximal_cliques(indptr, indices, *limits)
    twin = cliques_twin.maximal_cliques(indptr, indices, *limits)

    assert twin[0].tolist() == first.tolist()
    assert twin[1].tolist() == members.tolist()
    assert twin[2] == is_complete
