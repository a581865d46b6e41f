"""Page text -> `Dom`: the tree of one page as flat arrays, from one parse and one walk.

Everything that is read from a page afterwards reads these arrays; only the walk (`_kernels/walk`) knows the parser.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sitestrata._kernels import load
from sitestrata.page.limits import PageLimits, UnusablePageError
from sitestrata.page.vocabulary import ATTRIBUTE_ID, ATTRIBUTES, ROLES, TAG_ID, TAGS, TEXT, Role

__all__ = ["Dom", "parse"]

Ints = npt.NDArray[np.int32]

# Plain numbers: an enumeration takes ten times as long to compare.
_ROLE: list[int] = ROLES.tolist()
_HIDDEN, _BLOCK = int(Role.HIDDEN), int(Role.BLOCK)

PARSER_MEMORY_FACTOR = 32  # bytes of parser memory per byte of page; ordinary pages need 5 to 15


# Not frozen, like the other records of one page: to make a frozen one takes longer than to scan a small page. Nobody
# changes them.
@dataclass(slots=True, eq=False)
class Dom:
    """The elements and non-blank texts of a page in document order (preorder); node 0 is ``<html>``.

    The subtree of node ``v`` is the range ``v .. end[v] - 1``; its children are found by hopping from ``v + 1`` from
    ``end`` to ``end``. Comments, blank texts, the content of scripts and styles (save JSON-LD) and of templates are no
    nodes. In texts every run of white space is one space, also at either end: joining neighbours keeps words apart.
    Nodes deeper than `PageLimits.page_depth` are lifted to that depth, as browsers do; ``parsed_depth`` tells how deep
    the page really was.
    """

    parent: Ints  # -1 for node 0
    end: Ints  # one past the last node of the subtree
    depth: Ints  # 0 for node 0
    tag: Ints  # see sitestrata.page.vocabulary; 0 = text
    text_start: Ints  # of a text node in ``text``; elements have an empty range
    text_end: Ints
    attribute_first: Ints  # attributes of node v are attribute_first[v] .. attribute_first[v + 1] - 1
    attribute_name: Ints  # index in ATTRIBUTES
    attribute_start: Ints  # of its value in ``text``, as written
    attribute_end: Ints
    text: bytes  # UTF-8
    extra_tags: tuple[str, ...]  # names of the tags from len(TAGS) on
    parsed_depth: int
    nodes: Ints  # the block that the node arrays are rows of, with one column more: what kernels take
    attributes: Ints  # the same of the attribute arrays

    def __len__(self) -> int:
        """Return the number of nodes."""
        return len(self.parent)

    def tag_name(self, node: int) -> str:
        """Return the name of an element, "#text" for a text."""
        tag = int(self.tag[node])
        return TAGS[tag] if tag < len(TAGS) else self.extra_tags[tag - len(TAGS)]

    def is_text(self, node: int) -> bool:
        """Tell whether a node is a text."""
        return int(self.tag[node]) == TEXT

    def children(self, node: int) -> Iterator[int]:
        """Yield the children of a node."""
        child, end = node + 1, int(self.end[node])
        while child < end:
            yield child
            child = int(self.end[child])

    def ancestors(self, node: int) -> Iterator[int]:
        """Yield the parent of a node, its parent, and so on up to node 0."""
        node = int(self.parent[node])
        while node >= 0:
            yield node
            node = int(self.parent[node])

    def attribute(self, node: int, name: str) -> str | None:
        """Return the value of an attribute that the vocabulary knows; "" if it has none, None if it is not there."""
        number = ATTRIBUTE_ID[name]
        first = int(self.attribute_first[node])
        names: list[int] = self.attribute_name[first : self.attribute_first[node + 1]].tolist()
        if number not in names:
            return None
        found = first + names.index(number)
        return self.text[self.attribute_start[found] : self.attribute_end[found]].decode()

    def find(self, name: str, start: int = 0, stop: int | None = None) -> list[int]:
        """Return the elements of a tag that the vocabulary knows, in document order, between two nodes."""
        (found,) = (self.tag[start:stop] == TAG_ID[name]).nonzero()
        nodes: list[int] = (found + start).tolist()
        return nodes

    def having(self, name: str, start: int = 0, stop: int | None = None) -> list[int]:
        """Return the elements with an attribute that the vocabulary knows, in document order, between two nodes."""
        first = int(self.attribute_first[start])
        last = int(self.attribute_first[len(self) if stop is None else stop])
        (found,) = (self.attribute_name[first:last] == ATTRIBUTE_ID[name]).nonzero()
        if not len(found):
            return []
        nodes: list[int] = (self.attribute_first.searchsorted(found + first, side="right") - 1).tolist()
        return nodes

    def own_text(self, node: int) -> str:
        """Return the text of a text node, trimmed; "" for an element."""
        return self.text[self.text_start[node] : self.text_end[node]].decode().strip()

    def inner_text(self, node: int, *, without: Collection[int] = ()) -> str:
        """Return the text that a subtree shows, white space folded; words of different blocks are kept apart.

        Hidden parts inside the subtree are left out, and the elements ``without``; whether the node itself is hidden
        does not matter.
        """
        stop = int(self.end[node])
        tags = self.tag[node:stop].tolist()
        ends = self.end[node:stop].tolist()
        starts, stops = self.text_start[node:stop].tolist(), self.text_end[node:stop].tolist()
        hidden = {*without, *self.having("hidden", node + 1, stop)}
        pieces: list[bytes] = []
        open_blocks: list[int] = []  # where they end
        current = node
        while current < stop:
            while open_blocks and open_blocks[-1] <= current:
                open_blocks.pop()
                pieces.append(b" ")
            at = current - node
            tag = tags[at]
            if tag == TEXT:
                pieces.append(self.text[starts[at] : stops[at]])
            else:
                role = _ROLE[min(tag, len(TAGS))]
                if current != node and (role & _HIDDEN or current in hidden):
                    current = ends[at]
                    continue
                if role & _BLOCK:
                    pieces.append(b" ")
                    open_blocks.append(ends[at])
            current += 1
        return " ".join(b"".join(pieces).decode().split())


_walker = load("walk").Walker(
    TAGS, ATTRIBUTES, [tag for tag in range(len(TAGS)) if ROLES[tag] & Role.RAW], TAG_ID["script"]
)


def parse(html: bytes, *, limits: PageLimits | None = None) -> Dom:
    """Parse valid UTF-8 text into a Dom.

    Raises:
        UnusablePageError: the page is larger, deeper or fuller than the limits allow.

    """
    limits = limits or PageLimits()
    if len(html) > limits.page_size:
        raise UnusablePageError("too-large", f"The page has {len(html):,} bytes; the limit is {limits.page_size:,}.")
    status, depth, nodes, attributes, text, extra = _walker.walk(
        html,
        limits.page_depth,
        limits.parser_depth,
        limits.page_nodes,
        limits.element_attributes,
        limits.parser_memory + PARSER_MEMORY_FACTOR * len(html),
    )
    if status:
        reason, detail = _REFUSALS[status]
        raise UnusablePageError(reason, detail.format(limits=limits))
    count = nodes.shape[1] - 1
    parent, end, level, tag, text_start, text_end = nodes[:6, :count]
    name, start, stop = attributes
    return Dom(
        parent=parent,
        end=end,
        depth=level,
        tag=tag,
        text_start=text_start,
        text_end=text_end,
        attribute_first=nodes[6],
        attribute_name=name,
        attribute_start=start,
        attribute_end=stop,
        text=text,
        extra_tags=extra,
        parsed_depth=depth,
        nodes=nodes,
        attributes=attributes,
    )


_REFUSALS = {
    1: ("too-deep", "Elements are nested more than {limits.parser_depth:,} deep."),
    2: ("too-many-nodes", "The page has more than {limits.page_nodes:,} nodes."),
    3: ("too-many-attributes", "An element has more than {limits.element_attributes:,} attributes."),
    4: ("unparsable", "The HTML parser gave up on the page."),
    5: ("too-much-memory", "The HTML parser would need far more memory than a page of this size should."),
}
