"""Sections of one host that look the same and are called the same: decks of slides, manual pages of each release.

They have no name, no make and mostly no menu of their own, so no person takes them for sites; but nothing leads back
from them, and one link leads there. Two sections are *twins* if they lie on one host and the ways to links, and the
words of titles, that most of their pages have are the same. What several twins are tied to is what they are parts of.
Sister sites differ in their titles, versions of a site that has a name and a menu of its own mostly in both.
"""

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sitestrata.graph.incidence import Incidence, keep_entries, merge_rows
from sitestrata.sites.evidence import PageEvidence
from sitestrata.sites.places import Places

__all__ = ["twin_parts"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

_Kind = tuple[str, tuple[int, ...], tuple[int, ...]]  # host, ways, words

MOST_PAGES = 0.5  # share of a section's pages that must have a way or a word for it to be the section's
FEWEST_TWINS = 2  # that are tied to one other section


def twin_parts(
    evidence: PageEvidence, section: Ints, is_core: NDArray[np.bool_], pairs: tuple[Ints, Ints], votes: Floats
) -> NDArray[np.bool_]:
    """Tell which pairs of sections are a twin and what it is a part of: of its ties on its host the best one.

    Args:
        evidence: the pages of the collection.
        section: section of each page.
        is_core: which sections are large enough to be looked at.
        pairs: sections of which one links the other.
        votes: log odds of each pair.
    """
    home = _hosts(evidence.places, section, len(is_core))
    kind = _kinds(evidence, section, is_core, home)
    best: dict[int, tuple[float, int, int]] = {}  # of each twin: the vote, the other section (negative), the pair
    for pair, (a, b) in enumerate(zip(pairs[0].tolist(), pairs[1].tolist(), strict=True)):
        for one, other in ((a, b), (b, a)):
            if kind[one] and is_core[other] and kind[other] != kind[one] and home[other] == home[one]:
                best[one] = max(best.get(one, (-np.inf, 0, 0)), (float(votes[pair]), -other, pair))
    followers = Counter((kind[one], other) for one, (_, other, _) in best.items())
    parts = np.zeros(len(votes), np.bool_)
    parts[[pair for one, (_, other, pair) in best.items() if followers[kind[one], other] >= FEWEST_TWINS]] = True
    return parts


def _hosts(places: Places, section: Ints, count: int) -> list[str]:
    """Return the host that most pages of each section are on."""
    pages: list[Counter[str]] = [Counter() for _ in range(count)]
    for number, prefixes, many in places.counted(section):
        pages[number][prefixes[0]] += many
    return [min(found, key=lambda name: (-found[name], name)) for found in pages]


def _kinds(
    evidence: PageEvidence, section: Ints, is_core: NDArray[np.bool_], home: Sequence[str]
) -> list[_Kind | None]:
    """Return what each section that has a twin looks like; None for all others."""
    ways = _of_most_pages(evidence.template, section, len(home))
    words = _of_most_pages(evidence.title_words, section, len(home))
    kinds = [
        (name, way, word) if large and way and word else None
        for name, way, word, large in zip(home, ways, words, is_core.tolist(), strict=True)
    ]
    many = Counter(kinds)
    return [kind if many[kind] >= FEWEST_TWINS else None for kind in kinds]


def _of_most_pages(matrix: Incidence, section: Ints, count: int) -> list[tuple[int, ...]]:
    profile = merge_rows(matrix, section, count)
    profile = keep_entries(profile, profile.values >= MOST_PAGES)
    return [
        tuple(profile.indices[begin:end].tolist())
        for begin, end in zip(profile.indptr[:-1].tolist(), profile.indptr[1:].tolist(), strict=True)
    ]
