"""The stage that finds sites: tables of the page pass and of identity -> boundaries, sites, objectives."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sitestrata.graph.components import connected_components
from sitestrata.graph.link_graph import pairs_to_graph
from sitestrata.graph.numbering import distinct, numbered
from sitestrata.model import TABLES, Objective, Site, TableReader, table_from_records
from sitestrata.sites.boundaries import Boundaries, SiteOptions, find_boundaries, objective
from sitestrata.sites.decisions import apply_decisions, decided_ids
from sitestrata.sites.entry import entry_pages, first_links, read_doors, refreshed
from sitestrata.sites.evidence import PageEvidence, read_evidence
from sitestrata.sites.paper import part_pages
from sitestrata.sites.parents import parent_sites

__all__ = ["find_sites"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

# How often pages were in the right site, on two real collections and thirty generated webs: pages that nothing holds
# to their section, and pages that everything holds. The votes of ties between sections are log odds as they stand.
SECTION_LEAST, SECTION_MOST = 0.95, 0.999
SECTION_HALF = 20.0  # votes
UNSURE = 0.5  # under --profile paper, of a page without a menu


@dataclass(frozen=True, slots=True)
class _PagePull:
    """How strongly each page is pulled by its own section and by the other section that pulls it most."""

    own: Floats
    rival: Floats
    rival_section: Ints  # -1 = none


def find_sites(reader: TableReader, options: SiteOptions) -> dict[str, pa.Table]:
    """Part the pages of a collection into sites; one row a page, one a site, one a rival partition."""
    evidence = read_evidence(reader)
    find = _by_menus if options.profile == "paper" else _by_all_evidence
    boundaries, sites, objectives = find(reader, evidence, options)
    boundaries, sites = apply_decisions(
        boundaries,
        sites,
        options.decisions,
        url_of=dict(zip(evidence.page_id.tolist(), evidence.url, strict=True)),
        title_of=dict(zip(evidence.page_id.tolist(), evidence.title, strict=True)),
        page_of=_pages_of(reader, decided_ids(options.decisions)),
    )
    return {
        "boundaries": boundaries,
        "sites": table_from_records("sites", sites),
        "objectives": table_from_records("objectives", objectives),
    }


_Found = tuple[pa.Table, list[Site], list[Objective]]


def _by_all_evidence(reader: TableReader, evidence: PageEvidence, options: SiteOptions) -> _Found:
    found = find_boundaries(evidence, options)
    first, leads_to = first_links(reader, evidence), refreshed(reader, evidence)
    doors = read_doors(reader, evidence)
    entry = entry_pages(evidence, found.site, first, doors=doors, leads_to=leads_to, url_evidence=options.url_evidence)
    boundaries = _boundaries(evidence, found, evidence.page_id[entry])
    sections = _sections_of_sites(found)
    how = ["ties" if many > 1 else "links" for many in sections]
    above = parent_sites(evidence, found.site, entry, url_evidence=options.url_evidence)
    sites = _sites(evidence, found.site, sections, entry, how, boundaries, above)
    return boundaries, sites, _objectives(evidence, found)


def _by_menus(reader: TableReader, evidence: PageEvidence, options: SiteOptions) -> _Found:
    """Part the pages as in the paper, by menus alone (MenuMiner 6.2); it states neither votes nor an objective."""
    found = part_pages(reader, options.limits())
    entry_id, site = np.unique(found.site, return_inverse=True)
    has_menu = np.isin(entry_id, list(found.main_menu))
    nothing = np.zeros(len(evidence))
    method = np.where(has_menu[site], "menus", "generic")
    confidence = np.where(has_menu[site], 1.0, UNSURE)
    columns = {
        "page_id": evidence.page_id,
        "site": found.site,
        "section": found.site,
        "method": method,
        "confidence": confidence,
        "section_votes": nothing,
        "rival_votes": nothing,
    }
    boundaries = _table("boundaries", columns)
    entry = np.searchsorted(evidence.page_id, entry_id)
    how = ["menus" if menu else "generic" for menu in has_menu]
    return boundaries, _sites(evidence, site, [1] * len(entry), entry, how, boundaries, [None] * len(entry)), []


def _table(name: str, columns: Mapping[str, Any]) -> pa.Table:
    """Return a table of the model from its columns; those that are not given are null."""
    schema = TABLES[name].schema
    rows = len(next(iter(columns.values())))
    return pa.table(
        [
            pa.array(columns[field.name], field.type) if field.name in columns else pa.nulls(rows, field.type)
            for field in schema
        ],
        schema=schema,
    )


def _pages_of(reader: TableReader, ids: Sequence[int]) -> dict[int, int]:
    """Return the page that each of some addresses stands for."""
    if not ids:
        return {}
    listed = ", ".join(str(number) for number in ids)
    rows = reader.query(f"SELECT url_id, page_id FROM aliases WHERE url_id IN ({listed})")  # noqa: S608 - numbers
    return dict(zip(rows.column("url_id").to_pylist(), rows.column("page_id").to_pylist(), strict=True))


def _boundaries(evidence: PageEvidence, found: Boundaries, site_id: Ints) -> pa.Table:
    sections = found.sections
    pull = _page_pull(found)
    first_page = np.full(len(sections.size), len(evidence), np.int64)
    np.minimum.at(first_page, sections.section, np.arange(len(evidence)))
    section_id = evidence.page_id[first_page] if len(evidence) else np.zeros(0, np.int64)
    tie, address = _section_ties(found)
    is_tied = ~np.isnan(tie)
    method = np.where(
        is_tied[sections.section], "ties", np.where(sections.size[sections.section] > 1, "links", "alone")
    )
    confidence = _confidence(pull, tie[sections.section])
    has_rival = pull.rival_section >= 0
    columns = {
        "page_id": evidence.page_id,
        "site": site_id[found.site],
        "section": section_id[sections.section],
        "method": method,
        "confidence": confidence,
        "section_votes": pull.own,
        "rival_votes": pull.rival,
        "rival_section": pa.array(section_id[np.maximum(pull.rival_section, 0)], mask=~has_rival),
        "tie": pa.array(tie[sections.section], mask=~is_tied[sections.section]),
        "address": pa.array(address[sections.section], mask=~is_tied[sections.section]),
    }
    return _table("boundaries", columns)


def _page_pull(found: Boundaries) -> _PagePull:
    """Add up the votes of each page by section."""
    section, votes = found.sections.section, found.sections.votes
    count = len(section)
    width = max(len(found.sections.size), 1)
    page = np.concatenate([votes.u, votes.v])
    other = section[np.concatenate([votes.v, votes.u])]
    cells, place = numbered(page * width + other)
    sums = np.bincount(place, weights=np.concatenate([votes.weight, votes.weight]), minlength=len(cells))
    page, other = cells // width, cells % width
    own = np.zeros(count)
    is_own = section[page] == other
    own[page[is_own]] = sums[is_own]
    rival, rival_section = np.full(count, -np.inf), np.full(count, -1, np.int64)
    order = np.lexsort((-other[~is_own], sums[~is_own]))
    rival[page[~is_own][order]] = sums[~is_own][order]
    rival_section[page[~is_own][order]] = other[~is_own][order]
    return _PagePull(own, np.where(rival_section >= 0, rival, 0.0), rival_section)


def _section_ties(found: Boundaries) -> tuple[Floats, Floats]:
    """Return for each section the strongest log odds to another section of its site; NaN where it stands alone."""
    sections = found.sections
    site_of = np.zeros(len(sections.size), np.int64)
    site_of[sections.section] = found.site
    tie, address = np.full(len(sections.size), np.nan), np.full(len(sections.size), np.nan)
    both = (found.votes, found.stray_votes)
    small, large = (np.concatenate([getattr(votes, end) for votes in both]) for end in ("small", "large"))
    weight, by_address = (np.concatenate([getattr(votes, name) for votes in both]) for name in ("weight", "address"))
    inside = np.flatnonzero(site_of[small] == site_of[large])
    # The smaller section is the one that was tied; the larger one is what it was tied to. The strongest comes last, of
    # those that are as strong the first.
    order = inside[np.lexsort((-inside, weight[inside]))]
    tie[small[order]], address[small[order]] = weight[order], by_address[order]
    return tie, address


def _confidence(pull: _PagePull, tie: Floats) -> Floats:
    """Return how sure we are of each page's site: of its section, times of the section's tie to the site."""
    margin = np.clip(pull.own - np.maximum(pull.rival, 0.0), 0, None)
    of_section = SECTION_LEAST + (SECTION_MOST - SECTION_LEAST) * margin / (margin + SECTION_HALF)
    sure: Floats = of_section * np.where(np.isnan(tie), 1.0, 1 / (1 + np.exp(-np.nan_to_num(tie))))
    return sure


def _sections_of_sites(found: Boundaries) -> list[int]:
    """Return how many sections each site is made of."""
    width = len(found.sections.size)
    sites = distinct(found.site * max(width, 1) + found.sections.section) // max(width, 1)
    sections: list[int] = np.bincount(sites).tolist()
    return sections


def _sites(
    evidence: PageEvidence,
    site: Ints,
    sections: Sequence[int],
    entry: Ints,
    how: Sequence[str],
    boundaries: pa.Table,
    above: Sequence[int | None],
) -> list[Site]:
    hosts: list[Counter[str]] = [Counter() for _ in entry]
    for number, prefixes, pages in evidence.places.counted(site):
        hosts[number][prefixes[0]] += pages
    sure = np.bincount(site, weights=boundaries.column("confidence").to_numpy()) / np.bincount(site)
    return [
        Site(
            site=int(evidence.page_id[page]),
            entry_url=evidence.url[page],
            name=evidence.title[page] or evidence.url[page],
            hosts=tuple(sorted(hosts[number], key=lambda name: (-hosts[number][name], name))),
            pages=sum(hosts[number].values()),
            sections=sections[number],
            parent=None if (number_above := above[number]) is None else int(evidence.page_id[entry[number_above]]),
            method=how[number],
            confidence=float(sure[number]),
        )
        for number, page in enumerate(entry.tolist())
    ]


def _objectives(evidence: PageEvidence, found: Boundaries) -> list[Objective]:
    count = len(evidence)
    low, high = (ends[evidence.both_ways] for ends in evidence.linked)
    two_way = pairs_to_graph(evidence.page_id, low, high, np.ones(len(low)))
    rivals = {
        "sites": found.site,
        "alone": np.arange(count),
        "together": np.zeros(count, np.int64),
        "host": evidence.places.numbered_at(1),
        "first folder": evidence.places.numbered_at(2),
        "second folder": evidence.places.numbered_at(3),
        "two-way links": connected_components(two_way),
    }
    return [
        Objective(name, len(distinct(np.asarray(part, np.int64))), objective(found, np.asarray(part, np.int64)))
        for name, part in rivals.items()
    ]
