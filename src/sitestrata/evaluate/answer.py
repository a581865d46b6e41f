"""The tables of a workspace -> the facts that it answers with.

What a workspace does not have it does not answer; as stages are added to the plan, their tables are read here.
"""

from collections.abc import Collection, Iterable

import pyarrow as pa
import pyarrow.compute as pc

from sitestrata.evaluate.facts import (
    AttributeFact,
    CompoundFact,
    ConceptFact,
    CutFact,
    Facts,
    InstanceFact,
    IsAFact,
    ItemFact,
    MenuFact,
    SiteFact,
    TableFact,
    TaxonomyFact,
)
from sitestrata.evaluate.formats.tree import trail_of
from sitestrata.model import TableReader
from sitestrata.page import PageFacts
from sitestrata.partition.blocks import find_blocks

__all__ = ["answer_of_tables", "cuts_of_pages"]


def answer_of_tables(reader: TableReader, tables: Collection[str], *, name: str) -> Facts:
    """Return what a workspace says: its pages with canonical address and site, its sites, and further addresses."""
    if "pages" not in tables:
        return Facts(name)
    aliases: dict[str, str] = {}
    pages = _pages(reader)
    if "aliases" in tables:
        known = reader.read("aliases", ["url_id", "url", "page_id", "canonical"])
        pages = pages.join(known.select(["url_id", "page_id", "canonical"]), "url_id", join_type="left outer")
        others = known.filter(pc.not_equal(known["url"], known["canonical"]))
        aliases = dict(zip(others["url"].to_pylist(), others["canonical"].to_pylist(), strict=True))
    else:
        pages = pages.append_column("page_id", pages["url_id"])
    if "boundaries" in tables:
        parts = reader.read("boundaries", ["page_id", "site", "confidence"])
        parts = parts.set_column(1, "site", parts["site"].cast(pa.string()))
        pages = pages.join(parts, "page_id", join_type="left outer")
    if "tree" in tables and "aliases" in tables:
        pages = pages.join(_parents(reader, known), "page_id", join_type="left outer")
    if "subsites" in tables:
        pages = pages.join(_subsites(reader), "page_id", join_type="left outer")
    return Facts(
        name,
        pages=pages.drop_columns(["url_id", "page_id"]).sort_by("url"),
        aliases=aliases,
        sites=_sites(reader, tables) if "sites" in tables else (),
        menus=_menus(reader) if "menus" in tables else (),
        compounds=_compounds(reader) if {"tree", "aliases"} <= set(tables) else (),
        tables=_tables(reader) if "data_tables" in tables else (),
        taxonomies=_taxonomies(reader) if "concepts" in tables else (),
        instances=_instances(reader) if "instances" in tables else (),
    )


def cuts_of_pages(pages: Iterable[tuple[str, PageFacts | None]]) -> tuple[CutFact, ...]:
    """Return where pages, which were read again, are cut into blocks; a page that is not there has no answer."""
    return tuple(
        CutFact(
            url,
            tuple(facts.leaf_text(leaf) for leaf in range(len(facts.leaves))),
            tuple(block.first for block in find_blocks(facts))[1:],
        )
        for url, facts in pages
        if facts is not None
    )


def _taxonomies(reader: TableReader) -> tuple[TaxonomyFact, ...]:
    labels: dict[int, list[str]] = {}
    for row in reader.read("labels", ["concept", "label"]).sort_by("label").to_pylist():
        labels.setdefault(row["concept"], []).append(row["label"])
    concepts = reader.read("concepts", ["concept", "domain", "label"]).sort_by("concept").to_pylist()
    pairs = reader.read("is_a", ["parent", "child", "domain", "is_facet"]).to_pylist()
    return tuple(
        TaxonomyFact(
            str(domain),
            tuple(
                ConceptFact(str(row["concept"]), tuple(labels.get(row["concept"]) or [row["label"]]))
                for row in concepts
                if row["domain"] == domain
            ),
            tuple(
                IsAFact(str(row["parent"]), str(row["child"]), is_facet=row["is_facet"])
                for row in pairs
                if row["domain"] == domain
            ),
        )
        for domain in sorted({row["domain"] for row in concepts})
    )


def _instances(reader: TableReader) -> tuple[InstanceFact, ...]:
    urls = reader.read("pages", ["url_id", "url"])
    address = dict(zip(urls["url_id"].to_pylist(), urls["url"].to_pylist(), strict=True))
    values: dict[tuple[int, int], list[AttributeFact]] = {}
    for row in reader.read("attributes", ["page", "instance", "label", "value"]).to_pylist():
        found = AttributeFact(row["value"], (row["label"],) if row["label"] else ())
        values.setdefault((row["page"], row["instance"]), []).append(found)
    rows = reader.read("instances", ["page", "instance", "concept", "name", "url"]).to_pylist()
    return tuple(
        InstanceFact(
            page=address.get(row["page"], ""),
            name=row["name"],
            url=row["url"],
            concept=None if row["concept"] is None else str(row["concept"]),
            attributes=tuple(values.get((row["page"], row["instance"]), ())),
        )
        for row in rows
    )


def _compounds(reader: TableReader) -> tuple[CompoundFact, ...]:
    rows = reader.query(
        "SELECT t.document, u.canonical FROM tree t JOIN aliases u ON u.url_id = t.page_id"
        " WHERE t.document IS NOT NULL ORDER BY 1, 2"
    )
    parts: dict[int, list[str]] = {}
    for first, url in zip(rows["document"].to_pylist(), rows["canonical"].to_pylist(), strict=True):
        parts.setdefault(first, []).append(url)
    return tuple(CompoundFact(tuple(pages)) for pages in parts.values())


def _parents(reader: TableReader, aliases: pa.Table) -> pa.Table:
    """Return the address of the page above each page."""
    places = reader.read("tree", ["page_id", "parent"])
    above = aliases.filter(pc.equal(aliases["url_id"], aliases["page_id"])).select(["page_id", "canonical"])
    return (
        places.filter(pc.is_valid(places["parent"]))
        .join(above.rename_columns(["parent", "above"]), "parent", join_type="inner")
        .select(["page_id", "above"])
        .rename_columns(["page_id", "parent"])
    )


def _subsites(reader: TableReader) -> pa.Table:
    """Return the subsite of each page, and its site by the strict reading: a subsite that replaces the menu is one."""
    return reader.query(
        "SELECT t.page_id, CAST(t.subsite AS VARCHAR) AS subsite, "
        "CAST(CASE WHEN s.navigation = 'own' THEN s.subsite ELSE t.site END AS VARCHAR) AS own_site "
        "FROM tree t LEFT JOIN subsites s ON s.subsite = t.subsite ORDER BY 1"
    )


def _pages(reader: TableReader) -> pa.Table:
    pages = reader.read("pages", ["url_id", "url", "title", "breadcrumb"])
    trail = pa.array([trail_of(crumbs or []) for crumbs in pages["breadcrumb"].to_pylist()], pa.string())
    return pages.drop_columns(["breadcrumb"]).append_column("trail", trail)


def _sites(reader: TableReader, tables: Collection[str]) -> tuple[SiteFact, ...]:
    rows = reader.read("sites", ["site", "entry_url", "name"]).sort_by("site").to_pylist()
    items = _items(reader, "main_menus", "site") if "main_menus" in tables else {}
    return tuple(
        SiteFact(str(row["site"]), row["entry_url"], tuple(items.get(row["site"], ())), name=row["name"])
        for row in rows
    )


def _items(reader: TableReader, table: str, owner: str) -> dict[int, list[ItemFact]]:
    items: dict[int, list[ItemFact]] = {}
    rows = reader.read(table, [owner, "ordinal", "label", "url"])
    for item in rows.sort_by([(owner, "ascending"), ("ordinal", "ascending")]).to_pylist():
        items.setdefault(item[owner], []).append(ItemFact(item["label"], item["url"]))
    return items


# Menus that few pages show may be what gold calls one menu that varies: what each page shows is told of these too.
_MAX_SHOWN = 5_000


def _menus(reader: TableReader) -> tuple[MenuFact, ...]:
    rows = reader.read("menus", ["menu", "role", "kind"]).sort_by("menu").to_pylist()
    items = _items(reader, "menu_items", "menu")
    shown: dict[int, list[tuple[str, str]]] = {}
    for row in reader.query(
        "SELECT m.menu, p.canonical AS page, t.canonical AS target FROM (SELECT menu, page, capture, unnest(links) AS "
        "ordinal FROM menu_pages) AS m JOIN links l ON l.page = m.capture AND l.ordinal = m.ordinal "
        "JOIN aliases p ON p.url_id = m.capture JOIN aliases t ON t.url_id = l.target "
        "ORDER BY m.menu, page, m.ordinal"
    ).to_pylist():
        pairs = shown.setdefault(row["menu"], [])
        if len(pairs) < _MAX_SHOWN:
            pairs.append((row["page"], row["target"]))
    return tuple(
        MenuFact(
            str(row["menu"]),
            None,
            row["role"],
            () if row["kind"] == "shape" else tuple(items.get(row["menu"], ())),
            tuple(shown.get(row["menu"], ())),
        )
        for row in rows
    )


def _tables(reader: TableReader) -> tuple[TableFact, ...]:
    pages = reader.read("pages", ["url_id", "url"])
    url_of = dict(zip(pages["url_id"].to_pylist(), pages["url"].to_pylist(), strict=True))
    columns = ["page", "index", "source", "is_data", "orientation", "header_cells"]
    rows = reader.read("data_tables", columns).sort_by([("page", "ascending"), ("index", "ascending")]).to_pylist()
    return tuple(
        TableFact(
            url_of[row["page"]],
            row["index"],
            row["is_data"],
            (row["orientation"],),
            tuple((r, c) for r, c in row["header_cells"]),
        )
        for row in rows
        if row["source"] == "table"
    )
