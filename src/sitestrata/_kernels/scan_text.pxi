# Bytes of a page: comparing, hashing, folding and cutting them. Part of scan.pyx.


cdef inline uint64_t _hash(const uint8_t *data, Py_ssize_t size) noexcept:
    cdef uint64_t value = <uint64_t> size, block
    while size >= 8:
        memcpy(&block, data, 8)
        value = _mix(value, block)
        data += 8
        size -= 8
    if size:
        block = 0
        memcpy(&block, data, size)
        value = _mix(value, block)
    return value


cdef inline uint64_t _mix(uint64_t value, uint64_t step) noexcept:
    value = (value ^ step) * <uint64_t> 0x9E3779B97F4A7C15
    return value ^ (value >> 32)


cdef inline bint _is_digit(uint8_t byte) noexcept:
    return c"0" <= byte <= c"9"


cdef inline bint _is_space(uint8_t byte) noexcept:
    """ASCII white space as bytes.split knows it."""
    return byte == 32 or (9 <= byte <= 13)


cdef inline uint8_t _lower(uint8_t byte) noexcept:
    return byte + 32 if c"A" <= byte <= c"Z" else byte


cdef inline int _space_length(const uint8_t *text, const uint8_t *end) noexcept:
    """Return how many bytes of white space, as str.split knows it, start here: 0 to 3."""
    cdef uint8_t first = text[0], second, third
    if first < 0x80:
        return first == 32 or (9 <= first <= 13) or (28 <= first <= 31)
    if end - text < 2:
        return 0
    second = text[1]
    if first == 0xC2:
        return 2 if second == 0x85 or second == 0xA0 else 0
    if end - text < 3:
        return 0
    third = text[2]
    if first == 0xE1:
        return 3 if second == 0x9A and third == 0x80 else 0
    if first == 0xE2:
        if second == 0x80:
            return 3 if (0x80 <= third <= 0x8A) or third == 0xA8 or third == 0xA9 or third == 0xAF else 0
        return 3 if second == 0x81 and third == 0x9F else 0
    if first == 0xE3:
        return 3 if second == 0x80 and third == 0x80 else 0
    return 0


cdef bint _equals(const uint8_t *text, Py_ssize_t size, bytes word) noexcept:
    """Compare, ignoring the case of ASCII letters, with a lower-case word."""
    cdef const uint8_t *other = <const uint8_t *> PyBytes_AS_STRING(word)
    cdef Py_ssize_t i
    if size != len(word):
        return False
    for i in range(size):
        if _lower(text[i]) != other[i]:
            return False
    return True


cdef bint _contains(const uint8_t *text, Py_ssize_t size, bytes word) noexcept:
    """Search for a lower-case word, ignoring the case of ASCII letters."""
    cdef const uint8_t *other = <const uint8_t *> PyBytes_AS_STRING(word)
    cdef Py_ssize_t i, j, length = len(word)
    for i in range(size - length + 1):
        if (text[i] | 32) != other[0]:
            continue
        j = 0
        while j < length and _lower(text[i + j]) == other[j]:
            j += 1
        if j == length:
            return True
    return False


cdef bint _contains_exactly(const uint8_t *text, Py_ssize_t size, bytes word) noexcept:
    cdef const uint8_t *other = <const uint8_t *> PyBytes_AS_STRING(word)
    cdef Py_ssize_t length = len(word)
    cdef const uint8_t *end = text + size
    while end - text >= length:
        text = <const uint8_t *> memchr(text, other[0], end - text - length + 1)
        if text == NULL:
            return False
        if memcmp(text, other, length) == 0:
            return True
        text += 1
    return False


cdef bint _is_bold_style(const uint8_t *text, Py_ssize_t size) noexcept:
    """Search for ``font-weight: bold`` (or bolder, or 600 to 900)."""
    cdef Py_ssize_t i, at
    for i in range(size - 14):
        if not _equals(text + i, 11, b"font-weight"):
            continue
        at = i + 11
        while at < size and (text[at] == 32 or text[at] == 9 or text[at] == 10 or text[at] == 12 or text[at] == 13):
            at += 1
        if at >= size or text[at] != c":":
            continue
        at += 1
        while at < size and (text[at] == 32 or text[at] == 9 or text[at] == 10 or text[at] == 12 or text[at] == 13):
            at += 1
        if at + 4 <= size and _equals(text + at, 4, b"bold"):
            return True
        if at + 3 <= size and c"6" <= text[at] <= c"9" and text[at + 1] == c"0" and text[at + 2] == c"0":
            return True
    return False


cdef int _capitals(const uint8_t *text, Py_ssize_t size) noexcept:
    """Tell whether a text is written in capitals: two or more, and no small letter."""
    cdef Py_ssize_t i = 0
    cdef uint32_t char
    cdef int capitals = 0
    while i < size:
        char = text[i]
        i += 1
        if char < 0x80:
            if c"a" <= char <= c"z":
                return 0
            capitals += c"A" <= char <= c"Z"
            continue
        if char < 0xE0:
            char = (char & 0x1F) << 6 | (text[i] & 0x3F)
            i += 1
        elif char < 0xF0:
            char = (char & 0x0F) << 12 | <uint32_t> (text[i] & 0x3F) << 6 | (text[i + 1] & 0x3F)
            i += 2
        else:
            char = (
                (char & 0x07) << 18
                | <uint32_t> (text[i] & 0x3F) << 12
                | <uint32_t> (text[i + 1] & 0x3F) << 6
                | (text[i + 2] & 0x3F)
            )
            i += 3
        if Py_UNICODE_ISLOWER(char):
            return 0
        capitals += Py_UNICODE_ISUPPER(char)
    return CAPITALS if capitals >= 2 else 0


cdef bint _is_blank(const uint8_t *text, Py_ssize_t size) noexcept:
    cdef const uint8_t *end = text + size
    cdef int spaces
    while text < end:
        spaces = _space_length(text, end)
        if spaces == 0:
            return False
        text += spaces
    return True


cdef int _compare(const void *one, const void *other) noexcept nogil:
    cdef int64_t a = (<const int64_t *> one)[0], b = (<const int64_t *> other)[0]
    return (a > b) - (a < b)


cdef inline Py_ssize_t _characters(const uint8_t *text, Py_ssize_t size) noexcept:
    """Count the characters of UTF-8 text: the bytes that continue none."""
    cdef Py_ssize_t i = 0, count = size
    cdef uint64_t word
    while size - i >= 8:
        memcpy(&word, text + i, 8)
        if word & <uint64_t> 0x8080808080808080:
            word = (word >> 7) & (~word >> 6) & <uint64_t> 0x0101010101010101
            count -= (word * <uint64_t> 0x0101010101010101) >> 56
        i += 8
    while i < size:
        count -= (text[i] & 0xC0) == 0x80
        i += 1
    return count
