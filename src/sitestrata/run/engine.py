"""What an engine is: a method for each way a stage can see its data, and the bookkeeping that must scale with them.

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
from sitestrata.run.stage import Stage
from sitestrata.run.storage import FileReader, as_batches, write_file
from sitestrata.sources import Limits, Source

__all__ = ["Bodies", "Engine", "Made", "Step", "content_digest", "digest_of", "shard_name", "write_rows"]

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

    def to_do(self, step: Step, shards: Sequence[Path]) -> Any:
        """Say which captures a page stage has still to do, as `sitestrata.run.pages.Todo` does.

        ``shards`` are files of the table `sitestrata.run.storage.PARSED` that earlier runs have left.
        """
        ...

    def pages(self, step: Step, todo: Any, bodies: Bodies) -> Made:
        """Run a page stage over what `to_do` found.

        Each shard also writes the captures it has dealt with, after everything else, into the table
        `sitestrata.run.storage.PARSED`: what is named there need not be done again.
        """
        ...

    def merge(self, step: Step, table: str, files: Sequence[Path]) -> list[Path]:
        """Write the rows of a table that several shards of the page stage may have named, each once."""
        ...

    def groups(self, step: Step) -> Made:
        """Run a group or neighbourhood stage."""
        ...

    def regions(self, step: Step) -> Made:
        """Run a region stage on each region, by `sitestrata.run.groups.region_job`."""
        ...

    def relational(self, step: Step) -> Made:
        """Run a relational stage."""
        ...

    def collection(self, step: Step) -> Made:
        """Run a collection stage."""
        ...

    def digest(self, made: Made) -> str:
        """Return a digest of the content of files that this engine has made."""
        ...


def shard_name(*parts: object) -> str:
    """Return a file name made from content alone, so that repeating a piece of work overwrites it with itself."""
    return hashlib.blake2b("\0".join(map(str, parts)).encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def digest_of(path: Path) -> str:
    """Return a digest of the content of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "blake2b").hexdigest()


def content_digest(made: Made, digests: Mapping[Path, str] | None = None) -> str:
    """Return a digest of the content of files, of which some digests may be known already."""
    known = digests or {}
    digest = hashlib.blake2b(digest_size=16)
    for table in sorted(made):
        for path in sorted(made[table]):
            digest.update(f"{table}/{path.name} {known.get(path) or digest_of(path)}\n".encode())
    return digest.hexdigest()


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
            path.unlink(missing_ok=True)
            made[table] = []
    return made
