"""Resolve the addresses on many pages, remembering what they meant before; `book_twin` is the specification.

Most hrefs are plain: the parser of the URL Standard would only put them behind their folder or host. These are joined
and hashed here; the others are handed to Python once. What an href means is kept under the widest scope in which it
means that (host, folder), so that a menu costs one look-up per item, and no Python object.
"""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libc.stdlib cimport free, malloc, qsort, realloc
from libc.string cimport memchr, memcmp, memcpy, memset

import os

import numpy as np

from sitestrata._kernels cimport hashing
from sitestrata._kernels import book_twin

cimport numpy as cnp

cnp.import_array()

__all__ = ["Book"]

cdef enum:
    NOWHERE = -1
    UNKNOWN = -2
    LONGEST_PLAIN = 4096  # longer ones are left to Python
    HAS_FRAGMENT = 1


# Where the meaning of an href is kept.
cdef struct Entry:
    uint64_t hash
    int64_t key  # where the href stands in the keys
    int32_t size  # of the href; -1 = the place is empty
    int32_t scope
    int32_t number  # of the answer


cdef struct Answer:
    int64_t id
    int64_t start  # of the address in the text
    int32_t size
    int32_t flags


# Bytes that the parser of the URL Standard leaves as they are, in a path, a query, a fragment, and in host names.
cdef uint8_t in_path[256]
cdef uint8_t in_query[256]
cdef uint8_t in_fragment[256]
cdef uint8_t in_scheme[256]
cdef uint8_t is_letter[256]
for _byte in range(256):
    is_letter[_byte] = chr(_byte).isascii() and chr(_byte).isalpha()
    in_scheme[_byte] = is_letter[_byte] or chr(_byte) in "0123456789+-."
    in_path[_byte] = book_twin.PLAIN_PATH.match(chr(_byte)) is not None
    in_query[_byte] = book_twin.PLAIN_QUERY.match(chr(_byte)) is not None
    in_fragment[_byte] = book_twin.PLAIN_FRAGMENT.match(chr(_byte)) is not None

cdef hashing.Secret secret
secret.a, secret.b = int.from_bytes(os.urandom(8), "little"), int.from_bytes(os.urandom(8), "little")


cdef class Book:
    """What the hrefs of a collection mean, as far as they were asked for."""

    cdef object _explain
    cdef dict _scopes
    cdef dict _fragments
    cdef Entry *_entries
    cdef Py_ssize_t _entry_space, _entry_count
    cdef Answer *_answers
    cdef Py_ssize_t _answer_space, _answer_count
    cdef uint8_t *_text
    cdef Py_ssize_t _text_space, _text_size
    cdef uint8_t *_keys
    cdef Py_ssize_t _key_space, _key_size

    def __cinit__(self):
        self._entries = NULL
        self._answers = NULL
        self._text = NULL
        self._keys = NULL
        self._entry_space = self._entry_count = self._answer_space = self._answer_count = 0
        self._text_space = self._text_size = self._key_space = self._key_size = 0

    def __init__(self, explain):
        self._explain = explain
        self._scopes = {}
        self._fragments = {}

    def __dealloc__(self):
        free(self._entries)
        free(self._answers)
        free(self._text)
        free(self._keys)

    @property
    def size(self):
        """Return about how many bytes of memory the book takes."""
        return (
            self._entry_space * sizeof(Entry)
            + self._answer_space * sizeof(Answer)
            + self._text_space
            + self._key_space
            + 200 * len(self._scopes)
        )

    def number(
        self,
        const int32_t[:, ::1] attributes,
        bytes text not None,
        const int32_t[:] wanted,
        str base not None,
        bint is_plain,
        object encoding,
    ):
        """Return the numbers of the answers to some hrefs, given as attributes, and the fragments beside them."""
        cdef Py_ssize_t i, size, at, count = wanted.shape[0], folder_size, host_size
        cdef const uint8_t *data = <const uint8_t *> PyBytes_AS_STRING(text)
        cdef const uint8_t *value
        cdef const uint8_t *mark
        cdef int32_t index, number, own = UNKNOWN, of_host, of_folder, of_page = -1, scope
        cdef bint is_wide
        cdef list fragments = [None] * count
        cdef bytes base_bytes = base.encode()
        cdef const uint8_t *base_data = <const uint8_t *> PyBytes_AS_STRING(base_bytes)
        host_size, folder_size = _parts(base_data, len(base_bytes))
        of_host = self._scope((base_bytes[:host_size], encoding))
        of_folder = self._scope((base_bytes[:folder_size], encoding))
        answer = cnp.PyArray_EMPTY(1, <cnp.npy_intp *> &count, cnp.NPY_INT32, 0)
        cdef int32_t *numbers = <int32_t *> cnp.PyArray_DATA(<cnp.ndarray> answer)
        for i in range(count):
            index = wanted[i]
            value = data + attributes[1, index]
            size = attributes[2, index] - attributes[1, index]
            mark = <const uint8_t *> memchr(value, c"#", size)
            if mark != NULL and (mark == value or (mark - 1)[0] > 32):
                at = mark - value + 1
                while at < size and in_fragment[value[at]]:
                    at += 1
                if at == size:
                    fragments[i] = PyUnicode_DecodeUTF8(<const char *> mark + 1, value + size - mark - 1, NULL)
                    size = mark - value
            if size == 0:
                # The page itself.
                if own == UNKNOWN:
                    if is_plain:
                        own = self._answer(NULL, 0, base_data, len(base_bytes))
                    else:
                        own = self._ask(value, 0, base, encoding, NULL)
                numbers[i] = own
                continue
            is_wide = _is_wide(value, size)
            scope = of_host if is_wide else of_folder
            number = self._find(scope, value, size)
            if number == UNKNOWN and of_page >= 0:
                number = self._find(of_page, value, size)
            if number == UNKNOWN:
                if is_plain or is_wide:
                    number = self._join(base_data, host_size, folder_size, value, size, is_plain)
                if number == UNKNOWN:
                    number = self._ask(value, size, base, encoding, &is_wide)
                    if not is_wide:
                        if of_page < 0:
                            of_page = self._scope(None)
                        scope = of_page
                self._enter(scope, value, size, number)
            numbers[i] = number
            if number >= 0 and self._answers[number].flags & HAS_FRAGMENT:
                fragments[i] = self._fragments[number]
        return answer, fragments

    def ask(self, str href not None, str base not None, object encoding):
        """Return the number of the answer to a single href."""
        data = href.encode("utf-8", "replace")
        return self._ask(<const uint8_t *> PyBytes_AS_STRING(data), len(<bytes> data), base, encoding, NULL)

    def ids(self, const int32_t[:] numbers):
        """Return the ids of the addresses of some answers."""
        cdef Py_ssize_t i, count = numbers.shape[0]
        answer = cnp.PyArray_EMPTY(1, <cnp.npy_intp *> &count, cnp.NPY_INT64, 0)
        cdef int64_t *ids = <int64_t *> cnp.PyArray_DATA(<cnp.ndarray> answer)
        for i in range(count):
            if not 0 <= numbers[i] < self._answer_count:
                raise IndexError(numbers[i])
            ids[i] = self._answers[numbers[i]].id
        return answer

    def distinct(self, const int32_t[:] numbers):
        """Return the different ids of some answers, sorted; answers that lead nowhere have none."""
        cdef Py_ssize_t i, count = 0, kept = 0, size = numbers.shape[0]
        cdef int64_t *ids = <int64_t *> malloc((size + 1) * sizeof(int64_t))
        if ids == NULL:
            raise MemoryError
        try:
            for i in range(size):
                if numbers[i] >= self._answer_count:
                    raise IndexError(numbers[i])
                if numbers[i] >= 0:
                    ids[count] = self._answers[numbers[i]].id
                    count += 1
            qsort(ids, count, sizeof(int64_t), _compare)
            for i in range(count):
                if i == 0 or ids[i] != ids[kept - 1]:
                    ids[kept] = ids[i]
                    kept += 1
            answer = cnp.PyArray_EMPTY(1, <cnp.npy_intp *> &kept, cnp.NPY_INT64, 0)
            memcpy(cnp.PyArray_DATA(<cnp.ndarray> answer), ids, kept * sizeof(int64_t))
        finally:
            free(ids)
        return answer

    def address(self, Py_ssize_t number):
        """Return the address of an answer."""
        if not 0 <= number < self._answer_count:
            raise IndexError(number)
        cdef Answer *answer = &self._answers[number]
        return PyUnicode_DecodeUTF8(<const char *> self._text + answer.start, answer.size, NULL)

    def spell(self, const int32_t[:] numbers):
        """Return the addresses of some answers: offsets and UTF-8 text."""
        cdef Py_ssize_t i, size = 0, count = numbers.shape[0]
        for i in range(count):
            if not 0 <= numbers[i] < self._answer_count:
                raise IndexError(numbers[i])
            size += self._answers[numbers[i]].size
        offsets = np.empty(count + 1, dtype=np.int64)
        data = PyBytes_FromStringAndSize(NULL, size)
        cdef int64_t *to = <int64_t *> cnp.PyArray_DATA(<cnp.ndarray> offsets)
        cdef uint8_t *written = <uint8_t *> PyBytes_AS_STRING(data)
        cdef Answer *answer
        to[0] = 0
        for i in range(count):
            answer = &self._answers[numbers[i]]
            memcpy(written + to[i], self._text + answer.start, answer.size)
            to[i + 1] = to[i] + answer.size
        return offsets, data

    cdef int32_t _scope(self, object key) except -1:
        cdef object found
        if key is None:
            key = len(self._scopes)  # of one page, for which nobody will ask again
        found = self._scopes.get(key)
        if found is None:
            found = len(self._scopes)
            self._scopes[key] = found
        return found

    cdef int32_t _find(self, int32_t scope, const uint8_t *href, Py_ssize_t size) noexcept:
        cdef Entry *entry
        if self._entry_space == 0:
            return UNKNOWN
        entry = self._place(hashing.sip_hash(&secret, scope, href, size), scope, href, size)
        return UNKNOWN if entry.size < 0 else entry.number

    cdef inline Entry *_place(self, uint64_t hash_, int32_t scope, const uint8_t *href, Py_ssize_t size) noexcept:
        cdef Py_ssize_t mask = self._entry_space - 1
        cdef Py_ssize_t place = <Py_ssize_t> (hash_ & <uint64_t> mask)
        cdef Entry *entry
        while True:
            entry = &self._entries[place]
            if entry.size < 0:
                return entry
            if (
                entry.hash == hash_
                and entry.size == size
                and entry.scope == scope
                and memcmp(self._keys + entry.key, href, size) == 0
            ):
                return entry
            place = (place + 1) & mask

    cdef int _enter(self, int32_t scope, const uint8_t *href, Py_ssize_t size, int32_t number) except -1:
        cdef uint64_t hash_ = hashing.sip_hash(&secret, scope, href, size)
        cdef Entry *entry
        if 2 * self._entry_count >= self._entry_space:
            self._grow()
        entry = self._place(hash_, scope, href, size)
        if entry.size >= 0:
            return 0
        if self._key_size + size > self._key_space:
            self._key_space = max(<Py_ssize_t> 65536, 2 * self._key_space, self._key_size + size)
            self._keys = <uint8_t *> _more(self._keys, self._key_space)
        memcpy(self._keys + self._key_size, href, size)
        entry.hash, entry.key, entry.size, entry.scope, entry.number = hash_, self._key_size, <int32_t> size, scope, number
        self._key_size += size
        self._entry_count += 1
        return 0

    cdef int _grow(self) except -1:
        cdef Entry *old = self._entries
        cdef Py_ssize_t old_space = self._entry_space, space = max(<Py_ssize_t> 1024, 2 * old_space), i, place
        cdef Entry *entries = <Entry *> malloc(space * sizeof(Entry))
        if entries == NULL:
            raise MemoryError
        for i in range(space):
            entries[i].size = -1
        for i in range(old_space):
            if old[i].size >= 0:
                place = <Py_ssize_t> (old[i].hash & <uint64_t> (space - 1))
                while entries[place].size >= 0:
                    place = (place + 1) & (space - 1)
                entries[place] = old[i]
        self._entries, self._entry_space = entries, space
        free(old)
        return 0

    cdef int32_t _join(
        self,
        const uint8_t *base,
        Py_ssize_t host_size,
        Py_ssize_t folder_size,
        const uint8_t *href,
        Py_ssize_t size,
        bint is_plain,
    ) except -3:
        """Answer an href that needs no parser; UNKNOWN = it does."""
        cdef Py_ssize_t up = 0, start = 0, scheme
        if size > LONGEST_PLAIN or host_size + size > LONGEST_PLAIN or folder_size + size > LONGEST_PLAIN:
            return UNKNOWN
        if _leads_elsewhere(href, size):
            return NOWHERE
        if href[0] == c"h" and _starts_with_scheme(href, size):
            return self._answer_absolute(NULL, 0, href, size, 8 if href[4] == c"s" else 7)
        if not is_plain:
            return UNKNOWN
        if href[0] == c"/":
            if size > 1 and href[1] == c"/":
                scheme = 6 if base[4] == c"s" else 5
                return self._answer_absolute(base, scheme, href, size, 2)
            if size > 1 and (href[1] == c"." or href[1] == c"?"):
                return UNKNOWN
            return self._answer(base, host_size, href, size) if _is_plain_tail(href, size) else UNKNOWN
        while size - start >= 2 and href[start] == c".":
            if href[start + 1] == c"/":
                start += 2
            elif size - start >= 3 and href[start + 1] == c"." and href[start + 2] == c"/":
                start += 3
                up += 1
            else:
                return UNKNOWN
        if start < size:
            if href[start] == c"/" or href[start] == c"." or href[start] == c"?":
                return UNKNOWN
            if not _is_plain_tail(href + start, size - start):
                return UNKNOWN
        while up and folder_size > host_size + 1:
            folder_size -= 1
            while base[folder_size - 1] != c"/":
                folder_size -= 1
            up -= 1
        return self._answer(base, folder_size, href + start, size - start)

    cdef int32_t _answer_absolute(
        self, const uint8_t *scheme, Py_ssize_t scheme_size, const uint8_t *href, Py_ssize_t size, Py_ssize_t host
    ) except -3:
        """Answer an href whose host starts at ``host``; UNKNOWN = it needs a parser."""
        cdef Py_ssize_t path = _host_end(href, size, host)
        if path < 0 or not _is_plain_tail(href + path, size - path):
            return UNKNOWN
        # Behind a host alone the parser puts a slash.
        return self._answer(scheme, scheme_size, href, size, path == size)

    cdef int32_t _ask(
        self, const uint8_t *href, Py_ssize_t size, str base, object encoding, bint *is_bound
    ) except -3:
        """Answer an href with the help of the parser; tell whether it means the same in the whole folder."""
        cdef int32_t number
        address, fragment, bound = self._explain(PyUnicode_DecodeUTF8(<const char *> href, size, NULL), base, encoding)
        if is_bound != NULL:
            is_bound[0] = bound
        if address is None:
            return NOWHERE
        data = (<str> address).encode("utf-8", "replace")
        number = self._answer(NULL, 0, <const uint8_t *> PyBytes_AS_STRING(data), len(<bytes> data))
        if fragment is not None:
            self._answers[number].flags |= HAS_FRAGMENT
            self._fragments[number] = fragment
        return number

    cdef int32_t _answer(
        self,
        const uint8_t *base,
        Py_ssize_t base_size,
        const uint8_t *rest,
        Py_ssize_t rest_size,
        bint wants_slash=False,
    ) except -3:
        """Write an answer down; its address is made of two parts, and perhaps a slash."""
        cdef Py_ssize_t size = base_size + rest_size + wants_slash
        cdef Answer *answer
        if self._answer_count >= self._answer_space:
            self._answer_space = max(<Py_ssize_t> 1024, 2 * self._answer_space)
            self._answers = <Answer *> _more(self._answers, self._answer_space * sizeof(Answer))
        if self._text_size + size > self._text_space:
            self._text_space = max(<Py_ssize_t> 65536, 2 * self._text_space, self._text_size + size)
            self._text = <uint8_t *> _more(self._text, self._text_space)
        memcpy(self._text + self._text_size, base, base_size)
        memcpy(self._text + self._text_size + base_size, rest, rest_size)
        if wants_slash:
            self._text[self._text_size + size - 1] = c"/"
        answer = &self._answers[self._answer_count]
        answer.start, answer.size, answer.flags = self._text_size, <int32_t> size, 0
        answer.id = <int64_t> hashing.blake2b_8(self._text + self._text_size, size)
        self._text_size += size
        self._answer_count += 1
        return <int32_t> (self._answer_count - 1)


cdef int _compare(const void *one, const void *other) noexcept nogil:
    cdef int64_t a = (<const int64_t *> one)[0], b = (<const int64_t *> other)[0]
    return (a > b) - (a < b)


cdef void *_more(void *block, Py_ssize_t size) except NULL:
    cdef void *grown = realloc(block, size)
    if grown == NULL:
        raise MemoryError
    return grown


cdef (Py_ssize_t, Py_ssize_t) _parts(const uint8_t *base, Py_ssize_t size) noexcept:
    """Return where the host and the folder of an address in canonical form end; 0, 0 where it is none."""
    cdef Py_ssize_t at = 0, host, folder
    while at + 2 < size and not (base[at] == c":" and base[at + 1] == c"/" and base[at + 2] == c"/"):
        at += 1
    at += 3
    while at < size and base[at] != c"/":
        at += 1
    if at >= size:
        return 0, 0
    host = at
    folder = at + 1
    while at < size and base[at] != c"?":
        if base[at] == c"/":
            folder = at + 1
        at += 1
    return host, folder


cdef inline bint _starts_with_scheme(const uint8_t *href, Py_ssize_t size) noexcept:
    return (size >= 7 and memcmp(href, b"http://", 7) == 0) or (size >= 8 and memcmp(href, b"https://", 8) == 0)


cdef inline bint _is_wide(const uint8_t *href, Py_ssize_t size) noexcept:
    """Tell whether an href means the same on a whole host."""
    return href[0] == c"/" or (href[0] == c"h" and _starts_with_scheme(href, size))


cdef bint _is_plain_tail(const uint8_t *tail, Py_ssize_t size) noexcept:
    """Tell whether path and query stay as they are: plain bytes only, and no segment that starts with a dot."""
    cdef Py_ssize_t i = 0
    while i < size and in_path[tail[i]]:
        if tail[i] == c"." and i and tail[i - 1] == c"/":
            return False
        i += 1
    if i == size:
        return True
    if tail[i] != c"?":
        return False
    i += 1
    while i < size:
        if not in_query[tail[i]] or (tail[i] == c"." and tail[i - 1] == c"/"):
            return False
        i += 1
    return True


cdef bint _leads_elsewhere(const uint8_t *href, Py_ssize_t size) noexcept:
    """Tell whether an href has a scheme that is not http or https: it is no web page, whatever the base."""
    cdef Py_ssize_t at = 0
    if not is_letter[href[0]]:
        return False
    while at < size and in_scheme[href[at]]:
        at += 1
    if at == size or href[at] != c":":
        return False
    return not (
        (at == 4 or (at == 5 and href[4] | 32 == c"s"))
        and href[0] | 32 == c"h"
        and href[1] | 32 == c"t"
        and href[2] | 32 == c"t"
        and href[3] | 32 == c"p"
    )


cdef Py_ssize_t _host_end(const uint8_t *url, Py_ssize_t size, Py_ssize_t at) noexcept:
    """Return where a host that stays as it is ends, at a slash or with the address; -1 = it may not stay so.

    `sitestrata.urls.is_plain` says what that takes.
    """
    cdef Py_ssize_t label
    while True:
        label = at
        while at < size and (
            c"a" <= url[at] <= c"z" or c"0" <= url[at] <= c"9" or url[at] == c"_" or (url[at] == c"-" and at > label)
        ):
            at += 1
        if at == label or (at - label >= 4 and memcmp(url + label, b"xn--", 4) == 0):
            return -1
        if at < size and url[at] == c".":
            at += 1
            continue
        # The last label: a letter first, so that the host is no number.
        if not c"a" <= url[label] <= c"z" or memchr(url + label, c"_", at - label) != NULL:
            return -1
        return at if at == size or url[at] == c"/" else -1
