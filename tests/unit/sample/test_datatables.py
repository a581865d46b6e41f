"""Generated tables are rectangular, and their header cells are what their orientation says."""

from random import Random

import pytest
from selectolax.lexbor import LexborHTMLParser

from sitestrata.sample.datatables import ARIA_ORIENTATIONS, ORIENTATIONS, make_table

WORDS = [f"word {number}" for number in range(10)]


def grid_of(html: str) -> dict[tuple[int, int], str]:
    cells: dict[tuple[int, int], str] = {}
    for r, row in enumerate(LexborHTMLParser(html).css("tr")):
        c = 0
        for cell in row.css("td, th"):
            while (r, c) in cells:
                c += 1
            height, width = (int(cell.attributes.get(name) or 1) for name in ("rowspan", "colspan"))
            cells |= {(r + i, c + j): cell.tag for i in range(height) for j in range(width)}
    return cells


@pytest.mark.parametrize("orientation", ORIENTATIONS)
@pytest.mark.parametrize("use_th", [True, False])
def test_the_grid_is_full_and_headers_are_where_the_truth_says(orientation: str, use_th: bool) -> None:
    for seed in range(60):
        html, truth = make_table(Random(seed), WORDS, orientation=orientation, use_th=use_th, attributes="")
        grid = grid_of(html)

        assert set(grid) == {(r, c) for r in range(truth.n_rows or 0) for c in range(truth.n_cols or 0)}
        assert {cell for cell, tag in grid.items() if tag == "th"} == (set(truth.header_cells) if use_th else set())


@pytest.mark.parametrize(
    ("orientation", "rows", "columns"),
    [
        ("column", 1, 0),
        ("row", 0, 1),
        ("row-column", 1, 1),
        ("multi-header-column", 2, 0),
        ("multi-header-row", 0, 2),
        ("multi-header-row-column", 1, 2),
        ("none", 0, 0),
    ],
)
def test_an_orientation_is_a_number_of_header_rows_and_columns(orientation: str, rows: int, columns: int) -> None:
    for seed in range(40):
        _, truth = make_table(Random(seed), WORDS, orientation=orientation, use_th=True, attributes="")
        top = len(truth.title_rows)
        expected = {
            (r, c)
            for r in range(top, truth.n_rows or 0)
            for c in range(truth.n_cols or 0)
            if r < top + rows or c < columns
        }

        assert expected == set(truth.header_cells)


@pytest.mark.parametrize("orientation", ORIENTATIONS)
@pytest.mark.parametrize("use_th", [True, False])
def test_a_table_of_other_elements_has_the_cells_and_headers_of_its_truth(orientation: str, use_th: bool) -> None:
    built = 0
    for seed in range(60):
        html, truth = make_table(Random(seed), WORDS, orientation=orientation, use_th=use_th, attributes="", aria=True)
        rows = LexborHTMLParser(html).css("[role=row]")

        assert truth.aria == bool(rows) == ("<table" not in html)

        if truth.aria:
            built += 1
            roles = [[cell.attributes["role"] for cell in row.iter()] for row in rows]
            heads = {(r, c) for r, row in enumerate(roles) for c, role in enumerate(row) if role != "cell"}

            assert {truth.n_cols} == set(map(len, roles))
            assert truth.n_rows == len(roles)
            assert heads == (set(truth.header_cells) if use_th else set())
    assert bool(built) == (orientation in ARIA_ORIENTATIONS)


def test_other_readings_are_accepted_only_where_nothing_tells() -> None:
    for orientation in ORIENTATIONS:
        for seed in range(60):
            for use_th in (True, False):
                html, truth = make_table(Random(seed), WORDS, orientation=orientation, use_th=use_th, attributes="")

                assert orientation not in truth.also
                assert not truth.also or ("<th" not in html and "<b>" not in html)
                assert truth.also in ((), ("row-column",), ("column",))
