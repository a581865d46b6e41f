"""Weighted dot products of pairs of rows of a sparse matrix; twin: ``row_dots_twin.py``."""

import numpy as np

cimport numpy as cnp

cnp.import_array()


cdef inline double _shared(
    const cnp.int64_t[::1] indptr,
    const cnp.int32_t[::1] indices,
    const double[::1] values,
    const double[::1] column_weight,
    cnp.int64_t a,
    cnp.int64_t b,
) noexcept nogil:
    cdef cnp.int64_t i = indptr[a], i_end = indptr[a + 1], j = indptr[b], j_end = indptr[b + 1]
    cdef double total = 0.0
    while i < i_end and j < j_end:
        if indices[i] < indices[j]:
            i = i + 1
        elif indices[i] > indices[j]:
            j = j + 1
        else:
            total = total + values[i] * values[j] * column_weight[indices[i]]
            i = i + 1
            j = j + 1
    return total


def row_dots(
    const cnp.int64_t[::1] indptr,
    const cnp.int32_t[::1] indices,
    const double[::1] values,
    const double[::1] column_weight,
    const cnp.int64_t[::1] u,
    const cnp.int64_t[::1] v,
):
    """Return for each pair (u, v) the sum of value * value * column weight over the columns both have; rows are sorted."""
    cdef Py_ssize_t pair, pair_count = u.shape[0]
    dots = np.zeros(pair_count, np.float64)
    cdef double[::1] out = dots
    with nogil:
        for pair in range(pair_count):
            out[pair] = _shared(indptr, indices, values, column_weight, u[pair], v[pair])
    return dots
