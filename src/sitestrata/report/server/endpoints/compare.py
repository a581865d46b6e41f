"""Two workspaces of the same sites, before and after: pages that came, went or moved, and menus that changed.

A site of the one is the site of the other that shares most pages with it; a page has moved if it is in both and its
sites do not answer to each other so.
"""

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query

from sitestrata.report.server.catalogue import Snapshot
from sitestrata.report.server.state import Asked, Limit, Word, missing

__all__ = ["router"]

router = APIRouter(tags=["compare"])

MAX_MENU_SITES = 500
_PAGES = "SELECT url, title, page_id, site FROM page_rows"
_SITES = "SELECT site, name, entry_url, pages FROM site_rows"
_PAIRS = """
    CREATE TEMP TABLE pairs AS
    SELECT site AS before, arg_max(other, (n, other)) AS after, max(n) AS shared FROM (
        SELECT b.site, a.site AS other, count(*) AS n FROM before_pages b JOIN after_pages a USING (url)
        WHERE b.site IS NOT NULL AND a.site IS NOT NULL GROUP BY ALL
    ) GROUP BY site
"""
_KINDS = {
    "new": "SELECT a.url, a.title, a.page_id, NULL AS was, s.name AS is_now FROM after_pages a "
    "ANTI JOIN before_pages b USING (url) LEFT JOIN after_sites s ON s.site = a.site",
    "lost": "SELECT b.url, b.title, NULL AS page_id, s.name AS was, NULL AS is_now FROM before_pages b "
    "ANTI JOIN after_pages a USING (url) LEFT JOIN before_sites s ON s.site = b.site",
    "moved": "SELECT a.url, a.title, a.page_id, s.name AS was, t.name AS is_now FROM before_pages b "
    "JOIN after_pages a USING (url) JOIN pairs p ON p.before = b.site AND p.after <> a.site "
    "LEFT JOIN before_sites s ON s.site = b.site LEFT JOIN after_sites t ON t.site = a.site",
}
_MENUS = """
    SELECT site, label, url FROM (
        SELECT b.site, m.menu,
               row_number() OVER (PARTITION BY b.site ORDER BY count(*) DESC, m.menu) AS place
        FROM menus m JOIN menu_pages p USING (menu) JOIN boundaries b ON b.page_id = p.page
        WHERE m.role = 'main' GROUP BY b.site, m.menu
    ) JOIN menu_items i USING (menu) WHERE place = 1 AND i.url IS NOT NULL ORDER BY site, i.ordinal
"""


@router.get("/compare/{name}")
def compare(server: Asked, name: str) -> dict[str, Any]:
    """Count what differs between another workspace (before) and this one (after), and pair their sites."""
    before, after = _both(server, name)

    def make() -> dict[str, Any]:
        with after.asking() as cursor:
            _load(cursor, before, after)
            counts = {
                kind: cursor.execute(f"SELECT count(*) FROM ({sql})").fetchone()[0]  # noqa: S608 - our own
                for kind, sql in _KINDS.items()
            }
            kept = cursor.execute("SELECT count(*) FROM before_pages JOIN after_pages USING (url)").fetchone()[0]
            pairs = cursor.execute(
                "SELECT s.name, s.entry_url, s.pages, t.name, t.entry_url, t.pages, p.shared, p.before, p.after "
                "FROM pairs p JOIN before_sites s ON s.site = p.before JOIN after_sites t ON t.site = p.after "
                "ORDER BY greatest(s.pages, t.pages) DESC, p.before LIMIT 500"
            ).fetchall()
        sites = [
            {
                "before": {"name": row[0], "entry_url": row[1], "pages": row[2]},
                "after": {"name": row[3], "entry_url": row[4], "pages": row[5], "site": str(row[8])},
                "shared": row[6],
            }
            for row in pairs
        ]
        menus = _menu_changes(before, after, [(row[7], row[8], row[3]) for row in pairs])
        return {"counts": {**counts, "kept": kept}, "sites": sites, "menus": menus}

    made: dict[str, Any] = after.once(f"compare {name} {before.version}", make)
    return made


@router.get("/compare/{name}/pages")
def changed_pages(
    server: Asked,
    name: str,
    kind: Literal["new", "lost", "moved"] = "moved",
    q: Word = "",
    limit: Limit = 50,
    offset: Annotated[int, Query(ge=0, le=10_000_000)] = 0,
) -> dict[str, Any]:
    """List the pages that came, went or moved."""
    before, after = _both(server, name)
    with after.asking() as cursor:
        _load(cursor, before, after)
        found = cursor.execute(
            f"SELECT url, title, page_id, was, is_now FROM ({_KINDS[kind]}) "  # noqa: S608 - our own
            "WHERE contains(lower(url || ' ' || title), lower(?)) ORDER BY url LIMIT ? OFFSET ?",
            [q, limit, offset],
        ).fetchall()
    return {
        "rows": [
            {
                "url": row[0],
                "title": row[1],
                "page": None if row[2] is None else str(row[2]),
                "before": row[3],
                "after": row[4],
            }
            for row in found
        ]
    }


def _both(server: Any, name: str) -> tuple[Snapshot, Snapshot]:
    if name not in server.others:
        raise missing("There is no such workspace here: start with `sitestrata serve WS --compare OTHER`.")
    before, after = server.others[name].current(), server.catalogue.current()
    if not (before.has("pages", "sites") and after.has("pages", "sites")):
        raise missing("One of the workspaces has no sites yet.")
    return before, after


def _load(cursor: Any, before: Snapshot, after: Snapshot) -> None:
    for name, snapshot in (("before", before), ("after", after)):
        for what, sql in (("pages", _PAGES), ("sites", _SITES)):
            with snapshot.asking() as other:
                cursor.register(f"{name}_{what}", other.sql(sql).to_arrow_table())
    cursor.execute("DROP TABLE IF EXISTS temp.pairs")
    cursor.execute(_PAIRS)


def _menu_changes(before: Snapshot, after: Snapshot, pairs: list[tuple[int, int, str]]) -> list[dict[str, Any]]:
    """Return the main menus that gained or lost entries."""
    if not (before.has("menus", "menu_pages", "menu_items") and after.has("menus", "menu_pages", "menu_items")):
        return []
    old, new = _main_menus(before), _main_menus(after)
    changes = []
    for was, now, name in pairs[:MAX_MENU_SITES]:
        first, second = old.get(was, {}), new.get(now, {})
        gone = [{"label": label, "url": url} for url, label in first.items() if url not in second]
        came = [{"label": label, "url": url} for url, label in second.items() if url not in first]
        if gone or came:
            changes.append({"site": str(now), "name": name, "gone": gone[:200], "came": came[:200]})
    return changes


def _main_menus(snapshot: Snapshot) -> dict[int, dict[str, str]]:
    menus: dict[int, dict[str, str]] = {}
    for row in snapshot.rows(_MENUS):
        menus.setdefault(row["site"], {})[row["url"]] = row["label"]
    return menus
