"""The contents of sites -> label trees: how the pages of a site stand under each other, whatever page shows it.

A site's hierarchy is made of its menus, breadcrumbs and lists of all its pages (MenuMiner 6.3). Where it sets the page
of one concept under that of another, that is one more place where the site nests them.
"""

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from sitestrata.model import TableReader, TreeNode
from sitestrata.taxonomy.trees import SiteTree
from sitestrata.urls import url_id

__all__ = ["read_contents"]

MAX_DEPTH = 3  # below the entry page: further down there are records, not concepts
MAX_PAGES = 1_000  # of one site, the highest first


def read_contents(tables: TableReader, homes: Mapping[int, str]) -> dict[str, SiteTree]:
    """Return the contents of some sites by the addresses of their home pages."""
    chosen = pa.array(sorted(homes), pa.int64())
    places = tables.read("tree", ["page_id", "site", "parent", "position", "depth", "label"])
    is_high = pc.less_equal(places["depth"], MAX_DEPTH)
    places = places.filter(pc.and_(is_high, pc.is_in(places["site"], value_set=chosen)))
    pages = tables.read("pages", ["url_id", "url"])
    pages = pages.filter(pc.is_in(pages["url_id"], value_set=places["page_id"].combine_chunks()))
    address = dict(zip(pages["url_id"].to_pylist(), pages["url"].to_pylist(), strict=True))
    rows: dict[int, list[dict[str, Any]]] = defaultdict(list)
    for row in places.to_pylist():
        rows[row["site"]].append(row)
    return {homes[site]: _tree(homes[site], some, address) for site, some in sorted(rows.items())}


def _tree(home: str, rows: list[dict[str, Any]], address: Mapping[int, str]) -> SiteTree:
    """Return the hierarchy of one site as a label tree; its entry page is the root and has no label."""
    rows = sorted(rows, key=lambda row: (row["depth"], row["position"], row["page_id"]))[:MAX_PAGES]
    below: dict[int | None, list[dict[str, Any]]] = defaultdict(list)
    for row in rows:
        below[row["parent"]].append(row)
    number = url_id(home)
    nodes: list[TreeNode] = []
    waiting = [(row, -1) for row in reversed(below[None])]
    while waiting:
        row, parent = waiting.pop()
        ordinal = len(nodes)
        label = row["label"] if parent >= 0 else ""
        url = address.get(row["page_id"])
        kind = "block" if parent >= 0 else "root"
        nodes.append(TreeNode(number, ordinal, parent, kind, "other", label, url, ordinal, ordinal, ordinal + 1))
        waiting += [(child, ordinal) for child in reversed(below[row["page_id"]])]
    return SiteTree(number, "", home, None, tuple(nodes), is_contents=True)
