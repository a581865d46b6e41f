"""What crosses a stage border: frozen records and the Arrow schemas of the tables that hold them."""

from sitestrata.model.records import Alias, Capture, Crumb, Link, LinkSegment, Page, Reject
from sitestrata.model.tables import TABLES, Table, TableReader, table_from_records

__all__ = [
    "TABLES",
    "Alias",
    "Capture",
    "Crumb",
    "Link",
    "LinkSegment",
    "Page",
    "Reject",
    "Table",
    "TableReader",
    "table_from_records",
]
