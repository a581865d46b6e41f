"""The main menu of given sites: which of the menus on their pages people would call so.

It is the best menu of the site (`best_menu`). A site without any such menu has the contents that its entry page lists
(`front_page`), if it does; so has one whose entry page lists nearly all of its pages, while the menu leads to few of
them: a manual with a bar for its index and the like.

Paper: MenuMiner 6.4

Differences from the paper: it takes the menu on most pages, and of equals the first in document order; that gets one
drop-down of a bar, or a footer.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from sitestrata.menus.best_menu import AS_RICH, EVERYWHERE, MIN_ITEMS, BestMenus, find_best_menus
from sitestrata.menus.front_page import MENTION, FrontLink, FrontPage, contents_of, panels_of
from sitestrata.menus.lone_page import FEW_PAGES, menu_of_lone_page
from sitestrata.menus.twins import menus_like_others
from sitestrata.model import MainMenuItem

__all__ = ["main_menus"]

MOST = 0.8  # share of the site's pages that contents must list to be preferred to a menu ...
BARE = 0.25  # ... which leads to no more than this share of as many
SMALL = 5  # pages below which a site's menu is where sites of the same make have theirs
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
    places: Mapping[int, frozenset[str]] | None = None,
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
        places: what the addresses of each site begin with, by which pages that were not captured are known.
    """
    order = np.argsort(page, kind="stable")
    page, site = page[order], site[order]
    places = places or {}
    best = find_best_menus(page, site, entry, menus, menu_items, menu_pages, places)
    pages_of = _pages_by_site(page, site)
    shown = _segments_on_entries(entry, menus, menu_pages)
    found: dict[int, list[MainMenuItem]] = {}
    like = _menus_like_others(entry, fronts, best, pages_of, shown)
    everywhere = frozenset(page.tolist())
    for owner in sorted(owner for owner, home in entry.items() if home in fronts):
        front, own = fronts[entry[owner]], pages_of[owner]
        contents = like.get(owner) or _of_lone_page(front, own, places.get(owner)) or _contents(front, own, everywhere)
        # What other pages show too is a menu, and was weighed as such.
        in_menus = frozenset().union(*shown.get(entry[owner], {}).values())
        if _is_preferred(contents, owner, best, own, front, in_menus):
            found[owner] = [_of_front(owner, link) for link in contents]
    columns = {
        owner: _column(menu, fronts.get(entry.get(owner, 0)), shown.get(entry.get(owner, 0), {}))
        for owner, menu in best.menu.items()
        if owner not in found
    }
    beside = _beside(menus)
    rows = _rows_by_menu(menu_items, {menu for column in columns.values() for menu in column})
    for owner, column in columns.items():
        menu, home = best.menu[owner], entry.get(owner, 0)
        items = _without_title(_of_column(owner, menu, column, rows))
        if home in fronts and menu in shown.get(home, {}):
            here = [segment for other, some in shown[home].items() if beside(menu, other) for segment in some]
            links = _among(items, fronts[home], shown[home][menu])
            links += panels_of(fronts[home], pages_of[owner], shown[home][menu], frozenset(here))
            items = _with_neighbours(items, links)
        found[owner] = items
    return [replace(item, ordinal=place) for owner in sorted(found) for place, item in enumerate(found[owner])]


def _pages_by_site(page: Ints, site: Ints) -> Mapping[int, frozenset[int]]:
    """Return the pages of each site; none of one that has none."""
    by_site = np.argsort(site, kind="stable")
    owners, begin = np.unique(site[by_site], return_index=True)
    parts = np.split(page[by_site], begin[1:])
    pages = zip(owners.tolist(), (frozenset(part.tolist()) for part in parts), strict=False)
    return defaultdict(frozenset, pages)


def _menus_like_others(
    entry: Mapping[int, int],
    fronts: Mapping[int, FrontPage],
    best: BestMenus,
    pages_of: Mapping[int, frozenset[int]],
    shown: Mapping[int, Mapping[int, frozenset[int]]],
) -> dict[int, list[FrontLink]]:
    """Return the menus of sites too small to tell, where sites of the same make surely have theirs."""
    bars = {
        owner: shown[entry[owner]][best.menu[owner]]
        for owner in sorted(best.sure)
        if entry.get(owner, 0) in fronts and best.menu[owner] in shown.get(entry[owner], {})
    }
    small = {owner for owner in entry if owner not in best.sure | best.doubt.keys() and len(pages_of[owner]) < SMALL}
    alike = {owner: fronts[home] for owner, home in entry.items() if home in fronts and owner in bars.keys() | small}
    return menus_like_others(alike, bars)


def _is_preferred(
    contents: list[FrontLink],
    owner: int,
    best: BestMenus,
    own: frozenset[int],
    front: FrontPage,
    in_menus: frozenset[int],
) -> bool:
    """Tell whether contents of the entry page serve better than the best menu of the site; segments of menus do not
    count for them.
    """
    is_sure = owner in best.sure
    if not contents or not (is_sure or owner in best.doubt):
        return bool(contents)
    free = {link.target for link in front.links if link.segment not in in_menus}
    listed = sum(link.target in own and link.target in free for link in contents)
    if is_sure:
        return listed >= MOST * len(own) and best.leads[owner] <= BARE * listed
    # A tree of one section is compared with all levels of the contents, not with their chapters alone.
    deep = len(own & free) if best.doubt[owner] == AS_RICH else listed
    return deep > best.doubt[owner] * best.leads[owner]


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


def _of_lone_page(front: FrontPage, own: frozenset[int], places: frozenset[str] | None) -> list[FrontLink]:
    return menu_of_lone_page(front, own, places) if places and len(own) <= FEW_PAGES else []


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


def _of_column(
    owner: int, menu: int, column: list[int], rows: Mapping[int, list[dict[str, Any]]]
) -> list[MainMenuItem]:
    """Return the items of a menu, and of the lists beside it what it does not have."""
    known = {row["target"] for row in rows[menu]}
    return [
        MainMenuItem(owner, 0, row["level"], row["label"], row["target"], row["url"], menu)
        for part in column
        if part == menu or _is_box(rows[part])
        for row in rows[part]
        if part == menu or row["target"] not in known
    ]


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
