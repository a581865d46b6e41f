"""Links of menus -> their items: in document order, as a tree, with labels and the page at hand restored.

The page that shows most of a menu gives the order. What only other pages show (above all the item of that page itself)
goes behind the item that precedes it there. Links that only open a drop-down are items without a target; so are slots,
which lead elsewhere on each page (`slots`), but these are shown on some. A link that leads past the menu is no item.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sitestrata.graph.link_graph import positions_of
from sitestrata.graph.numbering import distinct, tally
from sitestrata.menus.assemble import Shown
from sitestrata.menus.web import TO_A_PLACE, MenuWeb

__all__ = ["Item", "ShownLinks", "count_slots", "count_targets", "fixed_items", "list_links", "varying_items"]

STAYS = 0.5  # share of the pages on which a label stands, to be listed among the items of a menu that varies

Ints = NDArray[np.int64]


@dataclass(slots=True)
class Item:
    """One item; its label is that of ``link``."""

    link: int  # row of the web
    target: int  # row of target_id; -1 = none, or another one on each page
    level: int
    parent: int  # place in the list; -1 = none
    pages: int = 0  # that show it, the page it leads to included


@dataclass(frozen=True, slots=True, eq=False)
class ShownLinks:
    """The links by which pages show menus: those of row r of ``Shown`` are links[first[r] : first[r + 1]]."""

    links: Ints
    first: Ints

    def of(self, row: int) -> list[int]:
        """Return the links of a row, in document order."""
        some: list[int] = self.links[self.first[row] : self.first[row + 1]].tolist()
        return some


def list_links(web: MenuWeb, shown: Shown, link_menu: Ints) -> ShownLinks:
    """List the links of menus by menu and page, as the rows of ``shown`` are."""
    used = np.flatnonzero(link_menu >= 0)
    order = used[np.lexsort((web.page[used], link_menu[used]))]
    return ShownLinks(order, np.concatenate([[0], np.cumsum(shown.links)]).astype(np.int64))


def count_slots(web: MenuWeb, link_menu: Ints, slot: Ints) -> tuple[Ints, Ints, Ints]:
    """Return menu, slot as -1 - s, and how many pages show it."""
    used = np.flatnonzero(slot >= 0)
    number, first, _, _ = tally(slot[used])
    width = max(web.page_count, 1)
    pages = np.bincount(distinct(slot[used] * width + web.page[used]) // width, minlength=len(number))
    return link_menu[used[first]], -1 - number, pages


def count_targets(web: MenuWeb, shown: Shown, link_menu: Ints, slot: Ints) -> tuple[Ints, Ints, Ints]:
    """Return menu, target, and how many pages show it in this menu, the page it leads to included; sorted."""
    used = np.flatnonzero((link_menu >= 0) & (slot < 0))
    width, targets = max(web.page_count, 1), max(len(web.target_id), 1)
    cell, _, which, _ = tally(link_menu[used] * targets + web.target[used])
    own = web.target_page[cell % targets].astype(np.int64)
    is_own = (own >= 0) & positions_of(shown.key, cell // targets * width + own)[1]
    places = np.concatenate([which * width + web.page[used], np.flatnonzero(is_own) * width + own[is_own]])
    return cell // targets, cell % targets, np.bincount(distinct(places) // width, minlength=len(cell))


def fixed_items(
    web: MenuWeb, shown: Shown, menu: int, links: ShownLinks, toggles: set[int], pages: Mapping[int, int], slot: Ints
) -> list[Item]:
    """Return the items of a menu that is the same on all pages.

    ``slot`` is that of each link of the web, -1 = none; ``pages`` counts those of each target, and of slot s as -1 - s.
    """
    rows = np.arange(shown.of_menu[menu], shown.of_menu[menu + 1])
    # The page with most links first, of equals the first; no more than it takes to see every target.
    best = rows[np.lexsort((shown.page[rows], -shown.links[rows]))]
    order: list[int] = []
    known: dict[int, int] = {}  # target or slot -> link
    for row in best.tolist():
        previous: int | None = None
        for link in links.of(row):
            target = -1 - int(slot[link]) if slot[link] >= 0 else int(web.target[link])
            if target not in known:
                known[target] = link
                if previous is not None:
                    order.insert(order.index(previous) + 1, target)
                else:
                    order.insert(0, target)
            previous = target
        if len(known) == len(pages):
            break
    levels = _levels(web, [known[target] for target in order])
    return _as_tree(web, order, known, pages, levels, toggles)


def varying_items(web: MenuWeb, shown: Shown, menu: int, links: ShownLinks) -> list[Item]:
    """Return what stays of a menu that changes from page to page: labels that most pages show."""
    rows = np.arange(shown.of_menu[menu], shown.of_menu[menu + 1])
    by_label: dict[int, list[int]] = {}
    for row in rows.tolist():
        for link in links.of(row):
            if web.label[link]:
                by_label.setdefault(int(web.label[link]), []).append(link)
    items = []
    for same in by_label.values():
        pages = {int(web.page[link]) for link in same}
        if len(pages) >= max(2, STAYS * len(rows)):
            targets = {int(web.target[link]) for link in same}
            items.append(Item(same[0], targets.pop() if len(targets) == 1 else -1, 0, -1, len(pages)))
    return sorted(items, key=lambda item: (-item.pages, item.link))


def _levels(web: MenuWeb, links: list[int]) -> dict[int, int]:
    """Return the depth of each link's segment among the segments of the menu and those around them."""
    depth: dict[int, int] = {}
    for link in links:
        segment = int(web.segment[link])
        chain = 0
        while segment >= 0:
            chain += 1
            segment = int(web.segment_parent[segment])
        depth[link] = chain
    return depth


def _as_tree(
    web: MenuWeb,
    order: list[int],
    known: dict[int, int],
    pages: Mapping[int, int],
    depth: dict[int, int],
    toggles: set[int],
) -> list[Item]:
    items: list[Item] = []
    shallowest = min(depth.values(), default=0)
    main_page = int(web.page[known[order[0]]]) if order else -1
    opened = _headings(web, main_page, [known[target] for target in order], toggles)
    above: list[tuple[int, int]] = []  # (depth, place) of the items that later ones may stand under
    for target in order:
        link = known[target]
        for heading in opened.pop(link, ()):
            depth_of_heading = _depth(web, heading) - shallowest
            # Before everything else and above it: a way past the menu, to a place on the page.
            if items or depth_of_heading >= 0 or web.fragment[heading] < TO_A_PLACE:
                _put(items, above, Item(heading, -1, 0, -1), depth_of_heading)
        _put(items, above, Item(link, max(target, -1), 0, -1, pages[target]), depth[link] - shallowest)
    return items


def _put(items: list[Item], above: list[tuple[int, int]], item: Item, depth: int) -> None:
    while above and above[-1][0] >= depth:
        above.pop()
    item.parent = above[-1][1] if above else -1
    item.level = items[item.parent].level + 1 if above else 0
    above.append((depth, len(items)))
    items.append(item)


def _depth(web: MenuWeb, link: int) -> int:
    segment, chain = int(web.segment[link]), 0
    while segment >= 0:
        chain += 1
        segment = int(web.segment_parent[segment])
    return chain


def _headings(web: MenuWeb, page: int, links: list[int], toggles: set[int]) -> dict[int, list[int]]:
    """Return the toggles among the menu's links, by the item they stand before."""
    here = sorted(link for link in links if web.page[link] == page)
    if not here:
        return {}
    segments = {int(web.segment[link]) for link in here}
    segments |= {int(web.segment_parent[segment]) for segment in segments}
    found: dict[int, list[int]] = {}
    following = iter(here)
    item = next(following)
    for link in range(max(here[0] - 1, 0), here[-1]):
        while item < link:
            item = next(following)
        if link in toggles and web.page[link] == page and int(web.segment[link]) in segments:
            found.setdefault(item, []).append(link)
    return found
