"""What a workspace knows about one URL, gathered from its tables without running anything again."""

from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

from sitestrata.errors import UsageError, WorkspaceError
from sitestrata.run.menu_listing import menus_of_page
from sitestrata.run.workspace import Workspace
from sitestrata.urls import normalise, url_id

__all__ = ["SECTIONS", "explain"]

SHOWN = 20  # rows of a long list; how many there are in all is always said


def explain(workspace: Workspace, url: str, *, connection: Any = None) -> dict[str, Any]:
    """Return everything the tables say about a URL, by section; an open connection to the tables is used if given."""
    address = normalise(url)
    if address is None:
        raise UsageError(f"{url!r} is not a web address. Give it in full, as in https://example.org/")
    with nullcontext(connection) if connection is not None else workspace.reader().connect() as opened:
        look = _Look(opened, set(workspace.tables), url_id(address), address)
        found = {name: section(look) for name, section in SECTIONS.items()}
    if not any(found.values()):
        raise WorkspaceError(f"{address} does not occur in {workspace.folder}, neither captured nor linked.")
    return {"url": address, **found}


class _Look:
    """Queries about one URL; a table that was not made yet has no rows."""

    def __init__(self, connection: Any, tables: set[str], this: int, url: str) -> None:
        self._connection = connection
        self._tables = tables
        self.this = this
        self.url = url

    def rows(self, needs: str, sql: str, *values: object) -> list[dict[str, Any]]:
        """Answer a query whose parameters are ``values``, if the tables it needs are there."""
        if not set(needs.split()) <= self._tables:
            return []
        cursor = self._connection.execute(sql, list(values))
        names = [column[0] for column in cursor.description]
        return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]


def _identity(look: _Look) -> dict[str, Any]:
    rows = look.rows("aliases", "SELECT canonical, rules, is_captured FROM aliases WHERE url_id = ?", look.this)
    if not rows:
        return {}
    others = look.rows(
        "aliases",
        "SELECT url, rules FROM aliases WHERE url_id <> ? "
        "AND page_id = (SELECT page_id FROM aliases WHERE url_id = ?) ORDER BY url",
        look.this,
        look.this,
    )
    return {**rows[0], "also_known_as": others[:SHOWN], "also_known_as_count": len(others)}


def _captures(look: _Look) -> list[dict[str, Any]]:
    return look.rows(
        "captures",
        'SELECT source, "offset", record_type, fetched_at::VARCHAR AS fetched_at, status, media_type, location, size, '
        "is_html FROM captures WHERE url_id = ? ORDER BY fetched_at, source, 2",
        look.this,
    )


def _page(look: _Look) -> dict[str, Any]:
    rows = look.rows(
        "pages",
        "SELECT title, heading, language, charset, canonical_link, robots, refresh, breadcrumb, link_count, "
        "leaf_count, table_count, text_length, linked_text_length FROM pages WHERE url_id = ?",
        look.this,
    )
    return rows[0] if rows else {}


def _links(look: _Look) -> dict[str, Any]:
    out = look.rows(
        "links urls",
        "SELECT l.ordinal, u.url, l.label, l.kind, l.landmark, l.segment "
        "FROM links l JOIN urls u ON u.url_id = l.target WHERE l.page = ? ORDER BY l.ordinal",
        look.this,
    )
    into = look.rows(
        "links pages",
        "SELECT p.url, min(l.label) AS label, count(*) AS links FROM links l JOIN pages p ON p.url_id = l.page "
        "WHERE l.target = ? GROUP BY p.url ORDER BY p.url",
        look.this,
    )
    if not out and not into:
        return {}
    return {"out_count": len(out), "out": out[:SHOWN], "in_count": len(into), "in": into[:SHOWN]}


def _segments(look: _Look) -> list[dict[str, Any]]:
    return look.rows(
        "segments links urls",
        "SELECT s.ordinal, s.path, len(s.links) AS size, "
        "list({'label': l.label, 'url': u.url} ORDER BY l.ordinal) AS links "
        "FROM segments s JOIN links l ON l.page = s.page AND l.segment = s.ordinal JOIN urls u ON u.url_id = l.target "
        "WHERE s.page = ? GROUP BY ALL ORDER BY s.ordinal",
        look.this,
    )


def _site(look: _Look) -> dict[str, Any]:
    rows = look.rows(
        "boundaries sites aliases",
        "SELECT s.entry_url AS site, s.name, s.pages AS site_pages, u.canonical AS section, b.method, b.confidence, "
        "b.section_votes, b.rival_votes, r.canonical AS rival_section, b.tie, b.address "
        "FROM aliases a JOIN boundaries b ON b.page_id = a.page_id JOIN sites s ON s.site = b.site "
        "JOIN aliases u ON u.url_id = b.section LEFT JOIN aliases r ON r.url_id = b.rival_section WHERE a.url_id = ?",
        look.this,
    )
    return {"why": _why(rows[0]), **rows[0]} if rows else {}


def _why(found: dict[str, Any]) -> str:
    if found["method"] == "decision":
        return "A person decided that it belongs here."
    if found["method"] == "alone":
        return "No other page shares enough with it: it is a site of its own."
    if found["method"] == "menus":
        return "It shows a menu, and all pages that overlapping menus join are one site (--profile paper)."
    if found["method"] == "generic":
        return "It shows no menu: all such pages are one generic cluster (--profile paper)."
    why = f"The pages it links and that link it in its section vote {found['section_votes']:.1f} for it"
    if found["rival_section"]:
        why += f"; those of the section that pulls next, {found['rival_votes']:.1f}"
    if found["tie"] is not None:
        why += (
            f". Its section is tied to the rest of the site with log odds {found['tie']:.1f}, "
            f"addresses among them {found['address']:+.1f}"
        )
    return why + "."


def _menus(look: _Look) -> list[dict[str, Any]]:
    return menus_of_page(look.rows, look.this)


def _place(look: _Look) -> dict[str, Any]:
    rows = look.rows(
        "tree aliases",
        "SELECT t.label, t.depth, t.position, u.canonical AS parent, t.evidence, t.votes, r.canonical AS rival, "
        "t.rival_votes, d.canonical AS document FROM aliases a JOIN tree t ON t.page_id = a.page_id "
        "LEFT JOIN aliases u ON u.url_id = t.parent LEFT JOIN aliases r ON r.url_id = t.rival "
        "LEFT JOIN aliases d ON d.url_id = t.document WHERE a.url_id = ?",
        look.this,
    )
    return rows[0] if rows else {}


def _rejects(look: _Look) -> list[dict[str, Any]]:
    return look.rows("rejects", "SELECT stage, reason, detail FROM rejects WHERE input = ? ORDER BY ALL", look.url)


# Later stages add what they know here; a section that knows nothing returns something empty.
def _taxonomy(look: _Look) -> dict[str, Any]:
    """Tell which concepts the page is about, which relations it shows, and which instances were found on it."""
    concepts = look.rows(
        "concepts labels",
        "SELECT c.label, c.support, c.confidence, list(l.label || coalesce(' = ' || l.merged_with, '') || ' (' || "
        "l.evidence || ')' ORDER BY l.label) AS labels FROM concepts c JOIN labels l ON l.concept = c.concept "
        "WHERE list_contains(c.urls, ?) GROUP BY c.concept, c.label, c.support, c.confidence ORDER BY 2 DESC, 1",
        look.url,
    )
    relations = look.rows(
        "concepts is_a",
        "SELECT p.label AS parent, c.label AS child, i.support, i.confidence, i.is_facet FROM is_a i "
        "JOIN concepts p ON p.concept = i.parent JOIN concepts c ON c.concept = i.child "
        "WHERE list_contains(i.pages, ?) ORDER BY i.confidence DESC, 1, 2",
        look.url,
    )
    instances = look.rows(
        "instances",
        "SELECT name, url, kind, confidence FROM instances WHERE page = ? ORDER BY node, instance",
        look.this,
    )
    if not (concepts or relations or instances):
        return {}
    return {
        "page_of": concepts[:SHOWN],
        "shows": relations[:SHOWN],
        "shows_count": len(relations),
        "instances": instances[:SHOWN],
        "instances_count": len(instances),
    }


SECTIONS: dict[str, Callable[[_Look], Any]] = {
    "identity": _identity,
    "captures": _captures,
    "page": _page,
    "site": _site,
    "menus": _menus,
    "place": _place,
    "links": _links,
    "segments": _segments,
    "taxonomy": _taxonomy,
    "rejects": _rejects,
}
