"""A page -> its leaves with their *places*: where on pages of one kind a text stands.

A place is a DOM path in which only the last classes count, numbers in class names do not, and a table cell has its
column: what stays the same from record to record on one site. The same text is written to templates, so that a template
learned today finds the same place on a page seen tomorrow.

Paper: OntoMiner 6.2

Difference from the paper: it takes the tags from root to leaf alone; two columns of a table are then one place.
"""

import re
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from sitestrata.page import Dom, Emphasis, PageFacts
from sitestrata.partition.tables.find import data_grids
from sitestrata.urls import url_id

__all__ = ["PagePlaces", "block_of", "common_ancestor", "element_place", "read_places"]

CLASS_DEPTH = 3  # of the elements above a leaf, those whose classes count: further up they name the page
MAX_TEXT = 2_000  # characters of a leaf that are kept
_DIGITS = re.compile(r"\d+")
_CELLS = ("td", "th")
_INLINE = frozenset(
    [
        "a",
        "abbr",
        "b",
        "big",
        "cite",
        "code",
        "data",
        "em",
        "font",
        "i",
        "mark",
        "s",
        "small",
        "span",
        "strong",
        "sub",
        "sup",
        "time",
        "u",
    ]
)
_COUNT = re.compile(r"[\d.,]+")  # "7", before "out of 10"


@dataclass(slots=True)
class _Written:
    """What was written of the elements of a page."""

    steps: dict[int, str] = field(default_factory=dict)  # by element: itself, with its classes
    tags: dict[int, str] = field(default_factory=dict)  # by element: the tags from the root to it


@dataclass(slots=True, eq=False)
class PagePlaces:
    """The leaves of one page, as columns; leaf i of the page is row i."""

    url_id: int
    url: str
    title: str
    dom: Dom
    texts: list[str]
    place: npt.NDArray[np.int64]
    paths: dict[int, str]  # place -> how it is written
    node: npt.NDArray[np.int32]
    link: list[str | None]  # address that the leaf links to
    is_heading: npt.NDArray[np.bool_]
    is_strong: npt.NDArray[np.bool_]
    landmark: list[str | None]
    last: npt.NDArray[np.int32]  # of the leaves that are printed as one with it, the last; else itself
    header: npt.NDArray[np.int32]  # in a table with headers on top: the leaf over it, itself in a header, else -1

    def __len__(self) -> int:
        """Return the number of leaves."""
        return len(self.texts)


def read_places(facts: PageFacts) -> PagePlaces:
    """Read the leaves of a page and their places."""
    dom, leaves = facts.dom, facts.leaves
    address = facts.links.address
    url_of = {int(node): address[index] for index, node in enumerate(facts.links.node)}
    known: dict[int, int] = {}  # element -> place of its texts
    above = _Written()
    paths: dict[int, str] = {}
    place = np.zeros(len(leaves), dtype=np.int64)
    for leaf, node in enumerate(leaves.node.tolist()):
        element = int(dom.parent[node]) if dom.is_text(node) else node
        found = known.get(element)
        if found is None:
            text = element_place(dom, element, above)
            found = known[element] = url_id(text)
            paths[found] = text
        place[leaf] = found
    link = [url_of.get(link) for link in leaves.link.tolist()]
    texts = [facts.leaf_text(leaf).strip()[:MAX_TEXT] for leaf in range(len(leaves))]
    return PagePlaces(
        url_id=facts.url_id,
        url=facts.url,
        title=facts.title or "",
        dom=dom,
        texts=texts,
        place=place,
        paths=paths,
        node=leaves.node,
        link=link,
        is_heading=(leaves.emphasis & Emphasis.HEADING) != 0,
        is_strong=(leaves.emphasis & (Emphasis.BOLD | Emphasis.STYLED)) != 0,
        landmark=[facts.landmark(node) for node in leaves.node.tolist()],
        last=_printed_as_one(dom, leaves.node.tolist(), texts, link),
        header=_headers_on_top(facts),
    )


def _printed_as_one(dom: Dom, nodes: list[int], texts: list[str], link: list[str | None]) -> npt.NDArray[np.int32]:
    """Return for each leaf the last leaf of its run: a number and what it counts, in one inline element."""
    last = np.arange(len(nodes), dtype=np.int32)
    around = [_outermost_inline(dom, node) for node in nodes]
    first = 0
    for leaf in range(1, len(nodes) + 1):
        if leaf < len(nodes) and around[leaf] == around[first] >= 0:
            continue
        run = range(first, leaf)
        if (
            len(run) == 2
            and link[run[0]] == link[run[1]]
            and _COUNT.fullmatch(texts[first])
            and texts[run[1]][:1].isalpha()
        ):
            last[first:leaf] = leaf - 1
        first = leaf
    return last


def _outermost_inline(dom: Dom, node: int) -> int:
    """Return the highest of the inline elements around a text; -1 if there is none."""
    at, found = int(dom.parent[node]), -1
    while at >= 0 and dom.tag_name(at) in _INLINE:
        at, found = int(dom.parent[at]), at
    return found


def block_of(dom: Dom, node: int) -> int:
    """Return the element around a text that is not inline."""
    inline = _outermost_inline(dom, node)
    return int(dom.parent[node if inline < 0 else inline])


def _headers_on_top(facts: PageFacts) -> npt.NDArray[np.int32]:
    """Return for each leaf in a data table with headers on top the first leaf of the header of its column."""
    nodes = facts.leaves.node
    found = np.full(len(nodes), -1, dtype=np.int32)
    for grid, headers in data_grids(facts):
        if not headers.top or headers.left:
            continue
        over: dict[int, int] = {}  # column -> leaf
        for row, role in enumerate(headers.roles):
            for column, number in enumerate(grid.slots[row].tolist()):
                if number < 0 or grid.cells[number].colspan > 1:
                    continue
                node = grid.cells[number].node
                start, end = np.searchsorted(nodes, (node, int(facts.dom.end[node])))
                if role == "header" and start < end:
                    over[column] = int(start)
                if role in ("header", "data") and column in over:
                    found[start:end] = over[column]
    return found


def element_place(dom: Dom, element: int, known: "_Written | None" = None) -> str:
    """Write the place of an element's texts: its tags from the root, the last with their classes and columns.

    ``known`` keeps what was written of the elements further up, for the next element of the same page.
    """
    known = _Written() if known is None else known
    steps: list[str] = []
    at = element
    while at >= 0 and len(steps) < CLASS_DEPTH:
        step = known.steps.get(at)
        if step is None:
            step = known.steps[at] = _step(dom, at, _without_numbers(dom.attribute(at, "class") or ""))
        steps.append(step)
        at = int(dom.parent[at])
    if at >= 0:
        steps.append(_tags(dom, at, known.tags))
    return "/".join(reversed(steps))


@lru_cache(maxsize=4096)
def _without_numbers(classes: str) -> str:
    return _DIGITS.sub("#", ".".join(classes.split()))


def _tags(dom: Dom, element: int, known: dict[int, str]) -> str:
    """Write the tags from the root to an element."""
    chain = []
    at = element
    while at >= 0 and at not in known:
        chain.append(at)
        at = int(dom.parent[at])
    for node in reversed(chain):
        parent = int(dom.parent[node])
        known[node] = f"{known[parent]}/{_step(dom, node)}" if parent >= 0 else _step(dom, node)
    return known[element]


def _step(dom: Dom, element: int, classes: str = "") -> str:
    """Write one element: its tag, its classes, and of a table cell its column."""
    name = dom.tag_name(element)
    column = f"[{_column(dom, element)}]" if name in _CELLS else ""
    return f"{name}.{classes}{column}" if classes else name + column


def _column(dom: Dom, cell: int) -> int:
    """Return how many cells stand before a cell in its row."""
    before = 0
    for child in dom.children(int(dom.parent[cell])):
        if child == cell:
            break
        before += dom.tag_name(child) in _CELLS
    return before


def common_ancestor(dom: Dom, first: int, second: int) -> int:
    """Return the lowest node whose subtree holds both nodes."""
    at = min(first, second)
    last = max(first, second)
    while last >= int(dom.end[at]):
        at = int(dom.parent[at])
    return at
