"""The contents of sites -> label trees: how the pages of a site stand under each other, whatever page shows it.

A site's hierarchy is made of its menus, breadcrumbs and lists of all its pages (MenuMiner 6.3). Where it sets the page
of one concept under that of another, that is one more place where the site nests them.
"""

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

import pyarrow as pa

from sitestrata.model import TreeNode
from sitestrata.taxonomy.trees import SiteTree
from sitestrata.urls import url_id

__all__ = ["contents_to_trees"]


def contents_to_trees(contents: pa.Table, homes: Mapping[int, str]) -> dict[str, SiteTree]:
    """Return the contents of some sites (`sitestrata.ontology.entries`) by the addresses of their home pages."""
    rows: dict[int, list[dict[str, Any]]] = defaultdict(list)
    for row in contents.to_pylist():
        rows[row["site"]].append(row)
    return {homes[site]: _tree(homes[site], some) for site, some in sorted(rows.items()) if site in homes}


def _tree(home: str, rows: list[dict[str, Any]]) -> SiteTree:
    """Return the hierarchy of one site as a label tree; its entry page is the root and has no label."""
    rows = sorted(rows, key=lambda row: (row["depth"], row["position"], row["page_id"]))
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
        url = row["url"]
        kind = "block" if parent >= 0 else "root"
        nodes.append(TreeNode(number, ordinal, parent, kind, "other", label, url, ordinal, ordinal, ordinal + 1))
        waiting += [(child, ordinal) for child in reversed(below[row["page_id"]])]
    return SiteTree(number, "", home, None, tuple(nodes), is_contents=True)
