"""Records and table schemas say the same thing."""

from dataclasses import fields

import pytest

from sitestrata import model

RECORDS = {
    "captures": model.Capture,
    "pages": model.Page,
    "links": model.Link,
    "segments": model.LinkSegment,
    "data_tables": model.DataTable,
    "table_values": model.TableValue,
    "aliases": model.Alias,
    "menus": model.Menu,
    "menu_items": model.MenuItem,
    "menu_pages": model.MenuPage,
    "main_menus": model.MainMenuItem,
    "boundaries": model.Boundary,
    "sites": model.Site,
    "regions": model.RegionPage,
    "site_addresses": model.SiteAddress,
    "tree": model.PagePlace,
    "subsites": model.Subsite,
    "profiles": model.SiteProfile,
    "objectives": model.Objective,
    "concepts": model.Concept,
    "labels": model.ConceptLabel,
    "is_a": model.IsA,
    "instances": model.Instance,
    "attributes": model.Attribute,
    "templates": model.TemplateSlot,
    "rejects": model.Reject,
    "wants": model.Want,
}


@pytest.mark.parametrize("name", sorted(RECORDS))
def test_columns_of_a_table_are_the_fields_of_its_record(name: str) -> None:
    expected = [field.name for field in fields(RECORDS[name])]

    assert expected == model.TABLES[name].schema.names


@pytest.mark.parametrize("name", sorted(model.TABLES))
def test_sort_key_is_made_of_columns(name: str) -> None:
    table = model.TABLES[name]

    assert set(table.key) <= set(table.schema.names)


def test_records_become_a_table() -> None:
    reject = model.Reject("a.warc.gz@17", "read", "truncated-record", "The record ends early.")

    table = model.table_from_records("rejects", [reject])

    assert [
        {
            "input": "a.warc.gz@17",
            "stage": "read",
            "reason": "truncated-record",
            "detail": "The record ends early.",
        }
    ] == table.to_pylist()
