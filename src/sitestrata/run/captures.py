"""All that was indexed -> the captures of the collection, and which of them are to be parsed."""

from dataclasses import dataclass

import pyarrow as pa

from sitestrata.model import TableReader, table_from_records
from sitestrata.run.storage import CHOSEN, INDEXED
from sitestrata.sources import Policy, choose_captures, resolve_revisits

__all__ = ["CaptureOptions", "find_captures"]


@dataclass(frozen=True, slots=True)
class CaptureOptions:
    """What to do with several captures of one URL."""

    captures: Policy = "last"  # which capture of a URL counts


def find_captures(tables: TableReader, options: CaptureOptions) -> dict[str, pa.Table]:
    """Resolve revisits over the whole collection, and choose the captures to parse."""
    captures, rejects = resolve_revisits(tables.read(INDEXED))
    chosen = choose_captures(captures, options.captures)
    return {
        "captures": captures,
        CHOSEN: chosen.select(["url_id", "source", "offset"]),
        "rejects": table_from_records("rejects", rejects),
    }
