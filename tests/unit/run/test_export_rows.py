"""Links between pages and between sites, as exports, the report and the server ask for them."""

from collections.abc import Iterator
from typing import Any

import duckdb
import pytest

from sitestrata.run.export_rows import SITE_LINKS

PAGES, SITES, LINKS = 4000, 200, 200  # links of a page: with fewer, the naive query is planned well by chance


@pytest.fixture
def tables() -> Iterator[Any]:
    """Pages of many sites, each linked by its neighbour and linking into the next site."""
    with duckdb.connect() as connection:
        connection.execute(
            f"CREATE TABLE boundaries AS SELECT i AS page_id, i % {SITES} AS site FROM range({PAGES}) t(i)"
        )
        connection.execute(f"CREATE TABLE aliases AS SELECT i AS url_id, i AS page_id FROM range({PAGES}) t(i)")
        connection.execute(
            f"CREATE TABLE links AS SELECT i % {PAGES} AS page, (i % {PAGES} + i // {PAGES}) % {PAGES} AS target "
            f"FROM range({PAGES * LINKS}) t(i)"
        )
        yield connection


def test_links_between_sites_are_counted_once_and_not_within_a_site(tables: Any) -> None:
    rows = tables.sql(SITE_LINKS).fetchall()

    # A page links itself and those behind it; the site of the next page is the next site.
    assert SITES * (LINKS - 1) == len(rows)
    assert {PAGES // SITES} == {weight for _, _, weight in rows}


def test_pages_are_not_paired_with_each_other_to_find_them(tables: Any) -> None:
    """Ten thousand pages took seven gigabytes that way."""
    plan = tables.sql(f"EXPLAIN {SITE_LINKS}").fetchall()[0][1].upper().replace("_", " ")

    assert "HASH JOIN" in plan
    assert "NESTED LOOP" not in plan
    assert "CROSS PRODUCT" not in plan
