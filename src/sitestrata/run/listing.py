"""What the listings of the command line show: rows put together from several tables."""

from collections.abc import Container, Iterator
from typing import Any

from sitestrata.run.tree import Trails
from sitestrata.run.workspace import Workspace

__all__ = ["SITE_NAME", "SITE_NAME_JOINS", "SUBSITE_JOINS", "list_pages", "list_sites", "named_sites", "summary"]

_BATCH = 10_000
# A site goes by the address of its entry page, a subsite by that of its first page.
_PAGES = """
    SELECT {page} AS page_id, p.url, {canonical} AS canonical, {site}, {subsite}, p.title, p.breadcrumb, c.status,
           {method}, {navigation}
    FROM pages p
    JOIN captures c ON c.url_id = p.url_id
    SEMI JOIN "_chosen" h ON c.url_id = h.url_id AND c.source = h.source AND c.offset = h.offset AND h.version = 0
    {joins}
    ORDER BY p.url
"""
SUBSITE_JOINS = """
    LEFT JOIN tree t ON t.page_id = a.page_id
    LEFT JOIN subsites n ON n.subsite = t.subsite
    LEFT JOIN aliases u ON u.url_id = t.subsite
"""
_SITE_JOINS = "JOIN boundaries b ON b.page_id = a.page_id JOIN sites s ON s.site = b.site"
_SITES = """
    SELECT s.entry_url AS site, {name} AS name, s.entry_url, s.hosts, s.pages, s.sections, p.entry_url AS parent,
           {main_menu} AS main_menu, {keywords} AS keywords, {access} AS access, s.method, s.confidence
    FROM sites s LEFT JOIN sites p ON p.site = s.parent {joins}
    ORDER BY s.pages DESC, s.entry_url
"""


# The name that the hierarchy found, unless a person gave another: what nobody named has the title of its entry page.
SITE_NAME = """
    CASE WHEN s.name IN (coalesce(t.title, s.entry_url), s.entry_url) THEN coalesce(f.name, s.name) ELSE s.name END
"""
SITE_NAME_JOINS = " LEFT JOIN profiles f ON f.site = s.site LEFT JOIN pages t ON t.url_id = s.site"
_MAIN_MENUS = """
    LEFT JOIN (
        SELECT site, list({'label': label, 'url': url} ORDER BY ordinal) AS items FROM main_menus GROUP BY site
    ) AS n ON n.site = s.site
"""


def named_sites(tables: Container[str]) -> str:
    """Return what to select from for the table of sites with the names that `SITE_NAME` gives them."""
    if "profiles" not in tables:
        return "sites"
    return f"(SELECT s.* REPLACE ({SITE_NAME} AS name) FROM sites s{SITE_NAME_JOINS})"  # noqa: S608 - our own


def list_pages(workspace: Workspace) -> Iterator[dict[str, Any]]:
    """Yield one row per captured URL that answered with HTML, sorted by URL."""
    has_aliases = "aliases" in workspace.tables
    has_sites, has_subsites = "boundaries" in workspace.tables, "subsites" in workspace.tables
    sql = _PAGES.format(
        page="a.page_id" if has_aliases else "p.url_id",
        canonical="a.canonical" if has_aliases else "p.url",
        site=("s.entry_url" if has_sites else "NULL") + " AS site",
        subsite=("u.canonical" if has_subsites else "NULL") + " AS subsite",
        navigation=("n.navigation" if has_subsites else "NULL") + " AS subsite_nav",
        method="b.method, b.confidence" if has_sites else "NULL AS method, NULL AS confidence",
        joins=" ".join(
            sql
            for sql, is_there in (
                ("JOIN aliases a ON a.url_id = p.url_id", has_aliases),
                (_SITE_JOINS, has_sites),
                (SUBSITE_JOINS, has_subsites),
            )
            if is_there
        ),
    )
    trails = Trails(workspace)
    for row in _rows(workspace, sql):
        # What was found counts; what the page declares stands in its place only as long as no hierarchy was found.
        row["breadcrumb"] = trails.of_page(row.pop("page_id")) or row["breadcrumb"]
        yield row


def list_sites(workspace: Workspace) -> Iterator[dict[str, Any]]:
    """Yield one row a logical site, the largest first."""
    if "sites" in workspace.tables:
        known, has_menus = "profiles" in workspace.tables, "main_menus" in workspace.tables
        yield from _rows(
            workspace,
            _SITES.format(
                name=SITE_NAME if known else "s.name",
                keywords="f.keywords" if known else "NULL",
                access="f.access" if known else "NULL",
                main_menu="coalesce(n.items, [])" if has_menus else "NULL",
                joins=(SITE_NAME_JOINS if known else "") + (_MAIN_MENUS if has_menus else ""),
            ),
        )


def _rows(workspace: Workspace, sql: str) -> Iterator[dict[str, Any]]:
    with workspace.reader().connect() as connection:
        for batch in connection.sql(sql).to_arrow_reader(_BATCH):
            yield from batch.to_pylist()


def summary(workspace: Workspace) -> str:
    """Return one honest line of counts."""
    counts = {name: workspace.count(name) for name in ("pages", "captures", "links", "segments", "rejects")}
    distinct = ""
    if "aliases" in workspace.tables and counts["pages"]:
        rows = workspace.query("SELECT count(DISTINCT a.page_id) AS n FROM aliases a SEMI JOIN pages p USING (url_id)")
        distinct = f" ({rows['n'][0].as_py():,} distinct)"
    count = workspace.count("sites") if "sites" in workspace.tables else 0
    sites = f" in {count:,} site{'s' if count > 1 else ''}" if count else ""
    unfinished = "" if workspace.manifest.is_finished else " The run is not finished."
    return (
        f"{counts['pages']:,} pages{distinct}{sites} from {counts['captures']:,} captures: {counts['links']:,} links, "
        f"{counts['segments']:,} link segments; {counts['rejects']:,} rejected.{unfinished}"
    )
