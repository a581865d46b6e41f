"""Rows -> CSV files with a CSVW description of their columns (W3C, Metadata Vocabulary for Tabular Data).

Cells are made harmless for spreadsheets, so a text that begins like a formula has a quote in front; the description
says so, because a reader of the file cannot tell such a quote from one that was there before.
"""

import csv
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, BinaryIO

from sitestrata.export.escape import iri, spreadsheet_cell

__all__ = ["Column", "Sheet", "metadata", "write_csv"]

SEPARATOR = " "  # between the values of a cell that holds several; only columns of addresses and hosts do
_NOTE = (
    "A text cell that a spreadsheet would read as a formula begins with a quotation mark; control characters and "
    "bidirectional controls are written as \\x1b or \\u202e."
)


@dataclass(frozen=True, slots=True)
class Column:
    """One column: its name, its XML Schema type and what it holds."""

    name: str
    datatype: str  # string, anyURI, integer, double, boolean, dateTime
    description: str
    is_list: bool = False
    is_required: bool = False


@dataclass(frozen=True, slots=True)
class Sheet:
    """One file: its columns, what a row is, and how it hangs together with the others."""

    name: str  # without ".csv"
    row: str  # one row per ...
    columns: tuple[Column, ...]
    key: tuple[str, ...]
    references: tuple[tuple[str, str, str], ...] = ()  # column, other sheet, its column


def write_csv(sheet: Sheet, rows: Iterable[Mapping[str, Any]], file: BinaryIO) -> int:
    """Write a header line and the rows, and return how many there were."""
    text = io.TextIOWrapper(file, encoding="utf-8", errors="replace", newline="", write_through=False)
    writer = csv.writer(text, lineterminator="\r\n")  # RFC 4180
    writer.writerow([column.name for column in sheet.columns])
    count = 0
    for row in rows:
        writer.writerow([_cell(column, row.get(column.name)) for column in sheet.columns])
        count += 1
    text.flush()
    text.detach()
    return count


def metadata(sheets: Sequence[Sheet]) -> str:
    """Return the CSVW description of a group of files that lie side by side."""
    group = {
        "@context": ["http://www.w3.org/ns/csvw", {"@language": "en"}],
        "dc:description": _NOTE,
        "dialect": {"delimiter": ",", "header": True, "encoding": "utf-8", "lineTerminators": ["\r\n", "\n"]},
        "tables": [_table(sheet) for sheet in sheets],
    }
    return json.dumps(group, indent=1, ensure_ascii=False) + "\n"


def _table(sheet: Sheet) -> dict[str, Any]:
    schema: dict[str, Any] = {
        "columns": [_column(column) for column in sheet.columns],
        "primaryKey": list(sheet.key),
    }
    if sheet.references:
        schema["foreignKeys"] = [
            {"columnReference": column, "reference": {"resource": f"{other}.csv", "columnReference": its}}
            for column, other, its in sheet.references
        ]
    return {"url": f"{sheet.name}.csv", "dc:title": f"One row per {sheet.row}", "tableSchema": schema}


def _column(column: Column) -> dict[str, Any]:
    described: dict[str, Any] = {
        "name": column.name,
        "titles": column.name,
        "datatype": column.datatype,
        "dc:description": column.description,
    }
    if column.is_list:
        described["separator"] = SEPARATOR
    if column.is_required:
        described["required"] = True
    return described


def _cell(column: Column, value: Any) -> str | int | float | None:
    if column.is_list:
        return SEPARATOR.join(_plain(column, item) for item in value or ())
    if value is None:
        return None
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return value
    return _plain(column, value)


def _plain(column: Column, value: Any) -> str:
    text = str(value)
    return iri(text) if column.datatype == "anyURI" else spreadsheet_cell(text)
