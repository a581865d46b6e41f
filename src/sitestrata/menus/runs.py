"""Hyperlinks -> runs (the links of one segment at one place), and which runs are breadcrumbs or pagers.

Both change from page to page, so that nothing of them repeats; what gives them away is what the pages they lead to show
at the same place:

- a *breadcrumb* ends at the page above, and that page's own breadcrumb is the same without this last step;
- a *pager* leads to pages whose pager leads back, but not to the same pages: it moves along as one walks.

Neither words nor class names are looked at.

Cost: a sort of the links.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sitestrata.graph.components import connected_components
from sitestrata.graph.link_graph import pairs_to_graph, positions_of
from sitestrata.graph.numbering import distinct, first_of_each, mix, number_keys, number_within
from sitestrata.menus.web import MenuWeb

__all__ = ["Runs", "find_breadcrumbs", "find_pagers", "find_runs"]

MIN_VERIFIED = 2  # pages above, of breadcrumbs of one root, that continue one another
MAX_TRAILS = 2  # of one root, or pagers, on one page: above and below the text
VERIFIED_SHARE = 0.5  # of those that can be checked
MAX_PAGER = 14  # links: the numbers around the page at hand, and first, previous, next, last
MOVING_SHARE = 0.5  # of a pager's links to neighbours: those that are answered by another pager
MIN_NEAR = 3  # pages that may link a page as their neighbour, in however short a series
NEAR_SHARE = 0.5  # of a series
PAGER_SHARE = 0.5  # of the runs at a pager's place: those that are pagers
MOVING_LABEL = 0.5  # targets a page, more than which a label has that moves along
SERIES_SHARE = 0.5  # of the pagers of a series: those with such a label, or those between their neighbours
MIDDLE_SHARE = 1 / 3  # of them: those that have two neighbours, as one of three has

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Runs:
    """Links of one segment at one place; run r has ``links[first[r] : first[r + 1]]``, in document order."""

    links: Ints
    first: Ints
    page: Ints
    place: Ints
    ordered: Ints  # hash of its targets in order, without the page itself
    without_self: Ints  # hash of its targets as a set, without the page itself
    with_self: Ints  # the same with it
    size: Ints  # targets other than the page itself

    def __len__(self) -> int:
        """Return the number of runs."""
        return len(self.page)

    def of_link(self) -> Ints:
        """Return the run of each of ``links``."""
        return np.repeat(np.arange(len(self)), np.diff(self.first))


def find_runs(web: MenuWeb, links: Ints) -> Runs:
    """Group links by segment and place."""
    which, begins = number_within(web.page[links], mix(web.segment[links], web.place[links]))
    by_run = np.argsort(which, kind="stable")
    order, run = links[by_run], which[by_run]
    first = np.concatenate([[0], np.cumsum(np.bincount(which))])
    place = web.place[links[begins]]
    page = web.page[order].astype(np.int64)
    target = web.target[order].astype(np.int64)
    other = web.target_page[target] != page
    begin = np.concatenate([[0], np.cumsum(other)])[first]
    run, target = run[other], target[other]
    ordered = _sum(mix(target, np.arange(len(run)) - begin[run]), begin)
    # Each target once, so that a target linked twice does not make another set.
    as_set = _sum(np.where(number_within(run, target)[1], mix(target), 0), begin)
    run_page = page[first[:-1]]
    own_target, known = positions_of(web.target_id, web.page_id[run_page])
    with np.errstate(over="ignore"):
        with_self = as_set + np.where(known, mix(own_target), mix(-1 - run_page))
    return Runs(order, first, run_page, place, ordered, as_set, with_self, np.diff(begin))


def _sum(values: Ints, begin: Ints) -> Ints:
    """Return the sum of the values of each run, of which the first ones are given; what overflows is right again."""
    with np.errstate(over="ignore"):
        return np.diff(np.concatenate([[0], np.cumsum(values)])[begin])


def find_breadcrumbs(web: MenuWeb, runs: Runs) -> Ints:
    """Return for each run the target its trail begins with, as a row of ``target_id``; -1 if it is no breadcrumb."""
    count = len(runs)
    found = np.full(count, -1, np.int64)
    if not count:
        return found
    run = runs.of_link()
    target = web.target[runs.links].astype(np.int64)
    other = np.flatnonzero(web.target_page[target] != runs.page[run])
    if not len(other):
        return found
    owner = run[other]
    head = np.searchsorted(owner, np.arange(count))
    tail = np.searchsorted(owner, np.arange(count), side="right") - 1
    has = runs.size > 0
    root, last = np.full(count, -1, np.int64), np.full(count, -1, np.int64)
    root[has], last[has] = target[other[head[has]]], target[other[tail[has]]]
    # What the page above must show: the same steps without the last one.
    with np.errstate(over="ignore"):
        prefix = runs.ordered - mix(last, runs.size - 1)
    above = np.where(last >= 0, web.target_page[np.maximum(last, 0)], -1).astype(np.int64)
    shown = distinct(mix(runs.page, runs.place, runs.ordered))
    checkable = np.flatnonzero((runs.size > 1) & (above >= 0))
    key = mix(above[checkable], runs.place[checkable], prefix[checkable])
    _, is_verified = positions_of(shown, key)
    is_verified &= ~_is_menu(web, runs, checkable, target[other[tail[checkable] - 1]])
    # Pages of one site begin their trails alike, at one place.
    trail = mix(runs.place, root)
    which, kinds = number_keys(trail)
    checked = np.bincount(which[checkable], minlength=len(kinds))
    verified = np.bincount(which[checkable], weights=is_verified, minlength=len(kinds))
    ends = first_of_each(mix(which[checkable][is_verified], above[checkable][is_verified]))
    steps_up = np.bincount(which[checkable][is_verified][ends], minlength=len(kinds))
    pages = np.bincount(which[first_of_each(mix(which, runs.page))], minlength=len(kinds))
    is_trail = (steps_up >= MIN_VERIFIED) & (verified >= VERIFIED_SHARE * checked)
    is_trail &= np.bincount(which, minlength=len(kinds)) <= MAX_TRAILS * pages
    # Of a trail are runs that continue a page above, or that would if that page had been captured; lists that begin at
    # the same page are not.
    is_step = np.zeros(count, np.bool_)
    is_step[checkable[is_verified]] = True
    is_step |= runs.size == 1
    steps = distinct(mix(runs.place, runs.ordered)[is_step & is_trail[which]])
    is_step |= positions_of(steps, mix(runs.place, prefix))[1]
    chosen = is_trail[which] & has & is_step
    found[chosen] = root[chosen]
    return found


def _is_menu(web: MenuWeb, runs: Runs, checked: Ints, last_but_one: Ints) -> Bools:
    """Tell which runs are menus that their own items show without a link to themselves.

    Such a list, too, is the same without its last item on the page of that item. But so it is without the last but one
    on the page of the last but one, which shows the last one; a breadcrumb never looks down.
    """
    page = web.target_page[last_but_one].astype(np.int64)
    sets = distinct(mix(runs.page, runs.place, runs.with_self))
    _, is_shown = positions_of(sets, mix(page, runs.place[checked], runs.without_self[checked]))
    return is_shown & (page >= 0)


def find_pagers(web: MenuWeb, runs: Runs, candidates: Bools, spread: Ints) -> tuple[Bools, Ints, Ints]:
    """Tell which runs are pagers; return also which pages they tie together, as pairs of rows.

    ``spread`` says of each of ``runs.links`` on how many pages its like stands (`Strands.entry_pages`): the neighbours
    of a page are few, while the page above is linked from all of them. Most runs at a pager's place, on the pages that
    it ties together, are pagers: links in a text are answered by chance.
    """
    run = runs.of_link()
    target = web.target[runs.links].astype(np.int64)
    target_page = web.target_page[target].astype(np.int64)
    fits = candidates & (runs.size > 0) & (runs.size <= MAX_PAGER)
    is_near = (spread <= MAX_PAGER) & (target_page >= 0) & (target_page != runs.page[run])
    edge = np.flatnonzero(is_near & fits[run])
    owner = run[edge]
    source, end, place = runs.page[owner], target_page[edge], runs.place[owner]
    forth = mix(source, end, place)
    order = np.argsort(forth, kind="stable")
    at, is_answered = positions_of(forth[order], mix(end, source, place))
    back = owner[order[at]] if len(order) else at
    # A list that both pages show alike is a menu, unless it has shortcuts: the next page and its number are one target.
    is_alike = runs.with_self[owner] == runs.with_self[back]
    has_shortcuts = np.zeros(len(runs), np.bool_)
    has_shortcuts[run[~number_within(run, target)[1]]] = True
    moves = is_answered & (~is_alike | has_shortcuts[owner])
    count = len(runs)
    moving = np.bincount(owner[moves], minlength=count)
    near = np.bincount(owner, minlength=count)
    is_pager = fits & (moving > 0) & (moving >= MOVING_SHARE * near)
    tied = moves & is_pager[owner]
    source, end = source[tied], end[tied]
    graph = pairs_to_graph(np.arange(web.page_count), source, end, np.ones(len(source)))
    series = connected_components(graph)
    # Neighbours are few: a list that most pages of the series show is their menu.
    length = np.bincount(series, minlength=web.page_count)[series]
    is_close = moves & (spread[edge] <= np.maximum(MIN_NEAR, NEAR_SHARE * length[runs.page[owner]]))
    close = np.bincount(owner[is_close], minlength=count)
    is_pager &= ((close > 0) & (close >= MOVING_SHARE * moving)) | has_shortcuts
    spot, _ = number_keys(mix(runs.place, series[runs.page]))
    share = np.bincount(spot[is_pager], minlength=count) / np.maximum(np.bincount(spot, minlength=count), 1)
    is_pager &= share[spot] >= PAGER_SHARE
    chosen = tied & is_pager[owner]
    is_pager &= _is_series(web, runs, is_pager, spot, (owner[chosen], back[chosen], edge[chosen]))
    still = is_pager[owner[tied]]
    return is_pager, source[still], end[still]


def _is_series(web: MenuWeb, runs: Runs, chosen: Bools, spot: Ints, ties: tuple[Ints, Ints, Ints]) -> Bools:
    """Tell which runs stand where labels or the order of pages make a series of them.

    Lists of related pages are answered too: a class names its interfaces, and they name it. But the labels of a pager
    stay while its targets change ("next"); or, where they are titles, the page it comes from is the last that the
    first one names and the first that the last one does.

    Args:
        web: the collection.
        runs: all runs.
        chosen: those that may be pagers.
        spot: where each run stands, as a number below that of runs.
        ties: of links to neighbours, in document order: their run, the run that answers, and the place in runs.links.
    """
    owner, back, link = ties
    count = len(runs)
    # 1. Labels that lead elsewhere on most of the pages they stand on.
    rows = np.flatnonzero(chosen[runs.of_link()])
    links = runs.links[rows]
    which, first = number_keys(mix(web.place[links], web.label[links]))
    targets = np.bincount(which[first_of_each(mix(which, web.target[links]))], minlength=len(first))
    pages = np.bincount(which[first_of_each(mix(which, web.page[links]))], minlength=len(first))
    is_moving = (targets > 1) & (targets > MOVING_LABEL * pages)
    # What each entry of a list has ("top of the page") is no step; a pager may stand above and below the text.
    is_moving &= np.bincount(which, minlength=len(first)) <= MAX_TRAILS * pages
    moving = np.zeros(len(runs.links), np.bool_)
    moving[rows] = is_moving[which]
    labelled = np.zeros(count, np.bool_)
    labelled[owner[moving[link]]] = True
    # 2. Order: first and last neighbour of each run.
    head, tail = np.full(count, -1, np.int64), np.full(count, -1, np.int64)
    head[owner[::-1]], tail[owner] = np.arange(len(owner))[::-1], np.arange(len(owner))
    end = web.target_page[web.target[runs.links[link]]].astype(np.int64)
    inner = np.flatnonzero(chosen & (head >= 0))
    inner = inner[end[head[inner]] != end[tail[inner]]]
    before, after = back[head[inner]], back[tail[inner]]
    is_chain = (end[tail[before]] == runs.page[inner]) & (end[head[after]] == runs.page[inner])
    total = np.bincount(spot[chosen], minlength=count)
    middle = np.bincount(spot[inner], minlength=count)
    chained = np.bincount(spot[inner[is_chain]], minlength=count)
    has_labels = np.bincount(spot[labelled], minlength=count) >= SERIES_SHARE * total
    is_series = has_labels | ((middle >= MIDDLE_SHARE * total) & (chained >= SERIES_SHARE * middle))
    result: Bools = is_series[spot]
    return result
