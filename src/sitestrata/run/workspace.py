"""The workspace: a folder of Parquet tables and a manifest.

::

    ws/manifest.json            what is in the workspace; the only truth
    ws/tables/links/*.parquet   the rows
    ws/report.html
    ws/lock                     held by the run that is at work
    ws/staging/                 what that run has made so far

Readers need no lock: they see what the manifest they read lists. A run writes into ``staging``; when a stage is done
its files are moved to ``tables`` and the manifest is replaced, which is the moment they begin to exist.
"""

import fcntl
import os
import shutil
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa

from sitestrata import __version__
from sitestrata.errors import FormatError, WorkspaceError, WorkspaceLocked
from sitestrata.run.manifest import Manifest, StageRecord, read_manifest, sync_folder, write_manifest
from sitestrata.run.storage import FileReader, canonical_digest, missing_columns

__all__ = ["Workspace", "WorkspaceWriter", "open_workspace", "write_workspace"]


class Workspace:
    """A finished or half-finished collection on disk, to be read."""

    def __init__(self, folder: Path, manifest: Manifest, *, memory_limit: int | None = None) -> None:
        self.folder = folder
        self.manifest = manifest
        self.memory_limit = memory_limit
        self._checked: set[str] = set()  # files that have the columns we expect

    def __repr__(self) -> str:
        return f"Workspace({str(self.folder)!r})"

    @property
    def tables(self) -> tuple[str, ...]:
        """The names of the tables that are there."""
        return tuple(name for name in self.manifest.tables() if not name.startswith("_"))

    def reader(self, tables: Sequence[str] | None = None) -> FileReader:
        """Return a reader of all tables, or of some that may still be empty."""
        names = self.manifest.tables() if tables is None else tables
        self._refuse_other_columns(names)
        files = {name: [self.folder / file for file in self.manifest.files(name)] for name in names}
        return FileReader(files, memory_limit=self.memory_limit, spill=self._spill())

    def _refuse_other_columns(self, tables: Sequence[str]) -> None:
        """Raise where a table was written by a build of Sitestrata that kept other columns in it."""
        for table in tables:
            for name in self.manifest.first_files(table):
                lacks = missing_columns(table, self.folder / name) if name not in self._checked else []
                if lacks:
                    raise FormatError(
                        f"{self.folder} was mined by another build of Sitestrata ({self.manifest.version}; this is "
                        f"{__version__}): its table {table} has no column {', '.join(lacks)} as this one needs it. "
                        f"Mine it again: sitestrata mine --resume -o {self.folder}"
                    )
                self._checked.add(name)

    def _spill(self) -> Path | None:
        return None

    def arrow(self, table: str, columns: Sequence[str] | None = None) -> pa.Table:
        """Read a table, or some of its columns, as Arrow."""
        return self.reader().read(table, columns)

    def pandas(self, table: str, columns: Sequence[str] | None = None) -> Any:
        """Read a table as a pandas data frame (pandas must be installed)."""
        return self.arrow(table, columns).to_pandas()

    def query(self, sql: str) -> pa.Table:
        """Answer a DuckDB query over the tables."""
        return self.reader().query(sql)

    def duckdb(self) -> Any:
        """Return a DuckDB connection with a view per table."""
        return self.reader(self.tables).connect()

    def digest(self, table: str) -> str:
        """Return the canonical digest of a table: equal rows, equal digest, whatever engine wrote them."""
        return canonical_digest(table, self.arrow(table))

    def count(self, table: str) -> int:
        """Return the number of rows of a table, 0 if it was not made."""
        return self.manifest.rows(table)


class WorkspaceWriter(Workspace):
    """A workspace whose lock we hold."""

    def _spill(self) -> Path:
        return self.folder / "staging" / "spill"

    def staging(self, name: str) -> Path:
        """Return the folder in which a stage prepares its files."""
        folder = self.folder / "staging" / name
        folder.mkdir(parents=True, exist_ok=True)
        return folder

    def update(self, **changes: Any) -> None:
        """Change fields of the manifest."""
        self.manifest = replace(self.manifest, **changes)
        write_manifest(self.folder, self.manifest)

    def commit(
        self,
        stage: str,
        record: StageRecord,
        staged: Mapping[str, Sequence[Path]],
        *,
        keep: Mapping[str, Sequence[str]],
        staging: Path,
        stale: Collection[str] = (),
    ) -> None:
        """Put staged files in place of a stage's earlier outputs, all at once.

        ``keep`` names files of the stage's earlier outputs that stay part of it, ``stale`` the stages whose rows no
        longer describe the collection.
        """
        files = {table: list(keep.get(table, ())) for table in {*staged, *keep}}
        for table, paths in staged.items():
            target = self.folder / "tables" / table
            target.mkdir(parents=True, exist_ok=True)
            for path in paths:
                name = f"{stage}-{self.manifest.runs}-{path.stem}.parquet"
                _link(path, target / name)
                files[table].append(f"tables/{table}/{name}")
            sync_folder(target)
        before = self.manifest
        complete = replace(record, files={table: tuple(sorted(names)) for table, names in sorted(files.items())})
        self.manifest = self.manifest.with_stage(stage, complete, stale=stale)
        write_manifest(self.folder, self.manifest)
        for name in before.all_files() - self.manifest.all_files():
            (self.folder / name).unlink(missing_ok=True)
        shutil.rmtree(staging, ignore_errors=True)

    def clear_staging(self, *, keep: Path | None) -> None:
        """Remove what earlier runs prepared, except one folder."""
        for path in (self.folder / "staging").glob("*"):
            if path != keep:
                shutil.rmtree(path, ignore_errors=True)

    def sweep(self) -> None:
        """Remove files that a killed run put into place without living to say so."""
        listed = {self.folder / name for name in self.manifest.all_files()}
        for path in (self.folder / "tables").glob("*/*"):
            if path not in listed:
                path.unlink()


def _link(path: Path, target: Path) -> None:
    # A link rather than a move: if the run dies before the manifest is written, the staged file is still there.
    try:
        target.hardlink_to(path)
    except OSError:  # the file system has no hard links
        path.replace(target)


def open_workspace(folder: str | os.PathLike[str], *, memory_limit: int | None = None) -> Workspace:
    """Open a workspace for reading."""
    path = Path(folder)
    return Workspace(path, read_manifest(path), memory_limit=memory_limit)


@contextmanager
def write_workspace(folder: str | os.PathLike[str], *, memory_limit: int | None = None) -> Iterator[WorkspaceWriter]:
    """Open a workspace for writing, or make one; nobody else can until the block ends."""
    path = Path(folder)
    _refuse_foreign(path)
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise WorkspaceError(f"Cannot make the folder {path}: {error.strerror}") from error
    with _locked(path):
        manifest = read_manifest(path) if (path / "manifest.json").exists() else Manifest(version=__version__)
        # Not written yet: a run that is refused before it begins leaves the workspace as it was.
        manifest = replace(manifest, version=__version__, runs=manifest.runs + 1, is_finished=False)
        writer = WorkspaceWriter(path, manifest, memory_limit=memory_limit)
        writer.sweep()
        try:
            yield writer
        finally:
            if not (path / "manifest.json").exists():  # refused before it began: leave nothing behind
                with suppress(OSError):
                    (path / "lock").unlink()
                    path.rmdir()


def _refuse_foreign(path: Path) -> None:
    if path.is_dir():
        if any(path.iterdir()) and not any((path / name).exists() for name in ("manifest.json", "lock")):
            raise WorkspaceError(f"{path} holds other files and is not a workspace. Choose a new or empty folder.")
    elif path.exists():
        raise WorkspaceError(f"{path} is a file. Choose a new or empty folder for the workspace.")


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Hold the lock of a workspace.

    The lock is the kernel's (flock), not the file: it ends with the process that holds it, so a run that was killed
    leaves no stale lock behind.
    """
    descriptor = os.open(folder / "lock", os.O_RDWR | os.O_CREAT, 0o644)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            holder = os.read(descriptor, 32).decode("ascii", "replace").strip() or "?"
            raise WorkspaceLocked(
                f"Another run (process {holder}) is at work in {folder}. Wait for it to end, or use another folder."
            ) from error
        os.ftruncate(descriptor, 0)
        os.write(descriptor, f"{os.getpid()}\n".encode())
        yield
    finally:
        os.close(descriptor)
