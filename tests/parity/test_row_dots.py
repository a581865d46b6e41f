"""The compiled row products and their Python twin agree to the last bit."""

import numpy as np
import pytest

from sitestrata._kernels import is_compiled, load, row_dots_twin
from sitestrata.graph.incidence import incidence


def test_the_kernel_is_compiled() -> None:
    assert is_compiled("row_dots")


@pytest.mark.parametrize("seed", range(10))
def test_kernel_and_twin_agree(seed: int) -> None:
    rng = np.random.default_rng(seed)
    matrix = incidence(40, rng.integers(0, 40, 400), rng.integers(0, 60, 400))
    values = rng.random(len(matrix.indices))
    weight = rng.random(matrix.column_count)
    u, v = rng.integers(0, 40, 200), rng.integers(0, 40, 200)

    fast = load("row_dots").row_dots(matrix.indptr, matrix.indices, values, weight, u, v)

    assert row_dots_twin.row_dots(matrix.indptr, matrix.indices, values, weight, u, v).tolist() == fast.tolist()
