"""The leaves of a segment -> a binary tree: the cheapest way to parenthesise them.

Cost(i, i) = 0; Cost(i, j) = min over k of Cost(i, k) + Cost(k + 1, j) + GroupingCost(A, B), where A and B are the
lowest common ancestors of the two halves. The dynamic programme is a kernel.

Paper: OntoMiner 4.3.1
Cost: cubic in the number of units; more than MAX_UNITS are refused.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from sitestrata._kernels import load
from sitestrata.page import PageFacts, UnusablePageError
from sitestrata.partition.costs import Floats, grouping_costs, lowest_ancestor

__all__ = ["MAX_UNITS", "Part", "binary_tree", "check_units"]

MAX_UNITS = 400  # leaves of a segment, or segments of a page

_kernel = load("interval")


@dataclass(slots=True, eq=False)
class Part:
    """A node of the tree: a leaf, a partition of others, (after grouping) a group, or the records of a data table."""

    node: int  # in the DOM: lowest common ancestor
    first: int  # leaves
    end: int
    kind: str = "part"  # leaf, part, group, table
    children: list["Part"] = field(default_factory=list)
    cost: float = 0.0  # of grouping the two children
    label: "Part | None" = None  # a leaf that was promoted to name it


def binary_tree(facts: PageFacts, units: Sequence[Part]) -> Part:
    """Join units, in document order, into one binary tree.

    Raises:
        UnusablePageError: there are too many of them.

    """
    check_units(len(units))
    above, nodes = _ancestors(facts, units)
    cost = grouping_costs(facts, nodes)
    split = _kernel.parenthesise(above, cost)
    return _unfold(units, above, nodes, cost, split)


def check_units(count: int) -> None:
    """Refuse more leaves of a segment, or segments of a page, than a tree is made of.

    Raises:
        UnusablePageError: there are too many of them.

    """
    if count > MAX_UNITS:
        raise UnusablePageError(
            "too-many-leaves",
            f"The paper's dynamic programme takes at most {MAX_UNITS} leaves in a segment and as many segments; "
            f"here are {count:,}. Use the default profile.",
        )


def _ancestors(
    facts: PageFacts, units: Sequence[Part]
) -> tuple[np.ndarray[tuple[int, int], np.dtype[np.int32]], list[int]]:
    """Number the lowest common ancestors of all ranges of units."""
    count = len(units)
    numbers: dict[int, int] = {}
    above = np.zeros((count, count), dtype=np.int32)
    for i in range(count):
        node = units[i].node
        for j in range(i, count):
            node = lowest_ancestor(facts, node, units[j].node) if j > i else node
            above[i, j] = numbers.setdefault(node, len(numbers))
    return above, list(numbers)


def _unfold(
    units: Sequence[Part],
    above: np.ndarray[tuple[int, int], np.dtype[np.int32]],
    nodes: Sequence[int],
    cost: Floats,
    split: np.ndarray[tuple[int, int], np.dtype[np.int32]],
) -> Part:
    """Follow the splits; a stack of its own, because a tree may be as deep as it has units."""
    root = _part(units, above, nodes, 0, len(units) - 1)
    stack = [(root, 0, len(units) - 1)]
    while stack:
        part, i, j = stack.pop()
        if i == j:
            continue
        k = int(split[i, j])
        part.cost = float(cost[above[i, k], above[k + 1, j]])
        part.children = [_part(units, above, nodes, i, k), _part(units, above, nodes, k + 1, j)]
        stack += [(part.children[0], i, k), (part.children[1], k + 1, j)]
    return root


def _part(
    units: Sequence[Part], above: np.ndarray[tuple[int, int], np.dtype[np.int32]], nodes: Sequence[int], i: int, j: int
) -> Part:
    return units[i] if i == j else Part(nodes[above[i, j]], units[i].first, units[j].end)
