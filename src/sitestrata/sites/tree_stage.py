"""The stages that find hierarchies: the addresses of each site, then its tree, site by site or part by part."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sitestrata.graph.link_graph import positions_of
from sitestrata.model import Relations, SiteProfile, Subsite, table_from_records
from sitestrata.sites.access import access_kind, access_signs
from sitestrata.sites.hierarchy import find_tree, tree_to_places
from sitestrata.sites.names import site_keywords, site_name
from sitestrata.sites.parts import TOPS, TreeParts, cut_sites, find_part
from sitestrata.sites.site_web import SiteWeb, tables_to_site
from sitestrata.sites.subsites import Subsites, find_subsites
from sitestrata.sites.votes import HierarchyOptions

__all__ = ["find_addresses", "find_hierarchy"]


def find_addresses(tables: Relations, options: TreeParts) -> dict[str, str]:
    """List all addresses of the pages of each site, so that a site's rows can be brought together."""
    return cut_sites(tables, options)


def find_hierarchy(tables: Mapping[str, pa.Table], options: HierarchyOptions) -> dict[str, pa.Table]:
    """Find the tree of one site, whose rows the tables hold, and what the site calls itself."""
    sites = tables["boundaries"].column("site")
    if not len(sites) or not tables["pages"].num_rows:
        return {}
    if 0 < tables[TOPS].num_rows < tables["site_addresses"].num_rows:  # a part; the top itself is a small site
        return _part_places(tables, sites[0].as_py(), options)
    web = tables_to_site(tables, sites[0].as_py())
    tree = find_tree(web, options)
    subsites = find_subsites(web, _sections(web, tables["boundaries"]), url_evidence=options.url_evidence)
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
        "tree": table_from_records("tree", tree_to_places(web, tree, subsites)),
        "subsites": table_from_records("subsites", _subsite_rows(web, subsites)),
        "profiles": table_from_records("profiles", [profile]),
    }


def _sections(web: SiteWeb, boundaries: pa.Table) -> NDArray[np.int64]:
    """Return the section of each page of the site."""
    rows = boundaries.sort_by("page_id")
    place, _ = positions_of(rows.column("page_id").to_numpy(), web.page_id)
    section: NDArray[np.int64] = rows.column("section").to_numpy()[place]
    return section


def _subsite_rows(web: SiteWeb, found: Subsites) -> list[Subsite]:
    ids = web.page_id.tolist()
    pages = np.bincount(found.home[found.home >= 0], minlength=len(web)).tolist()
    return [
        Subsite(ids[first], ids[web.entry], pages[first], sign, "shared" if found.shares_navigation[first] else "own")
        for first, sign in sorted(found.sign.items())
    ]


def _part_places(tables: Mapping[str, pa.Table], entry: int, options: HierarchyOptions) -> dict[str, pa.Table]:
    """Find the places of the pages of a part of a large site; its name and profile are those of its top."""
    found = find_part(tables, entry, options)
    if found is None:
        return {}
    web, tree, own = found
    subsites = find_subsites(web, _sections(web, tables["boundaries"]), url_evidence=options.url_evidence)
    # A subsite whose home page is of the top is for the top to find.
    is_held = (subsites.home >= 0) & own[subsites.home]
    mine = replace(
        subsites,
        home=np.where(is_held, subsites.home, -1),
        sign={first: sign for first, sign in subsites.sign.items() if own[first]},
    )
    places = table_from_records("tree", tree_to_places(web, tree, mine))
    return {
        "tree": places.filter(pa.array(own)),
        "subsites": table_from_records("subsites", _subsite_rows(web, mine)),
    }
