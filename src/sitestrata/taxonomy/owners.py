"""Home pages -> their owners: two editions of one portal have one vote.

Sites whose registered names are alike (example.com, example.co.uk, news.example.com) have one owner if their labels are
alike too: projects of one foundation share its domain and little else. Without a common name the labels must be
almost the same.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from math import ceil

from sitestrata.taxonomy.trees import SiteTree, naming
from sitestrata.taxonomy.words import jaccard, words
from sitestrata.urls import host, registered_domain

__all__ = ["assign_owners", "site_owners"]

MAX_WORDS = 2  # of the labels that are compared: headlines differ from day to day
SAME_NAME = (
    0.45  # of the smaller site's labels; development data: editions of one portal .56, projects of one domain .36
)
OTHER_NAME = 0.8  # of two sites with different names: mirrors
MIRROR_LABELS = 20  # that a site must have to be known as a mirror: small menus are alike everywhere


def assign_owners(trees: Sequence[SiteTree]) -> list[SiteTree]:
    """Return the trees with the owner of each site; an owner is called by the first of its hosts."""
    by_site: dict[int, set[str]] = defaultdict(set)
    hosts: dict[int, str] = {}
    for tree in trees:
        by_site[tree.site].update(label for _, label in naming(tree))
        name = host(tree.url)
        hosts[tree.site] = min(hosts.get(tree.site, name), name)
    owners = site_owners(by_site, hosts)
    return [replace(tree, owner=owners[tree.site]) for tree in trees]


def site_owners(by_site: Mapping[int, Collection[str]], hosts: Mapping[int, str]) -> dict[int, str]:
    """Return the owner of each site, by the labels that name something there and by its host."""
    sites = sorted(by_site, key=lambda site: (hosts[site], site))
    labels = {site: frozenset(label for label in by_site[site] if len(words(label)) <= MAX_WORDS) for site in sites}
    printed = Counter(label for some in labels.values() for label in some)
    names = {site: _name(hosts[site]) for site in sites}
    owner: dict[int, int] = {}
    first: dict[str, list[int]] = defaultdict(list)  # name, or label that few print -> owners known so far
    for place, site in enumerate(sites):
        keys = [f"name {names[site]}", *_telling(labels[site], printed)]
        others = sorted({other for key in keys for other in first[key]})
        alike = (sites[other] for other in others if _is_one(names, labels, site, sites[other]))
        owner[site] = next(alike, site)
        if owner[site] == site:
            for key in keys:
                first[key].append(place)
    return {site: _owner_name(hosts, owner[site]) for site in sites}


def _owner_name(hosts: Mapping[int, str], site: int) -> str:
    return f"{hosts[site]} {site}"  # several sites of one host may have different owners


def _telling(labels: frozenset[str], printed: Mapping[str, int]) -> list[str]:
    """Return the labels of which two mirrors must share one: the rarest, as many as they may differ in, and one.

    Nothing else is compared, so that the work does not grow with the square of the sites.
    """
    if len(labels) < MIRROR_LABELS:
        return []
    rarest = sorted(labels, key=lambda label: (printed[label], label))
    return [f"label {label}" for label in rarest[: len(labels) - ceil(OTHER_NAME * len(labels)) + 1]]


def _is_one(names: dict[int, str], labels: dict[int, frozenset[str]], site: int, other: int) -> bool:
    smaller = min(len(labels[site]), len(labels[other]))
    if names[site] == names[other]:
        return len(labels[site] & labels[other]) >= SAME_NAME * smaller > 0
    return jaccard(labels[site], labels[other]) >= OTHER_NAME and smaller >= MIRROR_LABELS


def _name(host_name: str) -> str:
    """Return the registered name without its public suffix: "example" of news.example.co.uk."""
    return registered_domain(f"http://{host_name}/").partition(".")[0] or host_name
