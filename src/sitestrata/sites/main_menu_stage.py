"""The stage that names the main menu of each site that was found.

Paper: MenuMiner 6.4
"""

import pyarrow as pa

from sitestrata.menus import main_menus, read_front_pages
from sitestrata.model import TableReader, table_from_records

__all__ = ["find_main_menus"]


def find_main_menus(reader: TableReader, options: object) -> dict[str, pa.Table]:  # noqa: ARG001 - a stage's signature
    """Return the items of the main menu of each site that has one."""
    places = reader.read("boundaries", ["page_id", "site"])
    site = places["site"].to_numpy()
    # A site goes by its entry page; one whose entry page is another region's is dealt with there.
    guests = {row["page"] for row in reader.query("SELECT page FROM regions WHERE NOT own").to_pylist()}
    own = set(places["page_id"].to_pylist()) - guests
    entries = sorted(own & set(site.tolist()))
    found = main_menus(
        places["page_id"].to_numpy(),
        site,
        dict(zip(entries, entries, strict=True)),
        menus=reader.read("menus"),
        menu_items=reader.read("menu_items"),
        menu_pages=reader.read("menu_pages"),
        fronts=read_front_pages(reader, entries),
    )
    return {"main_menus": table_from_records("main_menus", (item for item in found if item.site in own))}
