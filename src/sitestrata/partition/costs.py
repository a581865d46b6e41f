"""What it costs to put two neighbouring subtrees of a page into one partition: five factors, three special cases.

=========  =============================================================================
C_LCA      (d1 + d2) / (2 maxdepth): how far A and B are from their common ancestor
C_PSIM     1 - longest common subsequence of the two paths to it / length of the longer
C_STSIM    1 - Jaccard of the sets of paths in the two subtrees
C_ORD      1 - Jaccard of the pairs of paths that follow one another in them
C_NODE     1 - half for the same tag and class of A and B, half the Jaccard of the tags in their subtrees
=========  =============================================================================

Where one of A, B is the ancestor of the other, or both are the same node, only C_LCA (d / maxdepth; none if they are
the same) and C_STSIM remain; the latter is 1 - max(Separation, Overlap), or 1 - Jaccard if the other is a leaf.

Paper: OntoMiner 4.3.1, Figure 4
Differences from the paper: its figure with the formulas is lost, and it prints four of the five factors it announces.
C_NODE and all formulas are ours. A path is the tags from the root of the page to a leaf, as in 4.1; the node of a leaf
is the element that holds it. *Overlap* is the Jaccard of the two sets of paths; *Separation* is 1 where what the outer
subtree has beside the inner one shares no path with it, and 0 elsewhere: a list is cheap to join with the label beside
it. (Separation = 1 - Overlap, another reading, would make the larger of both at least one half, whatever the page.)
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from sitestrata.page import PageFacts

__all__ = ["grouping_costs", "lowest_ancestor"]

Floats = npt.NDArray[np.float64]


def lowest_ancestor(facts: PageFacts, first: int, last: int) -> int:
    """Return the lowest node that holds two nodes; the first comes before the last."""
    end, parent = facts.dom.end, facts.dom.parent
    while int(end[first]) <= last:
        first = int(parent[first])
    return first


def grouping_costs(facts: PageFacts, nodes: Sequence[int]) -> Floats:
    """Return the cost of grouping every two of some nodes, as a matrix."""
    dom = facts.dom
    depth = dom.depth[list(nodes)].astype(np.int64)
    deepest = max(int(dom.depth[facts.leaves.node].max(initial=1)), 1)
    chains = _chains(facts, nodes)
    common = np.cumprod((chains[:, None, :] == chains[None, :, :]) & (chains[:, None, :] >= 0), axis=2).sum(axis=2) - 1
    below_first, below_second = depth[:, None] - common, depth[None, :] - common

    counts, bigrams, inside, names = _contents(facts, nodes)
    paths = _Jaccard(counts > 0)
    c_stsim = 1.0 - paths.similarity
    c_lca = (below_first + below_second) / (2 * deepest)
    c_psim = 1.0 - _path_similarity(facts, chains, common)
    c_ord = 1.0 - _Jaccard(bigrams).similarity
    c_node = 1.0 - ((names[:, None] == names[None, :]) + _Jaccard(inside).similarity) / 2
    cost: Floats = c_lca + c_psim + c_stsim + c_ord + c_node

    # The special cases: one node holds the other, or they are the same.
    is_special = (below_first == 0) | (below_second == 0)
    is_same = (below_first == 0) & (below_second == 0)
    leaves = counts.sum(axis=1)
    inner_is_leaf = np.minimum(leaves[:, None], leaves[None, :]) <= 1
    # Leaves of the outer subtree, outside the inner one, that have a path of the inner one.
    beside = np.abs((counts > 0) @ counts.T - leaves[:, None])
    beside = np.where(leaves[:, None] <= leaves[None, :], beside, beside.T)
    separation = (beside == 0) & ~is_same
    c_special = np.where(inner_is_leaf & ~is_same, c_stsim, 1.0 - np.maximum(separation, paths.similarity))
    distance = np.where(is_same, 0.0, (below_first + below_second) / deepest)
    return np.where(is_special, distance + c_special, cost)


class _Jaccard:
    """Similarities of all pairs of sets, given as rows of a table of members, by one matrix product."""

    def __init__(self, member: npt.NDArray[np.bool_]) -> None:
        table = member.astype(np.float64)
        sizes = table.sum(axis=1)
        shared = table @ table.T
        union = sizes[:, None] + sizes[None, :] - shared
        self.similarity: Floats = np.where(union > 0, shared / np.maximum(union, 1), 1.0)


def _chains(facts: PageFacts, nodes: Sequence[int]) -> npt.NDArray[np.int32]:
    """Return the nodes from the root down to each node; -1 behind its end."""
    lists = [[*reversed(list(facts.dom.ancestors(node))), node] for node in nodes]
    chains = np.full((len(nodes), max(map(len, lists), default=1)), -1, dtype=np.int32)
    for row, chain in enumerate(lists):
        chains[row, : len(chain)] = chain
    return chains


def _contents(
    facts: PageFacts, nodes: Sequence[int]
) -> tuple[Floats, npt.NDArray[np.bool_], npt.NDArray[np.bool_], npt.NDArray[np.int64]]:
    """Return of each node's subtree: how often each path occurs, which paths follow one another, which tags there are.

    Also a number for the node's own tag and class.
    """
    dom = facts.dom
    path = np.unique(facts.leaves.path, return_inverse=True)[1]
    pairs = np.unique(np.stack([path[:-1], path[1:]]), axis=1, return_inverse=True)[1].ravel()
    counts = np.zeros((len(nodes), int(path.max(initial=0)) + 1))
    bigrams = np.zeros((len(nodes), int(pairs.max(initial=0)) + 1), dtype=bool)
    inside = np.zeros((len(nodes), int(dom.tag.max(initial=0)) + 1), dtype=bool)
    known: dict[tuple[int, str | None], int] = {}
    names = np.zeros(len(nodes), dtype=np.int64)
    for row, node in enumerate(nodes):
        end = int(dom.end[node])
        first, last = np.searchsorted(facts.leaves.node, (node, end)).tolist()
        np.add.at(counts[row], path[first:last], 1)
        bigrams[row, pairs[first : max(last - 1, first)]] = True
        inside[row, dom.tag[node:end]] = True
        names[row] = known.setdefault((int(dom.tag[node]), dom.attribute(node, "class")), len(known))
    return counts, bigrams, inside, names


def _path_similarity(facts: PageFacts, chains: npt.NDArray[np.int32], common: npt.NDArray[np.int64]) -> Floats:
    """Return the longest common subsequence of the tags below the common ancestor, by the length of the longer path."""
    tags = facts.dom.tag.tolist()
    rows = [[tags[node] for node in chain if node >= 0] for chain in chains.tolist()]
    known: dict[tuple[tuple[int, ...], tuple[int, ...]], float] = {}
    count = len(rows)
    similarity = np.ones((count, count))
    for i in range(count):
        for j in range(i + 1, count):
            top = int(common[i, j]) + 1
            one, other = tuple(rows[i][top:]), tuple(rows[j][top:])
            key = (one, other) if one <= other else (other, one)
            if key not in known:
                known[key] = (
                    _common_length(*key) / max(len(one), len(other), 1) if one and other else float(one == other)
                )
            similarity[i, j] = similarity[j, i] = known[key]
    return similarity


def _common_length(one: tuple[int, ...], other: tuple[int, ...]) -> int:
    row = [0] * (len(other) + 1)
    for item in one:
        corner = 0
        for j, rival in enumerate(other, 1):
            corner, row[j] = row[j], corner + 1 if item == rival else max(row[j], row[j - 1])
    return row[-1]
