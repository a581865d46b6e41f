# C types for writing.py, which is compiled as it stands.
cimport cython
from sitestrata.partition.lines cimport Label


@cython.locals(begin=int, end=int, at=int, own=int, label=Label)
cpdef list write_tree(object facts, object blocks, list forest)
@cython.locals(begin=int, end=int, above=int, first=Label, label=Label)
cdef _write_runs(list nodes, object page, int parent, str role, list labels, const long long[::1] paths)
@cython.locals(one=Label, child=Label, children=list, own=int, stack=list, kind=str)
cdef _write_label(list nodes, object page, int parent, str role, Label label)
