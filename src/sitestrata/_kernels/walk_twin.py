"""Parse a page with selectolax and walk its tree once into flat arrays: specification and fallback of ``walk.pyx``.

The layout is documented at `sitestrata.page.dom.Dom`. ``Walker`` is made once with the vocabulary and called per page.

The kernel feeds the parser piecemeal and stops at the first sign of bottomless nesting. This twin only has whole-page
parsing, so it looks for such nesting beforehand, roughly; a page of thousands of unclosed formatting elements takes it
longer, with the same answer.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from selectolax.lexbor import LexborDocumentOptions, LexborHTMLParser

__all__ = [
    "NODE_ROWS",
    "OK",
    "REFUSED",
    "TOO_DEEP",
    "TOO_MANY_ATTRIBUTES",
    "TOO_MANY_NODES",
    "TOO_MUCH_MEMORY",
    "Walk",
    "Walker",
    "has_too_many_attributes",
]

# Rows of the node block: parent, end, depth, tag, start and end of the text, first attribute.
NODE_ROWS = 7
OK, TOO_DEEP, TOO_MANY_NODES, TOO_MANY_ATTRIBUTES, REFUSED, TOO_MUCH_MEMORY = range(6)

# (status, depth of the deepest node as parsed, node block, attribute block, text, names of tags not in the vocabulary)
Walk = tuple[int, int, npt.NDArray[np.int32], npt.NDArray[np.int32], bytes, tuple[str, ...]]

_SPACE = re.compile(r"\s+")
_STRUCTURED_DATA = "ld+json"


class Walker:
    """Turns HTML into the arrays of a Dom; keeps the vocabulary."""

    def __init__(self, tags: Sequence[str], attributes: Sequence[str], raw_tags: Sequence[int], script: int) -> None:
        self._tags = {name: number for number, name in enumerate(tags)}
        self._attributes = {name: number for number, name in enumerate(attributes)}
        self._raw = frozenset(raw_tags)
        self._script = script

    def walk(
        self,
        html: bytes,
        depth_cap: int,
        depth_limit: int,
        node_limit: int,
        attribute_limit: int,
        memory_limit: int,  # noqa: ARG002 - only the kernel can watch the parser's memory
    ) -> Walk:
        """Parse UTF-8 text and return its tree, elements and non-blank texts in document order."""
        hazard = _hazard(html, depth_limit, attribute_limit)
        if hazard:
            return _nothing(hazard)
        html = without_swelling(html)
        # Without events: Lexbor's mutation callbacks copy options into <selectedcontent> and cost quadratic time.
        try:
            tree = LexborHTMLParser(html, options=LexborDocumentOptions.WO_EVENTS)
        except Exception:
            return _nothing(REFUSED)
        node: Any = tree.root
        if node is None:
            return _nothing(REFUSED)

        buffer = bytearray()
        rows: list[tuple[int, int, int, int, int, int]] = []  # parent, depth, tag, text start, text end, attribute
        attributes: list[tuple[int, int, int]] = []
        extra: dict[str, int] = {}
        latest: list[int] = []  # the last element seen at each depth; a new node's parent is the one just above it
        is_raw: list[bool] = []  # of the element we are in, at each depth as parsed
        level = 0  # depth as parsed
        deepest = 0
        was_blank = False
        while True:
            name = node.tag
            is_element = False
            if name == "-text":
                text = "" if is_raw[level - 1] else _SPACE.sub(" ", node.text_content or "")
                if text == " ":
                    was_blank = True
                elif text:
                    start = len(buffer)
                    # A blank text is no node, but the words around it are two.
                    if was_blank and text[0] != " ":
                        buffer += b" "
                    was_blank = False
                    buffer += text.encode()
                    depth = min(level, depth_cap)
                    rows.append((latest[depth - 1], depth, 0, start, len(buffer), len(attributes)))
                    deepest = max(deepest, level)
            elif name is not None and not name.startswith("-"):
                is_element = True
                depth = min(level, depth_cap)
                deepest = max(deepest, level)
                if level > depth_limit:
                    return _nothing(TOO_DEEP)
                name = name.lower()
                tag = self._tags.get(name)
                if tag is None:
                    tag = extra.setdefault(name, len(self._tags) + len(extra))
                del latest[depth:], is_raw[level:]
                rows.append((latest[-1] if latest else -1, depth, tag, 0, 0, len(attributes)))
                latest.append(len(rows) - 1)
                is_raw.append(tag in self._raw)
                for attribute, value in node.attributes.items():
                    number = self._attributes.get(attribute)
                    if number is not None:
                        start = len(buffer)
                        buffer += (value or "").encode()
                        attributes.append((number, start, len(buffer)))
                        if tag == self._script and attribute == "type" and _STRUCTURED_DATA in (value or "").lower():
                            is_raw[level] = False
            if len(rows) > node_limit:
                return _nothing(TOO_MANY_NODES)

            child = node.first_child if is_element else None
            if child is not None:
                node = child
                level += 1
                continue
            while level > 0 and node.next is None:
                node = node.parent
                level -= 1
            if level == 0:
                break
            node = node.next

        count = len(rows)
        block = np.zeros((NODE_ROWS, count + 1), dtype=np.int32)
        parent, end = block[0], block[1]
        parent[:count], block[2, :count], block[3, :count], block[4, :count], block[5, :count], block[6, :count] = zip(
            *rows, strict=True
        )
        block[6, count] = len(attributes)
        end[:count] = np.arange(1, count + 1)
        for number in range(count - 1, 0, -1):
            end[parent[number]] = max(end[parent[number]], end[number])
        attribute_block = np.array(attributes, dtype=np.int32).reshape(-1, 3).T.copy()
        return OK, deepest, block, attribute_block, bytes(buffer), tuple(extra)


def without_swelling(html: bytes) -> bytes:
    """Write out the two character references that are shorter than what they stand for.

    Lexbor 3 decodes references in place and so writes beyond its buffer when there are many of these (selectolax 1.0.2
    dies of ``LexborHTMLParser(b"&nGt;" * 10_000)``). All other references shrink, or keep their length.
    """
    for reference, text in _SWELLING:
        html = html.replace(reference, text)
    return html


_SWELLING = ((b"&nGt;", "\u226b\u20d2".encode()), (b"&nLt;", "\u226a\u20d2".encode()))


def _nothing(status: int) -> Walk:
    return status, 0, np.zeros((NODE_ROWS, 1), np.int32), np.zeros((3, 0), np.int32), b"", ()


# Below this size neither hazard costs the parser more than a fraction of a second.
_HAZARDOUS_SIZE = 65_536
_HAZARDOUS_DEPTH = 1024
_TAG = re.compile(rb"<(?:!--|(/?)([a-z][^\s/>]*))", re.IGNORECASE)
_ATTRIBUTE = re.compile(
    rb"[\s/]*+([^\s/>][^\s/>=]*+\s*+(?:=\s*+(?:\"[^\"]*+(?:\"|\Z)|'[^']*+(?:'|\Z)|[^\s>]*+))?+)?+", re.DOTALL
)
_RAW_TEXT = frozenset(b"script style textarea title xmp iframe noembed noframes".split())
# Elements that nest whenever they are opened and not closed: no end tag is implied, and no formatting is rebuilt.
_NESTING = frozenset(
    b"article aside blockquote center details div dl fieldset figure footer header main nav ol section span table ul"
    b" object svg math".split()
)
_CELLS = frozenset(b"td th tr tbody thead tfoot caption".split())  # what is open in a cell ends with it


def has_too_many_attributes(html: bytes, limit: int) -> bool:
    """Tell whether a start tag, or all <html> and <body> tags together, have more attributes than the limit."""
    of_root = 0  # attributes of repeated <html> and <body> gather on one element
    for name, is_end, count in _tags(html):
        if is_end:
            continue
        if name in (b"html", b"body"):
            of_root += count
        if max(count, of_root) > limit:
            return True
    return False


def _hazard(html: bytes, depth_limit: int, attribute_limit: int) -> int:
    """Tell what would make the parser quadratic, or 0."""
    if len(html) >= _HAZARDOUS_SIZE and has_too_many_attributes(html, attribute_limit):
        return TOO_MANY_ATTRIBUTES
    depth_limit = max(depth_limit, _HAZARDOUS_DEPTH)
    if html.count(b"<") <= depth_limit:
        return OK
    open_tags: list[bytes] = []
    for name, is_end, _ in _tags(html):
        if name in _CELLS:
            while open_tags and open_tags[-1] != b"table":
                open_tags.pop()
        elif name not in _NESTING:
            continue
        elif not is_end:
            open_tags.append(name)
            if len(open_tags) > depth_limit:
                return TOO_DEEP
        elif name in open_tags:
            while open_tags.pop() != name:
                pass
    return OK


def _tags(html: bytes) -> Iterator[tuple[bytes, bool, int]]:
    """Yield name, whether it ends an element, and number of attributes of the tags in a text."""
    position = 0
    while match := _TAG.search(html, position):
        position = match.end()
        if match[2] is None:
            end = html.find(b"-->", position - 2)
            position = len(html) if end < 0 else end + 3
            continue
        name = match[2].lower()
        count = -1
        while attribute := _ATTRIBUTE.match(html, position):
            count += 1
            position = attribute.end()
            if not attribute[1]:
                break
        yield name, bool(match[1]), count
        if name in _RAW_TEXT and not match[1]:
            end_tag = re.compile(rb"</" + name + rb"[\s/>]", re.IGNORECASE).search(html, position)
            position = len(html) if end_tag is None else end_tag.start()
