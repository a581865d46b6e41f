"""Parse a page with Lexbor and walk its tree once into flat arrays; `walk_twin` is the specification.

The selectolax wheel ships no headers, but its shared library exports Lexbor's functions. They are looked up here when
the module is imported; a document is made, filled piece by piece, walked and dropped. Nothing of selectolax's Python
objects is touched. Of Lexbor's structures two things are read that no function tells: the text of a text node, at an
offset that is checked against the function that copies that text, and the stack of open elements, whose place is found
by looking for it in memory that Lexbor is known to own. Where a symbol or the stack is missing, or a small page comes
out otherwise than from the twin, importing fails and `sitestrata._kernels.load` takes the twin.
"""

from cpython.mem cimport PyMem_RawCalloc, PyMem_RawFree, PyMem_RawMalloc, PyMem_RawRealloc
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t, uintptr_t
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memchr, memcmp, memcpy, memmove, memset

import numpy as np

cimport numpy as cnp

import selectolax.lexbor

from sitestrata._kernels import walk_twin

cnp.import_array()

NODE_ROWS = walk_twin.NODE_ROWS
OK = walk_twin.OK
TOO_DEEP = walk_twin.TOO_DEEP
TOO_MANY_NODES = walk_twin.TOO_MANY_NODES
TOO_MANY_ATTRIBUTES = walk_twin.TOO_MANY_ATTRIBUTES
TOO_MUCH_MEMORY = walk_twin.TOO_MUCH_MEMORY
REFUSED = walk_twin.REFUSED

__all__ = walk_twin.__all__

cdef enum:
    _OK = 0
    _TOO_DEEP = 1
    _TOO_MANY_NODES = 2
    _TOO_MANY_ATTRIBUTES = 3
    _REFUSED = 4
    _TOO_MUCH_MEMORY = 5

    ELEMENT = 1  # types of nodes, as in the DOM standard
    TEXT = 3
    CDATA = 4

    WITHOUT_EVENTS = 1
    # Bytes that the parser gets at a time; between two pieces its nesting and its memory are looked at.
    PIECE = 16384
    # Steps through the stack of open elements (elements x depth) after which a page counts as bottomless; seconds.
    MAX_STEPS = 1000000000
    DEEP = 64  # nesting from which such steps are counted
    HAZARDOUS_DEPTH = 1024  # up to here nesting costs the parser little, whatever the limit
    HAZARDOUS_SIZE = 65536
    NOT_FOREIGN = 1 << 30
    ROWS = 7  # walk_twin.NODE_ROWS
    KEPT_PAGE = 1048576  # after a larger page, the parser is given back
    # What a parser may keep from an earlier page. A page that comes so near to its memory limit is parsed again with a
    # new parser, so that what was read before does not decide about it.
    KEPT_MEMORY = 4194304
    KNOWN = 1024  # Lexbor's numbers of tags and attributes below this are fixed; others are addresses
    KEPT_SCRATCH = 4194304  # bytes of each scratch array that are kept from page to page
    BLOCK = 8  # bytes of text that are looked at together: a word
    TEXT_OFFSET = 96  # of (char *data, size_t length) in a text node: twelve words of node come first


include "walk_lexbor.pxi"
include "walk_text.pxi"
include "walk_limits.pxi"


cdef struct Entry:
    uintptr_t key
    int32_t value


cdef struct Node:
    int32_t parent, end, depth, tag, text_start, text_end, attribute


cdef struct Attribute:
    int32_t name, start, end


cdef class Names:
    """Names -> our numbers, and what is already known about Lexbor's own numbers of them."""

    cdef dict _numbers
    cdef int32_t fixed[KNOWN]  # by Lexbor's number: ours, -1 = not ours, -2 = not asked yet
    cdef Py_ssize_t lengths[KNOWN]  # of our names, by our number

    def __init__(self, names):
        self._numbers = {name.encode(): number for number, name in enumerate(names)}
        for i in range(KNOWN):
            self.fixed[i] = -2
        for number, name in enumerate(names):
            self.lengths[number] = len(name.encode())

    cdef int32_t find(self, const uint8_t *name, size_t length):
        cdef object found = self._numbers.get((<const char *> name)[:length].lower())
        return -1 if found is None else found


cdef class Walker:
    """Turns HTML into the arrays of a Dom; keeps the vocabulary, a parser and its own memory from page to page."""

    cdef Names _tags, _attributes
    cdef int32_t _tag_count, _script, _type, _svg, _math
    cdef uint8_t _is_raw[KNOWN]
    cdef void *_document
    cdef void *_parser
    # Scratch memory.
    cdef Node *_nodes
    cdef Py_ssize_t _node_space
    cdef Attribute *_values
    cdef Py_ssize_t _value_space
    cdef uint8_t *_text
    cdef Py_ssize_t _text_space
    cdef Py_ssize_t _node_count, _value_count, _text_size
    # Numbers of names that Lexbor numbers by address, valid for one page.
    cdef Entry *_page_names
    cdef Py_ssize_t _page_name_space, _page_name_count
    cdef dict _extra

    def __cinit__(self):
        self._document = NULL
        self._parser = NULL
        self._nodes = NULL
        self._values = NULL
        self._text = NULL
        self._page_names = NULL
        self._node_space = self._value_space = self._text_space = self._page_name_space = 0

    def __init__(self, tags, attributes, raw_tags, script):
        self._tags = Names(tags)
        self._attributes = Names(attributes)
        self._tag_count = len(tags)
        self._script = script
        self._svg = self._tags._numbers.get(b"svg", -1)
        self._math = self._tags._numbers.get(b"math", -1)
        self._type = self._attributes._numbers.get(b"type", -1)
        memset(self._is_raw, 0, KNOWN)
        for tag in raw_tags:
            self._is_raw[tag] = 1

    def __dealloc__(self):
        if self._document != NULL:
            document_destroy(self._document)
        if self._parser != NULL:
            parser_destroy(self._parser)
        free(self._nodes)
        free(self._values)
        free(self._text)
        free(self._page_names)

    def walk(
        self,
        bytes html not None,
        Py_ssize_t depth_cap,
        Py_ssize_t depth_limit,
        Py_ssize_t node_limit,
        Py_ssize_t attribute_limit,
        Py_ssize_t memory_limit,
    ):
        """Parse UTF-8 text and return its tree, elements and non-blank texts in document order."""
        cdef const uint8_t *data = html
        cdef Py_ssize_t size = len(html)
        cdef int status
        cdef Py_ssize_t deepest = 0
        if _has_swelling(data, size):
            html = walk_twin.without_swelling(html)
            data, size = html, len(html)
        cdef bint is_new = self._parser == NULL
        status = self._parse(data, size, depth_limit, attribute_limit, memory_limit)
        if not is_new and taken + KEPT_MEMORY > <size_t> memory_limit:
            self._release()
            status = self._parse(data, size, depth_limit, attribute_limit, memory_limit)
        try:
            if status == _OK:
                self._extra = {}
                status = self._fill(document_root(self._document), depth_cap, depth_limit, node_limit, &deepest)
            if status == _OK:
                return self._answer(deepest)
        finally:
            if status != _OK or size > KEPT_PAGE:
                self._release()
            else:
                self._drop_document()
        return walk_twin._nothing(status)

    cdef int _parse(
        self,
        const uint8_t *data,
        Py_ssize_t size,
        Py_ssize_t depth_limit,
        Py_ssize_t attribute_limit,
        size_t memory_limit,
    ) except -1:
        global taken, allowance
        taken = 0
        allowance = memory_limit
        try:
            return self._parse_pieces(data, size, depth_limit, attribute_limit)
        finally:
            allowance = <size_t> -1

    cdef int _parse_pieces(
        self, const uint8_t *data, Py_ssize_t size, Py_ssize_t depth_limit, Py_ssize_t attribute_limit
    ) except -1:
        cdef Py_ssize_t position = 0, length
        cdef void *last = NULL
        cdef void *node
        cdef bint is_checked = size < HAZARDOUS_SIZE
        cdef size_t depth
        cdef int64_t steps = 0
        cdef Stack *stack
        # A document of its own: one that is cleaned keeps the last page's compatibility mode, and a page would be read
        # otherwise after one without a doctype.
        self._drop_document()
        self._document = document_create()
        if self._document == NULL:
            raise MemoryError
        document_options(self._document, WITHOUT_EVENTS)
        if self._parser == NULL:
            self._parser = parser_create()
            if self._parser == NULL or parser_init(self._parser) != 0:
                raise MemoryError
        else:
            parser_clean(self._parser)
        if parse_begin(self._parser, self._document) != 0:
            return _REFUSED
        stack = _stack_of(self._parser)
        while position < size:
            length = min(<Py_ssize_t> PIECE, size - position)
            if parse_piece(self._parser, data + position, length) != 0:
                return _TOO_MUCH_MEMORY if taken > allowance else _REFUSED
            depth = stack.length
            if not is_checked:
                # A piece that adds nothing at the end of the tree may be part of a tag with too many attributes, which
                # must be known before the tag ends.
                node = self._document
                while last_child(node) != NULL:
                    node = last_child(node)
                if node == last:
                    if _has_too_many_attributes(data, size, attribute_limit):
                        return _TOO_MANY_ATTRIBUTES
                    is_checked = True
                last = node
            if depth > DEEP:
                if depth > <size_t> max(depth_limit, <Py_ssize_t> HAZARDOUS_DEPTH) + 1:
                    return _TOO_DEEP
                steps += depth * _count(data + position, length, c"<")
                if steps > MAX_STEPS:
                    return _TOO_DEEP
            position += length
        if parse_end(self._parser) != 0:
            return _TOO_MUCH_MEMORY if taken > allowance else _REFUSED
        return _OK

    cdef int _fill(
        self, void *root, Py_ssize_t depth_cap, Py_ssize_t depth_limit, Py_ssize_t node_limit, Py_ssize_t *deepest
    ) except -1:
        """Walk the tree; the latest element at each depth is kept, and a new node's parent is the one just above."""
        cdef void *node = root
        cdef void *child
        cdef void **above = NULL  # the open nodes, by depth as parsed
        cdef int32_t *latest = NULL  # our number of the latest element, by depth after lifting
        cdef uint8_t *is_raw = NULL  # whether the open element's text is not kept, by depth as parsed
        cdef Py_ssize_t level = 0, depth, i
        cdef Py_ssize_t foreign = NOT_FOREIGN  # level of the SVG or MathML element we are in
        cdef bint was_blank = False
        cdef uintptr_t type_
        cdef int status = _OK
        cdef Node *new
        self._node_count = self._value_count = self._text_size = 0
        self._page_name_count = 0
        if self._page_name_space:
            memset(self._page_names, 0, self._page_name_space * sizeof(Entry))
        if root == NULL:
            return _REFUSED
        above = <void **> malloc((depth_limit + 3) * sizeof(void *))
        latest = <int32_t *> malloc((depth_limit + 3) * sizeof(int32_t))
        is_raw = <uint8_t *> malloc(depth_limit + 3)
        try:
            if above == NULL or latest == NULL or is_raw == NULL:
                raise MemoryError
            while True:
                type_ = node_type(node)
                child = NULL
                if type_ == ELEMENT:
                    if level > depth_limit:
                        status = _TOO_DEEP
                        break
                    depth = min(level, depth_cap)
                    deepest[0] = max(deepest[0], level)
                    new = self._new_node()
                    new.parent = latest[depth - 1] if depth > 0 else -1
                    new.depth = <int32_t> depth
                    new.text_start = new.text_end = 0
                    new.tag = self._tag(node)
                    new.attribute = <int32_t> self._value_count
                    latest[depth] = <int32_t> (self._node_count - 1)
                    is_raw[level] = new.tag < self._tag_count and self._is_raw[new.tag]
                    if foreign >= level:
                        foreign = NOT_FOREIGN
                    if foreign == NOT_FOREIGN and (new.tag == self._svg or new.tag == self._math):
                        foreign = level
                    if self._take_attributes(node, foreign != NOT_FOREIGN) and new.tag == self._script:
                        is_raw[level] = False
                    above[level] = node
                    child = first_child(node)
                elif (type_ == TEXT or type_ == CDATA) and not is_raw[level - 1]:
                    if self._take_text(node, &was_blank):
                        depth = min(level, depth_cap)
                        deepest[0] = max(deepest[0], level)
                        self._nodes[self._node_count - 1].parent = latest[depth - 1]
                        self._nodes[self._node_count - 1].depth = <int32_t> depth
                if self._node_count > node_limit:
                    status = _TOO_MANY_NODES
                    break
                if child != NULL:
                    level += 1
                    node = child
                    continue
                while level > 0:
                    child = next_node(node)
                    if child != NULL:
                        break
                    level -= 1
                    node = above[level]
                if level == 0:
                    break
                node = child
        finally:
            free(above)
            free(latest)
            free(is_raw)
        if status == _OK:
            for i in range(self._node_count):
                self._nodes[i].end = <int32_t> (i + 1)
            for i in range(self._node_count - 1, 0, -1):
                depth = self._nodes[i].parent
                if self._nodes[depth].end < self._nodes[i].end:
                    self._nodes[depth].end = self._nodes[i].end
        return status

    cdef inline Node *_new_node(self) except NULL:
        cdef Py_ssize_t space
        cdef void *grown
        if self._node_count >= self._node_space:
            space = max(<Py_ssize_t> 4096, 2 * self._node_space)
            grown = realloc(self._nodes, space * sizeof(Node))
            if grown == NULL:
                raise MemoryError
            self._nodes = <Node *> grown
            self._node_space = space
        self._node_count += 1
        return &self._nodes[self._node_count - 1]

    cdef inline uint8_t *_room(self, Py_ssize_t size) except NULL:
        """Return where to write so many bytes of text."""
        cdef Py_ssize_t space
        cdef void *grown
        if self._text_size + size > self._text_space:
            space = max(<Py_ssize_t> 65536, 2 * self._text_space, self._text_size + size)
            grown = realloc(self._text, space)
            if grown == NULL:
                raise MemoryError
            self._text = <uint8_t *> grown
            self._text_space = space
        return self._text + self._text_size

    cdef bint _take_text(self, void *node, bint *was_blank) except -1:
        """Append a text node, white space folded, unless it is blank."""
        cdef size_t length = 0
        cdef const uint8_t *whole
        cdef const uint8_t *text
        cdef const uint8_t *end
        cdef uint8_t *start
        cdef uint8_t *to
        cdef Node *new
        text = whole = _text_in_place(node, &length) if reads_text_in_place else text_content(node, &length)
        if text == NULL or length == 0:
            return False
        end = text + length
        # Most white space stands at the ends, where a page is indented.
        while text < end and space_class[text[0]] == 1:
            text += 1
            while end - text >= BLOCK and memcmp(text, &EIGHT_SPACES, BLOCK) == 0:
                text += BLOCK
        if text == end:
            was_blank[0] = True
            return False
        while space_class[(end - 1)[0]] == 1:
            end -= 1
        start = to = self._room(length + 2)
        if text > whole:
            to[0] = c" "
            to += 1
        to = _fold(text, end, to, to > start)
        if end < whole + length and (to - 1)[0] != c" ":
            to[0] = c" "
            to += 1
        if to - start == 1 and start[0] == c" ":
            was_blank[0] = True
            return False
        if was_blank[0] and start[0] != c" ":
            # A blank text is no node, but the words around it are two.
            _shift(start, to - start)
            to += 1
        was_blank[0] = False
        new = self._new_node()
        new.tag = 0
        new.text_start = <int32_t> self._text_size
        self._text_size += to - start
        new.text_end = <int32_t> self._text_size
        new.attribute = <int32_t> self._value_count
        return True

    cdef bint _take_attributes(self, void *node, bint has_prefixes) except -1:
        """Append the attributes of an element that the vocabulary knows; tell whether its type is structured data."""
        cdef void *attribute = first_attribute(node)
        cdef const uint8_t *name
        cdef const uint8_t *value
        cdef size_t length = 0
        cdef uintptr_t known
        cdef int32_t number
        cdef Py_ssize_t space
        cdef void *grown
        cdef bint is_data = False
        while attribute != NULL:
            number = self._attribute_number(attribute, has_prefixes)
            if number >= 0:
                value = attribute_value(attribute, &length)
                if value == NULL:
                    length = 0
                if self._value_count >= self._value_space:
                    space = max(<Py_ssize_t> 4096, 2 * self._value_space)
                    grown = realloc(self._values, space * sizeof(Attribute))
                    if grown == NULL:
                        raise MemoryError
                    self._values = <Attribute *> grown
                    self._value_space = space
                memcpy(self._room(length + 1), value, length)
                self._values[self._value_count].name = number
                self._values[self._value_count].start = <int32_t> self._text_size
                self._text_size += length
                self._values[self._value_count].end = <int32_t> self._text_size
                self._value_count += 1
                if number == self._type and length >= 7 and b"ld+json" in (<const char *> value)[:length].lower():
                    is_data = True
            attribute = next_attribute(attribute)
        return is_data

    cdef inline int32_t _attribute_number(self, void *attribute, bint has_prefixes) except -2:
        """Return our number of an attribute; -1 = none."""
        cdef uintptr_t key = node_name(attribute)
        cdef size_t length = 0
        cdef const uint8_t *name
        cdef int32_t number
        cdef Entry *entry
        if key < KNOWN:
            number = self._attributes.fixed[key]
            if number == -1 or (number >= 0 and not has_prefixes):
                return number
            name = attribute_name(attribute, &length)
            if number == -2 or <Py_ssize_t> length != self._attributes.lengths[number]:
                number = self._attributes.find(name, length)
                # Numbers go by the local name: with a prefix (xlink:href) this one says nothing about the others.
                if memchr(name, c":", length) == NULL:
                    self._attributes.fixed[key] = number
            return number
        entry = self._page_entry(key)
        if entry.key == 0:
            name = attribute_name(attribute, &length)
            entry.key = key
            entry.value = self._attributes.find(name, length)
        return entry.value

    cdef inline int32_t _tag(self, void *node) except -2:
        """Return our number of an element's tag."""
        cdef uintptr_t key = node_name(node)
        cdef size_t length = 0
        cdef const uint8_t *name
        cdef int32_t number
        cdef Entry *entry
        if key < KNOWN and self._tags.fixed[key] >= 0:
            return self._tags.fixed[key]
        entry = self._page_entry(key)
        if entry.key == 0:
            name = element_name(node, &length)
            number = self._tags.find(name, length)
            if number < 0:
                text = (<const char *> name)[:length].decode("utf-8", "replace").lower()
                number = self._extra.setdefault(text, self._tag_count + len(self._extra))
            elif key < KNOWN:
                self._tags.fixed[key] = number
                return number
            entry.key = key
            entry.value = number
        return entry.value

    cdef Entry *_page_entry(self, uintptr_t key) except NULL:
        """Return the place of a key among this page's names; the place is empty if the key is new."""
        cdef Py_ssize_t i, space, old_space
        cdef Entry *old
        if 2 * self._page_name_count >= self._page_name_space:
            old, old_space = self._page_names, self._page_name_space
            space = max(<Py_ssize_t> 256, 4 * old_space)
            self._page_names = <Entry *> malloc(space * sizeof(Entry))
            if self._page_names == NULL:
                self._page_names = old
                raise MemoryError
            memset(self._page_names, 0, space * sizeof(Entry))
            self._page_name_space = space
            for i in range(old_space):
                if old[i].key:
                    _place(self._page_names, space, old[i].key)[0] = old[i]
            free(old)
        cdef Entry *entry = _place(self._page_names, self._page_name_space, key)
        if entry.key == 0:
            self._page_name_count += 1  # the caller fills it
        return entry

    cdef object _answer(self, Py_ssize_t deepest):
        cdef Py_ssize_t i, count = self._node_count
        cdef Py_ssize_t row = count + 1, values = self._value_count
        cdef cnp.npy_intp shape[2]
        shape[0], shape[1] = ROWS, row
        node_array = cnp.PyArray_EMPTY(2, shape, cnp.NPY_INT32, 0)
        shape[0], shape[1] = 3, values
        value_array = cnp.PyArray_EMPTY(2, shape, cnp.NPY_INT32, 0)
        cdef int32_t *to = <int32_t *> cnp.PyArray_DATA(<cnp.ndarray> node_array)
        cdef Node *node
        for i in range(count):
            node = &self._nodes[i]
            to[i] = node.parent
            to[row + i] = node.end
            to[2 * row + i] = node.depth
            to[3 * row + i] = node.tag
            to[4 * row + i] = node.text_start
            to[5 * row + i] = node.text_end
            to[6 * row + i] = node.attribute
        for i in range(ROWS):
            to[i * row + count] = 0
        to[6 * row + count] = <int32_t> values
        to = <int32_t *> cnp.PyArray_DATA(<cnp.ndarray> value_array)
        for i in range(values):
            to[i] = self._values[i].name
            to[values + i] = self._values[i].start
            to[2 * values + i] = self._values[i].end
        text = (<const char *> self._text)[:self._text_size] if self._text_size else b""
        return _OK, deepest, node_array, value_array, text, tuple(self._extra)

    cdef void _drop_document(self) noexcept:
        if self._document != NULL:
            document_destroy(self._document)
            self._document = NULL

    cdef void _release(self) noexcept:
        """Give parser and document back, and scratch memory that only a large page needed."""
        self._drop_document()
        if self._parser != NULL:
            parser_destroy(self._parser)
            self._parser = NULL
        if self._text_space > KEPT_SCRATCH:
            free(self._text)
            self._text = NULL
            self._text_space = 0
        if self._node_space * <Py_ssize_t> sizeof(Node) > KEPT_SCRATCH:
            free(self._nodes)
            self._nodes = NULL
            self._node_space = 0
        if self._value_space * <Py_ssize_t> sizeof(Attribute) > KEPT_SCRATCH:
            free(self._values)
            self._values = NULL
            self._value_space = 0
        if self._page_name_space * <Py_ssize_t> sizeof(Entry) > KEPT_SCRATCH:
            free(self._page_names)
            self._page_names = NULL
            self._page_name_space = 0


cdef inline Entry *_place(Entry *entries, Py_ssize_t space, uintptr_t key) noexcept:
    cdef Py_ssize_t mask = space - 1
    cdef Py_ssize_t i = <Py_ssize_t> ((key * <uint64_t> 0x9E3779B97F4A7C15) >> 20) & mask
    while entries[i].key != 0 and entries[i].key != key:
        i = (i + 1) & mask
    return &entries[i]


include "walk_check.pxi"

_look_up()
_find_stack()
_check()
