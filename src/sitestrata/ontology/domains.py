"""Sites with the labels of their entry pages -> domains: groups of sites that speak of the same things.

Two sites overlap by the share of their labels that are the same, each label counting the more the fewer sites print it:
"Home" and "Contact" join little in a collection where everybody prints them. Groups are joined from the strongest
overlap down as long as their sites overlap enough on average, so that no chain of chance overlaps joins everything.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from heapq import heapify, heappop, heappush
from itertools import accumulate

import numpy as np

__all__ = ["find_domains"]

MIN_SHARED = 4  # labels
# Of the labels of two sites that others print too, by weight: shared over the geometric mean. Labels of one site alone
# (headlines, products) say how much it prints, not what it is about. Development data: .06 to .12 do alike.
MIN_OVERLAP = 0.1
MAX_SITES = 400  # that print a label which may still bring sites together
MAX_PAIRS = 20_000_000  # of sites that a label brings together, over all labels: about a gigabyte


def find_domains(labels: Mapping[int, frozenset[str]], *, owners: Mapping[int, str] | None = None) -> list[list[int]]:
    """Return groups of at least two sites of different owners, each sorted; the largest first."""
    printed = Counter(label for some in labels.values() for label in some)
    total = len(labels)
    weight = {label: math.log(1 + total / times) for label, times in printed.items()}
    size = {site: sum(weight[label] for label in some if printed[label] > 1) for site, some in labels.items()}
    overlaps = {
        (one, two): common / math.sqrt(size[one] * size[two])
        for one, two, common in _common(labels, _joining(printed), weight)
    }
    members = _average_link(sorted(labels), overlaps)
    found = [
        some
        for some in members.values()
        if len(some) >= 2 and (owners is None or len({owners[site] for site in some}) >= 2)
    ]
    return sorted(found, key=lambda some: (-len(some), some[0]))


def _joining(printed: Mapping[str, int]) -> frozenset[str]:
    """Return the labels that bring sites together: those of fewest sites first, until there are too many pairs."""
    found = sorted((times, label) for label, times in printed.items() if 2 <= times <= MAX_SITES)
    pairs = accumulate(times * (times - 1) // 2 for times, _ in found)
    return frozenset(label for (_, label), upto in zip(found, pairs, strict=True) if upto <= MAX_PAIRS)


def _common(
    labels: Mapping[int, frozenset[str]], joining: frozenset[str], weight: Mapping[str, float]
) -> Iterator[tuple[int, int, float]]:
    """Yield pairs of sites that share labels enough, and the weight of what they share."""
    sites = sorted(labels)
    by_label: dict[str, list[int]] = defaultdict(list)
    for place, site in enumerate(sites):
        for label in labels[site] & joining:
            by_label[label].append(place)
    if not by_label:
        return
    codes, weights = [], []
    for label, places in sorted(by_label.items()):
        one, two = np.triu_indices(len(places), 1)
        members = np.array(places)
        codes.append(members[one] * len(sites) + members[two])
        weights.append(np.full(len(one), weight[label]))
    pairs, pair, times = np.unique(np.concatenate(codes), return_inverse=True, return_counts=True)
    common = np.bincount(pair, weights=np.concatenate(weights))
    enough = times >= MIN_SHARED
    for code, shared in zip(pairs[enough].tolist(), common[enough].tolist(), strict=True):
        yield sites[code // len(sites)], sites[code % len(sites)], shared


def _average_link(sites: list[int], overlaps: Mapping[tuple[int, int], float]) -> dict[int, list[int]]:
    """Join groups of sites while the mean overlap between two of them is large enough."""
    members = {site: [site] for site in sites}
    between: dict[int, dict[int, float]] = {site: {} for site in sites}
    for (one, two), overlap in overlaps.items():
        between[one][two] = between[two][one] = overlap
    heap = [(-overlap, one, two, 1, 1) for (one, two), overlap in overlaps.items() if overlap >= MIN_OVERLAP]
    heapify(heap)
    while heap:
        _, one, two, ours, theirs = heappop(heap)
        if one not in members or two not in members or (len(members[one]), len(members[two])) != (ours, theirs):
            continue  # one of them has grown since
        members[one] = sorted(members[one] + members.pop(two))
        for other, total in between.pop(two).items():
            if other != one:
                between[one][other] = between[one].get(other, 0.0) + total
                between[other][one] = between[one][other]
            between[other].pop(two, None)
        for other, total in sorted(between[one].items()):
            mean = total / (len(members[one]) * len(members[other]))
            if mean >= MIN_OVERLAP:
                first, second = sorted((one, other))
                heappush(heap, (-mean, first, second, len(members[first]), len(members[second])))
    return members
