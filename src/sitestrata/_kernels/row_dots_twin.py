"""Weighted dot products of pairs of rows of a 0/1 matrix; twin of ``row_dots.pyx``."""

import numpy as np
from numpy.typing import NDArray

__all__ = ["row_dots"]


def row_dots(
    indptr: NDArray[np.int64],
    indices: NDArray[np.int32],
    column_weight: NDArray[np.float64],
    u: NDArray[np.int64],
    v: NDArray[np.int64],
) -> NDArray[np.float64]:
    """Return for each pair (u, v) the sum of the weights of the columns that both rows have; rows are sorted."""
    dots = np.zeros(len(u))
    for pair, (a, b) in enumerate(zip(u.tolist(), v.tolist(), strict=True)):
        shared = np.intersect1d(
            indices[indptr[a] : indptr[a + 1]], indices[indptr[b] : indptr[b + 1]], assume_unique=True
        )
        total = 0.0
        for column in shared.tolist():
            total += float(column_weight[column])
        dots[pair] = total
    return dots
