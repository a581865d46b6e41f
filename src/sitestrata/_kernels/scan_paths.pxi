# The DOM paths of a page, each kept once. Part of scan.pyx.


# A distinct path: another one and what comes after it.
cdef struct Step:
    int32_t above  # number of the path above; -1 = none
    int32_t start  # of its text in the steps' buffer
    int32_t end
    int32_t marks  # bytes of ids and classes on the whole path
    int32_t length  # of the whole path
    int32_t number  # in the order of asking; -1 = nobody asked
    uint64_t hash


cdef class PathTable:
    """The distinct DOM paths of the nodes that were asked for, numbered in the order of asking."""

    cdef object _nodes, _attributes
    cdef bytes _text
    cdef TagNames _names
    cdef tuple _extra_tags
    cdef Page _page
    cdef Py_ssize_t _whole
    cdef int32_t _id, _class
    cdef int32_t *_of_node  # path of a node; -1 = not known yet
    cdef Buffer _steps  # texts
    cdef Step *_paths
    cdef Py_ssize_t _path_count, _path_space
    cdef int32_t *_places  # open addressing: numbers of paths, -1 = empty
    cdef Py_ssize_t _place_count
    cdef int32_t *_asked  # paths in the order of asking; there is room for all paths
    cdef Py_ssize_t _asked_count

    def __cinit__(self):
        self._of_node = NULL
        self._paths = NULL
        self._places = NULL
        self._asked = NULL
        self._path_count = self._path_space = self._place_count = self._asked_count = 0

    def __init__(self, nodes, attributes, bytes text, TagNames names, tuple extra_tags, int32_t id_, int32_t class_):
        # The arrays are kept so that the pointers into them stay good.
        self._nodes, self._attributes, self._text = nodes, attributes, text
        self._names, self._extra_tags = names, extra_tags
        self._id, self._class = id_, class_
        self._page = _page(nodes, attributes, text)
        self._whole = names.whole(&self._page)
        self._steps = Buffer()
        self._of_node = <int32_t *> malloc((self._page.count + 1) * sizeof(int32_t))
        if self._of_node == NULL:
            raise MemoryError
        memset(self._of_node, 0xFF, (self._page.count + 1) * sizeof(int32_t))

    def __dealloc__(self):
        free(self._of_node)
        free(self._paths)
        free(self._places)
        free(self._asked)

    def number(self, cnp.ndarray wanted):
        """Return the number of each node's path, entering new ones."""
        cdef Py_ssize_t i
        cdef int32_t path
        cdef const int32_t *nodes = _ints(wanted)
        answer = _row(wanted.shape[0])
        cdef int32_t *numbers = _new_ints(answer)
        for i in range(wanted.shape[0]):
            path = self._path(nodes[i])
            if self._paths[path].number < 0:
                self._paths[path].number = <int32_t> self._asked_count
                self._asked[self._asked_count] = path
                self._asked_count += 1
            numbers[i] = self._paths[path].number
        return answer

    cdef int32_t _path(self, Py_ssize_t node) except -1:
        """Return the path of a node, entering it and those above it."""
        cdef int32_t current = <int32_t> node, below = -1, above, next_
        # Up to the first node that is known, leaving in each unknown one where we came from, as -2 - node.
        while current >= 0 and self._of_node[current] < 0:
            self._of_node[current] = -2 - below
            below = current
            current = self._page.parent[current]
        above = -1 if current < 0 else self._of_node[current]
        while below >= 0:
            next_ = -2 - self._of_node[below]
            above = self._enter(above, below)
            self._of_node[below] = above
            below = next_
        return above

    cdef int32_t _enter(self, int32_t above, Py_ssize_t node) except -1:
        """Return the number of the path that a node makes below another path."""
        cdef Page *page = &self._page
        cdef Buffer steps = self._steps
        cdef Py_ssize_t start = steps.size, i, marks, place, mask
        cdef int32_t tag = page.tag[node], id_ = -1, class_ = -1, above_marks = 0
        cdef uint64_t value
        cdef Step *path
        if tag < self._names.count:
            memcpy(steps.room(self._names.size[tag]), self._names.name[tag], self._names.size[tag])
            steps.size += self._names.size[tag]
        else:
            data = (<str> self._extra_tags[tag - self._names.count]).encode()
            _write_escaped(steps, <const uint8_t *> PyBytes_AS_STRING(data), len(<bytes> data))
        marks = steps.size
        if not is_page(page, node, self._whole) and not (tag < self._names.count and self._names.is_item[tag]):
            for i in range(page.first[node], page.first[node + 1]):
                if page.name[i] == self._id:
                    id_ = <int32_t> i
                elif page.name[i] == self._class:
                    class_ = <int32_t> i
        if id_ >= 0:
            steps.room(1)[0] = c"#"
            steps.size += 1
            _write_escaped(steps, page.text + page.start[id_], page.stop[id_] - page.start[id_])
        if class_ >= 0:
            _write_classes(steps, page.text + page.start[class_], page.stop[class_] - page.start[class_])
        if above >= 0:
            above_marks = self._paths[above].marks
        if above_marks + (steps.size - marks) > PATH_BYTES:
            steps.size = marks
        value = hashing.sip_hash(&secret, <uint64_t> above, steps.data + start, steps.size - start)

        if 2 * self._path_count >= self._place_count:
            self._grow()
        mask = self._place_count - 1
        place = <Py_ssize_t> (value & <uint64_t> mask)
        while self._places[place] >= 0:
            path = &self._paths[self._places[place]]
            if (
                path.hash == value
                and path.above == above
                and path.end - path.start == steps.size - start
                and memcmp(steps.data + path.start, steps.data + start, steps.size - start) == 0
            ):
                steps.size = start
                return self._places[place]
            place = (place + 1) & mask
        self._places[place] = <int32_t> self._path_count
        path = &self._paths[self._path_count]
        path.above, path.hash, path.number = above, value, -1
        path.start, path.end = <int32_t> start, <int32_t> steps.size
        path.marks = <int32_t> (above_marks + (steps.size - marks))
        path.length = <int32_t> (steps.size - start)
        if above >= 0:
            path.length += self._paths[above].length + 1
        self._path_count += 1
        return <int32_t> (self._path_count - 1)

    cdef int _grow(self) except -1:
        cdef Py_ssize_t space = max(<Py_ssize_t> 128, 2 * self._path_space), i, place
        cdef void *grown = realloc(self._paths, space * sizeof(Step))
        if grown == NULL:
            raise MemoryError
        self._paths = <Step *> grown
        self._path_space = space
        grown = realloc(self._asked, space * sizeof(int32_t))
        if grown == NULL:
            raise MemoryError
        self._asked = <int32_t *> grown
        grown = realloc(self._places, 2 * space * sizeof(int32_t))
        if grown == NULL:
            raise MemoryError
        self._places = <int32_t *> grown
        self._place_count = 2 * space
        memset(self._places, 0xFF, self._place_count * sizeof(int32_t))
        for i in range(self._path_count):
            place = <Py_ssize_t> (self._paths[i].hash & <uint64_t> (self._place_count - 1))
            while self._places[place] >= 0:
                place = (place + 1) & (self._place_count - 1)
            self._places[place] = <int32_t> i
        return 0

    def __len__(self):
        """Return the number of distinct paths so far."""
        return self._asked_count

    def __getitem__(self, Py_ssize_t number):
        """Return a path."""
        if not 0 <= number < self._asked_count:
            raise IndexError(number)
        cdef int32_t path = self._asked[number]
        data = PyBytes_FromStringAndSize(NULL, self._paths[path].length)
        self._write(path, <uint8_t *> PyBytes_AS_STRING(data))
        return data.decode()

    def spell(self, cnp.ndarray wanted):
        """Return the paths of some numbers: offsets and UTF-8 text."""
        cdef Py_ssize_t i, count = wanted.shape[0], asked = self._asked_count
        cdef int64_t size = 0
        cdef const int32_t *numbers = _ints(wanted)
        cdef int32_t path
        offsets = _longs(count + 1)
        cdef int64_t *to = <int64_t *> cnp.PyArray_DATA(<cnp.ndarray> offsets)
        to[0] = 0
        for i in range(count):
            if not 0 <= numbers[i] < asked:
                raise IndexError(numbers[i])
            size += self._paths[self._asked[numbers[i]]].length
            to[i + 1] = size
        data = PyBytes_FromStringAndSize(NULL, size)
        cdef uint8_t *text = <uint8_t *> PyBytes_AS_STRING(data)
        for i in range(count):
            path = self._asked[numbers[i]]
            if i and numbers[i] == numbers[i - 1]:
                # Neighbours often stand in the same list.
                memcpy(text + to[i], text + to[i - 1], self._paths[path].length)
            else:
                self._write(path, text + to[i])
        return offsets, data

    cdef void _write(self, int32_t path, uint8_t *to) noexcept:
        """Write a path, from its end."""
        cdef Step *step
        cdef Py_ssize_t length
        to += self._paths[path].length
        while path >= 0:
            step = &self._paths[path]
            length = step.end - step.start
            to -= length
            memcpy(to, self._steps.data + step.start, length)
            path = step.above
            if path >= 0:
                to -= 1
                to[0] = c"/"


cdef inline bint _is_structural(uint8_t byte) noexcept:
    return byte <= 32 or byte == 127 or byte == c"#" or byte == c"%" or byte == c"." or byte == c"/"


cdef int _write_escaped(Buffer steps, const uint8_t *text, Py_ssize_t size) except -1:
    """Append a name, percent-encoding what would be mistaken for a part of a path; any number in it is written as 0.

    A number tells one thing from another of its kind (``menu-item-45``), and not one kind of place from another.
    """
    cdef uint8_t *to = steps.room(3 * size)
    cdef const char *digits = b"0123456789ABCDEF"
    cdef Py_ssize_t i
    for i in range(size):
        if _is_digit(text[i]):
            if i == 0 or not _is_digit(text[i - 1]):
                to[0] = c"0"
                to += 1
        elif _is_structural(text[i]):
            to[0] = c"%"
            to[1] = digits[text[i] >> 4]
            to[2] = digits[text[i] & 15]
            to += 3
        else:
            to[0] = text[i]
            to += 1
    steps.size = to - steps.data
    return 0


cdef int _write_classes(Buffer steps, const uint8_t *text, Py_ssize_t size) except -1:
    cdef Py_ssize_t i = 0, start
    while True:
        while i < size and _is_space(text[i]):
            i += 1
        if i >= size:
            return 0
        start = i
        while i < size and not _is_space(text[i]):
            i += 1
        steps.room(1)[0] = c"."
        steps.size += 1
        _write_escaped(steps, text + start, i - start)
