"""The tables of a page: detection, orientation, header cells, records (OntoMiner 4.2)."""

from sitestrata.partition.tables.find import TableOptions, data_grids, find_tables, read_tables
from sitestrata.partition.tables.records import PATH_SEPARATOR, RECORD_KEY, records_of, values_of
from sitestrata.partition.tables.values import Value, read_value

__all__ = [
    "PATH_SEPARATOR",
    "RECORD_KEY",
    "TableOptions",
    "Value",
    "data_grids",
    "find_tables",
    "read_tables",
    "read_value",
    "records_of",
    "values_of",
]
