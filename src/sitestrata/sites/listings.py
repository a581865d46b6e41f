"""Lists and menus -> which page lists which: the page above a page is one that lists it, and that leads its kind.

A link to page p at one DOM path is shown on a set of pages: on one page (a contents list, a category), on the pages of
one section (its local menu), or on all (the main menu). Of that set the page that most pages link is the head: the
section's first page, and for a main menu the entry page. This is MenuMiner's inclusion of page sets, taken link by
link, so that it also works where no menu was recognised.

A claim deserves more belief if few pages show it (it is about p, not about the whole site), if p links back, if it is
an item of a list and not a word in a text, and if the head is linked by more pages than p.

Paper: MenuMiner 6.3
"""

import numpy as np
from numpy.typing import NDArray

from sitestrata.graph.numbering import distinct, numbered
from sitestrata.sites.nesting import Nesting
from sitestrata.sites.site_web import SiteWeb
from sitestrata.sites.trails import Ways, has_link

__all__ = ["global_pages", "in_links", "listed_pages", "pager_links"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

ONE_WAY = 0.4  # belief in a page that p does not link back to
IN_TEXT = 0.4  # belief in a link that is no item of a list
TO_A_PLACE = 0.3  # belief in a link to a place in p
ENTRY_LIST = 0.1  # belief in a list on the entry page, which shows what is anywhere below
CONTENTS = 0.2  # more than that, if it lists all pages of the site
INDEX_SHARE = 0.4  # of the site's pages that a page lists at one place, for it to be an index
PARTING = 1.0  # power to which the share of pages that a place lists only once is taken
ALIKE = 0.5  # belief in a list of pages that show such a list themselves: neighbours rather than members
GLOBAL_SHARE = 0.5  # of the site's pages that link a page of its main navigation
GLOBAL_PAGES = 2  # of a site of three pages
GLOBAL_POWER = 6  # three quarters of the pages link a favourite article too, all of them link a section
PAGER_PAGES = 4
PAGER_TARGETS = 0.7  # distinct targets a page: a pager leads everybody somewhere else


def in_links(web: SiteWeb) -> Ints:
    """Count for each page the other pages of the site that link it."""
    links = web.links
    chosen = (links.target >= 0) & (links.target != links.page)
    pairs = distinct(links.target[chosen] * max(len(web), 1) + links.page[chosen])
    return np.bincount(pairs // max(len(web), 1), minlength=len(web))


def pager_links(web: SiteWeb) -> Flags:
    """Tell which links lead to a neighbour in a series: one label at one place, and everybody goes elsewhere."""
    links = web.links
    count = max(len(web), 1)
    is_pager = np.zeros(len(links), np.bool_)
    usable = np.flatnonzero((links.target >= 0) & (links.target != links.page))
    if not len(usable):
        return is_pager
    _, role = numbered(links.path[usable] * max(len(web.labels), 1) + links.label[usable])
    pages = np.bincount(distinct(role * count + links.page[usable]) // count)
    targets = np.bincount(distinct(role * count + links.target[usable]) // count)
    uses = np.bincount(role)
    fits = (pages >= PAGER_PAGES) & (targets >= PAGER_TARGETS * pages) & (uses <= 1.5 * pages)
    is_pager[usable] = fits[role]
    return is_pager


def listed_pages(web: SiteWeb, pairs: Ints, nesting: Nesting, linked: Ints, is_pager: Flags, speaks_for: Ints) -> Ways:
    """Find the pages that list each page as a member."""
    links = web.links
    count = max(len(web), 1)
    usable = np.flatnonzero(
        (links.target >= 0) & (links.target != links.page) & ~links.in_head & (nesting.head < 0) & ~is_pager
    )
    if not len(usable):
        return Ways(usable, usable, np.zeros(0))
    page, target = links.page[usable], links.target[usable]
    width = int(links.container.max()) + 2
    _, place = numbered(links.path[usable] * width + links.container[usable] + 1)
    worth = np.where(nesting.in_text[usable], IN_TEXT, 1.0) * np.where(links.has_fragment[usable], TO_A_PLACE, 1.0)
    shown_at = distinct(place * count + page)
    page = speaks_for[page]
    # One row for each place, target and page.
    order = np.lexsort((-worth, page, target, place))
    place, target, page, worth = place[order], target[order], page[order], worth[order]
    new = np.concatenate([[True], (place[1:] != place[:-1]) | (target[1:] != target[:-1]) | (page[1:] != page[:-1])])
    new &= page != target
    place, target, page, worth = place[new], target[new], page[new], worth[new]
    starts = np.concatenate([[True], (place[1:] != place[:-1]) | (target[1:] != target[:-1])])[: len(place)]
    group = np.cumsum(starts) - 1
    spread = np.bincount(group)[group] if len(group) else group
    # Places that part the pages they list (each page is listed once) are lists of members; others recommend.
    places = int(place.max(initial=0)) + 1
    parting = np.bincount(place[starts], minlength=places) / np.maximum(np.bincount(place, minlength=places), 1)
    rank = linked.copy()
    rank[web.entry] = len(web)
    back = np.where(has_link(pairs, count, target, page), 1.0, ONE_WAY)
    lead = rank[page] / np.maximum(rank[page] + linked[target], 1)
    alike = np.where(np.isin(place * count + target, shown_at), ALIKE, 1.0)
    special = 1.0 - 0.5 * rank[page] / count
    # An index that half of the pages link shows what is anywhere, as the entry page does; contents of the entry page
    # that list nearly all pages say where they are.
    is_item = worth >= 1.0
    in_contents = np.isin(target, target[(page == web.entry) & is_item])
    _, here = numbered(place * count + page)
    is_index = (np.bincount(here)[here] >= INDEX_SHARE * web.size) & (rank[page] >= GLOBAL_SHARE * count) & in_contents
    share = len(distinct(target[(page == web.entry) & is_item])) / max(count - 1, 1)
    special = np.where(is_index, ENTRY_LIST, special)
    special = np.where(page == web.entry, ENTRY_LIST + CONTENTS * share**2, special)
    belief = worth * back * lead * alike * special * parting[place] ** PARTING / np.log2(1 + spread)
    return Ways(target, page, belief)


def global_pages(web: SiteWeb, linked: Ints) -> Ways:
    """Hang pages that most pages of the site link below the entry page."""
    share = linked / max(len(web) - 1, 1)
    page = np.flatnonzero((share >= GLOBAL_SHARE) & (linked >= GLOBAL_PAGES) & (np.arange(len(web)) != web.entry))
    return Ways(page, np.full(len(page), web.entry), share[page] ** GLOBAL_POWER)
