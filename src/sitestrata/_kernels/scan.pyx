"""Read links, leaves, landmarks and page-wide marks off a page's arrays; `scan_twin` is the specification."""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc, qsort, realloc
from libc.string cimport memchr, memcmp, memcpy, memset

import os

cimport numpy as cnp
from sitestrata._kernels cimport hashing

from sitestrata._kernels import scan_twin

cnp.import_array()

FINDS = scan_twin.FINDS
MAX_LABEL = scan_twin.MAX_LABEL
MAX_PATH = scan_twin.MAX_PATH

__all__ = ["FINDS", "MAX_LABEL", "MAX_PATH", "PathTable", "Scanner"]

cdef extern from "Python.h":
    bint Py_UNICODE_ISLOWER(uint32_t char)
    bint Py_UNICODE_ISUPPER(uint32_t char)

cdef enum:
    # Bits of a node's flags.
    HIDDEN = 1
    SECTIONING = 2
    BOLD = 4
    ITALIC = 8
    HEADING = 16
    STYLED = 32
    CAPITALS = 64
    EMPHASIS = 60
    LANDMARK_SHIFT = 8
    # Bits of a tag's role.
    ROLE_HIDDEN = 1
    ROLE_BLOCK = 2
    ROLE_BOLD = 4
    ROLE_ITALIC = 8
    ROLE_HEADING = 16
    ROLE_SECTIONING = 32
    ROLE_ITEM = 128
    ROLE_BOX = 256
    FOREIGN = 258  # an element that HTML does not know: a block and a box
    # Kinds of edges.
    KIND_A = 0
    KIND_AREA = 1
    KIND_FRAME = 2
    KIND_IFRAME = 3
    KIND_REFRESH = 4
    KIND_LINK = 5
    # Positions in FINDS.
    FIND_TITLE = 0
    FIND_H1 = 1
    FIND_BASE = 2
    FIND_CANONICAL = 3
    FIND_ROBOTS = 4
    FIND_REFRESH = 5
    FIND_LANGUAGE = 6
    FIND_CONTENT_LANGUAGE = 7
    FIND_TEXT = 8
    FIND_LINKED_TEXT = 9
    FIND_TABLES = 10
    FIND_CRUMBS = 11
    FIND_COUNT = 12
    # Bits of FIND_CRUMBS.
    CRUMBS_JSON = 1
    CRUMBS_MICRODATA = 2
    CRUMBS_RDFA = 4
    CRUMBS_LABELLED = 8

    EDGE_ROWS = 5
    LEAF_ROWS = 3
    NODE_ROWS = 7
    MOST_TAGS = 256
    MOST_NAMES = 64
    LABEL_BYTES = 4096
    PATH_BYTES = 4096
    PART_LINKS = 3
    PART_BYTES = 300
    KEPT_SCRATCH = 4194304

assert LABEL_BYTES == MAX_LABEL and PATH_BYTES == MAX_PATH and FIND_COUNT == len(FINDS)
assert PART_LINKS == scan_twin.PART_LINKS and PART_BYTES == scan_twin.PART_BYTES

cdef hashing.Secret secret
secret.a, secret.b = int.from_bytes(os.urandom(8), "little"), int.from_bytes(os.urandom(8), "little")

NAVIGATION = tuple(sorted(scan_twin._NAVIGATION))
LANDMARK_ROLES = tuple(role.encode() for role in scan_twin._LANDMARK_ROLES)


include "scan_text.pxi"
include "scan_page.pxi"
include "scan_paths.pxi"


cdef class Scanner:
    """Reads pages with one vocabulary; keeps scratch memory from page to page."""

    cdef Py_ssize_t _tag_count
    cdef TagNames _names
    cdef int32_t _roles[MOST_TAGS]
    cdef uint64_t _hashes[MOST_TAGS]
    cdef int32_t _landmarks[MOST_TAGS]
    cdef int32_t a, area, frame, iframe, img, image, link, meta, base, title, h1, table, html, script, svg, dialog
    cdef int32_t header, footer, form
    cdef int32_t id_, class_, href, src, alt, title_, rel, role, aria_label, hidden, name_, content, http_equiv
    cdef int32_t lang, xml_lang, style, itemtype, typeof_, open_
    cdef Buffer _scratch, _label

    def __init__(self, tags, attributes, roles):
        if len(tags) > MOST_TAGS or len(attributes) > MOST_NAMES:
            raise ValueError("the vocabulary is too large")
        self._names = TagNames(tags, roles)
        self._tag_count = len(tags)
        self._scratch = Buffer()
        self._label = Buffer()
        tag = {name: number for number, name in enumerate(tags)}
        name = {name: number for number, name in enumerate(attributes)}
        for number, text in enumerate(tags):
            data = text.encode()
            self._roles[number] = roles[number]
            self._hashes[number] = _hash(data, len(data))
            landmark = scan_twin._LANDMARK_TAGS.get(text)
            self._landmarks[number] = 0 if landmark is None else scan_twin._LANDMARK_ROLES.index(landmark) + 1
        self.a, self.area, self.frame, self.iframe = tag["a"], tag["area"], tag["frame"], tag["iframe"]
        self.img, self.image, self.link, self.meta = tag["img"], tag["image"], tag["link"], tag["meta"]
        self.base, self.title, self.h1, self.table = tag["base"], tag["title"], tag["h1"], tag["table"]
        self.html, self.script, self.svg, self.dialog = tag["html"], tag["script"], tag["svg"], tag["dialog"]
        self.header, self.footer, self.form = tag["header"], tag["footer"], tag["form"]
        self.id_, self.class_, self.href, self.src = name["id"], name["class"], name["href"], name["src"]
        self.alt, self.title_, self.rel, self.role = name["alt"], name["title"], name["rel"], name["role"]
        self.aria_label, self.hidden, self.name_ = name["aria-label"], name["hidden"], name["name"]
        self.content, self.http_equiv, self.lang = name["content"], name["http-equiv"], name["lang"]
        self.xml_lang, self.style, self.itemtype = name["xml:lang"], name["style"], name["itemtype"]
        self.typeof_, self.open_ = name["typeof"], name["open"]

    def scan(self, cnp.ndarray nodes, cnp.ndarray attributes, bytes text not None, tuple extra_tags):
        """Make one pass over a page."""
        cdef Page page = _page(nodes, attributes, text)
        cdef Py_ssize_t count = page.count, node, parent, i, edge_count = 0, leaf_count = 0, resource_count = 0, size
        cdef Py_ssize_t extra_count = len(extra_tags)
        cdef int32_t tag, role, kind
        cdef int32_t at[MOST_NAMES]  # index of an element's attribute, by name
        cdef uint32_t state, inherited
        cdef int32_t inside
        cdef const uint8_t *value
        cdef uint64_t step
        cdef bint has_words = False
        cdef int64_t finds[FIND_COUNT]
        cdef Py_ssize_t whole = self._names.whole(&page)
        link_array, tag_path_array, class_path_array = _row(count), _longs(count), _longs(count)
        flag_array = cnp.PyArray_EMPTY(1, <cnp.npy_intp *> &count, cnp.NPY_UINT16, 0)
        cdef int32_t *link = _new_ints(link_array)
        cdef uint16_t *flags = <uint16_t *> cnp.PyArray_DATA(<cnp.ndarray> flag_array)
        cdef uint64_t *tag_path = <uint64_t *> cnp.PyArray_DATA(<cnp.ndarray> tag_path_array)
        cdef uint64_t *class_path = <uint64_t *> cnp.PyArray_DATA(<cnp.ndarray> class_path_array)
        # Scratch: edges (4 numbers each), leaves (2 each), resources, hashes of unknown tags.
        self._scratch.reset()
        cdef int32_t *edges = <int32_t *> self._scratch.room(count * 32 + extra_count * 8 + 8)
        cdef int32_t *leaves = edges + 4 * count
        cdef int32_t *resources = leaves + 2 * count
        cdef uint64_t *extra_hashes = <uint64_t *> (resources + 2 * count)
        for i in range(extra_count):
            data = (<str> extra_tags[i]).encode()
            extra_hashes[i] = _hash(<const uint8_t *> PyBytes_AS_STRING(data), len(data))
        for i in range(FIND_COUNT):
            finds[i] = -1 if i < FIND_TEXT else 0

        for node in range(count):
            parent, tag = page.parent[node], page.tag[node]
            if parent >= 0:
                inherited, inside = flags[parent], link[parent]
            else:
                inherited, inside = 0, -1
            step = self._hashes[tag] if tag < self._tag_count else extra_hashes[tag - self._tag_count]
            tag_path[node] = _mix(tag_path[parent] if parent >= 0 else 0, step)
            class_path[node] = _mix(class_path[parent] if parent >= 0 else 0, step)
            if tag == 0:
                flags[node], link[node] = inherited, inside
                if not inherited & HIDDEN:
                    value = page.text + page.text_start[node]
                    size = page.text_end[node] - page.text_start[node]
                    if value[0] == 32:
                        value += 1
                        size -= 1
                    if size and value[size - 1] == 32:
                        size -= 1
                    leaves[2 * leaf_count] = <int32_t> node
                    leaves[2 * leaf_count + 1] = (inherited & EMPHASIS) | _capitals(value, size)
                    leaf_count += 1
                    size = _characters(value, size)
                    finds[FIND_TEXT] += size
                    if inside >= 0:
                        finds[FIND_LINKED_TEXT] += size
                continue

            role = self._roles[tag] if tag < self._tag_count else 0
            state = inherited
            if role & ROLE_HIDDEN:
                state |= HIDDEN
            if role & ROLE_BOLD:
                state |= BOLD
            if role & ROLE_ITALIC:
                state |= ITALIC
            if role & ROLE_HEADING:
                state |= HEADING
            if page.first[node] == page.first[node + 1]:
                # Most elements have nothing to say.
                state = self._land(tag, NULL, &page, state)
                if role & ROLE_SECTIONING:
                    state |= SECTIONING
                if tag == self.dialog:
                    state |= HIDDEN
                flags[node], link[node] = state, inside
                self._find_plain(&page, node, tag, finds)
                continue

            memset(at, 0xFF, sizeof(at))
            for i in range(page.first[node], page.first[node + 1]):
                at[page.name[i]] = <int32_t> i
            if at[self.hidden] >= 0 or (tag == self.dialog and at[self.open_] < 0):
                state |= HIDDEN
            if at[self.class_] >= 0:
                value = page.text + page.start[at[self.class_]]
                size = page.stop[at[self.class_]] - page.start[at[self.class_]]
                step = _hash_words(self._label, value, size, &has_words)
                if has_words:
                    if not role & ROLE_ITEM and not is_page(&page, node, whole):
                        class_path[node] = _mix(class_path[node], step)
                    if _contains(value, size, b"bold"):
                        state |= STYLED
            if at[self.style] >= 0:
                value = page.text + page.start[at[self.style]]
                if _is_bold_style(value, page.stop[at[self.style]] - page.start[at[self.style]]):
                    state |= STYLED
            state = self._land(tag, at, &page, state)
            if role & ROLE_SECTIONING:
                state |= SECTIONING

            kind = -1
            i = -1  # the attribute with the address
            if (tag == self.a or tag == self.area) and at[self.href] >= 0:
                if inside < 0:
                    inside = <int32_t> node
                kind = KIND_AREA if tag == self.area else KIND_A
                i = at[self.href]
            elif (tag == self.frame or tag == self.iframe) and at[self.src] >= 0:
                kind = KIND_IFRAME if tag == self.iframe else KIND_FRAME
                i = at[self.src]
                at[self.rel] = -1
            elif tag == self.img and not state & HIDDEN and at[self.alt] >= 0:
                value = page.text + page.start[at[self.alt]]
                size = page.stop[at[self.alt]] - page.start[at[self.alt]]
                if not _is_blank(value, size):
                    leaves[2 * leaf_count] = <int32_t> node
                    leaves[2 * leaf_count + 1] = (state & EMPHASIS) | _capitals(value, size)
                    leaf_count += 1
            elif tag == self.link and at[self.href] >= 0 and at[self.rel] >= 0:
                if (
                    _has(&page, at[self.rel], b"stylesheet") or _has(&page, at[self.rel], b"icon")
                ) and _is_address(&page, at[self.href]):
                    resources[resource_count] = at[self.href]
                    resource_count += 1
                if self._read_rel(&page, at, finds):
                    kind = KIND_LINK
                    i = at[self.href]
            elif tag == self.meta and at[self.content] >= 0:
                if self._read_meta(&page, at, finds):
                    kind = KIND_REFRESH
                    i = at[self.content]
                    at[self.rel] = -1
            elif tag == self.base and at[self.href] >= 0:
                if finds[FIND_BASE] < 0:
                    finds[FIND_BASE] = at[self.href]
            elif tag == self.html and node == 0:
                finds[FIND_LANGUAGE] = at[self.lang] if at[self.lang] >= 0 else at[self.xml_lang]
            else:
                self._find_plain(&page, node, tag, finds)
            if kind >= 0:
                edges[4 * edge_count] = <int32_t> node
                edges[4 * edge_count + 1] = kind
                edges[4 * edge_count + 2] = <int32_t> i
                edges[4 * edge_count + 3] = at[self.rel]
                edge_count += 1
            if _has(&page, at[self.aria_label], b"breadcrumb"):
                finds[FIND_CRUMBS] |= CRUMBS_LABELLED
            if _has(&page, at[self.itemtype], b"breadcrumblist"):
                finds[FIND_CRUMBS] |= CRUMBS_MICRODATA
            if _has(&page, at[self.typeof_], b"breadcrumblist"):
                finds[FIND_CRUMBS] |= CRUMBS_RDFA
            if tag == self.script and node + 1 < count and page.parent[node + 1] == node:
                value = page.text + page.text_start[node + 1]
                if _contains_exactly(value, page.text_end[node + 1] - page.text_start[node + 1], b"BreadcrumbList"):
                    finds[FIND_CRUMBS] |= CRUMBS_JSON
            if (tag == self.img or tag == self.script) and at[self.src] >= 0 and _is_address(&page, at[self.src]):
                resources[resource_count] = at[self.src]
                resource_count += 1
            flags[node], link[node] = state, inside

        edge_array, leaf_array = _table(EDGE_ROWS, edge_count), _table(LEAF_ROWS, leaf_count)
        resource_array, leaf_path_array, find_array = _row(resource_count), _longs(leaf_count), _longs(FIND_COUNT)
        cdef int32_t *to = _new_ints(edge_array)
        cdef uint64_t *to_path = <uint64_t *> cnp.PyArray_DATA(<cnp.ndarray> leaf_path_array)
        for i in range(edge_count):
            to[i] = edges[4 * i]
            to[edge_count + i] = edges[4 * i + 1]
            to[2 * edge_count + i] = edges[4 * i + 2]
            to[3 * edge_count + i] = edges[4 * i + 3]
            to[4 * edge_count + i] = flags[edges[4 * i]] >> LANDMARK_SHIFT
        to = _new_ints(leaf_array)
        for i in range(leaf_count):
            to[i] = leaves[2 * i]
            to[leaf_count + i] = leaves[2 * i + 1]
            to[2 * leaf_count + i] = link[leaves[2 * i]]
            to_path[i] = tag_path[leaves[2 * i]]
        memcpy(_new_ints(resource_array), resources, resource_count * sizeof(int32_t))
        memcpy(_new_ints(find_array), finds, sizeof(finds))
        return (
            link_array,
            flag_array,
            tag_path_array,
            class_path_array,
            edge_array,
            leaf_array,
            leaf_path_array,
            resource_array,
            find_array,
        )

    cdef inline void _find_plain(self, Page *page, Py_ssize_t node, int32_t tag, int64_t *finds) noexcept:
        """Note what is found by its tag alone."""
        cdef Py_ssize_t above
        if tag == self.table:
            finds[FIND_TABLES] += 1
        elif tag == self.h1 and finds[FIND_H1] < 0:
            finds[FIND_H1] = node
        elif tag == self.title and finds[FIND_TITLE] < 0:
            above = page.parent[node]
            while above >= 0 and page.tag[above] != self.svg:
                above = page.parent[above]
            if above < 0:
                finds[FIND_TITLE] = node

    cdef uint32_t _land(self, int32_t tag, const int32_t *at, Page *page, uint32_t state) noexcept:
        """Return the state with the landmark that an element is, if it is one (ARIA in HTML)."""
        cdef int32_t landmark = 0, number
        cdef Py_ssize_t i, end, start
        cdef bint has_role = False
        if at != NULL and at[self.role] >= 0:
            i, end = page.start[at[self.role]], page.stop[at[self.role]]
            while i < end and _is_space(page.text[i]):
                i += 1
            start = i
            while i < end and not _is_space(page.text[i]):
                i += 1
            has_role = i > start
            for number in range(7):
                if has_role and _equals(page.text + start, i - start, <bytes> (<tuple> LANDMARK_ROLES)[number]):
                    landmark = number + 1
        if not has_role and tag < self._tag_count:
            landmark = self._landmarks[tag]
            if landmark:
                if (tag == self.header or tag == self.footer) and state & SECTIONING:
                    landmark = 0
                elif tag == self.form and (at == NULL or (at[self.aria_label] < 0 and at[self.title_] < 0)):
                    landmark = 0
        if landmark == 0:
            return state
        return (state & ((1 << LANDMARK_SHIFT) - 1)) | <uint32_t> landmark << LANDMARK_SHIFT

    cdef bint _read_rel(self, Page *page, const int32_t *at, int64_t *finds) noexcept:
        """Note a canonical link; tell whether a <link> leads to another page of the same work."""
        cdef Py_ssize_t i = page.start[at[self.rel]], end = page.stop[at[self.rel]], start
        cdef bint is_navigation = False
        while True:
            while i < end and _is_space(page.text[i]):
                i += 1
            if i >= end:
                return is_navigation
            start = i
            while i < end and not _is_space(page.text[i]):
                i += 1
            if _equals(page.text + start, i - start, b"canonical"):
                if finds[FIND_CANONICAL] < 0:
                    finds[FIND_CANONICAL] = at[self.href]
            elif not is_navigation and i - start <= 10:
                for word in <tuple> NAVIGATION:
                    if _equals(page.text + start, i - start, <bytes> word):
                        is_navigation = True
                        break

    cdef bint _read_meta(self, Page *page, const int32_t *at, int64_t *finds) noexcept:
        """Note what a <meta> says; tell whether it is the first refresh."""
        if finds[FIND_ROBOTS] < 0 and _is_word(page, at[self.name_], b"robots"):
            finds[FIND_ROBOTS] = at[self.content]
        if at[self.http_equiv] < 0:
            return False
        if finds[FIND_CONTENT_LANGUAGE] < 0 and _is_word(page, at[self.http_equiv], b"content-language"):
            finds[FIND_CONTENT_LANGUAGE] = at[self.content]
        if finds[FIND_REFRESH] < 0 and _is_word(page, at[self.http_equiv], b"refresh"):
            finds[FIND_REFRESH] = at[self.content]
            return True
        return False

    def labels(
        self, cnp.ndarray nodes, cnp.ndarray attributes, bytes text not None, cnp.ndarray wanted
    ):
        """Return offsets and bytes of the labels of some elements, and where each label was found."""
        cdef Page page = _page(nodes, attributes, text)
        cdef Py_ssize_t i, count = wanted.shape[0]
        offset_array = _row(count + 1)
        source_array = cnp.PyArray_EMPTY(1, <cnp.npy_intp *> &count, cnp.NPY_UINT8, 0)
        cdef const int32_t *node = _ints(wanted)
        cdef int32_t *offsets = _new_ints(offset_array)
        cdef uint8_t *sources = <uint8_t *> cnp.PyArray_DATA(<cnp.ndarray> source_array)
        cdef Buffer label = self._label
        label.reset()
        offsets[0] = 0
        self._scratch.reset()
        cdef int32_t *closing = <int32_t *> self._scratch.room((page.count + 1) * sizeof(int32_t))
        for i in range(count):
            sources[i] = self._write_label(&page, node[i], label, closing)
            offsets[i + 1] = <int32_t> label.size
        return offset_array, PyBytes_FromStringAndSize(<char *> label.data, label.size), source_array

    cdef int _write_label(self, Page *page, Py_ssize_t node, Buffer label, int32_t *closing) except -1:
        cdef Py_ssize_t current = node, end = page.end[node], i, open_count = 0, start = label.size
        cdef int32_t tag, role, alt, title = -1, name = -1, own_title, own_name
        cdef bint is_hidden, wants_space = False, has_alternative = False
        while current < end and label.size - start < LABEL_BYTES:
            while open_count and closing[open_count - 1] <= current:
                open_count -= 1
                wants_space = True
            tag = page.tag[current]
            if tag == 0:
                wants_space = _write_folded(
                    label,
                    start,
                    page.text + page.text_start[current],
                    page.text_end[current] - page.text_start[current],
                    wants_space,
                )
                current += 1
                continue
            role = self._roles[tag] if tag < self._tag_count else 0
            is_hidden = role & ROLE_HIDDEN
            alt = own_title = own_name = -1
            for i in range(page.first[current], page.first[current + 1]):
                if page.name[i] == self.title_:
                    own_title = <int32_t> i
                elif page.name[i] == self.aria_label:
                    own_name = <int32_t> i
                elif page.name[i] == self.alt:
                    alt = <int32_t> i
                elif page.name[i] == self.hidden:
                    is_hidden = True
            if title < 0:
                title = own_title
            if name < 0:
                name = own_name
            if alt >= 0 and (tag == self.img or tag == self.area or tag == self.image):
                has_alternative = True
            if current != node and is_hidden:
                has_alternative = has_alternative or tag == self.title
                current = page.end[current]
                continue
            if role & ROLE_BLOCK:
                wants_space = True
                closing[open_count] = page.end[current]
                open_count += 1
            current += 1
        if label.size > start:
            _cut(label, start)
            return 1
        if has_alternative:
            self._write_alternatives(page, node, label, start)
            if label.size > start:
                _cut(label, start)
                return 2
        if title >= 0:
            _write_folded(label, start, page.text + page.start[title], page.stop[title] - page.start[title], False)
            if label.size > start:
                _cut(label, start)
                return 3
        if name >= 0:
            _write_folded(label, start, page.text + page.start[name], page.stop[name] - page.start[name], False)
            if label.size > start:
                _cut(label, start)
                return 4
        return 0

    cdef int _write_alternatives(self, Page *page, Py_ssize_t node, Buffer label, Py_ssize_t start) except -1:
        """Write the texts that stand for the pictures of an element."""
        cdef Py_ssize_t current = node, end = page.end[node], i, inner
        cdef int32_t tag, role
        cdef bint is_hidden
        while current < end and label.size - start < LABEL_BYTES:
            tag = page.tag[current]
            if tag == 0:
                current += 1
                continue
            role = self._roles[tag] if tag < self._tag_count else 0
            is_hidden = role & ROLE_HIDDEN
            for i in range(page.first[current], page.first[current + 1]):
                if page.name[i] == self.alt and (tag == self.img or tag == self.area or tag == self.image):
                    _write_folded(label, start, page.text + page.start[i], page.stop[i] - page.start[i], True)
                elif page.name[i] == self.hidden:
                    is_hidden = True
            if current != node and is_hidden:
                if tag == self.title:
                    for inner in range(current + 1, page.end[current]):
                        _write_folded(
                            label,
                            start,
                            page.text + page.text_start[inner],
                            page.text_end[inner] - page.text_start[inner],
                            True,
                        )
                current = page.end[current]
                continue
            current += 1
        return 0

    def label(self, cnp.ndarray nodes, cnp.ndarray attributes, bytes text not None, Py_ssize_t node):
        """Return the label of an element; None for -1, and where it has none."""
        if node < 0:
            return None
        cdef Page page = _page(nodes, attributes, text)
        cdef Buffer label = self._label
        label.reset()
        self._scratch.reset()
        if not self._write_label(
            &page, node, label, <int32_t *> self._scratch.room((page.end[node] - node + 1) * sizeof(int32_t))
        ):
            return None
        return PyUnicode_DecodeUTF8(<const char *> label.data, label.size, NULL)

    def value(self, cnp.ndarray attributes, bytes text not None, Py_ssize_t index):
        """Return the value of an attribute by its index; None for -1."""
        if index < 0:
            return None
        cdef const int32_t *starts = _ints(attributes) + attributes.shape[1]
        cdef const int32_t *ends = starts + attributes.shape[1]
        return PyUnicode_DecodeUTF8(PyBytes_AS_STRING(text) + starts[index], ends[index] - starts[index], NULL)

    def texts(self, cnp.ndarray attributes, bytes text not None, cnp.ndarray wanted):
        """Return the values of some attributes, by index; None for -1."""
        cdef const char *data = PyBytes_AS_STRING(text)
        cdef const int32_t *indices = _ints(wanted)
        cdef const int32_t *starts = _ints(attributes) + attributes.shape[1]
        cdef const int32_t *ends = starts + attributes.shape[1]
        cdef Py_ssize_t i
        cdef list values = [None] * wanted.shape[0]
        for i in range(wanted.shape[0]):
            if indices[i] >= 0:
                values[i] = PyUnicode_DecodeUTF8(data + starts[indices[i]], ends[indices[i]] - starts[indices[i]], NULL)
        return values

    def lead(self, cnp.ndarray edges, cnp.ndarray numbers, list fragments):
        """Return the edges that lead somewhere: those whose answer has a number of 0 or more."""
        cdef Py_ssize_t i, row, to = 0, count = numbers.shape[0], kept = 0
        cdef const int32_t *number = _ints(numbers)
        cdef const int32_t *edge = _ints(edges)
        for i in range(count):
            kept += number[i] >= 0
        if kept == count:
            return edges, numbers, fragments
        cdef list kept_fragments = []
        cdef int32_t *kept_edges
        cdef int32_t *kept_numbers
        edge_array = _table(EDGE_ROWS, kept)
        number_array = _row(kept)
        kept_edges, kept_numbers = _new_ints(edge_array), _new_ints(number_array)
        for i in range(count):
            if number[i] < 0:
                continue
            for row in range(EDGE_ROWS):
                kept_edges[row * kept + to] = edge[row * count + i]
            kept_numbers[to] = number[i]
            kept_fragments.append(fragments[i])
            to += 1
        return edge_array, number_array, kept_fragments

    def gaps(self, cnp.ndarray nodes, cnp.ndarray leaves, cnp.ndarray wanted):
        """Return how much text that is in no hyperlink stands before each of some nodes, after the one before."""
        cdef Py_ssize_t i, leaf = 0, row = nodes.shape[1], leaf_count = leaves.shape[1], count = wanted.shape[0]
        cdef const int32_t *starts = _ints(nodes) + 4 * row
        cdef const int32_t *ends = starts + row
        cdef const int32_t *leaf_node = _ints(leaves)
        cdef const int32_t *inside = leaf_node + 2 * leaf_count
        cdef const int32_t *node = _ints(wanted)
        answer = _row(count)
        cdef int32_t *gap = _new_ints(answer)
        for i in range(count):
            gap[i] = 0
            while leaf < leaf_count and leaf_node[leaf] < node[i]:
                if inside[leaf] < 0:
                    gap[i] += ends[leaf_node[leaf]] - starts[leaf_node[leaf]]
                leaf += 1
        return answer

    def distinct(self, cnp.ndarray hashes, cnp.ndarray wanted):
        """Return the different hashes of some nodes, sorted."""
        cdef Py_ssize_t i, count = 0, size = wanted.shape[0]
        cdef const int32_t *nodes = _ints(wanted)
        cdef const int64_t *hash_ = <const int64_t *> cnp.PyArray_DATA(hashes)
        self._scratch.reset()
        cdef int64_t *sorted_ = <int64_t *> self._scratch.room((size + 1) * sizeof(int64_t))
        for i in range(size):
            sorted_[i] = hash_[nodes[i]]
        qsort(sorted_, size, sizeof(int64_t), _compare)
        for i in range(size):
            if i == 0 or sorted_[i] != sorted_[count - 1]:
                sorted_[count] = sorted_[i]
                count += 1
        answer = _longs(count)
        memcpy(_new_ints(answer), sorted_, count * sizeof(int64_t))
        return answer

    def path_table(self, nodes, attributes, bytes text not None, tuple extra_tags):
        """Return the (still empty) table of the DOM paths of a page."""
        return PathTable(nodes, attributes, text, self._names, extra_tags, self.id_, self.class_)
