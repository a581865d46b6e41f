# C types for heads.py, which is compiled as it stands.
cimport cython
from sitestrata.partition.lines cimport Label, cover, is_abbreviation


@cython.final
cdef class Entry:
    cdef public int node
    cdef public str tag
    cdef public list forest


@cython.locals(entry=Entry)
cpdef Entry make_entry(int node, str tag, list forest)
@cython.locals(label=Label)
cdef Label _single(Entry entry)
@cython.locals(label=Label, child=Label)
cdef Label _section_head(list entries, int i)
@cython.locals(first=Label, entry=Entry, head=Label, label=Label, opening=int, last=int)
cpdef list combine(list entries, str tag, object find_repeated)
@cython.locals(entry=Entry)
cdef Label _own(Label head, list entries)
@cython.locals(single=Label, behind=Label, entry=Entry, i=int, pairs=int)
cdef list _heads(list entries, str tag)
@cython.locals(before=Label, this=Label)
cdef bint _same_before(list singles, int i)
cdef bint _in_run(list ranks, int i)
@cython.locals(first=Label)
cdef bint _is_list(Entry entry)
@cython.locals(first=Label)
cdef bint _is_row_of_group(Entry entry)
@cython.locals(label=Label)
cdef bint _is_menu(Entry entry)
@cython.locals(entry=Entry, label=Label, holder=Label, menus=int)
cdef list _nest_submenus(list entries)
@cython.locals(entry=Entry, row=Entry, first=Label, rows=list)
cdef _promote_rows(list entries)
@cython.locals(label=Label)
cdef bint _is_item(list entries, int i)
