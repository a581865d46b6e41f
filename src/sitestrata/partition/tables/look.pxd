# C types for look.py, which is compiled as it stands.
cimport cython
from sitestrata.partition.tables.grids cimport GridCell

cdef int _CELL, _KIND, _LENGTH, _SHAPE, _WORDS, _MARKED, _BOLD, _LINKED, _COLON, _HEAD
cdef int _SPANNED, _STRETCHED, _SCOPED, _CROSS_SCOPED


@cython.locals(
    rows=list, columns=list, row=int, column=int, i=int, j=int, number=int, one=GridCell, is_head=bint, text=str,
    slots="const int[:, ::1]", out="int[:, :, ::1]"
)
cpdef look_at(object grid)
@cython.locals(slots="const int[:, ::1]", numbers=list, last=int, column=int, cell=int, step=int, are_years=bint, are_counted=bint, i=int, text=str)
cdef bint _counts(object grid, int row, list columns)
cdef list _sample(int count)
