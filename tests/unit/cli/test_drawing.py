"""Tables of a page on a terminal."""

import pytest

from sitestrata.cli.drawing import draw_table
from sitestrata.page import read_page
from sitestrata.partition.tables import find_tables
from sitestrata.run.table_listing import table_row


def drawn(html: str, capsys: pytest.CaptureFixture[str], *, width: int = 60) -> list[str]:
    (table,) = find_tables(read_page(f"<!doctype html><body>{html}".encode(), "https://example.org/"))
    draw_table(table_row(table, None), width=width)
    return [line.rstrip() for line in capsys.readouterr().out.splitlines()]


CITIES = "".join(f"<tr><td>Oslo {i}<td>{i},037<td>{i}54" for i in range(1, 31))


def test_headers_stand_over_their_columns(capsys: pytest.CaptureFixture[str]) -> None:
    lines = drawn(f"<table><caption>Cities</caption><tr><th>City<th>People<th>Area{CITIES}", capsys)

    assert "Table 0: Cities (column, 31 x 3)" == lines[0]
    assert ["City", "People", "Area"] == lines[1].split()
    assert lines[1].index("People") == lines[2].index("1,037")
    assert "... and 11 more rows" == lines[-2]


def test_title_is_not_repeated_and_sections_are_printed_once(capsys: pytest.CaptureFixture[str]) -> None:
    body = CITIES[:60] + "<tr><td colspan=3>North" + CITIES[60:]
    lines = drawn(f"<table><tr><th colspan=3>Report<tr><th>City<th>People<th>Area{body}", capsys)

    assert ["Table 0: Report (column, 33 x 3)"] == [line for line in lines if "Report" in line]
    assert 1 == sum(line.count("North") for line in lines)


def test_columns_that_do_not_fit_are_counted(capsys: pytest.CaptureFixture[str]) -> None:
    row = "<tr>" + "".join(f"<td>{i},000,000 {i}" for i in range(1, 13))
    lines = drawn("<table><tr>" + "".join(f"<th>Column {i}" for i in range(12)) + row * 3, capsys)

    assert "... and 8 more columns" == lines[-2]
    assert max(map(len, lines)) <= 60
