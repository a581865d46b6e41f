"""The children of one DOM element, none of which heads anything by itself -> those that repeat as heads of the others.

The paper's interval dynamic programme, constrained to the children of one element: the cheapest binary tree over them
is split as long as its halves are alike; what is left are the instances, and where most of them begin with the sort of
the first child, which is nowhere else in them, it names the others (outsider promotion). A head is no link.

Two profiles: a region whose labels are links, most of them, is a *menu*: a run of links is one unit, however long it
is, and classes say nothing. Every other region holds *records*, where each child is a unit, and where their paths are
the same, their classes may tell labels from values.

Paper: OntoMiner 4.3.1-4.3.3
Cost: cubic in the children, of which at most MAX_UNITS are looked at; what heads the first of them heads the others.
Differences from the paper: of its factors C_STSIM, C_NODE and C_ORD are left, since all children hang on one element,
and one number for path and class makes the first two the same; their mean stands for their sum.
"""

from collections.abc import Sequence
from itertools import groupby

import numpy as np
import numpy.typing as npt

from sitestrata._kernels import load
from sitestrata.page import PageFacts
from sitestrata.partition.grouping import SIMILAR
from sitestrata.partition.heads import Entry
from sitestrata.partition.lines import BRIEF, PICTURE, Label

__all__ = ["repeated_heads"]

MIN_UNITS = 4  # two pairs
MAX_UNITS = 48  # children that the dynamic programme sees
MAX_SORTS = 6  # sorts of children; more are no pattern
MOST = 0.75  # share of the children in instances with the same head
CONTRAST = 2.0  # times as long, or as often with a digit: what differs in its class alone must differ in its text too

_kernel = load("interval")


def repeated_heads(entries: Sequence[Entry], facts: PageFacts) -> list[Label | None] | None:
    """Return, entry by entry, the label that heads what follows it; None where nothing repeats."""
    if len(entries) < MIN_UNITS or entries[0].forest[0].is_link:
        return None
    sorts, is_named = _sorts(entries, facts)
    if sorts.count(0) < 2 or max(sorts) >= MAX_SORTS or not _can_head(entries, sorts):
        return None
    labels = [entry.forest[0] for entry in entries]
    names = [label for label, sort in zip(labels, sorts, strict=True) if sort == 0]
    values = [label for label, sort in zip(labels, sorts, strict=True) if sort != 0]
    is_menu = 2 * sum(label.is_link for label in values) > len(labels)
    if is_named and (is_menu or not _contrast(names, values)):
        return None
    units = [sort for sort, _ in groupby(sorts)] if is_menu else sorts
    if not _begins_instances(units[:MAX_UNITS]):
        return None
    for label in names:
        label.rank = PICTURE
    return [label if sort == 0 else None for label, sort in zip(labels, sorts, strict=True)]


def _sorts(entries: Sequence[Entry], facts: PageFacts) -> tuple[list[int], bool]:
    """Number the sorts of entries by their paths, or where all have one path by their classes, and say which."""
    numbers: dict[tuple[object, ...], int] = {}
    paths = [(entry.tag, int(facts.tag_path[entry.forest[0].node]), entry.forest[0].is_link) for entry in entries]
    sorts = [numbers.setdefault(path, len(numbers)) for path in paths]
    if len(numbers) > 1 or entries[0].node < 0:
        return sorts, False
    numbers.clear()
    return [numbers.setdefault((_name(facts, entry.node),), len(numbers)) for entry in entries], True


def _name(facts: PageFacts, node: int) -> str:
    return (facts.dom.attribute(node, "class") or "") if node >= 0 else ""


def _begins_instances(sorts: Sequence[int]) -> bool:
    """Tell whether the sort of the first child begins most instances, and is nowhere else in them."""
    count = len(sorts)
    # Ranges with the same children in the same order of neighbours cost the same: they share a number.
    numbers: dict[tuple[int, int], int] = {}
    above = np.zeros((count, count), dtype=np.int32)
    for i in range(count):
        inside = order = 0
        for j in range(i, count):
            inside |= 1 << sorts[j]
            if j > i:
                order |= 1 << (sorts[j - 1] * MAX_SORTS + sorts[j])
            above[i, j] = numbers.setdefault((inside, order), len(numbers))
    cost = _costs(list(numbers))
    split = _kernel.parenthesise(above, cost)
    instances = _instances(split, above, cost)
    begun = sum(end - first for first, end in instances if end > first + 1 and sorts[first] == 0)
    inside = any(0 in sorts[first + 1 : end] for first, end in instances)
    return begun >= MOST * count and not inside


def _costs(ranges: Sequence[tuple[int, int]]) -> npt.NDArray[np.float64]:
    """Return the cost of joining every two ranges, from 0 to 1: C_STSIM and C_NODE in one, and C_ORD."""
    cost = np.zeros((len(ranges), len(ranges)))
    for a, (inside, order) in enumerate(ranges):
        for b, (others, their_order) in enumerate(ranges):
            cost[a, b] = 1.0 - (2 * _jaccard(inside, others) + _jaccard(order, their_order)) / 3
    return cost


def _jaccard(one: int, other: int) -> float:
    either = (one | other).bit_count()
    return (one & other).bit_count() / either if either else 1.0


def _instances(
    split: npt.NDArray[np.int32], above: npt.NDArray[np.int32], cost: npt.NDArray[np.float64]
) -> list[tuple[int, int]]:
    """Split the tree while its halves are alike; what is left are the instances, as first and behind the last."""
    out = []
    stack = [(0, len(split) - 1)]
    while stack:
        i, j = stack.pop()
        k = int(split[i, j])
        if i < j and cost[above[i, k], above[k + 1, j]] < SIMILAR:
            stack += [(k + 1, j), (i, k)]
        else:
            out.append((i, j + 1))
    return out


def _can_head(entries: Sequence[Entry], sorts: Sequence[int]) -> bool:
    """Tell whether the children of the first sort can be heads: brief, each another, alone, never side by side."""
    seen = set()
    before = -1
    for entry, sort in zip(entries, sorts, strict=True):
        if sort == 0:
            label = entry.forest[0]
            if before == 0 or len(entry.forest) > 1 or label.children or label.is_picture or len(label.text) > BRIEF:
                return False
            if label.text in seen:
                return False
            seen.add(label.text)
        before = sort
    return before != 0


def _contrast(names: Sequence[Label], values: Sequence[Label]) -> bool:
    """Tell whether two sorts of texts differ in length or digits, as labels and values do."""

    def measures(labels: Sequence[Label]) -> tuple[float, float]:
        digits = sum(any(char.isdigit() for char in label.text) for label in labels)
        return sum(len(label.text) for label in labels) / len(labels), digits / len(labels)

    (name_length, name_digits), (value_length, value_digits) = measures(names), measures(values)
    return value_length >= CONTRAST * name_length or value_digits >= max(0.5, CONTRAST * name_digits)
