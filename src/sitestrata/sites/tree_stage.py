"""The stages that find hierarchies: the addresses of each site, then, site by site, its tree."""

from collections.abc import Mapping

import numpy as np
import pyarrow as pa

from sitestrata.model import Relations, SiteProfile, table_from_records
from sitestrata.sites.access import access_kind, access_signs
from sitestrata.sites.hierarchy import find_tree, tree_to_places
from sitestrata.sites.names import site_keywords, site_name
from sitestrata.sites.site_web import tables_to_site
from sitestrata.sites.votes import HierarchyOptions

__all__ = ["find_addresses", "find_hierarchy"]


def find_addresses(tables: Relations, options: object) -> dict[str, str]:  # noqa: ARG001 - a stage's signature
    """List all addresses of the pages of each site, so that a site's rows can be brought together."""
    rows = 'SELECT b.site AS "group", a.url_id AS page FROM boundaries b JOIN aliases a ON a.page_id = b.page_id'
    return {"site_addresses": f"{rows} ORDER BY 1, 2"}


def find_hierarchy(tables: Mapping[str, pa.Table], options: HierarchyOptions) -> dict[str, pa.Table]:
    """Find the tree of one site, whose rows the tables hold, and what the site calls itself."""
    sites = tables["boundaries"].column("site")
    if not len(sites) or not tables["pages"].num_rows:
        return {}
    web = tables_to_site(tables, sites[0].as_py())
    tree = find_tree(web, options)
    name, source = site_name(web)
    profile = SiteProfile(
        site=sites[0].as_py(),
        name=name,
        name_source=source,
        keywords=site_keywords(web),
        access=access_kind(access_signs(web, tree)),
        depth=int(tree.depth.max(initial=0)),
        documents=len(np.unique(tree.document[tree.document >= 0])),
    )
    return {
        "tree": table_from_records("tree", tree_to_places(web, tree)),
        "profiles": table_from_records("profiles", [profile]),
    }
