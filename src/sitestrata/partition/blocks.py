"""The DOM of a page -> its blocks: runs of leaves that a reader takes for one thing, each with a role.

Where to cut is decided in `sitestrata.partition.cutting`. A role says what a block is for: navigation, listing, record,
article, footer, form, decoration, other. It is told by landmarks where the page has them, and by what the block is made
of: how much of it is links, how long its texts are, where it stands. Menus found across pages can be handed in: what
they cover is navigation; and texts that other pages print too: what they fill is decoration.

Paper: OntoMiner 4.1 (what a segment is for; its own method is in `sitestrata.partition.flat`)
"""

from collections.abc import Collection
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from sitestrata.page import TAG_ID, TAGS, PageFacts
from sitestrata.page.facts import LANDMARK_SHIFT
from sitestrata.page.vocabulary import LANDMARKS
from sitestrata.partition.cutting import block_cuts

__all__ = ["ROLES", "Block", "find_blocks"]

ROLES = ("navigation", "listing", "record", "article", "footer", "form", "decoration", "other")

LINKED = 0.7  # share of characters inside links from which on a block is made of links
LONG = 80  # characters: the mean length of an article's texts
TAIL = 0.15  # the last part of a page, where footers are

_LANDMARK_ROLES = {
    LANDMARKS.index(landmark): role
    for landmark, role in (
        ("navigation", "navigation"),
        ("contentinfo", "footer"),
        ("search", "form"),
        ("form", "form"),
    )
}
_KNOWN = len(TAGS)
_IS_CONTROL = np.zeros(_KNOWN, dtype=np.int32)  # by tag
_IS_CONTROL[[TAG_ID[name] for name in ("input", "select", "textarea", "button")]] = 1


@dataclass(frozen=True, slots=True)
class Block:
    """A run of leaves."""

    first: int
    end: int  # one past the last
    node: int  # what holds its first leaf: an element that begins there, or the leaf
    role: str


def find_blocks(
    facts: PageFacts, *, navigation: Collection[int] = (), decoration: Collection[int] = ()
) -> tuple[Block, ...]:
    """Cut a page into blocks.

    ``navigation`` are nodes of links that menus found across pages cover, ``decoration`` nodes of texts that other
    pages print too.
    """
    total = len(facts.leaves)
    if not total:
        return ()
    cuts = block_cuts(facts)
    cuts.setdefault(0, int(facts.leaves.node[0]))
    bounds = sorted({total, *cuts})
    measures = _Measures(facts, frozenset(navigation), frozenset(decoration))
    return tuple([Block(first, end, cuts[first], measures.role(first, end)) for first, end in pairwise(bounds)])


class _Measures:
    """Tells what blocks are made of; arrays are seen as memoryviews: compiled that is C."""

    def __init__(self, facts: PageFacts, navigation: frozenset[int], decoration: frozenset[int]) -> None:
        dom, leaves = facts.dom, facts.leaves
        self.total = len(leaves)
        self.starts = dom.text_start.data
        self.stops = dom.text_end.data
        self.tag = dom.tag.data
        self.flags = facts.flags.data
        self.nodes = leaves.node.data
        self.link = leaves.link.data
        self.controls = _IS_CONTROL.data
        self.navigation = navigation
        self.decoration = decoration

    def role(self, first: int, end: int) -> str:
        """Tell what a block is for."""
        start, last = self.nodes[first], self.nodes[end - 1]
        landmark = self.flags[start] >> LANDMARK_SHIFT
        if landmark == self.flags[last] >> LANDMARK_SHIFT and landmark in _LANDMARK_ROLES:
            return _LANDMARK_ROLES[landmark]
        text = linked = links = menu = control = worn = 0
        before = self.link[first - 1] if first else -1
        for leaf in range(first, end):
            node, link = self.nodes[leaf], self.link[leaf]
            length = max(self.stops[node] - self.starts[node], 1)
            text += length
            if link >= 0:
                linked += length
                links += link != before
                menu += link in self.navigation
            elif self.decoration and node in self.decoration:
                worn += length
            before = link
        for node in range(start, last):
            tag = self.tag[node]
            control += tag < _KNOWN and self.controls[tag]
        return self.role_of(first, end, text, linked, links, menu, control, worn)

    def role_of(
        self, first: int, end: int, text: int, linked: int, links: int, menu: int, control: int, worn: int
    ) -> str:
        """Tell what a block is for by the characters, the leaves and the form controls in it."""
        count = float(end - first)
        if menu > 0.5 * max(links, 1):
            return "navigation"
        if control >= 0.5 * count:
            return "form"
        mean = text / count
        is_last = first >= (1 - TAIL) * self.total
        if linked >= LINKED * text and links > 1:
            brief = linked <= LONG / 2 * links
            if is_last and brief:
                return "footer"
            return "navigation" if brief else "listing"
        if worn > 0.5 * text and not (is_last and end == self.total):
            return "decoration"
        if mean >= LONG and linked < 0.5 * text:
            return "article"
        if is_last and end == self.total:
            return "footer"
        if links >= 3:
            return "listing"
        return "record" if count >= 4 and mean < LONG / 2 else "article" if mean >= LONG / 2 else "other"
