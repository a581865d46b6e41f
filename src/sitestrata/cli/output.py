"""How every listing is printed: a table on a terminal; JSON, JSON lines or CSV in a pipe.

Rows are plain dictionaries. JSON is exact; tables and CSV are for people and spreadsheets and are made harmless
(`sitestrata.cli.escape`). Results go to standard output, notes to standard error.
"""

import csv
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, TypeVar

import click

from sitestrata.cli.escape import json_text, spreadsheet_cell, visible

__all__ = ["emit", "note", "output_options"]

# A terminal is for looking; everything goes through a pipe.
TERMINAL_ROWS = 200
CELL = 160  # characters of a cell that are shown
READABLE = 24  # characters: a narrower column of text cannot be read
BY_CHANCE = 14  # characters: shorter texts of two columns may be equal and yet tell different things
GAP = 2  # between columns
NAME_SHARE = 2  # the column that names a row may take one part in so many of the width

Row = Mapping[str, Any]
_Function = TypeVar("_Function", bound=Callable[..., Any])


def output_options(function: _Function) -> _Function:
    """Give a command ``--json``, ``--nl`` and ``--csv``; it receives the choice as ``output``, for `emit`."""
    for flag, help_text in (
        ("csv", "Comma-separated values with a header line."),
        ("nl", "JSON, one object a line."),
        ("json", "One JSON array. Default when the output is not a terminal."),
    ):
        function = click.option(f"--{flag}", "output", flag_value=flag, help=help_text)(function)
    return function


def emit(rows: Iterable[Row], columns: Sequence[str], *, output: str | None) -> int:
    """Print rows in the form that was asked for and return how many there were.

    ``columns`` orders the columns of tables and CSV; JSON holds the rows as they are.
    """
    chosen = output or ("table" if sys.stdout.isatty() else "json")
    return {"json": _emit_json, "nl": _emit_lines, "csv": _emit_csv, "table": _emit_table}[chosen](iter(rows), columns)


def note(text: str) -> None:
    """Print a note for the person, on standard error."""
    click.echo(visible(text), err=True)


def _emit_json(rows: Iterator[Row], _columns: Sequence[str]) -> int:
    count = 0
    for row in rows:
        click.echo("[" if count == 0 else ",", nl=count > 0)
        click.echo(json_text(row), nl=False)
        count += 1
    click.echo("]" if count else "[]")
    return count


def _emit_lines(rows: Iterator[Row], _columns: Sequence[str]) -> int:
    count = 0
    for row in rows:
        click.echo(json_text(row))
        count += 1
    return count


def _emit_csv(rows: Iterator[Row], columns: Sequence[str]) -> int:
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(columns)
    count = 0
    for row in rows:
        writer.writerow([_csv_cell(row.get(column)) for column in columns])
        count += 1
    return count


def _emit_table(rows: Iterator[Row], columns: Sequence[str]) -> int:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    shown = [
        {column: _cut(visible(_plain(row.get(column)), one_line=True)) for column in columns}
        for row in islice(rows, TERMINAL_ROWS)
    ]
    console = Console()
    fitting = _fitting(shown, columns, console.width)
    table = Table(box=None, header_style="bold", pad_edge=False)
    for place, (column, width) in enumerate(zip(fitting, _widths(shown, fitting, console.width), strict=True)):
        # A row is a line; but what names it is never cut, so that it can be copied into the next command.
        table.add_column(column, width=width, overflow="ellipsis" if place else "fold", no_wrap=place > 0)
    for row in shown:
        # Text, not str: rich must not read crawled text as its markup.
        table.add_row(*(Text(row[column]) for column in fitting))
    console.print(table)
    more = sum(1 for _ in rows)
    if more:
        note(f"... and {more:,} more rows; use --csv, --nl or --json to see all.")
    left_out = [column for column in _telling(shown, columns) if column not in fitting]
    if left_out:
        note(f"Columns that do not fit: {', '.join(left_out)}; use --csv, --nl or --json to see all.")
    return len(shown) + more


def _fitting(rows: Sequence[Mapping[str, str]], columns: Sequence[str], width: int) -> list[str]:
    """Return the first columns that can be read side by side."""
    fitting: list[str] = []
    for column in _telling(rows, columns):
        if not fitting or sum(_least(rows, [*fitting, column], width)) + GAP * len(fitting) <= width:
            fitting.append(column)
    return fitting


def _widths(rows: Sequence[Mapping[str, str]], columns: Sequence[str], width: int) -> list[int]:
    """Give every column what it needs to be read, and what is left to the first ones that need more."""
    widths = _least(rows, columns, width)
    left = width - sum(widths) - GAP * (len(columns) - 1)
    for place, column in enumerate(columns):
        more = max(0, min(left, _longest(rows, column) - widths[place]))
        widths[place] += more
        left -= more
    return widths


def _telling(rows: Sequence[Mapping[str, str]], columns: Sequence[str]) -> list[str]:
    """Return the columns that say something, and not at length what another before says; all if there is no row."""
    telling: dict[tuple[str, ...], str] = {}
    for column in columns:
        texts = tuple(row[column] for row in rows)
        is_long = max(map(len, texts), default=0) > BY_CHANCE
        if any(texts):
            telling.setdefault(texts if is_long else (column,), column)
    return list(telling.values()) if rows else list(columns)


def _least(rows: Sequence[Mapping[str, str]], columns: Sequence[str], width: int) -> list[int]:
    """Return how wide columns must be to be read; the first, which names a row, needs more."""
    return [
        max(len(column), min(_longest(rows, column), READABLE if place else width // NAME_SHARE))
        for place, column in enumerate(columns)
    ]


def _longest(rows: Sequence[Mapping[str, str]], column: str) -> int:
    return max((len(row[column]) for row in rows), default=0)


def _cut(text: str) -> str:
    return text if len(text) <= CELL else f"{text[: CELL - 1]}…"


def _csv_cell(value: object) -> object:
    if value is None or (isinstance(value, int | float) and not isinstance(value, bool)):
        return value
    if isinstance(value, str):
        return spreadsheet_cell(value)
    return spreadsheet_cell(json_text(value))


def _plain(value: object) -> str:
    match value:
        case None:
            return ""
        case str():
            return value
        case bool():
            return "yes" if value else "no"
        case int():
            return f"{value:,}"
        case float():
            return f"{value:.3f}"
        case list() | tuple():
            is_path = all(isinstance(item, dict) and "label" in item for item in value)
            return (" > " if is_path else ", ").join(_plain(item["label"] if is_path else item) for item in value)
        case _:
            return json_text(value)
