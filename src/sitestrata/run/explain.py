"""What a workspace knows about one URL, gathered from its tables without running anything again."""

from collections.abc import Callable, Iterable
from contextlib import nullcontext
from typing import Any

from sitestrata.errors import UsageError, WorkspaceError
from sitestrata.run.listing import named_sites
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
    """Queries about one URL; a table that was not made yet has no rows.

    Addresses are looked up by their numbers, in one go: a join with the table of all addresses reads the whole of it.
    """

    def __init__(self, connection: Any, tables: set[str], this: int, url: str) -> None:
        self._connection = connection
        self._tables = tables
        self.sites = named_sites(tables)
        self._links: dict[int, list[dict[str, Any]]] = {}
        self._known: dict[str, dict[int, str]] = {}  # addresses by number, of each table
        self.this = this
        self.url = url

    def rows(self, needs: str, sql: str, *values: object) -> list[dict[str, Any]]:
        """Answer a query whose parameters are ``values``, if the tables it needs are there."""
        if not set(needs.split()) <= self._tables:
            return []
        cursor = self._connection.execute(sql, list(values))
        names = [column[0] for column in cursor.description]
        return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]

    def links_of(self, page: int) -> list[dict[str, Any]]:
        """Return the links of a captured page, in their order."""
        if page not in self._links:
            self._links[page] = self.rows(
                "links",
                "SELECT ordinal, target, label, kind, landmark, segment FROM links WHERE page = ? ORDER BY ordinal",
                page,
            )
        return self._links[page]

    def addresses(self, numbers: Iterable[int]) -> dict[int, str]:
        """Return the addresses of at least some numbers, as they occur."""
        return self._named("urls", "url", numbers)

    def canonicals(self, numbers: Iterable[int | None]) -> dict[int, str]:
        """Return the addresses of the pages that at least some numbers stand for."""
        return self._named("aliases", "canonical", (number for number in numbers if number is not None))

    def _named(self, table: str, column: str, numbers: Iterable[int]) -> dict[int, str]:
        known = self._known.setdefault(table, {})
        wanted = sorted(set(numbers) - known.keys())
        sql = f"SELECT url_id, {column} AS url FROM {table} WHERE url_id IN (SELECT unnest(?))"  # noqa: S608 - our own names
        known.update((row["url_id"], row["url"]) for row in (self.rows(table, sql, wanted) if wanted else ()))
        return known


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
    url_of = look.addresses(link["target"] for link in look.links_of(look.this))
    out = [
        {"ordinal": link["ordinal"], "url": url_of[link["target"]], **_without(link, "ordinal", "target")}
        for link in look.links_of(look.this)
        if link["target"] in url_of
    ]
    into = look.rows(
        "links pages",
        "SELECT p.url, l.label, l.links FROM (SELECT page, min(label) AS label, count(*) AS links FROM links "
        "WHERE target = ? GROUP BY page) l JOIN pages p ON p.url_id = l.page ORDER BY p.url",
        look.this,
    )
    if not out and not into:
        return {}
    return {"out_count": len(out), "out": out[:SHOWN], "in_count": len(into), "in": into[:SHOWN]}


def _segments(look: _Look) -> list[dict[str, Any]]:
    found = look.rows(
        "segments", "SELECT ordinal, path, len(links) AS size FROM segments WHERE page = ? ORDER BY ordinal", look.this
    )
    url_of = look.addresses(link["target"] for link in look.links_of(look.this))
    for segment in found:
        segment["links"] = [
            {"label": link["label"], "url": url_of[link["target"]]}
            for link in look.links_of(look.this)
            if link["segment"] == segment["ordinal"] and link["target"] in url_of
        ]
    return [segment for segment in found if segment["links"]]


def _without(row: dict[str, Any], *names: str) -> dict[str, Any]:
    return {name: value for name, value in row.items() if name not in names}


def _site(look: _Look) -> dict[str, Any]:
    rows = look.rows(
        "boundaries sites aliases",
        "SELECT s.entry_url AS site, s.name, s.pages AS site_pages, b.section, b.method, b.confidence, "  # noqa: S608 - our own
        "b.section_votes, b.rival_votes, b.rival_section, b.tie, b.address "
        f"FROM boundaries b JOIN {look.sites} s ON s.site = b.site "
        "WHERE b.page_id = (SELECT page_id FROM aliases WHERE url_id = ?)",
        look.this,
    )
    if not rows:
        return {}
    (found,) = rows
    url_of = look.canonicals([found["section"], found["rival_section"]])
    found["section"], found["rival_section"] = url_of[found["section"]], url_of.get(found["rival_section"])
    return {"why": _why(found), **found}


def _why(found: dict[str, Any]) -> str:
    if found["method"] == "decision":
        return "A person decided that it belongs here."
    if found["method"] == "alone":
        return "No other page shares enough with it: it is a site of its own."
    if found["method"] == "menus":
        return "It shows a menu, and all pages that overlapping menus join are one site (--profile paper)."
    if found["method"] == "generic":
        return "It shows no menu: all such pages are one generic cluster (--profile paper)."
    if found["tie"] is not None and found["tie"] == found["address"]:
        return (
            "No link, menu or template ties it to a site, so it is with the pages beside it in the address: "
            f"log odds {found['tie']:+.1f}."
        )
    why = (
        "It shares menus, links and files with the pages that it links or that link it: "
        f"those of its section vote {found['section_votes']:+.1f}"
    )
    if found["rival_section"]:
        why += f", those of the next best section {found['rival_votes']:+.1f}"
    if found["tie"] is not None:
        why += (
            ". Links, titles, templates and addresses tie its section to the rest of the site: "
            f"log odds {found['tie']:+.1f}, of which addresses {found['address']:+.1f}"
        )
    return why + "."


def _menus(look: _Look) -> list[dict[str, Any]]:
    """Tell which menus the page shows, with what made them and decided their roles."""
    found = look.rows(
        "menus menu_pages links aliases",
        "SELECT printf('%016x', m.menu) AS menu, m.role, m.confidence, m.reason, m.kind, m.pages, m.signature, "
        "m.home_share, m.outside_share, m.position, m.landmark, len(m.clique) AS clique_pages, p.segments, "
        "p.capture, p.links FROM menu_pages p JOIN menus m ON m.menu = p.menu "
        "WHERE p.page = (SELECT page_id FROM aliases WHERE url_id = ?) ORDER BY list_min(p.links), m.menu",
        look.this,
    )
    shown = []
    for menu in found:
        ordinals = set(menu["links"])
        shown.append([link for link in look.links_of(menu["capture"]) if link["ordinal"] in ordinals])
    url_of = look.canonicals(link["target"] for links in shown for link in links)
    return [
        {
            **_without(menu, "capture"),
            "links": [
                {"label": link["label"], "url": url_of[link["target"]]} for link in links if link["target"] in url_of
            ],
        }
        for menu, links in zip(found, shown, strict=True)
    ]


def _place(look: _Look) -> dict[str, Any]:
    rows = look.rows(
        "tree aliases subsites",
        "SELECT label, depth, position, parent, evidence, votes, rival, rival_votes, document, t.subsite, s.sign, "
        "s.navigation FROM tree t LEFT JOIN subsites s ON s.subsite = t.subsite "
        "WHERE page_id = (SELECT page_id FROM aliases WHERE url_id = ?)",
        look.this,
    )
    if not rows:
        return {}
    (found,) = rows
    pages = ("parent", "rival", "document", "subsite")
    url_of = look.canonicals(found[name] for name in pages)
    sign, navigation = found.pop("sign"), found.pop("navigation")
    unit = {"url": url_of.get(found["subsite"]), "sign": sign, "navigation": navigation} if sign else None
    return {**found, **{name: url_of.get(found[name]) for name in pages}, "subsite": unit}


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
