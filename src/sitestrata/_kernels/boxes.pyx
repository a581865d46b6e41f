"""Describes every element that holds leaves, as a block a page may have; twin: ``boxes_twin.py``."""

from libc.math cimport log
from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.stdlib cimport qsort

import numpy as np

INLINE, BOX = 1, 2
FEATURES = 9

cdef enum:
    _INLINE = 1
    _BOX = 2
    _FEATURES = 9
    _LEAST = 2
    _HEADING_WITHIN = 2
cdef double _MAX_DEPTH = 2.0
cdef double _LONG = 40.0


cdef int _by_value(const void *one, const void *other) noexcept nogil:
    cdef int64_t a = (<const int64_t *> one)[0]
    cdef int64_t b = (<const int64_t *> other)[0]
    return (a > b) - (a < b)


cdef int32_t _equal(const int64_t *values, int32_t count, int64_t wanted) noexcept nogil:
    """How many of some sorted values are the wanted one."""
    cdef int32_t low = 0, high = count, middle, first
    while low < high:
        middle = (low + high) // 2
        if values[middle] < wanted:
            low = middle + 1
        else:
            high = middle
    first = low
    high = count
    while low < high:
        middle = (low + high) // 2
        if values[middle] <= wanted:
            low = middle + 1
        else:
            high = middle
    return low - first


def describe_boxes(
    const int32_t[:] end,
    const int32_t[:] tag,
    const int64_t[:] path,
    const int32_t[:] lengths,
    const int32_t[:] leaf_node,
    const int32_t[:] leaf_link,
    const int32_t[:] leaf_heading,
    const uint8_t[:] kinds,
):
    cdef int32_t nodes = <int32_t> end.shape[0], total = <int32_t> leaf_node.shape[0]
    cdef int32_t others = <int32_t> kinds.shape[0] - 1
    if total == 0:
        return np.empty((0, 3), dtype=np.int32), np.empty((0, _FEATURES), dtype=np.float64)
    cdef int32_t[:, ::1] places = np.empty((nodes, 3), dtype=np.int32)
    cdef double[:, ::1] features = np.empty((nodes, _FEATURES), dtype=np.float64)
    cdef int32_t[::1] before = np.empty(nodes + 1, dtype=np.int32)
    cdef int32_t[::1] headings = np.zeros(total + 1, dtype=np.int32)
    cdef int64_t[::1] text = np.zeros(total + 1, dtype=np.int64)
    cdef int64_t[::1] linked = np.zeros(total + 1, dtype=np.int64)
    cdef int32_t[::1] inner = np.empty(nodes, dtype=np.int32)
    cdef int64_t[::1] paths = np.empty(nodes, dtype=np.int64)
    cdef int32_t[:, ::1] stack = np.zeros((nodes, 4), dtype=np.int32)  # node, leaves of the parent, alike, depth
    cdef double[::1] headed = np.zeros(nodes, dtype=np.float64)  # of each on the stack: headings beside
    cdef int32_t found = 0, waiting = 1, leaf = 0, node, child, first, last, size, count, depth, i, starts, own
    cdef int32_t of_parent, alike
    cdef int64_t length, characters
    cdef double beside
    with nogil:
        for node in range(nodes):
            before[node] = leaf
            if leaf < total and leaf_node[leaf] == node:
                length = lengths[node]
                if length < 1:
                    length = 1
                text[leaf + 1] = text[leaf] + length
                linked[leaf + 1] = linked[leaf] + (length if leaf_link[leaf] >= 0 else 0)
                headings[leaf + 1] = headings[leaf] + (leaf_heading[leaf] != 0)
                leaf += 1
        before[nodes] = leaf

        stack[0, 1] = total
        while waiting:
            waiting -= 1
            node, of_parent, alike, depth = (
                stack[waiting, 0], stack[waiting, 1], stack[waiting, 2], stack[waiting, 3]
            )
            beside = headed[waiting]
            first = before[node]
            last = before[end[node]]
            size = last - first
            own = kinds[tag[node] if tag[node] < others else others]
            while True:
                count = 0
                child = node + 1
                while child < end[node]:
                    if before[end[child]] > before[child]:
                        inner[count] = child
                        count += 1
                    child = end[child]
                if count != 1 or tag[inner[0]] == 0:
                    break
                node = inner[0]
                own |= kinds[tag[node] if tag[node] < others else others]
            characters = text[last] - text[first]
            places[found, 0] = first
            places[found, 1] = last
            places[found, 2] = node
            features[found, 0] = log(<double> size / total)
            features[found, 1] = max(log(2.0 * size / of_parent), 0.0)
            features[found, 2] = min(depth / 10.0, _MAX_DEPTH)
            features[found, 3] = log(1.0 + alike)
            features[found, 4] = <double> (linked[last] - linked[first]) / characters
            features[found, 5] = max(log(characters / (_LONG * size)), 0.0)
            features[found, 6] = beside
            features[found, 7] = (own & _INLINE) > 0
            features[found, 8] = (own & _BOX) > 0
            found += 1

            starts = 0
            for i in range(count):
                leaf = before[inner[i]]
                starts += headings[min(leaf + _HEADING_WITHIN, total)] > headings[leaf]
                paths[i] = path[inner[i]]
            if count > 1:
                qsort(&paths[0], count, sizeof(int64_t), _by_value)
            for i in range(count):
                child = inner[i]
                if before[end[child]] - before[child] >= _LEAST:
                    stack[waiting, 0] = child
                    stack[waiting, 1] = size
                    stack[waiting, 2] = _equal(&paths[0], count, path[child]) - 1
                    stack[waiting, 3] = depth + 1
                    headed[waiting] = <double> starts / count
                    waiting += 1
    return np.asarray(places)[:found], np.asarray(features)[:found]
