"""The website around seed pages at every scale, and which scale to call the site.

The seed is grown to a handful of pages (`grow_seed`), the exact chain of minimal cuts around it is computed
(`sitestrata.graph.chain`), sets of nearly equal size are taken together, and the scales are ranked by

    RANGE * (log of the range of sink capacities over which the set is minimal)
  - BOUNDARY * log tie(set, what the next scale adds)           a site hardly needs what is around it ...
  + INNER * min(0, log of the weakest such tie inside the set)  ... and does not fall apart inside
  + CLOSED * (share of the set in its largest closed prefix)    only where addresses may be used

The first place goes to the best after SUPPORT * (best Jaccard index with a set the caller knows) is added: sites, menus
or hosts handed in as page sets. Hosts and folders that hold the seeds compete as sets without a range of their own.
Sets over half of the collection and the bare seed are never the site while there is another one; nor are hosts and
folders that hold more than flow reaches.

Paper: Senellart 2.4.1 and his question of "the scale at which websites are to be found" (1)
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import log

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sitestrata.flow.network import FlowNetwork, tie
from sitestrata.graph.chain import Scale, minimal_cut_chain
from sitestrata.graph.conductance import conductance
from sitestrata.graph.pagerank import personalised_pagerank

__all__ = ["Candidate", "SiteAnswer", "find_site", "group_seeds", "grow_seed", "jaccard"]

GROWN = 10  # pages of a grown seed; 30 spill over small sites
NEAR = 1.2  # sets whose sizes differ by less than this factor are one scale
SHOWN = 3  # scales that are always returned
WHOLE = 0.5  # share of the collection above which a set is no site of it
# The weights of the ranking: fitted on one development corpus at a time, rounded, checked on the other.
RANGE, BOUNDARY, INNER, CLOSED = 0.8, 1.5, 1.0, 2.0
# Who hands in a set has weighed more evidence than there is here: it decides, unless it agrees with several scales.
SUPPORT = 30.0
TINY = 1e-12
CRITERION = "range of sink capacities, weak tie to the next scale, firm ties inside, closed prefix, support by evidence"

Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Candidate:
    """One scale of the website around the seeds."""

    pages: Ints
    scale: float  # sink capacity from which on the set is minimal, in units of a page's mean volume
    upper: float  # ... and up to which
    conductance: float
    score: float  # without what the caller knows
    closure: float  # share in one closed prefix; 0 where addresses are withheld
    support: Mapping[str, float] = field(default_factory=dict)  # Jaccard index with the caller's sets, by their kind


@dataclass(frozen=True, slots=True)
class SiteAnswer:
    """What `find_site` found: the ranked scales (the first is the site), and the whole chain."""

    seeds: Ints
    grown: Ints
    ranked: tuple[Candidate, ...]  # at most SHOWN, best first
    chain: tuple[Candidate, ...]  # from the largest set to the grown seed
    seed_groups: tuple[tuple[int, ...], ...]  # more than one: the seeds belong to different sites

    @property
    def site(self) -> Ints:
        """Return the pages of the chosen scale."""
        return self.ranked[0].pages


def find_site(
    network: FlowNetwork,
    seeds: ArrayLike,
    *,
    evidence: Mapping[str, Sequence[ArrayLike]] | None = None,
    grown: int = GROWN,
) -> SiteAnswer:
    """Find the website around the seeds (positions of pages) at its most plausible scales.

    Args:
        network: see `sitestrata.flow.network.flow_network`.
        seeds: one or a few pages of the site.
        evidence: page sets that speak for a site, by kind (menu, site, host, ...); those lacking a seed do not count.
        grown: to how many pages the seed is grown first.
    """
    seed = np.unique(np.asarray(seeds, np.int64))
    if len(seed) == 0:
        raise ValueError("a site needs at least one seed page")
    alone = [_answer(network, np.array([page]), evidence, grown) for page in seed.tolist()] if len(seed) > 1 else []
    answer = _answer(network, seed, evidence, grown)
    groups = group_seeds(seed, [one.site for one in alone]) if alone else (tuple(seed.tolist()),)
    return SiteAnswer(answer.seeds, answer.grown, answer.ranked, answer.chain, groups)


def grow_seed(network: FlowNetwork, seeds: Ints, *, size: int = GROWN) -> Ints:
    """Add the pages where a walk from the seeds spends most time for their degree."""
    rank = personalised_pagerank(network.graph, seeds)
    degrees = np.maximum(np.diff(network.graph.indptr), 1)
    order = np.lexsort((np.arange(len(rank)), -(rank / degrees)))[:size]
    return np.union1d(seeds, order[rank[order] > 0])


def group_seeds(seeds: Ints, sites: Sequence[Ints]) -> tuple[tuple[int, ...], ...]:
    """Put seeds together if the site of one holds the other; more than one group means different sites."""
    group = {page: page for page in seeds.tolist()}
    for page, site in zip(seeds.tolist(), sites, strict=True):
        for other in np.intersect1d(site, seeds).tolist():
            old, new = group[other], group[page]
            group = {key: min(old, new) if value in (old, new) else value for key, value in group.items()}
    members: dict[int, list[int]] = {}
    for page, label in group.items():
        members.setdefault(label, []).append(page)
    return tuple(tuple(pages) for _, pages in sorted(members.items()))


def _answer(
    network: FlowNetwork, seed: Ints, evidence: Mapping[str, Sequence[ArrayLike]] | None, grown: int
) -> SiteAnswer:
    start = grow_seed(network, seed, size=grown)
    chain = minimal_cut_chain(network.graph, network.capacities, start)[::-1]  # from the seed upwards
    if len(start) > len(seed):
        # The grown seed is a means, not a scale; but where nothing else is left, the seed itself is the answer.
        chain = chain if len(chain) > 1 else minimal_cut_chain(network.graph, network.capacities, seed)[::-1]
    known = {
        kind: [pages for pages in (np.unique(np.asarray(s, np.int64)) for s in sets) if np.isin(seed, pages).all()]
        for kind, sets in (evidence or {}).items()
    }
    floor = float(network.capacities.mean()) / max(network.web.page_count, 1) if len(network.capacities) else 1.0
    unit = float(network.capacities.sum()) / max(network.web.page_count, 1) or 1.0
    scales = [_Scale(scale.nodes, *_bounds(scale, floor)) for scale in chain]
    groups = _take_together(scales)
    ranked = _rank(network, groups, known, _prefix_sets(network, seed, grown), unit)
    shown = tuple(_plain(network, scale, unit) for scale in reversed(scales))
    return SiteAnswer(seed, start, tuple(ranked[:SHOWN]), shown, (tuple(seed.tolist()),))


@dataclass(frozen=True, slots=True)
class _Scale:
    pages: Ints
    low: float
    high: float


def _bounds(scale: Scale, floor: float) -> tuple[float, float]:
    low = max(scale.low[0] / scale.low[1], floor)
    return low, low if scale.high is None else max(scale.high[0] / scale.high[1], low)


def _take_together(scales: Sequence[_Scale]) -> list[_Scale]:
    """Merge neighbours of nearly equal size: the set with the longest range stands for all, over their whole range."""
    groups: list[list[_Scale]] = []
    for scale in scales:
        if groups and len(scale.pages) <= NEAR * len(groups[-1][0].pages):
            groups[-1].append(scale)
        else:
            groups.append([scale])
    merged = []
    for group in groups:
        longest = max(group, key=lambda scale: (scale.high / scale.low, len(scale.pages)))
        merged.append(_Scale(longest.pages, min(s.low for s in group), max(s.high for s in group)))
    return merged


def _rank(
    network: FlowNetwork,
    groups: Sequence[_Scale],
    known: Mapping[str, Sequence[Ints]],
    prefixes: Sequence[Ints],
    unit: float,
) -> list[Candidate]:
    candidates: list[tuple[bool, Candidate]] = []
    weakest = 0.0
    pool = list(groups)
    for pages in (*(pages for kind in sorted(known) for pages in known[kind]), *prefixes):
        if not _is_near(pages, pool):
            pool.append(_Scale(pages, 1.0, 1.0))
    pool.sort(key=lambda scale: len(scale.pages))
    on_chain = {id(group) for group in groups}
    for scale in pool:
        beyond = next((group for group in groups if len(group.pages) > NEAR * len(scale.pages)), None)
        # Nothing leads out of the largest set: that is as weak a tie as any inside of it.
        boundary = _log_tie(network, scale.pages, beyond.pages) if beyond is not None else weakest
        closure = network.prefixes.closure(scale.pages) if network.prefixes else 0.0
        support = {kind: best for kind, sets in sorted(known.items()) if (best := _best_jaccard(scale.pages, sets)) > 0}
        score = RANGE * log(scale.high / scale.low) - BOUNDARY * boundary + INNER * weakest + CLOSED * closure
        low, high = (scale.low / unit, scale.high / unit) if id(scale) in on_chain else (0.0, 0.0)
        found = Candidate(scale.pages, low, high, conductance(network.graph, scale.pages), score, closure, support)
        is_island = beyond is None and (id(scale) in on_chain or bool(support))
        is_whole = len(scale.pages) > WHOLE * network.web.page_count or (beyond is None and not is_island)
        is_seed = id(scale) in on_chain and scale is groups[0] and len(groups) > 1 and scale.high <= scale.low
        candidates.append((is_whole or is_seed, found))
        if id(scale) in on_chain and beyond is not None:
            weakest = min(weakest, boundary)

    # Whole collections and bare seeds come last: they are answers only where there is no other. What the caller knows
    # counts for the first place alone, so that the other places show what flow itself holds for the site.
    def plain(item: tuple[bool, Candidate]) -> tuple[bool, float, int]:
        return item[0], -item[1].score, len(item[1].pages)

    def supported(item: tuple[bool, Candidate]) -> tuple[bool, float, int]:
        is_last, score, size = plain(item)
        return is_last, score - SUPPORT * max(item[1].support.values(), default=0.0), size

    first = min(candidates, key=supported)
    others = sorted((item for item in candidates if item is not first), key=plain)
    return [candidate for _, candidate in (first, *others)]


def _prefix_sets(network: FlowNetwork, seed: Ints, least: int) -> list[Ints]:
    """Return the page sets of the hosts and folders that hold every seed, and are no smaller than a grown seed."""
    if network.prefixes is None:
        return []
    shared = set.intersection(*(set(network.prefixes.of_page(page)) for page in seed.tolist()))
    return [
        network.prefixes.pages_below(prefix) for prefix in sorted(shared) if network.prefixes.sizes[prefix] >= least
    ]


def _log_tie(network: FlowNetwork, inner: Ints, outer: Ints) -> float:
    one, two = np.zeros((2, network.web.page_count), np.bool_)
    one[inner] = True
    two[outer] = True
    return log(max(tie(network, one, two & ~one), TINY))


def _is_near(pages: Ints, groups: Sequence[_Scale]) -> bool:
    return any(jaccard(pages, group.pages) >= 1 / NEAR for group in groups)


def jaccard(one: Ints, two: Ints) -> float:
    """Return what two sets share, of what either holds."""
    shared = len(np.intersect1d(one, two, assume_unique=True))
    return shared / (len(one) + len(two) - shared) if shared else 0.0


def _best_jaccard(pages: Ints, sets: Sequence[Ints]) -> float:
    return max((jaccard(pages, other) for other in sets), default=0.0)


def _plain(network: FlowNetwork, scale: _Scale, unit: float) -> Candidate:
    closure = network.prefixes.closure(scale.pages) if network.prefixes else 0.0
    cut_off = conductance(network.graph, scale.pages)
    return Candidate(scale.pages, scale.low / unit, scale.high / unit, cut_off, 0.0, closure)
