"""The DOM of a page -> where blocks begin and end: every element is judged by itself whether a reader sees it as one.

An element stands for a block if the log odds of its features are positive: it is a box rather than an inline piece or
one of many alike, it holds a fair share of what its parent holds, it begins with a heading, its parts are boxes.
Elements that only wrap another are judged together with it.
The weights come from hand-marked pages (``bench/fit_blocks.py``).

Paper: OntoMiner 4.1 (what a segment is for; its own method is in `sitestrata.partition.flat`)
"""

from collections import Counter
from dataclasses import dataclass
from math import log

import numpy as np

from sitestrata.page import TAG_ID, TEXT, Emphasis, PageFacts

__all__ = ["BLOCK_FEATURES", "Candidate", "block_candidates", "block_cuts"]

BLOCK_FEATURES = (
    "share",  # log, of the leaves of the page
    "share of parent",  # log
    "parent's share",  # log
    "depth",  # of boxes that divide something, by ten
    "uniform",  # share of its children on the most frequent path
    "largest",  # share of its leaves that are in one child
    "alike",  # log of the number of siblings on its path
    "linked",  # share of its characters inside links
    "heading first",
    "headings beside",  # share of its parent's children that begin with a heading
    "boxes inside",  # share of its children that are boxes
    "list",
    "table",
    "inline",
    "box",
    "landmark",
)
# Weights of the features, and the constant; bench/fit_blocks.py.
WEIGHTS = (
    0.32,  # share
    -0.20,  # share of parent
    0.39,  # parent's share
    -2.08,  # depth
    -0.14,  # uniform
    -0.21,  # largest
    -0.44,  # alike
    0.66,  # linked
    0.23,  # heading first
    0.73,  # headings beside
    0.35,  # boxes inside
    0.55,  # list
    0.33,  # table
    -0.85,  # inline
    1.32,  # box
    0.20,  # landmark
    0.74,  # constant
)
MAX_DEPTH = 2.0
LEAST = 2  # leaves; a single one is a block of its own only between two others

_LISTS = frozenset(TAG_ID[name] for name in ("ul", "ol", "dl"))
_INLINE = frozenset([TEXT, *(TAG_ID[name] for name in ("a", "span", "b", "strong", "em", "i", "font", "img"))])
_BOXES = frozenset(TAG_ID[name] for name in ("div", "section", "article", "aside"))
_LANDMARKS = frozenset(TAG_ID[name] for name in ("header", "footer", "nav", "form", "main"))
_TABLE = TAG_ID["table"]
_DIVIDERS = _BOXES | _LANDMARKS | {_TABLE, *(TAG_ID[name] for name in ("tbody", "tr", "td"))}
_HEADING_WITHIN = 2  # leaves


@dataclass(frozen=True, slots=True)
class Candidate:
    """An element that may be a block."""

    first: int  # leaves
    end: int
    node: int
    features: tuple[float, ...]


def block_cuts(facts: PageFacts) -> dict[int, int]:
    """Return the leaves at which the page is cut, each with the element that begins or ends there."""
    cuts: dict[int, int] = {}
    candidates = block_candidates(facts)
    if not candidates:
        return cuts
    odds = np.array([candidate.features for candidate in candidates]) @ np.array(WEIGHTS[:-1]) + WEIGHTS[-1]
    for candidate, value in zip(candidates, odds.tolist(), strict=True):
        if value > 0:
            cuts.setdefault(candidate.first, candidate.node)
            cuts.setdefault(candidate.end, candidate.node)
    return cuts


def block_candidates(facts: PageFacts) -> list[Candidate]:
    """Describe every element that holds leaves, wrappers together with what they wrap, outermost first."""
    dom, leaves = facts.dom, facts.leaves
    total = len(leaves)
    if not total:
        return []
    end, path, tag = dom.end.tolist(), facts.tag_path.tolist(), dom.tag.tolist()
    marks = np.zeros(len(dom) + 1, dtype=np.int64)
    marks[leaves.node + 1] = 1
    before = np.cumsum(marks).tolist()  # leaves in front of each node
    lengths = np.maximum(dom.text_end[leaves.node] - dom.text_start[leaves.node], 1)
    text = _prefix(lengths)
    linked = _prefix(np.where(leaves.link >= 0, lengths, 0))
    headings = _prefix((leaves.emphasis & int(Emphasis.HEADING)) > 0)

    def children(node: int) -> list[int]:
        found, child, stop = [], node + 1, end[node]
        while child < stop:
            if before[end[child]] > before[child]:
                found.append(child)
            child = end[child]
        return found

    def begins_with_heading(leaf: int) -> bool:
        return headings[min(leaf + _HEADING_WITHIN, total)] > headings[leaf]

    found: list[Candidate] = []
    stack = [(0, total, 0, 0.0, 0)]  # node, leaves of the parent, siblings alike, headings beside, depth
    while stack:
        node, of_parent, alike, beside, depth = stack.pop()
        first, last = before[node], before[end[node]]
        size = last - first
        tags = {tag[node]}
        inner = children(node)
        while len(inner) == 1 and tag[inner[0]] != TEXT:
            node = inner[0]
            tags.add(tag[node])
            inner = children(node)
        paths = Counter([path[child] for child in inner])
        sizes = [before[end[child]] - before[child] for child in inner]
        count = max(len(inner), 1)
        found.append(
            Candidate(
                first,
                last,
                node,
                (
                    log(size / total),
                    log(size / of_parent),
                    log(of_parent / total),
                    min(depth / 10, MAX_DEPTH),
                    max(paths.values(), default=0) / count,
                    max(sizes, default=size) / size,
                    log(1 + alike),
                    (linked[last] - linked[first]) / (text[last] - text[first]),
                    float(begins_with_heading(first)),
                    beside,
                    sum([tag[child] in _DIVIDERS for child in inner]) / count,
                    float(not tags.isdisjoint(_LISTS)),
                    float(_TABLE in tags),
                    float(not tags.isdisjoint(_INLINE)),
                    float(not tags.isdisjoint(_BOXES)),
                    float(not tags.isdisjoint(_LANDMARKS)),
                ),
            )
        )
        larger = [child for child, held in zip(inner, sizes, strict=True) if held >= LEAST]
        if larger:
            share = sum([begins_with_heading(before[child]) for child in inner]) / count
            stack += [(child, size, paths[path[child]] - 1, share, depth + 1) for child in larger]
    return found


def _prefix(values: object) -> list[int]:
    sums: list[int] = np.concatenate([[0], np.cumsum(np.asarray(values, dtype=np.int64))]).tolist()
    return sums
