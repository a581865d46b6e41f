"""The stage that finds menus: tables of the page pass and of identity -> menus, their items, and where they stand."""

from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sitestrata.graph.numbering import first_of_each, mix, number_keys, number_within, tally
from sitestrata.menus.assemble import MIN_PAGES, fixed_menus, renumber, shown_menus
from sitestrata.menus.contents import find_contents
from sitestrata.menus.decisions import apply_menu_decisions
from sitestrata.menus.exemplars import group_strands
from sitestrata.menus.features import Features, measure_likeness, measure_menus
from sitestrata.menus.paper import PaperOptions, find_paper_menus
from sitestrata.menus.repeats import find_strands
from sitestrata.menus.roles import decide_roles, find_bars_and_switches, find_doubtful_bars, is_at_home
from sitestrata.menus.rows import Menus, menus_to_tables
from sitestrata.menus.runs import Runs, find_breadcrumbs, find_pagers, find_runs
from sitestrata.menus.slots import find_labelled_runs, find_slots
from sitestrata.menus.variants import communities, join_shapes, join_variants, spread_menus
from sitestrata.menus.web import MenuWeb, read_web
from sitestrata.model import Decision, TableReader

__all__ = ["MenuOptions", "find_menus", "mine_menus"]

WEAK_SHARE = 0.3  # of the pages of a wider menu: lists that are not at home and stand on fewer are content
FILLED = 0.75  # share of the links around it that are the menu's
DIGITS = 9  # of a share that is compared with a limit
PARTIAL = 0.8  # of the pages of a wider menu, to be a part of the site
CLOSED = 1.5  # times as many pages as targets: a switch is shown by its own targets only

Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class MenuOptions(PaperOptions):
    """How menus are found."""

    profile: str = "default"  # paper: cliques only
    menu_decisions: tuple[Decision, ...] = ()  # of a person, about roles; they overrule what was found


def find_menus(reader: TableReader, options: MenuOptions) -> dict[str, pa.Table]:
    """Find the menus of a collection; one row a menu, one an item, one a menu on a page."""
    if options.profile == "paper":
        made = find_paper_menus(reader, options.limits())
    else:
        made = menus_to_tables(reader, mine_menus(reader))
    return {**made, "menus": apply_menu_decisions(made["menus"], made["menu_items"], options.menu_decisions)}


def mine_menus(reader: TableReader) -> Menus:
    """Find the menus of a collection, as arrays."""
    web = read_web(reader)
    strands = find_strands(web)
    # 1. What changes from page to page.
    runs = find_runs(web, strands.links)
    trail = find_breadcrumbs(web, runs)
    spread = np.zeros(len(web.page), np.int64)
    spread[strands.links] = strands.entry_pages[strands.entry]
    is_pager, source, target = find_pagers(web, runs, trail < 0, spread[runs.links])
    free = np.zeros(len(web.page), np.bool_)
    free[strands.links] = True
    free[runs.links[((trail >= 0) | is_pager)[runs.of_link()]]] = False
    # 2. What stays.
    free &= ~web.in_prose
    link_menu, count = fixed_menus(web, strands, group_strands(reader, web, strands, ~free))
    link_menu[~free] = -1
    link_menu, count = join_variants(web, link_menu, count)
    link_menu = spread_menus(web, link_menu, count, free)
    link_menu, count = _drop_weak(web, link_menu, count)
    # 3. What leads into other sites, other editions of the site, or the same page elsewhere.
    features = measure_menus(web, link_menu, count)
    entries, places = measure_likeness(web, strands, link_menu, features.home_pages, count)
    pairs = {menu: features.shown.pages(menu).tolist() for menu in find_doubtful_bars(features, entries)}
    around, _ = measure_likeness(web, strands, link_menu, pairs, count)
    given = find_bars_and_switches(web, link_menu, features, (entries, places()), around)
    ties = is_at_home(features)
    ties[list(given)] = False
    community = communities(web, features.shown, ties, (source, target))
    kind = ["clique" if home >= MIN_PAGES else "repeat" for home in features.home.tolist()]
    link_menu, count, given, kind = _join_switches(web, link_menu, features, community, given, kind)
    link_menu, count = _add_runs(
        runs, trail >= 0, mix(runs.place, trail), link_menu, ("breadcrumb", "steps-continue"), given, kind
    )
    spot = mix(runs.place, community[runs.page])
    link_menu, count = _add_runs(runs, is_pager, spot, link_menu, ("pager", "neighbours-answer"), given, kind)
    # 4. What stays by its labels only.
    open_runs = np.bincount(runs.of_link()[(~free | (link_menu >= 0))[runs.links]], minlength=len(runs)) == 0
    labelled = find_labelled_runs(web, runs, community, open_runs)
    link_menu, count = _add_runs(runs, labelled, spot, link_menu, ("local", "labels-stay"), given, kind)
    shown = shown_menus(web, link_menu, count)
    is_bar = [given.get(number, ("", ""))[0] == "organisation" for number in range(count)]
    fixed = (np.array(kind, np.str_) != "shape") & ~np.array(is_bar, np.bool_)
    slot, owner = find_slots(web, link_menu, shown, free, fixed)
    # 5. What stands on one page only.
    contents = find_contents(web, free & (link_menu < 0) & (slot < 0), (source, target))
    link_menu = _add_contents(contents, link_menu, given, kind)
    features = measure_menus(web, link_menu, len(kind))
    likeness = measure_likeness(web, strands, link_menu, features.home_pages, len(kind))[0]
    roles = decide_roles(web, features, given)
    # Slots say nothing about where a menu leads, so roles are decided without them.
    link_menu[slot >= 0] = owner[slot[slot >= 0]]
    features = replace(features, shown=shown_menus(web, link_menu, len(kind)))
    return Menus(web, strands, link_menu, slot, features, likeness, roles, kind)


def _add_contents(contents: Ints, link_menu: Ints, given: dict[int, tuple[str, str]], kind: list[str]) -> Ints:
    """Add a menu for the contents list of each page that has one."""
    taken = np.flatnonzero(contents >= 0)
    pages, number = np.unique(contents[taken], return_inverse=True)
    result = link_menu.copy()
    result[taken] = number + len(kind)
    for _ in pages:
        given[len(kind)] = ("toc", "targets-lead-back")
        kind.append("single")
    return result


def _drop_weak(web: MenuWeb, link_menu: Ints, count: int) -> tuple[Ints, int]:
    """Drop content: lists that are not at home, or only parts of lists, and stand on a part of a site only."""
    features = measure_menus(web, link_menu, count)
    at_home = is_at_home(features)
    widest = np.zeros(web.page_count, np.int64)  # pages of the most widespread menu at home that a page shows
    rows = np.flatnonzero(at_home[features.shown.menu])
    np.maximum.at(widest, features.shown.page[rows], features.pages[features.shown.menu[rows]])
    total = np.bincount(features.shown.menu, weights=widest[features.shown.page], minlength=count)
    around = total / np.maximum(features.pages, 1)
    is_weak = ~at_home & (features.pages < WEAK_SHARE * around)
    is_weak |= (_filled(web, link_menu, count) < FILLED) & (features.pages < PARTIAL * around)
    return renumber(link_menu, ~is_weak & (features.pages >= MIN_PAGES))


def _filled(web: MenuWeb, link_menu: Ints, count: int) -> NDArray[np.float64]:
    """Return the share of the lists a menu stands in (links of one segment at one place) that is the menu's.

    Of a list that changes from page to page, parts recur by chance: related pages, the latest news.
    """
    listed = np.flatnonzero(~web.in_prose & ~(web.is_self & (web.fragment > 0)))
    which, _ = number_within(web.page[listed], mix(web.segment[listed], web.place[listed]))
    size = np.bincount(which)
    menu = link_menu[listed]
    mine = np.flatnonzero(menu >= 0)
    cell, _, _, links = tally(menu[mine] * max(len(size), 1) + which[mine])
    owner, share = cell // max(len(size), 1), links / size[cell % max(len(size), 1)]
    total = np.bincount(owner, weights=links, minlength=count)
    # Rounded, because sums of floats depend on their order.
    return np.round(np.bincount(owner, weights=share * links, minlength=count) / np.maximum(total, 1), DIGITS)


def _join_switches(
    web: MenuWeb,
    link_menu: Ints,
    features: Features,
    community: Ints,
    given: dict[int, tuple[str, str]],
    kind: list[str],
) -> tuple[Ints, int, dict[int, tuple[str, str]], list[str]]:
    """Join the lists that lead from a page to the same page elsewhere: each is shown by its own targets only."""
    is_closed = (features.home >= 2) & (features.pages <= CLOSED * features.targets)
    link_menu, number, shapes = join_shapes(web, link_menu, features.shown, community, is_closed)
    count = int(number.max(initial=-1)) + 1
    roles: dict[int, tuple[str, str]] = {}
    kinds = [""] * count
    for old, new in enumerate(number.tolist()):
        kinds[new] = kinds[new] or kind[old]
        if old in given:
            roles.setdefault(new, given[old])
    for new in shapes.tolist():
        kinds[new] = "shape"
        if roles.get(new, ("", ""))[0] != "language":
            roles[new] = ("version", "same-labels-other-pages")
    return link_menu, count, roles, kinds


def _add_runs(
    runs: Runs,
    chosen: NDArray[np.bool_],
    key: Ints,
    link_menu: Ints,
    role: tuple[str, str],
    given: dict[int, tuple[str, str]],
    kind: list[str],
) -> tuple[Ints, int]:
    """Add a menu for the chosen runs of each key that stand on enough pages."""
    rows = np.flatnonzero(chosen)
    which, first = number_keys(key[rows])
    enough = np.bincount(which[first_of_each(mix(which, runs.page[rows]))], minlength=len(first)) >= MIN_PAGES
    added = np.where(enough, np.cumsum(enough) - 1 + len(kind), -1)
    menu_of_run = np.full(len(runs), -1, np.int64)
    menu_of_run[rows] = added[which]
    of_link = menu_of_run[runs.of_link()]
    result = link_menu.copy()
    result[runs.links[of_link >= 0]] = of_link[of_link >= 0]
    for _ in range(int(enough.sum())):
        given[len(kind)] = role
        kind.append("shape")
    return result, len(kind)
