"""Tell whether bytes are valid UTF-8, without making a string of them; `utf8_twin` is the specification."""

from cpython.bytes cimport PyBytes_AS_STRING
from libc.stdint cimport uint8_t, uint64_t
from libc.string cimport memcpy

__all__ = ["is_utf8"]


def is_utf8(bytes data not None):
    """Tell whether bytes are valid UTF-8."""
    cdef const uint8_t *at = <const uint8_t *> PyBytes_AS_STRING(data)
    cdef const uint8_t *end = at + len(data)
    cdef uint64_t block
    cdef uint64_t blocks[8]
    cdef uint8_t lead
    while at < end:
        # Nearly everything is ASCII.
        while end - at >= 64:
            memcpy(blocks, at, 64)
            block = blocks[0] | blocks[1] | blocks[2] | blocks[3] | blocks[4] | blocks[5] | blocks[6] | blocks[7]
            if block & <uint64_t> 0x8080808080808080:
                break
            at += 64
        if end - at >= 8:
            memcpy(&block, at, 8)
            if block & <uint64_t> 0x8080808080808080 == 0:
                at += 8
                continue
        lead = at[0]
        # Unicode Standard, table 3-7.
        if lead < 0x80:
            at += 1
        elif lead < 0xC2:
            return False
        elif lead < 0xE0:
            if end - at < 2 or not _follows(at[1]):
                return False
            at += 2
        elif lead < 0xF0:
            if end - at < 3 or not _follows(at[1]) or not _follows(at[2]):
                return False
            if (lead == 0xE0 and at[1] < 0xA0) or (lead == 0xED and at[1] > 0x9F):
                return False
            at += 3
        elif lead < 0xF5:
            if end - at < 4 or not _follows(at[1]) or not _follows(at[2]) or not _follows(at[3]):
                return False
            if (lead == 0xF0 and at[1] < 0x90) or (lead == 0xF4 and at[1] > 0x8F):
                return False
            at += 4
        else:
            return False
    return True


cdef inline bint _follows(uint8_t byte) noexcept:
    return byte & 0xC0 == 0x80
