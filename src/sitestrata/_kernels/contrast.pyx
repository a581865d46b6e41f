"""How one line of a table contrasts with the lines below it; twin: ``contrast_twin.py``."""

import numpy as np

cimport numpy as cnp
from libc.math cimport log1p
from libc.stdlib cimport free, malloc, qsort

cnp.import_array()

cdef enum:
    _CELL = 0
    _KIND = 1
    _LENGTH = 2
    _SHAPE = 3
    _WORDS = 4
    _MARKED = 5
    _BOLD = 6
    _LINKED = 7
    _COLON = 8
    _SPANNED = 9
    _STRETCHED = 10
    _HEAD = 11
    _SCOPED = 12
    _CROSS_SCOPED = 13
    _PLANES = 14
    _FEATURES = 23
    _EMPTY = 0
    _TEXT = 1
    _VALUE = 2  # dates, times, and then numbers of four sorts
    _NUMBER = 4
    _BRIEF = 60  # characters

CELL = _CELL
KIND = _KIND
LENGTH = _LENGTH
SHAPE = _SHAPE
WORDS = _WORDS
MARKED = _MARKED
BOLD = _BOLD
LINKED = _LINKED
COLON = _COLON
SPANNED = _SPANNED
STRETCHED = _STRETCHED
HEAD = _HEAD
SCOPED = _SCOPED
CROSS_SCOPED = _CROSS_SCOPED
PLANES = _PLANES

cdef double CONSISTENT = 0.7  # share of cells with one shape
cdef double LONGEST_RATIO = 3.0  # of lengths, natural logarithm


cdef int _order(const void *a, const void *b) noexcept nogil:
    cdef int x = (<const int *>a)[0]
    cdef int y = (<const int *>b)[0]
    return (x > y) - (x < y)


cdef void _sort(int *values, Py_ssize_t count) noexcept nogil:
    """Sort in place: short runs by insertion, since a call a comparison costs more than they do."""
    cdef Py_ssize_t i, j
    cdef int value
    if count > 40:
        qsort(values, count, sizeof(int), _order)
        return
    for i in range(1, count):
        value = values[i]
        j = i
        while j > 0 and values[j - 1] > value:
            values[j] = values[j - 1]
            j -= 1
        values[j] = value


cdef Py_ssize_t _gather(
    const cnp.int32_t[:, :, :] planes, int plane, Py_ssize_t top, Py_ssize_t rows, Py_ssize_t column, int *into
) noexcept nogil:
    """Collect and sort what the shown slots of a column hold, from a row on."""
    cdef Py_ssize_t row, count = 0
    for row in range(top, rows):
        if planes[_KIND, row, column] != _EMPTY:
            into[count] = planes[plane, row, column]
            count += 1
    _sort(into, count)
    return count


cdef double _dominant(const int *values, Py_ssize_t count, int *best) noexcept nogil:
    """Return the share of the most frequent of sorted values, the smaller of equals."""
    cdef Py_ssize_t i, run = 0, most = 0
    best[0] = -1
    for i in range(count):
        run = run + 1 if i > 0 and values[i] == values[i - 1] else 1
        if run > most:
            most = run
            best[0] = values[i]
    return <double>most / count if count else 0.0


cdef Py_ssize_t _distinct(const int *values, Py_ssize_t count) noexcept nogil:
    cdef Py_ssize_t i, found = 0
    for i in range(count):
        if i == 0 or values[i] != values[i - 1]:
            found += 1
    return found


def line_contrast(const cnp.int32_t[:, :, :] planes, Py_ssize_t line):
    """Compare one row with the rows below it; the rows above it are taken to be headers."""
    features_array = np.zeros(_FEATURES)
    cdef double[::1] f = features_array
    cdef Py_ssize_t rows = planes.shape[1], columns = planes.shape[2]
    if planes.shape[0] != _PLANES:
        raise ValueError(f"There must be {_PLANES} planes.")
    if line < 0 or line >= rows or columns == 0:
        return features_array
    cdef int *some = <int *>malloc(sizeof(int) * max(rows, columns))
    if some == NULL:
        raise MemoryError
    cdef Py_ssize_t row, column, count, below_count = 0, shown_count = 0, both_count = 0, varied_count = 0
    cdef Py_ssize_t marked = 0, bold = 0, linked = 0, marked_below = 0, bold_below = 0, linked_below = 0
    cdef Py_ssize_t scoped = 0, colon = 0, numbers = 0, over = 0, alike = 0, unlike = 0, repeated = 0
    cdef Py_ssize_t grouped = 0, within = 0, shown_rest = 0
    cdef int kind, dominant, shape_dominant, longest = 0, head = 0
    cdef double agreement, shape_agreement, median, difference, shorter = 0.0, longer = 0.0, varied = 0.0
    cdef bint shown, is_repeated, inside
    with nogil:
        for column in range(columns):
            kind = planes[_KIND, line, column]
            shown = kind != _EMPTY
            head |= planes[_HEAD, line, column]
            colon += planes[_COLON, line, column] != 0
            numbers += kind >= _NUMBER
            if planes[_LENGTH, line, column] > longest:
                longest = planes[_LENGTH, line, column]
            if shown:
                shown_count += 1
                shown_rest += column > 0
                marked += planes[_MARKED, line, column] != 0
                bold += planes[_BOLD, line, column] != 0
                linked += planes[_LINKED, line, column] != 0
                scoped += planes[_SCOPED, line, column] != 0
            is_repeated = False
            for row in range(line + 1, rows):
                if planes[_KIND, row, column] == _EMPTY:
                    continue
                below_count += 1
                marked_below += planes[_MARKED, row, column] != 0
                bold_below += planes[_BOLD, row, column] != 0
                linked_below += planes[_LINKED, row, column] != 0
                if (
                    planes[_WORDS, row, column] == planes[_WORDS, line, column]
                    and planes[_CELL, row, column] != planes[_CELL, line, column]
                ):
                    is_repeated = True
            repeated += is_repeated
            count = _gather(planes, _WORDS, line + 1, rows, column, some)
            if count > 1:
                varied += <double>_distinct(some, count) / count
                varied_count += 1
            if count == 0:
                continue
            agreement = _dominant(some, _gather(planes, _KIND, line + 1, rows, column, some), &dominant)
            shape_agreement = _dominant(some, _gather(planes, _SHAPE, line + 1, rows, column, some), &shape_dominant)
            if kind == _TEXT and dominant >= _VALUE and agreement >= 0.5:
                over += 1
            if not shown:
                continue
            both_count += 1
            if planes[_SHAPE, line, column] == shape_dominant:
                alike += shape_agreement >= 0.5 and kind == dominant
            elif shape_agreement >= CONSISTENT and count > 1 and kind == _TEXT:
                unlike += 1
            _gather(planes, _LENGTH, line + 1, rows, column, some)
            median = some[count // 2] if count % 2 else (<double>some[count // 2 - 1] + some[count // 2]) / 2
            difference = log1p(median) - log1p(planes[_LENGTH, line, column])
            difference = min(max(difference, -LONGEST_RATIO), LONGEST_RATIO)
            if difference > 0:
                shorter += difference
            else:
                longer -= difference
        f[0] = <double>marked / max(shown_count, 1)
        f[1] = f[0] - <double>marked_below / max(below_count, 1)
        f[2] = <double>scoped / max(shown_count, 1)
        f[3] = head != 0
        f[4] = <double>bold / max(shown_count, 1) - <double>bold_below / max(below_count, 1)
        f[5] = max(<double>linked_below / max(below_count, 1) - <double>linked / max(shown_count, 1), 0.0)
        f[6] = <double>over / max(both_count, 1)
        f[7] = <double>alike / max(both_count, 1)
        f[8] = <double>unlike / max(both_count, 1)
        f[9] = <double>numbers / max(shown_count, 1)
        f[10] = <double>colon / max(shown_count, 1)
        f[11] = shorter / max(both_count, 1)
        f[12] = longer / max(both_count, 1)
        f[13] = <double>repeated / max(both_count, 1)
        f[14] = _of_line(planes, line, _WORDS, some) / <double>max(_of_line(planes, line, _CELL, some), 1)
        f[15] = 1.0 - <double>shown_count / columns
        f[16] = columns > 1 and planes[_KIND, line, 0] == _EMPTY and <double>shown_rest / (columns - 1) > 0.7
        f[17] = rows - line < 3
        f[18] = varied / varied_count if varied_count else 0.0
        f[19] = longest <= _BRIEF
        f[20] = line > 0
        if line > 0:
            for column in range(columns):
                inside = planes[_CELL, line, column] == planes[_CELL, line - 1, column]
                if inside:
                    within += planes[_CELL, line, column] >= 0
                elif planes[_SPANNED, line - 1, column] > 1:
                    grouped += planes[_SPANNED, line, column] < planes[_SPANNED, line - 1, column]
            f[21] = <double>grouped / columns
            f[22] = <double>within / columns
    free(some)
    return features_array


cdef Py_ssize_t _of_line(const cnp.int32_t[:, :, :] planes, Py_ssize_t line, int plane, int *some) noexcept nogil:
    """Count what differs among the shown slots of a row."""
    cdef Py_ssize_t column, count = 0
    for column in range(planes.shape[2]):
        if planes[_KIND, line, column] != _EMPTY:
            some[count] = planes[plane, line, column]
            count += 1
    _sort(some, count)
    return _distinct(some, count)
