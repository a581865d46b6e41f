"""Gold of real pages, as the evaluation corpora write it.

- *menus*: site -> ``home`` or ``entry`` and ``menu`` or ``items`` as ``[label, url]``.
- *contents*: site -> ``entry`` and ``tree`` of ``[label, url, children]``.
- *home pages*: label trees, taxonomy and instances of one domain.
- *blocks*: marked blocks of a page by xpath (`sitestrata.evaluate.formats.blocks`).
- *records*: attribute values, printed label-value pairs, and tables of record pages.
- *tables*: table fragments, or tables of captured pages, with kind, orientation and header cells.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from sitestrata.evaluate.facts import AttributeFact, Facts, InstanceFact, SiteFact, TableFact, TreeFact
from sitestrata.evaluate.formats.sample import attributes_of, taxonomy_of
from sitestrata.evaluate.formats.tree import items_of, node_of_triple, nodes_of_objects

__all__ = ["KEYED_READERS", "READERS", "fragment_url"]

Rows = Sequence[Mapping[str, Any]]
Reader = Callable[[Path, Rows], Facts]

# What other data sets call our orientations.
ORIENTATIONS = {"header-row": "column", "header-column": "row", "both": "row-column"}
UNJUDGED_SIZE = 3  # records: "no gold inside" with at least 3 rows and 3 columns may be data all the same
UNJUDGED_KINDS = frozenset({"unlabelled"})
ALTERNATIVE = "&&&"  # records: joins label strings of which either is right
SECTION = " | "  # records: section headers stand before the label
TOPIC = "topic_entity_name"  # records: the subject of the page, not a label


def fragment_url(identity: str) -> str:
    """Return the address of a table fragment that has none; `bench/gold_pages.py` writes pages under it."""
    return f"https://tables.invalid/{identity}"


def _menus(path: Path, rows: Rows) -> Facts:
    return Facts(
        path.parent.name,
        sites=tuple(
            SiteFact(
                site=site,
                entry=content.get("entry") or content.get("home"),
                main_menu=items_of(content.get("items") or content.get("menu") or ()),
                kind=content.get("kind") or "",
            )
            for site, content in rows[0].items()
        ),
    )


def _contents(path: Path, rows: Rows) -> Facts:
    return Facts(
        path.parent.name,
        contents=tuple(
            TreeFact(content["entry"], tuple(node_of_triple(node) for node in content["tree"]))
            for content in rows[0].values()
        ),
    )


def _home_pages(path: Path, rows: Rows) -> Facts:
    content = rows[0]
    instances = tuple(
        InstanceFact(
            page=listing["page"],
            name=instance["name"],
            url=instance.get("url"),
            concept=listing.get("concept"),
            attributes=attributes_of(instance["attributes"]),
            is_certain=not listing.get("uncertain"),
        )
        for listing in content.get("instances", ())
        for instance in listing["instances"]
    )
    return Facts(
        f"{path.parent.name}",
        trees=tuple(TreeFact(home["url"], nodes_of_objects(home["tree"])) for home in content["homes"]),
        taxonomies=(taxonomy_of(content["domain"], content["taxonomy"]),),
        instances=instances,
    )


def _fragments(path: Path, rows: Rows) -> Facts:
    return Facts(
        path.parent.name,
        tables=tuple(
            TableFact(
                url=fragment_url(row["id"]),
                index=0,
                is_data=row["is_data"],
                orientations=_orientations(row),
                header_cells=tuple((r, c) for r, c in row["header_cells"]) if row["is_data"] else None,
            )
            for row in rows
        ),
    )


def _orientations(row: Mapping[str, Any]) -> tuple[str, ...]:
    if not row["is_data"]:
        return ()
    others = row.get("acceptable_orientations") or ()
    return tuple(dict.fromkeys([row["orientation"], *others]))


def _record_tables(path: Path, rows: Rows) -> Facts:
    judged = [
        row
        for row in rows
        if row["kind"] == "data" or row["kind"] == "contains-table" or min(row["n_rows"], row["n_cols"]) < UNJUDGED_SIZE
    ]
    return Facts(
        path.parent.name,
        tables=tuple(
            TableFact(
                url=row["url"],
                index=row["table_index"],
                is_data=row["kind"] == "data",
                orientations=(ORIENTATIONS[row["orientation"]],) if row["kind"] == "data" else (),
                kind=row["kind"],
            )
            for row in judged
        ),
    )


def _article_tables(path: Path, rows: Rows) -> Facts:
    url_of = _article_urls(path.with_name("pages.jsonl"))
    return Facts(
        path.parent.name,
        tables=tuple(
            TableFact(
                url=url_of.get(row["page"]) or str(row["page"]),
                index=row["table_index"],
                is_data=row["kind"] == "data",
                orientations=_article_orientation(row) if row["kind"] == "data" else (),
                kind=row["kind"],
            )
            for row in rows
            if row["kind"] not in UNJUDGED_KINDS
        ),
    )


def _article_orientation(row: Mapping[str, Any]) -> tuple[str, ...]:
    # The markup says where header cells lie, not how many levels they have: the form with several header lines is
    # right too. A table without header markup says nothing.
    said = ORIENTATIONS.get((row["header"] or {}).get("orientation") or "")
    return (said, f"multi-header-{said}") if said else ()


def _article_urls(path: Path) -> dict[str, str]:
    if not path.exists():
        return {}
    with path.open(encoding="utf-8") as file:
        return {row["page"]: row["url"] for row in map(json.loads, file)}


def _record_values(path: Path, rows: Rows) -> Facts:
    # Attribute names are the data set's own and not printed on the page: only values count, and others may be right.
    return Facts(
        path.parent.name,
        instances=tuple(
            InstanceFact(
                page=row["url"],
                name=None,
                attributes=tuple(AttributeFact(value) for values in row["attrs"].values() for value in values),
                is_complete=False,
            )
            for row in rows
        ),
    )


def _record_pairs(path: Path, rows: Rows) -> Facts:
    return Facts(
        f"{path.parent.name} pairs",
        instances=tuple(
            InstanceFact(
                page=row["url"],
                name=None,
                attributes=tuple(
                    AttributeFact(value, _printed_labels(key))
                    for key, values in row["predicates"].items()
                    if key != TOPIC
                    for value in values
                ),
                is_complete=False,
            )
            for row in rows
        ),
    )


def _printed_labels(key: str) -> tuple[str, ...]:
    label = key.rpartition(SECTION)[2]
    return tuple(part.strip() for part in label.split(ALTERNATIVE) if part.strip())


def _nothing(path: Path, rows: Rows) -> Facts:  # noqa: ARG001 - a reader's signature
    return Facts(path.parent.name)


READERS: tuple[tuple[frozenset[str], Reader], ...] = (
    (frozenset({"domain", "homes", "taxonomy"}), _home_pages),
    (frozenset({"id", "html", "is_data", "orientation", "header_cells"}), _fragments),
    (frozenset({"url", "table_index", "kind", "orientation", "n_rows", "n_cols"}), _record_tables),
    (frozenset({"page", "table_index", "kind", "header"}), _article_tables),
    (frozenset({"page", "url", "gold_grid_table_index"}), _nothing),
    (frozenset({"vertical", "url", "attrs"}), _record_values),
    (frozenset({"url", "predicates"}), _record_pairs),
)

# One object whose keys are names of sites.
KEYED_READERS: tuple[tuple[frozenset[str], Reader], ...] = (
    (frozenset({"menu"}), _menus),
    (frozenset({"items"}), _menus),
    (frozenset({"entry", "tree"}), _contents),
)
