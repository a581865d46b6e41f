"""The tables of one page -> drawn on a terminal: headers in bold, sections on lines of their own.

Only a look: long tables are cut, and columns that do not fit are counted.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import click

from sitestrata.cli.escape import visible

__all__ = ["draw_table"]

LINES = 20  # rows of a table that are shown
CELL = 80  # characters of a cell
LEAST = 12  # characters: a narrower column cannot be read

_HEADERS = ("header", "unit")


def draw_table(table: Mapping[str, Any], *, width: int) -> None:
    """Draw a row of ``sitestrata tables``."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    title = f": {visible(table['title'], one_line=True)}" if table["title"] else ""
    click.secho(f"Table {table['index']}{title}", bold=True, nl=False)
    click.echo(f" ({table['orientation']}, {table['rows']:,} x {table['columns']:,})")
    heads = {(row, column) for row, column in table["header_cells"]}
    lines = [row for row, role in enumerate(table["row_roles"]) if role != "title"]
    columns = _fitting([table["grid"][row] for row in lines[:LINES]], width)
    drawn = Table(box=None, show_header=False, pad_edge=False)
    for _ in range(columns):
        drawn.add_column(overflow="fold")
    for row in lines[:LINES]:
        role = table["row_roles"][row]
        # A section is one cell over all columns; headers that span several are printed once.
        texts = [visible(text, one_line=True) for text in table["grid"][row][:columns]]
        if role == "section" or role in _HEADERS:
            texts = [text if not at or text != texts[at - 1] else "" for at, text in enumerate(texts)]
        # Text, not str: rich must not read crawled text as its markup.
        drawn.add_row(
            *(
                Text(_cut(text), style="bold" if (row, at) in heads or role == "section" else "")
                for at, text in enumerate(texts)
            )
        )
    Console(width=width).print(drawn)
    more = [f"{len(lines) - LINES:,} more rows"] * (len(lines) > LINES)
    more += [f"{table['columns'] - columns:,} more columns"] * (columns < table["columns"])
    if more:
        click.echo(f"... and {' and '.join(more)}")
    click.echo()


def _fitting(lines: Sequence[Sequence[str]], width: int) -> int:
    """Return how many columns can be read side by side."""
    used = 0
    for column, texts in enumerate(zip(*lines, strict=True)):
        used += min(max(map(len, texts)), LEAST) + 2
        if column and used - 2 > width:
            return column
    return len(lines[0]) if lines else 0


def _cut(text: str) -> str:
    return text if len(text) <= CELL else f"{text[: CELL - 1]}…"
