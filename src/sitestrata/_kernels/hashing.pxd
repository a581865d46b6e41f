# Hashes for the tables of the kernels, and the one that addresses are known by.

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset


# The secret of this process: whoever writes a page must not be able to choose names that fall together in our tables.
cdef struct Secret:
    uint64_t a
    uint64_t b


cdef inline uint64_t _rotate(uint64_t value, int bits) noexcept nogil:
    return (value << bits) | (value >> (64 - bits))


cdef inline void _sip_round(uint64_t *v) noexcept nogil:
    v[0] += v[1]
    v[1] = _rotate(v[1], 13)
    v[1] ^= v[0]
    v[0] = _rotate(v[0], 32)
    v[2] += v[3]
    v[3] = _rotate(v[3], 16)
    v[3] ^= v[2]
    v[0] += v[3]
    v[3] = _rotate(v[3], 21)
    v[3] ^= v[0]
    v[2] += v[1]
    v[1] = _rotate(v[1], 17)
    v[1] ^= v[2]
    v[2] = _rotate(v[2], 32)


cdef inline uint64_t sip_hash(Secret *secret, uint64_t scope, const uint8_t *data, Py_ssize_t size) noexcept nogil:
    """SipHash-1-3 of a number and some bytes (Aumasson and Bernstein, 2012)."""
    cdef uint64_t v[4]
    cdef uint64_t block
    cdef Py_ssize_t left = size
    v[0] = secret.a ^ <uint64_t> 0x736F6D6570736575
    v[1] = secret.b ^ <uint64_t> 0x646F72616E646F6D
    v[2] = secret.a ^ <uint64_t> 0x6C7967656E657261
    v[3] = secret.b ^ <uint64_t> 0x7465646279746573
    v[3] ^= scope
    _sip_round(v)
    v[0] ^= scope
    while left >= 8:
        memcpy(&block, data, 8)
        v[3] ^= block
        _sip_round(v)
        v[0] ^= block
        data += 8
        left -= 8
    block = 0
    memcpy(&block, data, left)
    block |= <uint64_t> size << 56
    v[3] ^= block
    _sip_round(v)
    v[0] ^= block
    v[2] ^= 0xFF
    _sip_round(v)
    _sip_round(v)
    _sip_round(v)
    return v[0] ^ v[1] ^ v[2] ^ v[3]


# RFC 7693.
cdef inline void _blake_mix(uint64_t *v, int a, int b, int c, int d, uint64_t x, uint64_t y) noexcept nogil:
    v[a] = v[a] + v[b] + x
    v[d] = _rotate(v[d] ^ v[a], 32)
    v[c] = v[c] + v[d]
    v[b] = _rotate(v[b] ^ v[c], 40)
    v[a] = v[a] + v[b] + y
    v[d] = _rotate(v[d] ^ v[a], 48)
    v[c] = v[c] + v[d]
    v[b] = _rotate(v[b] ^ v[c], 1)


cdef extern from *:
    """
    static const unsigned char sitestrata_blake_order[12][16] = {
        {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}, {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
        {11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4}, {7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
        {9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13}, {2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
        {12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11}, {13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
        {6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5}, {10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0},
        {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}, {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3}};
    static const unsigned long long sitestrata_blake_start[8] = {
        0x6A09E667F3BCC908ULL, 0xBB67AE8584CAA73BULL, 0x3C6EF372FE94F82BULL, 0xA54FF53A5F1D36F1ULL,
        0x510E527FADE682D1ULL, 0x9B05688C2B3E6C1FULL, 0x1F83D9ABFB41BD6BULL, 0x5BE0CD19137E2179ULL};
    """
    const uint8_t sitestrata_blake_order[12][16]
    const uint64_t sitestrata_blake_start[8]


cdef inline uint64_t blake2b_8(const uint8_t *data, Py_ssize_t size) noexcept nogil:
    """BLAKE2b with a digest of 8 bytes, read as a little-endian number, as `sitestrata.urls.url_id` has it."""
    cdef uint64_t h[8]
    cdef uint64_t v[16]
    cdef uint64_t m[16]
    cdef uint8_t block[128]
    cdef Py_ssize_t done = 0, length
    cdef int i, turn
    cdef bint is_last
    for i in range(8):
        h[i] = sitestrata_blake_start[i]
    h[0] ^= 0x01010000 ^ 8
    while True:
        length = min(<Py_ssize_t> 128, size - done)
        is_last = done + length == size
        memset(block, 0, 128)
        memcpy(block, data + done, length)
        for i in range(16):
            m[i] = (
                <uint64_t> block[8 * i]
                | <uint64_t> block[8 * i + 1] << 8
                | <uint64_t> block[8 * i + 2] << 16
                | <uint64_t> block[8 * i + 3] << 24
                | <uint64_t> block[8 * i + 4] << 32
                | <uint64_t> block[8 * i + 5] << 40
                | <uint64_t> block[8 * i + 6] << 48
                | <uint64_t> block[8 * i + 7] << 56
            )
        done += length
        for i in range(8):
            v[i] = h[i]
            v[i + 8] = sitestrata_blake_start[i]
        v[12] ^= <uint64_t> done
        if is_last:
            v[14] = ~v[14]
        for turn in range(12):
            _blake_mix(v, 0, 4, 8, 12, m[sitestrata_blake_order[turn][0]], m[sitestrata_blake_order[turn][1]])
            _blake_mix(v, 1, 5, 9, 13, m[sitestrata_blake_order[turn][2]], m[sitestrata_blake_order[turn][3]])
            _blake_mix(v, 2, 6, 10, 14, m[sitestrata_blake_order[turn][4]], m[sitestrata_blake_order[turn][5]])
            _blake_mix(v, 3, 7, 11, 15, m[sitestrata_blake_order[turn][6]], m[sitestrata_blake_order[turn][7]])
            _blake_mix(v, 0, 5, 10, 15, m[sitestrata_blake_order[turn][8]], m[sitestrata_blake_order[turn][9]])
            _blake_mix(v, 1, 6, 11, 12, m[sitestrata_blake_order[turn][10]], m[sitestrata_blake_order[turn][11]])
            _blake_mix(v, 2, 7, 8, 13, m[sitestrata_blake_order[turn][12]], m[sitestrata_blake_order[turn][13]])
            _blake_mix(v, 3, 4, 9, 14, m[sitestrata_blake_order[turn][14]], m[sitestrata_blake_order[turn][15]])
        for i in range(8):
            h[i] ^= v[i] ^ v[i + 8]
        if is_last:
            return h[0]
