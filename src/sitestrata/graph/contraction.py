"""Turn signed edge weights into the partition with (nearly) the largest total weight inside its parts.

This is correlation clustering: every edge is a vote, positive for "together", negative for "apart", and the partition
that keeps the largest sum of votes inside wins. No number of clusters and no resolution has to be chosen: the sign of
the votes decides.

The solver is greedy additive edge contraction: contract the heaviest edge, add up the edges that become parallel,
repeat while an edge is positive. One contraction at a time would need a heap over millions of edges; here each round
contracts, all at once, every edge that is the heaviest one at one of its ends and weighs at least half of the heaviest
of all, which keeps the greedy order within a factor of two and needs some dozens of rounds whatever the size. What this
haste spoils, moves of single nodes and a second contraction of the parts mend.

Cost: a scan of the remaining edges a round, and a sort of those at contracted nodes. A pass of moves is linear.
"""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sitestrata._kernels import load

__all__ = ["agreement", "best_partition", "contract_edges"]

MAX_PASSES = 20  # of moves; the sum grows with each, and in practice no node moves after five
MAX_TURNS = 10  # of moves and contraction
ROUND_SHARE = 0.5  # an edge is contracted in this round if it weighs this share of the heaviest; 1 = one at a time


def best_partition(node_count: int, u: ArrayLike, v: ArrayLike, weight: ArrayLike) -> NDArray[np.int64]:
    """Return for each node the smallest node of its part, parts being the best that contraction and moves can find.

    >>> best_partition(4, [0, 1, 2], [1, 2, 3], [2.0, -1.0, 0.5]).tolist()
    [0, 0, 2, 2]
    """
    tails, heads, votes = _add_parallel(
        np.asarray(u, np.int64), np.asarray(v, np.int64), np.asarray(weight, np.float64), node_count
    )
    part = contract_edges(node_count, tails, heads, votes)
    both_tails, both_heads = np.concatenate([tails, heads]), np.concatenate([heads, tails])
    order = np.lexsort((both_heads, both_tails))
    indices, both_votes = both_heads[order], np.concatenate([votes, votes])[order]
    indptr = np.concatenate([[0], np.cumsum(np.bincount(both_tails, minlength=node_count))]).astype(np.int64)
    for _ in range(MAX_TURNS):
        if not load("moves").move_nodes(indptr, indices, both_votes, part, MAX_PASSES):
            break
        part = contract_edges(node_count, part[tails], part[heads], votes)[part]
    first = np.full(node_count, node_count, np.int64)
    np.minimum.at(first, part, np.arange(node_count))
    return first[part]


def contract_edges(
    node_count: int, u: ArrayLike, v: ArrayLike, weight: ArrayLike, *, round_share: float = ROUND_SHARE
) -> NDArray[np.int64]:
    """Return for each node the smallest node of its part.

    >>> contract_edges(4, [0, 1, 2], [1, 2, 3], [2.0, -1.0, 0.5]).tolist()
    [0, 0, 2, 2]
    """
    part = np.arange(node_count, dtype=np.int64)
    tails, heads, votes = _add_parallel(
        np.asarray(u, np.int64), np.asarray(v, np.int64), np.asarray(weight, np.float64), node_count
    )
    while len(votes) and (heaviest := float(votes.max())) > 0:
        best = np.full(node_count, -np.inf)
        np.maximum.at(best, tails, votes)
        np.maximum.at(best, heads, votes)
        chosen = (votes >= heaviest * round_share) & ((votes == best[tails]) | (votes == best[heads]))
        root = _hook(node_count, tails[chosen], heads[chosen])
        part = root[part]
        tails, heads, votes = _redirect(root, tails, heads, votes)
    return part


def agreement(part: ArrayLike, u: ArrayLike, v: ArrayLike, weight: ArrayLike) -> float:
    """Return the objective: the sum of the votes whose two ends lie in one part.

    >>> agreement([0, 0, 2, 2], [0, 1, 2], [1, 2, 3], [2.0, -1.0, 0.5])
    2.5
    """
    label = np.asarray(part)
    inside = label[np.asarray(u, np.int64)] == label[np.asarray(v, np.int64)]
    return float(np.asarray(weight, np.float64)[inside].sum())


def _add_parallel(
    u: NDArray[np.int64], v: NDArray[np.int64], votes: NDArray[Any], node_count: int
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
    """Drop loops and sum the votes of parallel edges; edges come out sorted, so sums do not depend on input order."""
    between = u != v
    low, high = np.minimum(u[between], v[between]), np.maximum(u[between], v[between])
    votes = votes[between]
    if not len(votes):
        return low, high, votes
    key = low * node_count + high
    order = np.lexsort((votes, key))
    key, votes = key[order], votes[order]
    first = np.flatnonzero(np.concatenate([[True], key[1:] != key[:-1]]))
    key = key[first]
    return key // node_count, key % node_count, np.add.reduceat(votes, first)


def _redirect(
    root: NDArray[np.int64], tails: NDArray[np.int64], heads: NDArray[np.int64], votes: NDArray[np.float64]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
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


def _hook(node_count: int, u: NDArray[np.int64], v: NDArray[np.int64]) -> NDArray[np.int64]:
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
