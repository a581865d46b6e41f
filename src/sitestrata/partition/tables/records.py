"""A data table -> records keyed by header path, with typed values.

A record is a row where the headers are on top or on both sides, a column where they are on the left. Its attributes are
keyed by the path of headers above them, outermost first; a header that spans several levels counts once. In tables with
headers on both sides the headers on the left name the record; the label in the corner, which names *them*, goes first
(the paper's ``Lodge.Adult.Single bed``). Labels of sections inside the body go before everything.

Paper: OntoMiner 4.2.2 (Data Extractor)
"""

import re
from collections.abc import Iterator, Sequence

from sitestrata.model import DataTable, TableValue
from sitestrata.partition.tables.headers import header_rows
from sitestrata.partition.tables.values import Value, decimal_mark, read_value

__all__ = ["PATH_SEPARATOR", "RECORD_KEY", "records_of", "values_of"]

PATH_SEPARATOR = "."  # OntoMiner, Table 4
RECORD_KEY = ""  # under which a record carries its own header path

_UNIT_IN_HEADER = re.compile(r"[(\[（［]\s*([^()\[\]（）［］]{1,12}?)\s*[)\]）］]\s*$")


def values_of(table: DataTable, *, language: str | None = None) -> list[TableValue]:
    """Return the data cells of a table, record by record, with their header paths and typed values.

    The language of its page tells how to read numbers that may be read in two ways.
    """
    if not table.is_data or not table.grid:
        return []
    decimal = decimal_mark((text for row in table.grid for text in row), language=language)
    return list(_column_records(table, decimal) if _is_turned(table) else _row_records(table, decimal))


def records_of(table: DataTable) -> list[dict[str, str | list[str]]]:
    """Return the records of a table as plain dictionaries from header path to text.

    An attribute without header goes by its number, from 1; a header path that occurs several times holds a list. Where
    headers name the record itself, its path stands under RECORD_KEY.
    """
    records: dict[int, dict[str, str | list[str]]] = {}
    for value in values_of(table):
        record = records.setdefault(value.record, {})
        if value.record_path:
            record[RECORD_KEY] = PATH_SEPARATOR.join(value.record_path)
        key = PATH_SEPARATOR.join(value.path) or str(value.attribute + 1)
        if key not in record:
            record[key] = value.value
        else:
            before = record[key]
            record[key] = [*(before if isinstance(before, list) else [before]), value.value]
    return list(records.values())


def _is_turned(table: DataTable) -> bool:
    return table.orientation in ("row", "multi-header-row")


def _row_records(table: DataTable, decimal: str | None) -> Iterator[TableValue]:
    units = next((row for row, role in enumerate(table.row_roles) if role == "unit"), None)
    left = len(_header_columns(table))
    top: tuple[int, ...] = ()
    paths: list[tuple[str, ...]] = [()] * table.columns
    corner: tuple[str, ...] = ()
    section: tuple[str, ...] = ()
    record = 0
    for row, (role, above) in enumerate(zip(table.row_roles, header_rows(table.row_roles), strict=True)):
        if role == "section":
            section = _path([table.grid[row][0]])
            continue
        if role not in ("data", "total"):
            continue
        if above != top:
            top = above
            corner = _path(table.grid[row][column] for row in top for column in range(left))
            paths = [_path(table.grid[row][column] for row in top) for column in range(table.columns)]
        cells = table.grid[row]
        named = _path(cells[column] for column in range(left))
        record_path = (*section, *corner, *named) if left else section
        for attribute, column in enumerate(range(left, table.columns)):
            unit = table.grid[units][column] if units is not None else None
            yield _value(table, record, attribute, record_path, paths[column], cells[column], unit, decimal)
        record += 1


def _column_records(table: DataTable, decimal: str | None) -> Iterator[TableValue]:
    columns = _header_columns(table)
    left = len(columns)
    if columns != set(range(left)):  # labels and values in turn
        yield from _paired_record(table, columns, decimal)
        return
    paths: list[tuple[int, tuple[str, ...]]] = []
    section: tuple[str, ...] = ()
    for row, role in enumerate(table.row_roles):
        if role == "section":
            section = _path([table.grid[row][0]])
        elif role in ("data", "total"):
            paths.append((row, (*section, *_path(table.grid[row][column] for column in range(left)))))
    for record, column in enumerate(range(left, table.columns)):
        for attribute, (row, path) in enumerate(paths):
            yield _value(table, record, attribute, (), path, table.grid[row][column], None, decimal)


def _paired_record(table: DataTable, labels: set[int], decimal: str | None) -> Iterator[TableValue]:
    """Read a table whose columns are labels and values in turn: one record, row by row."""
    section: tuple[str, ...] = ()
    attribute = 0
    for role, cells in zip(table.row_roles, table.grid, strict=True):
        if role == "section":
            section = _path([cells[0]])
        if role not in ("data", "total"):
            continue
        path = section
        for column, text in enumerate(cells):
            if column and text == cells[column - 1]:
                continue  # one cell over both
            if column in labels:
                path = (*section, *_path([text]))
            elif text:
                yield _value(table, 0, attribute, (), path, text, None, decimal)
                attribute += 1


def _header_columns(table: DataTable) -> set[int]:
    """Return the header columns: those with headers in rows that hold data."""
    return {column for row, column in table.header_cells if table.row_roles[row] in ("data", "total")}


def _path(labels: Iterator[str] | Sequence[str]) -> tuple[str, ...]:
    """Return the labels without empty ones; a label that repeats the one before it is the same spanning cell."""
    path: list[str] = []
    for label in labels:
        if label and (not path or path[-1] != label):
            path.append(label)
    return tuple(path)


def _value(
    table: DataTable,
    record: int,
    attribute: int,
    record_path: tuple[str, ...],
    path: tuple[str, ...],
    text: str,
    unit: str | None,
    decimal: str | None,
) -> TableValue:
    value = read_value(text, decimal)
    if value.kind == "number" and (measure := _measure(path, unit)):
        value = Value("percent" if measure in "%‰" else "quantity", value.number, measure)
    return TableValue(
        page=table.page,
        index=table.index,
        record=record,
        attribute=attribute,
        record_path=record_path,
        path=path,
        value=text,
        kind=value.kind,
        number=value.number,
        unit=value.unit,
        date=value.date,
    )


def _measure(path: tuple[str, ...], unit: str | None) -> str | None:
    """Return the unit that a unit row or the header itself gives in brackets."""
    if unit:
        return unit.strip("()[]（）［］ ") or None
    match = _UNIT_IN_HEADER.search(path[-1]) if path else None
    return match[1] if match and not any(char.isdecimal() for char in match[1]) else None
