"""The truth of the sample web (docs/sample-web.md); its ``truth.tsv`` and ``aliases.tsv`` are read as tables."""

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from sitestrata.evaluate.facts import (
    AttributeFact,
    CompoundFact,
    ConceptFact,
    Facts,
    InstanceFact,
    IsAFact,
    ItemFact,
    MenuFact,
    SiteFact,
    TableFact,
    TaxonomyFact,
    TreeFact,
)
from sitestrata.evaluate.formats.tree import items_of, nodes_of_objects

__all__ = ["READERS", "attributes_of", "taxonomy_of"]

Rows = Sequence[Mapping[str, Any]]


def _sites(path: Path, rows: Rows) -> Facts:
    menus = _items_by_menu(path.with_name("menus.jsonl"))
    # Of contents on the front page only the outermost level counts, as in gold of real manuals.
    outermost = _items_by_menu(path.with_name("menus.jsonl"), deepest=0)
    return Facts(
        path.parent.name,
        sites=tuple(
            SiteFact(
                site=row["site"],
                entry=row["entry"],
                main_menu=(outermost if row.get("menu_kind") == "index-only" else menus).get(
                    row["main_menu"] or "", ()
                ),
                kind=row.get("menu_kind") or "",
                name=row.get("name") or "",
            )
            for row in rows
        ),
    )


def _items_by_menu(path: Path, deepest: int | None = None) -> dict[str, tuple[ItemFact, ...]]:
    if not path.exists():
        return {}
    with path.open(encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    return {
        row["menu"]: items_of([item for item in row["items"] if deepest is None or item["level"] <= deepest])
        for row in rows
    }


def _menus(path: Path, rows: Rows) -> Facts:
    varying = _varying_items(path.with_name("page_menus.jsonl"), {row["menu"] for row in rows if row["varies"]})
    return Facts(
        path.parent.name,
        menus=tuple(
            MenuFact(row["menu"], row.get("site"), row["role"], items_of(row["items"]), varying.get(row["menu"], ()))
            for row in rows
            if row["items"] or row["menu"] in varying
        ),
    )


def _varying_items(path: Path, menus: set[str]) -> dict[str, tuple[tuple[str, str], ...]]:
    """Return what pages show of menus that vary; the item of the page at hand may be no link, so it does not count."""
    found: dict[str, list[tuple[str, str]]] = {}
    if not menus or not path.exists():
        return {}
    with path.open(encoding="utf-8") as file:
        for row in map(json.loads, file):
            for menu in row["varying"]:
                shown = [(row["url"], url) for _, url in menu["items"] if url and url != row["url"]]
                found.setdefault(menu["menu"], []).extend(shown)
    return {menu: tuple(shown) for menu, shown in found.items() if shown and menu in menus}


def _homes(path: Path, rows: Rows) -> Facts:
    return Facts(path.parent.name, trees=tuple(TreeFact(row["url"], nodes_of_objects(row["tree"])) for row in rows))


def _ontology(path: Path, rows: Rows) -> Facts:
    return Facts(path.parent.name, taxonomies=tuple(taxonomy_of(row["domain"], row["taxonomy"]) for row in rows))


def _instances(path: Path, rows: Rows) -> Facts:
    return Facts(
        path.parent.name,
        instances=tuple(
            InstanceFact(
                page=row["page"],
                name=instance["name"],
                url=instance.get("url"),
                concept=row.get("concept"),
                attributes=attributes_of(instance["attributes"]),
            )
            for row in rows
            for instance in row["instances"]
        ),
    )


def _tables(path: Path, rows: Rows) -> Facts:
    return Facts(
        path.parent.name,
        tables=tuple(
            TableFact(
                url=row["url"],
                index=row["table_index"],
                is_data=row["is_data"],
                orientations=(row["orientation"], *row.get("acceptable_orientations", ())) if row["is_data"] else (),
                header_cells=tuple((r, c) for r, c in row["header_cells"]) if row["is_data"] else None,
            )
            for row in rows
        ),
    )


def _compounds(path: Path, rows: Rows) -> Facts:
    return Facts(path.parent.name, compounds=tuple(CompoundFact(tuple(row["pages"])) for row in rows))


def _nothing(path: Path, rows: Rows) -> Facts:  # noqa: ARG001 - a reader's signature
    return Facts(path.parent.name)


def taxonomy_of(domain: str, content: Mapping[str, Any]) -> TaxonomyFact:
    """Read ``{concepts: [{concept, labels}], is_a: [{parent, child, observed_on, facet?}]}``."""
    return TaxonomyFact(
        domain,
        tuple(ConceptFact(row["concept"], tuple(row["labels"]), row.get("alike")) for row in content["concepts"]),
        tuple(
            IsAFact(
                row["parent"],
                row["child"],
                is_observed=bool(row.get("observed_on", True)),
                is_facet=bool(row.get("facet")),
            )
            for row in content["is_a"]
        ),
        len({site for row in content["concepts"] for site in row.get("sites", ())}) or None,
    )


def attributes_of(rows: Rows) -> tuple[AttributeFact, ...]:
    """Read ``[{label, value, label_shown?}]``; a label that the page does not print is not judged."""
    return tuple(
        AttributeFact(str(row["value"]), (row["label"],) if row.get("label") and row.get("label_shown", True) else ())
        for row in rows
    )


READERS: tuple[tuple[frozenset[str], Callable[[Path, Rows], Facts]], ...] = (
    (frozenset({"site", "entry", "main_menu", "menu_kind"}), _sites),
    (frozenset({"menu", "role", "varies", "items"}), _menus),
    (frozenset({"url", "menus", "varying"}), _nothing),
    (frozenset({"site", "url", "page_type", "tree"}), _homes),
    (frozenset({"domain", "taxonomy"}), _ontology),
    (frozenset({"page", "concept", "instances"}), _instances),
    (frozenset({"url", "table_index", "is_data", "orientation", "header_cells"}), _tables),
    (frozenset({"site", "root", "pages"}), _compounds),
)
