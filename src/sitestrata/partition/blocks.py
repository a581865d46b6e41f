"""The DOM of a page -> its blocks: runs of leaves that a reader takes for one thing, each with a role.

Where to cut is decided in `sitestrata.partition.cutting`. A role says what a block is
for: navigation, listing, record, article, footer, form, other. It is told by landmarks where the page has them, and by
what the block is made of: how much of it is links, how long its texts are, where it stands. Menus found across pages
can be handed in: what they cover is navigation.

Paper: OntoMiner 4.1 (what a segment is for; its own method is in `sitestrata.partition.flat`)
"""

from collections.abc import Collection
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from sitestrata.page import TAG_ID, TAGS, PageFacts
from sitestrata.partition.cutting import block_cuts

__all__ = ["ROLES", "Block", "find_blocks"]

ROLES = ("navigation", "listing", "record", "article", "footer", "form", "other")

LINKED = 0.7  # share of characters inside links from which on a block is made of links
LONG = 80  # characters: the mean length of an article's texts
TAIL = 0.15  # the last part of a page, where footers are

_LANDMARK_ROLES = {
    "navigation": "navigation",
    "contentinfo": "footer",
    "search": "form",
    "form": "form",
}
_IS_CONTROL = np.zeros(len(TAGS) + 1, dtype=bool)  # by tag, clipped to len(TAGS)
_IS_CONTROL[[TAG_ID[name] for name in ("input", "select", "textarea", "button")]] = True


@dataclass(frozen=True, slots=True)
class Block:
    """A run of leaves."""

    first: int
    end: int  # one past the last
    node: int  # what holds its first leaf: an element that begins there, or the leaf
    role: str


def find_blocks(facts: PageFacts, *, navigation: Collection[int] = ()) -> tuple[Block, ...]:
    """Cut a page into blocks; ``navigation`` are nodes of links that menus found across pages cover."""
    total = len(facts.leaves)
    if not total:
        return ()
    cuts = block_cuts(facts)
    cuts.setdefault(0, int(facts.leaves.node[0]))
    bounds = sorted({total, *cuts})
    measures = _Measures(facts, navigation)
    blocks = []
    for first, end in pairwise(bounds):
        blocks.append(Block(first, end, cuts[first], measures.role(first, end)))
    return tuple(blocks)


class _Measures:
    """What blocks are made of, as prefix sums over the leaves."""

    def __init__(self, facts: PageFacts, navigation: Collection[int]) -> None:
        self.facts = facts
        leaves = facts.leaves
        dom = facts.dom
        lengths = (dom.text_end[leaves.node] - dom.text_start[leaves.node]).astype(np.int64)
        lengths = np.maximum(lengths, 1)
        self.text = _prefix(lengths)
        self.linked = _prefix(np.where(leaves.link >= 0, lengths, 0))
        self.links = _prefix(
            np.concatenate([leaves.link[:1] >= 0, (leaves.link[1:] >= 0) & (leaves.link[1:] != leaves.link[:-1])])
        )
        marked = (
            np.isin(leaves.link, np.array(sorted(navigation), dtype=np.int32))
            if navigation
            else np.zeros(len(leaves), dtype=bool)
        )
        self.menu = _prefix(marked)
        self.control = _prefix(_IS_CONTROL[np.minimum(dom.tag, len(TAGS))])
        self.total = len(leaves)
        self.node = leaves.node.tolist()

    def role(self, first: int, end: int) -> str:
        """Tell what a block is for."""
        facts = self.facts
        start, last = self.node[first], self.node[end - 1]
        landmark = facts.landmark(start)
        if landmark == facts.landmark(last) and landmark in _LANDMARK_ROLES:
            return _LANDMARK_ROLES[landmark]
        count = end - first
        text = self.text[end] - self.text[first]
        linked = self.linked[end] - self.linked[first]
        links = self.links[end] - self.links[first]
        if self.menu[end] - self.menu[first] > 0.5 * max(links, 1):
            return "navigation"
        if self.control[last] - self.control[start] >= 0.5 * count:
            return "form"
        mean = text / count
        if linked >= LINKED * text and links > 1:
            brief = linked / links <= LONG / 2
            if first >= (1 - TAIL) * self.total and brief:
                return "footer"
            return "navigation" if brief else "listing"
        if mean >= LONG and linked < 0.5 * text:
            return "article"
        if first >= (1 - TAIL) * self.total and end == self.total:
            return "footer"
        if links >= 3:
            return "listing"
        return "record" if count >= 4 and mean < LONG / 2 else "article" if mean >= LONG / 2 else "other"


def _prefix(values: npt.NDArray[Any]) -> list[int]:
    return [0, *np.cumsum(values, dtype=np.int64).tolist()]
