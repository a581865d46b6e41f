"""What a worker process does: index one source, or parse one chunk of pages. Each job writes one shard."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any
from uuid import uuid4

import pyarrow as pa
import pyarrow.compute as pc

from sitestrata.model import Capture, Reject, table_from_records
from sitestrata.run.engine import Bodies, Made, shard_name, write_rows
from sitestrata.run.manifest import Input
from sitestrata.run.storage import INDEXED, PARSED, column_bytes, schema_of
from sitestrata.run.versions import rows_of_version
from sitestrata.run.worker import Tick, WriteError
from sitestrata.sources import captures_of, read_bodies, read_jobs

__all__ = ["finish_index", "finish_pages", "index_job", "page_job", "read_markers", "written"]

BATCH = 4096  # captures that are held before they are written


def index_job(
    run: Callable[..., Iterable[Capture | Reject]], item: Input, options: Any, folder: Path, tick: Tick
) -> str:
    """Index one input; return the digest of what was read from it."""
    source = item.source
    rejects: list[Reject] = []
    digest = blake2b(digest_size=16)

    def batches() -> Iterator[pa.RecordBatch]:
        captures: list[Capture] = []
        for position, found in enumerate(run(source, options)):
            tick(position)
            if isinstance(found, Reject):
                rejects.append(found)
            else:
                captures.append(found)
            if len(captures) == BATCH:
                yield from _batches("captures", captures, digest)
                captures.clear()
        yield from _batches("captures", captures, digest)

    shard = shard_name(source.name)
    written(folder, shard, {INDEXED: batches()})
    written(folder, shard, {"rejects": _batches("rejects", rejects, digest)})
    finish_index(folder, item, digest.hexdigest())
    return digest.hexdigest()


def finish_index(folder: Path, item: Input, digest: str) -> None:
    """Note, when everything else is on disk, that an input has been indexed as it is now."""
    marker = folder / f"{shard_name(item.source.name)}.done"
    temporary = marker.with_suffix(f".{uuid4().hex}.new")
    temporary.write_text(json.dumps([[item.source.name, item.size, item.modified], digest]), "utf-8")
    temporary.replace(marker)


def read_markers(folder: Path) -> dict[tuple[str, int, int], str]:
    """Return the digests of the inputs (by name, size and time) that an interrupted run has indexed."""
    content = [json.loads(marker.read_text("utf-8")) for marker in folder.glob("*.done")]
    return {(name, size, modified): digest for (name, size, modified), digest in content}


def page_job(
    run: Callable[..., Mapping[str, Any]],
    merges: Sequence[str],
    captures: pa.Table,
    bodies: Bodies,
    options: Any,
    folder: Path,
    tick: Tick,
) -> Made:
    """Parse the pages of some captures."""
    rejects: list[Reject] = []
    rows: dict[str, list[pa.RecordBatch]] = {}
    for version in sorted(set(captures["version"].to_pylist())):
        made = run(_bodies(captures, version, bodies, rejects, tick), options)
        for table, some in rows_of_version(version, made).items():
            rows.setdefault(table, []).extend(some)
    if rejects:
        rows.setdefault("rejects", []).extend(table_from_records("rejects", rejects).to_batches())
    for table in merges:
        rows[f"_{table}"] = rows.pop(table, [])
    return finish_pages(folder, captures, rows)


def finish_pages(folder: Path, captures: pa.Table, rows: Mapping[str, Any]) -> Made:
    """Write the rows of some captures and then, last of all, that these captures are dealt with."""
    places = captures.select(schema_of(PARSED).names)
    shard = shard_name(*(tuple(place.values()) for place in places.to_pylist()))
    made = written(folder, shard, rows)
    made.update(written(folder, shard, {PARSED: places}))
    return made


def written(folder: Path, shard: str, rows: Mapping[str, Any]) -> Made:
    """Write a shard; a full disk is nobody's fault but the disk's."""
    try:
        return write_rows(folder, shard, rows)
    except OSError as error:
        raise WriteError(f"Cannot write to {folder}: {error.strerror or error}") from error


def _bodies(
    captures: pa.Table, version: int, bodies: Bodies, rejects: list[Reject], tick: Tick
) -> Iterator[tuple[Capture, bytes]]:
    """Yield the captures of one version with their bodies, source by source, noting where we are before each."""
    places = captures.select(["url_id", "source", "offset"]).to_pylist()
    positions = {tuple(place.values()): number for number, place in enumerate(places)}
    chosen = captures.filter(pc.equal(captures["version"], version)).drop_columns(["version"])
    for source, some in read_jobs(bodies.sources, chosen, rows=captures.num_rows):
        for found in read_bodies(source, captures_of(some), bodies.limits, relocate=bodies.relocated):
            if isinstance(found, Reject):
                rejects.append(found)
                continue
            record = found[0]
            tick(positions[record.url_id, record.source, record.offset])
            yield found


def _batches(name: str, records: Sequence[Any], digest: Any) -> Iterator[pa.RecordBatch]:
    table = table_from_records(name, records)
    for column in table.column_names:
        # Not the name of the file: the same content elsewhere is the same input.
        if column not in ("source", "input"):
            for content in column_bytes(table[column]):
                digest.update(content)
    yield from table.to_batches()
