"""Menus as regions have found them, each by itself -> the menus of the collection.

A bar of an organisation, or the menu of a site that was cut, is found in several regions. It is one menu, because its
id is made of its targets and its place. It is described as the region saw it where most pages show it; the pages that
show it are those of all regions. What a region found on pages of others is left out: these have said it themselves.

Cost: tables are streamed; a few numbers of each menu are held.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sitestrata.graph.link_graph import positions_of
from sitestrata.model import TABLES, TableReader
from sitestrata.model.regions import Guests, part_batches

__all__ = ["join_menus"]

Ints = NDArray[np.int64]


def join_menus(reader: TableReader, options: object) -> dict[str, Iterator[pa.RecordBatch]]:  # noqa: ARG001 - a stage's
    """Make one of what the regions have found."""
    guests = Guests(reader)
    described = _describe(reader, guests)
    return {
        "menus": (described.menus(region, batch) for region, batch in part_batches(reader, "menus")),
        "menu_items": (described.rows(region, batch) for region, batch in part_batches(reader, "menu_items")),
        "menu_pages": (_own(guests, region, batch) for region, batch in part_batches(reader, "menu_pages")),
    }


@dataclass(frozen=True, slots=True)
class _Described:
    """Menus that some page shows in its own region, sorted; the region that describes each, and the pages."""

    menu: Ints
    region: Ints
    pages: Ints

    def rows(self, region: int, batch: pa.RecordBatch) -> pa.RecordBatch:
        """Return the rows about menus that this region describes."""
        place, known = positions_of(self.menu, batch["menu"].to_numpy())
        return batch.filter(pa.array(known & (self.region[place] == region))) if len(self.menu) else batch.slice(0, 0)

    def menus(self, region: int, batch: pa.RecordBatch) -> pa.RecordBatch:
        """Return the same of the table of menus, with the pages of all regions."""
        mine = self.rows(region, batch)
        place, _ = positions_of(self.menu, mine["menu"].to_numpy())
        parent = mine["parent"].fill_null(0).to_numpy()
        has_parent = positions_of(self.menu, parent)[1] & mine["parent"].is_valid().to_numpy(zero_copy_only=False)
        columns = {"pages": pa.array(self.pages[place]), "parent": pa.array(parent, mask=~has_parent)}
        schema = TABLES["menus"].schema
        return pa.RecordBatch.from_arrays([columns.get(name, mine[name]) for name in schema.names], schema=schema)


def _describe(reader: TableReader, guests: Guests) -> _Described:
    parts: dict[int, list[Ints]] = {}
    for region, batch in part_batches(reader, "menus"):
        parts.setdefault(region, []).append(batch["menu"].to_numpy())
    found = {region: np.sort(np.concatenate(parts[region])) for region in sorted(parts)}
    shown = {region: np.zeros(len(menus), np.int64) for region, menus in found.items()}
    for region, batch in part_batches(reader, "menu_pages"):
        place, known = positions_of(found[region], _own(guests, region, batch)["menu"].to_numpy())
        shown[region] += np.bincount(place[known], minlength=len(found[region]))
    menu = np.concatenate([np.zeros(0, np.int64), *found.values()])
    pages = np.concatenate([np.zeros(0, np.int64), *shown.values()])
    of = np.repeat(np.array(list(found), np.int64), [len(menus) for menus in found.values()])
    # By menu, the region that shows it on most pages last; of equals the smallest.
    order = np.lexsort((-of, pages, menu))
    menu, pages, of = menu[order], pages[order], of[order]
    is_last = np.append(menu[1:] != menu[:-1], True)[: len(menu)]
    total = np.bincount(np.cumsum(is_last) - is_last, weights=pages, minlength=is_last.sum()).astype(np.int64)
    return _Described(menu[is_last][total > 0], of[is_last][total > 0], total[total > 0])


def _own(guests: Guests, region: int, batch: pa.RecordBatch) -> pa.RecordBatch:
    return batch.filter(pa.array(~guests.among(region, batch["page"].to_numpy())))
