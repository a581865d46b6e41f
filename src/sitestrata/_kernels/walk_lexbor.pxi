# The functions of Lexbor that are called, the memory it is given, and where its own things lie. Part of walk.pyx.


cdef extern from "dlfcn.h" nogil:
    void *dlopen(const char *filename, int flags)
    void *dlsym(void *handle, const char *symbol)
    int RTLD_NOW

ctypedef void *(*make_f)() noexcept
ctypedef void *(*pointer_f)(void *) noexcept
ctypedef uintptr_t (*number_f)(void *) noexcept
ctypedef const uint8_t *(*name_f)(void *, size_t *) noexcept
ctypedef void (*option_f)(void *, uint32_t) noexcept
ctypedef unsigned int (*status_f)(void *) noexcept
ctypedef void (*empty_f)(void *) noexcept
ctypedef unsigned int (*begin_f)(void *, void *) noexcept
ctypedef unsigned int (*piece_f)(void *, const uint8_t *, size_t) noexcept
ctypedef void *(*malloc_f)(size_t) noexcept nogil
ctypedef void *(*realloc_f)(void *, size_t) noexcept nogil
ctypedef void *(*calloc_f)(size_t, size_t) noexcept nogil
ctypedef void (*free_f)(void *) noexcept nogil
ctypedef unsigned int (*memory_f)(malloc_f, realloc_f, calloc_f, free_f) noexcept

cdef make_f document_create, parser_create
cdef pointer_f document_destroy, document_root, first_child, next_node, last_child, first_attribute, next_attribute
cdef pointer_f parser_destroy, parser_tree
cdef empty_f parser_clean
cdef option_f document_options
cdef status_f parser_init, parse_end
cdef begin_f parse_begin
cdef piece_f parse_piece
cdef Py_ssize_t stack_offset = -1  # of the stack of open elements in a tree builder
cdef number_f node_type, node_name
cdef name_f element_name, attribute_name, attribute_value, text_content
cdef bint reads_text_in_place = False

# What Lexbor has asked for since a page was begun, and when to refuse. A page of 100 KB can make the parser copy a long
# attribute a million times (formatting elements are opened anew in every paragraph), so its memory must be bounded
# where it is taken. selectolax hands Lexbor the PyMem_Raw functions; these are the same ones, counted.
cdef size_t taken = 0
cdef size_t allowance = <size_t> -1


# The blocks that were taken while their taking was noted down.
cdef void *noted_blocks[256]
cdef size_t noted_sizes[256]
cdef int noted_count = -1  # -1 = not now


cdef void *_note(void *block, size_t size) noexcept nogil:
    global noted_count
    if 0 <= noted_count < 256:
        noted_blocks[noted_count] = block
        noted_sizes[noted_count] = size
        noted_count += 1
    return block


cdef void *_counted_malloc(size_t size) noexcept nogil:
    global taken
    taken += size
    return NULL if taken > allowance else _note(PyMem_RawMalloc(size), size)


cdef void *_counted_realloc(void *block, size_t size) noexcept nogil:
    # Lists grow by a few places at a time: to add their sizes up would count one block many times. Trees do not grow
    # this way.
    return NULL if size > allowance else PyMem_RawRealloc(block, size)


cdef void *_counted_calloc(size_t count, size_t size) noexcept nogil:
    global taken
    taken += count * size
    return NULL if taken > allowance else _note(PyMem_RawCalloc(count, size), count * size)


cdef void _free(void *block) noexcept nogil:
    PyMem_RawFree(block)


cdef void *_symbol(void *library, bytes name) except NULL:
    cdef void *found = dlsym(library, name)
    if found == NULL:
        raise ImportError(f"the HTML parser does not export {name.decode()}")
    return found


cdef _look_up():
    global document_create, document_destroy, document_root, document_options
    global parser_create, parser_init, parser_clean, parser_destroy, parser_tree, parse_begin, parse_end, parse_piece
    global first_child, next_node, last_child, first_attribute, next_attribute
    global node_type, node_name, element_name, attribute_name, attribute_value, text_content
    cdef bytes path = selectolax.lexbor.__file__.encode()
    cdef void *library = dlopen(path, RTLD_NOW)
    cdef memory_f use_memory
    if library == NULL:
        raise ImportError("the HTML parser's library cannot be opened")
    document_create = <make_f> _symbol(library, b"lxb_html_document_create")
    document_destroy = <pointer_f> _symbol(library, b"lxb_html_document_destroy")
    document_options = <option_f> _symbol(library, b"lxb_html_document_dom_opt_set_noi")
    document_root = <pointer_f> _symbol(library, b"lxb_dom_document_root")
    parser_create = <make_f> _symbol(library, b"lxb_html_parser_create")
    parser_init = <status_f> _symbol(library, b"lxb_html_parser_init")
    parser_clean = <empty_f> _symbol(library, b"lxb_html_parser_clean")
    parser_destroy = <pointer_f> _symbol(library, b"lxb_html_parser_destroy")
    parser_tree = <pointer_f> _symbol(library, b"lxb_html_parser_tree_noi")
    parse_begin = <begin_f> _symbol(library, b"lxb_html_parse_chunk_prepare")
    parse_piece = <piece_f> _symbol(library, b"lxb_html_parse_chunk_process")
    parse_end = <status_f> _symbol(library, b"lxb_html_parse_chunk_end")
    first_child = <pointer_f> _symbol(library, b"lxb_dom_node_first_child_noi")
    last_child = <pointer_f> _symbol(library, b"lxb_dom_node_last_child_noi")
    next_node = <pointer_f> _symbol(library, b"lxb_dom_node_next_noi")
    node_type = <number_f> _symbol(library, b"lxb_dom_node_type_noi")
    node_name = <number_f> _symbol(library, b"lxb_dom_node_tag_id_noi")
    element_name = <name_f> _symbol(library, b"lxb_dom_element_qualified_name")
    first_attribute = <pointer_f> _symbol(library, b"lxb_dom_element_first_attribute_noi")
    next_attribute = <pointer_f> _symbol(library, b"lxb_dom_element_next_attribute_noi")
    attribute_name = <name_f> _symbol(library, b"lxb_dom_attr_qualified_name")
    attribute_value = <name_f> _symbol(library, b"lxb_dom_attr_value_noi")
    text_content = <name_f> _symbol(library, b"lxb_dom_node_text_content")
    use_memory = <memory_f> _symbol(library, b"lexbor_memory_setup")
    if use_memory(_counted_malloc, _counted_realloc, _counted_calloc, _free) != 0:
        raise ImportError("the HTML parser does not take other memory functions")


cdef inline const uint8_t *_text_in_place(void *node, size_t *length) noexcept:
    length[0] = (<size_t *> (<uint8_t *> node + TEXT_OFFSET))[1]
    return (<const uint8_t **> (<uint8_t *> node + TEXT_OFFSET))[0]


# What Lexbor calls an array.
cdef struct Stack:
    void **items
    size_t space
    size_t length


cdef inline Stack *_stack_of(void *parser) noexcept:
    return (<Stack **> (<uint8_t *> parser_tree(parser) + stack_offset))[0]
