"""Stages as Spark jobs: the driver says what is to be done and hears what files were left; rows stay in the executors.

========================  ====================================================================================
``source``                one task a file, or part of a large one, by ``mapInArrow`` over their numbers
``page``                  captures joined and ordered by SQL; ``mapInArrow``, bodies read in the task by offset
``group``                 rows joined with their groups by SQL, laid out by bucket; ``applyInArrow`` on the files
``region``                the same, a region alone in its bucket
``neighbourhood``         the same, a bucket of centres taking the place of a bucket of groups
``relational``            by SQL; what is kept between queries are files
``collection``            one task, over the files of the tables, in the memory of a task
========================  ====================================================================================

Rows that are so few that one task joins and sorts them (`TASK_ROWS`) are not spread over the cluster: the task does
what the embedded engine does.

The folder of the workspace must be there for the driver and for all executors (a shared file system).
"""

import logging
import re
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from sitestrata import errors
from sitestrata.errors import Error, UsageError, WorkspaceError
from sitestrata.run.engine import Bodies, Made, Step, content_digest
from sitestrata.run.groups import all_groups
from sitestrata.run.jobs import PARTS
from sitestrata.run.manifest import Input
from sitestrata.run.pages import MERGED, STALE, WANTED, Todo
from sitestrata.run.pieces import CHUNK_PAGES, PAGE_SECONDS, cut_inputs
from sitestrata.run.regions import skew
from sitestrata.run.relations import run_relational
from sitestrata.run.spark.layout import lay_out
from sitestrata.run.spark.tasks import (
    LAID_OUT,
    REPORT,
    GroupTask,
    JoinTask,
    LayOutAllTask,
    MergeTask,
    PageTask,
    RegionTask,
    SourceTask,
    WantedTask,
    WholeTask,
    run_collection,
    run_merge,
)
from sitestrata.run.stage import Stage
from sitestrata.run.storage import CHOSEN, PARSED, FileReader, count_rows, schema_of
from sitestrata.sources.parts import Part

__all__ = ["TASK_MEMORY", "SparkEngine"]

LOG = logging.getLogger("sitestrata.run")
_TAG = "sitestrata"
_PATTERN = re.compile(r"[*?\[\]{}\\]")
_CAUSE = re.compile(r"^(?:[\w.]+\.)?\w*(?:Error|Exception)\b")

TASK_MEMORY = 2 << 30  # bytes of a task's process, beside the JVM
TASK_PAGES = 20_000  # that a task parses: half a minute; a task that is lost costs as much
LEAST_PAGES = 1000  # fewer are not worth a task of their own: starting a process takes as long as reading them
BUCKET_PAGES = 20_000  # of the groups that are done in one task
PORTIONS = 4  # tasks a core when there are many groups: the last to end should not keep the others waiting
CENTRE_PAGES = 2000  # whose neighbourhoods are done in one task
PART_BYTES = 128 << 20  # of a source that one task reads: half a minute
MERGE_ROWS = 2_000_000  # that one task sorts and writes
# Of all tables of a stage that one task joins, sorts and writes, through its disk: half a minute. Spark takes several
# times as long for them, all cores together: it compiles queries, and hands rows from Java to Python.
TASK_ROWS = 20_000_000
# Of a session of our own beside that of the caller; nothing of the caller's is changed.
_SETTINGS = {
    "spark.sql.session.timeZone": "UTC",
    # Quoted names as DuckDB has them: the same SQL serves both.
    "spark.sql.ansi.enabled": "true",
    "spark.sql.ansi.doubleQuotedIdentifiers": "true",
    # A table is broadcast through the driver, and is many times as large there as its packed file.
    "spark.sql.autoBroadcastJoinThreshold": "65536",
    "spark.sql.adaptive.autoBroadcastJoinThreshold": "65536",
    # Tasks are cut by how long they take, not by how little they read.
    "spark.sql.adaptive.coalescePartitions.enabled": "false",
    "spark.sql.execution.arrow.maxRecordsPerBatch": "10000",
    # Readers of links with their paths and labels hold a batch of rows of each open file.
    "spark.sql.parquet.columnarReaderBatchSize": "2048",
}


@dataclass(slots=True)
class SparkEngine:
    """Runs stages as jobs of a Spark session."""

    session: Any
    shards: int | None = None  # tasks a stage is cut into; by its size if not given
    memory: int = TASK_MEMORY
    page_seconds: float = PAGE_SECONDS
    chunk_pages: int = CHUNK_PAGES
    part_bytes: int = PART_BYTES
    peak_memory: int = 0
    _digests: dict[Path, str] = field(default_factory=dict)
    _own: Any = None

    def __post_init__(self) -> None:
        self._own = self.session.newSession()
        for name, value in _SETTINGS.items():
            self._own.conf.set(name, value)

    def sources(self, step: Step, inputs: Sequence[Input]) -> dict[str, str]:
        """Index each input, or part of a large one, in a task of its own."""
        _refuse_pattern(step.folder)
        if not inputs:
            return {}
        shutil.rmtree(step.folder / PARTS, ignore_errors=True)  # of a run that was killed
        pieces = cut_inputs(inputs, self.part_bytes)
        parts: dict[str, list[tuple[Part, str]]] = {}
        found: dict[str, str] = {}
        for line in self._each(step, len(pieces), SourceTask(_plain(step), tuple(pieces), self.memory)):
            item, part = pieces[line.number]
            if line.kind == "source":
                found[line.name] = line.detail
                step.report(1)
            elif part is not None:
                parts.setdefault(item.source.name, []).append((part, line.detail))
        joins = tuple((item, tuple(parts[item.source.name])) for item in inputs if item.source.name in parts)
        for line in self._each(step, len(joins), JoinTask(_plain(step), joins, self.memory)):
            found[line.name] = line.detail
            step.report(1)
        shutil.rmtree(step.folder / PARTS, ignore_errors=True)
        return found

    def _each(self, step: Step, count: int, task: SourceTask | JoinTask) -> Iterator[Any]:
        """Run a task for each of so many numbers."""
        return self._run(step, self._own.range(0, count, 1, count).mapInArrow(task, REPORT)) if count else iter(())

    def to_do(self, step: Step, shards: Sequence[Path]) -> "SparkTodo":
        """Compare what is chosen with what shards hold; only names of shards come back."""
        stale: set[str] = set()
        if shards:
            self._view(CHOSEN, step.reader.files[CHOSEN])
            self._view(PARSED, shards, columns="*, _metadata.file_name AS filename")
            with self._spark_faults(step):
                stale = {row.filename for row in self._own.sql(STALE).collect()}
        good = [path for path in shards if path.name not in stale]
        total = sum(count_rows(Path(path)) for path in step.reader.files[CHOSEN])
        done = sum(count_rows(path) for path in good)
        return SparkTodo(frozenset(path.stem.rpartition("-")[2] for path in good), total - done, total, tuple(good))

    def pages(self, step: Step, todo: "SparkTodo", bodies: Bodies) -> Made:
        """Parse the captures that are left, in the order in which their bodies lie in the sources."""
        tasks = self._cut(max(-(-todo.count // TASK_PAGES), min(self._cores(), -(-todo.count // LEAST_PAGES))))
        task = PageTask(_plain(step), bodies, self.memory, self.page_seconds, self.chunk_pages)
        if self._is_small(_count(step, ("captures", CHOSEN))):
            folder = step.folder / "wanted"
            reader = self._bounded(step).reader.with_files({PARSED: todo.files})
            wanted = WantedTask(Todo(todo.good, todo.count, todo.total, reader), folder, -(-todo.count // tasks))
            lines = sorted(self._run(step, self._one().mapInArrow(wanted, REPORT)), key=lambda line: line.number)
            task = replace(task, files=tuple(Path(line.path) for line in lines))
            made = self._made(step, self._own.range(0, len(lines), 1, len(lines)).mapInArrow(task, REPORT))
            shutil.rmtree(folder, ignore_errors=True)
            return made
        for table in ("captures", CHOSEN):
            self._view(table, step.reader.files[table])
        self._view(PARSED, todo.files)
        return self._made(step, self._own.sql(WANTED).mapInArrow(task, REPORT))

    def merge(self, step: Step, table: str, files: Sequence[Path]) -> list[Path]:
        """Sort the rows by range, each range written by a task."""
        rows = sum(map(count_rows, files))
        if self._is_small(rows):
            return self._whole(step, partial(run_merge, table=table, files=tuple(files))).get(table, [])
        self._cut(-(-rows // MERGE_ROWS))
        self._view(f"_{table}", files)
        query = self._own.sql(MERGED.format(rows=f'"_{table}"'))
        task = MergeTask(step.folder, table)
        return sorted(self._made(step, query.mapInArrow(task, REPORT)).get(table, []))

    def groups(self, step: Step) -> Made:
        """Lay rows out by buckets of groups, or of centres, and run each bucket in a task."""
        stage, folder = step.stage, step.folder / "laid-out"
        pages = _count(step, (stage.by,))
        size = BUCKET_PAGES if stage.scope == "group" else CENTRE_PAGES
        buckets = self._cut(max(-(-pages // size), min(PORTIONS * self._cores(), -(-pages // LEAST_PAGES))))
        if stage.scope == "group" and self._is_small(_count(step, _laid_out(stage))):
            files = self._laid_out(step, folder, pages=-(-pages // buckets) or 1)
        else:
            for table in (*stage.needs, stage.by):
                self._view(table, step.reader.files[table])
            with self._spark_faults(step):
                files = lay_out(self._own, stage, folder, buckets=buckets, giant=size)
        task = GroupTask(_plain(step), self.memory)
        made = self._made(step, files.groupBy("bucket").applyInArrow(lambda some: task(some), REPORT))
        shutil.rmtree(folder, ignore_errors=True)
        return made

    def regions(self, step: Step) -> Made:
        """Lay rows out by region and run each region in a task, in the memory of a task."""
        stage, folder = step.stage, step.folder / "laid-out"
        if self._is_small(_count(step, _laid_out(stage))):
            sizes = all_groups(step)["pages"].to_pylist()
            self._cut(len(sizes))
            files = self._laid_out(step, folder, pages=1)
        else:
            for table in (*stage.needs, stage.by):
                self._view(table, step.reader.files[table])
            query = f'SELECT count(*) AS pages FROM "{stage.by}" GROUP BY "group"'  # noqa: S608
            sizes = [row.pages for row in self._own.sql(query).collect()]
            self._cut(len(sizes))
            with self._spark_faults(step):
                files = lay_out(self._own, stage, folder, buckets=1, giant=0)
        LOG.info("stage %s: %s", stage.name, skew(sizes))
        whole = FileReader({table: list(map(Path, step.reader.files[table])) for table in stage.whole})
        task = RegionTask(replace(_plain(step), reader=whole), self.memory, self._task_cpus())
        made = self._made(step, files.groupBy("bucket").applyInArrow(lambda some: task(some), REPORT))
        shutil.rmtree(folder, ignore_errors=True)
        return made

    def relational(self, step: Step) -> Made:
        """Answer queries as jobs."""
        rows = _count(step, step.stage.needs)
        if self._is_small(rows):
            return self._whole(step, run_relational)
        for table in step.stage.needs:
            self._view(table, step.reader.files[table])
        self._cut(-(-rows // MERGE_ROWS))
        made: Made = {}
        with self._spark_faults(step):
            queries = step.stage.run(SparkRelations(self._own, step.folder / "kept"), step.options)
        for table, sql in queries.items():
            made |= self._made(step, self._own.sql(sql).mapInArrow(MergeTask(step.folder, table), REPORT))
        shutil.rmtree(step.folder / "kept", ignore_errors=True)
        return made

    def collection(self, step: Step) -> Made:
        """Run the stage in one task; it streams what is larger than the task's memory."""
        return self._whole(step, run_collection)

    def digest(self, made: Made) -> str:
        """Put together what the tasks have told of their files."""
        return content_digest(made, self._digests)

    def _is_small(self, rows: int) -> bool:
        """Tell whether one task may do what is to be done with so many rows; not if the caller asked for several."""
        return self.shards is None and rows <= TASK_ROWS

    def _whole(self, step: Step, run: Callable[[Step], Made]) -> Made:
        """Do something with the tables of a stage in one task."""
        return self._made(step, self._one().mapInArrow(WholeTask(self._bounded(step), run), REPORT))

    def _laid_out(self, step: Step, folder: Path, *, pages: int) -> Any:
        """Lay rows out in one task, by buckets of about so many pages."""
        return self._one().mapInArrow(LayOutAllTask(self._bounded(step), folder, pages), LAID_OUT)

    def _one(self) -> Any:
        return self._own.range(0, 1, 1, 1)

    def _bounded(self, step: Step) -> Step:
        """Return a step whose reader takes half of the memory of a task, and the disk instead."""
        reader = step.reader.bounded(self.memory // 2, threads=self._task_cpus())
        return replace(step, report=_ignore, reader=reader)

    def _made(self, step: Step, report: Any) -> Made:
        """Run a job and return the files that it reports."""
        made: Made = {}
        for line in self._run(step, report):
            if line.kind == "file":
                path = Path(line.path)
                made.setdefault(line.name, []).append(path)
                if line.detail:
                    self._digests[path] = line.detail
            elif line.kind == "pieces":
                step.report(line.number)
        return made

    def _run(self, step: Step, report: Any) -> Iterator[Any]:
        """Run a job and yield the lines of its report; what went wrong in a task on purpose is raised here."""
        with self._spark_faults(step):
            lines = report.collect()
        for line in lines:
            if line.kind == "fault":
                fault: type[Error] = getattr(errors, line.name)
                raise fault(line.detail)
            if line.kind == "memory":
                self.peak_memory = max(self.peak_memory, line.number)
            else:
                yield line

    @contextmanager
    def _spark_faults(self, step: Step) -> Iterator[None]:
        """Say in one sentence what Spark says in a hundred lines; an interrupted job is called off."""
        context = self.session.sparkContext
        context.addJobTag(_TAG)
        try:
            yield
        except KeyboardInterrupt:
            context.cancelJobsWithTag(_TAG)
            raise
        except Error:
            raise
        except Exception as error:  # py4j and PySpark have no common class
            raise _explained(step.stage.name, error) from error
        finally:
            context.removeJobTag(_TAG)

    def _task_cpus(self) -> int:
        return int(self.session.conf.get("spark.task.cpus", "1"))

    def _cores(self) -> int:
        return int(self.session.sparkContext.defaultParallelism)

    def _cut(self, parts: int) -> int:
        """Have the next jobs cut into so many tasks, or as many as the caller asked for."""
        parts = self.shards or max(parts, 1)
        self._own.conf.set("spark.sql.shuffle.partitions", str(parts))
        return parts

    def _view(self, name: str, files: Sequence[Path | str], columns: str = "*") -> None:
        """Give the rows of files a name in SQL."""
        from pyspark.sql.pandas.types import from_arrow_schema

        schema = from_arrow_schema(schema_of(name))
        if files:
            _refuse_pattern(Path(files[0]))
            # Here, whatever file system is Spark's own.
            rows = self._own.read.schema(schema).parquet(*(f"file://{path}" for path in files))
            rows = rows.selectExpr(*columns.split(", "))
        else:
            rows = self._own.createDataFrame([], schema)
        rows.createOrReplaceTempView(name)


@dataclass(slots=True)
class SparkRelations:
    """`sitestrata.model.Relations` by Spark: what is kept is written, so that no query runs twice."""

    session: Any
    folder: Path
    _count: int = 0

    def keep(self, name: str, sql: str) -> None:
        """Write the rows, and read them by that name from now on."""
        self._count += 1
        place = f"file://{self.folder}/{self._count}-{name}"
        self.session.sql(sql).write.parquet(place)
        self.session.read.parquet(place).createOrReplaceTempView(name)

    def number(self, sql: str) -> int:
        """Answer a query of one number."""
        return int(self.session.sql(sql).collect()[0][0])


@dataclass(frozen=True, slots=True)
class SparkTodo:
    """What is left of a page pass, as `sitestrata.run.pages.Todo`; the captures themselves stay in their files."""

    good: frozenset[str]
    count: int
    total: int
    files: tuple[Path, ...]  # that say what is done


def _laid_out(stage: Stage) -> list[str]:
    """Name the tables whose rows a stage sees by group."""
    return [table for table in dict.fromkeys((*stage.needs, stage.by)) if table not in stage.whole]


def _count(step: Step, tables: Iterable[str]) -> int:
    return sum(count_rows(Path(path)) for table in tables for path in step.reader.files[table])


def _plain(step: Step) -> Step:
    """Return a step as tasks get it that need no reader."""
    return replace(step, report=_ignore, reader=FileReader({}))


def _refuse_pattern(path: Path) -> None:
    """Refuse a folder that Spark would take for a pattern: it reads each file once for every file that matches."""
    if _PATTERN.search(str(path)):
        raise UsageError(
            f"Spark takes {path} for a pattern. Choose a workspace with none of * ? [ ] {{ }} \\ in its path."
        )


def _ignore(_count: int) -> None:
    pass


def _explained(stage: str, error: Exception) -> Error:
    said = str(error)
    if "No space left on device" in said or "Disk quota exceeded" in said:
        return WorkspaceError(
            f"Spark has no space left for what stage {stage!r} shuffles. Free some where spark.local.dir "
            "(SPARK_LOCAL_DIRS) points to, or point it to a larger disk: --spark-conf spark.local.dir=FOLDER"
        )
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    causes = [line for line in lines if _CAUSE.search(line)]
    return Error(
        f"Spark gave up stage {stage!r}: {(causes or lines or ['no reason given'])[-1 if causes else 0][:500]}"
    )
