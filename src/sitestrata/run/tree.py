"""The hierarchies of a workspace as people read them: nested nodes of one site, and the breadcrumb of any page."""

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import pyarrow as pa

from sitestrata.errors import UsageError, WorkspaceError
from sitestrata.graph.link_graph import positions_of
from sitestrata.run.workspace import Workspace
from sitestrata.urls import normalise, url_id

__all__ = ["Trails", "breadcrumb_rows", "site_tree", "tree_rows"]

_NODES = """
    SELECT t.page_id, t.parent, t.position, t.depth, t.label, t.evidence, t.votes, t.document, u.canonical AS url,
        f.canonical AS subsite
    FROM tree t JOIN aliases u ON u.url_id = t.page_id
    LEFT JOIN aliases f ON f.url_id = t.subsite
    WHERE t.site = $site AND t.depth <= $depth ORDER BY t.depth, t.parent, t.position
"""
EVERY_DEPTH = 1 << 30


class Trails:
    """The way from the entry page of its site down to each page, held as columns: a million pages fit memory."""

    def __init__(self, workspace: Workspace) -> None:
        """Read the hierarchies of a workspace; one that has none gives no trails."""
        self._id = np.zeros(0, np.int64)
        if not {"tree", "aliases"} <= set(workspace.tables):
            return
        with workspace.reader().connect() as connection:
            rows = connection.sql(
                "SELECT t.page_id, t.parent, t.label, u.canonical AS url FROM tree t "
                "JOIN aliases u ON u.url_id = t.page_id ORDER BY t.page_id"
            ).to_arrow_table()
        self._id = rows["page_id"].to_numpy()
        parent = rows["parent"]
        place, known = positions_of(self._id, parent.fill_null(0).to_numpy())
        self._parent = np.where(known & parent.is_valid().to_numpy(), place, -1)
        self._label: pa.ChunkedArray = rows["label"]
        self._url: pa.ChunkedArray = rows["url"]

    def of_page(self, page_id: int) -> list[dict[str, str]]:
        """Return the breadcrumb of a page as ``{label, url}`` from the entry page down to itself; empty if unknown."""
        place, known = positions_of(self._id, [page_id])
        if not known[0]:
            return []
        at = int(place[0])
        steps = []
        while at >= 0:
            steps.append({"label": self._label[at].as_py(), "url": self._url[at].as_py()})
            at = int(self._parent[at])
        return steps[::-1]


def breadcrumb_rows(workspace: Workspace, urls: Iterable[str]) -> Iterator[dict[str, Any]]:
    """Yield for each URL, in the order given, its breadcrumb and site; an unknown URL has an empty breadcrumb."""
    _need_tree(workspace)
    trails = Trails(workspace)
    with workspace.reader().connect() as connection:
        for url in urls:
            address = normalise(url)
            found = (
                connection.execute("SELECT page_id FROM aliases WHERE url_id = ?", [url_id(address)]).fetchall()
                if address is not None
                else []
            )
            steps = trails.of_page(found[0][0]) if found else []
            yield {"url": url, "site": steps[0]["url"] if steps else None, "breadcrumb": steps}


def site_tree(workspace: Workspace, site: str, *, depth: int = EVERY_DEPTH) -> dict[str, Any]:
    """Return the hierarchy of the site that an address belongs to, as ``{label, url, children}``.

    Parts of a compound document carry ``document``: the address of its first page. Where a subsite (a version, a
    language, a manual with its own menu) begins, the node carries ``subsite``: its name in the listing of pages.

    Raises:
        UsageError: the address is no page of the workspace.
    """
    rows = tree_rows(workspace, site, depth=depth)
    nodes: dict[str, dict[str, Any]] = {}
    root: dict[str, Any] = {}
    subsite_of: dict[str | None, str | None] = {}
    for row in rows:
        node: dict[str, Any] = {"label": row["label"], "url": row["url"], "evidence": row["evidence"], "children": []}
        if row["document"]:
            node["document"] = row["document"]
        nodes[row["url"]] = node
        subsite_of[row["url"]] = row["subsite"]
        if row["subsite"] and subsite_of.get(row["parent"]) != row["subsite"]:
            node["subsite"] = row["subsite"]
        if row["parent"] is None:
            root = node
        else:
            nodes[row["parent"]]["children"].append(node)
    return root


def tree_rows(workspace: Workspace, site: str, *, depth: int = EVERY_DEPTH) -> list[dict[str, Any]]:
    """Return the pages of a site's hierarchy, level by level, each with the address of the page above."""
    _need_tree(workspace)
    address = normalise(site)
    if address is None:
        raise UsageError(f"{site!r} is not a web address. Give it in full, as in https://example.org/")
    with workspace.reader().connect() as connection:
        found = connection.execute(
            "SELECT t.site FROM aliases a JOIN tree t ON t.page_id = a.page_id WHERE a.url_id = ?", [url_id(address)]
        ).fetchall()
        if not found:
            raise UsageError(
                f"{address} is no page of {workspace.folder}; list its sites with `sitestrata sites {workspace.folder}`"
            )
        rows = connection.sql(_NODES, params={"site": found[0][0], "depth": depth}).to_arrow_table().to_pylist()
    url_of = {row["page_id"]: row["url"] for row in rows}
    return [
        {
            "url": row["url"],
            "label": row["label"],
            "parent": url_of.get(row["parent"]),
            "depth": row["depth"],
            "position": row["position"],
            "evidence": row["evidence"],
            "votes": row["votes"],
            "document": url_of.get(row["document"]),
            "subsite": row["subsite"],
        }
        for row in rows
    ]


def _need_tree(workspace: Workspace) -> None:
    if "tree" not in workspace.tables:
        raise WorkspaceError(
            f"{workspace.folder} has no hierarchies yet; run `sitestrata mine --resume -o {workspace.folder}`"
        )
