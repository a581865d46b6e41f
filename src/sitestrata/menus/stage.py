"""The stage that finds menus: tables of the page pass and of identity -> menus, their items, and where they stand."""

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sitestrata.menus.assemble import MIN_PAGES, fixed_menus, renumber, shown_menus
from sitestrata.menus.clique_finder import MAX_CLIQUES, MAX_ROUNDS, MAX_STATES, FinderLimits
from sitestrata.menus.decisions import apply_menu_decisions
from sitestrata.menus.exemplars import group_strands
from sitestrata.menus.features import AT_HOME, Features, measure_menus
from sitestrata.menus.items import Item, fixed_items, varying_items
from sitestrata.menus.paper import find_paper_menus
from sitestrata.menus.repeats import Strands, find_strands, mix
from sitestrata.menus.roles import Roles, decide_roles, find_bars
from sitestrata.menus.runs import Runs, find_breadcrumbs, find_pagers, find_runs
from sitestrata.menus.uniformity import align_all, spell
from sitestrata.menus.variants import communities, join_variants, spread_menus
from sitestrata.menus.web import LANDMARKS, MenuWeb, read_labels, read_paths, read_web, urls_of
from sitestrata.model import TABLES, Decision, TableReader
from sitestrata.urls import url_id

__all__ = ["MenuOptions", "Menus", "find_menus", "mine_menus"]

WEAK_SHARE = 0.3  # of the pages of a wider menu: lists that are not at home and stand on fewer are content
PAGER_SHARE = 0.5  # of the runs at a pager's place that are pagers
SIGNATURE_PAGES = 20  # pages whose paths are aligned for a signature

Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class MenuOptions:
    """How menus are found."""

    profile: str = "default"  # paper: cliques only
    max_cliques: int = MAX_CLIQUES  # paper: of a page's neighbourhood
    max_states: int = MAX_STATES  # paper: of one search
    max_rounds: int = MAX_ROUNDS  # paper: searches a page
    menu_decisions: tuple[Decision, ...] = ()  # of a person, about roles; they overrule what was found

    def limits(self) -> FinderLimits:
        """Return what one page may cost under the paper's profile."""
        return FinderLimits(cliques=self.max_cliques, states=self.max_states, rounds=self.max_rounds)


@dataclass(frozen=True, slots=True, eq=False)
class Menus:
    """What was found, as arrays: the menu of each link, and one row a menu."""

    web: MenuWeb
    strands: Strands
    link_menu: Ints
    features: Features
    roles: Roles
    kind: list[str]


def find_menus(reader: TableReader, options: MenuOptions) -> dict[str, pa.Table]:
    """Find the menus of a collection; one row a menu, one an item, one a menu on a page."""
    if options.profile == "paper":
        made = find_paper_menus(reader, options.limits())
    else:
        made = _tables(reader, mine_menus(reader))
    return {**made, "menus": apply_menu_decisions(made["menus"], options.menu_decisions)}


def mine_menus(reader: TableReader) -> Menus:
    """Find the menus of a collection, as arrays."""
    web = read_web(reader)
    strands = find_strands(web)
    runs = find_runs(web, strands.links)
    trail = find_breadcrumbs(web, runs)
    in_trail = np.zeros(len(web.page), np.bool_)
    in_trail[runs.links[(trail >= 0)[runs.of_link()]]] = True
    link_menu, count = fixed_menus(web, strands, group_strands(reader, web, strands, in_trail))
    link_menu[in_trail] = -1
    link_menu, count = join_variants(web, link_menu, count)
    free = np.zeros(len(web.page), np.bool_)
    free[strands.links] = True
    link_menu = spread_menus(web, link_menu, count, free & ~in_trail)
    link_menu, count = _drop_weak(web, strands, link_menu, count)
    given: dict[int, tuple[str, str]] = {}
    kind = ["repeat"] * count
    link_menu, count = _add_trails(runs, trail, link_menu, count, given, kind)
    link_menu, count = _add_pagers(web, strands, runs, trail, link_menu, count, given, kind)
    features = measure_menus(web, strands, link_menu, count)
    for number in np.flatnonzero(find_bars(features)).tolist():
        given.setdefault(number, ("organisation", "targets-share-nothing-else"))
    for number in range(count):
        if kind[number] == "repeat" and features.home[number] >= MIN_PAGES:
            kind[number] = "clique"
    return Menus(web, strands, link_menu, features, decide_roles(web, features, given), kind)


def _drop_weak(web: MenuWeb, strands: Strands, link_menu: Ints, count: int) -> tuple[Ints, int]:
    """Drop lists of links that repeat on a few pages of a site and are not at home: content."""
    features = measure_menus(web, strands, link_menu, count)
    wider = features.pages[features.wider]
    is_weak = (features.wider >= 0) & (features.home_share < AT_HOME) & (features.pages < WEAK_SHARE * wider)
    return renumber(link_menu, ~is_weak & (features.pages >= MIN_PAGES))


def _add_trails(
    runs: Runs, trail: Ints, link_menu: Ints, count: int, given: dict[int, tuple[str, str]], kind: list[str]
) -> tuple[Ints, int]:
    """Add a menu for the breadcrumbs that begin at one page and stand at one place."""
    chosen = np.flatnonzero(trail >= 0)
    _, first, number = np.unique(mix(runs.place[chosen], trail[chosen]), return_index=True, return_inverse=True)
    by_first = np.empty(len(first), np.int64)
    by_first[np.argsort(first, kind="stable")] = np.arange(len(first))
    return _add(runs, chosen, by_first[number], link_menu, count, ("breadcrumb", "steps-continue"), given, kind)


def _add(
    runs: Runs,
    chosen: Ints,
    number: Ints,
    link_menu: Ints,
    count: int,
    role: tuple[str, str],
    given: dict[int, tuple[str, str]],
    kind: list[str],
) -> tuple[Ints, int]:
    """Give the links of some runs to new menus, by number."""
    menu_of_run = np.full(len(runs), -1, np.int64)
    menu_of_run[chosen] = number + count
    of_link = menu_of_run[runs.of_link()]
    result = link_menu.copy()
    result[runs.links[of_link >= 0]] = of_link[of_link >= 0]
    total = count + int(number.max(initial=-1)) + 1
    for menu in range(count, total):
        given[menu] = role
        kind.append("shape")
    return result, total


def _add_pagers(
    web: MenuWeb,
    strands: Strands,
    runs: Runs,
    trail: Ints,
    link_menu: Ints,
    count: int,
    given: dict[int, tuple[str, str]],
    kind: list[str],
) -> tuple[Ints, int]:
    """Add a menu for the pagers at one place of a site."""
    entry_pages = np.zeros(len(web.page), np.int64)
    entry_pages[strands.links] = strands.entry_pages[strands.entry]
    taken = np.bincount(runs.of_link(), weights=link_menu[runs.links] >= 0, minlength=len(runs)) > 0
    is_pager, source, target = find_pagers(web, runs, (trail < 0) & ~taken, entry_pages[runs.links])
    features = measure_menus(web, strands, link_menu, count)
    at_home = (features.home_share >= AT_HOME) & ~find_bars(features)
    community = communities(web, features.shown, at_home, (source, target))
    spot = mix(runs.place, community[runs.page]) if len(runs) else np.zeros(0, np.int64)
    kinds, which = np.unique(spot, return_inverse=True)
    candidates = ~taken & (trail < 0)
    share = np.bincount(which[is_pager], minlength=len(kinds)) / np.maximum(
        np.bincount(which[candidates], minlength=len(kinds)), 1
    )
    pages = np.bincount(
        which[is_pager][np.unique(mix(which[is_pager], runs.page[is_pager]), return_index=True)[1]],
        minlength=len(kinds),
    )
    good = (share >= PAGER_SHARE) & (pages >= MIN_PAGES)
    chosen = np.flatnonzero(is_pager & good[which])
    _, first, number = np.unique(which[chosen], return_index=True, return_inverse=True)
    by_first = np.empty(len(first), np.int64)
    by_first[np.argsort(first, kind="stable")] = np.arange(len(first))
    return _add(runs, chosen, by_first[number], link_menu, count, ("pager", "neighbours-answer"), given, kind)


def _tables(reader: TableReader, menus: Menus) -> dict[str, pa.Table]:
    web, features, roles = menus.web, menus.features, menus.roles
    count = len(features.pages)
    shown = shown_menus(web, menus.link_menu, count)
    toggles = set(menus.strands.toggles.tolist())
    items = [
        varying_items(web, shown, menu, menus.link_menu)
        if menus.kind[menu] == "shape"
        else fixed_items(web, shown, menu, menus.link_menu, toggles)
        for menu in range(count)
    ]
    signatures = _signatures(reader, menus)
    targets = [sorted(int(web.target_id[item.target]) for item in some if item.target >= 0) for some in items]
    first_page = web.page_id[shown.page[shown.of_menu[:-1]]] if count else np.zeros(0, np.int64)
    ids = np.array(
        [url_id(f"{roles.role[m]} {signatures[m]} {first_page[m]} {targets[m]}") for m in range(count)],
        np.int64,
    )
    clique = [_clique(web, shown, menu, items[menu]) for menu in range(count)]
    rows = {
        "menu": ids,
        "role": roles.role,
        "confidence": roles.confidence,
        "kind": menus.kind,
        "signature": signatures,
        "parent": pa.array([None] * count, pa.int64()),
        "pages": features.pages,
        "items": [len(some) for some in items],
        "clique": clique,
        "home_share": features.home_share,
        "outside_share": 1 - features.likeness,
        "position": features.start,
        "landmark": [LANDMARKS[number] or None for number in features.landmark.tolist()],
        "reason": roles.reason,
    }
    return {
        "menus": _table("menus", rows),
        "menu_items": _item_table(reader, web, ids, items, clique),
        "menu_pages": _page_table(menus, ids, items),
    }


def _clique(web: MenuWeb, shown: object, menu: int, items: list[Item]) -> list[int]:
    pages = set(shown.pages(menu).tolist())  # type: ignore[attr-defined]
    own = {int(web.target_page[item.target]) for item in items if item.target >= 0}
    found = sorted(int(web.page_id[page]) for page in own & pages)
    return found if len(found) >= MIN_PAGES else []


def _signatures(reader: TableReader, menus: Menus) -> list[str]:
    web, shown = menus.web, menus.features.shown
    captures, ordinals, owners = [], [], []
    for menu in range(len(menus.features.pages)):
        rows = np.arange(shown.of_menu[menu], shown.of_menu[menu + 1])[:SIGNATURE_PAGES]
        first = shown.first[rows]
        captures.append(web.capture[shown.page[rows]])
        ordinals.append(web.segment_ordinal[web.segment[first]].astype(np.int64))
        owners += [menu] * len(rows)
    if not owners:
        return []
    paths: list[set[str]] = [set() for _ in menus.features.pages]
    for menu, path in zip(owners, read_paths(reader, np.concatenate(captures), np.concatenate(ordinals)), strict=True):
        paths[menu].add(path)
    return [spell(align_all(some)) for some in paths]


def _item_table(
    reader: TableReader, web: MenuWeb, ids: Ints, items: list[list[Item]], clique: list[list[int]]
) -> pa.Table:
    flat = [(menu, place, item) for menu, some in enumerate(items) for place, item in enumerate(some)]
    links = np.array([item.link for _, _, item in flat], np.int64)
    labels = read_labels(reader, web.capture[web.page[links]], web.ordinal[links].astype(np.int64))
    target = np.array([item.target for _, _, item in flat], np.int64)
    known = target >= 0
    page_id = web.target_id[np.maximum(target, 0)] if len(target) else target
    urls = np.full(len(flat), None, dtype=object)
    urls[known] = urls_of(reader, page_id[known])
    core = [set(some) for some in clique]
    return _table(
        "menu_items",
        {
            "menu": ids[[menu for menu, _, _ in flat]] if flat else ids[:0],
            "ordinal": [place for _, place, _ in flat],
            "parent": [item.parent for _, _, item in flat],
            "level": [item.level for _, _, item in flat],
            "label": labels,
            "target": pa.array(page_id, pa.int64(), mask=~known),
            "url": pa.array(urls.tolist(), pa.string()),
            "pages": [len(item.pages) for _, _, item in flat],
            "is_core": [int(page) in core[menu] for (menu, _, _), page in zip(flat, page_id.tolist(), strict=True)],
        },
    )


def _page_table(menus: Menus, ids: Ints, items: list[list[Item]]) -> pa.Table:
    web, shown = menus.web, menus.features.shown
    used = np.flatnonzero(menus.link_menu >= 0)
    order = used[np.lexsort((used, web.page[used], menus.link_menu[used]))]
    ends = np.cumsum(shown.links)
    offsets = np.concatenate([[0], ends]).astype(np.int32)
    row = np.repeat(np.arange(len(shown.menu)), shown.links)
    segment = web.segment_ordinal[web.segment[order]].astype(np.int64)
    width = int(segment.max(initial=0)) + 1
    cells = np.unique(row * width + segment)
    segment_offsets = np.searchsorted(cells // width, np.arange(len(shown.menu) + 1)).astype(np.int32)
    place: dict[tuple[int, int], int] = {}
    for menu, some in enumerate(items):
        for number, item in enumerate(some):
            if item.target >= 0 and web.target_page[item.target] >= 0:
                place.setdefault((menu, int(web.target_page[item.target])), number)
    current = [place.get(pair) for pair in zip(shown.menu.tolist(), shown.page.tolist(), strict=True)]
    return _table(
        "menu_pages",
        {
            "page": web.page_id[shown.page],
            "menu": ids[shown.menu],
            "capture": web.capture[shown.page],
            "segments": pa.ListArray.from_arrays(segment_offsets, pa.array((cells % width).astype(np.int32))),
            "links": pa.ListArray.from_arrays(offsets, pa.array(web.ordinal[order])),
            "current": pa.array(current, pa.int32()),
        },
    )


def _table(name: str, columns: dict[str, object]) -> pa.Table:
    schema = TABLES[name].schema
    arrays = [
        column if isinstance(column := columns[field.name], pa.Array) else pa.array(column, field.type)
        for field in schema
    ]
    return pa.table(arrays, schema=schema)
