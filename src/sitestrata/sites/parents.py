"""Which site stands above which: a department under its university, a chapter under its organisation.

A site is *below* another if most of its pages link the other and its entry page lies inside the other's place: in a
folder below the other's entry page, or on another host of the domain whose own (or ``www``) host the other's entry page
stands for. Where addresses may not be looked at, it is below the site whose entry page most of its pages link, while
few pages of that one link back to its own.
"""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from sitestrata.graph.numbering import distinct_pairs
from sitestrata.sites.evidence import PageEvidence
from sitestrata.sites.places import prefixes
from sitestrata.urls import host, registered_domain

__all__ = ["leads_up", "parent_sites"]

Ints = NDArray[np.int64]

MOST = 0.5  # share of a site's pages that link the entry page of the site above it
ANSWERED = 0.25  # share of that one's pages, at most, that link back
SOME_PAGES = 3  # a site of one page that mentions another one is no part of it


def parent_sites(evidence: PageEvidence, site: Ints, entry: Ints, *, url_evidence: bool = True) -> list[int | None]:
    """Return for each site, by its number, the number of the site that it is a part of; never in a circle."""
    size = np.bincount(site, minlength=len(entry))
    to_site = site[evidence.target]
    across = site[evidence.source] != to_site
    reaches = _page_shares(evidence.source[across], to_site[across], site, size)
    to_entry = across & (entry[to_site] == evidence.target)
    enters = _page_shares(evidence.source[to_entry], to_site[to_entry], site, size)
    places = [_places(evidence.url[page]) for page in entry.tolist()] if url_evidence else [("", "", 0)] * len(entry)
    best: dict[int, tuple[int, float, int]] = {}
    for (below, above), reach in reaches.items():
        if reach < MOST:
            continue
        up, down = enters.get((below, above), 0.0), enters.get((above, below), 0.0)
        depth = _depth_inside(places[below], places[above])
        is_under = not url_evidence and size[below] >= SOME_PAGES and up >= MOST and 0 < down <= ANSWERED
        if depth > 0 or is_under:
            best[below] = max(best.get(below, (0, 0.0, -len(entry))), (depth, up, -above))
    above_of: dict[int, int] = {}
    for below in sorted(best):
        above = -best[below][2]
        if not leads_up(above, below, above_of):
            above_of[below] = above
    return [above_of.get(number) for number in range(len(entry))]


def leads_up(site: int, wanted: int, above: Mapping[int, int]) -> bool:
    """Tell whether a site is, or stands below, the one that is wanted."""
    climber: int | None = site
    while climber is not None and climber != wanted:
        climber = above.get(climber)
    return climber is not None


def _page_shares(page: Ints, to_site: Ints, site: Ints, size: Ints) -> dict[tuple[int, int], float]:
    """Return for pairs of sites the share of the first one's pages that have a link to the second."""
    width = max(len(size), 1)
    page, to_site = distinct_pairs(page, to_site)
    pairs, counts = np.unique(site[page] * width + to_site, return_counts=True)
    return {
        divmod(pair, width): count / int(size[pair // width])
        for pair, count in zip(pairs.tolist(), counts.tolist(), strict=True)
    }


def _places(url: str) -> tuple[str, str, int]:
    """Return the folder an entry page stands for, the domain if it stands for all of it, and the folder's depth."""
    below = prefixes(url)
    name = host(url)
    domain = registered_domain(url)
    stands_for_domain = len(below) == 1 and name in (domain, f"www.{domain}")
    return below[-1] + "/", domain if stands_for_domain else "", len(below)


def _depth_inside(inner: tuple[str, str, int], outer: tuple[str, str, int]) -> int:
    """Return how deep a place lies that the inner one is inside of; 0 if it is not inside."""
    if not inner[0] or inner[0] == outer[0]:
        return 0
    if inner[0].startswith(outer[0]):
        return 1 + outer[2]
    if outer[1] and not inner[1]:
        name = inner[0].partition("/")[0]
        return 1 if name.endswith(f".{outer[1]}") else 0
    return 0
