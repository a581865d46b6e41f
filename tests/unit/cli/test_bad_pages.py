"""Bad tables and pages through the command line: bounded, reported, and what comes out is JSON."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from sitestrata.cli import main

ROW = "<tr><td>a<td>1</tr>"

PAGES = {
    "rowspan of 65535": "<table><tr><td rowspan=65535>a<td>b<tr><td>c<td>d</table>",
    "colspan of nothing": "<table><tr><td colspan=0>a<td>b<tr><td>c<td>d</table>",
    "colspan of ten millions": "<table><tr><td colspan=10000000>a<td>b<tr><td>c<td>d</table>",
    "nested 200 deep": "<table><tr><td>" * 200 + "x",
    "no cells": "<table><tr></tr><tr></tr></table>",
    "cells outside rows": "<table><td>a<td>b</table><td>c",
    "one text": "only this",
    "nothing": "",
    "table of 3,000 rows": f"<table>{ROW * 3_000}</table>",
    "5,000 leaves": "<p>leaf" * 5_000,
}
LONG_PAGES = {
    "table of 100,000 rows": f"<table>{ROW * 100_000}</table>",
    "500,000 leaves": "<p>leaf" * 500_000,
}


@pytest.mark.parametrize("command", ["tables", "partition"])
@pytest.mark.parametrize(
    "name", [*PAGES, *(pytest.param(name, marks=pytest.mark.slow) for name in LONG_PAGES)], ids=lambda name: name
)
def test_page_gives_json(command: str, name: str, tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    file.write_text((PAGES | LONG_PAGES)[name])

    result = CliRunner().invoke(main, [command, str(file), "--json"])

    assert (0, None) == (result.exit_code, result.exception)
    found = json.loads(result.stdout)
    if command == "partition":
        assert "root" == found["kind"]
    else:
        assert all(table["grid"] is not None for table in found)


@pytest.mark.parametrize(
    ("rows", "size"),
    [
        (("<tr>" + "<td colspan=1000>1" * 3 + "<td>1") * 1_400, "1,400 rows and 3,001 columns"),
        ("<tr><td colspan=10000000 rowspan=65535>1" + ROW * 1_999, "2,000 rows and 2 columns"),
    ],
    ids=["of many slots", "with spans beyond the limit"],
)
def test_table_that_is_not_looked_into_is_reported(rows: str, size: str, tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    file.write_text(f"<table>{rows}</table>")

    result = CliRunner().invoke(main, ["tables", str(file), "--json"])

    assert 0 == result.exit_code
    assert f"Table 0 has {size}; it was not looked into." in result.stderr


def test_paper_profile_refuses_a_page_with_too_many_leaves(tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    file.write_text(PAGES["5,000 leaves"])

    result = CliRunner().invoke(main, ["partition", str(file), "--profile", "paper"])

    assert 1 == result.exit_code
    assert "at most 400" in result.stderr
    assert "" == result.stdout


@pytest.mark.parametrize("name", [*PAGES, *(pytest.param(name, marks=pytest.mark.slow) for name in LONG_PAGES)])
def test_pairs_of_any_page_are_a_list(name: str, tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    file.write_text((PAGES | LONG_PAGES)[name])

    result = CliRunner().invoke(main, ["partition", str(file), "--pairs"])

    assert (0, None) == (result.exit_code, result.exception)
    assert all(pair.keys() == {"label", "value", "subject", "sections"} for pair in json.loads(result.stdout))


def test_pairs_have_no_xml(tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    file.write_text("<p>Size: <b>3</b>")

    result = CliRunner().invoke(main, ["partition", str(file), "--pairs", "--xml"])

    assert 2 == result.exit_code
    assert "--xml" in result.stderr
