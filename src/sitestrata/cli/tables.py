"""``sitestrata tables``: the tables of pages."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from sitestrata.cli.command import command as make_command
from sitestrata.cli.output import emit, note, output_options

__all__ = ["command"]

COLUMNS = ("url", "index", "source", "is_data", "orientation", "rows", "columns", "title", "header_cells", "records")
SHOWN = ("url", "index", "source", "is_data", "orientation", "rows", "columns", "title")


@make_command(example="sitestrata tables page.html --json")
@click.argument("place", metavar="FILE|URL|WS")
@click.option("--base-url", help="Where a file was found: links are resolved against it.")
@click.option(
    "--profile",
    type=click.Choice(["default", "paper"]),
    default="default",
    help="paper: OntoMiner's own detector and clustering.",
)
@click.option("--data-only", is_flag=True, help="Leave out tables that only place things.")
@output_options
def command(place: str, base_url: str | None, profile: str, data_only: bool, output: str | None) -> None:
    """List the tables of pages, with orientation, headers and records.

    Every <table> has an entry, in document order; then come tables made with ARIA roles, then definition lists. On a
    terminal the data tables of one page are drawn. In a workspace, layout tables are listed without their text.
    """
    import sys

    rows = _rows(place, base_url, profile)
    if data_only:
        rows = (row for row in rows if row["is_data"])
    is_table = output is None and sys.stdout.isatty()
    if is_table and not Path(place).is_dir():
        _draw(rows)
        return
    count = emit(rows, SHOWN if is_table else COLUMNS, output=output)
    if is_table:
        note(f"{count:,} tables; --json shows grids and records.")


def _draw(rows: Iterator[dict[str, Any]]) -> None:
    import shutil

    from sitestrata.cli.drawing import draw_table

    width = shutil.get_terminal_size().columns
    count = data = 0
    for row in rows:
        count += 1
        if row["is_data"]:
            data += 1
            draw_table(row, width=width)
    note(f"{data:,} data and {count - data:,} layout tables; --json shows all, with records.")


def _rows(place: str, base_url: str | None, profile: str) -> Iterator[dict[str, Any]]:
    from sitestrata.errors import UsageError
    from sitestrata.run.table_listing import list_tables, page_tables
    from sitestrata.run.workspace import open_workspace

    if Path(place).is_dir():
        if profile != "default":
            raise UsageError("A workspace holds what was mined; say --profile paper to `sitestrata mine`.")
        yield from list_tables(open_workspace(place))
    else:
        for row in page_tables(place, base_url=base_url, profile=profile):
            if row["rows"] and row["columns"] and not row["grid"]:
                size = f"{row['rows']:,} rows and {row['columns']:,} columns"
                note(f"Table {row['index']} has {size}; it was not looked into.")
            yield row
