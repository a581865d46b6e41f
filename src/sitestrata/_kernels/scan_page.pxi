# The arrays of a page and memory that grows. Part of scan.pyx.


# The arrays of one page.
cdef struct Page:
    Py_ssize_t count
    const int32_t *parent
    const int32_t *end
    const int32_t *tag
    const int32_t *text_start
    const int32_t *text_end
    const int32_t *first
    const int32_t *name
    const int32_t *start
    const int32_t *stop
    const uint8_t *text


# Arrays are taken and made through NumPy's C interface: a page has few nodes, and a memoryview of each of its arrays
# would cost more than the loop over it.
cdef inline const int32_t *_ints(cnp.ndarray array) except NULL:
    if cnp.PyArray_TYPE(array) != cnp.NPY_INT32 or not cnp.PyArray_IS_C_CONTIGUOUS(array):
        raise TypeError("a contiguous array of 32-bit integers is needed")
    return <const int32_t *> cnp.PyArray_DATA(array)


cdef inline int32_t *_new_ints(object array) noexcept:
    return <int32_t *> cnp.PyArray_DATA(<cnp.ndarray> array)


cdef inline object _row(Py_ssize_t size):
    return cnp.PyArray_EMPTY(1, <cnp.npy_intp *> &size, cnp.NPY_INT32, 0)


cdef inline object _longs(Py_ssize_t size):
    return cnp.PyArray_EMPTY(1, <cnp.npy_intp *> &size, cnp.NPY_INT64, 0)


cdef inline object _table(Py_ssize_t rows, Py_ssize_t size):
    cdef cnp.npy_intp shape[2]
    shape[0], shape[1] = rows, size
    return cnp.PyArray_EMPTY(2, shape, cnp.NPY_INT32, 0)


cdef Page _page(cnp.ndarray nodes, cnp.ndarray attributes, bytes text) except *:
    cdef Page page
    cdef Py_ssize_t row = nodes.shape[1], attribute_row = attributes.shape[1]
    if nodes.ndim != 2 or nodes.shape[0] != NODE_ROWS or attributes.ndim != 2 or attributes.shape[0] != 3:
        raise ValueError("these are not the arrays of a page")
    page.count = row - 1
    page.parent = _ints(nodes)
    page.end = page.parent + row
    page.tag = page.parent + 3 * row
    page.text_start = page.parent + 4 * row
    page.text_end = page.parent + 5 * row
    page.first = page.parent + 6 * row
    page.name = _ints(attributes)
    page.start = page.name + attribute_row
    page.stop = page.start + attribute_row
    page.text = <const uint8_t *> PyBytes_AS_STRING(text)
    return page


cdef class Buffer:
    """Bytes that grow."""

    cdef uint8_t *data
    cdef Py_ssize_t size, space

    def __cinit__(self):
        self.data = NULL
        self.size = self.space = 0

    def __dealloc__(self):
        free(self.data)

    cdef inline uint8_t *room(self, Py_ssize_t size) except NULL:
        """Return where so many bytes can be written."""
        cdef Py_ssize_t space
        cdef void *grown
        if self.size + size > self.space:
            space = max(<Py_ssize_t> 4096, 2 * self.space, self.size + size)
            grown = realloc(self.data, space)
            if grown == NULL:
                raise MemoryError
            self.data = <uint8_t *> grown
            self.space = space
        return self.data + self.size

    cdef void reset(self) noexcept:
        self.size = 0
        if self.space > KEPT_SCRATCH:
            free(self.data)
            self.data = NULL
            self.space = 0


cdef class TagNames:
    """The names of the known tags as bytes, to be written without a Python object."""

    cdef list _kept
    cdef Py_ssize_t count
    cdef const char *name[MOST_TAGS]
    cdef Py_ssize_t size[MOST_TAGS]
    cdef bint is_item[MOST_TAGS]
    cdef int32_t _roles[MOST_TAGS]
    cdef bint _is_part[MOST_TAGS]
    cdef int32_t _a, _img

    def __init__(self, tags, roles):
        self._kept = [tag.encode() for tag in tags]
        self.count = len(self._kept)
        for number, name in enumerate(self._kept):
            self.name[number] = PyBytes_AS_STRING(name)
            self.size[number] = len(name)
            self.is_item[number] = roles[number] & ROLE_ITEM
            self._roles[number] = roles[number]
            self._is_part[number] = tags[number] in scan_twin._PARTS
        self._a, self._img = tags.index("a"), tags.index("img")

    cdef inline int32_t _role(self, int32_t tag) noexcept:
        return self._roles[tag] if tag < self.count else FOREIGN

    cdef Py_ssize_t whole(self, Page *page) noexcept:
        """Return the innermost element that holds all of a page: a wrapper around its parts, or the document itself."""
        cdef Py_ssize_t whole = 0, child
        cdef Py_ssize_t box[3]
        cdef int count[3]
        cdef int weight
        cdef int32_t role
        if page.count == 0:
            return 0
        while True:
            memset(count, 0, sizeof(count))
            child = whole + 1
            while child < page.end[whole] and count[2] < 2:
                role = self._role(page.tag[child])
                if page.tag[child] == 0 or (role & ROLE_BLOCK and not role & ROLE_HIDDEN):
                    weight = self._weigh(page, child)
                    count[weight] += 1
                    box[weight] = child
                child = page.end[child]
            weight = 2 if count[2] else 1
            if count[weight] != 1 or not self._role(page.tag[box[weight]]) & ROLE_BOX:
                return whole
            whole = box[weight]

    cdef int _weigh(self, Page *page, Py_ssize_t node) noexcept:
        """Return 2 for a part of the page, 1 for what shows something, 0 for what does not."""
        cdef Py_ssize_t inner = node, size = 0
        cdef int links = 0, found = 0
        cdef int32_t tag
        while inner < page.end[node]:
            tag = page.tag[inner]
            if self._role(tag) & ROLE_HIDDEN:
                inner = page.end[inner]
                continue
            if tag == 0:
                size += page.text_end[inner] - page.text_start[inner]
                found = 1
            elif tag == self._a:
                links += 1
                found = 1
            elif tag == self._img:
                found = 1
            if links >= PART_LINKS or size >= PART_BYTES or (tag < self.count and self._is_part[tag]):
                return 2
            inner += 1
        return found


cdef inline bint is_page(Page *page, Py_ssize_t node, Py_ssize_t whole) noexcept nogil:
    """Tell whether a node stands for the page as a whole: the document element, its body, a wrapper of all parts.

    Their ids and classes tell one page from the next, and not one place on it from another.
    """
    return (
        page.parent[node] < 0
        or page.parent[page.parent[node]] < 0
        or node <= whole < page.end[node]
    )


cdef uint64_t _hash_words(Buffer scratch, const uint8_t *text, Py_ssize_t size, bint *has_words) except? 0:
    """Hash words as if one space stood between them and every number in them were 0."""
    cdef Py_ssize_t i
    cdef uint8_t *start
    cdef uint8_t *to
    cdef bint is_tidy = True, was_space = True
    for i in range(size):
        if _is_space(text[i]):
            is_tidy = is_tidy and not was_space and text[i] == 32
            was_space = True
        else:
            is_tidy = is_tidy and not _is_digit(text[i])
            was_space = False
    if was_space:
        is_tidy = False
    if is_tidy:
        has_words[0] = size > 0
        return _hash(text, size)
    scratch.reset()
    start = to = scratch.room(size + 1)
    was_space = False
    for i in range(size):
        if _is_space(text[i]):
            was_space = True
            continue
        if was_space and to > start:
            to[0] = 32
            to += 1
        if _is_digit(text[i]):
            if was_space or i == 0 or not _is_digit(text[i - 1]):
                to[0] = c"0"
                to += 1
            was_space = False
            continue
        was_space = False
        to[0] = text[i]
        to += 1
    has_words[0] = to > start
    return _hash(start, to - start)


cdef inline bint _has(Page *page, int32_t index, bytes word) noexcept:
    return index >= 0 and _contains(page.text + page.start[index], page.stop[index] - page.start[index], word)


cdef bint _is_address(Page *page, int32_t index) noexcept:
    """Tell whether a value names a file; one that holds it ("data:") is no file that pages share."""
    cdef Py_ssize_t size = page.stop[index] - page.start[index]
    return size > 0 and not (size >= 5 and _equals(page.text + page.start[index], 5, b"data:"))


cdef bint _is_word(Page *page, int32_t index, bytes word) noexcept:
    """Compare an attribute, trimmed, with a word."""
    cdef Py_ssize_t start, end
    if index < 0:
        return False
    start, end = page.start[index], page.stop[index]
    while start < end and _is_space(page.text[start]) and page.text[start] != 11:
        start += 1
    while end > start and _is_space(page.text[end - 1]) and page.text[end - 1] != 11:
        end -= 1
    return _equals(page.text + start, end - start, word)


cdef bint _write_folded(
    Buffer label, Py_ssize_t start, const uint8_t *text, Py_ssize_t size, bint wants_space
) except -1:
    """Append text, white space folded; return whether a space is still due before what comes next."""
    cdef const uint8_t *end = text + size
    cdef uint8_t *to = label.room(size + 2)
    cdef int spaces
    while text < end:
        spaces = _space_length(text, end)
        if spaces:
            wants_space = True
            text += spaces
            continue
        if wants_space:
            if to > label.data + start:
                to[0] = 32
                to += 1
            wants_space = False
        to[0] = text[0]
        to += 1
        text += 1
    label.size = to - label.data
    return wants_space


cdef void _cut(Buffer label, Py_ssize_t start) noexcept:
    """Cut a label to its largest size, at the end of a character."""
    cdef Py_ssize_t end, first
    cdef uint8_t lead
    if label.size - start <= LABEL_BYTES:
        return
    end = start + LABEL_BYTES
    first = end - 1
    while first > start and (label.data[first] & 0xC0) == 0x80:
        first -= 1
    lead = label.data[first]
    if first + (1 if lead < 0x80 else 2 if lead < 0xE0 else 3 if lead < 0xF0 else 4) > end:
        end = first
    while end > start and label.data[end - 1] == 32:
        end -= 1
    label.size = end
