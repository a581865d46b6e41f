"""Menus that are one menu to a reader: other templates that show the same list, and lists whose labels stay.

- *Variants*: (nearly) the same targets at another place, on other pages: the front page has another template.
- *Spread* (MenuMiner 6.2.2): a page that links all targets of a menu from one stretch of links shows it, even if no
  other page does so at this place.
- *Shapes*: the same labels at one place of one site, leading to other targets on each page: the switch between the
  versions of a page, the bar of generated documentation.

Paper: MenuMiner 6.2.2 (spread)

Differences from the paper: a page that shows itself without a link counts; a missing fifth of the items is forgiven;
the DOM path need not fit the signature, because targets in one stretch say more.
"""

import numpy as np
from numpy.typing import NDArray

from sitestrata.graph.components import connected_components
from sitestrata.graph.link_graph import pairs_to_graph, positions_of
from sitestrata.graph.numbering import distinct, first_of_each, mix, tally
from sitestrata.menus.assemble import Shown, shown_menus
from sitestrata.menus.web import MenuWeb

__all__ = ["communities", "join_menus", "join_shapes", "join_variants", "spread_menus"]

SAME_TARGETS = 0.8  # Jaccard index of the targets of two variants
SAME_PAGES = 0.1  # share of pages that may show both of two variants
MAX_HOLDERS = 40  # menus that share a target; more tell nothing about which two are variants
SHOWS = 0.8  # share of a menu's targets that a page links, for it to show the menu
STRETCH = 3  # links among which one is of the menu, at least

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]


def join_variants(web: MenuWeb, link_menu: Ints, count: int) -> tuple[Ints, int]:
    """Make one menu of those that have the same targets on different pages."""
    cells = _cells(web, link_menu)
    width = max(len(web.target_id), 1)
    menu, target = cells // width, cells % width
    size = np.bincount(menu, minlength=count)
    a, b, common = _overlaps(menu, target)
    alike = common >= SAME_TARGETS * (size[a] + size[b] - common)
    a, b = a[alike], b[alike]
    shown = shown_menus(web, link_menu, count)
    both = _common_pages(web, shown, a, b)
    pages = np.diff(shown.of_menu)
    apart = both <= SAME_PAGES * np.minimum(pages[a], pages[b])
    return join_menus(link_menu, count, a[apart], b[apart])


def join_menus(link_menu: Ints, count: int, a: Ints, b: Ints) -> tuple[Ints, int]:
    """Make one menu of each set of menus that pairs connect."""
    graph = pairs_to_graph(np.arange(count), a, b, np.ones(len(a)))
    label, number = np.unique(connected_components(graph), return_inverse=True)
    return np.append(number, -1)[link_menu], len(label)


def spread_menus(web: MenuWeb, link_menu: Ints, count: int, free: Bools) -> Ints:
    """Give menus to pages that link their targets in one stretch of ``free`` links."""
    cells = _cells(web, link_menu)
    width = max(len(web.target_id), 1)
    menu, target = cells // width, cells % width
    size = np.bincount(menu, minlength=count)
    by_target = np.argsort(target, kind="stable")
    holders = np.searchsorted(target[by_target], np.arange(len(web.target_id) + 1))
    links = np.flatnonzero(free & (link_menu < 0))
    times = np.diff(holders)[web.target[links]]
    links, times = links[(times > 0) & (times <= MAX_HOLDERS)], times[(times > 0) & (times <= MAX_HOLDERS)]
    row = np.repeat(links, times)
    offset = np.arange(len(row)) - np.repeat(np.cumsum(times) - times, times)
    candidate = menu[by_target[holders[web.target[row]] + offset]]
    shown = shown_menus(web, link_menu, count)
    key = candidate * max(web.page_count, 1) + web.page[row]
    fresh = ~positions_of(shown.key, key)[1] & (size[candidate] > 2)
    row, candidate, key = row[fresh], candidate[fresh], key[fresh]
    order = np.lexsort((row, key))
    row, candidate, key = row[order], candidate[order], key[order]
    pairs, first, place, number = tally(key)
    last = first + number - 1
    owner = candidate[first] if len(first) else candidate
    own_target = positions_of(web.target_id, web.page_id[web.page[row[first]]])[0] if len(first) else first
    has_self = positions_of(cells, owner * width + own_target)[1]
    targets = np.bincount(place[first_of_each(mix(key, web.target[row]))], minlength=len(pairs))
    stretch = row[last] - row[first] + 1 if len(first) else first
    fits = (targets + has_self >= SHOWS * size[owner]) & (stretch <= STRETCH * number)
    result = link_menu.copy()
    # Larger menus first, so that a list goes to the one that explains most of it.
    for at in np.flatnonzero(fits)[np.lexsort((pairs[fits], -size[owner[fits]]))].tolist():
        rows = row[first[at] : last[at] + 1]
        if (result[rows] < 0).all():
            result[rows] = owner[at]
    return result


def join_shapes(
    web: MenuWeb, link_menu: Ints, shown: Shown, community: Ints, candidates: Bools
) -> tuple[Ints, Ints, Ints]:
    """Make one menu of candidates that have the same labels at the same place of a site.

    Returns the menu of each link, the new number of each menu, and which of the new ones were made of several.
    """
    count = len(candidates)
    used = np.flatnonzero(link_menu >= 0)
    first_link = np.zeros(count, np.int64)
    first_link[shown.menu[::-1]] = shown.first[::-1]
    # Labels of all entries, on whatever page they stand: the page at hand may be printed without a link.
    labels = first_of_each(mix(link_menu[used], web.label[used]))
    key = np.zeros(count, np.int64)
    with np.errstate(over="ignore"):
        np.add.at(key, link_menu[used][labels], mix(web.label[used][labels]))
    spot = mix(key, web.place[first_link]) if count else key
    rows = np.flatnonzero(candidates[shown.menu])
    near = mix(spot[shown.menu[rows]], community[shown.page[rows]])
    order = rows[np.lexsort((shown.menu[rows], near))]
    near = mix(spot[shown.menu[order]], community[shown.page[order]])
    beside = (near[1:] == near[:-1]) & (shown.menu[order][1:] != shown.menu[order][:-1])
    a, b = shown.menu[order][:-1][beside], shown.menu[order][1:][beside]
    graph = pairs_to_graph(np.arange(count), a, b, np.ones(len(a)))
    _, number = np.unique(connected_components(graph), return_inverse=True)
    return np.append(number, -1)[link_menu], number, np.unique(number[np.concatenate([a, b])])


def communities(web: MenuWeb, shown: Shown, at_home: Bools, ties: tuple[Ints, Ints]) -> Ints:
    """Label each page with the first page it is joined to by menus at home and by other ties (pairs of pages)."""
    rows = np.flatnonzero(at_home[shown.menu])
    hub = np.zeros(len(at_home), np.int64)
    hub[shown.menu[rows][::-1]] = shown.page[rows][::-1]
    u = np.concatenate([hub[shown.menu[rows]], ties[0]])
    v = np.concatenate([shown.page[rows], ties[1]])
    graph = pairs_to_graph(np.arange(web.page_count), u, v, np.ones(len(u)))
    return connected_components(graph)


def _cells(web: MenuWeb, link_menu: Ints) -> Ints:
    """Return menu * targets + target, each once."""
    used = np.flatnonzero(link_menu >= 0)
    return distinct(link_menu[used] * max(len(web.target_id), 1) + web.target[used])


def _overlaps(menu: Ints, target: Ints) -> tuple[Ints, Ints, Ints]:
    """Return the pairs of menus that share a target that few menus have, and how many they share."""
    order = np.lexsort((menu, target))
    menu, target = menu[order], target[order]
    begin = np.flatnonzero(np.concatenate([[True], target[1:] != target[:-1]])) if len(target) else target
    length = np.diff(np.append(begin, len(target)))
    size = np.repeat(length, length)
    place = np.arange(len(target)) - np.repeat(begin, length)
    few = size <= MAX_HOLDERS
    after = np.where(few, size - 1 - place, 0)
    row = np.repeat(np.arange(len(target)), after)
    offset = np.arange(len(row)) - np.repeat(np.cumsum(after) - after, after) + 1
    count = int(menu.max(initial=-1)) + 1
    pairs, _, _, common = tally(menu[row] * max(count, 1) + menu[row + offset])
    return pairs // max(count, 1), pairs % max(count, 1), common


def _common_pages(web: MenuWeb, shown: Shown, a: Ints, b: Ints) -> Ints:
    width = max(web.page_count, 1)
    both = np.zeros(len(a), np.int64)
    for at, (first, second) in enumerate(zip(a.tolist(), b.tolist(), strict=True)):
        both[at] = int(positions_of(shown.key, second * width + shown.pages(first))[1].sum())
    return both
