"""Numbers equal keys alike, in the order in which they come; twin: ``numbering_twin.py``."""

from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.stdlib cimport calloc, free

import numpy as np


cdef inline uint64_t _spread(uint64_t value) noexcept nogil:
    value = (value ^ (value >> 32)) * <uint64_t> 0x9E3779B97F4A7C15
    return value ^ (value >> 29)


def number_keys(const int64_t[:] keys):
    cdef Py_ssize_t count = keys.shape[0], row, found = 0
    numbers = np.empty(count, np.int64)
    firsts = np.empty(count, np.int64)
    cdef int64_t[::1] out = numbers
    cdef int64_t[::1] first = firsts
    cdef uint64_t size = 1024, mask, slot, other
    cdef int32_t *table = <int32_t *> calloc(size, sizeof(int32_t))  # number + 1; 0 = free
    cdef int32_t *larger
    cdef int32_t number
    if count >= 2**31 - 2:
        raise OverflowError("too many keys")
    if table == NULL:
        raise MemoryError
    mask = size - 1
    try:
        for row in range(count):
            slot = _spread(<uint64_t> keys[row]) & mask
            while True:
                number = table[slot]
                if number == 0:
                    first[found] = row
                    out[row] = found
                    found += 1
                    table[slot] = <int32_t> found
                    break
                if keys[first[number - 1]] == keys[row]:
                    out[row] = number - 1
                    break
                slot = (slot + 1) & mask
            if 2 * <uint64_t> found > size:
                larger = <int32_t *> calloc(4 * size, sizeof(int32_t))
                if larger == NULL:
                    raise MemoryError
                free(table)
                table = larger
                size *= 4
                mask = size - 1
                for number in range(<int32_t> found):
                    other = _spread(<uint64_t> keys[first[number]]) & mask
                    while table[other]:
                        other = (other + 1) & mask
                    table[other] = number + 1
    finally:
        free(table)
    return numbers, firsts[:found].copy()


def mix_into(uint64_t[::1] values, const int64_t[:] column):
    cdef Py_ssize_t row
    cdef uint64_t value
    for row in range(values.shape[0]):
        value = (values[row] ^ <uint64_t> column[row]) + <uint64_t> 0x9E3779B97F4A7C15
        value = (value ^ (value >> 30)) * <uint64_t> 0xBF58476D1CE4E5B9
        value = (value ^ (value >> 27)) * <uint64_t> 0x94D049BB133111EB
        values[row] = value ^ (value >> 31)
