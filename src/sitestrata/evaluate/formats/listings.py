"""What our own commands print as JSON -> facts: so that any listing can be scored, ours or another tool's in that form.

Also the judged pairs that ``sitestrata eval --judge`` keeps.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from sitestrata.evaluate.facts import (
    ConceptFact,
    CutFact,
    Facts,
    InstanceFact,
    IsAFact,
    MenuFact,
    PageSetFact,
    PairFact,
    SiteFact,
    TableFact,
    TaxonomyFact,
    TreeFact,
)
from sitestrata.evaluate.formats.sample import attributes_of
from sitestrata.evaluate.formats.tabular import page_table
from sitestrata.evaluate.formats.tree import items_of, node_of_object, nodes_of_objects, parent_in_breadcrumb, trail_of

__all__ = ["READERS"]

Rows = Sequence[Mapping[str, Any]]


def _pages(path: Path, rows: Rows) -> Facts:
    columns: dict[str, list[Any]] = {
        name: [row.get(name) for row in rows]
        for name in ("url", "canonical", "site", "subsite", "title", "confidence")
        if any(name in row for row in rows)
    }
    if any("breadcrumb" in row for row in rows):
        columns["parent"] = [parent_in_breadcrumb(row.get("breadcrumb") or []) for row in rows]
        columns["trail"] = [trail_of(row.get("breadcrumb") or []) for row in rows]
    return Facts(path.stem, pages=page_table(pa.table(columns)))


def _sites(path: Path, rows: Rows) -> Facts:
    return Facts(
        path.stem,
        sites=tuple(
            SiteFact(
                row["site"], row.get("entry_url"), items_of(row.get("main_menu") or ()), name=row.get("name") or ""
            )
            for row in rows
        ),
    )


def _menus(path: Path, rows: Rows) -> Facts:
    return Facts(
        path.stem,
        menus=tuple(
            MenuFact(row["menu"], row.get("site"), row.get("role") or "", items_of(row["items"])) for row in rows
        ),
    )


def _tables(path: Path, rows: Rows) -> Facts:
    return Facts(
        path.stem,
        tables=tuple(
            TableFact(
                url=row["url"],
                index=row["index"],
                is_data=row["is_data"],
                orientations=(row.get("orientation") or "none",),
                header_cells=tuple((r, c) for r, c in row.get("header_cells") or ()),
            )
            for row in rows
        ),
    )


def _trees(path: Path, rows: Rows) -> Facts:
    # `partition` says of what kind each node is, `tree` does not; the root stands for the page or the site's entry.
    trees = tuple(TreeFact(row.get("url") or "", nodes_of_objects(row["children"])) for row in rows if "kind" in row)
    contents = tuple(TreeFact(row.get("url") or "", node_of_object(row).children) for row in rows if "kind" not in row)
    return Facts(path.stem, trees=trees, contents=contents)


def _ontology(path: Path, rows: Rows) -> Facts:
    taxonomies = tuple(
        TaxonomyFact(
            path.stem,
            tuple(ConceptFact(str(c["id"]), tuple(c.get("labels") or [c["label"]])) for c in row["concepts"]),
            tuple(IsAFact(str(pair["parent"]), str(pair["child"])) for pair in row["is_a"]),
        )
        for row in rows
    )
    instances = tuple(
        InstanceFact(
            page=instance["page"],
            name=instance.get("name"),
            url=instance.get("url"),
            concept=str(instance["concept"]) if instance.get("concept") is not None else None,
            attributes=attributes_of(instance.get("attributes") or ()),
        )
        for row in rows
        for instance in row.get("instances", ())
    )
    return Facts(path.stem, taxonomies=taxonomies, instances=instances)


def _page_sets(path: Path, rows: Rows) -> Facts:
    return Facts(
        path.stem,
        page_sets=tuple(
            PageSetFact(
                tuple(row["seeds"]),
                tuple(row["chosen"]["pages"]),
                tuple(tuple(other["pages"]) for other in row.get("alternatives") or ()),
            )
            for row in rows
        ),
    )


def _cuts(path: Path, rows: Rows) -> Facts:
    return Facts(path.stem, cuts=tuple(CutFact(row["url"], tuple(row["leaves"]), tuple(row["cuts"])) for row in rows))


def _pairs(path: Path, rows: Rows) -> Facts:
    return Facts(
        path.stem,
        pairs=tuple(PairFact(row["first"], row["second"], row["same"]) for row in rows),
    )


READERS: tuple[tuple[frozenset[str], Callable[[Path, Rows], Facts]], ...] = (
    (frozenset({"url", "site"}), _pages),
    (frozenset({"url", "canonical"}), _pages),
    (frozenset({"site", "main_menu"}), _sites),
    (frozenset({"menu", "items"}), _menus),
    (frozenset({"url", "index", "is_data"}), _tables),
    (frozenset({"label", "children"}), _trees),
    (frozenset({"concepts", "is_a"}), _ontology),
    (frozenset({"seeds", "chosen"}), _page_sets),
    (frozenset({"url", "leaves", "cuts"}), _cuts),
    (frozenset({"first", "second", "same"}), _pairs),
)
