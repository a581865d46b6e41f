# C types for tables.py, which is compiled as it stands.
cimport cython

cdef int _TABLE, _TR, _TD, _TH, _CAPTION


@cython.final
cdef class _Former:
    cdef object dom
    cdef readonly dict index
    cdef long long slots_left
    cdef const int[::1] end, tag, parent
    cdef dict colspan, rowspan, scope, headers

    @cython.locals(
        row=int, column=int, cell_node=int, row_end=int, tag=int, width=int, offset=int, top=int, left=int,
        colspan=int, rowspan=int, slots=cython.longlong, covered=int, is_clipped=bint
    )
    cpdef form(self, int node)
    @cython.locals(above=int)
    cdef int outer(self, int node)
    @cython.locals(child=int, stop=int)
    cdef list children(self, int node, int tag)
    @cython.locals(child=int, stop=int, tag=int)
    cdef list row_groups(self, int node)
