"""Tables of a page: which are data, how they are oriented, what their records are."""

import time

import pytest

from sitestrata.model import DataTable
from sitestrata.page import read_page
from sitestrata.partition.tables import TableOptions, find_tables, read_tables, records_of, values_of
from sitestrata.partition.tree import find_tree


def tables(html: str) -> tuple[DataTable, ...]:
    return find_tables(read_page(f"<!doctype html><body>{html}".encode(), "https://example.org/"))


def rows(*lines: str, cell: str = "td") -> str:
    """Write rows of a table whose cells are separated by bars."""
    return "".join("<tr>" + "".join(f"<{cell}>{text.strip()}" for text in line.split("|")) for line in lines)


CITIES = ("Oslo | 709,037 | 454", "Bergen | 289,330 | 465", "Molde | 32,002 | 1,503", "Hamar | 32,079 | 351")


@pytest.mark.parametrize("cell", ["th", "td"])
def test_words_over_numbers_are_headers_with_or_without_markup(cell: str) -> None:
    (table,) = tables("<table>" + rows("City | Inhabitants | Area (km²)", cell=cell) + rows(*CITIES) + "</table>")

    assert (True, "column") == (table.is_data, table.orientation)
    assert ((0, 0), (0, 1), (0, 2)) == table.header_cells
    assert {"City": "Oslo", "Inhabitants": "709,037", "Area (km²)": "454"} == records_of(table)[0]
    area = next(value for value in values_of(table) if value.path == ("Area (km²)",))
    assert ("quantity", 454.0, "km²") == (area.kind, area.number, area.unit)


def test_key_value_table_is_one_record() -> None:
    (table,) = tables(
        "<table>" + rows("Height: | 324 m", "Built: | 1889", "Weight: | 7,300 t", "Floors: | 3") + "</table>"
    )

    assert (True, "row") == (table.is_data, table.orientation)
    assert [{"Height:": "324 m", "Built:": "1889", "Weight:": "7,300 t", "Floors:": "3"}] == records_of(table)


def test_first_pair_is_no_header_row_though_its_value_is_of_another_kind() -> None:
    (table,) = tables(
        "<table>" + rows("Place: | Columbia, SC", "Fee: | $9,156", "Fee abroad: | $23,732", "Students: | 19,168")
    )

    assert "row" == table.orientation
    assert [{"Place:": "Columbia, SC", "Fee:": "$9,156", "Fee abroad:": "$23,732", "Students:": "19,168"}] == (
        records_of(table)
    )


@pytest.mark.parametrize(
    "lines",
    [
        ("loc | Location of the type", "dtype_name | Name of the type that is opened"),
        ("client | a client | ", "resolver | a resolver, or none for the default | [nullable]"),
        ("<a href=s>HairColor</a> | Hair of students", "<a href=h>Harman23</a> | Example 2.3",
         "<a href=i>Harman74</a> | Example 7.4", "<a href=j>InsectSprays</a> | Effectiveness of sprays",
         "<a href=k>LakeHuron</a> | Level of Lake Huron 1875-1972"),
        ("[in] | id | The group", "[in] | name | The name of the group in question", "[out] | to | Where it goes"),
    ],
    ids=["two", "with remarks", "links", "with directions"],
)  # fmt: skip
def test_first_of_some_pairs_is_no_header_because_it_is_shorter(lines: tuple[str, ...]) -> None:
    (table,) = tables("<table>" + rows(*lines))

    assert (True, 0) == (table.is_data, table.orientation.count("column"))


def test_first_of_two_rows_with_th_on_the_left_is_no_header_row() -> None:
    (table,) = tables("<table><tr><th>Brand<td>Xado<tr><th>Content<td>125 ml")

    assert [{"Brand": "Xado", "Content": "125 ml"}] == records_of(table)


def test_row_below_a_bold_one_is_no_second_header_row() -> None:
    (table,) = tables(
        "<table><tr><td><b>Time</b><td><b>Members</b>"
        + rows("0-29 min | FREE", "30-59 min | $2.00", "60-89 min | $6.00", "90-119 min | $14.00", "2 hours | $22.00")
    )

    assert "column" == table.orientation


@pytest.mark.parametrize("below", ["<code>avg</code>", "<code>avg</code> or <code>AVG</code>", "<a href=x>avg</a>"])
def test_words_over_code_or_links_are_headers(below: str) -> None:
    lines = [f"{below.replace('avg', key)} | {text}" for key, text in PAIRS.items()]
    (table,) = tables("<table>" + rows("Column | Description", *lines))

    assert "column" == table.orientation


PAIRS = {
    "lstint": "Interval between the most recent packet and now.",
    "avgint": "Average interval between packets.",
    "rstr": "Restriction flags associated with this address.",
    "mode": "Packet mode.",
    "vers": "Version number of the packet.",
}


@pytest.mark.parametrize(
    "lines",
    [
        ("int start | ( | char * | name,", " |  | int | width", " | ) |  | "),
        ("1. |  | Kernighan, B. W. A Graphics Language. 1991.", "2. |  | Van Wyk, C. J. Pictures. 1982."),
        ("✔ | Free delivery", " | ", "✔ | Two weeks to return it"),
        (" | M. Rose", " | Dover Beach Consulting, Inc.", " | POB 255268", " | Sacramento, CA 95865-5268"),
    ],
    ids=["prototype", "numbers", "bullets", "margin"],
)
def test_text_and_lists_set_in_cells_are_no_data(lines: tuple[str, ...]) -> None:
    (table,) = tables("<table>" + rows(*lines))

    assert not table.is_data


def test_empty_corner_means_headers_on_both_sides() -> None:
    (table,) = tables(
        "<table>" + rows(" | Mon | Tue | Wed", "North | 12 | 13 | 11", "South | 19 | 20 | 22", "East | 1 | 2 | 1")
    )

    assert "row-column" == table.orientation
    assert {"": "South", "Mon": "19", "Tue": "20", "Wed": "22"} == records_of(table)[1]


def test_two_header_rows_make_paths() -> None:
    (table,) = tables(
        "<table><tr><th rowspan=2>Team<th colspan=2>Home<th colspan=2>Away"
        "<tr><th>Won<th>Lost<th>Won<th>Lost"
        + rows("Reds | 3 | 1 | 2 | 2", "Blues | 1 | 3 | 0 | 4", "Greens | 2 | 2 | 2 | 1")
    )

    assert "multi-header-column" == table.orientation
    assert {"Team": "Reds", "Home.Won": "3", "Home.Lost": "1", "Away.Won": "2", "Away.Lost": "2"} == records_of(table)[
        0
    ]


def test_title_unit_section_total_and_repeated_header_rows_are_told_apart() -> None:
    (table,) = tables(
        "<table><tr><td colspan=3>Report<tr><td colspan=3>Trade"
        + rows("Product | Volume | Value", cell="th")
        + rows(" | (kt) | (%)", "Iron | 10 | 20", "Coal | 30 | 25")
        + "<tr><td colspan=3>Other"
        + rows("Product | Volume | Value", cell="th")
        + rows("Wheat | 5 | 11", "Rye | 7 | 13", "Oats | 2 | 6", "All | 14 | 30")
    )

    roles = "title section header unit data data section header data data data total"
    assert roles == " ".join(table.row_roles)
    assert "Report" == table.title
    wheat = next(value for value in values_of(table) if value.value == "5")
    assert (("Other",), ("Volume",), "quantity", "kt") == (wheat.record_path, wheat.path, wheat.kind, wheat.unit)


def test_definition_list_and_aria_table_come_after_the_tables() -> None:
    found = tables(
        "<dl><dt>Author<dd>A. Smith<dt>Pages<dd>312</dl>"
        "<div role=table><div role=row><span role=columnheader>Name</span><span role=columnheader>Price</span></div>"
        "<div role=row><span role=cell>Nut</span><span role=cell>$1</span></div>"
        "<div role=row><span role=cell>Bolt</span><span role=cell>$2</span></div></div>"
        "<table><tr><td>x</table>"
    )

    assert ["table", "aria", "list"] == [table.source for table in found]
    assert [0, 1, 2] == [table.index for table in found]
    assert [False, True, True] == [table.is_data for table in found]
    assert [{"Name": "Nut", "Price": "$1"}, {"Name": "Bolt", "Price": "$2"}] == records_of(found[1])
    assert [{"Author": "A. Smith", "Pages": "312"}] == records_of(found[2])


def test_layout_tables_are_no_data() -> None:
    menu = "".join(f"<a href=/{n}>Section {n}</a><br>" for n in range(8))
    prose = "<p>" + "Some words about the matter at hand, and then some more of them. " * 8
    outer, inner = tables(
        f"<table width=100%><tr><td>{menu}<td>{prose}<table>{rows('A | 1', 'B | 2', 'C | 3')}</table></table>"
    )

    assert not outer.is_data
    assert 0 == inner.parent
    assert "A" not in outer.grid[0][1].split()


def test_form_is_no_data() -> None:
    (table,) = tables(
        "<form><table>" + rows("Name | <input>", "Mail | <input>", "Age | <select></select>") + "</table>"
    )

    assert not table.is_data


def test_author_says_presentation() -> None:
    (table,) = tables("<table role=presentation>" + rows("City | Inhabitants | Area", *CITIES))

    assert not table.is_data


def test_workspace_keeps_no_text_of_layout_tables() -> None:
    facts = read_page(b"<table><tr><td>only this</table>", "https://example.org/")

    found = read_tables(facts, TableOptions())

    assert [(False, ())] == [(table.is_data, table.grid) for table in found["data_tables"]]
    assert [] == found["table_values"]


@pytest.mark.parametrize(
    "html",
    [
        "<table></table>",
        "<table><tr></tr></table>",
        "<table><caption>c</table>",
        "<table>text outside rows<td>cell<tr><td>another",
        "<td>no table<tr><td>at all",
        "<table><tr><td rowspan=65535>a<td colspan=0>b<tr><td colspan=10000000>c</table>",
        "<table><tr><td rowspan=0 colspan=0></table>",
        "<dl><dd>no term</dl><dl><dt>no description</dl><dl></dl>",
        "<div role=table></div><div role=table><div role=cell>x</div></div>",
        "<table><tr><td>" * 200 + "deep",
        "<dl>" + "<dt>t" * 3000 + "<dd>d" * 3000,
    ],
    ids=range(11),
)
@pytest.mark.parametrize("profile", ["default", "paper"])
def test_bad_tables_are_bounded(html: str, profile: str) -> None:
    facts = read_page(html.encode(), "https://example.org/")
    began = time.process_time()

    found = find_tables(facts, options=TableOptions(profile=profile))

    assert time.process_time() - began < 5
    for table in found:
        assert all(len(row) == table.columns for row in table.grid)
        records_of(table)


@pytest.mark.parametrize("count", [10_000, pytest.param(100_000, marks=pytest.mark.slow)])
def test_long_table_is_read_whole_and_judged_by_a_sample(count: int) -> None:
    body = rows(*(f"{n} | item {n} | {n * 7 % 100}.50" for n in range(count)))
    began = time.process_time()

    (table,) = tables("<table>" + rows("No. | Name | Price", cell="th") + body + "</table>")

    assert time.process_time() - began < 30
    assert (True, "column", count + 1) == (table.is_data, table.orientation, table.rows)


def test_table_too_wide_and_long_is_reported() -> None:
    wide = "<table><tr>" + "<td colspan=1000>x" * 5 + "<tr><td>y" * 1000 + "</table>"
    facts = read_page(wide.encode(), "https://example.org/")

    found = read_tables(facts, TableOptions())

    assert ["table-too-large"] == [reject.reason for reject in found["rejects"]]
    assert not found["data_tables"][0].is_data


def test_aria_spans_place_the_cells_behind_them() -> None:
    def row(*cells: str) -> str:
        return f"<div role=row>{''.join(cells)}</div>"

    def cell(text: object, extra: str = "") -> str:
        return f"<div role=cell {extra}>{text}</div>"

    (table,) = tables(
        "<div role=table>"
        + row(cell("Lodge", "aria-rowspan=2"), cell("Price", "aria-colspan=2"))
        + row(cell("Single"), cell("Double"))
        + row(cell("Pine"), cell(70), cell(95))
        + "</div>"
    )

    assert (
        ("Lodge", "Price", "Price"),
        ("Lodge", "Single", "Double"),
        ("Pine", "70", "95"),
    ) == table.grid


def test_absurd_aria_spans_are_cut() -> None:
    (table,) = tables(
        "<div role=table><div role=row><div role=cell aria-rowspan=0 aria-colspan=99999999>a</div></div>"
        "<div role=row><div role=cell aria-colspan=0>b</div></div></div>"
    )

    assert (2, 1001) == (table.rows, table.columns)


def test_cells_that_others_name_as_their_headers_are_headers() -> None:
    """Without the attribute, nothing tells the first row from those below it."""
    body = "".join(f"<tr><td{{0}}>{a}<td{{1}}>{b}</tr>" for a, b in (("Ada", "Rome"), ("Bob", "Oslo"), ("Cy", "Bonn")))
    top = "<tr><td id=n>Who</td><td id=t>Town</td></tr>"
    (plain,) = tables(f"<table>{top}{body.format('', '')}</table>")
    (linked,) = tables(f"<table>{top}{body.format(' headers=n', ' headers=t')}</table>")

    assert (0, 1) not in plain.header_cells
    assert {(0, 0), (0, 1)} <= set(linked.header_cells)


def test_keys_to_sort_by_that_a_style_hides_are_not_what_a_cell_says() -> None:
    key = '<span style="DISPLAY: none">70019000000</span>'
    rows = "".join(f"<tr><td>Town {n}<td>{key}{n}0 <i>km</i><td>{key}200{n}" for n in range(4))
    facts = read_page(f"<table><tr><th>Name<th>Way<th>Year{rows}</table>".encode(), "https://example.org/")
    (table,) = find_tables(facts)

    assert table.grid[2] == ("Town 1", "10 km", "2001")
    assert not [node for node in find_tree(facts) if "7001" in node.label]


def test_a_table_inside_what_is_hidden_is_read() -> None:
    html = "<div style='display:none'><table><tr><th>A<th>B<tr><td>1<td>2<tr><td>3<td>4</table></div>"
    (table,) = find_tables(read_page(html.encode(), "https://example.org/"))

    assert table.grid == (("A", "B"), ("1", "2"), ("3", "4"))


def table(*rows: str) -> str:
    return "<table>" + "".join(f"<tr>{row}</tr>" for row in rows) + "</table>"


def cells(*texts: object, tag: str = "td") -> str:
    return "".join(f"<{tag}>{text}</{tag}>" for text in texts)


def test_row_of_th_is_a_header_though_all_is_words() -> None:
    people = [cells("Ann", "Rome"), cells("Bob", "Bonn"), cells("Cy", "Oslo")]

    (found,) = tables(table(cells("Name", "City", tag="th"), *people))

    assert "column" == found.orientation
    assert {"Name": "Ann", "City": "Rome"} == records_of(found)[0]


def test_column_of_th_is_a_header_though_it_holds_numbers() -> None:
    rows = [cells(n, tag="th") + cells(name, points) for n, name, points in ((1, "Audi", 26), (2, "Lola", 22))]

    (found,) = tables(table(cells("Pos", "Team", "Points", tag="th"), *rows))

    assert "row-column" == found.orientation
    assert {"": "Pos.1", "Team": "Audi", "Points": "26"} == records_of(found)[0]


@pytest.mark.parametrize("head", [(2019, 2020, 2021), (1, 2, 3), (1998, 2002, 2006), (2012, 2011, 2010)])
def test_years_and_counted_numbers_head_columns(head: tuple[int, ...]) -> None:
    (found,) = tables(table(cells("Land", *head), cells("Elm", 310, 290, 377), cells("Oak", 120, 118, 130)))

    assert found.orientation in ("column", "row-column")
    assert str(head[0]) in records_of(found)[0]


def test_row_of_numbers_over_numbers_is_data() -> None:
    (found,) = tables(table(cells("Elm", 310, 290, 377), cells("Oak", 120, 118, 130), cells("Ash", 51, 60, 42)))

    assert "row" == found.orientation


def test_values_of_many_kinds_under_one_another_are_no_column() -> None:
    pairs = (("Author", "Ann Lee"), ("Pages", "324"), ("Price", "€ 12,50"), ("Published", "3. März 2001"))

    (found,) = tables(table(*(cells(*pair) for pair in pairs)))

    assert [dict(pairs)] == records_of(found)


def test_full_row_below_the_headers_names_the_rows_that_follow() -> None:
    wing = "<th colspan=2>{} wing"
    html = table(
        cells("Room", "Price", tag="th"),
        wing.format("North"),
        cells(101, "$80"),
        cells(102, "$95"),
        wing.format("South"),
        cells(201, "$70"),
        cells(202, "$75"),
    )

    (found,) = tables(html)

    assert ("header", "section", "data", "data", "section", "data", "data") == found.row_roles
    assert {"": "North wing", "Room": "101", "Price": "$80"} == records_of(found)[0]


def test_title_over_the_first_of_several_tables_is_the_section_of_its_rows() -> None:
    def part(year: int) -> list[str]:
        return [
            f"<td colspan=3>Season {year}",
            cells("Team", "Won", "Lost"),
            cells("Lions", 4, 3),
            cells("Bears", 1, 6),
        ]

    (found,) = tables(table(*part(1999), *part(2000)))

    assert ["Season 1999"] * 2 + ["Season 2000"] * 2 == [record[""] for record in records_of(found)]
    assert found.title is None


def test_another_header_row_inside_holds_from_there_on() -> None:
    html = table(
        cells("Team", "Won", "Lost", tag="th"),
        cells("Lions", 4, 3),
        cells("Bears", 1, 6),
        cells("Player", "Goals", "Cards", tag="th"),
        cells("Ann", 5, 2),
        cells("Bea", 2, 5),
        cells("All", 12, 16, tag="th"),
    )

    (found,) = tables(html)

    assert {"Team": "Bears", "Won": "1", "Lost": "6"} == records_of(found)[1]
    assert {"Player": "Ann", "Goals": "5", "Cards": "2"} == records_of(found)[2]
    assert found.row_roles[-1] in ("data", "total")


def test_headers_stand_over_nested_tables() -> None:
    inner = table(cells("Math", "Art", tag="th"), cells(1, 2), cells(4, 5))

    outer, *_ = tables(table(cells("Name", "Scores", tag="th"), cells("Ann", inner), cells("Bob", inner)))

    assert "column" == outer.orientation


def test_label_or_caption_of_an_aria_table_is_its_title() -> None:
    row = "<div role=row><span role=cell>{}</span><span role=cell>{}</span></div>"
    rows = row.format("Fruit", "Kilos") + row.format("Apple", "12") + row.format("Pear", "7")

    labelled, captioned = tables(
        f"<div role=table aria-label=Fruits>{rows}</div><div role=table><p role=caption>Harvest</p>{rows}</div>"
    )

    assert ["Fruits", "Harvest"] == [labelled.title, captioned.title]


@pytest.mark.parametrize(
    ("texts", "language", "numbers"),
    [
        (("1.500", "2.000,5"), None, (1500, 2000.5)),
        (("1,500", "2,000.5"), None, (1500, 2000.5)),
        (("1.500", "2.250"), "de", (1500, 2250)),
        (("1.500", "2.250"), "de-CH", (1.5, 2.25)),
        (("1.500", "2.25"), "de", (1.5, 2.25)),
        (("1,234", "0,5"), None, (1.234, 0.5)),
        (("1.234.567", "3.210"), "es", (1234567, 3210)),
    ],
)
def test_numbers_of_one_table_are_read_alike(texts: tuple[str, ...], language: str | None, numbers: object) -> None:
    (found,) = tables(
        table(cells("City", "Size", tag="th"), *(cells(f"City {n}", text) for n, text in enumerate(texts)))
    )

    values = values_of(found, language=language)

    assert numbers == tuple(value.number for value in values if value.path == ("Size",))


def test_totals_are_known_with_decimal_commas() -> None:
    rows = [cells("Elm", "1.234,5"), cells("Oak", "1.500"), cells("Sum", "2.734,5")]

    (found,) = tables(table(cells("Tree", "Size", tag="th"), *rows))

    assert "total" == found.row_roles[-1]


@pytest.mark.parametrize(
    "html",
    [
        table("<td rowspan=2><img alt='[Note]'>" + cells("Note", tag="th"), cells("These options are there.")),
        table(*(f"<td colspan=3>Part {n}" for n in range(5))),
        table("<td colspan=3>Chapter 3", cells("Before", "Up", "Behind")),
    ],
    ids=["a picture beside a text", "one column that spans", "a title over one row"],
)
def test_what_is_one_line_but_for_cells_from_edge_to_edge_is_no_data(html: str) -> None:
    (found,) = tables(html)

    assert not found.is_data


def test_two_rows_of_links_are_no_data() -> None:
    above = cells(*(f"<a href=/{name}>{name}</a>" for name in ("Prev", "Up", "Next")))

    (found,) = tables(table(above, cells("31.6. Restrictions", "<a href=/>Home</a>", "31.8. Monitoring")))

    assert not found.is_data


def test_row_without_th_below_a_row_of_th_is_no_header() -> None:
    body = (("<= 2018", "C90"), ("2019", "C90 for old code, C99 may be considered for new code"), ("2020", "C99"))

    (found,) = tables(table(cells("Date", "Standard", tag="th"), *(cells(*row) for row in body)))

    assert "column" == found.orientation
