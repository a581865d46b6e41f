"""The stage under ``--profile paper``: s-menus from segment cliques, and nothing else.

Tables -> segments as sets of captured pages -> segment cliques, page by page -> the pages that show each menu. Of the
menus of one site (those whose page sets overlap) the one on most pages is the main menu, the others are local.

Paper: MenuMiner 3.3, 5, 6.2.2

Cost: as `sitestrata.menus.clique_finder`; the DOM paths of all segments are held.
"""

from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from sitestrata.menus.clique_finder import (
    MAX_CLIQUES,
    MAX_LINKS,
    MAX_PAGES,
    MAX_ROUNDS,
    MAX_STATES,
    FinderLimits,
    Hits,
    find_segment_cliques,
)
from sitestrata.menus.local_graph import SegmentWeb, build_segment_web
from sitestrata.menus.spread import SMenu, cliques_to_menus
from sitestrata.menus.uniformity import spell
from sitestrata.menus.web import LANDMARKS, MenuWeb, read_labels, read_paths, read_web, urls_of
from sitestrata.model import Menu, MenuItem, MenuPage, Reject, TableReader, table_from_records
from sitestrata.urls import url_id

__all__ = ["PaperOptions", "find_paper_menus", "mine_paper_menus", "paper_web"]

STAGE = "menus"


@dataclass(frozen=True, slots=True)
class PaperOptions:
    """What one page may cost under ``--profile paper``."""

    max_cliques: int = MAX_CLIQUES  # paper: of a page's neighbourhood
    max_states: int = MAX_STATES  # paper: of one search
    max_rounds: int = MAX_ROUNDS  # paper: searches a page
    max_links: int = MAX_LINKS  # paper: of a page's neighbourhood

    def limits(self) -> FinderLimits:
        """Return the limits of the search."""
        return FinderLimits(
            cliques=self.max_cliques, states=self.max_states, rounds=self.max_rounds, links=self.max_links
        )


def find_paper_menus(reader: TableReader, limits: FinderLimits) -> dict[str, pa.Table]:
    """Find the s-menus of a collection; one row a menu, one an item, one a menu on a page."""
    web = read_web(reader)
    menus, _, hits = mine_paper_menus(reader, web, limits)
    roles = _roles(menus, web.page_count)
    by_segment = _links_by_segment(web)
    records, items, pages, labels = [], [], [], []
    for menu, role in zip(menus, roles, strict=True):
        identity = url_id(f"{spell(menu.signature)} {[int(web.page_id[page]) for page in menu.clique.pages]}")
        listed = _items(web, menu, by_segment)
        position = {target: place for place, (target, _, _) in enumerate(listed)}
        core = {int(page) for page in menu.clique.pages}
        records.append(_record(web, menu, role, identity, len(listed), by_segment))
        for place, (target, link, count) in enumerate(listed):
            labels.append(link)
            is_core = int(web.target_page[target]) in core
            items.append(MenuItem(identity, place, -1, 0, "", int(web.target_id[target]), None, count, is_core))
        for page, segment in zip(menu.pages, menu.segments, strict=True):
            links = by_segment.get(segment, [])
            own = next((position[t] for t in position if web.target_page[t] == page), None)
            pages.append(
                MenuPage(
                    int(web.page_id[page]),
                    identity,
                    int(web.capture[page]),
                    (int(web.segment_ordinal[segment]),),
                    tuple(int(web.ordinal[link]) for link in links),
                    own,
                )
            )
    tables = {
        "menus": table_from_records("menus", records),
        "menu_items": _with_texts(reader, web, table_from_records("menu_items", items), labels),
        "menu_pages": table_from_records("menu_pages", pages),
    }
    if rejects := list(_rejects(hits, limits)):
        tables["rejects"] = table_from_records("rejects", rejects)
    return tables


def mine_paper_menus(
    reader: TableReader, web: MenuWeb, limits: FinderLimits | None = None
) -> tuple[list[SMenu], SegmentWeb, Hits]:
    """Find the s-menus of a collection, with the web they were found in and the limits that were hit."""
    segments = paper_web(reader, web)
    hits = Hits()
    cliques = find_segment_cliques(segments, limits=limits, hits=hits)
    return cliques_to_menus(segments, cliques), segments, hits


def paper_web(reader: TableReader, web: MenuWeb) -> SegmentWeb:
    """Return the segments of a collection as sets of captured pages; links to places on a page lead to the page."""
    path = read_paths(reader, web.capture[web.segment_page], web.segment_ordinal.astype(np.int64))
    target = web.target_page[web.target].astype(np.int64)
    inside = target >= 0
    return build_segment_web(
        web.segment_page.astype(np.int64),
        path,
        web.segment[inside].astype(np.int64),
        target[inside],
        web.page_count,
    )


def _roles(menus: list[SMenu], page_count: int) -> list[str]:
    """Call the menu on most pages of each connected set of pages its main menu."""
    root = list(range(page_count))

    def find(page: int) -> int:
        while root[page] != page:
            root[page] = root[root[page]]
            page = root[page]
        return page

    for menu in menus:
        for page in menu.pages[1:]:
            a, b = sorted((find(menu.pages[0]), find(page)))
            root[b] = a
    best: dict[int, tuple[int, int, int]] = {}
    for number, menu in enumerate(menus):
        rank = (-len(menu.pages), menu.segments[0], number)
        site = find(menu.pages[0])
        best[site] = min(best.get(site, rank), rank)
    mains = {number for _, _, number in best.values()}
    return ["main" if number in mains else "local" for number in range(len(menus))]


def _links_by_segment(web: MenuWeb) -> dict[int, list[int]]:
    order = np.argsort(web.segment, kind="stable")
    owner = web.segment[order]
    first = np.flatnonzero(np.concatenate([[True], owner[1:] != owner[:-1]])) if len(order) else order
    ends = [*first[1:].tolist(), len(order)]
    return {int(owner[a]): order[a:b].tolist() for a, b in zip(first.tolist(), ends, strict=True)}


def _items(web: MenuWeb, menu: SMenu, by_segment: dict[int, list[int]]) -> list[tuple[int, int, int]]:
    """Return (target, a link to it, pages that link it) of all links of the menu's segments, in document order.

    The segment with most links gives the order; what only others have goes behind what precedes it there.
    """
    lists = [by_segment.get(segment, []) for segment in menu.segments]
    order: list[int] = []
    link_of: dict[int, int] = {}
    count: dict[int, int] = {}
    for links in sorted(lists, key=lambda some: (-len(some), some)):
        previous = -1
        for target in dict.fromkeys(int(web.target[link]) for link in links):
            count[target] = count.get(target, 0) + 1
            if target not in link_of:
                link_of[target] = next(link for link in links if web.target[link] == target)
                order.insert(order.index(previous) + 1 if previous >= 0 else 0, target)
            previous = target
    return [(target, link_of[target], count[target]) for target in order]


def _record(web: MenuWeb, menu: SMenu, role: str, identity: int, items: int, by_segment: dict[int, list[int]]) -> Menu:
    begin = np.searchsorted(web.page, np.array(menu.pages))
    size = np.maximum(np.searchsorted(web.page, np.array(menu.pages), side="right") - begin - 1, 1)
    first = np.array([by_segment[segment][0] for segment in menu.segments])
    landmarks = np.bincount(web.landmark[first], minlength=len(LANDMARKS))
    return Menu(
        menu=identity,
        role=role,
        confidence=1.0,
        kind="clique",
        signature=spell(menu.signature),
        parent=None,
        pages=len(menu.pages),
        items=items,
        clique=tuple(sorted(int(web.page_id[page]) for page in menu.clique.pages)),
        home_share=1.0,
        outside_share=0.0,
        position=float(((first - begin) / size).mean()),
        landmark=LANDMARKS[int(landmarks.argmax())] or None,
        reason="most-pages" if role == "main" else "fewer-pages",
    )


def _with_texts(reader: TableReader, web: MenuWeb, items: pa.Table, links: list[int]) -> pa.Table:
    rows = np.array(links, np.int64)
    labels = read_labels(reader, web.capture[web.page[rows]], web.ordinal[rows].astype(np.int64))
    urls = urls_of(reader, np.asarray(items["target"], dtype=np.int64))
    for name, values in (("label", labels), ("url", urls)):
        at = items.schema.get_field_index(name)
        items = items.set_column(at, items.schema.field(at), pa.array(values, pa.string()))
    return items


def _rejects(hits: Hits, limits: FinderLimits) -> list[Reject]:
    told = {
        "clique-limit": (hits.cliques, f"have more than {limits.cliques:,} maximal cliques around them"),
        "state-limit": (hits.states, f"needed more than {limits.states:,} states, or of {MAX_PAGES:,} pages together"),
        "round-limit": (hits.rounds, f"have more than {limits.rounds:,} segment cliques"),
        "link-limit": (hits.links, f"have more than {limits.links:,} links around them"),
    }
    return [
        Reject("collection", STAGE, reason, f"{count:,} pages {what}; the rest of these was not looked at.")
        for reason, (count, what) in told.items()
        if count
    ]
