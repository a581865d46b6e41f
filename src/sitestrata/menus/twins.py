"""The main menus of sites of a few pages, as sites of the same make show where they stand.

A list on one or two pages is no menu by itself. But a page that is built like the entry page of another site (its
links stand at the same DOM paths) has its main menu where that one has it.

Paper: MenuMiner 6.4

Differences from the paper: it has no menu for a site of fewer than three pages.
"""

from collections import Counter
from collections.abc import Mapping

from sitestrata.menus.front_page import FrontLink, FrontPage

__all__ = ["menus_like_others"]

SAME_MAKE = 0.5  # likeness (Jaccard) of the places of two pages
MANY_MAKES = 40  # sites with a menu at one path that are compared; more are of the same make
MIN_ITEMS = 2

Place = tuple[str, int]  # a DOM path, and which of the segments with it


def menus_like_others(
    fronts: Mapping[int, FrontPage], bars: Mapping[int, frozenset[int]]
) -> dict[int, list[FrontLink]]:
    """Return the links that stand where a site of the same make has its main menu, by site.

    Args:
        fronts: entry pages by site.
        bars: segments of the main menu on the entry page, of sites that surely have one.
    """
    places = {owner: _places(front) for owner, front in fronts.items()}
    makes = {owner: frozenset(some.values()) for owner, some in places.items()}
    bar_places = {
        owner: {place for segment, place in places[owner].items() if segment in bar} for owner, bar in bars.items()
    }
    holders: dict[Place, list[int]] = {}
    for owner in sorted(bars):
        for place in bar_places[owner]:
            holders.setdefault(place, []).append(owner)
    found: dict[int, list[FrontLink]] = {}
    for owner in sorted(fronts.keys() - bars.keys()):
        front, make = fronts[owner], makes[owner]
        others = {other for place in make for other in holders.get(place, ())[:MANY_MAKES]}
        likeness = {other: len(make & makes[other]) / len(make | makes[other]) for other in others}
        alike = [other for other in others if likeness[other] >= SAME_MAKE]
        if alike:
            twin = max(alike, key=lambda other: (likeness[other], -other))
            links: dict[int, FrontLink] = {}
            for link in front.links:
                if places[owner].get(link.segment) in bar_places[twin]:
                    links.setdefault(link.target, link)
            if len(links) >= MIN_ITEMS:
                found[owner] = list(links.values())
    return found


def _places(front: FrontPage) -> dict[int, Place]:
    """Return where each segment stands; where nothing has a name, several stand at one path."""
    seen: Counter[str] = Counter()
    places: dict[int, Place] = {}
    for segment in sorted(front.paths):
        path = front.paths[segment]
        places[segment] = (path, seen[path])
        seen[path] += 1
    return places
