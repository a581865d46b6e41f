"""Pages: the list over all of them, and one page with its facts, its reasons and its archived look."""

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query
from fastapi.responses import HTMLResponse

from sitestrata.model import TreeNode
from sitestrata.page import PageFacts
from sitestrata.report.server.archive import LAYERS, Mark, archived_html
from sitestrata.report.server.bodies import UnreadableError
from sitestrata.report.server.catalogue import Snapshot
from sitestrata.report.server.dressing import Dress, dress_of
from sitestrata.report.server.endpoints.trees import trail_of, tree_of_site
from sitestrata.report.server.guard import ARCHIVE_POLICY
from sitestrata.report.server.listing import Listing
from sitestrata.report.server.marks import LAYER_TABLES, find_marks, places_of_leaves
from sitestrata.report.server.reading import PageReading, kept, read_again
from sitestrata.report.server.shapes import ArchiveLayer, PageRow, Pages
from sitestrata.report.server.state import Asked, Found, Id, Limit, Word, as_number, missing
from sitestrata.run.explain import explain
from sitestrata.urls import normalise, url_id

__all__ = ["page_row", "router"]

router = APIRouter(tags=["pages"])

MAX_LABELS = 5000  # nodes of a page's label hierarchy
Sort = Literal["url", "title", "host", "language", "links", "text", "method", "confidence"]
_COLUMNS = (
    "page_id", "capture", "url", "title", "host", "language", "links", "text", "site", "subsite", "is_apart", "method",
    "confidence",
)  # fmt: skip
_LIST = Listing(
    "page_rows",
    "page_id",
    _COLUMNS,
    {name: name for name in ("url", "title", "host", "language", "links", "text", "method", "confidence")},
)


@router.get("/pages")
def pages(
    snapshot: Found,
    q: Word = "",
    site: Annotated[str | None, Query(pattern=r"^-?[0-9]{1,19}$")] = None,
    subsite: Annotated[str | None, Query(pattern=r"^-?[0-9]{1,19}$")] = None,
    host: Annotated[str, Query(max_length=300)] = "",
    method: Annotated[str, Query(max_length=40)] = "",
    sort: Sort = "url",
    descending: bool = False,
    limit: Limit = 50,
    cursor: Annotated[str | None, Query(max_length=4096)] = None,
) -> Pages:
    """List the distinct pages."""
    if not snapshot.has("pages"):
        return Pages(rows=[], total=0, next=None, previous=None)
    where: list[tuple[str, object]] = []
    if site is not None:
        where.append(("site = ?", as_number(site)))
    if subsite is not None:
        where.append(("subsite = ?", as_number(subsite)))
    if host:
        where.append(("host = ?", host))
    if method:
        where.append(("method = ?", method))
    if q:
        where.append(("contains(search, lower(?))", q))
    screen = _LIST.screen(snapshot, where=where, sort=sort, is_descending=descending, limit=limit, cursor=cursor)
    return Pages(
        rows=[_page(row) for row in screen.rows], total=screen.total, next=screen.next, previous=screen.previous
    )


@router.get("/find")
def find(snapshot: Found, url: Annotated[str, Query(min_length=1, max_length=4000)]) -> dict[str, str]:
    """Return the page that an address stands for."""
    address = normalise(url)
    if address is None:
        raise missing("This is not a web address.")
    number = url_id(address)
    if snapshot.has("aliases"):
        row = snapshot.row("SELECT page_id FROM aliases WHERE url_id = ?", number)
        number = row["page_id"] if row else number
    return {"page": str(page_row(snapshot, number)["page_id"])}


def page_row(snapshot: Snapshot, number: int) -> dict[str, Any]:
    """Return one page, or say that it is not there."""
    row = snapshot.row("SELECT * FROM page_rows WHERE page_id = ?", number) if snapshot.has("pages") else None
    if row is None:
        raise missing("There is no page with this id.")
    return row


@router.get("/pages/{page}")
def one_page(snapshot: Found, page: Id) -> dict[str, Any]:
    """Return what a page is and where it belongs."""
    row = page_row(snapshot, as_number(page))
    site = snapshot.row("SELECT * FROM site_rows WHERE site = ?", row["site"]) if row["site"] is not None else None
    trail: list[dict[str, str]] = []
    if row["site"] is not None and snapshot.has("tree"):
        trail = trail_of(tree_of_site(snapshot, row["site"]), row["page_id"])
    return {
        **_page(row).model_dump(),
        "site_name": site["name"] if site else None,
        "entry_url": site["entry_url"] if site else None,
        "trail": trail,
        "layers": [layer.model_dump() for layer in _layers(snapshot, row)],
    }


@router.get("/pages/{page}/known")
def known(snapshot: Found, page: Id) -> dict[str, Any]:
    """Return everything that the tables say about a page, and why it is where it is."""
    row = page_row(snapshot, as_number(page))
    with snapshot.asking() as cursor:
        return explain(snapshot.workspace, row["url"], connection=cursor)


def _layers(snapshot: Snapshot, row: dict[str, Any]) -> list[ArchiveLayer]:
    try:
        reading = read_again(snapshot, row["capture"])
        marks, why = _marks(snapshot, row, reading), reading.refusal
    except UnreadableError as error:
        marks, why = {}, str(error)
    return [
        ArchiveLayer(
            name=layer.name,
            colour=layer.colour,
            bit=1 << place,
            count=sum(bool(mark.label) for mark in marks.get(layer.name, ())),
            is_ready=layer.name in marks,
            why=_why_not(snapshot, layer.name, why) if layer.name not in marks else "",
        )
        for place, layer in enumerate(LAYERS)
    ]


def _marks(snapshot: Snapshot, row: dict[str, Any], reading: PageReading) -> dict[str, list[Mark]]:
    made: dict[str, list[Mark]] = kept(
        snapshot, "marks", row["capture"], lambda: find_marks(snapshot, row["page_id"], row["capture"], reading)
    )
    return made


def _why_not(snapshot: Snapshot, layer: str, why: str) -> str:
    return why if snapshot.has(*LAYER_TABLES[layer]) else "not mined"


@router.get("/pages/{page}/labels")
def labels(snapshot: Found, page: Id) -> dict[str, Any]:
    """Return the label hierarchy of a page, in preorder; a node's parent comes before it."""
    row = page_row(snapshot, as_number(page))
    try:
        reading = read_again(snapshot, row["capture"])
    except UnreadableError as error:
        return {"is_ready": False, "reason": str(error), "rows": [], "total": 0}
    leaves = reading.facts.leaves.node.tolist()
    rows = [
        {
            "ordinal": node.ordinal,
            "parent": node.parent,
            "kind": node.kind,
            "role": node.role,
            "label": node.label,
            "url": node.url,
            "node": _first_place(reading.facts, node),
            "leaf": leaves[node.first_leaf] if node.first_leaf < len(leaves) else node.node,
        }
        for node in reading.tree[:MAX_LABELS]
    ]
    return {"is_ready": not reading.refusal, "reason": reading.refusal, "rows": rows, "total": len(reading.tree)}


def _first_place(facts: PageFacts, node: TreeNode) -> int:
    """Return where a node of the hierarchy begins on the page: its label, or the first piece of what it holds."""
    if node.label or node.first_leaf >= node.end_leaf:
        return node.node
    return places_of_leaves(facts, node.first_leaf, node.end_leaf)[0]


@router.get("/pages/{page}/tables")
def page_tables(snapshot: Found, page: Id) -> dict[str, Any]:
    """Return the data tables of a page."""
    row = page_row(snapshot, as_number(page))
    if not snapshot.has("data_tables"):
        return {"is_ready": False, "rows": []}
    rows = snapshot.rows(
        'SELECT "index", node, is_data, orientation, title, rows, columns, grid, header_cells FROM data_tables '
        'WHERE page = ? AND is_data ORDER BY "index" LIMIT 50',
        row["capture"],
    )
    for found in rows:
        found["grid"] = [cells[:50] for cells in found["grid"][:100]]
    return {"is_ready": True, "rows": rows}


@router.get("/pages/{page}/archive", response_class=HTMLResponse)
def archive(
    server: Asked,
    snapshot: Found,
    page: Id,
    show: Annotated[str, Query(max_length=100)] = "",
    focus: Annotated[int, Query(ge=-1, le=2**31 - 1)] = -1,
    view: Annotated[str, Query(pattern=r"^[a-z0-9]{0,40}$")] = "",
    is_picked: bool = False,
    plain: bool = False,
) -> HTMLResponse:
    """Return the archived page, unable to do anything, with what was found marked on it.

    A tag on it leads here again with ``is_picked``, which is how a click is told from a view that shows a node.
    """
    row = page_row(snapshot, as_number(page))
    headers = {"content-security-policy": ARCHIVE_POLICY}
    try:
        reading = read_again(snapshot, row["capture"])
    except UnreadableError as error:
        return HTMLResponse(_notice(str(error)), 200, headers)
    found = {} if plain else _marks(snapshot, row, reading)
    dress: Dress = kept(snapshot, "dresses", row["capture"], lambda: dress_of(snapshot, reading.facts, reading.text))
    if view and is_picked:
        server.looks.note(view, focus)
    made = archived_html(
        reading.facts.dom,
        url=row["url"],
        style=dress.style,
        image=dress.image,
        css_image=dress.css_image,
        marks=[mark for marks in found.values() for mark in marks],
        shown=[name for name in show.split(",") if name],
        focus=focus,
        address=f"?view={view}&is_picked=true&focus=" if view else "",
    )
    return HTMLResponse(made, 200, headers)


@router.get("/looks/{view}")
def look(server: Asked, view: Annotated[str, Path(pattern=r"^[a-z0-9]{1,40}$")]) -> dict[str, int]:
    """Return the node that was picked last in the frame of an archived page, which itself may tell nobody."""
    focus, count = server.looks.picked(view)
    return {"focus": focus, "count": count}


def _notice(reason: str) -> str:
    import html

    return (
        '<!doctype html><html lang="en"><meta charset="utf-8"><title>Not shown</title>'
        "<style>html{font:15px/1.5 sans-serif;color-scheme:light dark}body{padding:1rem}</style>"
        f"<body><p>The archived page cannot be shown. {html.escape(reason)}</p></body></html>"
    )


def _page(row: dict[str, Any]) -> PageRow:
    return PageRow(
        page=str(row["page_id"]),
        url=row["url"],
        title=row["title"],
        host=row["host"],
        language=row["language"],
        links=row["links"],
        text=row["text"],
        site=None if row["site"] is None else str(row["site"]),
        subsite=None if row["subsite"] is None else str(row["subsite"]),
        is_apart=row["is_apart"],
        method=row["method"],
        confidence=row["confidence"],
    )
