# What shows in the bytes of a page, before or while it is parsed, that it would cost too much. Part of walk.pyx.


cdef Py_ssize_t _count(const uint8_t *data, Py_ssize_t size, uint8_t byte) noexcept:
    cdef Py_ssize_t i, count = 0
    for i in range(size):
        count += data[i] == byte
    return count


cdef bint _has_swelling(const uint8_t *data, Py_ssize_t size) noexcept:
    """Tell whether a reference occurs that is shorter than what it stands for (see the twin)."""
    cdef const uint8_t *end = data + size - 4
    while data < end:
        data = <const uint8_t *> memchr(data, c"&", end - data)
        if data == NULL:
            return False
        if data[1] == c"n" and (data[2] == c"G" or data[2] == c"L") and data[3] == c"t" and data[4] == c";":
            return True
        data += 1
    return False


cdef inline bint _is_space(uint8_t byte) noexcept:
    return byte == c" " or (9 <= byte <= 13)


cdef inline bint _is_letter(uint8_t byte) noexcept:
    return c"a" <= (byte | 0x20) <= c"z"


cdef inline bint _ends_name(uint8_t byte) noexcept:
    return _is_space(byte) or byte == c"/" or byte == c">"


cdef bint _is_name(const uint8_t *data, Py_ssize_t start, Py_ssize_t end, const char *name, Py_ssize_t length) noexcept:
    cdef Py_ssize_t i
    if end - start != length:
        return False
    for i in range(length):
        if (data[start + i] | 0x20) != <uint8_t> name[i]:
            return False
    return True


cdef Py_ssize_t _after_raw(const uint8_t *data, Py_ssize_t size, Py_ssize_t at, Py_ssize_t name, Py_ssize_t length) noexcept:
    """Return where the end tag of a raw text element starts; its name stands at ``name``."""
    cdef const uint8_t *found
    cdef Py_ssize_t i
    while at < size:
        found = <const uint8_t *> memchr(data + at, c"<", size - at)
        if found == NULL:
            return size
        at = found - data
        if at + 2 + length < size and data[at + 1] == c"/" and _ends_name(data[at + 2 + length]):
            for i in range(length):
                if (data[at + 2 + i] | 0x20) != (data[name + i] | 0x20):
                    break
            else:
                return at
        at += 1
    return size


def has_too_many_attributes(bytes html not None, Py_ssize_t limit):
    """Tell whether a start tag, or all <html> and <body> tags together, have more attributes than the limit."""
    return _has_too_many_attributes(<const uint8_t *> <const char *> html, len(html), limit)


cdef bint _has_too_many_attributes(const uint8_t *data, Py_ssize_t size, Py_ssize_t limit) noexcept:
    """Tell whether a start tag, or all <html> and <body> tags together, have more attributes than the limit."""
    cdef Py_ssize_t at = 0, name, name_end, count, of_root = 0
    cdef const uint8_t *found
    cdef uint8_t quote
    cdef bint is_end
    while at < size:
        found = <const uint8_t *> memchr(data + at, c"<", size - at)
        if found == NULL:
            return False
        at = found - data + 1
        if at + 2 < size and data[at] == c"!" and data[at + 1] == c"-" and data[at + 2] == c"-":
            at += 1
            while at < size:
                found = <const uint8_t *> memchr(data + at, c">", size - at)
                if found == NULL:
                    return False
                at = found - data + 1
                if data[at - 2] == c"-" and data[at - 3] == c"-":
                    break
            continue
        is_end = at < size and data[at] == c"/"
        at += is_end
        if at >= size or not _is_letter(data[at]):
            continue
        name = at
        while at < size and not _ends_name(data[at]):
            at += 1
        name_end = at
        count = 0
        while True:
            while at < size and (_is_space(data[at]) or data[at] == c"/"):
                at += 1
            if at >= size or data[at] == c">":
                break
            count += 1
            at += 1  # a name may start with "="
            while at < size and not _ends_name(data[at]) and data[at] != c"=":
                at += 1
            while at < size and _is_space(data[at]):
                at += 1
            if at >= size or data[at] != c"=":
                continue
            at += 1
            while at < size and _is_space(data[at]):
                at += 1
            if at >= size:
                break
            quote = data[at]
            if quote == c'"' or quote == c"'":
                found = <const uint8_t *> memchr(data + at + 1, quote, size - at - 1)
                at = size if found == NULL else found - data + 1
            else:
                while at < size and not _is_space(data[at]) and data[at] != c">":
                    at += 1
        if is_end:
            continue
        if _is_name(data, name, name_end, b"html", 4) or _is_name(data, name, name_end, b"body", 4):
            of_root += count
            count = of_root
        if count > limit:
            return True
        if (
            _is_name(data, name, name_end, b"script", 6)
            or _is_name(data, name, name_end, b"style", 5)
            or _is_name(data, name, name_end, b"textarea", 8)
            or _is_name(data, name, name_end, b"title", 5)
            or _is_name(data, name, name_end, b"xmp", 3)
            or _is_name(data, name, name_end, b"iframe", 6)
            or _is_name(data, name, name_end, b"noembed", 7)
            or _is_name(data, name, name_end, b"noframes", 8)
        ):
            at = _after_raw(data, size, at, name, name_end - name)
    return False
