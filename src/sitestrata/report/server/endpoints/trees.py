"""The hierarchy of a site, a level at a time."""

from collections.abc import Mapping
from typing import Annotated, Any

from fastapi import APIRouter, Query

from sitestrata.report.server.catalogue import Snapshot
from sitestrata.report.server.endpoints.sites import site_row
from sitestrata.report.server.shapes import TreeChild
from sitestrata.report.server.state import Found, Id, Word, as_number

__all__ = ["router", "trail_of", "tree_of_site"]

router = APIRouter(tags=["sites"])

MAX_CHILDREN = 1000
MAX_TRAIL = 100

_CHILDREN = """
    SELECT t.page_id, t.label, p.url, t.evidence,
           p.subsite IS NOT NULL AND p.subsite IS DISTINCT FROM q.subsite AS is_subsite,
           (SELECT count(*) FROM tree c WHERE c.parent = t.page_id) AS children
    FROM tree t JOIN page_rows p USING (page_id) JOIN page_rows q ON q.page_id = t.parent
    WHERE t.parent = ? ORDER BY t.position, t.page_id LIMIT ?
"""
_ROOT = """
    SELECT t.page_id, t.label, p.url, t.evidence, false AS is_subsite,
           (SELECT count(*) FROM tree c WHERE c.parent = t.page_id) AS children
    FROM tree t JOIN page_rows p USING (page_id) WHERE t.site = ? AND t.parent IS NULL ORDER BY t.page_id LIMIT ?
"""


@router.get("/sites/{site}/tree")
def tree_children(
    snapshot: Found,
    site: Id,
    parent: Annotated[str | None, Query(pattern=r"^-?[0-9]{1,19}$")] = None,
    q: Word = "",
) -> dict[str, Any]:
    """Return the pages directly below a page of the site's tree; the root if none is given; what matches if asked."""
    number = as_number(site)
    site_row(snapshot, number)
    if not snapshot.has("tree"):
        return {"is_ready": False, "rows": [], "total": 0}
    if q:
        rows = _search_tree(snapshot, number, q)
        return {"is_ready": True, "rows": rows, "total": len(rows)}
    sizes = _subtree_sizes(snapshot, number)
    sql, key = (_ROOT, number) if parent is None else (_CHILDREN, as_number(parent))
    rows = snapshot.rows(sql, key, MAX_CHILDREN)
    total = len(rows)
    if total == MAX_CHILDREN and parent is not None:
        counted = snapshot.row("SELECT count(*) AS n FROM tree WHERE parent = ?", key)
        total = counted["n"] if counted else total
    return {
        "is_ready": True,
        "rows": [
            TreeChild(
                page=str(row["page_id"]),
                label=row["label"] or row["url"],
                url=row["url"],
                children=row["children"],
                pages=sizes.get(row["page_id"], 1),
                evidence=row["evidence"] or [],
                is_subsite=bool(row["is_subsite"]),
            ).model_dump()
            for row in rows
        ],
        "total": total,
    }


def tree_of_site(snapshot: Snapshot, number: int) -> dict[int, tuple[int | None, int, str]]:
    """Return parent, depth and label of each page of one site's tree; the last few sites asked for are remembered."""

    def make() -> dict[int, tuple[int | None, int, str]]:
        rows = snapshot.rows("SELECT page_id, parent, depth, label FROM tree WHERE site = ?", number)
        return {row["page_id"]: (row["parent"], row["depth"], row["label"]) for row in rows}

    made: dict[int, tuple[int | None, int, str]] = snapshot.once(f"tree {number}", make)
    return made


def _subtree_sizes(snapshot: Snapshot, number: int) -> dict[int, int]:
    def make() -> dict[int, int]:
        nodes = tree_of_site(snapshot, number)
        sizes = dict.fromkeys(nodes, 1)
        for page in sorted(nodes, key=lambda key: -nodes[key][1]):
            parent = nodes[page][0]
            if parent in sizes:
                sizes[parent] += sizes[page]
        return sizes

    made: dict[int, int] = snapshot.once(f"sizes {number}", make)
    return made


def _search_tree(snapshot: Snapshot, number: int, q: str) -> list[dict[str, Any]]:
    """Return the pages whose label, title or address holds a text, each with the way down to it."""
    found = snapshot.rows(
        "SELECT t.page_id, t.label, p.url FROM tree t JOIN page_rows p USING (page_id) "
        "WHERE t.site = ? AND (contains(lower(t.label), lower(?)) OR contains(p.search, lower(?))) "
        "ORDER BY t.depth, t.page_id LIMIT 100",
        number,
        q,
        q,
    )
    nodes = tree_of_site(snapshot, number)
    return [
        {
            "page": str(row["page_id"]),
            "label": row["label"] or row["url"],
            "url": row["url"],
            "trail": trail_of(nodes, row["page_id"]),
        }
        for row in found
    ]


def trail_of(nodes: Mapping[int, tuple[int | None, int, str]], page: int) -> list[dict[str, str]]:
    """Return the pages above a page, from the root down."""
    trail: list[dict[str, str]] = []
    above = nodes.get(page, (None, 0, ""))[0]
    while above is not None and above in nodes and len(trail) < MAX_TRAIL:
        trail.append({"page": str(above), "label": nodes[above][2]})
        above = nodes[above][0]
    return trail[::-1]
