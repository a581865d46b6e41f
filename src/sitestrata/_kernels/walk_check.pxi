# That this library, as it is found, says what the twin says. Part of walk.pyx.


# A page with some of everything: known and unknown tags and attributes, prefixes, foreign elements, odd spaces.
_SAMPLE = (
    "<!doctype html><!-- c --><html lang=en><head><title> T\n </title><script>x</script><meta charset=utf-8>"
    "<script type='application/ld+json'> {} </script></head><body class='a b' onload=x><p>one<b> two </b> <i>three</i>"
    "<x-y data-z=1 id=q>\u00a0\u3000</x-y><svg viewBox='0 0 1 1'><a xlink:href=u href=v><foreignObject>w</svg>"
    "<table><tr><td colspan=2>c\u00e9&nbsp;&amp;</table><p hidden>\u00df<!-- d -->" + "<div>" * 8 + "deep"
).encode()


cdef _check():
    """Make sure that this library, with these numbers and offsets, says the same as the Python walk."""
    global reads_text_in_place
    from sitestrata._kernels.walk_twin import Walker as Twin

    tags = ("#text", "html", "head", "title", "body", "p", "b", "i", "script", "a", "table", "tr", "td", "svg")
    attributes = ("lang", "class", "id", "href", "type", "colspan", "hidden", "xlink:href", "data-z")
    arguments = tags, attributes, (8,), 8
    expected = Twin(*arguments).walk(_SAMPLE, 7, 2048, 1000, 1000, 1 << 28)
    for in_place in (False, True):
        if in_place and not _text_lies_in_place():
            break
        reads_text_in_place = in_place
        walker = Walker(*arguments)
        for _ in range(2):
            answer = walker.walk(_SAMPLE, 7, 2048, 1000, 1000, 1 << 28)
            if not _equal(expected, answer):
                if in_place:
                    reads_text_in_place = False
                    return
                raise ImportError("the HTML parser answers otherwise than expected")


cdef bint _text_lies_in_place() except -1:
    """Compare the text at its presumed place in a text node with what the parser's own function says."""
    cdef Specimen specimen = Specimen(b"<title>a text</title>")
    cdef void *node = document_root(specimen.document)
    cdef const uint8_t *copy
    cdef size_t length = 0, copied = 0
    while node != NULL and node_type(node) == ELEMENT:
        node = first_child(node)
    if node == NULL or node_type(node) != TEXT:
        return False
    copy = text_content(node, &copied)
    _text_in_place(node, &length)
    if copy == NULL or length != copied or length != 6:
        return False
    return (<const char *> copy)[:length] == (<const char *> _text_in_place(node, &length))[:length] == b"a text"


cdef class Specimen:
    """A page that is still being parsed."""

    cdef void *document
    cdef void *parser

    def __cinit__(self, bytes page):
        self.parser = parser_create()
        self.document = document_create()
        if self.parser == NULL or self.document == NULL or parser_init(self.parser) != 0:
            raise MemoryError
        parse_begin(self.parser, self.document)
        parse_piece(self.parser, page, len(page))

    def __dealloc__(self):
        document_destroy(self.document)
        parser_destroy(self.parser)


cdef _find_stack():
    """Find the stack of open elements: an array in the tree builder that holds just the elements that are open."""
    global noted_count, stack_offset
    cdef Specimen specimen
    cdef uint8_t *tree
    cdef Stack *stack
    cdef void *node
    cdef size_t offset, tree_size
    noted_count = 0
    specimen = Specimen(b"<!doctype html><title>x</title><p>y<b><i><x-y>")
    last, noted_count = noted_count, -1
    tree = <uint8_t *> parser_tree(specimen.parser)
    open_elements = []
    node = document_root(specimen.document)
    while node != NULL:
        open_elements.append(<uintptr_t> node)
        node = last_child(node)
    tree_size = _noted_size(tree, last)
    for offset in range(0, tree_size - tree_size % sizeof(void *), sizeof(void *)):
        stack = (<Stack **> (tree + offset))[0]
        # Nothing is read but blocks that Lexbor has taken, and as far as they reach.
        if _noted_size(stack, last) < sizeof(Stack) or <size_t> len(open_elements) != stack.length:
            continue
        if stack.length > stack.space or _noted_size(stack.items, last) < stack.length * sizeof(void *):
            continue
        if [<uintptr_t> stack.items[i] for i in range(stack.length)] == open_elements:
            stack_offset = offset
            return
    raise ImportError("the HTML parser's stack of open elements is not where it is expected")


cdef size_t _noted_size(void *block, int last) noexcept:
    """Return the size of a block that was noted down; 0 = it was not."""
    cdef int i
    for i in range(last):
        if block != NULL and noted_blocks[i] == block:
            return noted_sizes[i]
    return 0


def _equal(expected, answer):
    return (
        expected[:2] == answer[:2]
        and np.array_equal(expected[2], answer[2])
        and np.array_equal(expected[3], answer[3])
        and expected[4:] == answer[4:]
    )
