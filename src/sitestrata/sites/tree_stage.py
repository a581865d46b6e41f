"""The stages that find hierarchies: the addresses of each site, then, site by site, its tree."""

from collections.abc import Mapping

import pyarrow as pa

from sitestrata.model import TABLES, TableReader, table_from_records
from sitestrata.sites.hierarchy import find_tree, tree_to_places
from sitestrata.sites.site_web import tables_to_site
from sitestrata.sites.votes import HierarchyOptions

__all__ = ["find_addresses", "find_hierarchy"]


def find_addresses(reader: TableReader, options: object) -> dict[str, pa.Table]:  # noqa: ARG001 - a stage's signature
    """List all addresses of the pages of each site, so that a site's rows can be brought together."""
    rows = reader.query(
        'SELECT b.site AS "group", a.url_id AS page FROM boundaries b JOIN aliases a ON a.page_id = b.page_id'
        " ORDER BY 1, 2"
    )
    return {"site_addresses": rows.cast(TABLES["site_addresses"].schema)}


def find_hierarchy(tables: Mapping[str, pa.Table], options: HierarchyOptions) -> dict[str, pa.Table]:
    """Find the tree of one site, whose rows the tables hold."""
    sites = tables["boundaries"].column("site")
    if not len(sites) or not tables["pages"].num_rows:
        return {}
    web = tables_to_site(tables, sites[0].as_py())
    tree = find_tree(web, options)
    return {"tree": table_from_records("tree", tree_to_places(web, tree))}
