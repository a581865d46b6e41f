"""What crosses a stage border: frozen records and the Arrow schemas of the tables that hold them."""

from sitestrata.model.records import (
    Alias,
    Boundary,
    Capture,
    Crumb,
    DataTable,
    Link,
    LinkSegment,
    Objective,
    Page,
    Reject,
    Site,
    TableValue,
    TreeNode,
    Want,
)
from sitestrata.model.tables import TABLES, Table, TableReader, table_from_records

__all__ = [
    "TABLES",
    "Alias",
    "Boundary",
    "Capture",
    "Crumb",
    "DataTable",
    "Link",
    "LinkSegment",
    "Objective",
    "Page",
    "Reject",
    "Site",
    "Table",
    "TableReader",
    "TableValue",
    "TreeNode",
    "Want",
    "table_from_records",
]
