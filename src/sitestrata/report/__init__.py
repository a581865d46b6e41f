"""Reads a workspace and shows it; never mines."""

from sitestrata.report.html import SECTIONS, write_report

__all__ = ["SECTIONS", "write_report"]
