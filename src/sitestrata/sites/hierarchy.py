"""One site -> one tree over its pages: the heaviest arborescence of all votes, from the entry page down.

1. Evidence votes "the page above p is q" (`sitestrata.sites.votes`).
2. The tree is the one that keeps the largest sum of votes (`sitestrata.graph.arborescence`). So every page has exactly
   one page above, and no strong evidence is given up for weak evidence elsewhere.
3. A page that is listed both by the page above and by a page below that one goes to the lower: a section lists what its
   subsections list, as in the paper the smaller of two page sets that include each other is the lower.
4. Children stand in the order in which the page above shows them, and are called what it calls them.

Every page of the site is in the tree: what nothing else holds hangs below the entry page.

Paper: MenuMiner 6.3

Differences from the paper: its hierarchy has menus as nodes and says nothing about pages without one.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from sitestrata.graph.arborescence import heaviest_arborescence
from sitestrata.model import PagePlace
from sitestrata.sites.documents import find_documents
from sitestrata.sites.names import page_labels
from sitestrata.sites.site_web import SiteWeb
from sitestrata.sites.subsites import Subsites
from sitestrata.sites.votes import KINDS, HierarchyOptions, LinkRoles, Votes, collect_votes, link_roles

__all__ = ["SiteTree", "find_tree", "tree_to_places", "with_parents"]

Ints = NDArray[np.int64]

MERE_LISTS = ("list", "address")  # kinds of votes that do not say at which level a page hangs
SPECIAL = 0.35  # times the votes of the upper list that the lower must have
MAX_MOVES = 4  # levels
NOT_SHOWN = 1 << 40  # place among its siblings of a child that the page above does not link


@dataclass(frozen=True, slots=True)
class SiteTree:
    """The hierarchy of one site, row by row of its `SiteWeb`."""

    parent: Ints  # row of the page above; -1 for the entry page
    depth: Ints
    position: Ints  # among the children of its parent
    label: list[str]
    document: Ints  # row of the first page of the compound document it is a part of; -1 = none
    edge: Ints  # the pair of ``votes`` by which it hangs; -1 for the entry page
    rival: Ints  # the pair that has most votes of those not taken; -1 = none
    votes: Votes
    roles: LinkRoles


def find_tree(web: SiteWeb, options: HierarchyOptions | None = None) -> SiteTree:
    """Find the hierarchy of a site."""
    roles = link_roles(web)
    votes = collect_votes(web, roles, options)
    edge = heaviest_arborescence(len(web), web.entry, votes.above, votes.page, votes.total)
    edge = _most_special(votes, edge, web.entry)
    parent = _parents(votes, edge)
    return SiteTree(
        parent=parent,
        depth=_depths(parent),
        position=_positions(web, parent),
        label=page_labels(web, parent),
        document=find_documents(web, parent),
        edge=edge,
        rival=_rivals(votes, edge),
        votes=votes,
        roles=roles,
    )


def with_parents(web: SiteWeb, tree: SiteTree, parent: Ints) -> SiteTree:
    """Return a tree in which some pages hang elsewhere."""
    return replace(tree, parent=parent, depth=_depths(parent), position=_positions(web, parent))


def _parents(votes: Votes, edge: Ints) -> Ints:
    return np.where(edge >= 0, votes.above[np.maximum(edge, 0)], -1) if len(votes.page) else edge


def _most_special(votes: Votes, edge: Ints, entry: int) -> Ints:
    """Move pages that hang by mere lists down to the child of their parent that lists them too."""
    if not len(votes.page):
        return edge
    page, above, total = votes.page, votes.above, votes.total
    mere = np.isin(np.arange(len(KINDS)), [KINDS.index(kind) for kind in MERE_LISTS])
    is_listed = votes.by_kind[:, KINDS.index("list")] > 0
    # What the entry page lists is known to be anywhere below it.
    is_mere = (above != entry) & (votes.by_kind[:, ~mere].max(axis=1) <= 0)
    for _ in range(MAX_MOVES):
        parent = _parents(votes, edge)
        hangs = np.maximum(edge, 0)
        # A page that has members, or that hangs by more than a list, is one that lists; others recommend.
        lists = (edge >= 0) & (np.isin(np.arange(len(edge)), parent) | ~is_mere[hangs])
        is_lower = (edge[page] >= 0) & (parent[above] == parent[page]) & lists[above] & is_listed
        found = np.flatnonzero(is_lower & is_mere[hangs[page]] & (total >= SPECIAL * total[hangs[page]]))
        order = found[np.lexsort((above[found], -total[found], page[found]))]
        first = order[np.concatenate([[True], page[order][1:] != page[order][:-1]])[: len(order)]]
        # What others go to stays where it is: of sections that list each other none goes below the other.
        first = first[~np.isin(page[first], above[first])]
        if not len(first):
            break
        edge = edge.copy()
        edge[page[first]] = first
    return edge


def tree_to_places(web: SiteWeb, tree: SiteTree, subsites: Subsites | None = None) -> list[PagePlace]:
    """Turn a hierarchy, and the subsites it is made of, into records, page by page."""
    ids = web.page_id.tolist()
    first = np.full(len(web), -1, np.int64) if subsites is None else subsites.home
    total = tree.votes.total
    places = []
    for row, page in enumerate(ids):
        edge, rival = int(tree.edge[row]), int(tree.rival[row])
        places.append(
            PagePlace(
                page_id=page,
                site=ids[web.entry],
                parent=ids[tree.parent[row]] if tree.parent[row] >= 0 else None,
                position=int(tree.position[row]),
                depth=int(tree.depth[row]),
                label=tree.label[row],
                evidence=_evidence(tree.votes, edge),
                votes=float(total[edge]) if edge >= 0 else 0.0,
                rival=ids[tree.votes.above[rival]] if rival >= 0 else None,
                rival_votes=float(total[rival]) if rival >= 0 else 0.0,
                document=ids[tree.document[row]] if tree.document[row] >= 0 else None,
                subsite=ids[first[row]] if first[row] >= 0 else None,
            )
        )
    return places


def _evidence(votes: Votes, edge: int) -> tuple[str, ...]:
    if edge < 0:
        return ()
    row = votes.by_kind[edge]
    order = sorted(np.flatnonzero(row).tolist(), key=lambda kind: (-row[kind], kind))
    return tuple(KINDS[kind] for kind in order)


def _depths(parent: Ints) -> Ints:
    depth = np.zeros(len(parent), np.int64)
    at = parent
    while (at >= 0).any():
        depth += at >= 0
        at = np.where(at >= 0, parent[at], -1)
    return depth


def _positions(web: SiteWeb, parent: Ints) -> Ints:
    """Number the children of each page in the order in which it shows them, then in that of their first mention."""
    links = web.links
    count = max(len(web), 1)
    place = np.full(len(web), NOT_SHOWN, np.int64)
    inside = np.flatnonzero((links.target >= 0) & ~links.in_head)
    shown = inside[parent[links.target[inside]] == links.page[inside]]
    np.minimum.at(place, links.target[shown], links.ordinal[shown])
    # Where a contents page or a menu lists what the page above does not, its order is as good.
    mention = np.full(len(web), NOT_SHOWN, np.int64)
    np.minimum.at(mention, links.target[inside], links.page[inside] * (1 << 20) + links.ordinal[inside])
    order = np.lexsort((np.arange(len(web)), mention, place, parent))
    position = np.zeros(len(web), np.int64)
    starts = np.searchsorted(parent[order], np.arange(-1, count))
    position[order] = np.arange(len(web)) - starts[parent[order] + 1]
    return position


def _rivals(votes: Votes, edge: Ints) -> Ints:
    """Return for each page the pair with most votes among those that the tree does not keep."""
    is_kept = np.zeros(len(votes.page), np.bool_)
    is_kept[edge[edge >= 0]] = True
    other = np.flatnonzero(~is_kept)
    order = other[np.lexsort((votes.above[other], -votes.total[other], votes.page[other]))]
    rival = np.full(len(edge), -1, np.int64)
    first = np.concatenate([[True], votes.page[order][1:] != votes.page[order][:-1]])[: len(order)]
    rival[votes.page[order][first]] = order[first]
    return rival
