"""Turn signed edge weights into the partition with (nearly) the largest total weight inside its parts.

This is correlation clustering: every edge is a vote, positive for "together", negative for "apart", and the partition
that keeps the largest sum of votes inside wins. No number of clusters and no resolution has to be chosen: the sign of
the votes decides.

The solver is greedy additive edge contraction: contract the heaviest edge, add up the edges that become parallel,
repeat while an edge is positive. One contraction at a time would need a heap over millions of edges; here each round
contracts, all at once, every edge that is the heaviest one at one of its ends and weighs at least half of the heaviest
of all, which keeps the greedy order within a factor of two and needs some dozens of rounds whatever the size. What this
haste spoils, moves of single nodes and a second contraction of the parts mend.

Parts grow along positive edges only, so nodes that no path of such edges connects never meet: the graph falls into
*groups*, and a group in which no edge is heavy enough yet is not looked at.

Cost: a scan a round of the edges in groups whose turn has come and that are not at rest, and a sort of those at
contracted nodes. A pass of moves is linear.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sitestrata._kernels import load

__all__ = ["agreement", "best_partition", "contract_edges"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
_Edges = tuple[Ints, Ints, Floats]  # ends and votes; sorted, each pair once

MAX_PASSES = 20  # of moves; the sum grows with each, and in practice no node moves after five
MAX_TURNS = 10  # of moves and contraction
ROUND_SHARE = 0.5  # an edge is contracted in this round if it weighs this share of the heaviest; 1 = one at a time


def best_partition(node_count: int, u: ArrayLike, v: ArrayLike, weight: ArrayLike) -> Ints:
    """Return for each node the smallest node of its part, parts being the best that contraction and moves can find.

    >>> best_partition(4, [0, 1, 2], [1, 2, 3], [2.0, -1.0, 0.5]).tolist()
    [0, 0, 2, 2]
    """
    tails, heads, votes = _add_parallel(
        np.asarray(u, np.int64), np.asarray(v, np.int64), np.asarray(weight, np.float64), node_count
    )
    part = contract_edges(node_count, tails, heads, votes)
    cells = np.concatenate([tails * node_count + heads, heads * node_count + tails])
    order = np.argsort(cells)
    cells, both_votes = cells[order], np.concatenate([votes, votes])[order]
    indices, indptr = cells % max(node_count, 1), np.searchsorted(cells, np.arange(node_count + 1) * node_count)
    for _ in range(MAX_TURNS):
        if not load("moves").move_nodes(indptr, indices, both_votes, part, MAX_PASSES):
            break
        part = contract_edges(node_count, part[tails], part[heads], votes)[part]
    first = np.full(node_count, node_count, np.int64)
    np.minimum.at(first, part, np.arange(node_count))
    return first[part]


def contract_edges(
    node_count: int, u: ArrayLike, v: ArrayLike, weight: ArrayLike, *, round_share: float = ROUND_SHARE
) -> Ints:
    """Return for each node the smallest node of its part.

    >>> contract_edges(4, [0, 1, 2], [1, 2, 3], [2.0, -1.0, 0.5]).tolist()
    [0, 0, 2, 2]
    """
    edges = _add_parallel(np.asarray(u, np.int64), np.asarray(v, np.int64), np.asarray(weight, np.float64), node_count)
    node, group, edges, heaviest_in = _group_by_group(node_count, *edges)
    part = np.arange(node_count, dtype=np.int64)
    tails, heads, votes = edges[0][:0], edges[1][:0], edges[2][:0]
    woken = 0  # so many edges, those of the groups whose turn has come
    while (heaviest := max(votes.max(initial=0), heaviest_in[woken : woken + 1].max(initial=0))) > 0:
        least = heaviest * round_share
        before, woken = woken, max(woken, int(np.searchsorted(-heaviest_in, -least, side="right")))
        if woken > before:
            tails = np.concatenate([tails, edges[0][before:woken]])
            heads = np.concatenate([heads, edges[1][before:woken]])
            votes = np.concatenate([votes, edges[2][before:woken]])
        heavy = np.flatnonzero(votes >= least)
        some, others, weights = tails[heavy], heads[heavy], votes[heavy]
        best = np.zeros(node_count)
        np.maximum.at(best, some, weights)
        np.maximum.at(best, others, weights)
        chosen = (weights == best[some]) | (weights == best[others])
        root = _hook(node_count, some[chosen], others[chosen])
        part = root[part]
        tails, heads, votes = _not_at_rest(group, *_redirect(root, tails, heads, votes))
    found = np.empty(node_count, np.int64)
    found[node] = node[part]
    return found


def agreement(part: ArrayLike, u: ArrayLike, v: ArrayLike, weight: ArrayLike) -> float:
    """Return the objective: the sum of the votes whose two ends lie in one part.

    >>> agreement([0, 0, 2, 2], [0, 1, 2], [1, 2, 3], [2.0, -1.0, 0.5])
    2.5
    """
    label = np.asarray(part)
    inside = label[np.asarray(u, np.int64)] == label[np.asarray(v, np.int64)]
    return float(np.asarray(weight, np.float64)[inside].sum())


def _group_by_group(node_count: int, tails: Ints, heads: Ints, votes: Floats) -> tuple[Ints, Ints, _Edges, Floats]:
    """Number the nodes anew so that those of a group follow one another, the group with the heaviest edge first.

    Returns the old number of each new one, the first node of the group of each, the edges inside groups, sorted, and
    the weight of the heaviest edge in the group of each edge.
    """
    positive = np.flatnonzero(votes > 0)
    first = _hook(node_count, tails[positive], heads[positive])
    heaviest = np.zeros(node_count)
    np.maximum.at(heaviest, first[tails[positive]], votes[positive])
    node = np.lexsort((first, -heaviest[first]))
    number = np.empty(node_count, np.int64)
    number[node] = np.arange(node_count)
    inside = np.flatnonzero(first[tails] == first[heads])
    cells = number[tails[inside]] * node_count + number[heads[inside]]
    order = np.argsort(cells)
    cells = cells[order]
    new_tails, new_heads = cells // max(node_count, 1), cells % max(node_count, 1)
    heaviest = heaviest[first[node]][new_tails]
    return node, number[first[node]], (new_tails, new_heads, votes[inside[order]]), heaviest


def _not_at_rest(group: Ints, tails: Ints, heads: Ints, votes: Floats) -> _Edges:
    """Leave out the edges of groups in which none is positive any more."""
    if not len(votes):
        return tails, heads, votes
    group_of_edge = group[tails]
    first = np.flatnonzero(np.concatenate([[True], group_of_edge[1:] != group_of_edge[:-1]]))
    is_going_on = np.maximum.reduceat(votes, first) > 0
    if is_going_on.all():
        return tails, heads, votes
    kept = np.repeat(is_going_on, np.diff(np.append(first, len(votes))))
    return tails[kept], heads[kept], votes[kept]


def _add_parallel(u: Ints, v: Ints, votes: Floats, node_count: int) -> _Edges:
    """Drop loops and sum the votes of parallel edges; edges come out sorted, so sums do not depend on input order."""
    between = u != v
    if not between.all():
        u, v, votes = u[between], v[between], votes[between]
    if not len(votes):
        return u, v, votes
    key = np.minimum(u, v) * node_count + np.maximum(u, v)
    if (key[1:] > key[:-1]).all():
        return key // node_count, key % node_count, votes
    order = np.lexsort((votes, key))
    key, votes = key[order], votes[order]
    first = np.flatnonzero(np.concatenate([[True], key[1:] != key[:-1]]))
    key = key[first]
    return key // node_count, key % node_count, np.add.reduceat(votes, first)


def _redirect(root: Ints, tails: Ints, heads: Ints, votes: Floats) -> _Edges:
    """Lead edges to the roots of their ends, parallel ones added up; edges are and stay sorted, each pair once.

    Only edges at nodes that were contracted are sorted anew: late rounds contract few, and the others keep their order.
    """
    node_count = len(root)
    new_tails, new_heads = root[tails], root[heads]
    moved = (new_tails != tails) | (new_heads != heads)
    low, high, sums = _add_parallel(new_tails[moved], new_heads[moved], votes[moved], node_count)
    key, votes = (tails * node_count + heads)[~moved], votes[~moved]
    new_key = low * node_count + high
    place = np.searchsorted(key, new_key)
    is_there = place < len(key)
    is_there[is_there] = key[place[is_there]] == new_key[is_there]
    votes[place[is_there]] += sums[is_there]
    key = np.insert(key, place[~is_there], new_key[~is_there])
    votes = np.insert(votes, place[~is_there], sums[~is_there])
    return key // node_count, key % node_count, votes


def _hook(node_count: int, u: Ints, v: Ints) -> Ints:
    """Return for each node the smallest node it is connected to by the given edges."""
    root = np.arange(node_count, dtype=np.int64)
    while True:
        smaller = np.minimum(root[u], root[v])
        before = root.copy()
        np.minimum.at(root, root[u], smaller)
        np.minimum.at(root, root[v], smaller)
        while not np.array_equal(root, flatter := root[root]):
            root = flatter
        if np.array_equal(root, before):
            return root
