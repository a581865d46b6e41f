"""Rows and columns of tables told apart: bold headers, pairs side by side, units, totals; what ARIA says of tables."""

import time

import pytest

from sitestrata.model import DataTable
from sitestrata.page import read_page
from sitestrata.partition.labels import label_forest
from sitestrata.partition.tables import find_tables, records_of, values_of


def table_of(html: str) -> DataTable:
    (table,) = find_tables(read_page(f"<!doctype html><body>{html}".encode(), "https://example.org/"))
    return table


def rows(*lines: str, cell: str = "td") -> str:
    return "".join("<tr>" + "".join(f"<{cell}>{text.strip()}" for text in line.split("|")) for line in lines)


WORDS = ("France | Paris | French", "Spain | Madrid | Spanish", "Norway | Oslo | Norwegian")


def test_bold_words_over_plain_words_are_headers() -> None:
    table = table_of("<table>" + rows("<b>Country</b> | <b>Capital</b> | <b>Language</b>", *WORDS))

    assert "column" == table.orientation
    assert {"Country": "France", "Capital": "Paris", "Language": "French"} == records_of(table)[0]


def test_bold_words_in_other_rows_too_tell_nothing() -> None:
    table = table_of(
        "<table>" + rows("<b>A</b> | <b>Mill</b> | <b>Lane</b>", "B | <b>Church</b> | Road", "C | Old | Way")
    )

    assert "header" not in table.row_roles


@pytest.mark.parametrize("label", ["<td>{}:", "<th>{}", "<td><b>{}</b>"], ids=["colon", "th", "bold"])
def test_pairs_side_by_side_are_one_record(label: str) -> None:
    lines = [("Name", "Ann", "Born", "1981"), ("Phone", "12 34", "City", "Oslo"), ("Fax", "56 78", "Code", "0150")]
    html = "".join(f"<tr>{label.format(a)}<td>{b}{label.format(c)}<td>{d}" for a, b, c, d in lines)
    table = table_of(f"<table>{html}")

    assert "row" == table.orientation
    assert {(row, column) for row in range(3) for column in (0, 2)} == set(table.header_cells)
    (record,) = records_of(table)
    assert ["Ann", "1981", "12 34", "Oslo", "56 78", "0150"] == list(record.values())
    assert "Born" == list(record)[1].strip(":")


def test_value_may_reach_over_the_next_pair() -> None:
    table = table_of(
        "<table><tr><th>Name<td>Ann<th>Born<td>1981<tr><th>Town<td>Oslo<th>Code<td>0150<tr><th>Notes<td colspan=3>None"
    )

    assert [{"Name": "Ann", "Born": "1981", "Town": "Oslo", "Code": "0150", "Notes": "None"}] == records_of(table)


@pytest.mark.parametrize("units", [" | (mm) | (g)", " | mm | kg", " | km/h | °C", " | % | EUR"])
def test_row_of_units_measures_the_numbers_below(units: str) -> None:
    table = table_of("<table>" + rows("Part | Length | Mass", cell="th") + rows(units, "Bolt | 20 | 3", "Nut | 8 | 1"))

    assert ("header", "unit", "data", "data") == table.row_roles
    measure = units.split("|")[1].strip(" ()")
    assert measure == next(value.unit for value in values_of(table) if value.path[0] == "Length")


def test_letters_below_headers_are_no_units() -> None:
    table = table_of(
        "<table>" + rows("Team | Home | Away", cell="th") + rows(" | W | L", "Lions | 5 | 3", "Bears | 6 | 2")
    )

    assert "unit" not in table.row_roles


def test_totals_of_totals_and_a_tfoot_are_totals() -> None:
    lines = ("Apple | 2 | 10", "Pear | 3 | 20", "Fruit | 5 | 30", "Leek | 4 | 5", "Kale | 6 | 7", "Greens | 10 | 12")
    head = rows("Item | Count | Cost", cell="th")
    table = table_of("<table>" + head + rows(*lines, "All | 15 | 42"))
    assert ("data", "data", "total", "data", "data", "total", "total") == table.row_roles[1:]

    foot = "<tfoot>" + rows("Mean | 2.5 | 15") + "</tfoot>"
    table = table_of(f"<table><thead>{head}</thead><tbody>{rows(*lines[:2])}</tbody>{foot}</table>")
    assert ("header", "data", "data", "total") == table.row_roles


def test_rows_that_are_counted_are_no_totals() -> None:
    lines = ("1. | Doha | Hard", "2. | Rome | Clay", "3. | Paris | Clay", "4. | London | Grass")
    assert "total" not in table_of("<table>" + rows("No. | Place | Ground", cell="th") + rows(*lines)).row_roles


def test_aria_columns_that_are_left_out_keep_their_places() -> None:
    def line(role: str, *cells: tuple[int, str]) -> str:
        inside = "".join(f"<i role={role} aria-colindex={index}>{text}</i>" for index, text in cells)
        return f"<div role=row>{inside}</div>"

    lines = [
        line("columnheader", (1, "Name"), (2, "Size")),
        line("cell", (1, "a.txt"), (2, "3 kB")),
        line("cell", (2, "9 kB")),
    ]
    table = table_of("<div role=table>" + "".join(lines) + "</div>")

    assert ("", "9 kB") == table.grid[2]


def test_absurd_aria_columns_are_not_heeded() -> None:
    table = table_of(
        "<div role=table><div role=row><i role=cell aria-colindex=99999999>a</i><i role=cell>b</i></div>"
        "<div role=row><i role=cell>1</i><i role=cell aria-colindex=x>2</i></div></div>"
    )

    assert 2 == table.columns


def test_what_aria_labelledby_names_is_the_title() -> None:
    cells = "<div role=row><i role=columnheader>Day</i><i role=columnheader>Hours</i></div>" + "".join(
        f"<div role=row><i role=cell>{day}</i><i role=cell>9-17</i></div>" for day in ("Monday", "Friday")
    )
    html = f"<h3 id=a>Opening hours</h3><p id=b>in winter</p><div role=table aria-labelledby='a none b'>{cells}</div>"

    assert "Opening hours in winter" == table_of(html).title


@pytest.mark.parametrize(
    "html",
    [
        "<dl><dt>Email:<dd><input><dt>Password:<dd><input></dl>",
        "<dl><dt>Shop<dd><a href=a>A</a><dd><a href=b>B</a><dt>Help<dd><a href=c>C</a><dd><a href=d>D</a></dl>",
        "<dl><dt><a href=a>1. Why</a><dd><a href=b>1.1 Aims</a><dt><a href=c>2. How</a><dd><a href=d>2.1. Run</a></dl>",
        "<dl><dt>News<dd>One<dd>Two<dd>Three</dl>",
    ],
    ids=["form", "menu", "contents", "one term"],
)
def test_definition_lists_that_are_no_pairs_are_no_data(html: str) -> None:
    assert not table_of(html).is_data


def test_pairs_with_links_for_values_are_data() -> None:
    html = (
        "<dl><dt>Author<dd><a href=a>Ann Lee</a><dt>Publisher<dd><a href=b>North</a><dt>Pages<dd><a href=c>312</a></dl>"
    )

    assert [{"Author": "Ann Lee", "Publisher": "North", "Pages": "312"}] == records_of(table_of(html))


def test_aria_grid_without_headers_is_judged_by_what_it_holds() -> None:
    cells = "".join(
        f"<div role=row><i role=gridcell><a href={n}>Story {n}</a></i><i role=gridcell><button>x</button></i></div>"
        for n in range(4)
    )
    assert not table_of(f"<div role=grid>{cells}</div>").is_data


def test_words_under_an_empty_corner_name_the_rows() -> None:
    lines = ("Address | 202 Perkins Hall | G24 Aiken", "Notes | until May | in the base", "Post | stuart@a | stuart@b")
    table = table_of("<table>" + rows(" | Home | Office", cell="th") + rows(*lines))

    assert "row-column" == table.orientation
    assert {"": "Address", "Home": "202 Perkins Hall", "Office": "G24 Aiken"} == records_of(table)[0]


def test_where_no_cell_is_there_is_no_header_cell() -> None:
    table = table_of(
        "<table>" + rows("Item | Price", cell="th") + rows("Soup | 5 | new", "Fish | 12 | old", "Tea | 3 | new")
    )

    assert ((0, 0), (0, 1)) == table.header_cells
    assert {"Item": "Soup", "Price": "5", "3": "new"} == records_of(table)[0]


def test_labels_of_a_long_table_take_time_in_proportion() -> None:
    def seconds(count: int) -> float:
        facts = read_page(f"<table>{'<tr><td>a<td>1' * count}</table>".encode(), "https://example.org/")
        start = time.process_time()
        label_forest(facts)
        return time.process_time() - start

    def least(count: int) -> float:
        return min(seconds(count) for _ in range(3))

    assert least(24_000) < 50 * max(least(2_000), 0.005)  # 12 in proportion, 144 if every row looked at all
