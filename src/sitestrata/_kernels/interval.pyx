"""The cheapest binary parenthesisation of a sequence, by dynamic programming; twin: ``interval_twin.py``."""

import numpy as np

cimport numpy as cnp

cnp.import_array()


def parenthesise(const cnp.int32_t[:, ::1] above, const double[:, ::1] cost):
    """Return, for each range i..j, the last unit of its left half; -1 where there is none."""
    cdef Py_ssize_t count = above.shape[0]
    split_array = np.full((count, count), -1, dtype=np.int32)
    best_array = np.zeros((count, count), dtype=np.float64)
    cdef cnp.int32_t[:, ::1] split = split_array
    cdef double[:, ::1] best = best_array
    cdef Py_ssize_t width, i, j, k, chosen
    cdef double least, total
    with nogil:
        for width in range(1, count):
            for i in range(count - width):
                j = i + width
                chosen = i
                least = best[i, i] + best[i + 1, j] + cost[above[i, i], above[i + 1, j]]
                for k in range(i + 1, j):
                    total = best[i, k] + best[k + 1, j] + cost[above[i, k], above[k + 1, j]]
                    if total < least:
                        least = total
                        chosen = k
                best[i, j] = least
                split[i, j] = chosen
    return split_array
