"""The rows that exports are made of, streamed from a workspace in an order that only their content decides."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any

import numpy as np

from sitestrata.export.csvw import Column, Sheet
from sitestrata.export.escape import file_id
from sitestrata.export.rdf import OntologyRows
from sitestrata.flow.prefixes import prefix_tree
from sitestrata.flow.scope import Scope, scope_of
from sitestrata.run.listing import SUBSITE_JOINS, list_pages, list_sites, named_sites
from sitestrata.run.workspace import Workspace
from sitestrata.urls import host, origin

__all__ = [
    "FILES_SHEET",
    "SITE_LINKS",
    "captures",
    "graph",
    "main_menus",
    "ontology",
    "sheets",
    "site_scopes",
    "site_trails",
    "site_urls",
    "sites",
    "stream",
]

BATCH = 10_000  # rows in memory at a time

_SITE_URLS = """
    SELECT b.site, a.canonical AS url FROM boundaries b
    JOIN aliases a ON a.url_id = b.page_id
    JOIN pages p ON p.url_id = b.page_id
    JOIN captures c ON c.url_id = p.url_id
    SEMI JOIN "_chosen" h ON c.url_id = h.url_id AND c.source = h.source AND c.offset = h.offset AND h.version = 0
    WHERE c.status = 200 {where}
    AND NOT regexp_matches(lower(concat_ws(',', p.robots, c.robots)), '(^|[^a-z])(noindex|none)([^a-z]|$)')
    ORDER BY b.site, regexp_extract(a.canonical, '^[^/]*//[^/]*'), a.canonical
"""
_SITE_PAGES = "SELECT a.url_id FROM boundaries b JOIN aliases a ON a.page_id = b.page_id WHERE {where}"
_CAPTURES = """
    SELECT c.url, c.fetched_at, c.status, c.location, c.digest, c.media_type, c.charset, c.is_html, c.source, c.offset,
           c.length, p.language, p.title, {ours}
    FROM captures c LEFT JOIN pages p ON p.url_id = c.url_id AND c.is_html {joins}
    {where}
    ORDER BY c.url, c.fetched_at, c.source, c.offset
"""
_OURS = """
    CASE WHEN p.url_id IS NOT NULL THEN a.canonical END AS canonical, s.entry_url AS site, s.name AS site_name,
    {subsite} AS subsite, b.method, b.confidence
"""
_OURS_JOINS = """
    LEFT JOIN aliases a ON a.url_id = p.url_id
    LEFT JOIN boundaries b ON b.page_id = a.page_id
    LEFT JOIN {sites} s ON s.site = b.site
"""
_NOTHING = "NULL AS canonical, NULL AS site, NULL AS site_name, NULL AS subsite, NULL AS method, NULL AS confidence"
_PAGE_NODES = """
    SELECT b.page_id, a.canonical AS url, coalesce(p.title, a.canonical) AS label, s.entry_url AS site, s.name,
           b.confidence
    FROM boundaries b JOIN aliases a ON a.url_id = b.page_id JOIN {sites} s ON s.site = b.site
    LEFT JOIN pages p ON p.url_id = b.page_id
    {where} ORDER BY a.canonical
"""
# Links are followed from page to target in two steps, the first of which is kept: told at once that the ends differ,
# DuckDB begins by pairing all pages with each other (seven gigabytes for ten thousand pages).
_CALLED = """
    WITH sited AS MATERIALIZED (
        SELECT a.url_id, b.page_id, b.site FROM aliases a JOIN boundaries b ON b.page_id = a.page_id
    ), called AS MATERIALIZED (
        SELECT s.{by}, l.target, count(*) AS links FROM links l JOIN sited s ON s.url_id = l.page {where} GROUP BY ALL
    )
    SELECT c.{by} AS source, t.{by} AS target, CAST(sum(c.links) AS BIGINT) AS weight
    FROM called c JOIN sited t ON t.url_id = c.target
    WHERE c.{by} <> t.{by} {and_where} GROUP BY 1, 2
"""
SITE_LINKS = _CALLED.format(by="site", where="", and_where="")  # two sites, how many links the one has to the other

_MAIN_MENUS = "SELECT site, label, url, level FROM main_menus ORDER BY site, ordinal"
_TREE = """
    SELECT t.site, t.page_id, t.parent, t.label, a.canonical AS url
    FROM tree t JOIN aliases a ON a.url_id = t.page_id {where}
    ORDER BY t.site, t.depth, t.parent, t.position, t.page_id
"""

_SITE = Column("site", "anyURI", "Address of the site's entry page", is_required=True)
_SITES_SHEET = Sheet(
    "sites",
    "logical website",
    (
        _SITE,
        Column("name", "string", "Name of the site"),
        Column("hosts", "string", "Hosts of its pages, the one with most pages first", is_list=True),
        Column("pages", "integer", "Number of pages"),
        Column("sections", "integer", "Number of sections"),
        Column("parent", "anyURI", "Site that it is part of"),
        Column("method", "string", "What decided"),
        Column("confidence", "double", "From 0 to 1"),
    ),
    ("site",),
)
_PAGES_SHEET = Sheet(
    "pages",
    "captured address that answered with HTML",
    (
        Column("url", "anyURI", "The address", is_required=True),
        Column("canonical", "anyURI", "Address of the page that it stands for"),
        Column("site", "anyURI", "Site that the page belongs to"),
        Column("subsite", "anyURI", "First page of the version, language, project or manual that it belongs to"),
        Column("subsite_nav", "string", "shared: the subsite carries the navigation of the site; own: it does not"),
        Column("title", "string", "Title of the page"),
        Column("status", "integer", "HTTP status"),
        Column("method", "string", "What decided"),
        Column("confidence", "double", "From 0 to 1: of the pages at 0.8 four in five are right"),
    ),
    ("url",),
    (("site", "sites", "site"),),
)
_MENUS_SHEET = Sheet(
    "menus",
    "menu",
    (
        Column("menu", "string", "Id of the menu", is_required=True),
        Column("site", "anyURI", "Site that most pages showing it belong to"),
        Column("role", "string", "main, local, footer, language, version, pager, breadcrumb, toc, organisation, other"),
        Column("pages", "integer", "Pages that show it"),
        Column("items", "integer", "Number of items"),
        Column("signature", "string", "DOM path under which it stands, * where pages differ"),
        Column("confidence", "double", "Of the role, from 0 to 1"),
    ),
    ("menu",),
    (("site", "sites", "site"),),
)
_ITEMS_SHEET = Sheet(
    "menu_items",
    "item of a menu",
    (
        Column("menu", "string", "Id of the menu", is_required=True),
        Column("ordinal", "integer", "Place in the menu, from 0", is_required=True),
        Column("level", "integer", "0 for the bar, 1 for its drop-downs, and so on"),
        Column("label", "string", "What it says"),
        Column("url", "anyURI", "Where it leads; empty for a heading"),
        Column("pages", "integer", "Pages that show it"),
    ),
    ("menu", "ordinal"),
    (("menu", "menus", "menu"),),
)
_TREE_SHEET = Sheet(
    "tree",
    "page in the hierarchy of its site",
    (
        Column("url", "anyURI", "Canonical address of the page", is_required=True),
        Column("site", "anyURI", "Site that it belongs to"),
        Column("parent", "anyURI", "Page above it; empty for the entry page"),
        Column("position", "integer", "Place among the children of that page, from 0"),
        Column("depth", "integer", "Steps from the entry page"),
        Column("label", "string", "What the page is called"),
    ),
    ("url",),
    (("site", "sites", "site"),),
)
_VALUES_SHEET = Sheet(
    "table_values",
    "data cell of a table",
    (
        Column("url", "anyURI", "Page that holds the table", is_required=True),
        Column("table", "integer", "Number of the table on the page", is_required=True),
        Column("record", "integer", "Number of the record in the table", is_required=True),
        Column("attribute", "integer", "Number of the attribute in the table", is_required=True),
        Column("record_header", "string", "Headers that name the record, outermost first"),
        Column("header", "string", "Headers that name the attribute, outermost first"),
        Column("value", "string", "Text of the cell"),
        Column("kind", "string", "empty, text, number, percent, currency, quantity, date, time"),
        Column("number", "double", "Of a number, percentage, amount or quantity"),
        Column("unit", "string", "As printed"),
        Column("date", "string", "ISO 8601, as far as the text tells"),
    ),
    ("url", "table", "record", "attribute"),
)
_MENU_ROWS = """
    WITH shown AS (
        SELECT m.menu, b.site, row_number() OVER (PARTITION BY m.menu ORDER BY count(*) DESC, b.site) AS rank
        FROM menu_pages m JOIN boundaries b ON b.page_id = m.page GROUP BY m.menu, b.site
    )
    SELECT m.menu, s.entry_url AS site, m.role, m.pages, m.items, m.signature, m.confidence
    FROM menus m JOIN shown h ON h.menu = m.menu AND h.rank = 1 JOIN sites s ON s.site = h.site {where}
    ORDER BY m.menu
"""
_ITEM_ROWS = """
    SELECT i.menu, i.ordinal, i.level, i.label, i.url, i.pages
    FROM menu_items i SEMI JOIN ({menus}) m ON m.menu = i.menu
    ORDER BY i.menu, i.ordinal
"""
_TREE_ROWS = """
    SELECT a.canonical AS url, s.entry_url AS site, p.canonical AS parent, t.position, t.depth, t.label
    FROM tree t JOIN aliases a ON a.url_id = t.page_id JOIN sites s ON s.site = t.site
    LEFT JOIN aliases p ON p.url_id = t.parent {where}
    ORDER BY t.site, t.depth, a.canonical
"""
_VALUE_ROWS = """
    SELECT p.url, v.index AS "table", v.record, v.attribute, array_to_string(v.record_path, ' / ') AS record_header,
           array_to_string(v.path, ' / ') AS header, v.value, v.kind, v.number, v.unit, v.date
    FROM table_values v JOIN pages p ON p.url_id = v.page
    JOIN aliases a ON a.url_id = v.page JOIN boundaries b ON b.page_id = a.page_id {where}
    ORDER BY p.url, v.index, v.record, v.attribute
"""
FILES_SHEET = Sheet(
    "sites",
    "file",
    (
        Column("file", "string", "File in this folder", is_required=True),
        Column("site", "anyURI", "Address of the site's entry page"),
        Column("name", "string", "Name of the site"),
        Column("pages", "integer", "Number of pages"),
    ),
    ("file",),
)


def stream(workspace: Workspace, sql: str) -> Iterator[dict[str, Any]]:
    """Yield the rows of a query without holding more than a batch of them."""
    with workspace.reader().connect() as connection:
        for batch in connection.sql(sql).to_arrow_reader(BATCH):
            yield from batch.to_pylist()


def sites(workspace: Workspace, chosen: Sequence[int]) -> list[dict[str, Any]]:
    """Return the sites, or the chosen ones, by id."""
    rows = workspace.query(f"SELECT * FROM {named_sites(workspace.tables)}").to_pylist()  # noqa: S608 - our own
    return sorted((row for row in rows if not chosen or row["site"] in chosen), key=lambda row: row["site"])


def site_urls(workspace: Workspace, chosen: Sequence[int]) -> Iterator[tuple[int, Iterator[tuple[str, Iterator[str]]]]]:
    """Yield sites by id, each with its origins, each with the canonical addresses there that may be indexed."""
    found = stream(workspace, _SITE_URLS.format(where=_among("AND b.site", chosen)))
    for site, its in groupby(found, key=itemgetter("site")):
        yield site, groupby(map(itemgetter("url"), its), key=origin)


def site_scopes(workspace: Workspace, chosen: Sequence[int]) -> Iterator[tuple[dict[str, Any], Scope]]:
    """Yield sites by id, each as a rule that crawlers understand."""
    sql = "SELECT a.canonical AS url, b.site FROM boundaries b JOIN aliases a ON a.url_id = b.page_id ORDER BY 1"
    table = workspace.query(sql)
    urls: list[str] = table["url"].to_pylist()
    owner = table["site"].to_numpy()
    hosts = np.unique([host(url) for url in urls], return_inverse=True)[1] if urls else np.zeros(0, np.int64)
    # Rules are prefixes of addresses: pages on hosts that a site does not use cannot matter to it.
    order = np.argsort(hosts, kind="stable")
    bounds = np.searchsorted(hosts[order], np.arange(hosts.max(initial=-1) + 2))
    for site in sites(workspace, chosen):
        inside = owner == site["site"]
        used = np.unique(hosts[inside])
        near = np.sort(np.concatenate([order[bounds[item] : bounds[item + 1]] for item in used]))
        some = [urls[number] for number in near.tolist()]
        yield site, scope_of(prefix_tree(some), some, np.flatnonzero(inside[near]))


def main_menus(workspace: Workspace) -> dict[int, list[dict[str, Any]]]:
    """Return the items of the main menu of each site that has one; none at all if menus were not mined."""
    if "main_menus" not in workspace.tables:
        return {}
    menus: dict[int, list[dict[str, Any]]] = {}
    for row in stream(workspace, _MAIN_MENUS):
        menus.setdefault(row["site"], []).append(row)
    return menus


def site_trails(
    workspace: Workspace, chosen: Sequence[int]
) -> Iterator[tuple[int, Iterator[tuple[str, str, list[tuple[str, str]]]]]]:
    """Yield sites by id, each with its pages: address, label, and the steps that lead to it from the entry page."""
    found = stream(workspace, _TREE.format(where=_among("WHERE t.site", chosen)))
    for site, its in groupby(found, key=itemgetter("site")):
        yield site, _trails(list(its))


def _trails(places: list[dict[str, Any]]) -> Iterator[tuple[str, str, list[tuple[str, str]]]]:
    by_id = {place["page_id"]: place for place in places}
    for place in places:
        steps: dict[int, tuple[str, str]] = {}
        above: dict[str, Any] | None = place
        while above is not None and above["page_id"] not in steps:
            steps[above["page_id"]] = (above["label"], above["url"])
            above = by_id.get(above["parent"])
        yield place["url"], place["label"], list(reversed(steps.values()))


def captures(workspace: Workspace, chosen: Sequence[int]) -> Iterator[dict[str, Any]]:
    """Yield one row a capture, with what was found out about the page it holds."""
    has_sites, has_subsites = "boundaries" in workspace.tables, "subsites" in workspace.tables
    yield from stream(
        workspace,
        _CAPTURES.format(
            ours=_OURS.format(subsite="u.canonical" if has_subsites else "NULL") if has_sites else _NOTHING,
            joins=(_OURS_JOINS.format(sites=named_sites(workspace.tables)) if has_sites else "")
            + (SUBSITE_JOINS if has_subsites else ""),
            where=_among("WHERE s.site", chosen),
        ),
    )


def graph(
    workspace: Workspace, level: str, chosen: Sequence[int]
) -> tuple[list[tuple[str, str]], Iterator[tuple[str, str, list[object]]], Iterator[tuple[str, str, int]]]:
    """Return the columns, nodes and edges of the link graph between pages, or between sites."""
    if level == "sites":
        columns = [("url", "string"), ("hosts", "string"), ("pages", "long"), ("confidence", "double")]
        nodes = (
            (
                file_id(row["site"]),
                row["name"] or row["entry_url"],
                [row["entry_url"], " ".join(row["hosts"]), row["pages"], row["confidence"]],
            )
            for row in sites(workspace, chosen)
        )
        edges = _edges(workspace, "site", chosen)
    else:
        columns = [("url", "string"), ("site", "string"), ("site_name", "string"), ("confidence", "double")]
        nodes = (
            (file_id(row["page_id"]), row["label"], [row["url"], row["site"], row["name"], row["confidence"]])
            for row in stream(
                workspace,
                _PAGE_NODES.format(sites=named_sites(workspace.tables), where=_among("WHERE b.site", chosen)),
            )
        )
        edges = _edges(workspace, "page_id", chosen)
    return columns, nodes, ((file_id(row["source"]), file_id(row["target"]), row["weight"]) for row in edges)


def _edges(workspace: Workspace, by: str, chosen: Sequence[int]) -> Iterator[dict[str, Any]]:
    where, and_where = _among("WHERE s.site", chosen), _among("AND t.site", chosen)
    return stream(workspace, f"{_CALLED.format(by=by, where=where, and_where=and_where)} ORDER BY 1, 2")


def sheets(workspace: Workspace, chosen: Sequence[int]) -> Iterator[tuple[Sheet, Iterator[dict[str, Any]]]]:
    """Yield the CSV files that the tables of a workspace allow, each with its rows."""
    wanted = {row["entry_url"] for row in sites(workspace, chosen)} if chosen else None
    yield _SITES_SHEET, (row for row in list_sites(workspace) if wanted is None or row["site"] in wanted)
    yield _PAGES_SHEET, (row for row in list_pages(workspace) if wanted is None or row["site"] in wanted)
    tables = set(workspace.tables)
    if {"menus", "menu_items", "menu_pages"} <= tables:
        menus = _MENU_ROWS.format(where=_among("WHERE h.site", chosen))
        items = _ITEM_ROWS.format(menus=menus)
        yield _MENUS_SHEET, ({**row, "menu": file_id(row["menu"])} for row in stream(workspace, menus))
        yield _ITEMS_SHEET, ({**row, "menu": file_id(row["menu"])} for row in stream(workspace, items))
    if "tree" in tables:
        yield _TREE_SHEET, stream(workspace, _TREE_ROWS.format(where=_among("WHERE t.site", chosen)))
    if "table_values" in tables:
        yield _VALUES_SHEET, stream(workspace, _VALUE_ROWS.format(where=_among("WHERE b.site", chosen)))


def ontology(workspace: Workspace, chosen: Sequence[int]) -> OntologyRows:
    """Return the ontology of a workspace, or what of it some sites speak of and show."""
    concepts = workspace.arrow("concepts").to_pylist()
    instances = workspace.arrow("instances").to_pylist()
    if chosen:
        concepts = [row for row in concepts if set(row["sites"]) & set(chosen)]
        sql = _SITE_PAGES.format(where=_among("b.site", chosen))
        theirs = {row["url_id"] for row in stream(workspace, sql)}
        instances = [row for row in instances if row["page"] in theirs]
    known = {row["concept"] for row in concepts}
    shown = {(row["page"], row["instance"]) for row in instances}
    pages = {row["page"] for row in instances}
    urls = workspace.arrow("pages", ["url_id", "url"]) if pages else None
    return OntologyRows(
        concepts=concepts,
        labels=[row for row in workspace.arrow("labels").to_pylist() if row["concept"] in known],
        is_a=[row for row in workspace.arrow("is_a").to_pylist() if {row["parent"], row["child"]} <= known],
        instances=instances,
        attributes=sorted(
            (row for row in workspace.arrow("attributes").to_pylist() if (row["page"], row["instance"]) in shown),
            key=lambda row: (row["page"], row["instance"], row["ordinal"]),
        ),
        page_urls={}
        if urls is None
        else {
            page: url
            for page, url in zip(urls["url_id"].to_pylist(), urls["url"].to_pylist(), strict=True)
            if page in pages
        },
    )


def _among(column: str, chosen: Sequence[int]) -> str:
    return f"{column} IN ({', '.join(str(int(site)) for site in chosen)}) " if chosen else ""
