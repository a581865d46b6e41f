"""Hashes of many texts, as Arrow holds them: labels, and DOM paths with or without names; twin: ``texts_twin.py``."""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcmp, memcpy

import numpy as np

cdef enum:
    SLOTS = 8192  # a power of two


cdef inline uint64_t _hash(const uint8_t *text, Py_ssize_t size) noexcept nogil:
    """Fold words of eight bytes, then mix (the finaliser of splitmix64); not against people who make collisions."""
    cdef uint64_t folded = <uint64_t> size * <uint64_t> 0x9E3779B97F4A7C15, word
    cdef Py_ssize_t at = 0
    while at + 8 <= size:
        memcpy(&word, text + at, 8)
        folded = (folded ^ word) * <uint64_t> 0xD6E8FEB86659FD93
        folded ^= folded >> 32
        at += 8
    if at < size:
        word = 0
        memcpy(&word, text + at, size - at)
        folded = (folded ^ word) * <uint64_t> 0xD6E8FEB86659FD93
        folded ^= folded >> 32
    folded = (folded ^ (folded >> 30)) * <uint64_t> 0xBF58476D1CE4E5B9
    folded = (folded ^ (folded >> 27)) * <uint64_t> 0x94D049BB133111EB
    folded ^= folded >> 31
    return folded if folded else 1


# Pages of one site repeat the same few paths, so the last path of each slot is compared before it is stripped.


cdef inline uint64_t _slot(const uint8_t *text, Py_ssize_t size) noexcept nogil:
    cdef uint64_t head = 0, tail = 0
    cdef Py_ssize_t part = min(size, <Py_ssize_t> 8)
    memcpy(&head, text, part)
    memcpy(&tail, text + size - part, part)
    head = (head ^ <uint64_t> size) * <uint64_t> 0x9E3779B97F4A7C15
    head = (head ^ (head >> 29) ^ tail) * <uint64_t> 0xBF58476D1CE4E5B9
    return (head >> 40) & (SLOTS - 1)


cdef Py_ssize_t _strip(const uint8_t *text, Py_ssize_t size, uint8_t *into, int32_t *steps) noexcept nogil:
    """Copy a path without ids and classes and count its steps; return the length of what is left."""
    cdef Py_ssize_t at, length = 0
    cdef bint is_name = False
    steps[0] = 1
    for at in range(size):
        if text[at] == 47:  # /
            is_name = False
            steps[0] += 1
        elif text[at] == 35 or text[at] == 46:  # # .
            is_name = True
        if not is_name:
            into[length] = text[at]
            length += 1
    return length


def hash_texts(const int32_t[:] offsets, const uint8_t[:] data):
    cdef Py_ssize_t count = max(<Py_ssize_t> offsets.shape[0] - 1, <Py_ssize_t> 0), row, size
    hashes = np.zeros(count, np.int64)
    if not count or not data.shape[0]:
        return hashes
    cdef int64_t[::1] out = hashes
    cdef const uint8_t *texts = &data[0]
    with nogil:
        for row in range(count):
            size = offsets[row + 1] - offsets[row]
            if size:
                out[row] = <int64_t> _hash(texts + offsets[row], size)
    return hashes


def hash_places(const int32_t[:] offsets, const uint8_t[:] data):
    cdef Py_ssize_t count = max(<Py_ssize_t> offsets.shape[0] - 1, <Py_ssize_t> 0), row, size, longest = 0, kept
    hashes, depths = np.zeros(count, np.int64), np.ones(count, np.int32)
    if not count or not data.shape[0]:
        return hashes, depths
    cdef int64_t[::1] out = hashes
    cdef int32_t[::1] depth = depths
    cdef const uint8_t *texts = &data[0]
    cdef const uint8_t *text
    cdef uint64_t slot
    cdef Py_ssize_t before
    for row in range(count):
        longest = max(longest, <Py_ssize_t> (offsets[row + 1] - offsets[row]))
    cdef uint8_t *buffer = <uint8_t *> malloc(longest + 1)
    cdef Py_ssize_t *last = <Py_ssize_t *> malloc(SLOTS * sizeof(Py_ssize_t))
    if buffer == NULL or last == NULL:
        free(buffer)
        free(last)
        raise MemoryError
    with nogil:
        for row in range(SLOTS):
            last[row] = -1
        for row in range(count):
            size = offsets[row + 1] - offsets[row]
            if not size:
                continue
            text = texts + offsets[row]
            slot = _slot(text, size)
            before = last[slot]
            if before >= 0 and offsets[before + 1] - offsets[before] == size:
                if memcmp(texts + offsets[before], text, size) == 0:
                    out[row] = out[before]
                    depth[row] = depth[before]
                    continue
            kept = _strip(text, size, buffer, &depth[row])
            out[row] = <int64_t> _hash(buffer, kept) if kept else 0
            last[slot] = row
    free(buffer)
    free(last)
    return hashes, depths


def hash_steps(const int32_t[:] offsets, const uint8_t[:] data, const int64_t[:] rows, const int32_t[:] depth):
    cdef Py_ssize_t count = rows.shape[0], row
    hashes, bounds = np.zeros(count, np.int64), np.zeros((2, count), np.int32)
    if not count or not data.shape[0]:
        bounds[:] = offsets[0] if offsets.shape[0] else 0
        return hashes, bounds
    cdef int64_t[:] out = hashes
    cdef int32_t[:, :] place = bounds
    cdef int32_t at, end, begin, left
    cdef const uint8_t *texts = &data[0]
    with nogil:
        for row in range(count):
            end = offsets[rows[row] + 1]
            left = depth[row]
            at = offsets[rows[row]]
            while left > 0 and at < end:
                if texts[at] == 47:
                    left -= 1
                at += 1
            begin = end if left else at
            at = begin
            while at < end and texts[at] != 47:
                at += 1
            place[0, row] = begin
            place[1, row] = at
            if at > begin:
                out[row] = <int64_t> _hash(texts + begin, at - begin)
    return hashes, bounds
