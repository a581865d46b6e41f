"""Hyperlinks -> strands: links that stand together, at one place, on the same pages.

A link to one target at one place of the template is an *entry*, on however many pages it stands. Entries that share a
segment and stand on nearly the same pages belong together; those of a section's submenu stand on fewer pages than the
bar around them and so fall apart from it, whether or not the segmentation told the two from each other (MenuMiner's
Figure 3). Nothing is compared but entries that follow one another when a segment's links are sorted by how widespread
they are: one pair a link.

Targets that were never captured count like all others, and so do targets that do not link back.

Cost: a few sorts of the links; 16 bytes a link beside those of the web.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sitestrata.graph.components import connected_components
from sitestrata.graph.link_graph import pairs_to_graph
from sitestrata.graph.numbering import distinct, mix, number_keys, number_within, tally
from sitestrata.menus.web import MenuWeb

__all__ = ["Strands", "find_strands"]

SAME_PAGES = 0.8  # share of the pages of two entries on which they stand together, for them to belong together

Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Strands:
    """Entries and the strands they form."""

    links: Ints  # the links that count: all but those to places on the same page and those that only open a drop-down
    entry: Ints  # of each of these links
    entry_pages: Ints  # on how many pages each entry stands
    entry_target: Ints  # row of web.target_id
    strand: Ints  # of each entry
    strand_count: int
    strand_pages: Ints  # on how many pages each strand stands
    first_page: Ints  # the first of them, by number: the one that is looked at more closely
    shown: Ints  # strand * page_count + page, sorted: which pages show which strands
    shown_links: Ints  # how many links
    shown_of_link: Ints  # the place in ``shown`` of each of ``links``
    home_share: NDArray[
        np.float64
    ]  # of a strand's captured targets, the share that shows it too; 0 where none is captured
    toggles: Ints  # links that lead nowhere: headings that open a drop-down


def find_strands(web: MenuWeb) -> Strands:
    """Group the links of a collection into strands."""
    is_self = web.is_self
    toggles = _toggles(web, is_self)
    is_toggle = np.zeros(len(web.page), np.bool_)
    is_toggle[toggles] = True
    links = np.flatnonzero(~is_toggle & ~(is_self & (web.fragment > 0)))
    entry, first = _entries(web, links)
    pages = np.bincount(entry, minlength=len(first))
    target = web.target[links[first]].astype(np.int64)
    strand = _join(web, links, entry, pages)
    count = int(strand.max(initial=-1)) + 1
    shown, _, shown_of_link, shown_links = tally(strand[entry] * max(web.page_count, 1) + web.page[links])
    owner, page = shown // max(web.page_count, 1), shown % max(web.page_count, 1)
    first_page = page[np.searchsorted(owner, np.arange(count))]
    home = _home_share(web, strand, target, shown)
    return Strands(
        links=links,
        entry=entry,
        entry_pages=pages,
        entry_target=target,
        strand=strand,
        strand_count=count,
        strand_pages=np.bincount(owner, minlength=count),
        first_page=first_page,
        shown=shown,
        shown_links=shown_links,
        shown_of_link=shown_of_link,
        home_share=home,
        toggles=toggles,
    )


def _toggles(web: MenuWeb, is_self: NDArray[np.bool_]) -> Ints:
    """Return the links that lead to the very page they stand on, by the same label at the same place of other pages."""
    own = np.flatnonzero(is_self)
    which, first = number_keys(mix(web.label[own], web.place[own]))
    # The item of the page at hand leads to it too, but on this page only, so once or twice.
    pages = distinct(which * max(web.page_count, 1) + web.page[own])
    times = np.bincount(pages // max(web.page_count, 1), minlength=len(first))
    return own[times[which] > 2]


def _home_share(web: MenuWeb, strand: Ints, target: Ints, shown: Ints) -> NDArray[np.float64]:
    page = web.target_page[target].astype(np.int64)
    captured = np.flatnonzero(page >= 0)
    key = strand[captured] * max(web.page_count, 1) + page[captured]
    at = np.minimum(np.searchsorted(shown, key), max(len(shown) - 1, 0))
    is_home = shown[at] == key if len(shown) else np.zeros(0, np.bool_)
    count = int(strand.max(initial=-1)) + 1
    total = np.bincount(strand[captured], minlength=count)
    return np.bincount(strand[captured], weights=is_home, minlength=count) / np.maximum(total, 1)


def _entries(web: MenuWeb, links: Ints) -> tuple[Ints, Ints]:
    """Number the entries; return that of each link, and for each entry the place of its first link."""
    spot = mix(web.target[links], web.place[links])
    # The second link to a target at one place of a page (a menu that is repeated at the foot) is another entry.
    which, is_first = number_within(web.page[links], spot)
    rows = np.flatnonzero(~is_first)
    order = np.argsort(which[rows], kind="stable")
    begin = np.flatnonzero(np.diff(which[rows][order], prepend=-1))
    rank = np.zeros(len(links), np.int64)
    rank[rows[order]] = np.arange(len(rows)) - np.repeat(begin, np.diff(np.append(begin, len(rows)))) + 1
    # Numbers follow the document order of the first page that shows them.
    return number_keys(mix(spot, rank))


def _join(web: MenuWeb, links: Ints, entry: Ints, pages: Ints) -> Ints:
    count = len(pages)
    repeated = (pages[entry] > 1) & ~web.in_prose[links]
    widest = np.lexsort((np.arange(count), -pages))
    rank = np.empty(count, np.int64)
    rank[widest] = np.arange(count)
    bits = count.bit_length()
    cells = np.sort((web.segment[links][repeated].astype(np.int64) << bits) + rank[entry[repeated]])
    segment, member = cells >> bits, widest[cells & ((1 << bits) - 1)]
    beside = (segment[1:] == segment[:-1]) & (member[1:] != member[:-1])
    u, v = member[:-1][beside], member[1:][beside]
    pairs, _, _, together = tally((np.minimum(u, v) << bits) + np.maximum(u, v))
    u, v = pairs >> bits, pairs & ((1 << bits) - 1)
    # One page more: the page that an entry leads to often shows it without a link.
    joined = together + 1 >= SAME_PAGES * np.maximum(pages[u], pages[v])
    graph = pairs_to_graph(np.arange(count), u[joined], v[joined], np.ones(int(joined.sum())))
    root = connected_components(graph)
    is_root = np.zeros(count, np.bool_)
    is_root[root] = True
    number: Ints = np.cumsum(is_root)[root] - 1
    return number
