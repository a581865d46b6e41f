"""Sections -> sites: one decision from all the evidence.

1. *Sections* (`sitestrata.sites.sections`): pages that no person would part.
2. *Cores*: sections of some size vote, pair by pair, whether they are one site: by their ties
   (`sitestrata.sites.ties`) and by their addresses as far as the collection shows that addresses can be trusted
   (`sitestrata.sites.trust`). The best partition of these votes are the sites.
3. *Strays*: small sections go whole to one site, or with one another, the strongest ties first, if the odds are for it;
   a page that links two sites never joins them (`sitestrata.graph.attachment`). What nothing ties to any site goes by
   its neighbours in the address (`sitestrata.sites.neighbours`).

Cores and strays are looked at again, with the sites found for sections, until nothing joins: what one book of a site
says of another is little, what three books that are one site say of it may be enough; and a page between two parts of a
site is seen to lie inside it once they are one. What speaks strongly against two sections keeps speaking against the
sites they are in, or sisters would join one after the other.

The objective that is reported is the sum of all votes that the partition keeps together: of pages inside a section, of
cores inside a site, and of strays and their site. `objective` computes it for any partition of the pages, so that
rivals can be judged by the same measure.

Paper: MenuMiner 6.2

Differences from the paper: there two pages are of one site when they share a menu; here shared navigation is one voter
among several, because one bar on all sites of an organisation would join them and pages without a menu would be lost.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from sitestrata.graph.attachment import attach
from sitestrata.graph.contraction import agreement, best_partition
from sitestrata.graph.incidence import incidence, keep_entries, merge_rows, row_dots
from sitestrata.graph.link_graph import positions_of
from sitestrata.graph.numbering import distinct, numbered
from sitestrata.menus.paper import PaperOptions
from sitestrata.model import Decision
from sitestrata.sites.evidence import PageEvidence
from sitestrata.sites.neighbours import neighbour_votes
from sitestrata.sites.places import stands_for_folder
from sitestrata.sites.sections import Sections, find_sections
from sitestrata.sites.ties import Ties, find_ties
from sitestrata.sites.trust import address_votes
from sitestrata.sites.twins import twin_parts
from sitestrata.urls import registered_domain

__all__ = ["Boundaries", "SiteOptions", "find_boundaries", "objective", "tie_votes"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

CORE_PAGES = 3  # smaller sections are strays: too little to have a navigation of their own

# Log odds that two sections are one site. The weights were found by a search that made the partitions of two real
# collections, alone, mixed, cut to single sites and with an organisation's bar added, and of generated webs agree with
# the truth, with and without addresses; each may change by a third without harm.
TIE_BIAS = -2.67
TIE_MUTUAL = 5.2  # times sqrt(attention * patronage)
TIE_BREADTH = 0.5  # times log(breadth) * sqrt(patronage): one page is what any bar links
TIE_EXCHANGE = 4.5
TIE_TITLES = 4.1
TIE_CLOSED = 1.0  # times the square: of a stub, not of a sister that has links of its own
TIE_DEAD_END = 3.0
TIE_TEMPLATE = 2.8  # times sqrt(patronage): equal templates alone are a common generator
# Against: a bar between different templates, unless most links into the small section are the large one's.
BAR_TEMPLATE = 0.8
TIE_RING = 8.0  # times the bar, where a third site is in it too, unless they are versions: called the same throughout
# Against: one template with other menus in the same places, and one links the other from all its pages; the more so if
# the small one links the large one widely and is hardly answered. That is how sister sites look, and how versions and
# books of one site do not, nor what carries the whole menu of the large one (archives, indexes).
TIE_ONE_SIDED = 4.8  # times log(1 + breadth) - 2 log(1 + answer), where positive
TIE_FOREIGN = 3.0
OTHER_MENUS = 0.5  # from here on what is foreign shows two sites rather than two chapters
WHOLE_MENU = 40  # power of the share of the large one's menu that is carried
TWIN_TITLES = 4  # power of the titles' cosine: pages that are called the same throughout are versions, not sisters
# Against: each has a menu of its own and hardly any page is linked one way or the other, unless the small section is
# reached from the large one alone. So look sisters that share a host or a name, and versions without a common home.
TIE_ALOOF = 1.5  # over 1 + the pages that are linked the way that has fewer
CAPTIVE = 4  # power of patronage
# Against: versions, called the same, that neither link each other both ways nor have a common home that does.
TIE_APART = 8.0  # times the square of the titles' cosine, over the pages that are linked the way that has more
# Against: other templates, other titles and other menus.
TIE_STRANGERS = 0.7
# For: one of several sections that look and are called the same, and what these are tied to.
TIE_TWINS = 6.0
ADDRESS_WEIGHT = 1.9
SAME_TITLES = 0.9  # from here on two that meet nowhere are versions of one another
OUTWEIGHED = 4.0  # so much against two sections, and that they share an address says half: sisters do so too
LEFT_APART = 1.0  # log odds against two sites that stood apart though their addresses had their say
AGAINST = 0.5  # so much against two sections, and where their addresses lie has no say


@dataclass(frozen=True, slots=True)
class SiteOptions(PaperOptions):
    """What may be used to find sites."""

    profile: str = "default"  # paper: menus alone (MenuMiner 6.2)
    url_evidence: bool = True
    decisions: tuple[Decision, ...] = ()  # of a person; they overrule what was found


@dataclass(frozen=True, slots=True)
class SectionVotes:
    """Signed votes of pairs of sections."""

    small: Ints
    large: Ints
    tie: Floats
    address: Floats  # log odds too, its weight applied

    @property
    def weight(self) -> Floats:
        """Return the log odds by all evidence."""
        return self.tie + self.address


@dataclass(frozen=True, slots=True)
class Boundaries:
    """The partition of the pages into sites, and how it came about."""

    site: Ints  # of each page, numbered in page order
    sections: Sections
    votes: SectionVotes  # of cores; sections are numbered as in ``sections``
    stray_votes: SectionVotes
    objective: float


def find_boundaries(evidence: PageEvidence, options: SiteOptions | None = None) -> Boundaries:
    """Part the pages of a collection into sites."""
    options = options or SiteOptions()
    if options.url_evidence:
        evidence = _beside_in_one_domain(evidence)
    sections = find_sections(evidence)
    if options.url_evidence:
        sections = _homes_of_hosts(evidence, sections)
    ties = find_ties(evidence, sections.section, sections.size)
    is_core = sections.size >= CORE_PAGES
    if options.url_evidence:
        # A home page that lists the parts of its host is no stray that happens to link them: it may join them.
        is_core[sections.section[_is_home_of_host(evidence)]] = True
    votes = _votes(evidence, sections.section, sections.size, ties, options)
    site_of_section, later = _look_again(evidence, sections, _join_by_votes(votes, is_core), is_core, ties, options)
    core_votes, stray_votes = _of_cores(_concatenate(votes, later), is_core)
    if options.url_evidence:
        by_address = _neighbour_votes(evidence, sections, site_of_section, is_core, ties)
        site_of_section = _join(site_of_section, by_address)
        stray_votes = _concatenate(stray_votes, by_address)
    site = numbered(site_of_section[sections.section])[1]
    found = Boundaries(site, sections, core_votes, stray_votes, 0.0)
    return Boundaries(site, sections, core_votes, stray_votes, objective(found, site))


def _join_by_votes(votes: SectionVotes, is_core: NDArray[np.bool_]) -> Ints:
    """Return for each section the smallest section of its site."""
    of_cores, of_strays = _of_cores(votes, is_core)
    part = best_partition(len(is_core), of_cores.small, of_cores.large, of_cores.weight)
    return attach(part, ~is_core, of_strays.small, of_strays.large, of_strays.weight)


def _look_again(
    evidence: PageEvidence, sections: Sections, site: Ints, is_core: NDArray[np.bool_], ties: Ties, options: SiteOptions
) -> tuple[Ints, SectionVotes]:
    """Join the sites that were found for sections as sections were, until nothing joins.

    Returns the smallest section of the site of each section, and the votes that joined sites, as votes of their largest
    sections.
    """
    against = _votes_against(ties, again=True)
    strong = against >= TIE_FOREIGN
    margin = LEFT_APART if options.url_evidence else 0.0
    later: list[SectionVotes] = []
    while True:
        number, site_of_section = numbered(site)
        section = site_of_section[sections.section]
        size = np.bincount(section)
        is_large = size >= CORE_PAGES
        is_large[site_of_section[is_core]] = True
        votes = _votes(evidence, section, size, find_ties(evidence, section, size), options, again=True)
        ends = site_of_section[ties.small[strong]], site_of_section[ties.large[strong]]
        votes = replace(votes, tie=votes.tie - margin - _strongest(votes, ends, against[strong], len(number)))
        part = _join_by_votes(votes, is_large)
        if len(distinct(part)) == len(number):
            return site, _concatenate(*later, _select(votes, np.zeros(len(votes.small), np.bool_)))
        largest = np.zeros(len(number), np.int64)
        order = np.argsort(sections.size, kind="stable")
        largest[site_of_section[order]] = order
        joined = _select(votes, (part[votes.small] == part[votes.large]) & (votes.weight > 0))
        later.append(replace(joined, small=largest[joined.small], large=largest[joined.large]))
        site = number[part][site_of_section]


def _strongest(votes: SectionVotes, ends: tuple[Ints, Ints], against: Floats, count: int) -> Floats:
    """Return for each pair of sites what speaks most against two of their sections."""
    cells, place = numbered(np.minimum(*ends) * count + np.maximum(*ends))
    most = np.zeros(len(cells))
    np.maximum.at(most, place, against)
    at, is_there = positions_of(
        cells, np.minimum(votes.small, votes.large) * count + np.maximum(votes.small, votes.large)
    )
    found = np.zeros(len(votes.small))
    found[is_there] = most[at[is_there]]
    return found


def _beside_in_one_domain(evidence: PageEvidence) -> PageEvidence:
    """Leave out pairs of pages that only have links in common if their domains differ: a network's bar makes such."""
    left, right = evidence.beside
    places = evidence.places
    number: dict[str, int] = {}
    of_place = [number.setdefault(registered_domain(f"http://{found[0]}/"), len(number)) for found in places.prefixes]
    domain = np.array(of_place, np.int64)[places.place]
    same = domain[left] == domain[right]
    return replace(evidence, beside=(left[same], right[same]))


def _is_home_of_host(evidence: PageEvidence) -> NDArray[np.bool_]:
    """Tell which addresses are those of a whole host."""
    is_home: NDArray[np.bool_] = evidence.places.depth() == 1
    is_home[is_home] = [stands_for_folder(evidence.url[row]) for row in np.flatnonzero(is_home).tolist()]
    return is_home


def _homes_of_hosts(evidence: PageEvidence, sections: Sections) -> Sections:
    """Take single home pages of other hosts out of sections: where a host has more pages, its home is one of them.

    Two lists of the same sites look like one section: the portal of an organisation and the home page of a host that
    its members share.
    """
    host = evidence.places.numbered_at(1)
    pages_on = np.bincount(host)
    section = sections.section
    pages_there = numbered(section * max(len(pages_on), 1) + host)[1]
    is_alone = (np.bincount(pages_there)[pages_there] == 1) & (pages_on[host] > 1) & (sections.size[section] > 1)
    alone = np.flatnonzero(is_alone & _is_home_of_host(evidence))
    if not len(alone):
        return sections
    part = sections.section.copy()
    part[alone] = len(sections.size) + np.arange(len(alone))
    section = numbered(part)[1]
    votes = sections.votes
    return Sections(section, np.bincount(section), votes, agreement(section, votes.u, votes.v, votes.weight))


def tie_votes(ties: Ties, *, again: bool = False) -> Floats:
    """Return the log odds by ties that two sections, or two sites that are looked at again, are one site."""
    votes: Floats = _votes_for(ties) - _votes_against(ties, again=again)
    return votes


def _votes_for(ties: Ties) -> Floats:
    """Return the log odds by what speaks for two sections being one site."""
    patrons = np.sqrt(ties.patronage)
    votes: Floats = (
        TIE_BIAS
        + TIE_MUTUAL * np.sqrt(ties.attention) * patrons
        + TIE_BREADTH * np.log(np.maximum(ties.breadth, 1)) * patrons
        + TIE_EXCHANGE * ties.exchange
        + TIE_TITLES * ties.titles
        + TIE_CLOSED * ties.closed**2
        + TIE_DEAD_END * ties.dead_end
        + TIE_TEMPLATE * ties.template * patrons
    )
    return votes


def _votes_against(ties: Ties, *, again: bool = False) -> Floats:
    """Return how much speaks against two sections being one site, 0 if nothing does."""
    bar = ties.bar * (1 - ties.patronage) * (1 - ties.template)
    one_sided = np.maximum(np.log1p(ties.breadth) - 2 * np.log1p(ties.answer), 0)
    # Of two that are about as large either may be the sister.
    one_sided += ties.even * np.maximum(np.log1p(ties.answer) - 2 * np.log1p(ties.breadth), 0)
    one_sided *= np.minimum(ties.foreign / OTHER_MENUS, 1)
    aloof = ties.menus * (1 - ties.patronage**CAPTIVE) / (1 + np.minimum(ties.breadth, ties.answer))
    versions = ties.titles**TWIN_TITLES
    ring = ties.ring * ties.bar * (1 - ties.patronage**CAPTIVE) * (1 - versions)
    # Links from everywhere are a sister's, links here and there are quotations; of a few pages that cannot be told.
    reach = ties.reach**2 * (3 - 2 * ties.reach) if again else ties.reach
    partial = reach * (1 - ties.carried**WHOLE_MENU)
    alike = ties.template * (1 - versions)
    strangers = (
        np.clip(ties.foreign / OTHER_MENUS - 1, 0, 1) * ties.menus * (1 - ties.template) * (1 - ties.titles) ** 2
    )
    apart = ~ties.meet * ties.menus * ties.titles**2 / np.maximum(ties.breadth, ties.answer)
    against: Floats = (
        BAR_TEMPLATE * bar
        + TIE_RING * ring
        + TIE_ALOOF * aloof
        + TIE_APART * apart
        + TIE_STRANGERS * strangers
        + (TIE_ONE_SIDED * one_sided + TIE_FOREIGN * ties.foreign) * alike * partial
    )
    return against


def objective(boundaries: Boundaries, site: Ints) -> float:
    """Return the sum of the votes that a partition of the pages keeps together.

    A partition that parts a section keeps the share of the section's votes that its page pairs have in common.
    """
    sections = boundaries.sections
    page = sections.votes
    inside = (sections.section[page.u] == sections.section[page.v]) & (site[page.u] == site[page.v])
    total = float(page.weight[inside].sum())
    shares = merge_rows(incidence(len(site), np.arange(len(site)), site), sections.section, len(sections.size))
    shares = keep_entries(shares, np.bincount(shares.indices)[shares.indices] > 1)  # no two share the others
    for votes in (boundaries.votes, boundaries.stray_votes):
        total += float((row_dots(shares, votes.small, votes.large) * votes.weight).sum())
    return total


def _votes(
    evidence: PageEvidence, section: Ints, size: Ints, ties: Ties, options: SiteOptions, *, again: bool = False
) -> SectionVotes:
    against = _votes_against(ties, again=again)
    tie = _votes_for(ties) - against
    if options.url_evidence:
        is_core = size >= CORE_PAGES
        are_held = ties.meet | (ties.titles >= SAME_TITLES)
        address = address_votes(evidence.places, section, size, ties.small, ties.large, tie, are_held, is_core)
        address *= ADDRESS_WEIGHT / np.where(address > 0, 1 + against / OUTWEIGHED, 1)
        parts = twin_parts(evidence, section, is_core, (ties.small, ties.large), tie + address)
        # Parts of this kind may be aloof, with a menu of their own and no way back; sisters have more against them.
        tie = tie + TIE_TWINS * (parts & (against <= TIE_ALOOF))
    else:
        address = np.zeros(len(ties))
    return SectionVotes(ties.small, ties.large, tie, address)


def _of_cores(votes: SectionVotes, is_core: NDArray[np.bool_]) -> tuple[SectionVotes, SectionVotes]:
    """Return the votes of two cores, and all others."""
    among_cores = is_core[votes.small] & is_core[votes.large]
    return _select(votes, among_cores), _select(votes, ~among_cores)


def _neighbour_votes(
    evidence: PageEvidence, sections: Sections, site: Ints, is_core: NDArray[np.bool_], ties: Ties
) -> SectionVotes:
    # Pages that only share what was not captured are as lonely as single ones.
    inside = sections.section[evidence.source] == sections.section[evidence.target]
    linked = np.bincount(sections.section[evidence.source[inside]], minlength=len(sections.size)) > 0
    against = _votes_against(ties) > AGAINST
    some, others = site[ties.small[against]].tolist(), site[ties.large[against]].tolist()
    apart = {*zip(some, others, strict=True), *zip(others, some, strict=True)}
    small, large, vote = neighbour_votes(evidence.places, sections.section, site, is_core & linked, apart)
    return SectionVotes(small, large, np.zeros(len(vote)), vote)


def _join(site: Ints, votes: SectionVotes) -> Ints:
    """Take the site of each small section into that of the large one; a site that was taken in takes in no other."""
    goes_to = np.arange(len(site))
    goes_to[site[votes.small]] = site[votes.large]
    while not np.array_equal(goes_to, further := goes_to[goes_to]):
        goes_to = further
    joined: Ints = goes_to[site]
    return joined


def _concatenate(*votes: SectionVotes) -> SectionVotes:
    return SectionVotes(
        *(np.concatenate([getattr(some, name) for some in votes]) for name in ("small", "large", "tie", "address"))
    )


def _select(votes: SectionVotes, chosen: NDArray[np.bool_]) -> SectionVotes:
    return SectionVotes(votes.small[chosen], votes.large[chosen], votes.tie[chosen], votes.address[chosen])
