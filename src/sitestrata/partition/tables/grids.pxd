# C types for grids.py, which is compiled as it stands.
cimport cython

cdef int _ITALIC, _EMPHASIS, _KNOWN, _PICTURE, _CONTROL, _BLOCK, _TABLE, _CODE


@cython.final
cdef class GridCell:
    cdef public int row, column, rowspan, colspan, node, leaves, linked, pictures, controls, blocks
    cdef public bint is_header, emphasised, is_italic, is_code, holds_table
    cdef public object scope
    cdef public str text


@cython.final
cdef class _Seen:
    cdef object facts, dom, tables
    cdef bytes bytes
    cdef const int[::1] end, tag, starts, stops, leaf_node, link, emphasis, kinds
    cdef list hidden, hidden_by, holder

    @cython.locals(one=GridCell, named=dict)
    cpdef list cells(self, object cells)
    @cython.locals(
        one=GridCell, end=int, first=int, last=int, shown=int, only=int, linked=int, plain=int, upright=int, leaf=int, pictures=int,
        controls=int, blocks=int, tables=int, codes=int, past_code=int, inner=int, tag=int, kind=int
    )
    cdef GridCell cell(self, int node)
    @cython.locals(low=int, high=int, middle=int)
    cdef int leaf_from(self, int node)
    @cython.locals(leaf=int, start=int, stop=int)
    cdef str text(self, int node, int shown, int only)
    @cython.locals(leaf=int, place=int)
    cdef str own_text(self, int node, int first, int last)
    @cython.locals(element=int, start=int, stop=int)
    cdef list innermost(self, object elements)
