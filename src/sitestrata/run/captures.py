"""All that was indexed -> the captures of the collection, and which of them are to be parsed."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise

import pyarrow as pa
import pyarrow.compute as pc

from sitestrata.identity.tables import REDIRECTS
from sitestrata.model import TableReader, table_from_records
from sitestrata.run.storage import CHOSEN, INDEXED, schema_of
from sitestrata.run.versions import number_versions
from sitestrata.sources import Policy, choose_captures, resolve_revisits
from sitestrata.urls import url_id

__all__ = ["CaptureOptions", "find_captures"]

PART_ROWS = 50_000  # captures that are compared at a time; bounds memory however many there are
_PLACE = ["url_id", "source", "offset", "version"]
_LEADS = ["url_id", "status", "location"]
_CHOICE = ["url_id", "source", "offset", "status", "is_html", "fetched_at"]


@dataclass(frozen=True, slots=True)
class CaptureOptions:
    """What to do with several captures of one URL."""

    captures: Policy = "last"  # which capture of a URL counts


def find_captures(tables: TableReader, options: CaptureOptions) -> dict[str, pa.Table | Iterator[pa.RecordBatch]]:
    """Resolve revisits over the whole collection, and choose the captures to parse."""
    (found,) = tables.query(_COUNTS).to_pylist()
    if not found["revisits"]:  # nothing to resolve: no need to hold the table
        return {
            "captures": tables.batches(INDEXED),
            CHOSEN: _choose(tables, found["captures"], options.captures),
            REDIRECTS: _redirects(tables.batches(INDEXED, _LEADS)),
        }
    captures, rejects = resolve_revisits(tables.read(INDEXED))
    chosen = choose_captures(captures.select(_CHOICE), options.captures)
    return {
        "captures": captures,
        CHOSEN: number_versions(chosen).select(_PLACE),
        REDIRECTS: _redirects(captures.select(_LEADS).to_batches()),
        "rejects": table_from_records("rejects", rejects),
    }


def _redirects(captures: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Yield the addresses that redirects name."""
    for batch in captures:
        leads = batch.filter(pc.and_(pc.equal(pc.divide(batch["status"], 100), 3), pc.is_valid(batch["location"])))
        named = pa.array(map(url_id, leads["location"].to_pylist()), pa.int64())
        yield pa.record_batch([named, leads["location"], leads["url_id"]], schema=schema_of(REDIRECTS))


def _choose(tables: TableReader, count: int, policy: Policy) -> Iterator[pa.RecordBatch]:
    """Choose among the captures of each address, part by part; ids are hashes, so parts of their range are even."""
    parts = -(-count // PART_ROWS) or 1
    edges = [part * 2**64 // parts - 2**63 for part in range(parts + 1)]
    for low, high in pairwise(edges):
        columns = ", ".join(f"c.{name}" for name in _CHOICE)
        where = f"c.url_id BETWEEN {low} AND {high - 1}"
        some = tables.query(f"SELECT {columns} FROM {INDEXED} c WHERE {where}")  # noqa: S608 - our own names
        yield from number_versions(choose_captures(some, policy)).select(_PLACE).to_batches()


_COUNTS = f"""
    SELECT count(*) AS captures, sum(CASE WHEN record_type = 'revisit' THEN 1 ELSE 0 END) AS revisits FROM {INDEXED}
"""  # noqa: S608
