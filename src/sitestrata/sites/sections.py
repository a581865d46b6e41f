"""Linked pages vote whether they belong together; the best partition of the votes are the *sections*.

A section is a set of pages that share their navigation and their make so plainly that no person would part them: a
small site as a whole, or a version, a language, a book, a generated sub-site of a larger one. Sections are the atoms
that `sitestrata.sites.boundaries` joins to sites.

Only pages that link each other vote, and pages that share targets which were not captured, so the work is linear in
the links. The vote of two pages is the log odds that they are of one section: it grows with the rare link targets and
files that both carry and with the likeness of their templates, and it is negative where they share next to nothing.
That is what keeps an organisation's bar from joining its sites: a page and the foreign home page in its bar have only
the bar in common, which everybody has.

Sister sites of one template link the large one all over their texts. Their pages carry its addresses, but not where its
own pages have them. So two pages of one template that have other links in the same steady places
(`sitestrata.sites.fixtures`) vote against; where templates differ, fixtures that differ too say a little.

A page with hardly any link looks like everything it links. Such *thin* pages have no say in how the others are parted:
each follows the section that it is pulled to most, instead of gluing two together.

The sum of the votes inside sections is the objective; the partition that makes it (nearly) largest is found by
`sitestrata.graph.contraction`.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sitestrata.graph.contraction import agreement, best_partition
from sitestrata.graph.incidence import row_cosines
from sitestrata.graph.link_graph import positions_of
from sitestrata.graph.numbering import numbered
from sitestrata.sites.evidence import PageEvidence
from sitestrata.sites.fixtures import foreignness

__all__ = ["PageVotes", "Sections", "find_sections", "page_votes"]

# Log odds by logistic regression on linked pairs of pages of one collection, confirmed on others; any weights within a
# factor of two of these give sections of the same purity.
VOTE_BIAS = -4.0
VOTE_TWO_WAY = 2.7  # each links the other
VOTE_TARGETS = 8.5  # times the cosine of the link targets
VOTE_TEMPLATE = 3.0  # times the cosine of the ways to their links
VOTE_FOREIGN = 80.0  # against: pages of one template that have other links in the same places
VOTE_STRANGE = 4.0  # against: the same, whatever their templates: each has fixtures, and they are other ones
VOTE_MAKE = 12.6  # times sqrt(cosine of the targets * cosine of the files): files alone may be a platform's
UNSEEN_COLUMNS = 0.5  # prior of the cosines: two pages with one rare link each are not yet twins
UNSEEN_FILES = 1.0
THIN_TARGETS = 3  # a page that links fewer others is thin
VOTE_LIMIT = 20.0  # no single pair may outvote dozens of others


@dataclass(frozen=True, slots=True)
class PageVotes:
    """Signed votes of linked pairs of pages: ``u < v``, each pair once, sorted."""

    u: NDArray[np.int64]
    v: NDArray[np.int64]
    weight: NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Sections:
    """The partition into sections: ``section[i]`` is the number of page ``i``'s section, counted in page order."""

    section: NDArray[np.int64]
    size: NDArray[np.int64]
    votes: PageVotes
    agreement: float  # sum of the votes inside sections


def page_votes(evidence: PageEvidence) -> PageVotes:
    """Return the votes of pairs of pages of which one links the other, or that have a menu of pages not captured."""
    count = max(len(evidence), 1)
    linked = evidence.linked[0] * count + evidence.linked[1]
    beside = evidence.beside[0] * count + evidence.beside[1]
    beside = beside[~positions_of(linked, beside)[1]]
    pairs = np.concatenate([linked, beside])
    are_linked = np.arange(len(pairs)) < len(linked)
    both_ways = np.concatenate([evidence.both_ways, np.zeros(len(beside), np.bool_)])
    u, v = pairs // count, pairs % count
    targets = row_cosines(evidence.targets, u, v, prior=UNSEEN_COLUMNS)
    files = row_cosines(evidence.resources, u, v, prior=UNSEEN_FILES)
    template = row_cosines(evidence.template, u, v)
    foreign = foreignness(evidence.fixtures, u, v)
    weight = (
        VOTE_BIAS
        + VOTE_TWO_WAY * both_ways
        + VOTE_TARGETS * targets
        + VOTE_MAKE * np.sqrt(targets * files)
        + VOTE_TEMPLATE * template
        - (VOTE_FOREIGN * template + VOTE_STRANGE) * foreign
    )
    # Pages that no link holds to any other are held by what they share; for others links say more. That two pages do
    # not link each other and have little in common is no sign that they are of different sections.
    is_held = np.zeros(len(evidence), np.bool_)
    held = are_linked & (weight > 0)
    is_held[u[held]] = True
    is_held[v[held]] = True
    counts = are_linked | ((weight > 0) & ~(is_held[u] & is_held[v]))
    order = np.flatnonzero(counts)[np.argsort(pairs[counts])]
    return PageVotes(u[order], v[order], np.clip(weight[order], -VOTE_LIMIT, VOTE_LIMIT))


def find_sections(evidence: PageEvidence) -> Sections:
    """Part the pages into sections."""
    votes = page_votes(evidence)
    is_thin = np.diff(evidence.targets.indptr) <= THIN_TARGETS  # every page also stands among its own targets
    counts = ~(is_thin[votes.u] | is_thin[votes.v])
    part = best_partition(len(evidence), votes.u[counts], votes.v[counts], votes.weight[counts])
    part = _follow(part, is_thin, votes)
    section = numbered(part)[1]
    return Sections(section, np.bincount(section), votes, agreement(section, votes.u, votes.v, votes.weight))


def _follow(part: NDArray[np.int64], is_thin: NDArray[np.bool_], votes: PageVotes) -> NDArray[np.int64]:
    """Give each thin page to the part of other pages that its votes pull it to most, if they do."""
    count = max(len(part), 1)
    thin = np.concatenate([votes.u, votes.v])
    other = np.concatenate([votes.v, votes.u])
    weight = np.concatenate([votes.weight, votes.weight])
    asked = is_thin[thin] & ~is_thin[other]
    cells, place = numbered(thin[asked] * count + part[other[asked]])
    pull = np.bincount(place, weights=weight[asked], minlength=len(cells))
    pulled = pull > 0
    page, target, pull = cells[pulled] // count, cells[pulled] % count, pull[pulled]
    order = np.lexsort((-target, pull))  # the strongest last, the smaller number on a tie
    followed = part.copy()
    followed[page[order]] = target[order]
    return followed
