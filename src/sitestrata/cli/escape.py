"""What the commands print goes through these; exports and the report use the same."""

from sitestrata.export.escape import json_text, spreadsheet_cell, visible

__all__ = ["json_text", "spreadsheet_cell", "visible"]
