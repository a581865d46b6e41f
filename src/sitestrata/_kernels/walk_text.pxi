# White space of texts, as Python's regular expressions know it, made single spaces. Part of walk.pyx.


cdef uint64_t HIGH_BITS = 0x8080808080808080
cdef uint64_t LOW_BITS = 0x7F7F7F7F7F7F7F7F
cdef uint64_t EIGHT_SPACES = 0x2020202020202020

# White space as Python's regular expressions know it: 1 = one byte of it, 2 = may start two or three bytes of it.
cdef uint8_t space_class[256]
memset(space_class, 0, 256)
for _byte in (9, 10, 11, 12, 13, 28, 29, 30, 31, 32):
    space_class[_byte] = 1
for _byte in (0xC2, 0xE1, 0xE2, 0xE3):
    space_class[_byte] = 2


cdef inline int _space_length(const uint8_t *text, const uint8_t *end) noexcept:
    """Return how many bytes of white space start here: 0 to 3."""
    cdef uint8_t kind = space_class[text[0]]
    cdef uint8_t first, second, third
    if kind < 2:
        return kind
    if end - text < 2:
        return 0
    first, second = text[0], text[1]
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
    return 3 if second == 0x80 and third == 0x80 else 0


cdef inline uint64_t _spaces(uint64_t word) noexcept:
    """Return a word with the high bit set in every byte that was a space."""
    word ^= EIGHT_SPACES
    return ~(((word & LOW_BITS) + LOW_BITS) | word | LOW_BITS)


cdef inline bint _is_tidy(const uint8_t *text) noexcept:
    """Tell whether a block is ASCII with no white space but single spaces; the byte after it is looked at, too."""
    cdef uint64_t word, next_
    memcpy(&word, text, BLOCK)
    memcpy(&next_, text + 1, BLOCK)
    if (word | ((word - EIGHT_SPACES) & ~word)) & HIGH_BITS:
        return False  # a byte above 127 or below 32
    return (_spaces(word) & _spaces(next_)) == 0


cdef uint8_t *_fold(const uint8_t *text, const uint8_t *end, uint8_t *to, bint after_space) noexcept:
    """Write text with every run of white space as one space; return where it ends."""
    cdef int spaces
    cdef const uint8_t *stop
    while text < end:
        stop = end
        if end - text > BLOCK:
            if _is_tidy(text) and not (after_space and text[0] == c" "):
                memcpy(to, text, BLOCK)
                text += BLOCK
                to += BLOCK
                after_space = (text - 1)[0] == c" "
                continue
            stop = text + BLOCK
        while text < stop:
            if space_class[text[0]] == 0:
                to[0] = text[0]
                to += 1
                text += 1
                after_space = False
                continue
            spaces = _space_length(text, end)
            if spaces == 0:
                to[0] = text[0]
                to += 1
                text += 1
                after_space = False
                continue
            text += spaces
            if not after_space:
                to[0] = c" "
                to += 1
                after_space = True
    return to


cdef inline void _shift(uint8_t *text, Py_ssize_t length) noexcept:
    memmove(text + 1, text, length)
    text[0] = c" "
