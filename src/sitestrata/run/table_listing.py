"""The tables of a workspace, or of one page, as the rows that ``sitestrata tables`` prints."""

from collections.abc import Iterator
from typing import Any

from sitestrata.errors import WorkspaceError
from sitestrata.model import DataTable
from sitestrata.partition.tables import TableOptions, find_tables, records_of
from sitestrata.run.one_page import is_address, live_page, local_page, shown_address
from sitestrata.run.workspace import Workspace

__all__ = ["list_tables", "page_tables", "table_row"]


def table_row(table: DataTable, url: str | None) -> dict[str, Any]:
    """Return one table as a plain dictionary, with its records."""
    return {
        "url": url,
        "index": table.index,
        "source": table.source,
        "is_data": table.is_data,
        "score": table.score,
        "orientation": table.orientation,
        "title": table.title,
        "rows": table.rows,
        "columns": table.columns,
        "parent": table.parent if table.parent >= 0 else None,
        "header_cells": [list(cell) for cell in table.header_cells],
        "row_roles": list(table.row_roles),
        "grid": [list(row) for row in table.grid],
        "records": records_of(table),
    }


def page_tables(place: str, *, base_url: str | None = None, profile: str = "default") -> list[dict[str, Any]]:
    """Return the tables of one page: a file, an address to fetch, or "-" for standard input.

    Args:
        place: The file or address.
        base_url: Where a file was found: links are resolved against it.
        profile: ``paper`` for OntoMiner's own detector and clustering.
    """
    facts = live_page(place) if is_address(place) else local_page(place, base_url=base_url)
    url = shown_address(facts.url) if base_url or is_address(place) else place
    return [table_row(table, url) for table in find_tables(facts, options=TableOptions(profile=profile))]


def list_tables(workspace: Workspace) -> Iterator[dict[str, Any]]:
    """Yield the tables of all pages, by address and place."""
    if "data_tables" not in workspace.tables:
        raise WorkspaceError(f"{workspace.folder} holds no tables; run `sitestrata mine` with this version again.")
    addresses = workspace.arrow("pages", ["url_id", "url"]).to_pydict()
    url_of = dict(zip(addresses["url_id"], addresses["url"], strict=True))
    sql = "SELECT t.* FROM data_tables t JOIN pages p ON t.page = p.url_id ORDER BY p.url, t.index"
    for batch in workspace.query(sql).to_batches():
        for row in batch.to_pylist():
            yield table_row(table_of(row), url_of[row["page"]])


def table_of(row: dict[str, Any]) -> DataTable:
    """Return a row of the table ``data_tables`` as a record."""
    return DataTable(
        **{
            **row,
            "grid": tuple(tuple(line) for line in row["grid"]),
            "header_cells": tuple((r, c) for r, c in row["header_cells"]),
            "row_roles": tuple(row["row_roles"]),
        }
    )
