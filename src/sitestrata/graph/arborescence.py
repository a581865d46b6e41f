"""The heaviest tree in which every node hangs below a root: Chu and Liu (1965), Edmonds (1967).

1. Every node takes its heaviest edge in. If no circle arises, that is the tree.
2. Each circle becomes one node. An edge into member v of a circle now weighs what it gains over the edge that v has
   taken, because entering the circle at v costs that edge.
3. Repeat until no circle is left, then open the circles again, the last one first: the edge that enters a circle
   replaces the edge of the member that it enters, all other members keep theirs.

Equal weights are decided by the smaller tail, so the tree does not depend on the order of the edges.

Cost: a few array passes over the edges and one sort a round; a round removes every circle there is, and few are nested.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sitestrata.graph.numbering import distinct

__all__ = ["heaviest_arborescence"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


def heaviest_arborescence(node_count: int, root: int, tail: ArrayLike, head: ArrayLike, weight: ArrayLike) -> Ints:
    """Return for each node the place of the edge by which it hangs in the tree; -1 for the root.

    A node that no edge reaches from the root, whatever is chosen, hangs by no edge either (-1).

    >>> heaviest_arborescence(3, 0, [0, 1, 2, 0], [1, 2, 1, 2], [1.0, 5.0, 5.0, 2.0]).tolist()
    [-1, 2, 3]
    """
    tails, heads = np.asarray(tail, np.int64), np.asarray(head, np.int64)
    gain = np.asarray(weight, np.float64).copy()
    usable = _reached(node_count, root, tails, heads)
    kept = np.flatnonzero(usable[tails] & usable[heads] & (heads != root) & (tails != heads))
    kept = kept[np.lexsort((tails[kept], -gain[kept], heads[kept]))]
    tails, heads, gain = tails[kept], heads[kept], gain[kept]
    group = np.arange(node_count, dtype=np.int64)  # the circle each node is in by now, itself to begin with
    taken: dict[int, int] = {}  # edge that each group has taken, by its number
    circles: list[tuple[int, Ints]] = []  # groups that were joined, in the order of joining
    groups = node_count
    open_groups: Ints | None = None  # groups that have yet to take an edge; None = all
    parent_of: Ints = np.full(node_count, -1, np.int64)
    member_of = [-1] * node_count
    while True:
        _take(group, tails, heads, gain, taken, open_groups)
        parent_of = _parents(groups, group, tails, taken)
        found = _circles(parent_of)
        if not found:
            break
        label = np.arange(groups, dtype=np.int64)
        opened = []
        for members in found:
            label[members] = groups
            for member in members.tolist():
                member_of[member] = groups
            member_of.append(-1)
            circles.append((groups, members))
            opened.append(groups)
            groups += 1
        in_circle = np.isin(group, np.concatenate(found))
        entering = np.flatnonzero(in_circle[heads])
        spent = np.zeros(len(label))
        for members in found:
            spent[members] = [gain[taken[member]] for member in members.tolist()]
        gain[entering] -= spent[group[heads[entering]]]
        group = np.where(in_circle, label[group], group)
        open_groups = np.array(opened, np.int64)
    return _open(node_count, circles, member_of, heads, taken, kept)


def _take(group: Ints, tails: Ints, heads: Ints, gain: Floats, taken: dict[int, int], open_groups: Ints | None) -> None:
    """Let each open group take its heaviest edge from outside."""
    into = group[heads]
    outside = group[tails] != into
    if open_groups is not None:
        outside &= np.isin(into, open_groups)
    edges = np.flatnonzero(outside)
    order = edges[np.lexsort((heads[edges], tails[edges], -gain[edges], into[edges]))]
    first = np.concatenate([[True], into[order][1:] != into[order][:-1]]) if len(order) else np.zeros(0, bool)
    taken.update(zip(into[order][first].tolist(), order[first].tolist(), strict=True))


def _parents(groups: int, group: Ints, tails: Ints, taken: dict[int, int]) -> Ints:
    parent = np.full(groups, -1, np.int64)
    live = distinct(group)
    numbers = np.array([number for number in live.tolist() if number in taken], np.int64)
    if len(numbers):
        parent[numbers] = group[tails[[taken[number] for number in numbers.tolist()]]]
    return parent


def _circles(parent: Ints) -> list[Ints]:
    """Return the circles in a parent function, each from its smallest member on."""
    at = parent
    for _ in range(len(parent).bit_length() + 1):
        at = np.where(at >= 0, at[at], -1)
    seen: set[int] = set()
    found = []
    # After so many steps everybody who has not come to the root stands on a circle.
    for start in distinct(at[at >= 0]).tolist():
        if start in seen:
            continue
        members = [start]
        while (following := int(parent[members[-1]])) != start:
            members.append(following)
        seen.update(members)
        found.append(np.array(sorted(members), np.int64))
    return found


def _open(
    node_count: int,
    circles: list[tuple[int, Ints]],
    member_of: list[int],
    heads: Ints,
    taken: dict[int, int],
    kept: Ints,
) -> Ints:
    """Open the circles, the last one first, and hand the edge that enters each to the member it enters."""
    hangs_by = dict(taken)
    for number, _ in reversed(circles):
        if number not in hangs_by:
            continue
        edge = hangs_by[number]
        at = int(heads[edge])
        while member_of[at] != number:
            at = member_of[at]
        hangs_by[at] = edge
    result = np.full(node_count, -1, np.int64)
    for node, edge in hangs_by.items():
        if node < node_count:
            result[node] = kept[edge]
    return result


def _reached(node_count: int, root: int, tails: Ints, heads: Ints) -> NDArray[np.bool_]:
    seen = np.zeros(node_count, np.bool_)
    if node_count:
        seen[root] = True
    while True:
        fresh = seen[tails] & ~seen[heads]
        if not fresh.any():
            return seen
        seen[heads[fresh]] = True
