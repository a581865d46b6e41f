"""The main menus of sites of a few pages, as sites of the same make show where they stand.

A list on one or two pages is no menu by itself. But a page that is built like the entry page of another site (its
links stand at the same DOM paths) has its main menu where that one has it.

Paper: MenuMiner 6.4

Differences from the paper: it has no menu for a site of fewer than three pages.
"""

from collections.abc import Mapping

from sitestrata.menus.front_page import FrontLink, FrontPage

__all__ = ["menus_like_others"]

SAME_MAKE = 0.5  # likeness (Jaccard) of the paths of two pages
MANY_MAKES = 40  # sites with a menu at one path that are compared; more are of the same make
MIN_ITEMS = 2


def menus_like_others(
    fronts: Mapping[int, FrontPage], bars: Mapping[int, frozenset[int]]
) -> dict[int, list[FrontLink]]:
    """Return the links that stand where a site of the same make has its main menu, by site.

    Args:
        fronts: entry pages by site.
        bars: segments of the main menu on the entry page, of sites that surely have one.
    """
    places = {
        owner: {path for segment, path in fronts[owner].paths.items() if segment in bar} for owner, bar in bars.items()
    }
    holders: dict[str, list[int]] = {}
    for owner in sorted(places):
        for path in places[owner]:
            holders.setdefault(path, []).append(owner)
    makes = {owner: frozenset(front.paths.values()) for owner, front in fronts.items()}
    found: dict[int, list[FrontLink]] = {}
    for owner in sorted(fronts.keys() - bars.keys()):
        front, make = fronts[owner], makes[owner]
        others = {other for path in make for other in holders.get(path, ())[:MANY_MAKES]}
        likeness = {other: len(make & makes[other]) / len(make | makes[other]) for other in others}
        alike = [other for other in others if likeness[other] >= SAME_MAKE]
        if alike:
            twin = max(alike, key=lambda other: (likeness[other], -other))
            links: dict[int, FrontLink] = {}
            for link in front.links:
                if front.paths.get(link.segment) in places[twin]:
                    links.setdefault(link.target, link)
            if len(links) >= MIN_ITEMS:
                found[owner] = list(links.values())
    return found
