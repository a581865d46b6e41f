"""Cells stand where a browser would put them."""

from sitestrata.page import PageLimits, RawTable, parse, raw_tables


def tables(html: str, **limits: int) -> tuple[RawTable, ...]:
    return raw_tables(parse(html.encode()), limits=PageLimits(**limits))


def test_spans_push_later_cells_aside() -> None:
    (table,) = tables("<table border><tr><th rowspan=2>a<th colspan=2>b<tr><td>c<td>d<tr><td>e</table>")

    assert [[0, 1, 1], [0, 2, 3], [4, -1, -1]] == table.grid()
    assert [True, True, False, False, False] == [cell.is_header for cell in table.cells]
    assert (3, 3, 1) == (table.rows, table.columns, table.border)


def test_rowspan_ends_with_its_row_group_and_zero_reaches_there() -> None:
    (table,) = tables(
        "<table><tfoot><tr><td>f</tfoot><thead><tr><td rowspan=9>a</thead>"
        "<tbody><tr><td>b<td rowspan=0>c<tr><td>d<tr><td>e"
    )

    assert [[0, -1], [1, 2], [3, 2], [4, 2], [5, -1]] == table.grid()
    assert ("head", "body", "body", "body", "foot") == table.sections


def test_nested_tables_are_kept_apart() -> None:
    outer, inner, last = tables(
        "<table><tr><td>a<table><caption>C</caption><tr><td>b<td>c</table><td>d</table><table></table>"
    )

    assert [(1, 2, -1), (1, 2, 0), (0, 0, -1)] == [(t.rows, t.columns, t.parent) for t in (outer, inner, last)]
    assert inner.caption > inner.node
    assert -1 == outer.caption


def test_scope_and_headers_are_kept() -> None:
    (table,) = tables("<table><tr><th scope=COL id=h><td headers='h i'><td scope=nonsense></table>")

    assert ["col", None, None] == [cell.scope for cell in table.cells]
    assert ("h", "i") == table.cells[1].headers


def test_hostile_spans_are_bounded() -> None:
    rows = "<tr>" + "<td colspan=1000>" * 10
    (table,) = tables("<table>" + rows * 200, table_slots=50_000)

    assert sum(cell.rowspan * cell.colspan for cell in table.cells) < 60_000
    (odd,) = tables("<table><tr><td colspan=-1 rowspan=x>a<td colspan=99999999999999999999>b")
    assert [(1, 1), (1, 1)] == [(cell.rowspan, cell.colspan) for cell in odd.cells]


def test_colspan_ends_with_the_last_column_in_which_a_cell_begins() -> None:
    (table,) = tables("<table><tr><td colspan=100>all<tr><td>a<td>b<td>c")

    assert 3 == table.columns
    assert [3, 1, 1, 1] == [cell.colspan for cell in table.cells]
