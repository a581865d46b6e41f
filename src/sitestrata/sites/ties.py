"""How sections are tied to one another: by links both ways, by what they carry, by their titles.

For two sections of which one links the other, seen from the smaller one:

- *attention*: the share of its links out of the section that go to the other, and the share of its pages that have one;
- *patronage*: the share of the links into it that come from the other;
- *return*: the share of the other's outgoing links that come back;
- the cosines of their templates and of their title words, an entry being the share of the section's pages that carry
  it, and rarity being counted over sections, not pages. (Common link targets and files have done their work when the
  sections were made; among sections they add nothing.)

A section that many others point to (an organisation's home, a portal, a licence page) is a *hub*: pointing to it says
little, so attention paid to it is damped by the number of sections that do.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sitestrata.graph.incidence import Incidence, merge_rows, row_cosines
from sitestrata.sites.evidence import PageEvidence

__all__ = ["Ties", "find_ties"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

HUB_SECTIONS = 10.0  # so many sections that all point to one halve the weight of pointing to it
LINKS_OUT_PRIOR = 0.2  # links a page; a section with next to no links out pays no attention to anybody
LINKS_IN_PRIOR = 3.0  # links; one link into a section is no patronage yet
TITLE_SHARE = 0.2  # a title word is the section's if this share of its pages has it


@dataclass(frozen=True, slots=True)
class Ties:
    """Pairs of sections, ``small`` being the one with fewer pages, and how they are tied; all between 0 and 1."""

    small: Ints
    large: Ints
    attention: Floats
    reach: Floats  # share of the small one's pages that link the large one, damped for hubs
    patronage: Floats
    answer: Floats  # the large one's attention
    template: Floats
    titles: Floats

    def __len__(self) -> int:
        """Return the number of pairs."""
        return len(self.small)


def find_ties(evidence: PageEvidence, section: Ints, size: Ints) -> Ties:
    """Return the ties of all pairs of sections of which one links the other."""
    count = max(len(size), 1)
    from_section, to_section = section[evidence.source], section[evidence.target]
    across = from_section != to_section
    pair = from_section[across] * count + to_section[across]
    keys, links = np.unique(pair, return_counts=True)
    reaching = np.unique(np.stack([pair, evidence.source[across]]), axis=1)[0]
    pages_reaching = np.unique(reaching, return_counts=True)[1] if len(reaching) else np.zeros(0, np.int64)
    giver, taker = keys // count, keys % count
    mean_links = links / size[giver]
    reach = pages_reaching / size[giver]
    out = np.bincount(giver, weights=mean_links, minlength=count) + LINKS_OUT_PRIOR
    into = np.bincount(taker, weights=links, minlength=count) + LINKS_IN_PRIOR
    damping = 1 / (1 + np.bincount(taker, weights=reach, minlength=count) / HUB_SECTIONS)
    attention = mean_links / out[giver] * damping[taker]
    patronage = links / into[taker]

    pairs = np.unique(np.minimum(giver, taker) * count + np.maximum(giver, taker))
    a, b = pairs // count, pairs % count
    is_smaller = (size[a] < size[b]) | ((size[a] == size[b]) & (a < b))
    small, large = np.where(is_smaller, a, b), np.where(is_smaller, b, a)

    def directed(values: Floats, source: Ints, target: Ints) -> Floats:
        wanted = source * count + target
        place = np.minimum(np.searchsorted(keys, wanted), max(len(keys) - 1, 0))
        found: Floats = np.where(keys[place] == wanted, values[place], 0.0) if len(keys) else np.zeros(len(wanted))
        return found

    def alike(matrix: Incidence, *, least_share: float = 0.0, is_name: bool = False) -> Floats:
        profile = _at_least(merge_rows(matrix, section, count), least_share)
        return row_cosines(profile, small, large, single_rows=is_name)

    return Ties(
        small=small,
        large=large,
        attention=directed(attention, small, large),
        reach=directed(reach * damping[taker], small, large),
        patronage=directed(patronage, large, small),
        answer=directed(attention, large, small),
        template=alike(evidence.template),
        titles=alike(evidence.title_words, least_share=TITLE_SHARE, is_name=True),
    )


def _at_least(profile: Incidence, share: float) -> Incidence:
    """Keep the entries of at least this value."""
    if share <= 0:
        return profile
    keep = profile.values >= share
    kept_before = np.concatenate([[0], np.cumsum(keep)])
    return Incidence(
        kept_before[profile.indptr].astype(np.int64), profile.indices[keep], profile.values[keep], profile.column_count
    )
