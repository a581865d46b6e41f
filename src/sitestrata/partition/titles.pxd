# C types for titles.py, which is compiled as it stands.
cimport cython
from sitestrata.partition.lines cimport Label, words


@cython.locals(label=Label, child=Label, stack=list, out=list, children=list, covered=int, heads=int)
cpdef list without_titles(list forest, int leaves, str title, set said)
@cython.locals(label=Label)
cpdef free(list labels, int at)
@cython.locals(label=Label, fields=int)
cpdef bint are_fields(list labels)
@cython.locals(at=int)
cpdef bint is_notice(str text)
@cython.locals(label=Label)
cpdef bint are_links(list labels)
@cython.locals(label=Label, stack=list)
cpdef set headings(list forest, str url)
