"""How sections are tied to one another: by links both ways, by what they carry, by their titles.

For two sections of which one links the other, seen from the smaller one:

- *attention*: the share of its links out of the section that go to the other;
- *patronage*: the share of the links into it that come from the other;
- *reach*: the share of the pages of the one that link the other, whichever is larger: a sister site links the large one
  from everywhere, a book quotes another book of the same site here and there;
- *breadth*: how many pages of the other it links, and *exchange*: the shares of the pages of each that the other links
  (geometric mean): parts of one site link each other all over, sister sites hardly answer; *even*: how many pages the
  small one has for one of the large one: of two that are as large either may be the sister;
- *meet*: whether they link each other both ways, or a third section both: versions have a common home or none;
- *menus*: whether each has a menu of its own;
- *bar*: whether all that passes between them, both ways, are links to one page each, while each has a menu of its own:
  that is what an organisation's bar on two of its sites looks like; *ring*: whether a third section is tied to both by
  such bars: sites of an organisation all link one another, versions and books only their home;
- *carried*: how much of the large one's menu the pages of the small one carry: parts of a site carry all of it, sisters
  have their own and link some pages of the large one;
- *closed*: the share of all its links, those inside it and to pages that were not captured among them, that go to the
  other, times the share of the links into it that come from there: a stub that leads from a site to the same site;
- *dead end*: the share of the links into one of the two that come from the other, if it has fewer than three pages and
  leads nowhere else: a page without navigation belongs to what lists it;
- *foreign*: how far they have other links in the same places (`sitestrata.sites.fixtures`): sister sites have one
  template and other menus in it. It counts more the smaller the small one is: a book of a site has a menu of its own, a
  page or two that belong to a site have the site's or none;
- the cosines of their templates and of their title words, an entry being the share of the section's pages that carry
  it, and rarity being counted over sections, not pages. (Common link targets and files have done their work when the
  sections were made; among sections they add nothing.)

A section that many others point to (an organisation's home, a portal, a licence page) is a *hub*: pointing to it says
little, so attention paid to it is damped by the number of sections that do.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sitestrata.graph.incidence import (
    Incidence,
    incidence,
    keep_entries,
    merge_rows,
    row_cosines,
    row_dots,
    row_numbers,
)
from sitestrata.graph.numbering import distinct, distinct_pairs
from sitestrata.sites.evidence import PageEvidence
from sitestrata.sites.fixtures import foreignness, merge_fixtures

__all__ = ["Ties", "find_ties"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

HUB_SECTIONS = 10.0  # so many sections that all point to one halve the weight of pointing to it
LINKS_OUT_PRIOR = 0.2  # links a page; a section with next to no links out pays no attention to anybody
PAGE_LINKS_IN_PRIOR = 0.1  # and so many a page
LINKS_IN_PRIOR = 3.0  # links; one link into a section is no patronage yet
FEW_PAGES = 6.0  # sections of so many pages count double what they have that is foreign
MENU_SHARE = 0.5  # a page is in the section's menu if this share of the section's pages links it
MENU_PRIOR = 3.0  # pages; a menu of so many is half a menu
FEW_FOR_A_MENU = 3  # smaller sections may have no navigation of their own
RING_BAR = 0.35  # from here on a bar counts as one of a ring
UNSEEN_PAGES = 3.0  # prior of the exchange: that the one page of a section is linked tells little
TITLE_SHARE = 0.2  # a title word is the section's if this share of its pages has it


@dataclass(frozen=True, slots=True)
class Ties:
    """Pairs of sections, ``small`` being the one with fewer pages, and how they are tied; shares between 0 and 1."""

    small: Ints
    large: Ints
    attention: Floats
    patronage: Floats
    reach: Floats
    even: Floats  # pages of the small one over pages of the large one
    breadth: Floats  # number of pages of the large one that the small one links
    answer: Floats  # number of pages of the small one that the large one links
    meet: NDArray[np.bool_]
    exchange: Floats
    bar: Floats
    ring: NDArray[np.bool_]
    carried: Floats
    menus: Floats
    closed: Floats
    dead_end: Floats
    template: Floats
    foreign: Floats
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
    reaching = distinct_pairs(pair, evidence.source[across])[0]
    pages_reaching = np.unique(reaching, return_counts=True)[1] if len(reaching) else np.zeros(0, np.int64)
    giver, taker = keys // count, keys % count
    mean_links = links / size[giver]
    reach = pages_reaching / size[giver]
    out = np.bincount(giver, weights=mean_links, minlength=count) + LINKS_OUT_PRIOR
    into = np.bincount(taker, weights=links, minlength=count) + LINKS_IN_PRIOR + PAGE_LINKS_IN_PRIOR * size
    damping = 1 / (1 + np.bincount(taker, weights=reach, minlength=count) / HUB_SECTIONS)
    attention = mean_links / out[giver] * damping[taker]
    patronage = links / into[taker]

    pairs = distinct(np.minimum(giver, taker) * count + np.maximum(giver, taker))
    a, b = pairs // count, pairs % count
    is_smaller = (size[a] < size[b]) | ((size[a] == size[b]) & (a < b))
    small, large = np.where(is_smaller, a, b), np.where(is_smaller, b, a)

    def directed(values: Floats, source: Ints, target: Ints) -> Floats:
        wanted = source * count + target
        place = np.minimum(np.searchsorted(keys, wanted), max(len(keys) - 1, 0))
        found: Floats = np.where(keys[place] == wanted, values[place], 0.0) if len(keys) else np.zeros(len(wanted))
        return found

    pages_linked, focus = _spread(keys, pair, evidence.target[across])
    breadth, answer = directed(pages_linked, small, large), directed(pages_linked, large, small)
    both_ways = (breadth > 0) & (answer > 0)
    meet = both_ways | _share_neighbours(small, large, both_ways, count)
    menu = _own_menu(evidence, section, size)
    has_menu = menu / (menu + MENU_PRIOR)
    menus = has_menu[small] * has_menu[large]
    bar = directed(focus, small, large) * directed(focus, large, small) * menus

    carried = np.bincount(
        section, weights=np.diff(evidence.targets.indptr) - 1, minlength=count
    )  # itself is among them
    called = np.bincount(taker, weights=links, minlength=count)
    links_out, links_in = (
        directed(links.astype(np.float64), small, large),
        directed(links.astype(np.float64), large, small),
    )
    closed = links_out / np.maximum(carried[small], 1) * links_in / np.maximum(called[small], 1)

    def dead_end(end: Ints, outward: Floats, inward: Floats) -> Floats:
        """Return how far sections lead nowhere, given their links to the other one and its links to them."""
        leads_nowhere = (size[end] < FEW_FOR_A_MENU) & (carried[end] <= outward)
        return np.where(leads_nowhere, inward / np.maximum(called[end], 1), 0.0)

    fixtures = merge_fixtures(evidence.fixtures, section, count)

    def alike(matrix: Incidence, *, least_share: float = 0.0, is_name: bool = False) -> Floats:
        profile = merge_rows(matrix, section, count)
        profile = keep_entries(profile, profile.values >= least_share)
        return row_cosines(profile, small, large, single_rows=is_name)

    return Ties(
        small=small,
        large=large,
        attention=directed(attention, small, large),
        patronage=directed(patronage, large, small),
        reach=np.maximum(directed(reach, small, large), directed(reach, large, small)),
        even=size[small] / size[large],
        breadth=breadth,
        answer=answer,
        meet=meet,
        exchange=np.sqrt(breadth / (size[large] + UNSEEN_PAGES) * answer / (size[small] + UNSEEN_PAGES)),
        bar=bar,
        ring=_share_neighbours(small, large, bar >= RING_BAR, count),
        carried=_carried(merge_rows(evidence.targets, section, count), small, large),
        menus=menus,
        closed=closed,
        dead_end=np.maximum(dead_end(small, links_out, links_in), dead_end(large, links_in, links_out)),
        template=alike(evidence.template),
        foreign=foreignness(fixtures, small, large) * (1 + FEW_PAGES / size[small]),
        titles=alike(evidence.title_words, least_share=TITLE_SHARE, is_name=True),
    )


def _spread(keys: Ints, pair: Ints, target: Ints) -> tuple[Floats, Floats]:
    """Return for each directed pair how many pages are linked, and the share of links the most linked gets."""
    if not len(keys):
        return np.zeros(0), np.zeros(0)
    width = int(target.max()) + 1
    cells, counts = np.unique(np.searchsorted(keys, pair) * width + target, return_counts=True)
    giver = cells // width
    most = np.zeros(len(keys))
    np.maximum.at(most, giver, counts)
    return np.bincount(giver).astype(np.float64), most / np.bincount(giver, weights=counts)


def _share_neighbours(small: Ints, large: Ints, are_tied: NDArray[np.bool_], count: int) -> NDArray[np.bool_]:
    """Tell which pairs have a third section that is tied to both."""
    a, b = small[are_tied], large[are_tied]
    neighbours = incidence(count, np.concatenate([a, b]), np.concatenate([b, a]))
    found: NDArray[np.bool_] = row_cosines(neighbours, small, large) > 0
    return found


def _carried(profile: Incidence, small: Ints, large: Ints) -> Floats:
    """Return the mean share of the small section's pages that carry a target of the large one's menu."""
    in_menu = profile.values >= MENU_SHARE
    items = np.bincount(row_numbers(profile)[in_menu], minlength=profile.row_count)
    # The menus stand as further rows below the sections', so that one kernel compares a section with a menu.
    both = Incidence(
        np.concatenate([profile.indptr, profile.indptr[-1] + np.cumsum(items)]),
        np.concatenate([profile.indices, profile.indices[in_menu]]),
        np.concatenate([profile.values, np.ones(int(in_menu.sum()))]),
        profile.column_count,
    )
    found: Floats = row_dots(both, small, large + profile.row_count) / np.maximum(items[large], 1)
    return found


def _own_menu(evidence: PageEvidence, section: Ints, size: Ints) -> Ints:
    """Return for each section how many of its pages its pages link as a menu does."""
    inside = section[evidence.source] == section[evidence.target]
    linked = np.bincount(evidence.target[inside], minlength=len(section))
    in_menu = linked >= MENU_SHARE * size[section]
    return np.bincount(section[in_menu], minlength=len(size))
