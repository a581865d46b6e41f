"""Pieces of a stage's work done by a crew: cut where they fail, tried again, and given up only when they are one page.

Every engine that has pages and groups done by processes does it here, so that whatever a page does to the process that
reads it (crash, hang, take all memory) it becomes the same reject.
"""

import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import pyarrow as pa

from sitestrata.model import Reject, table_from_records
from sitestrata.run.crew import Crew, Failure, Job
from sitestrata.run.engine import Bodies, Made, Step, shard_name, write_rows
from sitestrata.run.groups import group_job, neighbourhood_job, reject_piece
from sitestrata.run.jobs import PARTS, finish_index, finish_pages, index_job, join_job, page_job, part_job
from sitestrata.run.manifest import Input
from sitestrata.run.page_pass import GROUP_PAGES
from sitestrata.run.storage import FileReader
from sitestrata.sources.parts import Border, Part, cut_source

__all__ = [
    "CHUNK_PAGES",
    "GROUP_SECONDS",
    "PAGE_SECONDS",
    "SOURCE_SECONDS",
    "PartOutcome",
    "add_made",
    "chunk_bytes",
    "cut_chunks",
    "cut_inputs",
    "do_centres",
    "do_groups",
    "do_joins",
    "do_pages",
    "do_parts",
    "do_sources",
]

CHUNK_PAGES = 1000  # also what a kill costs at most, per worker
CHUNK_BYTES = 64 << 20  # of decoded bodies
# A worker holds the rows of a whole chunk; links with their paths and labels take a few times the page's bytes.
ROWS_PER_BODY = 16
PAGE_SECONDS = 60.0  # a page takes about a millisecond; the slowest honest one seen took less than two seconds
GROUP_SECONDS = 3600.0  # one group may be a site of a million pages
SOURCE_SECONDS = 600.0  # between two records of a source
PART_BYTES = 32 << 20  # of a file that one worker reads at a time

_Rows = TypeVar("_Rows", pa.Table, pa.Array)
PartOutcome = tuple[Border, tuple[Reject, ...]] | None  # None: it could not be read by itself


def do_sources(
    crew: Crew, step: Step, inputs: Iterable[Input], *, part_bytes: int = PART_BYTES
) -> Iterator[tuple[str, str]]:
    """Index each input in a process of its own, a large one in several; yield names and digests as they are done."""
    shutil.rmtree(step.folder / PARTS, ignore_errors=True)  # of a run that was killed
    pieces = cut_inputs(inputs, part_bytes if crew.size > 1 else 0)
    counts = Counter(item.source.name for item, _ in pieces)
    outcomes: dict[str, dict[Part, PartOutcome]] = {}
    joins: list[tuple[Input, dict[Part, PartOutcome]]] = []
    for item, part, outcome in do_parts(crew, step, pieces):
        name = item.source.name
        if part is None:
            yield name, outcome
            continue
        done = outcomes.setdefault(name, {})
        done[part] = outcome
        if len(done) == counts[name]:
            joins.append((item, outcomes.pop(name)))
    yield from do_joins(crew, step, joins)
    shutil.rmtree(step.folder / PARTS, ignore_errors=True)


def cut_inputs(inputs: Iterable[Input], part_bytes: int) -> list[tuple[Input, Part | None]]:
    """Return the pieces that inputs are read in: parts of large ones (none if ``part_bytes`` is 0), others whole."""
    whole: list[Part | None] = [None]
    return [(item, part) for item in inputs for part in cut_source(item.source, part_bytes) or whole]


def do_parts(
    crew: Crew, step: Step, pieces: Iterable[tuple[Input, Part | None]]
) -> Iterator[tuple[Input, Part | None, Any]]:
    """Index inputs, yielding their digests, and parts of inputs, yielding what `do_joins` takes."""
    run = step.stage.run

    def job(item: Input, part: Part | None) -> Job:
        if part is None:
            return Job(index_job, (run, item, step.options, step.folder), (item, part))
        return Job(part_job, (run, item, part, step.options, step.folder), (item, part))

    for done, outcome in crew.run(job(*piece) for piece in pieces):
        item, part = done.about
        if part is None:
            yield item, part, _source_digest(step, item, outcome)
        else:
            yield item, part, None if isinstance(outcome, Failure) else outcome


def do_joins(
    crew: Crew, step: Step, inputs: Iterable[tuple[Input, Mapping[Part, PartOutcome]]]
) -> Iterator[tuple[str, str]]:
    """Put inputs together from their parts; yield names and digests."""

    def job(item: Input, outcomes: Mapping[Part, PartOutcome]) -> Job:
        parts = sorted(outcomes, key=lambda part: part.begin)
        found = [outcomes[part] for part in parts]
        return Job(join_job, (step.stage.run, item, parts, found, step.options, step.folder), item)

    for done, outcome in crew.run(job(*one) for one in inputs):
        yield done.about.source.name, _source_digest(step, done.about, outcome)


def do_pages(crew: Crew, step: Step, chunks: Iterable[pa.Table], bodies: Bodies) -> Iterator[tuple[Made, int]]:
    """Parse chunks of pages; yield the files of each and the number of its pages."""
    stage = step.stage

    def job(chunk: pa.Table) -> Job:
        return Job(page_job, (stage.run, stage.merges, chunk, bodies, step.options, step.folder), chunk)

    def again(failed: Job, failure: Failure) -> Iterator[Job]:
        yield from map(job, _around(failed.about, failure.position, at_once=GROUP_PAGES))

    for done, outcome in crew.run(map(job, chunks), again=again):
        if isinstance(outcome, Failure):  # a single page, or again() would have cut it
            outcome = _reject_page(step, done.about, outcome)
        yield outcome, done.about.num_rows


def do_groups(
    crew: Crew, step: Step, pieces: Iterable[tuple[pa.Array, Mapping[str, Path]]]
) -> Iterator[tuple[Made, int]]:
    """Run a stage on groups, given the files of their rows; yield the files it made and the number of groups."""
    tables = (*step.stage.needs, step.stage.by)

    def job(groups: pa.Array, files: Mapping[str, Path]) -> Job:
        return Job(group_job, (step.stage.run, groups, files, tables, step.options, step.folder), (groups, files))

    def again(failed: Job, failure: Failure) -> Iterator[Job]:
        groups, files = failed.about
        yield from (job(part, files) for part in _around(groups, failure.position))

    yield from _outcomes(crew, step, (job(*piece) for piece in pieces), again)


def do_centres(crew: Crew, step: Step, pieces: Iterable[tuple[pa.Array, FileReader]]) -> Iterator[tuple[Made, int]]:
    """Run a stage on the neighbourhoods of some centre pages; yield files and the number of centres."""

    def job(centres: pa.Array, reader: FileReader) -> Job:
        arguments = (step.stage.run, centres, step.stage.by, reader, step.options, step.folder)
        return Job(neighbourhood_job, arguments, (centres, reader))

    def again(failed: Job, failure: Failure) -> Iterator[Job]:
        centres, reader = failed.about
        yield from (job(part, reader) for part in _around(centres, failure.position))

    yield from _outcomes(crew, step, (job(*piece) for piece in pieces), again)


def chunk_bytes(memory_limit: int) -> int:
    """Return how many bytes of bodies a worker of so much memory may read before it writes their rows."""
    return min(CHUNK_BYTES, memory_limit // ROWS_PER_BODY)


def cut_chunks(captures: Iterable[pa.RecordBatch], *, pages: int, size: int) -> Iterator[pa.Table]:
    """Cut a stream of captures into chunks of at most so many pages and bytes (or a single page)."""
    for batch in captures:
        begin, total = 0, 0
        for index, length in enumerate(batch.column("size").to_pylist()):
            if index > begin and (index - begin >= pages or total + length > size):
                yield pa.Table.from_batches([batch.slice(begin, index - begin)])
                begin, total = index, 0
            total += length
        if batch.num_rows > begin:
            yield pa.Table.from_batches([batch.slice(begin)])


def add_made(made: Made, more: Mapping[str, Sequence[Path]]) -> None:
    """Add the files of a piece to those of its stage."""
    for table, paths in more.items():
        made.setdefault(table, []).extend(paths)


def _outcomes(
    crew: Crew, step: Step, jobs: Iterable[Job], again: Callable[[Job, Failure], Iterable[Job]]
) -> Iterator[tuple[Made, int]]:
    for done, outcome in crew.run(jobs, again=again):
        piece = done.about[0]
        if isinstance(outcome, Failure):
            outcome = reject_piece(step, piece, outcome.reason, outcome.detail)
        yield outcome, len(piece)


def _around(chunk: _Rows, position: int, *, at_once: int = 1) -> list[_Rows]:
    """Cut a chunk that failed into what came before the suspects, each suspect, and the rest; nothing for one page.

    Suspects are those that were worked at together (``at_once``), the last of which stood at ``position``.
    """
    if len(chunk) == 1:
        return []
    if not 0 <= position < len(chunk):
        position = len(chunk) // 2
    first = max(position + 1 - at_once, 0)
    pieces: list[_Rows] = [chunk.slice(0, first)]
    pieces += [chunk.slice(number, 1) for number in range(first, position + 1)]
    pieces.append(chunk.slice(position + 1))
    return [piece for piece in pieces if len(piece)]


def _reject_page(step: Step, chunk: pa.Table, failure: Failure) -> Made:
    row = chunk.to_pylist()[0]
    reject = Reject(row["url"], step.stage.name, failure.reason, f"The page was left out: {failure.detail}.")
    return finish_pages(step.folder, chunk, {"rejects": table_from_records("rejects", [reject])})


def _source_digest(step: Step, item: Input, outcome: Any) -> str:
    """Return the digest of what was read from a source; for one that failed, leave a reject in its place."""
    if not isinstance(outcome, Failure):
        digest: str = outcome
        return digest
    reject = Reject(item.source.name, step.stage.name, outcome.reason, f"The source was left out: {outcome.detail}.")
    shard, rows = shard_name(item.source.name), {"rejects": table_from_records("rejects", [reject])}
    write_rows(step.folder, shard, rows)
    finish_index(step.folder, item, outcome.reason)
    return outcome.reason
