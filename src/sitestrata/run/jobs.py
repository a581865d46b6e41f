"""What a worker process does: index one source or a part of it, or parse one chunk of pages. Each job writes one shard.

What `join_job` makes of the parts of a source is the very file that `index_job` would have written.
"""

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
from sitestrata.run.storage import INDEXED, PARSED, FileReader, column_bytes, schema_of
from sitestrata.run.versions import rows_of_version
from sitestrata.run.worker import Tick, WriteError
from sitestrata.sources import captures_of, read_bodies, read_jobs
from sitestrata.sources.index import join_rejects
from sitestrata.sources.parts import Border, Part, parts_agree

__all__ = [
    "PARTS",
    "finish_index",
    "finish_pages",
    "index_job",
    "join_job",
    "page_job",
    "part_job",
    "read_markers",
    "written",
]

BATCH = 4096  # captures that are held before they are written
PARTS = "parts"  # folder of what was read of parts, until they are joined


def index_job(
    run: Callable[..., Iterable[Capture | Reject]], item: Input, options: Any, folder: Path, tick: Tick
) -> str:
    """Index one input; return the digest of what was read from it."""
    rejects: list[Reject] = []
    rows = _captures(run(item.source, options), rejects, tick)
    return _write_index(folder, item, rows, rejects)


def part_job(
    run: Callable[..., Iterable[Capture | Reject]], item: Input, part: Part, options: Any, folder: Path, tick: Tick
) -> tuple[Border, tuple[Reject, ...]]:
    """Index a part of one input; return how it fits to the others, and its rejects."""
    rejects: list[Reject] = []
    border = Border()
    rows = _captures(run(item.source, options, part=part, border=border), rejects, tick)
    written(folder / PARTS, _part_shard(item, part), {INDEXED: rows})
    return border, tuple(rejects)


def join_job(
    run: Callable[..., Iterable[Capture | Reject]],
    item: Input,
    parts: Sequence[Part],
    outcomes: Sequence[tuple[Border, tuple[Reject, ...]] | None],
    options: Any,
    folder: Path,
    tick: Tick,
) -> str:
    """Make of the parts of one input what `index_job` would; where they do not fit, or one failed, begin anew."""
    files = [folder / PARTS / INDEXED / f"{_part_shard(item, part)}.parquet" for part in parts]
    done = [outcome for outcome in outcomes if outcome is not None]
    if len(done) == len(parts) and parts_agree(parts, [border for border, _ in done]):
        rejects = join_rejects(item.source, done)
        digest = _write_index(folder, item, _stored([path for path in files if path.exists()], tick), rejects)
    else:
        digest = index_job(run, item, options, folder, tick)
    for path in files:
        path.unlink(missing_ok=True)
    return digest


def _part_shard(item: Input, part: Part) -> str:
    return shard_name(item.source.name, item.size, item.modified, part.begin, part.end)


def _captures(found: Iterable[Capture | Reject], rejects: list[Reject], tick: Tick) -> Iterator[pa.Table]:
    """Yield captures as tables of `BATCH` rows (the last has fewer), and note rejects."""
    captures: list[Capture] = []
    for position, item in enumerate(found):
        tick(position)
        if isinstance(item, Reject):
            rejects.append(item)
        else:
            captures.append(item)
        if len(captures) == BATCH:
            yield table_from_records("captures", captures)
            captures.clear()
    yield table_from_records("captures", captures)


def _stored(files: Sequence[Path], tick: Tick) -> Iterator[pa.Table]:
    """Yield the captures of some files as tables of `BATCH` rows (the last has fewer)."""
    waiting = schema_of(INDEXED).empty_table()
    for position, batch in enumerate(FileReader({INDEXED: files}).batches(INDEXED)):
        tick(position)
        waiting = pa.concat_tables([waiting, pa.Table.from_batches([batch])])
        while waiting.num_rows >= BATCH:
            yield waiting.slice(0, BATCH)
            waiting = waiting.slice(BATCH)
    yield waiting


def _write_index(folder: Path, item: Input, captures: Iterator[pa.Table], rejects: list[Reject]) -> str:
    """Write what was read from one input; return the digest of it. ``rejects`` is read when ``captures`` has ended."""
    digest = blake2b(digest_size=16)
    shard = shard_name(item.source.name)
    written(folder, shard, {INDEXED: (batch for rows in captures for batch in _digested(rows, digest))})
    written(folder, shard, {"rejects": _digested(table_from_records("rejects", rejects), digest)})
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


def _digested(rows: pa.Table, digest: Any) -> Iterator[pa.RecordBatch]:
    for column in rows.column_names:
        # Not the name of the file: the same content elsewhere is the same input.
        if column not in ("source", "input"):
            for content in column_bytes(rows[column]):
                digest.update(content)
    yield from rows.to_batches()
