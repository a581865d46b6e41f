"""Domains that were mined each by itself make one ontology, in which every record is once."""

from collections.abc import Iterator, Sequence
from typing import Any

import pyarrow as pa

from sitestrata.model import TABLES, Attribute, Concept, Decision, Instance, TableValue, table_from_records
from sitestrata.model.regions import PARTS, part_schema
from sitestrata.ontology.entries import DOMAINS, ENTRY_TABLES
from sitestrata.ontology.joining import MAX_TABLE_ROWS, join_ontologies
from sitestrata.ontology.stage import OntologyStageOptions
from sitestrata.urls import url_id

PAGE = "http://one.example/news"
SMALL, LARGE = 1, 2  # domains


class Tables:
    """What two domains have made; rows are handed out in small batches."""

    def __init__(self, **tables: pa.Table) -> None:
        self.tables = tables

    def read(self, name: str, columns: Sequence[str] | None = None) -> pa.Table:
        if name in self.tables:
            found = self.tables[name]
        else:
            found = (
                part_schema(name.removeprefix(PARTS)) if name.startswith(PARTS) else TABLES[name].schema
            ).empty_table()
        return found.select(columns) if columns else found

    def batches(self, name: str, columns: Sequence[str] | None = None) -> Iterator[pa.RecordBatch]:
        yield from self.read(name, columns).to_batches(3)

    def query(self, sql: str) -> pa.Table:
        raise AssertionError(f"no query is asked here: {sql}")


def parts(name: str, by_domain: dict[int, Sequence[Any]]) -> pa.Table:
    rows = [table_from_records(name, list(records)) for records in by_domain.values()]
    numbers = [domain for domain, records in by_domain.items() for _ in records]
    return pa.concat_tables(rows).add_column(0, part_schema(name).field("region"), pa.array(numbers, pa.int64()))


def instance(number: int, domain: int, name: str, url: str | None = None) -> Instance:
    return Instance(url_id(PAGE), number, domain, 10 * domain, name, url, "listing", None, 3, number, 0.7)


def attribute(number: int, value: str) -> Attribute:
    return Attribute(url_id(PAGE), number, 0, None, value, "text", None, None, None, "html/body", 3)


def two_domains(**more: pa.Table) -> Tables:
    concepts = {one: [Concept(10 * one, one, f"News {one}", "en", 2, (), (PAGE,), True, 0.9)] for one in (SMALL, LARGE)}
    sites = {"group": [SMALL, SMALL, LARGE, LARGE, LARGE], "page": [1, 2, 3, 4, 5], "owner": list("abcde")}
    return Tables(
        **{
            DOMAINS: pa.table(sites, ENTRY_TABLES[DOMAINS]),
            PARTS + "concepts": parts("concepts", concepts),
            PARTS + "instances": parts(
                "instances",
                {
                    SMALL: [instance(7, SMALL, "Fire"), instance(5, SMALL, "Flood", "http://one.example/flood")],
                    LARGE: [instance(7, LARGE, "Fire"), instance(-9, LARGE, "Flood!", "http://one.example/flood")],
                },
            ),
            PARTS + "attributes": parts(
                "attributes",
                {SMALL: [attribute(7, "small"), attribute(5, "both")], LARGE: [attribute(7, "large")]},
            ),
            **more,
        }
    )


def joined(tables: Tables, *decisions: Decision) -> dict[str, list[dict[str, Any]]]:
    made = join_ontologies(tables, OntologyStageOptions(concept_decisions=decisions))
    return {
        name: (rows if isinstance(rows, pa.Table) else pa.Table.from_batches(rows, TABLES[name].schema)).to_pylist()
        for name, rows in made.items()
    }


def test_a_record_that_two_domains_have_found_is_that_of_the_larger() -> None:
    made = joined(two_domains())

    assert [(5, SMALL), (7, LARGE), (-9, LARGE)] == [(row["instance"], row["domain"]) for row in made["instances"]]
    assert [(5, "both"), (7, "large")] == [(row["instance"], row["value"]) for row in made["attributes"]]


def test_instances_of_two_domains_with_one_address_are_one_thing() -> None:
    made = joined(two_domains())

    assert {5: -9, 7: 7, -9: -9} == {row["instance"]: row["same_as"] for row in made["instances"]}


def test_rows_of_data_tables_on_pages_of_concepts_are_records_of_the_larger_domain() -> None:
    cells = [
        TableValue(url_id(page), 0, record, column, (), ("Name",), f"{record} {column}", "text", None, None, None)
        for page in (PAGE, "http://one.example/other")
        for column in (1, 0)
        for record in (1, 0)
    ]

    made = joined(two_domains(table_values=table_from_records("table_values", cells)))

    found = [row for row in made["instances"] if row["kind"] == "table"]
    assert [("0 0", LARGE, 10 * LARGE), ("1 0", LARGE, 10 * LARGE)] == [
        (row["name"], row["domain"], row["concept"]) for row in found
    ]
    of = {row["instance"] for row in found}
    assert ["0 0", "0 1", "1 0", "1 1"] == [row["value"] for row in made["attributes"] if row["instance"] in of]


def test_a_long_data_table_is_cut_and_does_not_take_the_place_of_others() -> None:
    def cell(index: int, record: int) -> TableValue:
        return TableValue(url_id(PAGE), index, record, 0, (), (), f"{index} {record}", "text", None, None, None)

    cells = [*(cell(0, record) for record in range(MAX_TABLE_ROWS + 1)), cell(1, 0)]

    made = joined(two_domains(table_values=table_from_records("table_values", cells)))

    assert MAX_TABLE_ROWS + 1 == sum(row["kind"] == "table" for row in made["instances"])
    assert "1 0" in {row["name"] for row in made["instances"]}


def test_instances_of_a_rejected_concept_stay_without_one() -> None:
    made = joined(two_domains(), Decision("reject-concept", "News 2"))

    assert {5: 10 * SMALL, 7: None, -9: None} == {row["instance"]: row["concept"] for row in made["instances"]}
