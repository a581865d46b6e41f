"""How far an address can be trusted to name a site: learned from the collection itself.

On one collection a host is a project and all its sections belong together; on another it is a shared server with seven
unrelated manuals. So no level of the address has a fixed weight. For each prefix (a host, a host with its first folder,
...) that holds several sections we ask how many pairs of them are one site by evidence that has nothing to do with
addresses. That share, drawn towards the mean of all prefixes of the same depth, is the trust in the prefix; its log
odds, against those of any two sections, are the vote of the address. To share an address is never held against two.
A folder without a page of its own is a *shelf*: that two sections stand on it says nothing unless they meet, by links
both ways or at a third section, or are called the same. Manuals that somebody put side by side stand so; parts of a
site have a home.

Two sections on different hosts are judged by the hosts: of all pairs of hosts with a link between them, the share that
has a section in common, again against the odds of any two sections. That is next to none on most collections, and hosts
that do share one count as one host.
"""

from collections import Counter
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from sitestrata.graph.contraction import best_partition
from sitestrata.sites.places import Places

__all__ = ["address_votes", "log_odds"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

MAX_HOSTS = 8  # of one section; more are pages that were thrown together
SECTION_SHARE = 0.8  # a prefix is the section's if this share of its pages has it
TRUST_PRIOR = 8.0  # sections; how many are needed before a prefix speaks for itself
ANY_PAIR = -1.95  # log odds that two linked sections of some address are one site
TRUST_LIMIT = 0.02  # trust is never nearer to 0 or 1


def log_odds(share: float) -> float:
    """Return the log odds of a share, bounded: no address may outvote everything else."""
    return float(np.log((share + TRUST_LIMIT) / (1 - share + TRUST_LIMIT)))


def address_votes(
    places: Places,
    section: Ints,
    size: Ints,
    small: Ints,
    large: Ints,
    tie_votes: Floats,
    are_held: NDArray[np.bool_],
    is_core: NDArray[np.bool_],
) -> Floats:
    """Return the log odds by address that two sections belong together, for each pair of sections.

    Args:
        places: where each page stands.
        section: section of each page.
        size: number of pages of each section.
        small: one section of each pair.
        large: the other one.
        tie_votes: log odds of the pair by all other evidence; the partition they make is what prefixes are judged by.
        are_held: whether the two meet, or are versions of one another.
        is_core: which sections prefixes are judged by; a stub that links nothing says nothing about its host.

    """
    homes = _section_prefixes(places, section, size)
    shared = [_longest(homes[a] & homes[b]) for a, b in zip(small.tolist(), large.tolist(), strict=True)]
    among_cores = is_core[small] & is_core[large]
    part = best_partition(len(size), small[among_cores], large[among_cores], tie_votes[among_cores])
    cores: dict[str, Counter[int]] = {}
    for number in np.flatnonzero(is_core).tolist():
        for prefix in homes[number]:
            cores.setdefault(prefix, Counter())[int(part[number])] += 1
    held: dict[str, tuple[float, int]] = {}
    depth_mean: dict[int, list[float]] = {}
    for prefix in sorted(cores):
        parts = cores[prefix]
        others = parts.total() - 1
        pairs = parts.total() * others / 2
        share = sum(many * (many - 1) / 2 for many in parts.values()) / max(pairs, 1)
        held[prefix] = (share * others, others)
        if others:
            depth_mean.setdefault(prefix.count("/"), []).append(share)
    votes = _host_votes(places, section, small, large)
    with_pages = {prefixes[-1] for prefixes in places.prefixes}
    for pair, prefix_ in enumerate(shared):
        if prefix_ is None:
            continue
        if prefix_ not in with_pages and not are_held[pair]:
            votes[pair] = 0.0
            continue
        joined, count = held.get(prefix_, (0, 0))
        means = depth_mean.get(prefix_.count("/"), [])
        # The prefix's own share is left out of the mean it is drawn to; a lone prefix is drawn to one half.
        mean = (sum(means) - (joined / count if count else 0.0) + 0.5) / (len(means) + (0 if count else 1))
        trust = (joined + TRUST_PRIOR * mean) / (count + TRUST_PRIOR)
        votes[pair] = max(log_odds(trust) - ANY_PAIR, 0.0)
    return votes


def _host_votes(places: Places, section: Ints, small: Ints, large: Ints) -> Floats:
    """Return the vote of each pair of sections that have no prefix in common: how often such hosts share a section."""
    hosts_of: list[Counter[str]] = [Counter() for _ in range(int(section.max(initial=-1)) + 1)]
    for number, prefixes, pages in places.counted(section):
        hosts_of[number][prefixes[0]] += pages
    sharing = {frozenset(pair) for found in hosts_of if 1 < len(found) <= MAX_HOSTS for pair in combinations(found, 2)}
    main = [min(found, key=lambda name: (-found[name], name)) for found in hosts_of]
    linked = {frozenset((main[a], main[b])) for a, b in zip(small.tolist(), large.tolist(), strict=True)}
    across = sum(1 for pair in linked if len(pair) == 2)
    share = (sum(1 for pair in sharing & linked if len(pair) == 2) + 0.5) / (across + 1)
    apart = log_odds(share)
    return np.array(
        [
            0.0 if frozenset((main[a], main[b])) in sharing else min(apart - ANY_PAIR, 0.0)
            for a, b in zip(small.tolist(), large.tolist(), strict=True)
        ]
    )


def _section_prefixes(places: Places, section: Ints, size: Ints) -> list[set[str]]:
    counts: list[dict[str, int]] = [{} for _ in range(len(size))]
    for number, prefixes, pages in places.counted(section):
        for prefix in prefixes:
            counts[number][prefix] = counts[number].get(prefix, 0) + pages
    return [
        {prefix for prefix, count in found.items() if count >= SECTION_SHARE * size[number]}
        for number, found in enumerate(counts)
    ]


def _longest(shared: set[str]) -> str | None:
    return max(shared, key=len, default=None)
