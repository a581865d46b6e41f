"""Numbers equal keys alike, in the order in which they come; twin: ``numbering_twin.py``."""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libc.stdlib cimport calloc, free, malloc

import numpy as np

cdef extern from *:
    """
    #if defined(__GNUC__) || defined(__clang__)
    #define fetch_ahead(address) __builtin_prefetch(address)
    #else
    #define fetch_ahead(address) ((void) 0)
    #endif
    """
    void fetch_ahead(const void *address) noexcept nogil

cdef uint64_t LOWER = 0xFFFFFFFF
cdef uint64_t UPPER = 0xFFFFFFFF00000000

ctypedef fused Whole:
    int32_t
    int64_t

cdef enum:
    AHEAD = 16  # keys; a table of millions of them is in no cache, and waiting for it takes longer than all else


cdef inline uint64_t _spread(uint64_t value) noexcept nogil:
    value = (value ^ (value >> 32)) * <uint64_t> 0x9E3779B97F4A7C15
    return value ^ (value >> 29)


def number_keys(const int64_t[:] keys):
    cdef Py_ssize_t count = keys.shape[0], row, found = 0
    numbers = np.empty(count, np.int64)
    firsts = np.empty(count, np.int64)
    cdef int64_t[::1] out = numbers
    cdef int64_t[::1] first = firsts
    cdef uint64_t size = 1024, mask = 1023, slot, value, held
    # In a slot: number + 1 (0 = free), and above it the upper half of the key's hash, so that few other keys are read.
    cdef uint64_t *table = <uint64_t *> calloc(size, sizeof(uint64_t))
    cdef uint64_t *larger
    if count >= 2**32 - 2:
        raise OverflowError("too many keys")
    if table == NULL:
        raise MemoryError
    try:
        for row in range(count):
            if row + AHEAD < count:
                fetch_ahead(&table[_spread(<uint64_t> keys[row + AHEAD]) & mask])
            value = _spread(<uint64_t> keys[row])
            slot = value & mask
            while True:
                held = table[slot]
                if held == 0:
                    first[found] = row
                    out[row] = found
                    found += 1
                    table[slot] = (value & UPPER) | <uint64_t> found
                    break
                if not ((held ^ value) & UPPER) and keys[first[(held & LOWER) - 1]] == keys[row]:
                    out[row] = (held & LOWER) - 1
                    break
                slot = (slot + 1) & mask
            if 2 * <uint64_t> found > size:
                larger = <uint64_t *> calloc(4 * size, sizeof(uint64_t))
                if larger == NULL:
                    raise MemoryError
                _move(keys, first, table, size, larger, 4 * size)
                free(table)
                table = larger
                size *= 4
                mask = size - 1
    finally:
        free(table)
    return numbers, firsts[:found].copy()


cdef void _move(
    const int64_t[:] keys, const int64_t[::1] first, const uint64_t *table, uint64_t size, uint64_t *larger, uint64_t room
) noexcept nogil:
    cdef uint64_t at, slot
    for at in range(size):
        if table[at]:
            slot = _spread(<uint64_t> keys[first[(table[at] & LOWER) - 1]]) & (room - 1)
            while larger[slot]:
                slot = (slot + 1) & (room - 1)
            larger[slot] = table[at]


def number_within(const Whole[:] groups, const int64_t[:] keys):
    """As ``number_keys`` over groups that follow one another: a table of one group only, which stays in the cache."""
    cdef Py_ssize_t count = keys.shape[0], row, begin, end = 0, largest = 0, room = 2, before, found = 0
    numbers, firsts = np.empty(count, np.int64), np.empty(count, np.uint8)
    cdef int64_t[::1] out = numbers
    cdef uint8_t[::1] is_first = firsts
    cdef uint64_t mask, slot
    while end < count:
        begin = end
        while end < count and groups[end] == groups[begin]:
            end += 1
        largest = max(largest, end - begin)
    while room < 2 * largest:
        room *= 2
    cdef Py_ssize_t *table = <Py_ssize_t *> malloc(room * sizeof(Py_ssize_t))  # the row in which a key came first
    if table == NULL:
        raise MemoryError
    with nogil:
        for row in range(room):
            table[row] = -1
        end = 0
        while end < count:
            begin = end
            while end < count and groups[end] == groups[begin]:
                end += 1
            mask = 1
            while mask + 1 < <uint64_t> (2 * (end - begin)):
                mask = 2 * mask + 1
            for row in range(begin, end):
                slot = _spread(<uint64_t> keys[row]) & mask
                while True:
                    before = table[slot]
                    if before < begin:  # of a group that is over, or free
                        table[slot] = row
                        out[row] = found
                        is_first[row] = True
                        found += 1
                        break
                    if keys[before] == keys[row]:
                        out[row] = out[before]
                        is_first[row] = False
                        break
                    slot = (slot + 1) & mask
    free(table)
    return numbers, firsts.view(np.bool_)


def mix_into(uint64_t[::1] values, const int64_t[:] column):
    cdef Py_ssize_t row
    cdef uint64_t value
    for row in range(values.shape[0]):
        value = (values[row] ^ <uint64_t> column[row]) + <uint64_t> 0x9E3779B97F4A7C15
        value = (value ^ (value >> 30)) * <uint64_t> 0xBF58476D1CE4E5B9
        value = (value ^ (value >> 27)) * <uint64_t> 0x94D049BB133111EB
        values[row] = value ^ (value >> 31)
