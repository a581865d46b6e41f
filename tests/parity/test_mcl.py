"""The MCL kernel does what its twin says, on any number of threads."""

import numpy as np
import pytest

from sitestrata._kernels import is_compiled, load, mcl_twin
from sitestrata.graph.link_graph import edges_to_graph, undirected
from sitestrata.graph.mcl import start_matrix


def matrix(seed: int, n: int = 60, m: int = 240):
    rng = np.random.default_rng(seed)
    return start_matrix(undirected(edges_to_graph(rng.integers(0, n, m), rng.integers(0, n, m), ids=np.arange(n))))


@pytest.mark.parametrize("inflation", [1.2, 2.0, 3.7])
@pytest.mark.parametrize("pruning", [(1e-3, 100, 120, 0.9), (0.02, 5, 8, 0.9), (0.3, 3, 0, 0.9), (0.5, 1, 1, 1.0)])
def test_kernel_equals_twin(inflation: float, pruning: tuple[float, int, int, float]) -> None:
    assert is_compiled("mcl")
    kernel = load("mcl")
    for seed in range(4):
        ours = theirs = matrix(seed)
        for _ in range(4):
            *ours, chaos, kept = kernel.step(*ours, inflation, *pruning, 2)
            *theirs, twin_chaos, twin_kept = mcl_twin.step(*theirs, inflation, *pruning, 1)

            assert np.array_equal(theirs[0], ours[0])
            assert np.array_equal(theirs[1], ours[1])
            assert np.allclose(theirs[2], ours[2], rtol=1e-6, atol=0)
            assert twin_chaos == pytest.approx(chaos) and twin_kept == pytest.approx(kept)
            theirs = list(ours)  # a rounding of one step must not decide a tie of the next


def test_number_of_threads_does_not_matter() -> None:
    kernel = load("mcl")
    start = matrix(9, 400, 3000)
    one, three = (kernel.step(*start, 2.0, 1e-3, 20, 30, 0.9, threads) for threads in (1, 3))

    assert all(np.array_equal(a, b) for a, b in zip(one, three, strict=True))


def test_ties_with_the_last_entry_are_kept_while_they_are_few() -> None:
    """A hub keeps itself and 15 equal leaves where four entries are asked for; with one leaf more, the first four."""
    for leaves, kept in ((15, 16), (16, 4)):
        star = edges_to_graph(np.zeros(leaves, np.int64), np.arange(1, leaves + 1), ids=np.arange(leaves + 1))
        for kernel in (load("mcl"), mcl_twin):
            indptr, *_ = kernel.step(*start_matrix(undirected(star)), 2.0, 1e-6, 4, 0, 0.9, 1)

            assert kept == indptr[1]
