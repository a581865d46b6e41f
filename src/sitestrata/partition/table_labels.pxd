# C types for table_labels.py, which is compiled as it stands.
cimport cython
from sitestrata.partition.lines cimport Label, cover_all
from sitestrata.partition.tables.grids cimport GridCell


@cython.final
cdef class _Writer:
    cdef object grid, headers, cells
    cdef const int[:, ::1] slots
    cdef int units

    @cython.locals(row=int, number=int, head=Label, label=Label)
    cdef list write(self)
    @cython.locals(column=int, number=int, seen=int, cell=GridCell, whole=Label)
    cdef record(self, int row, tuple top, list section, list names)
    @cython.locals(number=int, at=int, label=Label, cell=GridCell)
    cdef list under(self, list chain, list out, list known)
