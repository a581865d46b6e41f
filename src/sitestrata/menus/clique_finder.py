"""SegmentCliqueFinder: the segments of which pages form cliques, page by page.

A *segment clique* is a set of segments of different pages, at least three, such that each of these pages is a target of
all the other segments. A link belongs to one clique only, larger cliques are preferred, among equals the one whose
segments are more uniform. What earlier pages found binds links (SB): a link may be used again by a clique at least as
large as the one it is bound to, and is given to a larger one; the clique that loses it shrinks.

Paper: MenuMiner 5.2, Algorithm 1

The main loop keeps *states*: the pages still in the clique, the bindings of the links to them, the level (how many
pages have been decided), the segments chosen. It always expands the state with most pages, of equals the one with the
smallest level. Invariants: every chosen segment links all pages of its state; the pages of a state only become fewer;
so no state can lead to a larger clique than it has pages.

Differences from the paper:

- Algorithm 1 never advances the level of the state that leaves a page out (lines 10-12) and resets its own loop counter
  (line 23); both are misprints.
- A level whose page the state has lost already is passed without branching: its segments cannot be chosen.
- States that lose the page at hand are dropped; every clique must contain it.
- A clique that loses a link loses the page on which that link stands, and with it this page's other links; below three
  pages it is dissolved. A clique of equal size that shares a link with another one is not kept.
- Cliques, states, rounds and the links around a page are limited (`FinderLimits`); limits that were hit are counted.

Cost: states times segments a page; neighbourhoods are small, and pages are independent but for the bindings.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush

import numpy as np
from numpy.typing import NDArray

from sitestrata.menus.local_graph import (
    MIN_CLIQUE,
    LocalGraph,
    SegmentWeb,
    links_around,
    local_cliques,
    local_graph,
    neighbours,
)
from sitestrata.menus.uniformity import Signature, align, align_all, parse

__all__ = [
    "MAX_CLIQUES",
    "MAX_LINKS",
    "MAX_PAGES",
    "MAX_ROUNDS",
    "MAX_STATES",
    "MAX_STEPS",
    "Bindings",
    "FinderLimits",
    "Hits",
    "SegmentClique",
    "find_segment_clique",
    "find_segment_cliques",
    "page_cliques",
]

Ints = NDArray[np.int64]

# What one page may cost. The paper saw few pages with more than 100 cliques (6.1, Figure 8) and 371 ms at most.
MAX_CLIQUES = 2_000
MAX_STEPS = 200_000
MAX_STATES = 5_000
MAX_ROUNDS = 50
MAX_LINKS = 2_000_000
MAX_PAGES = 1_500_000  # of all states of one run of the finder


@dataclass(frozen=True, slots=True)
class FinderLimits:
    """What one page may cost."""

    cliques: int = MAX_CLIQUES  # maximal cliques of a neighbourhood
    steps: int = MAX_STEPS  # of the search for them
    states: int = MAX_STATES  # expanded in one run of the finder
    rounds: int = MAX_ROUNDS  # runs of the finder
    links: int = MAX_LINKS  # of the pages of a neighbourhood, all together


@dataclass(slots=True)
class Hits:
    """How many pages reached a limit."""

    cliques: int = 0
    states: int = 0
    rounds: int = 0
    links: int = 0


@dataclass(frozen=True, slots=True, order=True)
class SegmentClique:
    """Pages and the segment of each, aligned; pages are sorted."""

    pages: tuple[int, ...]
    segments: tuple[int, ...]

    def __len__(self) -> int:
        """Return the number of pages."""
        return len(self.pages)


@dataclass(slots=True)
class Bindings:
    """SB: which clique each link (segment, page) is bound to. State that goes from page to page."""

    cliques: dict[int, dict[int, int]] = field(default_factory=dict)  # number -> page -> segment
    owner: dict[int, dict[int, int]] = field(default_factory=dict)  # segment -> page -> number
    _next: int = 0

    def bind(self, clique: SegmentClique) -> bool:
        """Bind the links of a clique; say whether it is a new one."""
        links = _links(clique)
        rivals = {self.owner[segment][page] for segment, page in links if page in self.owner.get(segment, ())}
        if any(len(self.cliques[number]) >= len(clique) for number in rivals):
            return False
        if rivals:
            for segment, page in links:
                number = self.owner.get(segment, {}).get(page)
                if number is not None:
                    self._shrink(number, segment)
        number = self._next
        self._next += 1
        self.cliques[number] = dict(zip(clique.pages, clique.segments, strict=True))
        for segment, page in links:
            self.owner.setdefault(segment, {})[page] = number
        return True

    def holds(self, clique: SegmentClique) -> bool:
        """Tell whether this very clique was found before."""
        held = self.held(clique.segments[0], clique.pages[1])
        return held == dict(zip(clique.pages, clique.segments, strict=True))

    def held(self, segment: int, page: int) -> dict[int, int]:
        """Return the clique that a link is bound to, page -> segment; empty if to none."""
        number = self.owner.get(segment, {}).get(page)
        return {} if number is None else self.cliques[number]

    def found(self) -> list[SegmentClique]:
        """Return the cliques, sorted."""
        return sorted(
            SegmentClique(tuple(sorted(pages)), tuple(pages[page] for page in sorted(pages)))
            for pages in self.cliques.values()
        )

    def _shrink(self, number: int, segment: int) -> None:
        """Take the page of a segment out of a clique; dissolve the clique if too little is left."""
        pages = self.cliques[number]
        lost = next((page for page, own in pages.items() if own == segment), None)
        gone = list(pages) if len(pages) <= MIN_CLIQUE else [lost]
        for page in gone:
            if page is None:
                continue
            own = pages.pop(page)
            for other, their in pages.items():
                self.owner.get(own, {}).pop(other, None)
                self.owner.get(their, {}).pop(page, None)
        if not pages:
            del self.cliques[number]


def _links(clique: SegmentClique) -> list[tuple[int, int]]:
    return [
        (segment, other)
        for page, segment in zip(clique.pages, clique.segments, strict=True)
        for other in clique.pages
        if other != page
    ]


_Binding = tuple[tuple[int, int], ...]  # place of a page and size of the clique, by place; of bound links only


@dataclass(frozen=True, slots=True)
class _State:
    pages: int  # mask
    binding: _Binding  # of the links to each page
    level: int  # pages decided so far; the page at hand is level 0
    chosen: tuple[int, ...]  # segment by level; -1 = page left out
    signature: Signature


def page_cliques(
    web: SegmentWeb,
    page: int,
    bindings: Bindings,
    *,
    limits: FinderLimits | None = None,
    hits: Hits | None = None,
) -> list[SegmentClique]:
    """Find the segment cliques that a page belongs to, the largest first, and bind their links."""
    limits, hits = limits or FinderLimits(), hits if hits is not None else Hits()
    near = neighbours(web, page)
    if len(near) + 1 < MIN_CLIQUE:
        return []
    if (known := _all_around(web, page, near, bindings)) is not None:
        return [known]
    if links_around(web, near) > limits.links:
        hits.links += 1
        return []
    graph = local_graph(web, page)
    cliques, is_complete = local_cliques(graph, max_cliques=limits.cliques, max_steps=limits.steps)
    hits.cliques += not is_complete
    found: list[SegmentClique] = []
    for _ in range(limits.rounds):
        clique, is_limited = find_segment_clique(web, graph, cliques, bindings, max_states=limits.states)
        hits.states += is_limited
        if clique is None:
            return found
        if bindings.holds(clique) or bindings.bind(clique):
            found.append(clique)
        _remove(graph, clique)
    hits.rounds += 1
    return found


def _all_around(web: SegmentWeb, page: int, near: Ints, bindings: Bindings) -> SegmentClique | None:
    """Return the clique of a page and all its neighbours, if another page has found it and nothing is left beside it.

    The neighbourhood would be complete, the clique its only one, and the search would end with it at once.
    """
    sizes = [(len(web.mutual(segment)), segment) for segment in web.segments(page)]
    (most, segment), *others = sorted(sizes, reverse=True)
    if most < len(near) or (others and others[0][0] + 1 >= MIN_CLIQUE):
        return None
    held = bindings.held(segment, int(near[0]))
    if len(held) != len(near) + 1 or held.get(page) != segment or not held.keys() >= set(near.tolist()):
        return None
    return SegmentClique(tuple(sorted(held)), tuple(held[one] for one in sorted(held)))


def find_segment_clique(
    web: SegmentWeb, graph: LocalGraph, cliques: Sequence[int], bindings: Bindings, *, max_states: int
) -> tuple[SegmentClique | None, bool]:
    """Return the largest and most uniform segment clique of a neighbourhood, and whether the limit cut the search."""
    states = _States()
    initials = list(_initial_states(web, graph, cliques, bindings))
    known = _known(graph, initials, bindings)
    if known is not None:
        return known, False
    for initial in initials:
        states.add(initial)
    ends: list[_State] = []
    largest = 0
    expanded = pages = 0
    while (state := states.pop()) is not None:
        if state.pages.bit_count() < largest:
            break  # line 05: no open state can reach the size of an end state
        level = _next_level(state)
        if level < 0:
            size = state.pages.bit_count()
            if size > largest:
                largest, ends = size, []
            ends.append(state)
            continue
        expanded += 1
        pages += state.pages.bit_count()
        if expanded > max_states or pages > MAX_PAGES:
            return _best(web, graph, ends), True
        for successor in _successors(web, graph, bindings, state, level):
            states.add(successor)
    return _best(web, graph, ends), False


def find_segment_cliques(
    web: SegmentWeb, pages: Iterable[int] | None = None, *, limits: FinderLimits | None = None, hits: Hits | None = None
) -> list[SegmentClique]:
    """Find the segment cliques of a collection, page after page in the given order (by number if none is given)."""
    bindings = Bindings()
    for page in range(web.page_count) if pages is None else pages:
        page_cliques(web, page, bindings, limits=limits, hits=hits)
    return bindings.found()


class _States:
    """Open states: most pages first, then smallest level; of equal ones at one level only the most uniform stays."""

    def __init__(self) -> None:
        self._heap: list[tuple[int, int, int, tuple[int, ...], int]] = []
        self._best: dict[tuple[int, int, _Binding], int] = {}
        self._states: list[_State] = []

    def add(self, state: _State) -> None:
        """Add a state (AddToStateList)."""
        key = (state.level, state.pages, state.binding)
        rival = self._best.get(key)
        if rival is not None and _rank(self._states[rival]) <= _rank(state):
            return
        number = self._best[key] = len(self._states)
        self._states.append(state)
        heappush(self._heap, (-state.pages.bit_count(), state.level, *_rank(state), number))

    def pop(self) -> _State | None:
        """Take the state with most pages, smallest level first (GetStateWithMaxScore)."""
        while self._heap:
            number = heappop(self._heap)[-1]
            state = self._states[number]
            if self._best[state.level, state.pages, state.binding] == number:
                return state
        return None


def _rank(state: _State) -> tuple[int, tuple[int, ...]]:
    """Return what orders states of equal pages: wildcards, then the segments themselves."""
    return state.signature.wildcards, state.chosen


def _initial_states(web: SegmentWeb, graph: LocalGraph, cliques: Sequence[int], bindings: Bindings) -> Iterable[_State]:
    """Yield a state for every pair of a maximal clique and a segment of the page that share three pages."""
    for segment, mask in graph.segments[0]:
        bound = _raise((), segment, mask & ~1, graph, bindings)
        signature = parse(web.path[segment])
        for pages in sorted({clique & mask for clique in cliques}):
            state = _settle(_State(pages, bound, 0, (segment,), signature))
            if state is not None:
                yield state


def _known(graph: LocalGraph, initials: Sequence[_State], bindings: Bindings) -> SegmentClique | None:
    """Return the clique that the search must end with, if another page has found it: the one state with most pages.

    No state grows, so none ends with as many pages; and of the ways to choose segments for these pages the most uniform
    was taken when the clique was found. The paper searches again from each of the pages.
    """
    most = max((state.pages.bit_count() for state in initials), default=0)
    largest = [state for state in initials if state.pages.bit_count() == most]
    if len(largest) != 1:
        return None
    (segment,) = largest[0].chosen
    pages = [page for at, page in enumerate(graph.pages) if largest[0].pages >> at & 1]
    held = bindings.held(segment, pages[1])
    if len(held) != most or held.get(graph.pages[0]) != segment or any(page not in held for page in pages):
        return None
    return SegmentClique(tuple(sorted(pages)), tuple(held[page] for page in sorted(pages)))


def _next_level(state: _State) -> int:
    """Return the next page of the state that is not decided yet; -1 = it is an end state."""
    rest = state.pages >> (state.level + 1)
    return state.level + 1 + (rest & -rest).bit_length() - 1 if rest else -1


def _successors(web: SegmentWeb, graph: LocalGraph, bindings: Bindings, state: _State, level: int) -> Iterable[_State]:
    """Yield the states in which the next page is left out, or takes part with one of its segments (lines 10-19)."""
    passed = state.chosen + (-1,) * (level - state.level - 1)
    without = _State(state.pages & ~(1 << level), state.binding, level, (*passed, -1), state.signature)
    candidates = [without]
    for segment, mask in graph.segments[level]:
        pages = state.pages & mask
        bound = _raise(state.binding, segment, pages & ~(1 << level), graph, bindings)
        signature = align(state.signature, parse(web.path[segment]))
        candidates.append(_State(pages, bound, level, (*passed, segment), signature))
    for candidate in candidates:
        settled = _settle(candidate)
        if settled is not None:
            yield settled


def _raise(binding: _Binding, segment: int, mask: int, graph: LocalGraph, bindings: Bindings) -> _Binding:
    """Return the bindings with those of a segment's links, whichever is larger (line 17)."""
    owned = bindings.owner.get(segment)
    if not owned:
        return binding
    sizes = dict(binding)
    for page, number in owned.items():
        at = graph.place.get(page)
        if at is not None and mask >> at & 1:
            sizes[at] = max(sizes.get(at, 0), len(bindings.cliques[number]))
    return tuple(sorted(sizes.items()))


def _settle(state: _State) -> _State | None:
    """Drop the pages whose links are bound to a larger clique than the state, until none is (lines 20-24)."""
    pages = state.pages
    size = pages.bit_count()
    while True:
        bound = sum(1 << at for at, value in state.binding if value > size and pages >> at & 1)
        if not bound:
            break
        pages &= ~bound
        size = pages.bit_count()
    if size < MIN_CLIQUE or not pages & 1:
        return None
    # Bindings to pages that are gone would make equal states look different.
    binding = tuple((at, value) for at, value in state.binding if pages >> at & 1)
    return _State(pages, binding, state.level, state.chosen, state.signature)


def _best(web: SegmentWeb, graph: LocalGraph, ends: Sequence[_State]) -> SegmentClique | None:
    """Return the most uniform end state as a clique; only segments of pages that stayed count."""
    best: tuple[int, tuple[int, ...], SegmentClique] | None = None
    for state in ends:
        members = [
            (graph.pages[level], segment)
            for level, segment in enumerate(state.chosen)
            if segment >= 0 and state.pages >> level & 1
        ]
        members.sort()
        clique = SegmentClique(tuple(page for page, _ in members), tuple(segment for _, segment in members))
        rank = (align_all(web.path[segment] for segment in clique.segments).wildcards, clique.segments, clique)
        if best is None or rank < best:
            best = rank
    return None if best is None else best[2]


def _remove(graph: LocalGraph, clique: SegmentClique) -> None:
    """Take the links of a clique out of the neighbourhood (the update of SP between two rounds)."""
    members = dict(zip(clique.pages, clique.segments, strict=True))
    gone = sum(1 << graph.place[page] for page in clique.pages)
    for page, segment in members.items():
        at = graph.place[page]
        graph.segments[at] = [
            (own, mask & ~gone | 1 << at) if own == segment else (own, mask) for own, mask in graph.segments[at]
        ]
