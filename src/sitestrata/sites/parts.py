"""A site too large for one process -> parts of it that are looked at by themselves, and what each makes of its pages.

A site of more links than `TreeParts` says is cut into runs of pages in the order of their addresses, so that a folder
is mostly whole. Its *top*, the pages that most of its pages link with the entry page among them, is a small site by
itself: there the menus, sections and large lists of the site find their places. Every part sees the top too, and hangs
its own pages below pages of its own or of the top; the places of the top are those that the top gives them. So every
page has one place, all places are one tree, and no process holds more than a part and the top.

What is lost: votes of pages in one part for pages in another, other than of the top.

Cost: for large sites one pass over their links; nothing for others.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from sitestrata.graph.link_graph import positions_of
from sitestrata.model import Relations
from sitestrata.sites.hierarchy import SiteTree, find_tree, with_parents
from sitestrata.sites.site_web import SiteWeb, tables_to_site
from sitestrata.sites.votes import HierarchyOptions

__all__ = ["PART_TABLES", "TOPS", "TreeParts", "cut_sites", "find_part"]

Flags = NDArray[np.bool_]

TREE_LINKS = 2_000_000  # finding a tree takes about 450 bytes a link: less than one gigabyte
TOP_PAGES = 1_000
TOP_SHARE = 4  # its links are at most a fourth of those of a part, and those of one page more
TOPS = "_tops"  # addresses of the tops of large sites, and how many pages their site has
PART_TABLES = {
    TOPS: pa.schema([pa.field("page", pa.int64(), nullable=False), pa.field("pages", pa.int64(), nullable=False)])
}
_PAGE = {"pages": "url_id", "links": "page", "segments": "page", "aliases": "url_id", "boundaries": "page_id"}


@dataclass(frozen=True, slots=True)
class TreeParts:
    """How much of a site is looked at together."""

    tree_links: int = TREE_LINKS  # of a site whose tree is found at once; a larger one is cut into parts


def cut_sites(tables: Relations, options: TreeParts) -> dict[str, str]:
    """List the addresses of each site, and of each part of a large one; and those of the tops of large sites."""
    limit = max(options.tree_links, 1)
    whole = 'SELECT b.site AS "group", a.url_id AS page FROM boundaries b'
    if tables.number("SELECT coalesce(sum(1 + link_count), 0) FROM pages") <= limit:
        return {
            "site_addresses": f"{whole} JOIN aliases a ON a.page_id = b.page_id ORDER BY 1, 2",
            TOPS: "SELECT url_id AS page, url_id AS pages FROM pages WHERE 1 = 0",
        }
    tables.keep(
        "weighed",
        """
        SELECT b.site, b.page_id, min(a.canonical) AS url, CAST(sum(1 + p.link_count) AS BIGINT) AS weight
        FROM boundaries b JOIN aliases a ON a.page_id = b.page_id JOIN pages p ON p.url_id = a.url_id
        GROUP BY b.site, b.page_id
        """,
    )
    tables.keep("large", f"SELECT site FROM weighed GROUP BY site HAVING sum(weight) > {limit}")  # noqa: S608
    tables.keep(
        "inside",
        """
        SELECT w.site, w.page_id, a.url_id FROM weighed w JOIN large l ON l.site = w.site
        JOIN aliases a ON a.page_id = w.page_id
        """,
    )
    tables.keep(
        "called",
        """
        SELECT site, page_id, sum(callers) AS callers FROM (
            SELECT t.site, t.page_id, count(DISTINCT s.page_id) AS callers FROM links l
            JOIN inside s ON s.url_id = l.page JOIN inside t ON t.url_id = l.target AND t.site = s.site
            GROUP BY t.site, t.page_id UNION ALL SELECT site, site, 0 FROM large) counted
        GROUP BY site, page_id
        """,
    )
    tables.keep(
        "top",
        f"""
        SELECT site, page_id FROM (SELECT site, page_id, row_number() OVER by_callers AS place,
                weight, sum(weight) OVER by_callers AS upto
            FROM (SELECT c.site, c.page_id, c.callers, w.weight FROM called c
                JOIN weighed w ON w.site = c.site AND w.page_id = c.page_id) weighted
            WINDOW by_callers AS (PARTITION BY site ORDER BY CASE WHEN page_id = site THEN 1 ELSE 0 END DESC,
                callers DESC, page_id ROWS UNBOUNDED PRECEDING)) ranked
        WHERE place <= {TOP_PAGES} AND upto - weight < {-(-limit // TOP_SHARE)}
        """,  # noqa: S608
    )
    tables.keep(
        "parted",
        f"""
        SELECT site, page_id, min(page_id) OVER (PARTITION BY site, run) AS part
        FROM (SELECT w.site, w.page_id, CAST(floor((sum(w.weight) OVER (PARTITION BY w.site ORDER BY w.url, w.page_id
                ROWS UNBOUNDED PRECEDING) - w.weight) / {limit}) AS BIGINT) AS run
            FROM weighed w JOIN large l ON l.site = w.site
            LEFT JOIN top t ON t.site = w.site AND t.page_id = w.page_id WHERE t.page_id IS NULL) cut
        """,  # noqa: S608
    )
    groups = f"""
        {whole} LEFT JOIN large l ON l.site = b.site JOIN aliases a ON a.page_id = b.page_id WHERE l.site IS NULL
        UNION ALL SELECT p.part, i.url_id FROM parted p JOIN inside i ON i.page_id = p.page_id
        UNION ALL SELECT p.part, i.url_id FROM top t JOIN inside i ON i.page_id = t.page_id
            JOIN (SELECT site, part FROM parted UNION SELECT site, site FROM large) p ON p.site = t.site
        ORDER BY 1, 2
    """  # noqa: S608
    tops = """
        SELECT i.url_id AS page, n.pages FROM top t JOIN inside i ON i.page_id = t.page_id
        JOIN (SELECT site, count(*) AS pages FROM weighed GROUP BY site) n ON n.site = t.site ORDER BY 1
    """
    return {"site_addresses": groups, TOPS: tops}


def find_part(
    tables: Mapping[str, pa.Table], entry: int, options: HierarchyOptions
) -> tuple[SiteWeb, SiteTree, Flags] | None:
    """Find the places of the pages of a part; tell which rows are its own. None where it has no captured page."""
    top = tables_to_site(_of_pages(tables, tables[TOPS]["page"]), entry)
    # What is much of a part may be little of the site.
    web = replace(tables_to_site(tables, entry), size=pc.max(tables[TOPS]["pages"]).as_py())
    at, is_here = positions_of(web.page_id, top.page_id)
    above = find_tree(top, options).parent
    tree = find_tree(web, options)
    parent = tree.parent.copy()
    parent[at[is_here]] = np.where(above >= 0, at[np.maximum(above, 0)], -1)[is_here]
    own = np.ones(len(web), np.bool_)
    own[at[is_here]] = False
    return (web, with_parents(web, tree, parent), own) if own.any() else None


def _of_pages(tables: Mapping[str, pa.Table], pages: pa.ChunkedArray) -> dict[str, pa.Table]:
    return {
        name: tables[name].filter(pc.is_in(tables[name][key], value_set=pages.combine_chunks()))
        for name, key in _PAGE.items()
    }
