"""Candidate concepts -> relevant concepts: three rules remove decoration.

A candidate is dropped if it is no link label, if its link leaves the site, or if the page behind it brings neither new
candidates nor instances. A label that stands at several places stays if one of them passes.

Paper: OntoMiner 5.2
"""

from collections.abc import Callable, Mapping
from dataclasses import replace

from sitestrata.taxonomy.labels import Candidate, Occurrence

__all__ = ["abridge"]

IsInside = Callable[[int, str], bool]  # (site, address) -> does the address belong to the site
Brings = Callable[[str], bool | None]  # address -> new candidates or instances there? None: the page is not at hand


def abridge(candidates: Mapping[str, Candidate], *, is_inside: IsInside, brings: Brings) -> dict[str, Candidate]:
    """Return the candidates that pass the three rules, with the occurrences that do.

    A page that is not at hand cannot be held against its label.
    """
    kept = {}
    for label, candidate in candidates.items():
        places = tuple(place for place in candidate.occurrences if _passes(place, is_inside, brings))
        if places:
            kept[label] = replace(candidate, occurrences=places)
    return kept


def _passes(place: Occurrence, is_inside: IsInside, brings: Brings) -> bool:
    if place.url is None:  # rule 1: not a link label
        return False
    if not is_inside(place.site, place.url):  # rule 2: refers outside
        return False
    return brings(place.url) is not False  # rule 3: a page that brings nothing
