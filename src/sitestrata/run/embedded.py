"""The engine for one machine: a few processes, bounded memory, one bad page never more than one reject.

Sources, pages and groups are cut into jobs for a `sitestrata.run.crew.Crew`; workers write their shards themselves, so
rows never pass through the parent. A job whose worker dies, hangs or runs out of memory is cut around the page it was
at and tried again, down to a single page; a page that fails alone becomes a reject.
"""

import os
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

import pyarrow as pa
import pyarrow.compute as pc

from sitestrata.run.crew import Crew
from sitestrata.run.engine import Bodies, Made, Step, content_digest, write_rows
from sitestrata.run.groups import all_centres, all_groups, laid_out_regions, lay_out, portions, region_job
from sitestrata.run.manifest import Input
from sitestrata.run.pages import Todo, pages_to_do, write_merged
from sitestrata.run.pieces import (
    CHUNK_PAGES,
    GROUP_SECONDS,
    PAGE_SECONDS,
    SOURCE_SECONDS,
    add_made,
    chunk_bytes,
    cut_chunks,
    do_centres,
    do_groups,
    do_pages,
    do_sources,
)
from sitestrata.run.relations import run_relational

__all__ = ["EmbeddedEngine", "default_memory_limit"]

CENTRES = 2000  # pages a neighbourhood job visits
PORTIONS = 4  # jobs a worker when there are many groups: the last to end should not keep the others waiting
PORTION_PAGES = 20_000  # whose rows a job holds, or those of one group
LAID_OUT = "laid-out"


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
        digests: dict[str, str] = {}
        with self._crew(SOURCE_SECONDS) as crew:
            for name, digest in do_sources(crew, step, inputs):
                digests[name] = digest
                step.report(1)
        return digests

    def to_do(self, step: Step, shards: Sequence[Path]) -> Todo:
        """Compare what is chosen with what shards hold, here."""
        return pages_to_do(step.reader, shards)

    def pages(self, step: Step, todo: Todo, bodies: Bodies) -> Made:
        """Parse chunks of pages in parallel."""
        size = chunk_bytes(self.memory_limit // self.workers)
        with self._crew(self.page_seconds) as crew:
            chunks = cut_chunks(todo.captures(), pages=self.chunk_pages, size=size)
            return _gathered(step, do_pages(crew, step, chunks, bodies))

    def merge(self, step: Step, table: str, files: Sequence[Path]) -> list[Path]:
        """Sort the rows here, through the disk."""
        return write_merged(step, table, files)

    def groups(self, step: Step) -> Made:
        """Run groups, or the neighbourhoods of some centres, in parallel."""
        with self._crew(GROUP_SECONDS) as crew:
            if step.stage.scope == "group":
                groups = all_groups(step)
                goal = min(max(1, (pc.sum(groups["pages"]).as_py() or 0) // (PORTIONS * self.workers)), PORTION_PAGES)
                pieces = portions(groups, goal)
                files = lay_out(step, pieces, step.folder / LAID_OUT) if pieces else []
                made = _gathered(step, do_groups(crew, step, zip(pieces, files, strict=True)))
                shutil.rmtree(step.folder / LAID_OUT, ignore_errors=True)
                return made
            reader = step.reader.bounded(self.memory_limit // self.workers // 2, threads=1)
            centres = _slices(all_centres(step)["page"], CENTRES)
            return _gathered(step, do_centres(crew, step, ((piece, reader) for piece in centres)))

    def regions(self, step: Step) -> Made:
        """Run one region after the other here, as the collection would be if it were one."""
        made: Made = {}
        for region, reader in laid_out_regions(step, step.folder / LAID_OUT):
            add_made(made, region_job(step, region, reader))
            step.report(1)
        shutil.rmtree(step.folder / LAID_OUT, ignore_errors=True)
        return made

    def relational(self, step: Step) -> Made:
        """Answer the queries here, through the disk."""
        return run_relational(step)

    def collection(self, step: Step) -> Made:
        """Run the stage here; it streams what is larger than memory."""
        return write_rows(step.folder, "all", step.stage.run(step.reader, step.options))

    def digest(self, made: Made) -> str:
        """Read the files again."""
        return content_digest(made)

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


def _gathered(step: Step, done: Iterator[tuple[Made, int]]) -> Made:
    made: Made = {}
    for more, count in done:
        add_made(made, more)
        step.report(count)
    return made


def _slices(column: pa.ChunkedArray, size: int) -> list[pa.Array]:
    values = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    values = pa.concat_arrays(values.chunks) if isinstance(values, pa.ChunkedArray) else values
    return [values.slice(begin, size) for begin in range(0, len(values), size)]
