"""How a site gives access to its pages, told by structure alone.

The paper names such classes as a use of menus and hierarchies (product presentation, faceted search). Here each class
has a sign that can be counted; the first whose sign is strong enough is taken, from the special to the general:

- *single*: one page;
- *document*: pages follow one another; most of them link a neighbour in a series;
- *reference*: contents or an index of words lead to most pages, place by place;
- *facets*: many pages are members of several lists of which none stands above another;
- *blog*: one long list that goes on over several pages holds most of the leaves;
- *products*: most pages are leaves that are shown on list pages in one and the same dress;
- *hierarchy*: none of these.

Paper: MenuMiner 7
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sitestrata.graph.numbering import distinct
from sitestrata.sites.hierarchy import SiteTree
from sitestrata.sites.site_web import SiteWeb
from sitestrata.sites.votes import KINDS

__all__ = ["AccessSigns", "access_kind", "access_signs"]

Ints = NDArray[np.int64]

CHAINED = 0.6  # of the pages link a neighbour: a document
INDEXED = 0.5  # of the pages are led to by contents or an index: a reference
CROSSED = 0.3  # of the leaves are in lists of several branches: facets
CONTINUED = 0.4  # of the leaves hang below pages whose list goes on: a blog
DRESSED = 0.5  # of the leaves are shown at one place on the pages above them: products
LEAVES = 0.6  # of the pages, at least, where products are presented
MEMBER = 0.3  # votes by which a list counts as one that p is a member of


@dataclass(frozen=True, slots=True)
class AccessSigns:
    """Shares that tell the classes apart."""

    pages: int
    chained: float
    indexed: float
    crossed: float
    continued: float
    dressed: float
    leaves: float


def access_signs(web: SiteWeb, tree: SiteTree) -> AccessSigns:
    """Count what tells how a site gives access to its pages."""
    links, count = web.links, max(len(web), 1)
    is_pager, voices = tree.roles.is_pager, tree.roles.voices
    is_leaf = np.ones(len(web), np.bool_)
    is_leaf[tree.parent[tree.parent >= 0]] = False
    leaves = np.flatnonzero(is_leaf)
    is_index = (voices.speaks_for == web.entry) & (np.arange(len(web)) != web.entry)
    is_index[voices.series.page] = False
    indexed = distinct(links.target[is_index[links.page] & (links.target >= 0)])
    goes_on = np.zeros(len(web), np.bool_)
    goes_on[voices.series.above] = True
    return AccessSigns(
        pages=len(web),
        chained=len(distinct(links.page[is_pager])) / count,
        indexed=len(indexed) / count,
        crossed=_crossed(tree, leaves),
        continued=float(goes_on[tree.parent[leaves]].mean()) if len(leaves) and len(web) > 1 else 0.0,
        dressed=_dressed(web, tree, is_leaf),
        leaves=len(leaves) / count,
    )


def access_kind(signs: AccessSigns) -> str:
    """Name the class whose sign is strong enough."""
    if signs.pages <= 1:
        return "single"
    if signs.chained >= CHAINED:
        return "document"
    if signs.indexed >= INDEXED:
        return "reference"
    if signs.crossed >= CROSSED:
        return "facets"
    if signs.continued >= CONTINUED:
        return "blog"
    if signs.leaves >= LEAVES and signs.dressed >= DRESSED:
        return "products"
    return "hierarchy"


def _crossed(tree: SiteTree, leaves: Ints) -> float:
    """Return the share of leaves that another branch lists as its member too."""
    votes = tree.votes
    listed = votes.by_kind[:, KINDS.index("list")]
    strong = np.flatnonzero((listed >= MEMBER) & np.isin(votes.page, leaves))
    page, above = votes.page[strong], votes.above[strong]
    own = tree.parent[page]
    is_apart = (above != own) & (own >= 0) & ~_is_above(tree.parent, above, own) & ~_is_above(tree.parent, own, above)
    return len(distinct(page[is_apart])) / max(len(leaves), 1)


def _is_above(parent: Ints, upper: Ints, lower: Ints) -> NDArray[np.bool_]:
    found = np.zeros(len(upper), np.bool_)
    at = lower
    while (at >= 0).any():
        found |= at == upper
        at = np.where(at >= 0, parent[at], -1)
    return found


def _dressed(web: SiteWeb, tree: SiteTree, is_leaf: NDArray[np.bool_]) -> float:
    """Return the largest share of leaves that the pages above them link at one and the same DOM path."""
    links = web.links
    inside = np.flatnonzero((links.target >= 0) & ~links.in_head)
    shown = inside[(tree.parent[links.target[inside]] == links.page[inside]) & is_leaf[links.target[inside]]]
    shown = shown[links.page[shown] != web.entry]  # what the entry page links is its menu
    count = max(len(web), 1)
    at = np.bincount(distinct(links.path[shown] * count + links.target[shown]) // count) if len(shown) else [0]
    return float(max(at)) / max(int(is_leaf.sum()), 1)
