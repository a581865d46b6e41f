"""An engine that tries to catch stages which depend on order: all is shuffled, oddly cut, and some of it done twice.

For tests. If a stage gives the same canonical digests here as under the embedded engine, then neither the number of
workers nor the size of shards nor a repeated task (as distributed engines do when a machine dies) shows in its rows.
"""

import random
import shutil
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

import pyarrow as pa

from sitestrata.run.engine import Bodies, Made, Step, content_digest, write_rows
from sitestrata.run.groups import (
    all_centres,
    all_groups,
    group_job,
    laid_out_regions,
    lay_out,
    neighbourhood_job,
    region_job,
)
from sitestrata.run.jobs import PARTS, index_job, join_job, page_job, part_job
from sitestrata.run.manifest import Input
from sitestrata.run.pages import Todo, pages_to_do, write_merged
from sitestrata.run.relations import run_relational
from sitestrata.run.storage import FileReader, write_file
from sitestrata.sources.parts import cut_source

__all__ = ["NastyEngine"]

MOST_SHARDS = 13
REPEATED = 0.3  # share of tasks that are done a second time

_Rows = TypeVar("_Rows", pa.Table, pa.Array)


@dataclass(slots=True)
class NastyEngine:
    """Runs stages in this process, in an order that ``seed`` decides."""

    seed: int
    peak_memory: int = 0
    _random: random.Random = field(init=False)

    def __post_init__(self) -> None:
        self._random = random.Random(self.seed)  # noqa: S311 - for tests

    def sources(self, step: Step, inputs: Sequence[Input]) -> dict[str, str]:
        """Index the inputs in any order, some of them twice, and each in any number of parts."""
        digests = {}
        run, options, folder = step.stage.run, step.options, step.folder
        for item in self._some_twice(list(inputs)):
            parts = cut_source(item.source, item.size // self._random.randint(1, MOST_SHARDS) + 1)
            found = {part: part_job(run, item, part, options, folder, _no_tick) for part in self._some_twice(parts)}
            outcomes = [found[part] for part in parts]
            digests[item.source.name] = (
                join_job(run, item, parts, outcomes, options, folder, _no_tick)
                if parts
                else index_job(run, item, options, folder, _no_tick)
            )
        shutil.rmtree(folder / PARTS, ignore_errors=True)
        return digests

    def to_do(self, step: Step, shards: Sequence[Path]) -> Todo:
        """Compare what is chosen with what shards hold."""
        return pages_to_do(step.reader, shards)

    def merge(self, step: Step, table: str, files: Sequence[Path]) -> list[Path]:
        """Take the files in any order."""
        return write_merged(step, table, self._random.sample(files, len(files)))

    def pages(self, step: Step, todo: Todo, bodies: Bodies) -> Made:
        """Parse all captures in shuffled shards, some of them twice."""
        made: Made = {}
        for shard in self._some_twice(self._cut(pa.Table.from_batches(todo.captures()))):
            arguments = (step.stage.run, step.stage.merges, shard, bodies, step.options, step.folder)
            _add(made, page_job(*arguments, _no_tick))
        return made

    def groups(self, step: Step) -> Made:
        """Run groups or centres in shuffled portions, some of them twice."""
        step = replace(step, reader=self._shuffled(step))
        made: Made = {}
        if step.stage.scope == "group":
            portions = self._cut(_values(all_groups(step)["group"]))
            laid_out = lay_out(step, portions, step.folder / "laid-out") if portions else []
            tables = (*step.stage.needs, step.stage.by)
            for portion, files in self._some_twice(list(zip(portions, laid_out, strict=True))):
                _add(made, group_job(step.stage.run, portion, files, tables, step.options, step.folder, _no_tick))
        else:
            for portion in self._some_twice(self._cut(_values(all_centres(step)["page"]))):
                arguments = (step.stage.run, portion, step.stage.by, step.reader, step.options, step.folder)
                _add(made, neighbourhood_job(*arguments, _no_tick))
        self._clear(step)
        return made

    def regions(self, step: Step) -> Made:
        """Run regions in any order, some of them twice, on rows in any order."""
        step = replace(step, reader=self._shuffled(step))
        made: Made = {}
        for region, reader in self._some_twice(list(laid_out_regions(step, step.folder / "laid-out"))):
            _add(made, region_job(step, region, reader))
        self._clear(step)
        return made

    def relational(self, step: Step) -> Made:
        """Answer queries about rows in any order."""
        made = run_relational(replace(step, reader=self._shuffled(step)))
        self._clear(step)
        return made

    def collection(self, step: Step) -> Made:
        """Run the stage on tables whose rows are in any order and in any number of files."""
        made = write_rows(step.folder, "all", step.stage.run(self._shuffled(step), step.options))
        self._clear(step)
        return made

    def digest(self, made: Made) -> str:
        """Read the files again."""
        return content_digest(made)

    def _cut(self, rows: _Rows) -> list[_Rows]:
        order = list(range(len(rows)))
        self._random.shuffle(order)
        count = self._random.randint(1, MOST_SHARDS)
        parts = (rows.take(pa.array(order[number::count], pa.int64())) for number in range(count))
        return [part for part in parts if len(part)]

    def _some_twice(self, tasks: list[Any]) -> list[Any]:
        tasks = tasks + [task for task in tasks if self._random.random() < REPEATED]
        self._random.shuffle(tasks)
        return tasks

    def _shuffled(self, step: Step) -> FileReader:
        files: dict[str, list[Path]] = {}
        for table in step.reader.files:
            parts = self._cut(step.reader.read(table))
            files[table] = [step.folder / "shuffled" / table / f"{number}.parquet" for number in range(len(parts))]
            for path, part in zip(files[table], parts, strict=True):
                write_file(path, table, [part])
        return FileReader(files, memory_limit=step.reader.memory_limit, threads=1, spill=step.reader.spill)

    def _clear(self, step: Step) -> None:
        for name in ("shuffled", "laid-out"):
            shutil.rmtree(step.folder / name, ignore_errors=True)


def _no_tick(_position: int) -> None:
    pass


def _values(column: pa.ChunkedArray) -> pa.Array:
    return pa.concat_arrays(column.chunks) if column.num_chunks else pa.array([], column.type)


def _add(made: Made, more: Made) -> None:
    for table, paths in more.items():
        made[table] = sorted({*made.get(table, ()), *paths})
