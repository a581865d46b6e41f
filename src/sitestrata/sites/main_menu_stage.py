"""The stage that names the main menu of each site that was found.

Paper: MenuMiner 6.4
"""

import numpy as np
import pyarrow as pa

from sitestrata.menus import main_menus, read_front_pages
from sitestrata.model import TableReader, table_from_records

__all__ = ["find_main_menus"]


def find_main_menus(reader: TableReader, options: object) -> dict[str, pa.Table]:  # noqa: ARG001 - a stage's signature
    """Return the items of the main menu of each site that has one."""
    places = reader.read("boundaries", ["page_id", "site"])
    page, site = places["page_id"].to_numpy(), places["site"].to_numpy()
    seen = reader.read("regions", ["page", "own"])
    is_seen = is_own = np.ones(len(page), bool)
    if len(seen):  # a region, which also knows the sites of the pages that it links
        is_seen = np.isin(page, seen["page"].to_numpy())
        is_own = np.isin(page, seen.filter(seen["own"])["page"].to_numpy())
    # A site goes by its entry page; one whose entry page is another region's is dealt with there.
    own = set(page[is_own].tolist())
    entries = sorted(own & set(site.tolist()))
    found = main_menus(
        page,
        site,
        dict(zip(entries, entries, strict=True)),
        menus=reader.read("menus"),
        menu_items=reader.read("menu_items"),
        menu_pages=reader.read("menu_pages"),
        fronts=read_front_pages(reader, entries),
        is_seen=is_seen,
    )
    return {"main_menus": table_from_records("main_menus", (item for item in found if item.site in own))}
