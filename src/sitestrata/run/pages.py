"""Bookkeeping of the page pass: which of the chosen captures are still to be parsed, and which shards may stay.

A shard is good as long as every capture in it is still chosen. So an interrupted pass goes on where it was, and new
input only brings its own pages; a shard of which a page was superseded by a newer capture is done again.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from sitestrata.model import TABLES
from sitestrata.run.engine import Step
from sitestrata.run.storage import CHOSEN, PARSED, FileReader, write_file

__all__ = ["MERGED", "STALE", "WANTED", "Todo", "pages_to_do", "write_merged"]

STREAM_ROWS = 10_000  # captures that are handed on at a time
PART_ROWS = 16_384  # captures that are compared at a time
MERGED_ROWS = 200_000  # addresses that are sorted at a time
# What is compared and sorted beyond that goes through the disk, so that a pass takes the same memory however many pages
# there are.
QUERY_MEMORY = 64 << 20  # bytes
QUERY_THREADS = 1


@dataclass(frozen=True, slots=True)
class Todo:
    """What is left of a page pass."""

    good: frozenset[str]  # shards that may stay
    count: int  # captures to be parsed
    total: int  # captures that are chosen
    reader: FileReader

    def captures(self) -> Iterator[pa.RecordBatch]:
        """Stream the captures to be parsed, about in the order in which their bodies lie in the sources."""
        with self.reader.connect() as connection:
            for part in _parts(self.reader.batches("captures")):
                connection.register("part", part)
                source, offset = (pc.min_max(part[name]) for name in ("source", "offset"))
                place = {"low": source["min"].as_py(), "high": source["max"].as_py()}
                place |= {"first": offset["min"].as_py(), "last": offset["max"].as_py()}
                rows = connection.sql(_WANTED_OF_PART, params=place)
                yield from rows.to_arrow_reader(STREAM_ROWS)


def _parts(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.Table]:
    """Put batches together to parts of a bounded number of rows."""
    waiting: list[pa.RecordBatch] = []
    for batch in batches:
        waiting.append(batch)
        if sum(some.num_rows for some in waiting) >= PART_ROWS:
            yield pa.Table.from_batches(waiting)
            waiting = []
    if waiting:
        yield pa.Table.from_batches(waiting)


def pages_to_do(reader: FileReader, shards: Sequence[Path]) -> Todo:
    """Compare what is chosen with what the shards (files of the table ``_parsed``) hold."""
    reader = reader.bounded(QUERY_MEMORY, threads=QUERY_THREADS)
    known = reader.with_files({PARSED: shards})
    with known.connect() as connection:
        stale = {name for (name,) in connection.sql(STALE).fetchall()} if shards else set()
    good = [path for path in shards if str(path) not in stale]
    rest = reader.with_files({PARSED: good})
    with rest.connect() as connection:
        ((total,),) = connection.sql(f'SELECT count(*) FROM "{CHOSEN}"').fetchall()  # noqa: S608
        ((done,),) = connection.sql(f'SELECT count(*) FROM "{PARSED}"').fetchall()  # noqa: S608
    return Todo(frozenset(path.stem.rpartition("-")[2] for path in good), total - done, total, rest)


def write_merged(step: Step, table: str, files: Sequence[Path]) -> list[Path]:
    """Write the rows of a table that several shards may have named, each once, sorted."""
    path = step.folder / table / "all.parquet"
    raw = step.reader.bounded(QUERY_MEMORY, threads=QUERY_THREADS).with_files({f"_{table}": files})
    write_file(path, table, _merged(raw, table))
    return [path]


def _merged(reader: FileReader, table: str) -> Iterator[pa.RecordBatch]:
    """Stream the distinct rows of a table by id, part by part: ids are hashes, so parts of their range are even."""
    key = TABLES[table].key[0]
    with reader.connect() as connection:
        ((count,),) = connection.sql(f'SELECT count(*) FROM "_{table}"').fetchall()  # noqa: S608
        parts = -(-count // MERGED_ROWS) or 1
        edges = [part * 2**64 // parts - 2**63 for part in range(parts + 1)]
        for low, high in pairwise(edges):
            some = f'(SELECT * FROM "_{table}" WHERE {key} BETWEEN {low} AND {high - 1})'  # noqa: S608
            yield from connection.sql(MERGED.format(rows=some)).to_arrow_reader(STREAM_ROWS)


_SAME = "c.url_id = p.url_id AND c.source = p.source AND c.offset = p.offset AND c.version = p.version"
# In the SQL that DuckDB and Spark share. A shard is stale if a capture of it is no longer chosen, or is in an earlier
# shard too: two attempts at a task may have cut their captures differently.
STALE = f"""
    SELECT DISTINCT filename FROM "{PARSED}" p
    WHERE NOT EXISTS (SELECT 1 FROM "{CHOSEN}" c WHERE {_SAME})
    OR EXISTS (
        SELECT 1 FROM (
            SELECT url_id, source, "offset", version, min(filename) AS first
            FROM "{PARSED}" GROUP BY 1, 2, 3, 4 HAVING count(*) > 1
        ) c WHERE {_SAME} AND c.first < p.filename
    )
"""  # noqa: S608
MERGED = "SELECT DISTINCT * FROM {rows} ORDER BY ALL"
_QUERY = f"""
    SELECT c.* FROM (
        SELECT t.*, h.version FROM {{captures}} t
        JOIN {{chosen}} h ON t.url_id = h.url_id AND t.source = h.source AND t.offset = h.offset
    ) c
    ANTI JOIN {{parsed}} p ON {_SAME}
    ORDER BY coalesce(c.original_source, c.source), coalesce(c.original_offset, c.offset), c.url_id
"""  # noqa: S608
WANTED = _QUERY.format(captures="captures", chosen=f'"{CHOSEN}"', parsed=f'"{PARSED}"')
# Chosen and parsed captures of the part's sources and offsets only: what lies elsewhere need not be held.
_NEAR = '(SELECT * FROM "{}" WHERE source BETWEEN $low AND $high AND "offset" BETWEEN $first AND $last)'
_WANTED_OF_PART = _QUERY.format(captures="part", chosen=_NEAR.format(CHOSEN), parsed=_NEAR.format(PARSED))
