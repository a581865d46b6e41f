"""What an engine is: four methods, one for each way a stage can see its data.

An engine runs a stage and leaves Parquet files in the step's folder; it decides on order, number of shards and
processes, and none of that may show in the rows. `sitestrata.run.embedded` is the one for a single machine,
`sitestrata.run.nasty` the one that tries to catch stages which depend on order.
"""

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import pyarrow as pa

from sitestrata.run.manifest import Input
from sitestrata.run.plan import Stage
from sitestrata.run.storage import FileReader, as_batches, write_file
from sitestrata.sources import Limits, Source

__all__ = ["Bodies", "Engine", "Made", "Step", "shard_name", "write_rows"]

Made = dict[str, list[Path]]  # the files a stage has left in its folder, by table


@dataclass(frozen=True, slots=True)
class Step:
    """A stage with everything it needs to be run once."""

    stage: Stage
    options: Any
    reader: FileReader  # of the tables the stage needs
    folder: Path  # where its files go: folder/<table>/<shard>.parquet
    report: Callable[[int], None]  # called with the number of pieces (sources, pages, groups) that were done


@dataclass(frozen=True, slots=True)
class Bodies:
    """Where the bodies of captures are."""

    sources: tuple[Source, ...]
    relocated: Mapping[str, str]
    limits: Limits


class Engine(Protocol):
    """Runs stages; whatever the engine, the rows are the same."""

    peak_memory: int  # bytes, of the process that used most so far

    def sources(self, step: Step, inputs: Sequence[Input]) -> dict[str, str]:
        """Run a source stage: one shard per input, by `sitestrata.run.jobs.index_job`; return digests by source."""
        ...

    def pages(self, step: Step, captures: Iterable[pa.RecordBatch], bodies: Bodies) -> Made:
        """Run a page stage over batches of the ``captures`` table.

        Each shard also writes the captures it has dealt with, after everything else, into the table
        `sitestrata.run.storage.PARSED`: what is named there need not be done again.
        """
        ...

    def groups(self, step: Step) -> Made:
        """Run a group or neighbourhood stage."""
        ...

    def collection(self, step: Step) -> Made:
        """Run a collection stage."""
        ...


def shard_name(*parts: object) -> str:
    """Return a file name made from content alone, so that repeating a piece of work overwrites it with itself."""
    return hashlib.blake2b("\0".join(map(str, parts)).encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def write_rows(
    folder: Path, shard: str, rows: Mapping[str, pa.Table | pa.RecordBatch | Iterable[pa.RecordBatch]]
) -> Made:
    """Write what a stage returned as one shard of each table; a table without rows gets no file."""
    made: Made = {}
    for table in sorted(rows):
        path = folder / table / f"{shard}.parquet"
        if write_file(path, table, as_batches(rows[table])):
            made[table] = [path]
        else:
            path.unlink()
            made[table] = []
    return made
