# C types for detect.py, which is compiled as it stands.
cimport cython
from sitestrata.partition.tables.grids cimport GridCell

cdef int _CELL, _KIND, _LENGTH, _SHAPE, _EMPTY, _VALUE


@cython.locals(
    planes="const int[:, :, :]", rows=int, columns=int, row=int, column=int, number=int, kind=int, filled=int,
    values=int, brief=int, full=int, width=int, own=set, numbers=set, widths=dict, cell=GridCell, shown=int, links=int,
    linked=int, controls=int, blocks=int, tables=int, count=double, slots=double, lines=double
)
cpdef table_features(object grid, object look)
@cython.locals(
    planes="const int[:, :, :]", row=int, column=int, shape=int, count=int, total=double, most=double, lines=int, counts=dict,
    share=double
)
cdef double _alike(object look)
