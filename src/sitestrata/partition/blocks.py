"""The DOM of a page -> its blocks: runs of leaves that a reader takes for one thing, each with a role.

Where to cut is decided in `sitestrata.partition.cutting`. A role says what a block is
for: navigation, listing, record, article, footer, form, other. It is told by landmarks where the page has them, and by
what the block is made of: how much of it is links, how long its texts are, where it stands. Menus found across pages
can be handed in: what they cover is navigation.

Paper: OntoMiner 4.1 (what a segment is for; its own method is in `sitestrata.partition.flat`)
"""

from collections.abc import Collection, Sequence
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
    measures = _Measures(facts, bounds, navigation)
    blocks = []
    for number, (first, end) in enumerate(pairwise(bounds)):
        blocks.append(Block(first, end, cuts[first], measures.role(number, first, end)))
    return tuple(blocks)


class _Measures:
    """What the blocks between some bounds are made of."""

    def __init__(self, facts: PageFacts, bounds: Sequence[int], navigation: Collection[int]) -> None:
        self.facts = facts
        leaves = facts.leaves
        dom = facts.dom
        at = np.array(bounds)
        lengths = np.maximum(dom.text_end[leaves.node] - dom.text_start[leaves.node], 1)
        is_linked = leaves.link >= 0
        begins_link = is_linked.copy()
        begins_link[1:] &= leaves.link[1:] != leaves.link[:-1]
        self.text = _sums(lengths, at)
        self.linked = _sums(lengths * is_linked, at)
        self.links = _sums(begins_link, at)
        self.menu = _sums(np.isin(leaves.link, np.array(sorted(navigation), dtype=np.int32)), at) if navigation else []
        self.start, self.last = leaves.node[at[:-1]], leaves.node[at[1:] - 1]
        controls = np.concatenate([[0], np.cumsum(_IS_CONTROL[np.minimum(dom.tag, len(TAGS))])])
        self.control = (controls[self.last] - controls[self.start]).tolist()
        self.total = len(leaves)

    def role(self, number: int, first: int, end: int) -> str:
        """Tell what a block is for."""
        landmark = self.facts.landmark(self.start[number])
        if landmark in _LANDMARK_ROLES and landmark == self.facts.landmark(self.last[number]):
            return _LANDMARK_ROLES[landmark]
        count = end - first
        text, linked, links = self.text[number], self.linked[number], self.links[number]
        if self.menu and self.menu[number] > 0.5 * max(links, 1):
            return "navigation"
        if self.control[number] >= 0.5 * count:
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


def _sums(values: npt.NDArray[Any], bounds: npt.NDArray[np.int64]) -> list[int]:
    """Add up the values between every two neighbouring bounds."""
    sums: list[int] = np.add.reduceat(values, bounds[:-1], dtype=np.int64).tolist()
    return sums
