"""Sites as regions have found them, each by itself -> the sites of the collection.

A site goes by its entry page. Regions that hold parts of one host all see the pages of the host that most others link,
so the parts of a site that was cut mostly choose the same entry page, and are one site by that. Where the entry page is
a guest, the region that it belongs to decides: the part joins the site that the page is in there.

Cost: the boundaries are streamed twice; a few numbers of each site are held.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa

from sitestrata.model import Objective, Site, TableReader, table_from_records
from sitestrata.model.regions import Guests, part_batches
from sitestrata.sites.parents import leads_up

__all__ = ["join_sites"]


def join_sites(reader: TableReader, options: object) -> dict[str, Any]:  # noqa: ARG001 - a stage's signature
    """Make one of what the regions have found."""
    guests = Guests(reader)
    found = [
        (region, Site(**{**row, "hosts": tuple(row["hosts"])}))
        for region, batch in part_batches(reader, "sites")
        for row in batch.to_pylist()
    ]
    found.sort(key=lambda part: (part[0], part[1].site))
    visited = {site.site for region, site in found if guests.among(region, np.array([site.site]))[0]}
    leads_to: dict[int, int] = {}  # site by an entry page that is a guest -> the site that page is in
    pages: Counter[int] = Counter()
    for batch in _own_boundaries(reader, guests):
        entry = np.isin(batch["page_id"].to_numpy(), list(visited))
        some = batch.filter(pa.array(entry))
        leads_to |= dict(zip(some["page_id"].to_pylist(), some["site"].to_pylist(), strict=True))
        site, count = np.unique(batch["site"].to_numpy(), return_counts=True)
        pages.update(dict(zip(site.tolist(), count.tolist(), strict=True)))
    joined = {site.site: _follow(site.site, leads_to) for _, site in found}
    return {
        "boundaries": (_renamed(batch, joined) for batch in _own_boundaries(reader, guests)),
        "sites": table_from_records("sites", _sites(found, joined, pages)),
        "objectives": table_from_records("objectives", _objectives(reader)),
    }


def _own_boundaries(reader: TableReader, guests: Guests) -> Iterator[pa.RecordBatch]:
    for region, batch in part_batches(reader, "boundaries"):
        yield batch.filter(pa.array(~guests.among(region, batch["page_id"].to_numpy())))


def _follow(site: int, leads_to: Mapping[int, int]) -> int:
    """Return where a site leads to in the end; of several that lead to each other, the smallest."""
    way = [site]
    while (after := leads_to.get(way[-1], way[-1])) not in way:
        way.append(after)
    return min(way[way.index(after) :])


def _renamed(batch: pa.RecordBatch, joined: Mapping[int, int]) -> pa.RecordBatch:
    sites, which = np.unique(batch["site"].to_numpy(), return_inverse=True)
    names = np.array([joined[site] for site in sites.tolist()], np.int64)
    return batch.set_column(batch.schema.get_field_index("site"), batch.schema.field("site"), pa.array(names[which]))


def _sites(found: list[tuple[int, Site]], joined: Mapping[int, int], pages: Mapping[int, int]) -> list[Site]:
    """Describe each site as its largest part does, with the hosts and pages of all."""
    parts: dict[int, list[Site]] = {}
    for _, site in found:
        parts.setdefault(joined[site.site], []).append(site)
    by_id = {site.site: site for _, site in reversed(found)}
    counted: Counter[int] = Counter()
    for number, count in pages.items():
        counted[joined[number]] += count
    result = []
    above: dict[int, int] = {}  # free of circles, which regions that know each other's sites as guests could close
    for key in sorted(counted):
        some = sorted(parts[key], key=lambda site: (-site.pages, site.site))
        parent = next((joined[site.parent] for site in some if site.parent is not None), None)
        if parent is not None and parent in counted and not leads_up(parent, key, above):
            above[key] = parent
        weight = sum(site.pages for site in some)
        result.append(
            replace(
                some[0],
                site=key,
                entry_url=by_id[key].entry_url,
                hosts=tuple(dict.fromkeys(host for site in some for host in site.hosts)),
                pages=counted[key],
                sections=sum(site.sections for site in some),
                parent=above.get(key),
                confidence=sum(site.confidence * site.pages for site in some) / weight,
            )
        )
    return result


def _objectives(reader: TableReader) -> list[Objective]:
    """Add up what partitions are worth, region by region."""
    rows = [(region, row) for region, batch in part_batches(reader, "objectives") for row in batch.to_pylist()]
    parts: Counter[str] = Counter()
    value: dict[str, float] = {}
    for _, row in sorted(rows, key=lambda item: (item[0], item[1]["partition"])):
        parts[row["partition"]] += row["parts"]
        value[row["partition"]] = value.get(row["partition"], 0.0) + row["value"]
    return [Objective(name, parts[name], value[name]) for name in value]
