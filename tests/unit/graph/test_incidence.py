"""Rows compared by what they carry: equal to the dense computation, blind to what all carry."""

import numpy as np
import pytest

from sitestrata.graph.incidence import column_rarity, incidence, row_cosines


@pytest.mark.parametrize("seed", range(10))
def test_cosines_equal_the_dense_computation(seed: int) -> None:
    rng = np.random.default_rng(seed)
    row, column = rng.integers(0, 12, 60), rng.integers(-5, 20, 60)
    matrix = incidence(12, row, column)
    weight = column_rarity(matrix)
    dense = np.zeros((12, matrix.column_count))
    for r in range(12):
        dense[r, matrix.indices[matrix.indptr[r] : matrix.indptr[r + 1]]] = 1
    dense *= weight
    norm = np.linalg.norm(dense, axis=1)
    u, v = np.divmod(np.arange(144), 12)
    product = norm[u] * norm[v]
    expected = np.divide((dense[u] * dense[v]).sum(1), product, out=np.zeros(144), where=product > 0)

    np.testing.assert_allclose(row_cosines(matrix, u, v), expected, atol=1e-12)


def test_what_every_row_has_counts_little_beside_what_two_rows_share() -> None:
    """Column 0 is a bar on all rows; rows 0 and 1 also share column 1."""
    rows = [*range(100), 0, 1, 2, 3]
    columns = [0] * 100 + [1, 1, 2, 2]
    together, apart = row_cosines(incidence(100, rows, columns), [0, 0], [1, 2])

    assert together == pytest.approx(1.0)
    assert apart < 0.25


def test_rows_that_carry_the_same_are_alike_even_if_all_rows_do() -> None:
    """One site alone: its menu is on every page and still what its pages have in common."""
    rows = [row for row in range(50) for _ in range(4)]
    columns = [column for row in range(50) for column in (0, 1, 2, 100 + row // 2)]

    (alike,) = row_cosines(incidence(50, rows, columns), [0], [40])

    assert alike > 0.3


def test_empty_rows_are_like_nothing() -> None:
    assert [0.0] == row_cosines(incidence(3, [0, 1], [5, 5]), [0], [2]).tolist()
