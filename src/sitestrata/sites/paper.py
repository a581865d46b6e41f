"""S-menus -> sites, subsections, main menus, entry pages and compound documents, as in the paper.

- *Sites*: menus whose page sets overlap are joined; each connected set of pages is a site. Pages without any menu form
  one generic cluster.
- *Subsections*: page set A a proper subset of page set B makes A a subsection of B.
- *Main menu*: the menu on most pages of the site; of equals the first in document order on one page that shows them.
- *Entry page*: the first item of the main menu that is a page of the site.
- *Compound documents*: small page sets of equal size under one root, each shown by exactly the pages that it links.

Paper: MenuMiner 6.2-6.4

Differences from the paper: it shows compound documents in a figure and gives no rule; `COMPOUND_PAGES` and the demand
that there are two alike are ours. Its Table 1 lists items that are missing on some pages of the clique, so the items of
a menu are all links of the segments that show it.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sitestrata.menus.clique_finder import FinderLimits, Hits
from sitestrata.menus.paper import mine_paper_menus
from sitestrata.menus.spread import SMenu
from sitestrata.menus.web import read_web
from sitestrata.model import TableReader

__all__ = [
    "CompoundDocument",
    "PaperPartition",
    "PaperSite",
    "compound_documents",
    "entry_page",
    "inclusion",
    "main_menu_of",
    "menus_to_sites",
    "part_pages",
]

COMPOUND_PAGES = 10  # of a document in parts, at most; the paper's have three


@dataclass(frozen=True, slots=True)
class PaperSite:
    """Pages that overlapping menus join."""

    pages: tuple[int, ...]  # sorted
    menus: tuple[int, ...]  # numbers; none for the generic cluster


@dataclass(frozen=True, slots=True)
class CompoundDocument:
    """Pages that are the sections of one document, and the menu above them."""

    pages: tuple[int, ...]
    menu: int
    root: int | None  # menu whose pages include these; None = none does


def menus_to_sites(page_count: int, menus: Sequence[SMenu]) -> list[PaperSite]:
    """Join overlapping page sets; the generic cluster, if there is one, comes last."""
    root = list(range(page_count))

    def find(page: int) -> int:
        while root[page] != page:
            root[page] = root[root[page]]
            page = root[page]
        return page

    covered: set[int] = set()
    for menu in menus:
        covered.update(menu.pages)
        for page in menu.pages[1:]:
            a, b = sorted((find(menu.pages[0]), find(page)))
            root[b] = a
    pages: dict[int, list[int]] = {}
    for page in sorted(covered):
        pages.setdefault(find(page), []).append(page)
    numbers: dict[int, list[int]] = {}
    for number, menu in enumerate(menus):
        numbers.setdefault(find(menu.pages[0]), []).append(number)
    sites = [PaperSite(tuple(members), tuple(numbers[first])) for first, members in sorted(pages.items())]
    generic = tuple(page for page in range(page_count) if page not in covered)
    return [*sites, PaperSite(generic, ())] if generic else sites


def inclusion(menus: Sequence[SMenu]) -> dict[int, int | None]:
    """Return for each menu the one with the smallest page set that properly includes its own; None = none does.

    Of menus with equal page sets the first stands for all.
    """
    sets = [frozenset(menu.pages) for menu in menus]
    holders: dict[int, list[int]] = {}
    for number, pages in enumerate(sets):
        for page in pages:
            holders.setdefault(page, []).append(number)
    above: dict[int, int | None] = {}
    for number, pages in enumerate(sets):
        # Whatever includes these pages includes the one that fewest menus hold.
        rarest = min(pages, key=lambda page: (len(holders[page]), page))
        wider = [other for other in holders[rarest] if len(sets[other]) > len(pages) and pages < sets[other]]
        above[number] = min(wider, key=lambda other: (len(sets[other]), other), default=None)
    return above


def main_menu_of(site: PaperSite, menus: Sequence[SMenu]) -> int | None:
    """Return the menu that is shared by most pages of a site; None for the generic cluster."""
    if not site.menus:
        return None
    most = max(len(menus[number].pages) for number in site.menus)
    tied = [number for number in site.menus if len(menus[number].pages) == most]
    # One page is selected, and the menus that it does not show come after those it does.
    page = min(menus[number].pages[0] for number in tied)

    def place(number: int) -> tuple[bool, int, int]:
        shown: Mapping[int, int] = dict(zip(menus[number].pages, menus[number].segments, strict=True))
        return page not in shown, shown.get(page, 0), number

    return min(tied, key=place)


def entry_page(site: PaperSite, menu: SMenu, first_items: Sequence[int]) -> int:
    """Return the first item of a menu that is a page of the site; ``first_items`` are its items in document order."""
    inside = set(site.pages)
    return next((page for page in first_items if page in inside), menu.clique.pages[0])


def compound_documents(menus: Sequence[SMenu], *, max_pages: int = COMPOUND_PAGES) -> list[CompoundDocument]:
    """Return the small uniform page sets: menus shown by exactly their own targets, with a like beside them."""
    above = inclusion(menus)
    includes = {parent for parent in above.values() if parent is not None}
    small = [
        number
        for number, menu in enumerate(menus)
        if menu.pages == menu.clique.pages and len(menu.pages) <= max_pages and number not in includes
    ]
    alike = Counter((above[number], menus[number].signature, len(menus[number].pages)) for number in small)
    return [
        CompoundDocument(menus[number].pages, number, above[number])
        for number in small
        if alike[above[number], menus[number].signature, len(menus[number].pages)] > 1
    ]


@dataclass(frozen=True, slots=True, eq=False)
class PaperPartition:
    """The pages of a collection parted as in the paper; ids are page_ids."""

    page_id: NDArray[np.int64]
    site: NDArray[np.int64]  # entry page of each page's site; that of the generic cluster is its first page
    menus: list[SMenu]  # pages are rows of ``page_id``
    main_menu: dict[int, int]  # site -> number of its main menu
    parent: dict[int, int | None]  # menu -> the menu it is a subsection of
    documents: list[CompoundDocument]
    hits: Hits


def part_pages(reader: TableReader, limits: FinderLimits | None = None) -> PaperPartition:
    """Part the pages of a collection into sites by their s-menus alone."""
    web = read_web(reader)
    menus, _, hits = mine_paper_menus(reader, web, limits)
    links = np.argsort(web.segment, kind="stable")
    begin = np.searchsorted(web.segment[links], np.arange(len(web.segment_page) + 1))
    site_of = np.zeros(web.page_count, np.int64)
    main_menu: dict[int, int] = {}
    for site in menus_to_sites(web.page_count, menus):
        number = main_menu_of(site, menus)
        entry = site.pages[0]
        if number is not None:
            segment = menus[number].segments[0]
            items = web.target_page[web.target[links[begin[segment] : begin[segment + 1]]]].tolist()
            entry = entry_page(site, menus[number], items)
            main_menu[int(web.page_id[entry])] = number
        site_of[list(site.pages)] = web.page_id[entry]
    return PaperPartition(web.page_id, site_of, menus, main_menu, inclusion(menus), compound_documents(menus), hits)
