"""Small sections that nothing ties to any site -> the site of their neighbours in the address.

A page without a menu that nobody links is placed by where it stands: in a folder whose other pages are of one site, it
is of that site; among pages that are all as lonely as itself, it is one of them. The narrowest place that has others
decides: its folder, then the folder above, at last the host. A place that several sites share says nothing, and neither
does anything above it, nor what lies outside a person's own folder (``~name``). Where other evidence speaks against,
as it does for the small sisters of a large site, the address has no say.

How far a place is trusted is counted: the share of its pages that are of its largest site, drawn towards the mean of
all places of the same depth. Its log odds are the vote.
"""

from collections import Counter
from collections.abc import Mapping
from collections.abc import Set as AbstractSet

import numpy as np
from numpy.typing import NDArray

from sitestrata.sites.places import Places
from sitestrata.sites.trust import log_odds

__all__ = ["neighbour_votes"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


def neighbour_votes(
    where: Places,
    section: Ints,
    site: Ints,
    is_core: NDArray[np.bool_],
    apart: AbstractSet[tuple[int, int]] = frozenset(),
) -> tuple[Ints, Ints, Floats]:
    """Return pairs of sections, one that is nowhere at home and one of the site it goes to, and the vote for it.

    Args:
        where: the places of the pages.
        section: section of each page.
        site: site of each section, as far as it was found.
        is_core: which sections are a site, or a part of one, by themselves.
        apart: pairs of sites that other evidence speaks against, the one that is nowhere at home first.

    """
    has_home = np.zeros(len(site), np.bool_)
    has_home[site[is_core]] = True
    lonely: dict[int, tuple[str, ...]] = {}  # by site: the places, host first, that all its pages are in
    placed: dict[str, Counter[int]] = {}
    largest: dict[int, Counter[int]] = {}
    for number, places, pages in where.counted(section):
        its_site = int(site[number])
        if has_home[its_site]:
            largest.setdefault(its_site, Counter())[number] += pages
            for place in places:
                placed.setdefault(place, Counter())[its_site] += pages
        elif its_site in lonely:
            lonely[its_site] = tuple(place for place in lonely[its_site] if place in places)
        else:
            lonely[its_site] = places
    trust = _trust_by_depth(placed)
    votes: list[tuple[int, int, float]] = []
    for depth in sorted(trust, reverse=True):
        here: dict[str, list[int]] = {}
        for unit, places in lonely.items():
            if len(places) > depth:
                here.setdefault(places[depth], []).append(unit)
        for place in sorted(here):
            units = sorted(here[place])
            if place in placed:
                best, pages = min(placed[place].items(), key=lambda item: (-item[1], item[0]))
                vote = log_odds((pages + trust[depth]) / (placed[place].total() + 1))
                home = min(largest[best], key=lambda number: (-largest[best][number], number))
                leaving = units
            else:
                best, leaving = units[0], units[1:]
                vote, home = log_odds(trust[depth]), best
            if vote > 0:
                votes += [(unit, home, vote) for unit in leaving if (unit, best) not in apart]
            for unit in leaving if vote > 0 or place in placed else ():
                del lonely[unit]
            if place.rpartition("/")[2].startswith("~"):
                for unit in units:
                    lonely.pop(unit, None)
    small, large = (np.array([vote[end] for vote in votes], np.int64) for end in (0, 1))
    return small, large, np.array([vote[2] for vote in votes])


def _trust_by_depth(placed: Mapping[str, Counter[int]]) -> dict[int, float]:
    """Return for each depth of the address the mean share of the largest site; one more place is taken to be a site."""
    shares: dict[int, list[float]] = {depth: [1.0] for depth in range(4)}
    for place in sorted(placed):
        shares[place.count("/")].append(max(placed[place].values()) / placed[place].total())
    return {depth: sum(found) / len(found) for depth, found in shares.items()}
