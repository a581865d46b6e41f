"""Reduce a page's tree to the hierarchy of its hyperlinks; `segment_twin` is the specification."""

from libc.stdint cimport int32_t, uint8_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

import numpy as np

__all__ = ["segment"]


# What a node's subtree became: nodes, linked by ``following``.
cdef struct Chain:
    int32_t head, tail, size, following


def segment(const int32_t[:, ::1] nodes, const int32_t[::1] link):
    """Return the segments' nodes, each one's parent segment, and the segment that each hyperlink is a child of."""
    cdef Py_ssize_t count = nodes.shape[1] - 1, node, i
    cdef int32_t above, first, last, size, child, segment_count = 0, ordinal
    cdef Chain *chain = <Chain *> malloc((count + 1) * sizeof(Chain))
    cdef int32_t *ordinals = <int32_t *> malloc((count + 1) * sizeof(int32_t))  # of segments; -1 = none
    if chain == NULL or ordinals == NULL:
        free(chain)
        free(ordinals)
        raise MemoryError
    memset(chain, 0xFF, (count + 1) * sizeof(Chain))
    memset(ordinals, 0xFF, (count + 1) * sizeof(int32_t))
    for node in range(count):
        chain[node].size = 0
    for node in range(count - 1, -1, -1):
        above = nodes[0, node]
        first, last, size = chain[node].head, chain[node].tail, chain[node].size
        if link[node] == node:
            # A hyperlink is a leaf whatever it contains.
            first = last = <int32_t> node
            size = 1
        elif link[node] >= 0 or size == 0:
            continue  # rule 1
        elif size > 1 and not (size == 2 and link[first] == first and link[chain[first].following] < 0):
            ordinals[node] = 0  # rule 4
            segment_count += 1
            first = last = <int32_t> node
            size = 1
        # Rules 2 and 3: the children go to the parent.
        if above >= 0:
            chain[last].following = chain[above].head
            if chain[above].head < 0:
                chain[above].tail = last
            chain[above].head = first
            chain[above].size += size

    segment_array = np.empty(segment_count, dtype=np.int32)
    parent_array = np.full(segment_count, -1, dtype=np.int32)
    owner_array = np.full(count, -1, dtype=np.int32)
    cdef int32_t[::1] segments = segment_array
    cdef int32_t[::1] parents = parent_array
    cdef int32_t[::1] owner = owner_array
    ordinal = 0
    for node in range(count):
        if ordinals[node] == 0:
            segments[ordinal] = <int32_t> node
            ordinals[node] = ordinal
            ordinal += 1
    for ordinal in range(segment_count):
        node = segments[ordinal]
        child = chain[node].head
        for i in range(chain[node].size):
            if ordinals[child] >= 0:
                parents[ordinals[child]] = ordinal
            else:
                owner[child] = ordinal
            child = chain[child].following
    free(chain)
    free(ordinals)
    return segment_array, parent_array, owner_array
