# C types for labels.py, which is compiled as it stands.
cimport cython
from sitestrata.partition.heads cimport Entry, combine, make_entry
from sitestrata.partition.lines cimport Label, cover, line_forest, make_label, words
from sitestrata.partition.titles cimport are_fields, free, headings, is_notice, without_titles


cdef int _KNOWN, _LABEL


@cython.final
cdef class _Builder:
    cdef object facts, find_repeated, book, fragments
    cdef bytes text
    cdef const int[::1] end, tags, parent, leaf_nodes, emphasis, link_of, starts, ends, links, link_nodes, numbers
    cdef int[::1] before, blocks
    cdef const unsigned char[::1] is_block, own
    cdef dict data, addresses
    cdef set hidden

    @cython.locals(node=int, nodes=int, leaf=int, leaves=int, blocks=int, tag=int)
    cdef count(self)
    cdef bint holds_block(self, int node)
    cpdef list build(self, int node, int level=*)
    @cython.locals(leaf=int)
    cdef bint has_no_link(self, int node)
    @cython.locals(leaf=int, first=int, end=int)
    cdef list as_written(self, int node)
    @cython.locals(child=int, end=int, after=int, first=int, shown=int)
    cdef list entries(self, int node, int level)
    @cython.locals(piece=Label, forest=list)
    cdef add_line(self, list entries, list run)
    @cython.locals(leaf=int, link=int, above=int, label=Label)
    cdef list single(self, int node)
    @cython.locals(label=Label)
    cdef list marked(self, list forest, str tag)
    @cython.locals(found=list, holders=list, stack=list, labels=list, label=Label, at=int)
    cdef list without_places(self, list forest)
    @cython.locals(said=set, link=int, node=int, leaf=int)
    cdef set own_names(self)
    @cython.locals(place=str, page=str, above=int, last=int, final=Label)
    cdef bint is_logo(self, Label label)
    @cython.locals(node=int, above=int, inner=int, first=Label)
    cdef bint names_field(self, Label label)
    @cython.locals(item=int, second=int, above=int, last=int, node=int, tag=int, child=Label)
    cdef bint is_item(self, Label label)
    @cython.locals(leaf=int, end=int, link=int, piece=Label)
    cdef list atoms(self, int node)
    @cython.locals(label=Label, node=int)
    cdef Label text_label(self, int leaf)
    @cython.locals(first=int, end=int, label=Label, at=int)
    cdef Label link_label(self, int node)
    @cython.locals(above=int)
    cdef int rank_of(self, int node, int emphasis, str text)
    @cython.locals(node=int, start=int, end=int)
    cdef str leaf_text(self, int leaf)
    cdef str tag_name(self, int node)
