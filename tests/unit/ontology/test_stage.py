"""Domains put together: what several claim is of one, and no table of many rows crowds out another."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pyarrow as pa

from sitestrata.model import TABLES, Instance, table_from_records
from sitestrata.model.regions import PARTS, part_schema
from sitestrata.ontology import stage
from sitestrata.ontology.entries import DOMAINS, ENTRY_TABLES
from sitestrata.ontology.stage import ONTOLOGY_TABLES, OntologyStageOptions, join_ontologies
from sitestrata.urls import url_id

SMALL, LARGE = 1, 2  # domains; the small one is smaller by id, too
PAGE = "https://shop.test/things/"


class Memory:
    """Tables that are at hand."""

    def __init__(self, tables: Mapping[str, pa.Table]) -> None:
        self._tables = tables

    def read(self, name: str, columns: Sequence[str] | None = None) -> pa.Table:
        table = self._tables[name]
        return table.select(columns) if columns else table

    def batches(self, name: str, columns: Sequence[str] | None = None) -> Iterator[pa.RecordBatch]:
        yield from self.read(name, columns).to_batches()

    def query(self, sql: str) -> pa.Table:
        raise AssertionError(f"no query is asked here: {sql}")


def part(name: str, *rows: Mapping[str, Any]) -> pa.Table:
    return pa.Table.from_pylist([dict(row) for row in rows], schema=part_schema(name))


def concept(domain: int, number: int) -> dict[str, Any]:
    return {
        "region": domain,
        "concept": number,
        "domain": domain,
        "label": "things",
        "language": None,
        "support": 2,
        "sites": [],
        "urls": [PAGE],
        "is_frequent": True,
        "confidence": 0.9,
    }


def instance(domain: int, concept: int, number: int) -> dict[str, Any]:
    row = Instance(7, number, domain, concept, "A thing", "https://shop.test/a", "detail", None, 3, number, 0.7)
    return {"region": domain, **{name: getattr(row, name) for name in TABLES["instances"].schema.names}}


def attribute(domain: int, number: int, value: str) -> dict[str, Any]:
    empty = dict.fromkeys(("label", "number", "unit", "url"))
    where = {"page": 7, "instance": number, "ordinal": 0, "path": "", "node": 4, "kind": "text"}
    return {**empty, **where, "region": domain, "value": value}


def cell(index: int, record: int, value: str) -> dict[str, Any]:
    nothing: dict[str, Any] = dict.fromkeys(TABLES["table_values"].schema.names)
    where = {"page": url_id(PAGE), "index": index, "record": record, "attribute": 0, "record_path": [], "path": []}
    return {**nothing, **where, "value": value, "kind": "text"}


def joined(**parts: pa.Table) -> dict[str, list[dict[str, Any]]]:
    domains = [(LARGE, 10, "a"), (LARGE, 11, "b"), (LARGE, 12, "c"), (SMALL, 13, "d"), (SMALL, 14, "e")]
    tables = {PARTS + name: parts.get(name, part(name)) for name in ONTOLOGY_TABLES}
    tables[DOMAINS] = pa.table([list(column) for column in zip(*domains, strict=True)], ENTRY_TABLES[DOMAINS])
    tables["table_values"] = parts.get("table_values", table_from_records("table_values", ()))
    made = join_ontologies(Memory(tables), OntologyStageOptions())
    return {name: rows.to_pylist() for name, rows in made.items()}


def test_an_instance_that_two_domains_lead_to_is_of_the_larger_one() -> None:
    made = joined(
        concepts=part("concepts", concept(SMALL, 100), concept(LARGE, 200)),
        instances=part("instances", instance(SMALL, 100, 5), instance(LARGE, 200, 5), instance(SMALL, 100, 6)),
        attributes=part(
            "attributes", *(attribute(domain, 5, "red") for domain in (SMALL, LARGE)), attribute(SMALL, 6, "blue")
        ),
    )

    assert {5: LARGE, 6: SMALL} == {row["instance"]: row["domain"] for row in made["instances"]}
    assert [(5, "red"), (6, "blue")] == sorted((row["instance"], row["value"]) for row in made["attributes"])


def test_a_long_table_leaves_room_for_the_next(monkeypatch: Any) -> None:
    monkeypatch.setattr(stage, "MAX_TABLE_ROWS", 3)
    cells = [*(cell(0, record, f"long {record}") for record in range(9)), cell(1, 0, "short 0")]

    made = joined(
        concepts=part("concepts", concept(SMALL, 100)),
        table_values=pa.Table.from_pylist(cells, schema=TABLES["table_values"].schema),
    )

    assert ["long 0", "long 1", "long 2", "short 0"] == sorted(row["name"] for row in made["instances"])
