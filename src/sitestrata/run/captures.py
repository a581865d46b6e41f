"""All that was indexed -> the captures of the collection, and which of them are to be parsed."""

from collections.abc import Iterator
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc

from sitestrata.model import TableReader, table_from_records
from sitestrata.run.storage import CHOSEN, INDEXED
from sitestrata.run.versions import number_versions
from sitestrata.sources import Policy, choose_captures, resolve_revisits

__all__ = ["CaptureOptions", "find_captures"]

_PLACE = ["url_id", "source", "offset", "version"]
_CHOICE = ["url_id", "source", "offset", "status", "is_html", "fetched_at"]


@dataclass(frozen=True, slots=True)
class CaptureOptions:
    """What to do with several captures of one URL."""

    captures: Policy = "last"  # which capture of a URL counts


def find_captures(tables: TableReader, options: CaptureOptions) -> dict[str, pa.Table | Iterator[pa.RecordBatch]]:
    """Resolve revisits over the whole collection, and choose the captures to parse."""
    kinds = tables.read(INDEXED, ["record_type"])["record_type"]
    if not pc.any(pc.equal(kinds, "revisit")).as_py():  # nothing to resolve: no need to hold the table
        chosen = choose_captures(tables.read(INDEXED, _CHOICE), options.captures)
        return {"captures": tables.batches(INDEXED), CHOSEN: number_versions(chosen).select(_PLACE)}
    captures, rejects = resolve_revisits(tables.read(INDEXED))
    chosen = choose_captures(captures.select(_CHOICE), options.captures)
    return {
        "captures": captures,
        CHOSEN: number_versions(chosen).select(_PLACE),
        "rejects": table_from_records("rejects", rejects),
    }
