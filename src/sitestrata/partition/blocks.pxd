# C types for blocks.py, which is compiled as it stands.
cimport cython

cdef int _KNOWN


@cython.final
cdef class _Measures:
    cdef int total
    cdef const int[::1] starts, stops, tag, nodes, link, controls
    cdef const unsigned short[::1] flags
    cdef frozenset navigation, decoration

    @cython.locals(
        start=int, last=int, landmark=int, text=cython.longlong, linked=cython.longlong, links=int, menu=int, control=int, before=int, worn=cython.longlong,
        leaf=int, node=int, link=int, length=int, tag=int
    )
    cpdef str role(self, int first, int end)
    @cython.locals(count=double, mean=double, is_last=bint, brief=bint)
    cdef str role_of(self, int first, int end, long long text, long long linked, int links, int menu, int control, long long worn)
