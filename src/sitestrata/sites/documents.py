"""Compound documents: a few pages that are the parts of one document, as numbers or tabs lead through them.

The pages of a document show one row of links that leads to all of them, and nobody else shows that row: it is a segment
clique that is complete, small, and confined to its own pages. In the tree its first page holds the others, and nothing
else. A menu differs because pages below its items show it too; a site's main menu because it holds the entry page.

Paper: MenuMiner 6.3 (compound documents: small uniform clusters under one root)

Cost: one sort of the links.
"""

import numpy as np
from numpy.typing import NDArray

from sitestrata.graph.numbering import distinct
from sitestrata.sites.site_web import SiteWeb

__all__ = ["find_documents"]

Ints = NDArray[np.int64]
Words = NDArray[np.uint64]

MIN_PARTS = 3  # MenuMiner 3.3: a clique of two proves nothing
MAX_PARTS = 30  # more pages than that are a section


def find_documents(web: SiteWeb, parent: Ints) -> Ints:
    """Return for each page the row of the first page of the document it is a part of; -1 = none."""
    document = np.full(len(web), -1, np.int64)
    page, bare, full, size = _rows(web)
    is_bare = distinct(bare)
    children = np.bincount(parent[parent >= 0], minlength=len(web))
    numbers, first, shown = np.unique(full, return_index=True, return_counts=True)
    # Complete: as many pages show the row as it has members. Confined: nobody shows all members as others.
    fits = (shown == size[first]) & (shown >= MIN_PARTS) & (shown <= MAX_PARTS) & ~np.isin(numbers, is_bare)
    by_row = page[np.lexsort((page, full))]
    begin = np.concatenate([[0], np.cumsum(shown)])
    for number in np.flatnonzero(fits).tolist():
        members = distinct(by_row[begin[number] : begin[number + 1]])
        if len(members) == shown[number] and web.entry not in members and not (document[members] >= 0).any():
            top = _top(members, parent, children)
            if top >= 0:
                document[members] = top
    return document


def _top(members: Ints, parent: Ints, children: Ints) -> int:
    """Return the member that holds all others, and nothing else, right below it; -1 = none.

    The pages of a list that goes on hold items too, and switches between languages or versions hold one another.
    """
    for member in members.tolist():
        others = members[members != member]
        if children[member] == len(others) and (parent[others] == member).all() and not children[others].any():
            return int(member)
    return -1


def _rows(web: SiteWeb) -> tuple[Ints, Words, Words, Ints]:
    """Return for each segment with links: its page, digests of its targets without and with the page, and their number.

    The digest of a set is the sum of its scattered members, so it does not depend on their order.
    """
    links = web.links
    count = max(len(web), 1)
    chosen = np.flatnonzero((links.segment >= 0) & (links.target_id != 0))
    width = int(links.segment.max(initial=0)) + 1
    place = links.page[chosen] * width + links.segment[chosen]
    # Targets that are not of the site count too: a row that leads out is no document.
    order = np.lexsort((links.target_id[chosen], place))
    place, target_id, target = place[order], links.target_id[chosen][order], links.target[chosen][order]
    new = np.concatenate([[True], (place[1:] != place[:-1]) | (target_id[1:] != target_id[:-1])])[: len(place)]
    place, target_id, target = place[new], target_id[new], target[new]
    starts = np.flatnonzero(np.concatenate([[True], place[1:] != place[:-1]])[: len(place)])
    page = place[starts] // width
    if not len(starts):
        none = np.zeros(0, np.uint64)
        return page, none, none, page
    bare = np.add.reduceat(_scatter(target_id), starts)
    has_self = np.add.reduceat((target == np.repeat(page, np.diff([*starts, len(place)]))).astype(np.int64), starts) > 0
    size = np.diff([*starts, len(place)]) + ~has_self
    own = _scatter(web.page_id[page])
    full = np.where(has_self, bare, bare + own)
    # A row that names its own page is no row of others, whatever it leads to.
    others = np.where(has_self, np.uint64(0), bare)
    kept = (size >= MIN_PARTS) & (size <= min(MAX_PARTS, count))
    return page[kept], others[kept], full[kept], size[kept]


def _scatter(ids: Ints) -> Words:
    words = ids.astype(np.uint64) + np.uint64(0x9E3779B97F4A7C15)
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed: Words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return mixed
