"""The stage that names the main menu of each site that was found.

Paper: MenuMiner 6.4
"""

from collections import Counter

import pyarrow as pa

from sitestrata.menus import main_menus, read_front_pages
from sitestrata.model import TableReader, table_from_records

__all__ = ["find_main_menus"]

MIN_PAGES = 5  # of a site, for its entry page to be a door to another page and not one of two


def find_main_menus(reader: TableReader, options: object) -> dict[str, pa.Table]:  # noqa: ARG001 - a stage's signature
    """Return the items of the main menu of each site that has one."""
    places = reader.read("boundaries", ["page_id", "site"])
    site = places["site"].to_numpy()
    # A site goes by its entry page; one whose entry page is another region's is dealt with there.
    guests = {row["page"] for row in reader.query("SELECT page FROM regions WHERE NOT own").to_pylist()}
    own = set(places["page_id"].to_pylist()) - guests
    entries = sorted(own & set(site.tolist()))
    doors = _doors(reader)
    homes = {entry: doors.get(entry, entry) for entry in entries}
    found = main_menus(
        places["page_id"].to_numpy(),
        site,
        homes,
        menus=reader.read("menus"),
        menu_items=reader.read("menu_items"),
        menu_pages=reader.read("menu_pages"),
        fronts=read_front_pages(reader, set(homes.values())),
        places=_places(reader),
    )
    return {"main_menus": table_from_records("main_menus", (item for item in found if item.site in own))}


def _doors(reader: TableReader) -> dict[int, int]:
    """Return for each entry page with nothing behind it but one page of its site, that page: it has the contents."""
    rows = reader.query(
        "SELECT e.site AS entry, min(t.page_id) AS behind FROM boundaries e JOIN links l ON l.page = e.site"  # noqa: S608 - a number of our own
        " JOIN aliases t ON t.url_id = l.target JOIN boundaries b ON b.page_id = t.page_id AND b.site = e.site"
        " JOIN (SELECT site FROM boundaries GROUP BY 1"
        f" HAVING count(*) >= {MIN_PAGES}) s ON s.site = e.site"
        " WHERE e.page_id = e.site AND t.page_id <> e.site GROUP BY 1 HAVING count(DISTINCT t.page_id) = 1"
    )
    return dict(zip(rows["entry"].to_pylist(), rows["behind"].to_pylist(), strict=True))


def _places(reader: TableReader) -> dict[int, frozenset[str]]:
    """Return what the addresses of each site begin with: its hosts; of one it shares, the folder of its entry page."""
    rows = reader.query(
        "SELECT DISTINCT b.site, regexp_extract(a.canonical, '^[a-z]+://[^/?#]*') AS origin, e.canonical AS entry"
        " FROM boundaries b JOIN aliases a ON a.url_id = b.page_id JOIN aliases e ON e.url_id = b.site"
    ).to_pylist()
    sites = Counter(row["origin"] for row in rows)
    found: dict[int, set[str]] = {}
    for row in rows:
        origin, entry = f"{row['origin']}/", row["entry"]
        if sites[row["origin"]] == 1:
            found.setdefault(row["site"], set()).add(origin)
        elif entry.startswith(origin):
            found.setdefault(row["site"], set()).add(entry[: entry.rindex("/") + 1])
    return {site: frozenset(places) for site, places in found.items()}
