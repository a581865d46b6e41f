"""Preflow-push: the maximum flow from a source to a sink, one push or raise at a time, on a network that may grow.

Nodes hold an overflow o (what flowed in and not out) and a height h. A node with overflow pushes it to lower nodes over
arcs that are not saturated; when there is none it is raised just above the lowest of them. The network may be extended
while the algorithm runs, as long as arcs are only added out of nodes that were never discharged: that is what makes the
on-line use possible (`sitestrata.flow.online`).

Paper: Senellart 2.1-2.3, Figure 4; the greedy choice of 2.4.2

Cost: O(|S|^2 |A|) pushes and raises at worst.

Differences from the paper:
  - step 5 prints only f(u,v); f(v,u) = -f(u,v) is kept too, as 2.3 (i) asks;
  - 2.2 step 2 prints c < f for a residual edge, which never holds; f < c is meant;
  - the height of the source is an argument: |S| is not known on-line, and 2.4.2 lowers it;
  - the gap heuristic (nodes above an empty height can only send their overflow back) may be switched on.
"""

from collections.abc import Iterable
from heapq import heappop, heappush

__all__ = ["Preflow", "certificate", "preflow_push", "sink_side", "source_side"]


class Preflow:
    """A preflow in a traffic network T = (S, c, s, t); nodes are 0..n-1.

    Arcs come in pairs: ``2k`` and ``2k + 1`` join the same two nodes in opposite directions, ``flow`` is antisymmetric.
    """

    __slots__ = ("arcs", "capacity", "flow", "gap", "h", "head", "heap", "o", "pair", "pushes", "raises", "s", "t")

    def __init__(self, source: int, sink: int, node_count: int, *, gap: bool = False) -> None:
        self.s, self.t = source, sink
        self.h = [0] * node_count
        self.o: list[float] = [0] * node_count
        self.arcs: list[list[int]] = [[] for _ in range(node_count)]
        self.head: list[int] = []
        self.capacity: list[float] = []
        self.flow: list[float] = []
        self.pair: dict[tuple[int, int], int] = {}
        self.heap: list[tuple[float, int]] = []  # (-overflow, node), stale entries included
        self.gap: list[int] | None = None
        if gap:
            self.gap = [0] * (2 * node_count + 2)
            self.gap[0] = node_count
        self.pushes = self.raises = 0

    def add_node(self) -> int:
        """Add a node without arcs and return it."""
        self.h.append(0)
        self.o.append(0)
        self.arcs.append([])
        return len(self.h) - 1

    def add_arc(self, u: int, v: int, capacity: float) -> None:
        """Add ``capacity`` to the arc from u to v."""
        arc = self.pair.get((u, v))
        if arc is None:
            arc = len(self.head)
            self.head += [v, u]
            self.capacity += [0, 0]
            self.flow += [0, 0]
            self.arcs[u].append(arc)
            self.arcs[v].append(arc + 1)
            self.pair[u, v], self.pair[v, u] = arc, arc + 1
        self.capacity[arc] += capacity

    def start(self, height: int) -> None:
        """Do steps 1 and 3: lift the source to ``height`` and saturate its arcs."""
        if self.gap is not None:
            self.gap[0] -= 1
            self.gap[height] += 1
        self.h[self.s] = height
        for arc in self.arcs[self.s]:
            self._send(self.s, arc, self.capacity[arc] - self.flow[arc])

    def largest_overflow(self, threshold: float = 0) -> int | None:
        """Do step 4, greedily: the node with the largest overflow above ``threshold``; ties go to the smallest node."""
        while self.heap:
            key, u = self.heap[0]
            if self.o[u] == -key and -key > threshold:
                return u
            if self.o[u] == -key:
                return None
            heappop(self.heap)
        return None

    def discharge_step(self, u: int) -> bool:
        """Do step 5 or step 6 once on a node with overflow; tell whether anything could be done."""
        lowest: int | None = None
        for arc in self.arcs[u]:
            if self.flow[arc] < self.capacity[arc]:
                v = self.head[arc]
                if self.h[v] == self.h[u] - 1:
                    self._send(u, arc, min(self.capacity[arc] - self.flow[arc], self.o[u]))
                    self.pushes += 1
                    return True
                if lowest is None or self.h[v] < lowest:
                    lowest = self.h[v]
        if lowest is None:
            self._drop(u)
            return False
        self._raise(u, lowest + 1)
        return True

    def _send(self, u: int, arc: int, amount: float) -> None:
        v = self.head[arc]
        self.flow[arc] += amount
        self.flow[arc ^ 1] = -self.flow[arc]
        self.o[u] -= amount
        self.o[v] += amount
        for node in (u, v):
            if node not in (self.s, self.t) and self.o[node] > 0:
                heappush(self.heap, (-self.o[node], node))

    def _raise(self, u: int, height: int) -> None:
        self.raises += 1
        old, self.h[u] = self.h[u], height
        if self.gap is not None:
            self.gap[old] -= 1
            self.gap[min(height, len(self.gap) - 1)] += 1
            if self.gap[old] == 0 and old < self.h[self.s]:
                self._lift_above(old)

    def _lift_above(self, empty: int) -> None:
        """Apply the gap heuristic: nothing above an empty height reaches the sink, so lift it over the source."""
        assert self.gap is not None
        for node, height in enumerate(self.h):
            if empty < height < self.h[self.s] and node != self.s:
                self.gap[height] -= 1
                self.h[node] = self.h[self.s] + 1
                self.gap[self.h[node]] += 1

    def _drop(self, u: int) -> None:
        """Forget the overflow of a node that has no way out (an isolated seed); it stays on its own side."""
        self.o[u] = 0


def preflow_push(
    arcs: Iterable[tuple[int, int, float]],
    source: int,
    sink: int,
    node_count: int,
    *,
    source_height: int | None = None,
    threshold: float = 0,
    max_steps: int | None = None,
    gap: bool = True,
) -> Preflow:
    """Run the algorithm of Figure 4, largest overflow first, to convergence or to the given limits.

    Args:
        arcs: (from, to, capacity), capacities being integers where the result must be exact.
        source: the node s.
        sink: the node t.
        node_count: |S|, s and t included.
        source_height: h(s); |S| where not given, anything lower gives up exactness (2.4.2).
        threshold: stop when every overflow is at most this.
        max_steps: stop after so many pushes and raises.
        gap: use the gap heuristic.

    >>> state = preflow_push([(0, 1, 3), (0, 2, 2), (1, 2, 1), (1, 3, 2), (2, 3, 2)], 0, 3, 4)
    >>> state.o[3], sorted(source_side(state))
    (4, [0, 1, 2])
    """
    state = Preflow(source, sink, node_count, gap=gap)
    for u, v, capacity in arcs:
        if u != v:
            state.add_arc(u, v, capacity)
    # Steps 1-3. Invariant from here on: f is a preflow, and h(u) <= h(v) + 1 on every arc that is not saturated.
    state.start(node_count if source_height is None else source_height)
    while True:
        node = state.largest_overflow(threshold)  # step 4
        if node is None or (max_steps is not None and state.pushes + state.raises >= max_steps):
            return state
        state.discharge_step(node)  # steps 5 and 6


def source_side(state: Preflow) -> set[int]:
    """Return what the source still reaches over unsaturated arcs: the minimal source side of a flow (2.2)."""
    seen, work = {state.s}, [state.s]
    while work:
        u = work.pop()
        for arc in state.arcs[u]:
            v = state.head[arc]
            if v not in seen and state.flow[arc] < state.capacity[arc]:
                seen.add(v)
                work.append(v)
    return seen


def sink_side(state: Preflow) -> set[int]:
    """Return what can still reach the sink; its complement is a minimum cut already while overflow remains above it."""
    seen, work = {state.t}, [state.t]
    while work:
        v = work.pop()
        for arc in state.arcs[v]:  # arc ^ 1 is the arc u -> v
            u = state.head[arc]
            if u not in seen and state.flow[arc ^ 1] < state.capacity[arc ^ 1]:
                seen.add(u)
                work.append(u)
    return seen


def certificate(state: Preflow) -> dict[str, float]:
    """Measure what proves a maximum flow: each of the three errors is 0, and the value equals the cut."""
    inside = set(range(len(state.h))) - sink_side(state)
    cut = sum(
        state.capacity[arc]
        for u in sorted(inside)
        for arc in state.arcs[u]
        if state.head[arc] not in inside and state.capacity[arc] > 0
    )
    balance = [sum(state.flow[arc] for arc in state.arcs[u]) for u in range(len(state.h))]
    return {
        "asymmetry": max((abs(state.flow[a] + state.flow[a ^ 1]) for a in range(len(state.flow))), default=0),
        "excess": max((state.flow[a] - state.capacity[a] for a in range(len(state.flow))), default=0),
        "imbalance": max((abs(b) for u, b in enumerate(balance) if u not in (state.s, state.t)), default=0),
        "value": state.o[state.t],
        "cut": cut,
    }
