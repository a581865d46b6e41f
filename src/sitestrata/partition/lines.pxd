# C types for lines.py, which is compiled as it stands.
cimport cython


@cython.final
cdef class Label:
    cdef public str text
    cdef public object url
    cdef public int node, first, end, rank
    cdef public bint is_link, is_picture, is_opened, is_local
    cdef public str fragment
    cdef public list children
    cdef public str kind


@cython.locals(label=Label)
cpdef Label make_label(str text, object url, int node, int first, int end, int rank)
cpdef cover(Label label)
@cython.locals(below=list, one=Label)
cpdef cover_all(Label label)
cpdef str words(str text)
@cython.locals(items=list, piece=Label, last=Label, first=Label)
cpdef list line_forest(list pieces)
cpdef bint is_abbreviation(Label label, Label behind)
cdef bint _has_digit(str text)
@cython.locals(item=Label)
cdef bint _has_picture(list items)
cdef bint _says_something(str text)
cdef bint _belong_together(Label last, Label piece)
cdef bint _leads(Label first, list rest)
@cython.locals(item=Label, head=Label, is_text=bint, is_label=bint)
cdef list _flat_heads(list items)
@cython.locals(whole=Label, item=Label, begin=int, end=int)
cdef list _free_text(list items, bint goes_on)
