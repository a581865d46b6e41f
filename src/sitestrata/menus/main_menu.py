"""The main menu of given sites: which of the menus on their pages people would call so.

It stands on many pages of the site, leads to many of them, and comes early on the page; it stands on the entry page;
its role speaks for it. None of these is sure by itself (the legal footer stands on every page too, the front page may
have a template of its own), so they are multiplied. A site without any such menu has the contents that its entry page
lists (`front_page`), if it does; so has one whose entry page lists nearly all of its pages, while the menu leads to few
of them: a manual with a bar for its index and the like.

Paper: MenuMiner 6.4

Differences from the paper: it takes the menu on most pages, and of equals the first in document order; that gets one
drop-down of a bar, or a footer.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from sitestrata.graph.link_graph import positions_of
from sitestrata.menus.front_page import MENTION, FrontLink, FrontPage, contents_of, panels_of
from sitestrata.menus.twins import menus_like_others
from sitestrata.model import MainMenuItem

__all__ = ["main_menus"]

# How much a role speaks for a menu.
ROLE_WEIGHT = {"main": 1.0, "local": 0.9, "other": 0.6, "footer": 0.4, "organisation": 0.05}
WEAK_ROLE = 0.1  # pagers, breadcrumbs and switches, if they have items that stay
ENTRY_WEIGHT = 10.0  # of a menu that the entry page shows
FEW_ITEMS = 6.0  # items within the site from which on a menu is worth half
COMMON = 0.5  # share of the pages that show a menu, in their upper half, for a site to need no contents list
EVERYWHERE = 0.8  # the same of a main menu that may stand anywhere ...
MIN_ITEMS = 3  # ... if it leads to that many pages of the site
MOST = 0.8  # share of the site's pages that contents must list to be preferred to a menu ...
BARE = 0.25  # ... which leads to no more than this share of as many
RICHER = 3.0  # how many times as many pages contents must list to be preferred to a menu behind the text ...
AS_RICH = 1.0  # ... or to one that neither the entry page nor nearly all others have
SMALL = 5  # pages below which a site's menu is where sites of the same make have theirs
LATE = 0.5  # what the end of the page costs
AMONG = 0.25  # share of a segment's targets that are items, for the others to be items of the entry page too

Ints = NDArray[np.int64]


def main_menus(
    page: Ints,
    site: Ints,
    entry: Mapping[int, int],
    *,
    menus: pa.Table,
    menu_items: pa.Table,
    menu_pages: pa.Table,
    fronts: Mapping[int, FrontPage],
) -> list[MainMenuItem]:
    """Return the items of the main menu of each site that has one, by site and in document order.

    Args:
        page: ids of pages.
        site: the site of each of them.
        entry: site -> id of its entry page, as far as known.
        menus: the tables of this name, as are the next two; lists that stand on one page only are left aside.
        menu_items: see ``menus``.
        menu_pages: see ``menus``.
        fronts: the links of entry pages, by id.
    """
    order = np.argsort(page, kind="stable")
    page, site = page[order], site[order]
    best, leads, has_menu, doubt = _choose(page, site, entry, menus, menu_items, menu_pages)
    found: dict[int, list[MainMenuItem]] = {}
    by_site = np.argsort(site, kind="stable")
    site_of, of_site = site[by_site], page[by_site]
    everywhere = frozenset(page.tolist())

    def own_pages(owner: int) -> frozenset[int]:
        begin, end = np.searchsorted(site_of, [owner, owner + 1])
        return frozenset(of_site[begin:end].tolist())

    shown = _segments_on_entries(entry, menus, menu_pages)
    bars = {
        owner: shown[entry[owner]][best[owner]]
        for owner in sorted(has_menu)
        if entry.get(owner, 0) in fronts and best[owner] in shown.get(entry[owner], {})
    }
    small = {owner for owner in entry if owner not in has_menu | doubt.keys() and len(own_pages(owner)) < SMALL}
    like = menus_like_others(
        {owner: fronts[home] for owner, home in entry.items() if home in fronts and (owner in bars or owner in small)},
        bars,
    )
    for owner in sorted(owner for owner, home in entry.items() if home in fronts):
        own = own_pages(owner)
        front = fronts[entry[owner]]
        contents = like.get(owner) or _contents(front, own, everywhere)
        if owner in has_menu or owner in doubt:
            # What other pages show too is a menu, and was weighed as such.
            in_menus = frozenset().union(*shown.get(entry[owner], {}).values())
            free = {link.target for link in front.links if link.segment not in in_menus}
            listed = sum(link.target in own and link.target in free for link in contents)
            if owner not in has_menu:
                # A tree of one section is compared with all levels of the contents, not with their chapters alone.
                deep = len(own & free) if contents and doubt[owner] == AS_RICH else listed
                is_better = deep > doubt[owner] * leads[owner]
            else:
                is_better = listed >= MOST * len(own) and leads[owner] <= BARE * listed
            contents = contents if is_better else []
        if contents:
            found[owner] = [_of_front(owner, link) for link in contents]
    columns = {
        owner: _column(menu, fronts.get(entry.get(owner, 0)), shown.get(entry.get(owner, 0), {}))
        for owner, menu in best.items()
        if owner not in found
    }
    beside = _beside(menus)
    rows = _rows_by_menu(menu_items, {menu for column in columns.values() for menu in column})
    for owner, column in columns.items():
        menu, home = best[owner], entry.get(owner, 0)
        known = {row["target"] for row in rows[menu]}
        found[owner] = [
            MainMenuItem(owner, 0, row["level"], row["label"], row["target"], row["url"], menu)
            for part in column
            if part == menu or _is_box(rows[part])
            for row in rows[part]
            if part == menu or row["target"] not in known
        ]
        found[owner] = _without_title(found[owner])
        if home in fronts and menu in shown.get(home, {}):
            here = [segment for other, some in shown[home].items() if beside(menu, other) for segment in some]
            links = _among(found[owner], fronts[home], shown[home][menu])
            links += panels_of(fronts[home], own_pages(owner), shown[home][menu], frozenset(here))
            found[owner] = _with_neighbours(found[owner], links)
    return [replace(item, ordinal=place) for owner in sorted(found) for place, item in enumerate(found[owner])]


def _contents(front: FrontPage, own: frozenset[int], everywhere: frozenset[int]) -> list[FrontLink]:
    """Return what leads into the site; else, what nobody else knows; else, of a site of one page, what it lists."""
    if contents := contents_of(front, own):
        # A sentence may speak of another site, a list of pages that were not captured.
        return [
            link for link in contents if link.target in own or (link.target not in everywhere and link.text < MENTION)
        ]
    if contents := contents_of(front, own | {target for target, pages in front.rare.items() if pages <= own}):
        return contents
    return contents_of(front, everywhere) if len(own) == 1 else []


def _of_front(owner: int, link: FrontLink) -> MainMenuItem:
    return MainMenuItem(owner, 0, 0, link.label, link.target, link.url, None)


def _segments_on_entries(
    entry: Mapping[int, int], menus: pa.Table, menu_pages: pa.Table
) -> dict[int, dict[int, frozenset[int]]]:
    """Return for each entry page the menus it shows, but those of one page only, and their segments."""
    single = set(menus.filter(pc.equal(menus["kind"], "single"))["menu"].to_pylist())
    rows = menu_pages.filter(pc.is_in(menu_pages["page"], pa.array(sorted(set(entry.values())), pa.int64())))
    found: dict[int, dict[int, frozenset[int]]] = {}
    for row in rows.select(["page", "menu", "segments"]).to_pylist():
        if row["menu"] not in single:
            found.setdefault(row["page"], {})[row["menu"]] = frozenset(row["segments"])
    return found


def _column(menu: int, front: FrontPage | None, shown: Mapping[int, frozenset[int]]) -> list[int]:
    """Return the menus of the column that a menu stands in, in document order: boxes of one shape, nothing between."""
    if front is None or menu not in shown:
        return [menu]
    outer = [segment for segment in shown[menu] if front.segments[segment][0] not in shown[menu]]
    column = frozenset(other for segment in outer for other in front.columns.get(segment, ()))
    return sorted((one for one in shown if one == menu or shown[one] <= column), key=lambda one: (min(shown[one]), one))


def _is_box(rows: list[dict[str, Any]]) -> bool:
    """Tell whether a menu that stands beside another is a list of its own and not two icons."""
    return sum(bool(row["label"]) for row in rows) >= MIN_ITEMS


def _rows_by_menu(menu_items: pa.Table, wanted: set[int]) -> dict[int, list[dict[str, Any]]]:
    rows: dict[int, list[dict[str, Any]]] = {menu: [] for menu in wanted}
    chosen = menu_items.filter(pc.is_in(menu_items["menu"], pa.array(sorted(wanted), pa.int64())))
    for row in chosen.sort_by([("menu", "ascending"), ("ordinal", "ascending")]).to_pylist():
        # Items that lead elsewhere on each page are as the entry page has them (`_among`), if it does.
        if row["target"] is not None or not row["pages"]:
            rows[row["menu"]].append(row)
    return rows


def _beside(menus: pa.Table) -> Callable[[int, int], bool]:
    """Tell of two menus whether the second is a list of the site on as many pages as the first."""
    pages = {
        row["menu"]: row["pages"]
        for row in menus.select(["menu", "role", "reason", "pages"]).to_pylist()
        if row["role"] in ("main", "local", "other") and row["reason"] != "targets-do-not-show-it"
    }
    return lambda menu, other: pages.get(other, 0) >= EVERYWHERE * pages.get(menu, 0) > 0


def _among(items: list[MainMenuItem], front: FrontPage, segments: frozenset[int]) -> list[FrontLink]:
    """Return what stands in the segments of a menu on the entry page.

    Entries whose targets change from page to page (the tree of a package) are as the entry page has them.
    """
    known = {item.target for item in items}
    called = {item.label for item in items if item.url}
    links: list[FrontLink] = []
    for segment in sorted(segments):
        here = [link for link in front.links if link.segment == segment]
        targets = {link.target for link in here}
        if len(targets & known) >= AMONG * len(targets):
            links += [link for link in here if link.target in known or link.label not in called]
    return links


def _without_title(items: list[MainMenuItem]) -> list[MainMenuItem]:
    """Leave out words above all items that lead nowhere: the title of the box, or a link past it."""
    if len(items) < 2 or items[0].url or any(item.level <= items[0].level for item in items[1:]):
        return items
    return [replace(item, level=max(item.level - 1, 0)) for item in items[1:]]


def _with_neighbours(items: list[MainMenuItem], links: list[FrontLink]) -> list[MainMenuItem]:
    """Add links of the entry page to the items, each behind the one that it follows there."""
    known = {item.target for item in items}
    before: FrontLink | None = None
    for link in links:
        if link.target not in known:
            known.add(link.target)
            place = next((k + 1 for k, item in enumerate(items) if before and item.target == before.target), 0)
            level = items[min(place, len(items) - 1)].level
            items.insert(place, replace(_of_front(items[0].site, link), level=level, menu=items[0].menu))
        before = link
    return items


def _choose(
    page: Ints, site: Ints, entry: Mapping[int, int], menus: pa.Table, menu_items: pa.Table, menu_pages: pa.Table
) -> tuple[dict[int, int], dict[int, int], set[int], dict[int, float]]:
    """Return the best menu of each site and to how many of its pages it leads; the sites that surely have one;
    and of those that may have one, how many times as many pages contents must list to be preferred: it stands behind
    the text, as the foot of the page does, or not on the entry page.
    """
    size = dict(zip(*(column.tolist() for column in np.unique(site, return_counts=True)), strict=True))
    table = menus.filter(pc.not_equal(menus["kind"], "single")).sort_by("menu")
    ids = _ints(table, "menu")
    role_weight = np.array([ROLE_WEIGHT.get(role, WEAK_ROLE) for role in table["role"].to_pylist()])
    position = table["position"].to_numpy()
    items = _items_by_menu(ids, menu_items)
    row, is_page = positions_of(page, _ints(menu_pages, "page"))
    menu, is_menu = positions_of(ids, _ints(menu_pages, "menu"))
    row, menu = row[is_page & is_menu], menu[is_page & is_menu]
    # One candidate for each menu and site: on how many pages of the site it stands.
    sites, place = np.unique(site, return_inverse=True)
    width = max(len(sites), 1)
    cells, shown = np.unique(menu * width + place[row], return_counts=True)
    entries = np.isin(page, [entry[owner] for owner in sites.tolist() if owner in entry])
    on_entry = np.isin(cells, (menu * width + place[row])[entries[row]])
    best: dict[int, tuple[float, int, int]] = {}
    has_menu: set[int] = set()
    doubt: dict[int, float] = {}
    is_foot = np.array(table["role"]) == "footer"
    has_foot = {
        int(sites[cell % width])
        for cell, pages in zip(cells.tolist(), shown.tolist(), strict=True)
        if is_foot[cell // width] and pages >= EVERYWHERE * size[int(sites[cell % width])]
    }
    for cell, pages, is_on_entry in zip(cells.tolist(), shown.tolist(), on_entry.tolist(), strict=True):
        number, owner = cell // width, int(sites[cell % width])
        targets = items.get(number)
        if targets is None:
            continue
        spot, captured = positions_of(page, targets)
        own = int((site[spot[captured]] == owner).sum())
        score = (
            pages
            / size[owner]
            * (own / (own + FEW_ITEMS))
            * float(role_weight[number])
            * (1 - LATE * float(position[number]))
            * (0.5 + 0.5 * own / max(int(captured.sum()), 1))
            * (ENTRY_WEIGHT if is_on_entry else 1.0)
        )
        if score > 0:
            best[owner] = max(best.get(owner, (0.0, 0, 0)), (score, -int(ids[number]), own))
        is_common = (pages >= COMMON * size[owner] and own > 1) or (is_on_entry and own >= FEW_ITEMS)
        # A main menu that (nearly) every page has may stand behind the text, if it is not the foot of the page itself.
        is_main = role_weight[number] >= ROLE_WEIGHT["main"] and pages >= EVERYWHERE * size[owner] and own >= MIN_ITEMS
        is_early = role_weight[number] >= ROLE_WEIGHT["local"] and position[number] < COMMON
        is_everywhere = is_on_entry or pages >= EVERYWHERE * size[owner]
        if is_common and is_everywhere and (is_early or (is_main and owner in has_foot)):
            has_menu.add(owner)
        elif is_common and (is_early or is_main):
            doubt[owner] = max(doubt.get(owner, 0.0), RICHER if is_everywhere else AS_RICH)
    chosen = {owner: -identity for owner, (_, identity, _) in sorted(best.items())}
    return chosen, {owner: own for owner, (_, _, own) in best.items()}, has_menu, doubt


def _items_by_menu(ids: Ints, menu_items: pa.Table) -> dict[int, Ints]:
    """Return the distinct targets of each menu, by the place of the menu in ``ids``."""
    linked = menu_items.filter(menu_items["target"].is_valid())
    menu, known = positions_of(ids, _ints(linked, "menu"))
    menu, target = menu[known], _ints(linked, "target")[known]
    order = np.lexsort((target, menu))
    menu, target = menu[order], target[order]
    begin = np.searchsorted(menu, np.arange(len(ids) + 1))
    return {
        number: np.unique(target[begin[number] : begin[number + 1]])
        for number in range(len(ids))
        if begin[number] < begin[number + 1]
    }


def _ints(table: pa.Table, column: str) -> Ints:
    values: Ints = table[column].to_numpy()
    return values
