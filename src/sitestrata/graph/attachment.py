"""Attach loose nodes to the parts of a partition, strongest ties first, without ever joining two parts.

Kruskal's maximum spanning forest with one rule more: a tree may hold one part at most. So loose nodes that are tied to
each other most of all go to a part together, by the best tie that any of them has, whatever the numbers they bear; and
one that is tied to two parts goes to the one and leaves the other alone.
"""

import numpy as np
from numpy.typing import NDArray

__all__ = ["attach"]

Ints = NDArray[np.int64]


def attach(part: Ints, is_loose: NDArray[np.bool_], u: Ints, v: Ints, weight: NDArray[np.float64]) -> Ints:
    """Return for each node the smallest node of its part, loose nodes attached by edges of positive weight.

    >>> part, is_loose = np.array([0, 0, 2, 3, 4]), np.array([False, False, False, True, True])
    >>> attach(part, is_loose, np.array([3, 1, 2]), np.array([4, 4, 3]), np.array([5.0, 2.0, 1.0])).tolist()
    [0, 0, 2, 0, 0]
    """
    above = list(range(len(part)))  # a forest; a part is one tree from the start
    first: dict[int, int] = {}
    for node in np.flatnonzero(~is_loose).tolist():
        above[node] = first.setdefault(int(part[node]), node)

    def root(node: int) -> int:
        while above[node] != node:
            above[node] = above[above[node]]
            node = above[node]
        return node

    holds_part = (~is_loose).tolist()
    chosen = np.flatnonzero(weight > 0)
    low, high = np.minimum(u, v)[chosen], np.maximum(u, v)[chosen]
    order = np.lexsort((high, low, -weight[chosen]))
    for a, b in zip(low[order].tolist(), high[order].tolist(), strict=True):
        one, other = root(a), root(b)
        if one == other or (holds_part[one] and holds_part[other]):
            continue
        keeps, goes = (other, one) if holds_part[other] else (one, other)
        above[goes] = keeps
    roots = np.array([root(node) for node in range(len(part))], np.int64)
    smallest = np.full(len(part), len(part), np.int64)
    np.minimum.at(smallest, roots, np.arange(len(part)))
    found: Ints = smallest[roots]
    return found
