"""The exact chain of minimal cuts around a seed as the capacity to the sink grows from 0 to infinity.

A set S that holds the seed has the cut value cut(S) + eps * |S|, a line in eps. The sets that are minimal for
some eps form the lower envelope of these lines and are nested: from everything the seed reaches (eps = 0) down to the
seed itself. Two neighbours A < B of the envelope cross at eps = (cut(A) - cut(B)) / (|B| - |A|); one
maximum flow at that eps either finds a set between them or proves that there is none. Only what lies in B but not in A
is in that network: A is contracted to the source and the rest to the sink, so the networks shrink as the chain grows.

Everything is integer: eps = p/q is applied by multiplying the capacities with q and the sink arcs with p.

Paper: Senellart 2.4.1 (one eps); the parametric chain is ours, as on a finite collection no fixed eps works.

Cost: two maximum flows per set of the chain, on shrinking networks.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sitestrata.graph.components import reachable
from sitestrata.graph.link_graph import LinkGraph, rows_of
from sitestrata.graph.min_cut import LIMIT, minimum_cut

__all__ = ["Scale", "minimal_cut_chain"]

Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Scale:
    """One set of the chain: minimal for ``low`` <= eps < ``high`` (both as numerator and denominator)."""

    nodes: Ints  # sorted positions
    cut: int  # capacity of the edges that leave the set
    low: tuple[int, int]
    high: tuple[int, int] | None  # None: for every larger eps


def minimal_cut_chain(graph: LinkGraph, capacities: ArrayLike, seeds: ArrayLike) -> list[Scale]:
    """Return the chain from the largest set to the seed.

    Args:
        graph: gives the edges; its own weights are not used.
        capacities: a non-negative integer for each edge of the graph.
        seeds: positions that are in every set.

    Raises:
        OverflowError: the capacities times the number of nodes do not fit 64 bits.
    """
    c = np.asarray(capacities, np.int64)
    seed = np.unique(np.asarray(seeds, np.int64))
    if len(seed) == 0:
        return []
    if len(c) and int(c.min()) < 0:
        raise ValueError("capacities must not be negative")
    # Python integers: the check itself must not overflow.
    if 2 * sum(int(part.sum()) for part in np.array_split(c, 1 + len(c) // 2**20)) * graph.node_count >= LIMIT:
        raise OverflowError("capacities times nodes do not fit 64 bits; use integer_capacities(factor=...)")
    positive = c > 0
    tails, heads, c = rows_of(graph)[positive], graph.indices[positive].astype(np.int64), c[positive]
    whole = np.flatnonzero(reachable(_with_edges(graph, positive), seed))
    network = whole_network = _Network(tails, heads, c, graph.node_count)
    sets = [whole, seed] if len(whole) > len(seed) else [seed]
    # Invariant: neighbours in `done` have no envelope set between them; neighbours in `open_` may have.
    done: list[Ints] = [sets[0]]
    open_ = sets[:0:-1]
    while open_:
        outer, inner = done[-1], open_[-1]
        between = network.between(outer, inner)
        if between is None:
            done.append(open_.pop())
            network = network.within(done[-1])
        else:
            open_.append(between)
    return whole_network.scales(done)


def _with_edges(graph: LinkGraph, keep: NDArray[np.bool_]) -> LinkGraph:
    kept = np.concatenate([[0], np.cumsum(keep)])
    return LinkGraph(graph.ids, kept[graph.indptr], graph.indices[keep], graph.weights[keep])


@dataclass(slots=True)
class _Network:
    tails: Ints
    heads: Ints
    c: Ints
    count: int  # of nodes

    def cut(self, nodes: Ints) -> int:
        inside = np.zeros(self.count, np.bool_)
        inside[nodes] = True
        return int(self.c[inside[self.tails] & ~inside[self.heads]].sum())

    def within(self, nodes: Ints) -> "_Network":
        """Forget the edges that leave a node outside: no smaller set is cut by them."""
        inside = np.zeros(self.count, np.bool_)
        inside[nodes] = True
        kept = inside[self.tails]
        return _Network(self.tails[kept], self.heads[kept], self.c[kept], self.count)

    def between(self, outer: Ints, inner: Ints) -> Ints | None:
        """Return a set between the two whose line runs below their crossing, or None where there is none."""
        cut_outer, cut_inner = self.cut(outer), self.cut(inner)
        p, q = cut_inner - cut_outer, len(outer) - len(inner)
        divisor = int(np.gcd(p, q))
        p, q = p // divisor, q // divisor
        # Places: 0 = source (inner), 1 = sink (outside outer), then what lies between.
        place = np.ones(self.count, np.int64)
        place[outer] = np.arange(2, len(outer) + 2)
        place[inner] = 0
        middle = outer[place[outer] > 1]
        place[middle] = np.arange(2, len(middle) + 2)
        u, v = place[self.tails], place[self.heads]
        inner_edge, entering, leaving = (u > 1) & (v > 1), (u == 0) & (v > 1), (u > 1) & (v == 1)
        from_source, to_sink = np.zeros((2, len(middle) + 2), np.int64)
        np.add.at(from_source, v[entering], self.c[entering])
        np.add.at(to_sink, u[leaving], self.c[leaving])
        direct = int(self.c[(u == 0) & (v == 1)].sum())  # constant for every cut
        nodes, ones = place[middle], np.ones(len(middle), np.int64)
        tails = np.concatenate([u[inner_edge], 0 * ones, nodes])
        heads = np.concatenate([v[inner_edge], nodes, ones])
        capacities = np.concatenate([self.c[inner_edge] * q, from_source[2:] * q, to_sink[2:] * q + p])
        value, side = minimum_cut(tails, heads, capacities, 0, 1)
        # The cut of `inner` itself, on the same scale: all of its arcs into the middle are cut.
        if value + direct * q >= cut_inner * q:
            return None
        return np.union1d(inner, middle[side[side > 1] - 2])

    def scales(self, sets: list[Ints]) -> list[Scale]:
        cuts = [self.cut(nodes) for nodes in sets]
        crossings: list[tuple[int, int]] = []
        for i in range(len(sets) - 1):
            p, q = cuts[i + 1] - cuts[i], len(sets[i]) - len(sets[i + 1])
            divisor = int(np.gcd(p, q))
            crossings.append((p // divisor, q // divisor))
        lows = [(0, 1), *crossings]
        highs: list[tuple[int, int] | None] = [*crossings, None]
        return [Scale(nodes, cut, low, high) for nodes, cut, low, high in zip(sets, cuts, lows, highs, strict=True)]
