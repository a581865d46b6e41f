"""CSV files with their CSVW description, read back by a CSVW reader and by pandas."""

import json
from pathlib import Path

import csvw
import pandas
import pytest

from sitestrata.export.csvw import Column, Sheet, metadata, write_csv
from support.workspaces import PAYLOADS

SITES = Sheet(
    "sites",
    "site",
    (
        Column("site", "anyURI", "Address", is_required=True),
        Column("name", "string", "Name"),
        Column("hosts", "string", "Hosts", is_list=True),
        Column("pages", "integer", "Pages"),
        Column("confidence", "double", "Confidence"),
        Column("is_home", "boolean", "Whether"),
    ),
    ("site",),
)
PAGES = Sheet(
    "pages",
    "page",
    (Column("url", "anyURI", "Address", is_required=True), Column("site", "anyURI", "Site")),
    ("url",),
    (("site", "sites", "site"),),
)
ROWS = [
    {
        "site": "http://a.example/",
        "name": "A",
        "hosts": ["a.example", "b.example"],
        "pages": 3,
        "confidence": 0.5,
        "is_home": True,
    },
    {"site": "http://b.example/", "name": None, "hosts": [], "pages": 0, "confidence": None, "is_home": False},
]


def written(folder: Path, sheet: Sheet, rows: list) -> None:
    with (folder / f"{sheet.name}.csv").open("wb") as file:
        assert len(rows) == write_csv(sheet, rows, file)


@pytest.fixture
def group(tmp_path: Path) -> Path:
    written(tmp_path, SITES, ROWS)
    written(tmp_path, PAGES, [{"url": "http://a.example/x", "site": "http://a.example/"}])
    path = tmp_path / "csv-metadata.json"
    path.write_text(metadata([SITES, PAGES]), "utf-8")
    return path


def test_a_csvw_reader_gets_typed_values_back(group: Path) -> None:
    tables = {str(table.url): table for table in csvw.TableGroup.from_file(group).tables}
    first, second = tables["sites.csv"].iterdicts()

    assert ("A", ["a.example", "b.example"], 3, 0.5, True) == tuple(
        first[name] for name in ("name", "hosts", "pages", "confidence", "is_home")
    )
    assert (None, [], 0, None, False) == tuple(
        second[name] for name in ("name", "hosts", "pages", "confidence", "is_home")
    )


def test_the_description_names_keys_that_hold(group: Path) -> None:
    found = csvw.TableGroup.from_file(group)

    found.check_referential_integrity()
    described = json.loads(group.read_text("utf-8"))
    assert [["site"], ["url"]] == [table["tableSchema"]["primaryKey"] for table in described["tables"]]


def test_texts_are_harmless_and_come_back_otherwise(tmp_path: Path) -> None:
    sheet = Sheet(
        "texts", "text", (Column("number", "integer", "Number"), Column("text", "string", "Text")), ("number",)
    )
    written(tmp_path, sheet, [{"number": number, "text": text} for number, text in enumerate(PAYLOADS)])
    frame = pandas.read_csv(tmp_path / "texts.csv", keep_default_na=False)

    assert len(PAYLOADS) == len(frame)
    for text, cell in zip(PAYLOADS, frame["text"], strict=True):
        assert not cell.startswith(("=", "+", "-", "@", "\t", "\r", "\n"))
        if text.isprintable() and not text.startswith(("=", "+", "-", "@", "＝")):
            assert text == cell


def test_addresses_cannot_hold_what_no_address_holds(tmp_path: Path) -> None:
    written(tmp_path, PAGES, [{"url": 'http://a.example/{"x"}', "site": None}])

    assert "http://a.example/%7B%22x%22%7D," == (tmp_path / "pages.csv").read_text().splitlines()[1]
