"""Weighted dot products of pairs of rows of a sparse matrix; twin of ``row_dots.pyx``."""

import numpy as np
from numpy.typing import NDArray

__all__ = ["row_dots"]


def row_dots(
    indptr: NDArray[np.int64],
    indices: NDArray[np.int32],
    values: NDArray[np.float64],
    column_weight: NDArray[np.float64],
    u: NDArray[np.int64],
    v: NDArray[np.int64],
) -> NDArray[np.float64]:
    """Return for each pair (u, v) the sum of value * value * column weight over the columns both have."""
    dots = np.zeros(len(u))
    for pair, (a, b) in enumerate(zip(u.tolist(), v.tolist(), strict=True)):
        left = {int(indices[i]): float(values[i]) for i in range(int(indptr[a]), int(indptr[a + 1]))}
        total = 0.0
        for j in range(int(indptr[b]), int(indptr[b + 1])):
            column = int(indices[j])
            if column in left:
                total += left[column] * float(values[j]) * float(column_weight[column])
        dots[pair] = total
    return dots
