"""Reduce a page's tree to the hierarchy of its hyperlinks; `segment_twin` is the specification."""

from libc.stdint cimport int32_t, uint8_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

cimport numpy as cnp

cnp.import_array()

__all__ = ["segment"]


cdef enum:
    OWNED = -2  # size of a hyperlink that belongs to a segment


# What a node's subtree became: nodes, linked by ``following``.
cdef struct Chain:
    int32_t head, tail, size, following


cdef inline const int32_t *_ints(cnp.ndarray array) except NULL:
    if cnp.PyArray_TYPE(array) != cnp.NPY_INT32 or not cnp.PyArray_IS_C_CONTIGUOUS(array):
        raise TypeError("a contiguous array of 32-bit integers is needed")
    return <const int32_t *> cnp.PyArray_DATA(array)


cdef inline int32_t *_new_ints(object array) noexcept:
    return <int32_t *> cnp.PyArray_DATA(<cnp.ndarray> array)


cdef inline object _row(Py_ssize_t size):
    return cnp.PyArray_EMPTY(1, <cnp.npy_intp *> &size, cnp.NPY_INT32, 0)


def segment(cnp.ndarray nodes, cnp.ndarray link_of, cnp.ndarray listed_links):
    """Return the segments' nodes, each one's parent segment, its first link, the links, and each link's segment."""
    cdef Py_ssize_t count = nodes.shape[1] - 1, node, i
    cdef int32_t above, first, last, size, child, segment_count = 0, ordinal
    cdef Py_ssize_t link_count = listed_links.shape[0], owned = 0
    cdef const int32_t *parent = _ints(nodes)
    cdef const int32_t *link = _ints(link_of)
    cdef const int32_t *listed = _ints(listed_links)
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
        above = parent[node]
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

    segment_array, parent_array = _row(segment_count), _row(segment_count)
    first_array, of_link_array = _row(segment_count + 1), _row(link_count)
    cdef int32_t *segments = _new_ints(segment_array)
    cdef int32_t *parents = _new_ints(parent_array)
    cdef int32_t *starts = _new_ints(first_array)
    cdef int32_t *of_link = _new_ints(of_link_array)
    ordinal = 0
    for node in range(count):
        if ordinals[node] == 0:
            segments[ordinal] = <int32_t> node
            parents[ordinal] = -1
            ordinals[node] = ordinal
            ordinal += 1
    # A hyperlink has no children: from here on its tail is the segment that it belongs to.
    for ordinal in range(segment_count):
        node = segments[ordinal]
        child, size = chain[node].head, chain[node].size
        for i in range(size):
            if ordinals[child] >= 0:
                parents[ordinals[child]] = ordinal
            else:
                chain[child].tail = ordinal
                chain[child].size = OWNED
            child = chain[child].following
    memset(starts, 0, (segment_count + 1) * sizeof(int32_t))
    for i in range(link_count):
        node = listed[i]
        of_link[i] = chain[node].tail if chain[node].size == OWNED else -1
        if of_link[i] >= 0:
            starts[of_link[i] + 1] += 1
            owned += 1
    for ordinal in range(segment_count):
        starts[ordinal + 1] += starts[ordinal]
    link_array = _row(owned)
    cdef int32_t *links = _new_ints(link_array)
    for ordinal in range(segment_count):
        ordinals[ordinal] = starts[ordinal]  # where the next link goes
    for i in range(link_count):
        if of_link[i] >= 0:
            links[ordinals[of_link[i]]] = <int32_t> i
            ordinals[of_link[i]] += 1
    free(chain)
    free(ordinals)
    return segment_array, parent_array, first_array, link_array, of_link_array
