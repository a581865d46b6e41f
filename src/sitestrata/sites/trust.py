"""How far an address can be trusted to name a site: learned from the collection itself.

On one collection a host is a project and all its sections belong together; on another it is a shared server with seven
unrelated manuals. So no level of the address has a fixed weight. For each prefix (a host, a host with its first folder,
...) that holds several sections we ask how many of them are tied to another section of the same prefix by evidence that
has nothing to do with addresses. That share, drawn towards the mean of all prefixes of the same depth, is the trust in
the prefix; its log odds are the vote of the address.

Two sections on different hosts are judged by the hosts: of all pairs of hosts with a link between them, the share that
has a section in common. That is next to none on most collections, and hosts that do share one count as one host.
"""

from collections.abc import Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from sitestrata.urls import host

__all__ = ["address_votes", "prefixes"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

MAX_FOLDERS = 3
MAX_HOSTS = 8  # of one section; more are pages that were thrown together
SECTION_SHARE = 0.8  # a prefix is the section's if this share of its pages has it
TRUST_PRIOR = 2.0  # sections; how many are needed before a prefix speaks for itself
TRUST_LIMIT = 0.02  # trust is never nearer to 0 or 1: keeps one address from outvoting everything


def prefixes(url: str) -> list[str]:
    """Return the host of an address, the host with its first folder, and so on.

    >>> prefixes("http://a.example/x/y/page.html")
    ['a.example', 'a.example/x', 'a.example/x/y']
    """
    path = url.split("://", 1)[-1].split("?", 1)[0].split("/")[1:-1]
    found = [host(url)]
    for folder in path[:MAX_FOLDERS]:
        found.append(f"{found[-1]}/{folder}")
    return found


def address_votes(
    urls: Sequence[str],
    section: Ints,
    size: Ints,
    small: Ints,
    large: Ints,
    tie_votes: Floats,
    is_core: NDArray[np.bool_],
) -> Floats:
    """Return the log odds by address that two sections belong together, for each pair of sections.

    Args:
        urls: address of each page.
        section: section of each page.
        size: number of pages of each section.
        small: one section of each pair.
        large: the other one.
        tie_votes: log odds of the pair by all other evidence; this is what prefixes are judged by.
        is_core: which sections prefixes are judged by; a stub that links nothing says nothing about its host.

    """
    homes = _section_prefixes(urls, section, size)
    shared = [_longest(homes[a] & homes[b]) for a, b in zip(small.tolist(), large.tolist(), strict=True)]
    tied = _best_ties(shared, small, large, 1 / (1 + np.exp(-tie_votes)))
    members: dict[str, list[int]] = {}
    for number, found in enumerate(homes):
        for prefix in found:
            members.setdefault(prefix, []).append(number)
    held: dict[str, tuple[float, int]] = {}
    depth_mean: dict[int, list[float]] = {}
    for prefix in sorted(members):
        # The largest section is what the others are tied to or not.
        cores = [number for number in members[prefix] if is_core[number]]
        others = sorted(cores, key=lambda number: (-size[number], number))[1:]
        held[prefix] = (sum(tied.get((prefix, number), 0.0) for number in others), len(others))
        if others:
            depth_mean.setdefault(prefix.count("/"), []).append(held[prefix][0] / len(others))
    votes = _host_votes(urls, section, small, large, homes)
    for pair, prefix_ in enumerate(shared):
        if prefix_ is None:
            continue
        joined, count = held[prefix_]
        means = depth_mean.get(prefix_.count("/"), [])
        # The prefix's own share is left out of the mean it is drawn to; a lone prefix is drawn to one half.
        mean = (sum(means) - (joined / count if count else 0.0) + 0.5) / (len(means) + (0 if count else 1))
        trust = (joined + TRUST_PRIOR * mean) / (count + TRUST_PRIOR)
        votes[pair] = np.log((trust + TRUST_LIMIT) / (1 - trust + TRUST_LIMIT))
    return votes


def _host_votes(urls: Sequence[str], section: Ints, small: Ints, large: Ints, homes: list[set[str]]) -> Floats:
    """Return the vote of each pair of sections that have no prefix in common: how often such hosts share a section."""
    hosts_of: list[set[str]] = [set() for _ in homes]
    for url, number in zip(urls, section.tolist(), strict=True):
        hosts_of[number].add(host(url))
    sharing = {frozenset(pair) for found in hosts_of if 1 < len(found) <= MAX_HOSTS for pair in combinations(found, 2)}
    main = [min((prefix for prefix in found if "/" not in prefix), default="") for found in homes]
    linked = {frozenset((main[a], main[b])) for a, b in zip(small.tolist(), large.tolist(), strict=True)}
    across = sum(1 for pair in linked if len(pair) == 2)
    share = (sum(1 for pair in sharing & linked if len(pair) == 2) + 0.5) / (across + 1)
    apart = np.log((share + TRUST_LIMIT) / (1 - share + TRUST_LIMIT))
    return np.array(
        [
            0.0 if frozenset((main[a], main[b])) in sharing else min(apart, 0.0)
            for a, b in zip(small.tolist(), large.tolist(), strict=True)
        ]
    )


def _section_prefixes(urls: Sequence[str], section: Ints, size: Ints) -> list[set[str]]:
    counts: list[dict[str, int]] = [{} for _ in range(len(size))]
    for url, number in zip(urls, section.tolist(), strict=True):
        for prefix in prefixes(url):
            counts[number][prefix] = counts[number].get(prefix, 0) + 1
    return [
        {prefix for prefix, count in found.items() if count >= SECTION_SHARE * size[number]}
        for number, found in enumerate(counts)
    ]


def _best_ties(
    shared: Sequence[str | None], small: Ints, large: Ints, probability: Floats
) -> dict[tuple[str, int], float]:
    """Return for each prefix and section the strongest tie to another section of that prefix."""
    best: dict[tuple[str, int], float] = {}
    for prefix, a, b, tie in zip(shared, small.tolist(), large.tolist(), probability.tolist(), strict=True):
        level = prefix
        while level:
            for number in (a, b):
                best[level, number] = max(best.get((level, number), 0.0), tie)
            level = level.rpartition("/")[0]
    return best


def _longest(shared: set[str]) -> str | None:
    return max(shared, key=len, default=None)
