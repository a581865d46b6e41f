"""The stage that names the main menu of each site that was found.

Paper: MenuMiner 6.4
"""

import pyarrow as pa

from sitestrata.menus import main_menus
from sitestrata.model import SiteMenu, TableReader, table_from_records

__all__ = ["find_main_menus"]


def find_main_menus(reader: TableReader, options: object) -> dict[str, pa.Table]:  # noqa: ARG001 - a stage's signature
    """Return the main menu of each site that has one."""
    places = reader.read("boundaries", ["page_id", "site"])
    site = places["site"].to_numpy()
    found = main_menus(
        places["page_id"].to_numpy(),
        site,
        {number: number for number in sorted(set(site.tolist()))},  # a site goes by its entry page
        menus=reader.read("menus"),
        menu_items=reader.read("menu_items"),
        menu_pages=reader.read("menu_pages"),
    )
    return {"site_menus": table_from_records("site_menus", [SiteMenu(*pair) for pair in sorted(found.items())])}
