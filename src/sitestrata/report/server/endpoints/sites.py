"""Sites: the list, the map, and one site with its menus, subsites, hosts and neighbours."""

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query
from fastapi.responses import Response

from sitestrata.report.server.catalogue import Snapshot
from sitestrata.report.server.listing import Listing
from sitestrata.report.server.shapes import Item, MapAnswer, MenuRow, SiteRow, Sites
from sitestrata.report.server.state import Found, Id, Limit, Word, as_number, missing
from sitestrata.run.export_rows import SITE_LINKS
from sitestrata.urls import registered_domain_of_host

__all__ = ["map_text", "menu_rows", "router", "site_row"]

router = APIRouter(tags=["sites"])

MAP_NODES = 10_000  # sites that the first view draws
MAX_NODES = 20_000
MAX_EDGES = 40_000
MAX_MENUS = 200
MAX_ITEMS = 500
_COLUMNS = ("site", "name", "entry_url", "hosts", "pages", "sections", "parent", "method", "confidence")
_LIST = Listing(
    "site_rows",
    "site",
    _COLUMNS,
    {name: name for name in ("pages", "name", "entry_url", "host", "sections", "method", "confidence")},
)
Sort = Literal["pages", "name", "entry_url", "host", "sections", "method", "confidence"]


@router.get("/sites")
def sites(
    snapshot: Found,
    q: Word = "",
    host: Annotated[str, Query(max_length=300)] = "",
    method: Annotated[str, Query(max_length=40)] = "",
    min_pages: Annotated[int, Query(ge=0, le=10**12)] = 0,
    sort: Sort = "pages",
    descending: bool = True,
    limit: Limit = 50,
    cursor: Annotated[str | None, Query(max_length=4096)] = None,
) -> Sites:
    """List the sites."""
    if not snapshot.has("sites"):
        return Sites(rows=[], total=0, next=None, previous=None)
    where: list[tuple[str, object]] = []
    if q:
        where.append(("contains(search, lower(?))", q))
    if host:
        where.append(("list_contains(hosts, ?)", host))
    if method:
        where.append(("method = ?", method))
    if min_pages:
        where.append(("pages >= ?", min_pages))
    screen = _LIST.screen(snapshot, where=where, sort=sort, is_descending=descending, limit=limit, cursor=cursor)
    return Sites(
        rows=[_site(row) for row in screen.rows], total=screen.total, next=screen.next, previous=screen.previous
    )


_NODES = f"SELECT {', '.join(_COLUMNS)}, host FROM site_rows ORDER BY pages DESC, site LIMIT ?"  # noqa: S608
_EDGES = f"""
    SELECT source, target, weight AS links FROM ({SITE_LINKS}) between_sites
    ORDER BY links DESC, source, target LIMIT ?
"""  # noqa: S608 - our own


@router.get("/map", response_model=MapAnswer)
def site_map(snapshot: Found, nodes: Annotated[int, Query(ge=1, le=MAX_NODES)] = MAP_NODES) -> Response:
    """Return the largest sites and the links between them."""
    text = map_text(snapshot) if nodes == MAP_NODES else _map(snapshot, nodes).model_dump_json()
    return Response(text, media_type="application/json")


def map_text(snapshot: Snapshot) -> str:
    """Return the map that the first view asks for, as JSON; it is put together once."""
    text: str = snapshot.once("map", lambda: _map(snapshot, MAP_NODES).model_dump_json())
    return text


def _map(snapshot: Snapshot, nodes: int) -> MapAnswer:
    rows = snapshot.rows(_NODES, nodes) if snapshot.has("sites") else []
    has_links = snapshot.has("sites", "links", "aliases", "boundaries")
    edges = snapshot.once("edges", lambda: snapshot.rows(_EDGES, MAX_EDGES)) if has_links else []
    place = {row["site"]: number for number, row in enumerate(rows)}
    edges = [edge for edge in edges if edge["source"] in place and edge["target"] in place]
    return MapAnswer(
        site=[str(row["site"]) for row in rows],
        name=[row["name"] for row in rows],
        host=[row["host"] for row in rows],
        domain=[registered_domain_of_host(row["host"]) or row["host"] for row in rows],
        method=[row["method"] for row in rows],
        pages=[row["pages"] for row in rows],
        confidence=[round(row["confidence"], 3) for row in rows],
        source=[place[edge["source"]] for edge in edges],
        target=[place[edge["target"]] for edge in edges],
        links=[edge["links"] for edge in edges],
        total=snapshot.workspace.count("sites"),
    )


def site_row(snapshot: Snapshot, number: int) -> dict[str, Any]:
    """Return one site, or say that it is not there."""
    row = snapshot.row("SELECT * FROM site_rows WHERE site = ?", number) if snapshot.has("sites") else None
    if row is None:
        raise missing("There is no site with this id.")
    return row


@router.get("/sites/{site}")
def one_site(snapshot: Found, site: Id) -> dict[str, Any]:
    """Return a site with its hosts, subsites and neighbours, and the site that it is a part of."""
    number = as_number(site)
    row = site_row(snapshot, number)
    hosts = snapshot.rows(
        "SELECT host, count(*) AS pages FROM page_rows WHERE site = ? GROUP BY host "
        "ORDER BY pages DESC, host LIMIT 200",
        number,
    )
    subsites = snapshot.rows(_SUBSITES, number) if snapshot.has("subsites", "tree") else []
    children = snapshot.rows("SELECT * FROM site_rows WHERE parent = ? ORDER BY pages DESC, site LIMIT 200", number)
    above = snapshot.row("SELECT * FROM site_rows WHERE site = ?", row["parent"]) if row["parent"] is not None else None
    profile = snapshot.row("SELECT * FROM profiles WHERE site = ?", number) if snapshot.has("profiles") else None
    return {
        **_site(row).model_dump(),
        "above": _site(above).model_dump() if above else None,
        "host_pages": hosts,
        "subsites": [{**item, "subsite": str(item["subsite"])} for item in subsites],
        "children": [_site(item).model_dump() for item in children],
        "profile": {**profile, "site": site} if profile else None,
        "neighbours": _neighbours(snapshot, number),
        "has_tree": snapshot.has("tree"),
        "has_menus": snapshot.has("menus", "menu_items", "menu_pages"),
    }


_SUBSITES = """
    SELECT s.subsite, s.pages, s.sign, s.navigation, p.is_apart, p.url, coalesce(nullif(t.label, ''), p.title) AS title
    FROM subsites s JOIN page_rows p ON p.page_id = s.subsite JOIN tree t ON t.page_id = s.subsite
    WHERE s.site = ? ORDER BY s.pages DESC, s.subsite LIMIT 200
"""


def _neighbours(snapshot: Snapshot, number: int) -> list[dict[str, Any]]:
    """Return the sites that it links or that link it, the strongest first."""
    if not snapshot.has("sites", "links", "aliases", "boundaries"):
        return []
    edges = snapshot.once("edges", lambda: snapshot.rows(_EDGES, MAX_EDGES))
    found: dict[int, dict[str, int]] = {}
    for edge in edges:
        for end, other, way in (("source", "target", "out"), ("target", "source", "in")):
            if edge[end] == number:
                found.setdefault(edge[other], {"out": 0, "in": 0})[way] += edge["links"]
    best = sorted(found, key=lambda key: (-sum(found[key].values()), key))[:20]
    names = {
        row["site"]: row
        for row in snapshot.rows(
            f"SELECT site, name, entry_url FROM site_rows WHERE site IN ({', '.join('?' * len(best)) or 'NULL'})",  # noqa: S608
            *best,
        )
    }
    return [
        {"site": str(key), "name": names[key]["name"], "entry_url": names[key]["entry_url"], **found[key]}
        for key in best
        if key in names
    ]


@router.get("/sites/{site}/menus")
def site_menus(snapshot: Found, site: Id) -> dict[str, Any]:
    """Return the menus that pages of the site show, the most shown first."""
    number = as_number(site)
    site_row(snapshot, number)
    if not snapshot.has("menus", "menu_items", "menu_pages"):
        return {"is_ready": False, "rows": []}
    rows = snapshot.rows(
        "SELECT m.* EXCLUDE (pages), count(*) AS pages FROM menus m JOIN menu_pages s USING (menu) "
        "JOIN boundaries b ON b.page_id = s.page WHERE b.site = ? GROUP BY ALL ORDER BY pages DESC, m.menu LIMIT ?",
        number,
        MAX_MENUS,
    )
    return {"is_ready": True, "rows": [row.model_dump() for row in menu_rows(snapshot, rows)]}


def menu_rows(snapshot: Snapshot, rows: list[dict[str, Any]]) -> list[MenuRow]:
    """Give menus their items."""
    keys = [row["menu"] for row in rows]
    marks = ", ".join("?" * len(keys)) or "NULL"
    items: dict[int, list[Item]] = {}
    for item in snapshot.rows(
        f"SELECT menu, label, url, target, level, pages FROM menu_items WHERE menu IN ({marks}) ORDER BY menu, ordinal",  # noqa: S608
        *keys,
    ):
        page = None if item["target"] is None else str(item["target"])
        made = items.setdefault(item["menu"], [])
        if len(made) < MAX_ITEMS:
            made.append(Item(label=item["label"], url=item["url"], page=page, level=item["level"], pages=item["pages"]))
    return [
        MenuRow(
            menu=str(row["menu"]),
            role=row["role"],
            role_confidence=row["confidence"],
            kind=row["kind"],
            signature=row["signature"],
            reason=row["reason"],
            pages=row["pages"],
            items=items.get(row["menu"], []),
        )
        for row in rows
    ]


def _site(row: dict[str, Any]) -> SiteRow:
    return SiteRow(
        site=str(row["site"]),
        name=row["name"],
        entry_url=row["entry_url"],
        hosts=row["hosts"][:50],
        pages=row["pages"],
        sections=row["sections"],
        parent=None if row["parent"] is None else str(row["parent"]),
        method=row["method"],
        confidence=row["confidence"],
    )
