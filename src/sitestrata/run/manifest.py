"""The manifest of a workspace: the one file that says what is in it.

A table consists of the files that the manifest lists, and of nothing else. A stage's outputs therefore appear all at
once, when the manifest is replaced; whatever a run that was killed left in the folder does not exist for a reader.
"""

import json
import os
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from sitestrata import __version__
from sitestrata.errors import FormatError, WorkspaceError
from sitestrata.sources import Source

__all__ = ["FORMAT", "Input", "Manifest", "StageRecord", "read_manifest", "sync_folder", "write_manifest"]

FORMAT = 1
NAME = "manifest.json"
# From each older format that can still be read to the next one: a function on the plain JSON object.
UPGRADES: dict[int, Callable[[dict[str, Any]], dict[str, Any]]] = {}


@dataclass(frozen=True, slots=True)
class Input:
    """One source of the collection, as it was when it was read."""

    source: Source
    size: int  # bytes of the file
    modified: int  # nanoseconds
    digest: str = ""  # of what was read from it: the same content at another place has the same digest; "" = not read


@dataclass(frozen=True, slots=True)
class StageRecord:
    """What a finished stage left behind."""

    fingerprint: str  # of its options and of everything it read: equal means there is nothing to do
    digest: str  # of what it made: the fingerprints of later stages are built on it
    recipe: str  # of its options, its tables' columns and our version: shards of another recipe cannot stay
    options: Mapping[str, Any]
    files: Mapping[str, tuple[str, ...]]  # by table, relative to the workspace
    rows: Mapping[str, int]  # by table
    seconds: float
    cpu_seconds: float = 0.0  # of processes on this machine; those of a cluster are not counted
    peak_memory: int = 0  # bytes, of the process that used most
    is_stale: bool = False  # what it read has changed since: its rows no longer count, but some of its shards may


@dataclass(frozen=True, slots=True)
class Manifest:
    """Everything a workspace knows about itself."""

    version: str  # of the Sitestrata that wrote it
    runs: int = 0  # how many runs have written here; part of file names, so that no run overwrites another's files
    inputs: tuple[Input, ...] = ()
    relocated: Mapping[str, str] = field(default_factory=dict)  # where files are now, by where they were
    options: Mapping[str, Any] = field(default_factory=dict)
    stages: Mapping[str, StageRecord] = field(default_factory=dict)
    is_finished: bool = False
    forgotten: str = ""  # file of the ids of addresses that later runs leave out, relative to the workspace; "" = none

    def files(self, table: str) -> tuple[str, ...]:
        """Return the files of one table, whichever stages made them."""
        return tuple(name for record in self._current() for name in record.files.get(table, ()))

    def first_files(self, table: str) -> tuple[str, ...]:
        """Return one file of one table for each stage that made it: all that a stage left have the same columns."""
        return tuple(names[0] for record in self._current() if (names := record.files.get(table)))

    def rows(self, table: str) -> int:
        """Return the number of rows of one table."""
        return sum(record.rows.get(table, 0) for record in self._current())

    def tables(self) -> tuple[str, ...]:
        """Name the tables that finished stages made, sorted."""
        return tuple(sorted({table for record in self._current() for table in record.files}))

    def all_files(self) -> frozenset[str]:
        """Return every file that belongs to the workspace, also those of stages that must be done again."""
        names = {name for record in self.stages.values() for files in record.files.values() for name in files}
        return frozenset(names | ({self.forgotten} if self.forgotten else set()))

    def is_done(self, stage: str) -> bool:
        """Tell whether a stage is finished and nothing it read has changed since."""
        return stage in self.stages and not self.stages[stage].is_stale

    def with_stage(self, name: str, record: StageRecord, *, stale: Collection[str] = ()) -> "Manifest":
        """Return the manifest with the outputs of one stage put in place of its earlier ones."""
        others = {
            other: replace(old, is_stale=old.is_stale or other in stale)
            for other, old in self.stages.items()
            if other != name
        }
        return replace(self, stages={**others, name: record})

    def _current(self) -> list[StageRecord]:
        return [record for record in self.stages.values() if not record.is_stale]


def read_manifest(folder: Path) -> Manifest:
    """Read the manifest of a workspace, upgrading an older format where that is possible."""
    path = folder / NAME
    try:
        content = json.loads(path.read_text("utf-8"))
    except FileNotFoundError as error:
        raise WorkspaceError(
            f"{folder} is not a workspace: it has no {NAME}. Make one: sitestrata mine SOURCE -o {folder}"
        ) from error
    except (OSError, ValueError) as error:
        raise WorkspaceError(f"Cannot read {path}: {error}") from error
    content = _upgraded(content, folder)
    try:
        return _from_json(content)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise FormatError(
            f"{path} was written by another build of Sitestrata ({content.get('version', '?')}; this is {__version__}) "
            f"and cannot be read ({type(error).__name__}: {error}). Mine the sources again into a new folder."
        ) from error


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Replace the manifest in one step: a reader sees the old one or the new one, whatever happens meanwhile."""
    text = _to_json({"format": FORMAT, **_plain(manifest)}, depth=2)
    temporary = folder / f"{NAME}.new"
    with temporary.open("w", encoding="utf-8") as file:
        file.write(text + "\n")
        file.flush()
        os.fsync(file.fileno())
    temporary.replace(folder / NAME)
    sync_folder(folder)


def _to_json(value: Any, depth: int) -> str:
    """Write the upper levels one entry a line, the others in one line: that is written ten times as fast."""
    if depth and isinstance(value, Mapping) and value:
        entries = (f"{json.dumps(key)}: {_to_json(value[key], depth - 1)}" for key in sorted(value))
        return "{\n" + ",\n".join(entries) + "\n}"
    return json.dumps(value, sort_keys=True, default=_plain)


def _plain(record: Any) -> dict[str, Any]:
    return {item.name: getattr(record, item.name) for item in fields(record)}


def sync_folder(folder: Path) -> None:
    """Make renames in a folder last through a power cut."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _upgraded(found_content: Any, folder: Path) -> dict[str, Any]:
    content: dict[str, Any] = found_content if isinstance(found_content, dict) else {}
    if not isinstance(content.get("format"), int):
        raise WorkspaceError(f"{folder / NAME} is not the manifest of a workspace. Mine into another folder.")
    while content["format"] != FORMAT:
        found = content["format"]
        if found > FORMAT:
            raise FormatError(
                f"{folder} has format {found}, made by Sitestrata {content.get('version', '?')}; this one reads up to "
                f"format {FORMAT}. Upgrade: pip install --upgrade sitestrata"
            )
        if found not in UPGRADES:
            raise FormatError(
                f"{folder} has format {found}, which Sitestrata no longer reads (it reads format {FORMAT}). "
                "Mine the sources again into a new folder."
            )
        content = UPGRADES[found](content)
    return content


def _from_json(content: dict[str, Any]) -> Manifest:
    return Manifest(
        version=content["version"],
        runs=content["runs"],
        inputs=tuple(_input(item) for item in content["inputs"]),
        relocated=content["relocated"],
        options=content["options"],
        stages={
            name: StageRecord(
                fingerprint=record["fingerprint"],
                digest=record["digest"],
                recipe=record["recipe"],
                options=record["options"],
                files={table: tuple(files) for table, files in record["files"].items()},
                rows=record["rows"],
                seconds=record["seconds"],
                cpu_seconds=record.get("cpu_seconds", 0.0),  # came with a later release of the same format
                peak_memory=record["peak_memory"],
                is_stale=record["is_stale"],
            )
            for name, record in content["stages"].items()
        },
        is_finished=content["is_finished"],
        forgotten=content.get("forgotten", ""),  # came with a later release of the same format
    )


def _input(item: dict[str, Any]) -> Input:
    faults = tuple((reason, detail) for reason, detail in item["source"]["faults"])
    return Input(**{**item, "source": Source(**{**item["source"], "faults": faults})})
