"""What runs in the executors: a task takes rows that say what to do, does it, and tells the driver what files it left.

A task hands its pieces to a crew of one process, as the embedded engine does with several: a page that crashes, hangs
or takes all memory costs a reject, not the task. Rows never go to the driver; they are in the files.

A task may be done twice, even at the same time (retries, speculative execution), and an attempt that Spark calls off
may see its rows end early. So no attempt writes where another does, unless the name of the file tells all that went
into it; the driver takes the files that the successful attempts report, and no others exist.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Literal

import pyarrow as pa
import pyarrow.parquet as pq

from sitestrata import errors
from sitestrata.model import Reject
from sitestrata.run.crew import Crew
from sitestrata.run.engine import Bodies, Made, Step, digest_of, shard_name
from sitestrata.run.groups import all_groups, cut_at_buckets, lay_out, portions, reader_of, region_job
from sitestrata.run.jobs import written
from sitestrata.run.manifest import Input
from sitestrata.run.pages import Todo, write_merged
from sitestrata.run.pieces import (
    GROUP_SECONDS,
    SOURCE_SECONDS,
    PartOutcome,
    chunk_bytes,
    cut_chunks,
    do_centres,
    do_groups,
    do_joins,
    do_pages,
    do_parts,
)
from sitestrata.run.storage import PARSED, FileReader, conform, schema_of, write_file
from sitestrata.run.worker import forget_peak, peak_memory
from sitestrata.sources.parts import Border, Part

__all__ = [
    "CENTRES",
    "GROUP",
    "LAID_OUT",
    "REPORT",
    "GroupTask",
    "JoinTask",
    "LayOutAllTask",
    "LayOutTask",
    "MergeTask",
    "PageTask",
    "RegionTask",
    "SourceTask",
    "WantedTask",
    "WholeTask",
    "run_collection",
    "run_merge",
]

GROUP = "_group"  # column of the rows of a bucket: which of its groups they belong to
CENTRES = "_centres"  # file of the centre pages of a bucket, where the stage is about neighbourhoods
LAID_OUT = "bucket long, table string, path string"  # what is told of a file of laid-out rows
REPORT = "kind string, name string, path string, number long, detail string"
_REPORT = pa.schema(
    [
        ("kind", pa.string()),
        ("name", pa.string()),
        ("path", pa.string()),
        ("number", pa.int64()),
        ("detail", pa.string()),
    ]
)
_CAPTURES = schema_of("captures").append(schema_of(PARSED).field("version"))  # as the page pass takes them
_CREWS: dict[int, Crew] = {}  # by memory limit; at most one is idle
Batches = Iterator[pa.RecordBatch]
Kind = Literal["file", "source", "part", "pieces", "memory", "fault"]


@dataclass(frozen=True, slots=True)
class _Line:
    """One line of a task's report."""

    kind: Kind
    name: str = ""  # of the table, source or exception
    path: str = ""
    number: int = 0
    detail: str = ""  # digest, message


@dataclass(frozen=True, slots=True)
class SourceTask:
    """Index the inputs, or parts of inputs, whose numbers come in."""

    step: Step
    pieces: tuple[tuple[Input, Part | None], ...]
    memory: int

    def __call__(self, batches: Batches) -> Batches:
        """Run the task."""
        yield from _reported(self._lines([number for batch in batches for number in batch.column("id").to_pylist()]))

    def _lines(self, mine: list[int]) -> Iterator[_Line]:
        with _crew(SOURCE_SECONDS, self.memory) as crew:
            for number in mine:
                for item, part, outcome in do_parts(crew, self.step, [self.pieces[number]]):
                    if part is None:
                        yield _Line("source", item.source.name, detail=outcome)
                    else:
                        yield _Line("part", number=number, detail=_told(outcome))
            yield _Line("memory", number=crew.peak_memory)


@dataclass(frozen=True, slots=True)
class JoinTask:
    """Put the inputs whose numbers come in together from their parts."""

    step: Step
    inputs: tuple[tuple[Input, tuple[tuple[Part, str], ...]], ...]  # with what is told of their parts
    memory: int

    def __call__(self, batches: Batches) -> Batches:
        """Run the task."""
        yield from _reported(self._lines([number for batch in batches for number in batch.column("id").to_pylist()]))

    def _lines(self, mine: list[int]) -> Iterator[_Line]:
        joins = [(item, {part: _heard(told) for part, told in parts}) for item, parts in (self.inputs[n] for n in mine)]
        with _crew(SOURCE_SECONDS, self.memory) as crew:
            for name, digest in do_joins(crew, self.step, joins):
                yield _Line("source", name, detail=digest)
            yield _Line("memory", number=crew.peak_memory)


@dataclass(frozen=True, slots=True)
class PageTask:
    """Parse the captures that come in, or those of the files whose numbers do, their bodies being read here."""

    step: Step
    bodies: Bodies
    memory: int
    seconds: float
    pages: int  # of a chunk
    files: tuple[Path, ...] = ()

    def __call__(self, batches: Batches) -> Batches:
        """Run the task."""
        yield from _reported(self._lines(batches))

    def _lines(self, batches: Batches) -> Iterator[_Line]:
        captures = _captures(self._read(batches) if self.files else batches)
        chunks = cut_chunks(captures, pages=self.pages, size=chunk_bytes(self.memory))
        with _crew(self.seconds, self.memory) as crew:
            for made, count in do_pages(crew, self.step, chunks, self.bodies):
                yield from _files(made, is_digested=False)
                yield _Line("pieces", number=count)
            yield _Line("memory", number=crew.peak_memory)

    def _read(self, batches: Batches) -> Batches:
        for number in [number for batch in batches for number in batch.column("id").to_pylist()]:
            yield from pq.ParquetFile(self.files[number]).iter_batches()


@dataclass(frozen=True, slots=True)
class MergeTask:
    """Write the rows that come in, which are sorted and each there once, as one part of a table."""

    folder: Path
    table: str

    def __call__(self, batches: Batches) -> Batches:
        """Run the task."""
        yield from _reported(self._lines(batches))

    def _lines(self, batches: Batches) -> Iterator[_Line]:
        for path in written(self.folder, _attempt(), {self.table: batches})[self.table]:
            named = path.with_stem(shard_name(digest_of(path)))
            path.replace(named)
            yield _Line("file", self.table, str(named))


@dataclass(frozen=True, slots=True)
class LayOutTask:
    """Write the rows of some buckets, which come in sorted by bucket, into a file for each."""

    table: str
    schema: pa.Schema
    folder: Path

    def __call__(self, batches: Batches) -> Batches:
        """Run the task; what comes out are the files (`LAID_OUT`)."""
        for bucket, some in groupby(cut_at_buckets(batches), key=itemgetter(0)):
            path = self.folder / str(bucket) / f"{self.table}-{_attempt()}.parquet"
            write_file(path, self.table, (conform(self.schema, rows) for _, rows in some), schema=self.schema)
            yield pa.RecordBatch.from_pydict({"bucket": [bucket], "table": [self.table], "path": [str(path)]})


@dataclass(frozen=True, slots=True)
class GroupTask:
    """Run a group or neighbourhood stage on a bucket, given the files of its rows."""

    step: Step
    memory: int

    def __call__(self, files: pa.Table) -> pa.Table:
        """Run the task."""
        return pa.Table.from_batches(_reported(self._lines(files)), schema=_REPORT)

    def _lines(self, files: pa.Table) -> Iterator[_Line]:
        paths = dict(zip(files["table"].to_pylist(), map(Path, files["path"].to_pylist()), strict=True))
        step = replace(self.step, folder=self.step.folder / _attempt())
        with _crew(GROUP_SECONDS, self.memory) as crew:
            for made, count in _done(crew, step, paths, self.memory):
                yield from _files(made)
                yield _Line("pieces", number=count)
            yield _Line("memory", number=crew.peak_memory)


@dataclass(frozen=True, slots=True)
class RegionTask:
    """Run a region stage on one region, given the files of its rows."""

    step: Step  # its reader is of the tables that each region sees all of
    memory: int
    threads: int

    def __call__(self, files: pa.Table) -> pa.Table:
        """Run the task."""
        return pa.Table.from_batches(_reported(self._lines(files)), schema=_REPORT)

    def _lines(self, files: pa.Table) -> Iterator[_Line]:
        forget_peak()
        paths = dict(zip(files["table"].to_pylist(), map(Path, files["path"].to_pylist()), strict=True))
        step = replace(self.step, folder=self.step.folder / _attempt())
        whole = {table: list(map(Path, paths)) for table, paths in step.reader.files.items()}
        like = FileReader(whole, memory_limit=self.memory // 2, threads=self.threads, spill=step.folder / "spill")
        region = pq.read_table(paths[step.stage.by], columns=[GROUP])[GROUP][0].as_py()
        yield from _files(region_job(step, region, reader_of(step.stage, paths, like)))
        yield _Line("pieces", number=1)
        yield _Line("memory", number=peak_memory())


@dataclass(frozen=True, slots=True)
class WholeTask:
    """Do something with the files of a stage's tables as a whole, in one task, in the memory that the reader has."""

    step: Step
    run: Callable[[Step], Made]

    def __call__(self, batches: Batches) -> Batches:
        """Run the task; the one row that comes in only says that it is to be done."""
        if _is_asked(batches):
            yield from _reported(self._lines())

    def _lines(self) -> Iterator[_Line]:
        forget_peak()
        yield from _files(self.run(self.step))
        yield _Line("memory", number=peak_memory())


@dataclass(frozen=True, slots=True)
class LayOutAllTask:
    """Write the rows of all groups of a stage, in one task, into files for each bucket of about so many pages."""

    step: Step
    folder: Path
    pages: int

    def __call__(self, batches: Batches) -> Batches:
        """Run the task; what comes out are the files (`LAID_OUT`)."""
        if _is_asked(batches):
            buckets = portions(all_groups(self.step), self.pages)
            for number, files in enumerate(lay_out(self.step, buckets, self.folder / _attempt())):
                paths = list(map(str, files.values()))
                columns = {"bucket": [number] * len(files), "table": list(files), "path": paths}
                yield pa.RecordBatch.from_pydict(columns)


@dataclass(frozen=True, slots=True)
class WantedTask:
    """Write the captures that are still to be parsed, in one task and in order, into files of so many each."""

    todo: Todo
    folder: Path
    pages: int

    def __call__(self, batches: Batches) -> Batches:
        """Run the task."""
        if _is_asked(batches):
            yield from _reported(self._lines())

    def _lines(self) -> Iterator[_Line]:
        for number, some in groupby(_cut_even(self.todo.captures(), self.pages), key=itemgetter(0)):
            path = self.folder / _attempt() / f"{number}.parquet"
            write_file(path, "captures", (rows for _, rows in some), schema=_CAPTURES)
            yield _Line("file", "captures", str(path), number)


def run_collection(step: Step) -> Made:
    """Run a collection stage; it streams what is larger than memory."""
    return written(step.folder, "all", step.stage.run(step.reader, step.options))


def run_merge(step: Step, *, table: str, files: Sequence[Path]) -> Made:
    """Sort the rows of a table that several shards have named, through the disk."""
    return {table: write_merged(step, table, files)}


def _done(crew: Crew, step: Step, paths: dict[str, Path], memory: int) -> Iterator[tuple[Made, int]]:
    """Run a bucket, given the files of its rows by table."""
    stage = step.stage
    if stage.scope == "group":
        groups = pq.read_table(paths[stage.by], columns=[GROUP])[GROUP].unique()
        return do_groups(crew, step, [(groups, paths)])
    centres = pq.read_table(paths.pop(CENTRES))["page"].combine_chunks()
    files = {table: [paths[table]] if table in paths else [] for table in (*stage.needs, stage.by)}
    reader = FileReader(files, memory_limit=memory // 2, threads=1, spill=step.folder / "spill")
    return do_centres(crew, step, [(centres, reader)])


@contextmanager
def _crew(seconds: float, memory: int) -> Iterator[Crew]:
    """Lend the crew of this Python worker, which Spark uses for one task after the other, as the worker itself.

    Starting a process costs as much as reading a thousand pages. It ends with the Python worker.
    """
    crew = _CREWS.pop(memory, None) or Crew(1, time_limit=seconds, memory_limit=memory)
    crew.time_limit = seconds
    try:
        yield crew
    except BaseException:  # also of a task that is called off: what it was at is not to go on
        crew.__exit__(None, None, None)
        raise
    _CREWS[memory] = crew


def _reported(lines: Iterable[_Line]) -> Batches:
    """Yield the report of a task.

    What we raise on purpose (a file is gone, a disk is full) is told to the driver rather than raised: trying the task
    again would not mend it.
    """
    done: list[_Line] = []
    try:
        done.extend(lines)
    except errors.Error as error:
        kind = next(base.__name__ for base in type(error).__mro__ if base.__name__ in errors.__all__)
        done.append(_Line("fault", kind, detail=str(error)))
    columns = [pa.array([getattr(line, field.name) for line in done], field.type) for field in _REPORT]
    yield pa.RecordBatch.from_arrays(columns, schema=_REPORT)


def _told(outcome: PartOutcome) -> str:
    """Return what became of a part of an input as the driver hands it on."""
    if outcome is None:
        return ""
    border, rejects = outcome
    return json.dumps([asdict(border), [asdict(reject) for reject in rejects]])


def _heard(told: str) -> PartOutcome:
    if not told:
        return None
    border, rejects = json.loads(told)
    return Border(**border), tuple(Reject(**reject) for reject in rejects)


def _files(made: Made, *, is_digested: bool = True) -> Iterator[_Line]:
    for table, paths in made.items():
        for path in paths:
            yield _Line("file", table, str(path), detail=digest_of(path) if is_digested else "")


def _is_asked(batches: Batches) -> bool:
    """Tell whether a row comes in. All are taken: Spark ends a Python worker that leaves some."""
    return bool(sum(batch.num_rows for batch in batches))


def _cut_even(batches: Batches, rows: int) -> Iterator[tuple[int, pa.RecordBatch]]:
    """Yield runs of rows with the number of their portion of so many rows."""
    number, room = 0, rows
    for batch in batches:
        while batch.num_rows > room:
            yield number, batch.slice(0, room)
            batch, number, room = batch.slice(room), number + 1, rows
        room -= batch.num_rows
        yield number, batch


def _captures(batches: Batches) -> Batches:
    """Yield captures as the page pass takes them."""
    for batch in batches:
        yield from conform(_CAPTURES, batch).to_batches()


def _attempt() -> str:
    """Name the attempt at a task that this is, as no other is named."""
    from pyspark import TaskContext

    context = TaskContext.get()
    assert context is not None
    return f"attempt-{context.taskAttemptId()}"
