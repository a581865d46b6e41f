"""The engine for one machine: a few processes, bounded memory, one bad page never more than one reject.

Sources, pages and groups are cut into jobs for a `sitestrata.run.crew.Crew`; workers write their shards themselves, so
rows never pass through the parent. A job whose worker dies, hangs or runs out of memory is cut around the page it was
at and tried again, down to a single page; a page that fails alone becomes a reject.
"""

import itertools
import os
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import TypeVar

import numpy as np
import pyarrow as pa

from sitestrata.model import Reject, table_from_records
from sitestrata.run.crew import Crew, Failure, Job
from sitestrata.run.engine import Bodies, Made, Step, shard_name, write_rows
from sitestrata.run.groups import all_centres, all_groups, group_job, lay_out, neighbourhood_job, reject_piece
from sitestrata.run.jobs import finish_index, finish_pages, index_job, page_job
from sitestrata.run.manifest import Input
from sitestrata.run.page_pass import GROUP_PAGES
from sitestrata.run.storage import FileReader

__all__ = ["EmbeddedEngine", "default_memory_limit"]

CHUNK_PAGES = 1000  # also what a kill costs at most, per worker
CHUNK_BYTES = 64 << 20  # of decoded bodies
# A worker holds the rows of a whole chunk; links with their paths and labels take a few times the page's bytes.
ROWS_PER_BODY = 16
PAGE_SECONDS = 60.0  # a page takes about a millisecond; the slowest honest one seen took less than two seconds
GROUP_SECONDS = 3600.0  # one group may be a site of a million pages
CENTRES = 2000  # pages a neighbourhood job visits
PORTIONS = 4  # jobs a worker when there are many groups: the last to end should not keep the others waiting
LAID_OUT = "laid-out"
SOURCE_SECONDS = 600.0  # between two records of a source


_Rows = TypeVar("_Rows", pa.Table, pa.Array)


def default_memory_limit() -> int:
    """Return half of the machine's memory."""
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2


@dataclass(slots=True)
class EmbeddedEngine:
    """Runs stages in ``workers`` processes under a common memory limit (bytes)."""

    workers: int
    memory_limit: int
    page_seconds: float = PAGE_SECONDS
    chunk_pages: int = CHUNK_PAGES
    peak_memory: int = 0

    def sources(self, step: Step, inputs: Sequence[Input]) -> dict[str, str]:
        """Index each input in a process of its own."""
        jobs = (Job(index_job, (step.stage.run, item, step.options, step.folder), item) for item in inputs)
        digests: dict[str, str] = {}
        with self._crew(SOURCE_SECONDS) as crew:
            for job, outcome in crew.run(jobs):
                item: Input = job.about
                if isinstance(outcome, Failure):
                    outcome = _reject_source(step, item, outcome)
                digests[item.source.name] = outcome
                step.report(1)
        return digests

    def pages(self, step: Step, captures: Iterable[pa.RecordBatch], bodies: Bodies) -> Made:
        """Parse chunks of pages in parallel."""
        stage = step.stage

        def job(chunk: pa.Table) -> Job:
            return Job(page_job, (stage.run, stage.merges, chunk, bodies, step.options, step.folder), chunk)

        def again(failed: Job, failure: Failure) -> Iterator[Job]:
            yield from map(job, _around(failed.about, failure.position, at_once=GROUP_PAGES))

        made: Made = {}
        limit = min(CHUNK_BYTES, self.memory_limit // self.workers // ROWS_PER_BODY)
        with self._crew(self.page_seconds) as crew:
            for done, outcome in crew.run(map(job, chunks(captures, pages=self.chunk_pages, size=limit)), again=again):
                if isinstance(outcome, Failure):  # a single page, or again() would have cut it
                    outcome = _reject_page(step, done.about, outcome)
                _add(made, outcome)
                step.report(done.about.num_rows)
        return made

    def groups(self, step: Step) -> Made:
        """Run groups, or the neighbourhoods of some centres, in parallel."""
        stage = step.stage
        if stage.scope == "group":
            pieces = _portions(all_groups(step), self.workers)
            folders = lay_out(step, pieces, step.folder / LAID_OUT) if pieces else []
            jobs = [self._group_job(step, piece, folder) for piece, folder in zip(pieces, folders, strict=True)]
        else:
            jobs = [self._centre_job(step, piece) for piece in _slices(all_centres(step)["page"], CENTRES)]

        def again(failed: Job, failure: Failure) -> Iterator[Job]:
            piece, folder = failed.about
            for part in _around(piece, failure.position):
                yield self._group_job(step, part, folder) if folder else self._centre_job(step, part)

        made: Made = {}
        with self._crew(GROUP_SECONDS) as crew:
            for done, outcome in crew.run(jobs, again=again):
                piece = done.about[0]
                if isinstance(outcome, Failure):
                    outcome = reject_piece(step, piece, outcome.reason, outcome.detail)
                _add(made, outcome)
                step.report(len(piece))
        shutil.rmtree(step.folder / LAID_OUT, ignore_errors=True)
        return made

    def collection(self, step: Step) -> Made:
        """Run the stage here; it streams what is larger than memory."""
        return write_rows(step.folder, "all", step.stage.run(step.reader, step.options))

    def _group_job(self, step: Step, piece: pa.Array, folder: Path) -> Job:
        tables = (*step.stage.needs, step.stage.by)
        return Job(group_job, (step.stage.run, piece, folder, tables, step.options, step.folder), (piece, folder))

    def _centre_job(self, step: Step, piece: pa.Array) -> Job:
        reader = FileReader(
            {name: [Path(path) for path in paths] for name, paths in step.reader.files.items()},
            memory_limit=self.memory_limit // self.workers // 2,
            threads=1,
            spill=step.reader.spill,
        )
        arguments = (step.stage.run, piece, step.stage.by, reader, step.options, step.folder)
        return Job(neighbourhood_job, arguments, (piece, None))

    def _crew(self, seconds: float) -> "_CountedCrew":
        return _CountedCrew(self, seconds)


class _CountedCrew(Crew):
    """A crew that leaves its peak memory with the engine."""

    def __init__(self, engine: EmbeddedEngine, seconds: float) -> None:
        super().__init__(engine.workers, time_limit=seconds, memory_limit=engine.memory_limit // engine.workers)
        self._engine = engine

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        super().__exit__(kind, error, trace)
        self._engine.peak_memory = max(self._engine.peak_memory, self.peak_memory)


def chunks(captures: Iterable[pa.RecordBatch], *, pages: int, size: int) -> Iterator[pa.Table]:
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


def _slices(column: pa.ChunkedArray, size: int) -> list[pa.Array]:
    values = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    values = pa.concat_arrays(values.chunks) if isinstance(values, pa.ChunkedArray) else values
    return [values.slice(begin, size) for begin in range(0, len(values), size)]


def _portions(groups: pa.Table, workers: int) -> list[pa.Array]:
    """Cut groups, in order, into portions of about equal numbers of pages, a few for each worker."""
    if not groups.num_rows:
        return []
    pages = groups["pages"].to_numpy()
    goal = max(1, int(pages.sum()) // (PORTIONS * workers))
    portion = (pages.cumsum() - 1) // goal
    edges = [0, *(np.flatnonzero(np.diff(portion)) + 1).tolist(), groups.num_rows]
    values = pa.concat_arrays(groups["group"].chunks)
    return [values.slice(begin, end - begin) for begin, end in itertools.pairwise(edges)]


def _reject_page(step: Step, chunk: pa.Table, failure: Failure) -> Made:
    row = chunk.to_pylist()[0]
    reject = Reject(row["url"], step.stage.name, failure.reason, f"The page was left out: {failure.detail}.")
    return finish_pages(step.folder, chunk, {"rejects": table_from_records("rejects", [reject])})


def _reject_source(step: Step, item: Input, failure: Failure) -> str:
    reject = Reject(item.source.name, step.stage.name, failure.reason, f"The source was left out: {failure.detail}.")
    shard, rows = shard_name(item.source.name), {"rejects": table_from_records("rejects", [reject])}
    write_rows(step.folder, shard, rows)
    finish_index(step.folder, item, failure.reason)
    return failure.reason


def _add(made: Made, more: Mapping[str, Sequence[Path]]) -> None:
    for table, paths in more.items():
        made.setdefault(table, []).extend(paths)
