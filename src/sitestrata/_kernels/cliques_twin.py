"""All maximal cliques of a graph: specification and fallback of ``cliques.pyx``.

Bron and Kerbosch's algorithm with Tomita's pivot, below an outer loop in degeneracy order (Eppstein, Löffler and
Strash): the search below a node sees its neighbours only, as bit sets. Bits are Python integers here.
"""

import numpy as np
import numpy.typing as npt

__all__ = ["maximal_cliques"]

Longs = npt.NDArray[np.int64]
Ints = npt.NDArray[np.int32]


def maximal_cliques(
    indptr: Longs, indices: Ints, min_size: int, max_cliques: int, max_steps: int
) -> tuple[Longs, Ints, bool]:
    """Return where each clique begins, the members of all, and whether all were found within the limits.

    The graph is undirected, without loops, neighbours sorted. Clique c is ``members[first[c] : first[c + 1]]``, sorted.
    A step is one call of the search.
    """
    count = len(indptr) - 1
    rows = [indices[indptr[node] : indptr[node + 1]].tolist() for node in range(count)]
    place = _degeneracy(rows)
    first = [0]
    members: list[int] = []
    steps = 0
    for node in sorted(range(count), key=place.__getitem__):
        near = rows[node]
        if len(near) + 1 < min_size:
            continue
        number = {other: k for k, other in enumerate(near)}
        adjacent = [sum(1 << number[other] for other in rows[neighbour] if other in number) for neighbour in near]
        later = sum(1 << k for k, other in enumerate(near) if place[other] > place[node])
        earlier = ((1 << len(near)) - 1) & ~later
        stack: list[tuple[int, int, list[int], int | None]] = [(later, earlier, [], None)]
        # An entry is (P, X, R, branches left or None if not yet entered).
        while stack:
            p, x, clique, branches = stack.pop()
            if branches is None:
                steps += 1
                if steps > max_steps:
                    return np.array(first, np.int64), np.array(members, np.int32), False
                if not p and not x:
                    if len(clique) + 1 >= min_size:
                        if len(first) - 1 >= max_cliques:
                            return np.array(first, np.int64), np.array(members, np.int32), False
                        members += sorted([node, *(near[k] for k in clique)])
                        first.append(len(members))
                    continue
                if not p or len(clique) + 1 + p.bit_count() < min_size:
                    continue
                branches = p & ~adjacent[_pivot(p, x, adjacent)]
            if branches:
                k = (branches & -branches).bit_length() - 1
                bit = 1 << k
                stack.append((p & ~bit, x | bit, clique, branches & ~bit))
                stack.append((p & adjacent[k], x & adjacent[k], [*clique, k], None))
    return np.array(first, np.int64), np.array(members, np.int32), True


def _pivot(p: int, x: int, adjacent: list[int]) -> int:
    """Return the node of P or X with most neighbours in P; of equals the smallest."""
    best, most = 0, -1
    both = p | x
    while both:
        k = (both & -both).bit_length() - 1
        both &= both - 1
        near = (p & adjacent[k]).bit_count()
        if near > most:
            best, most = k, near
    return best


def _degeneracy(rows: list[list[int]]) -> list[int]:
    """Return the place of each node when the node with fewest remaining neighbours, of equals the smallest, goes first.

    Places need not be exact for equal degrees to be right; they are so that the kernel does the same.
    """
    count = len(rows)
    degree = [len(row) for row in rows]
    widest = max(degree, default=0)
    # Nodes sorted by degree, in bins; moving a node one bin down is a swap (Batagelj and Zaversnik).
    begin = [0] * (widest + 2)
    for value in degree:
        begin[value + 1] += 1
    for value in range(widest + 1):
        begin[value + 1] += begin[value]
    start = begin[:-1]
    order = sorted(range(count), key=lambda node: (degree[node], node))
    at = [0] * count
    for k, node in enumerate(order):
        at[node] = k
    for k in range(count):
        node = order[k]
        for other in rows[node]:
            if degree[other] > degree[node]:
                head = start[degree[other]]
                swap = order[head]
                order[at[other]], order[head] = swap, other
                at[swap], at[other] = at[other], head
                start[degree[other]] += 1
                degree[other] -= 1
    return at
