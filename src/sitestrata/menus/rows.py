"""Menus as arrays -> rows of ``menus``, ``menu_items`` and ``menu_pages``.

Labels and paths are read again for the few links and segments that stand for a menu.
"""

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sitestrata.graph.numbering import distinct
from sitestrata.menus.assemble import MIN_PAGES, Shown
from sitestrata.menus.features import Features
from sitestrata.menus.items import Item, ShownLinks, count_slots, count_targets, fixed_items, list_links, varying_items
from sitestrata.menus.repeats import Strands
from sitestrata.menus.roles import Roles
from sitestrata.menus.uniformity import align_all, spell
from sitestrata.menus.web import LANDMARKS, MenuWeb, read_labels, read_paths, urls_of
from sitestrata.model import TABLES, TableReader
from sitestrata.urls import url_id

__all__ = ["Menus", "menus_to_tables"]

SIGNATURE_PAGES = 20  # pages whose paths are aligned for a signature

Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Menus:
    """What was found, as arrays: the menu of each link, and one row a menu."""

    web: MenuWeb
    strands: Strands
    link_menu: Ints
    slot: Ints  # of each link that is an item by its label; -1 = by its target
    features: Features
    likeness: NDArray[np.float64]
    roles: Roles
    kind: list[str]


def menus_to_tables(reader: TableReader, menus: Menus) -> dict[str, pa.Table]:
    """Return the rows of the three tables of menus."""
    web, features, roles = menus.web, menus.features, menus.roles
    count = len(features.pages)
    shown = features.shown
    toggles = set(menus.strands.toggles.tolist())
    links = list_links(web, shown, menus.link_menu)
    pages_of: list[dict[int, int]] = [{} for _ in range(count)]
    for columns in (
        count_targets(web, shown, menus.link_menu, menus.slot),
        count_slots(web, menus.link_menu, menus.slot),
    ):
        for menu, target, pages in zip(*(column.tolist() for column in columns), strict=True):
            pages_of[menu][target] = pages
    items = [
        varying_items(web, shown, menu, links)
        if menus.kind[menu] == "shape"
        else fixed_items(web, shown, menu, links, toggles, pages_of[menu], menus.slot)
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
        "parent": pa.array(ids[np.maximum(roles.wider, 0)] if count else ids, pa.int64(), mask=roles.wider < 0),
        "pages": features.pages,
        "items": [len(some) for some in items],
        "clique": clique,
        "home_share": features.home_share,
        "outside_share": 1 - menus.likeness,
        "position": features.start,
        "landmark": [LANDMARKS[number] or None for number in features.landmark.tolist()],
        "reason": roles.reason,
    }
    return {
        "menus": _table("menus", rows),
        "menu_items": _item_table(reader, web, ids, items, clique),
        "menu_pages": _page_table(menus, ids, items, links),
    }


def _clique(web: MenuWeb, shown: Shown, menu: int, items: list[Item]) -> list[int]:
    pages = set(shown.pages(menu).tolist())
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
            "pages": [item.pages for _, _, item in flat],
            "is_core": [int(page) in core[menu] for (menu, _, _), page in zip(flat, page_id.tolist(), strict=True)],
        },
    )


def _page_table(menus: Menus, ids: Ints, items: list[list[Item]], links: ShownLinks) -> pa.Table:
    web, shown = menus.web, menus.features.shown
    order, offsets = links.links, links.first.astype(np.int32)
    row = np.repeat(np.arange(len(shown.menu)), shown.links)
    segment = web.segment_ordinal[web.segment[order]].astype(np.int64)
    width = int(segment.max(initial=0)) + 1
    cells = distinct(row * width + segment)
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
