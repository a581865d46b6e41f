"""Every piece of evidence about a site's hierarchy as votes "the page above p is q", each kind with its weight.

A kind votes once for a pair of pages, with the belief that its best case deserves; the votes of different kinds add up.
The weights are ordered by how directly a kind states the fact: what authors declare, then rows and links that lead up,
then nesting in lists, then mere listing. Addresses only decide where nothing else does.

Paper: MenuMiner 6.3

Differences from the paper: there the inclusion of page sets of menus is the hierarchy; here it is one kind of vote.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sitestrata.sites.folders import folder_pages
from sitestrata.sites.listings import global_pages, in_links, listed_pages, pager_links
from sitestrata.sites.nesting import Nesting, nested_links, nested_pages, numbered_links
from sitestrata.sites.series import Voices, find_voices
from sitestrata.sites.site_web import SiteWeb
from sitestrata.sites.trails import Ways, declared_trails, declared_up, link_pairs, role_links, visible_trails

__all__ = ["KINDS", "WEIGHTS", "HierarchyOptions", "LinkRoles", "Votes", "collect_votes", "link_roles"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

# Chosen on one collection of manuals and on generated webs, confirmed on other seeds and on declared breadcrumbs that
# were withheld; within a factor of 1.5 of these the scores hardly move.
WEIGHTS = {
    "markup": 8.0,
    "up": 6.0,
    "trail": 6.0,
    "role": 5.0,
    "number": 4.0,
    "nesting": 4.0,
    "series": 3.0,
    "list": 2.0,
    "menu": 1.0,
    "address": 0.3,
    "entry": 0.05,
}
KINDS = tuple(WEIGHTS)


@dataclass(frozen=True, slots=True)
class HierarchyOptions:
    """What may be used to find the hierarchy of a site."""

    url_evidence: bool = True
    breadcrumb_markup: bool = True  # read breadcrumbs that are declared; without, they can serve as a test


@dataclass(frozen=True, slots=True)
class Votes:
    """Pairs of a page and a page above it, sorted, each once, with the votes of each kind."""

    page: Ints
    above: Ints
    by_kind: Floats  # one row a pair, one column a kind, weights applied

    @property
    def total(self) -> Floats:
        """Return the sum of the votes of each pair."""
        sums: Floats = self.by_kind.sum(axis=1)
        return sums


@dataclass(frozen=True, slots=True)
class LinkRoles:
    """What the links of a site are, link by link; several kinds of evidence ask for it."""

    linked: Ints  # by page: the pages that link it
    nesting: Nesting
    numbered: Nesting
    is_pager: Flags
    voices: Voices


def link_roles(web: SiteWeb) -> LinkRoles:
    """Tell what the links of a site are."""
    linked = in_links(web)
    nesting = nested_links(web)
    is_pager = pager_links(web)
    numbered = Nesting(numbered_links(web), nesting.is_item, nesting.in_text)
    voices = find_voices(web, linked, is_pager, (nesting.head >= 0) | (numbered.head >= 0))
    return LinkRoles(linked, nesting, numbered, is_pager, voices)


def collect_votes(web: SiteWeb, roles: LinkRoles, options: HierarchyOptions | None = None) -> Votes:
    """Let all evidence of one site vote."""
    options = options or HierarchyOptions()
    pairs = link_pairs(web)
    ways = {
        "up": declared_up(web),
        "trail": visible_trails(web, pairs),
        "role": role_links(web, pairs, roles.linked),
        "number": nested_pages(web, roles.numbered, are_items=False),
        "nesting": nested_pages(web, roles.nesting),
        "series": roles.voices.series,
        "list": listed_pages(web, pairs, roles.nesting, roles.linked, roles.is_pager, roles.voices.speaks_for),
        "menu": global_pages(web, roles.linked),
        "entry": _everything_below(web),
    }
    if options.breadcrumb_markup:
        ways["markup"] = declared_trails(web)
    if options.url_evidence:
        ways["address"] = folder_pages(web)
    return _add_up(len(web), ways)


def _everything_below(web: SiteWeb) -> Ways:
    page = np.flatnonzero(np.arange(len(web)) != web.entry)
    return Ways(page, np.full(len(page), web.entry), np.ones(len(page)))


def _add_up(count: int, ways: dict[str, Ways]) -> Votes:
    width = max(count, 1)
    codes = [way.page * width + way.above for way in ways.values()]
    pair, place = np.unique(np.concatenate(codes), return_inverse=True)
    by_kind = np.zeros((len(pair), len(KINDS)))
    start = 0
    for kind, way in ways.items():
        here = place[start : start + len(way)]
        np.maximum.at(by_kind[:, KINDS.index(kind)], here, way.belief * WEIGHTS[kind])
        start += len(way)
    apart = pair // width != pair % width
    return Votes((pair // width)[apart], (pair % width)[apart], by_kind[apart])
