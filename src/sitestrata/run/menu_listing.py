"""What the command line and the report show of menus: rows put together from several tables."""

from collections.abc import Iterator
from typing import Any

from sitestrata.errors import UsageError, WorkspaceError
from sitestrata.menus.one_page import find_menu_links
from sitestrata.page import PageFacts
from sitestrata.run.one_page import shown_address
from sitestrata.run.workspace import Workspace
from sitestrata.segments import find_segments
from sitestrata.urls import normalise, url_id

__all__ = ["list_menus", "list_page_menus"]

_BATCH = 1_000
# A menu belongs to the site that most of its pages belong to; an organisation's bar belongs to none.
_MENUS = """
    WITH shown AS (
        SELECT p.menu, b.site, count(*) AS pages
        FROM menu_pages p JOIN boundaries b ON b.page_id = p.page GROUP BY ALL
    ), owner AS (
        SELECT menu, site FROM shown
        QUALIFY row_number() OVER (PARTITION BY menu ORDER BY pages DESC, site) = 1
    ), listed AS (
        SELECT menu, list({'label': label, 'url': url, 'level': level, 'changes': target IS NULL AND pages > 0}
                          ORDER BY ordinal) AS items
        FROM menu_items GROUP BY menu
    )
    SELECT printf('%016x', m.menu) AS menu, CASE WHEN m.role = 'organisation' THEN NULL ELSE s.entry_url END AS site,
           m.role, m.pages, coalesce(i.items, []) AS items, m.signature, m.kind, m.confidence, m.reason
    FROM menus m LEFT JOIN owner o ON o.menu = m.menu LEFT JOIN sites s ON s.site = o.site
    LEFT JOIN listed i ON i.menu = m.menu
    WHERE (?::BIGINT IS NULL OR o.site = ?) AND (?::VARCHAR IS NULL OR m.role = ?)
    ORDER BY m.pages DESC, m.role, m.menu
"""
_SITE = "SELECT b.site FROM aliases a JOIN boundaries b ON b.page_id = a.page_id WHERE a.url_id = ?"


def list_menus(workspace: Workspace, *, site: str | None = None, role: str | None = None) -> Iterator[dict[str, Any]]:
    """Yield one row a menu, the most widespread first; of one site or role only, if given."""
    if not {"menus", "boundaries", "sites"} <= set(workspace.tables):
        return
    with workspace.reader().connect() as connection:
        wanted = None if site is None else _site_of(connection, site, workspace)
        found = connection.sql(_MENUS, params=[wanted, wanted, role, role])
        for batch in found.to_arrow_reader(_BATCH):
            yield from batch.to_pylist()


def list_page_menus(facts: PageFacts) -> Iterator[dict[str, Any]]:
    """Yield one row a list of menu links of one page, in document order; what they are for, one page does not tell."""
    segments = find_segments(facts)
    found = find_menu_links(facts, segments)
    links: dict[int, list[int]] = {}
    for number in found.links().tolist():
        links.setdefault(int(segments.of_link[number]), []).append(number)
    address = facts.links.address
    for number, (segment, some) in enumerate(sorted(links.items(), key=lambda pair: pair[1][0])):
        yield {
            "menu": str(number),
            "site": None,
            "role": None,
            "pages": 1,
            "items": [
                {"label": facts.links.label[link], "url": shown_address(address[link]), "level": 0, "changes": False}
                for link in some
            ],
            "signature": segments.paths[int(segments.path[segment])] if segment >= 0 else "",
            "kind": "page",
            "confidence": round(float(found.probability[some].mean()), 3),
            "reason": "structure-of-the-page",
        }


def _site_of(connection: Any, url: str, workspace: Workspace) -> int:
    address = normalise(url)
    if address is None:
        raise UsageError(f"{url!r} is not a web address. Give it in full, as in https://example.org/")
    row = next(iter(connection.execute(_SITE, [url_id(address)]).fetchall()), None)
    if row is None:
        raise WorkspaceError(f"{address} belongs to no site of {workspace.folder}; see `sitestrata sites`.")
    site: int = row[0]
    return site
