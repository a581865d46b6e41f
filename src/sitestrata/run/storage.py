"""Arrow tables to Parquet files and back: written whole or not at all, read as Arrow or through DuckDB."""

import hashlib
import os
import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from pathlib import Path
from typing import Any
from uuid import uuid4

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as ds
import pyarrow.parquet as pq

from sitestrata.errors import WorkspaceError
from sitestrata.identity.tables import IDENTITY_TABLES
from sitestrata.model import TABLES
from sitestrata.model.regions import PARTS, part_schema
from sitestrata.ontology.entries import ENTRY_TABLES
from sitestrata.sites import PART_TABLES

__all__ = [
    "CHOSEN",
    "FORGOTTEN",
    "INDEXED",
    "PARSED",
    "FileReader",
    "HeldTables",
    "as_batches",
    "canonical_digest",
    "column_bytes",
    "conform",
    "count_rows",
    "key_of",
    "missing_columns",
    "schema_of",
    "write_file",
]

# Tables of our own, which readers do not see: what was indexed before revisits were resolved; which captures are to be
# parsed; which have been, by shard.
INDEXED, CHOSEN, PARSED = "_indexed", "_chosen", "_parsed"
_WORD = re.compile(r"\w+")
FORGOTTEN = "_forgotten"  # ids of addresses that must not be known (sitestrata.run.forget)
_PLACE = pa.schema(
    [
        pa.field("url_id", pa.int64(), nullable=False),
        pa.field("source", pa.string(), nullable=False),
        pa.field("offset", pa.int64(), nullable=False),
        pa.field("version", pa.int32(), nullable=False),
    ]
)
_INTERNAL: dict[str, pa.Schema] = {
    **IDENTITY_TABLES,
    **ENTRY_TABLES,
    **PART_TABLES,
    INDEXED: TABLES["captures"].schema,
    CHOSEN: _PLACE,
    PARSED: _PLACE,
    FORGOTTEN: pa.schema([pa.field("url_id", pa.int64(), nullable=False)]),
}
# Fast to write and half the size of snappy on links (paths and labels repeat).
COMPRESSION = "zstd"
COMPRESSION_LEVEL = 1
ROW_GROUP = 131_072  # rows; bounds what a writer or reader holds of one file
BATCH_ROWS = 16_384  # rows that are streamed at a time


def schema_of(name: str) -> pa.Schema:
    """Return the schema of a table of the workspace."""
    if name in _INTERNAL:
        return _INTERNAL[name]
    if name.startswith(PARTS):
        return part_schema(name.removeprefix(PARTS))
    return TABLES[name.removeprefix("_")].schema


def key_of(name: str) -> tuple[str, ...]:
    """Return the sort key of a table; its first column says which page a row belongs to."""
    if name in TABLES:
        return TABLES[name].key
    return ("page", "group") if "group" in schema_of(name).names else (schema_of(name).names[0],)


def conform(schema: pa.Schema, rows: pa.Table | pa.RecordBatch) -> pa.Table:
    """Return rows with exactly the columns and types of a schema."""
    table = pa.Table.from_batches([rows]) if isinstance(rows, pa.RecordBatch) else rows
    return table if table.schema.equals(schema) else table.select(schema.names).cast(schema)


def as_batches(rows: pa.Table | pa.RecordBatch | Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Return rows as batches, however a stage chose to hand them over."""
    if isinstance(rows, pa.RecordBatch):
        yield rows
    elif isinstance(rows, pa.Table):
        yield from rows.to_batches()
    else:
        yield from rows


def write_file(
    path: Path,
    name: str,
    rows: Iterable[pa.Table | pa.RecordBatch],
    *,
    schema: pa.Schema | None = None,
    is_lasting: bool = True,
) -> int:
    """Write rows of a table (or of another schema) as one Parquet file and return how many there were.

    The file appears under its name only when it is complete and, unless it is for this run only, on disk.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    # Two attempts at the same piece of work may write at the same time, even from two machines.
    temporary = path.with_suffix(f".{uuid4().hex}.new")
    schema = schema or schema_of(name)
    count = 0
    try:
        with temporary.open("wb") as file:
            with pq.ParquetWriter(file, schema, compression=COMPRESSION, compression_level=COMPRESSION_LEVEL) as writer:
                for some in rows:
                    table = conform(schema, some)
                    writer.write_table(table, row_group_size=ROW_GROUP)
                    count += table.num_rows
            file.flush()
            if is_lasting:
                os.fsync(file.fileno())
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    return count


def count_rows(path: Path) -> int:
    """Return the number of rows of a file, from its footer."""
    rows: int = pq.read_metadata(path).num_rows
    return rows


def missing_columns(name: str, path: Path) -> list[str]:
    """Return the columns of a table that a file does not have, or not with their types, from its footer."""
    if name not in _INTERNAL and name.removeprefix("_") not in TABLES:
        return []
    try:
        found = pq.read_schema(path)
    except (OSError, pa.ArrowInvalid) as error:
        raise WorkspaceError(f"Cannot read {path}, a part of the table {name}: {error}") from error
    return [
        field.name
        for field in schema_of(name)
        if field.name not in found.names or found.field(field.name).type != field.type
    ]


class FileReader:
    """Reads the tables whose files are given: what a stage with collection scope is handed (`TableReader`)."""

    def __init__(
        self,
        files: Mapping[str, Sequence[Path]],
        *,
        memory_limit: int | None = None,
        threads: int | None = None,
        spill: Path | None = None,
    ) -> None:
        self.files = {name: [str(path) for path in paths] for name, paths in files.items()}
        self.memory_limit = memory_limit
        self.threads = threads
        self.spill = spill  # where DuckDB puts what does not fit into memory

    def with_files(self, files: Mapping[str, Sequence[Path]]) -> "FileReader":
        """Return a reader of some more tables."""
        before = {name: [Path(path) for path in paths] for name, paths in self.files.items()}
        return FileReader({**before, **files}, memory_limit=self.memory_limit, threads=self.threads, spill=self.spill)

    def bounded(self, memory_limit: int, *, threads: int | None = None) -> "FileReader":
        """Return a reader of the same tables whose queries take less memory, and the disk instead."""
        files = {name: [Path(path) for path in paths] for name, paths in self.files.items()}
        limit = min(self.memory_limit or memory_limit, memory_limit)
        fewest = min((count for count in (self.threads, threads) if count is not None), default=None)
        return FileReader(files, memory_limit=limit, threads=fewest, spill=self.spill)

    def read(self, name: str, columns: Sequence[str] | None = None) -> pa.Table:
        """Return a whole table, or some of its columns."""
        return self._dataset(name).to_table(columns=list(columns) if columns is not None else None)

    def batches(self, name: str, columns: Sequence[str] | None = None) -> Iterator[pa.RecordBatch]:
        """Stream a table that may be larger than memory."""
        # Not by a dataset's scanner, which reads ahead by hundreds of megabytes.
        schema = schema_of(name)
        schema = schema if columns is None else pa.schema([schema.field(column) for column in columns])
        for path in self._paths(name):
            with pq.ParquetFile(path) as file:
                # One row group after the other: an iteration over several keeps buffers of those it has left.
                for group in range(file.num_row_groups):
                    for batch in file.iter_batches(BATCH_ROWS, row_groups=[group], columns=schema.names):
                        yield from conform(schema, batch).to_batches()

    def query(self, sql: str) -> pa.Table:
        """Answer a query; tables go by their names."""
        with _kept_database(self._settings()).cursor() as connection:
            self._make_views(connection, "TEMP VIEW", only=frozenset(_WORD.findall(sql)))
            return connection.sql(sql).to_arrow_table()

    def hold(self, tables: Mapping[str, str]) -> "HeldTables":
        """Copy the answers of some queries into tables of a database of their own, for many small questions."""
        connection = _new_database(self._settings())
        self._make_views(connection, "VIEW", only=frozenset(_WORD.findall(" ".join(tables.values()))))
        for name, sql in tables.items():
            connection.execute(f'CREATE TEMP TABLE "{name}" AS {sql}')
        return HeldTables(connection)

    def connect(self) -> Any:
        """Return a connection to a DuckDB database of its own with a view per table."""
        connection = _new_database(self._settings())
        self._make_views(connection, "VIEW")
        return connection

    def _settings(self) -> tuple[str, ...]:
        spill = self.spill or Path(tempfile.gettempdir()) / "sitestrata"
        return (
            f"temp_directory = {_quoted(str(spill))}",
            *([] if self.memory_limit is None else [f"memory_limit = '{self.memory_limit // 1024} KiB'"]),
            *([] if self.threads is None else [f"threads = {self.threads}"]),
        )

    def _make_views(self, connection: Any, kind: str, *, only: AbstractSet[str] | None = None) -> None:
        """Make a view per table, or per table that is asked for: a view opens its files."""
        for name, paths in self.files.items():
            if only is not None and name not in only:
                continue
            if paths:
                listed = ", ".join(map(_quoted, paths))
                rows = f"SELECT * FROM read_parquet([{listed}], filename = {name == PARSED})"  # noqa: S608 - our own file names, quoted
            else:
                # An empty table still has its columns.
                connection.register(f"{name}_empty", schema_of(name).empty_table())
                rows = f'SELECT * FROM "{name}_empty"'  # noqa: S608
            connection.execute(f'CREATE {kind} "{name}" AS {rows}')

    def _dataset(self, name: str) -> Any:
        paths = self._paths(name)
        if not paths:
            return ds.dataset(schema_of(name).empty_table())
        return ds.dataset(paths, schema=schema_of(name), format="parquet")

    def _paths(self, name: str) -> list[str]:
        if name not in self.files:
            known = ", ".join(sorted(self.files)) or "none"
            raise WorkspaceError(f"There is no table {name!r} here; there are: {known}.")
        return self.files[name]


class HeldTables:
    """Answers queries over the tables that it holds; a question takes no file to be opened."""

    def __init__(self, connection: Any) -> None:
        self._connection = connection

    def query(self, sql: str) -> pa.Table:
        """Answer a query; tables go by the names they are held under."""
        return self._connection.sql(sql).to_arrow_table()


_databases: dict[int, tuple[tuple[str, ...], Any]] = {}  # by process: a fork must not touch that of its parent


def _kept_database(settings: tuple[str, ...]) -> Any:
    """Return an empty database that this process keeps: to open one takes as long as most queries."""
    kept = _databases.get(os.getpid())
    if kept is None or kept[0] != settings:
        kept = _databases[os.getpid()] = (settings, _new_database((*settings, "enable_external_file_cache = false")))
    return kept[1]


def _new_database(settings: Iterable[str]) -> Any:
    import duckdb

    database = duckdb.connect(":memory:")
    for setting in settings:
        database.execute(f"SET {setting}")
    return database


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def canonical_digest(name: str, table: pa.Table) -> str:
    """Return a digest of the rows of a table that depends neither on their order nor on files and batches."""
    key = TABLES[name].key if name in TABLES else tuple(schema_of(name).names)
    rows = conform(schema_of(name), table)
    rows = rows.take(pc.sort_indices(rows, sort_keys=[(column, "ascending") for column in key]))
    digest = hashlib.blake2b(digest_size=16)
    for column in rows.columns:
        for content in column_bytes(column.combine_chunks()):
            digest.update(content)
    return digest.hexdigest()


def column_bytes(column: Any) -> Iterator[bytes]:
    """Yield the values of a column as bytes that are the same however Arrow happens to hold them."""
    if isinstance(column, pa.ChunkedArray):
        column = pa.concat_arrays(column.chunks) if column.num_chunks else pa.array([], column.type)
    yield np.packbits(column.is_valid().to_numpy(zero_copy_only=False)).tobytes()
    if pa.types.is_list(column.type):
        yield column.value_lengths().fill_null(0).to_numpy(zero_copy_only=False).astype("<i8").tobytes()
        yield from column_bytes(column.flatten())
    elif pa.types.is_struct(column.type):
        for child in column.flatten():
            yield from column_bytes(child)
    elif pa.types.is_string(column.type) or pa.types.is_binary(column.type):
        binary = column.cast(pa.large_binary()).fill_null(b"")
        yield pc.binary_length(binary).to_numpy(zero_copy_only=False).astype("<i8").tobytes()
        offsets = np.frombuffer(binary.buffers()[1], dtype=np.int64)[binary.offset : binary.offset + len(binary) + 1]
        data = binary.buffers()[2]
        yield b"" if data is None or not len(binary) else data[offsets[0] : offsets[-1]].to_pybytes()
    elif pa.types.is_timestamp(column.type):
        yield column.cast(pa.int64()).fill_null(0).to_numpy(zero_copy_only=False).tobytes()
    else:
        yield column.fill_null(pa.scalar(0).cast(column.type)).to_numpy(zero_copy_only=False).tobytes()
