"""The data source ``warc``: captures of WARC, ARC and WACZ files as a data frame, here or in a store of objects.

::

    session.dataSource.register(WarcSource)
    session.read.format("warc").option("split", 128 << 20).load("s3://bucket/crawl/*.warc.gz")

Columns are those of the table ``captures``: bodies stay where they are, at ``source`` and ``offset``, so that nothing
large is shuffled. With the option ``bodies`` a column ``body`` is added, for work that ends in the task that reads.
One task reads a file, or with the option ``split`` so many bytes of it, where records are packed one by one.
"""

from collections.abc import Iterator
from itertools import islice
from typing import Any

import pyarrow as pa
from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition

from sitestrata.errors import UsageError
from sitestrata.model import TABLES, Capture, table_from_records
from sitestrata.sources import Limits, Source, find_sources, index_source, read_bodies
from sitestrata.sources.parts import Part, cut_source

__all__ = ["WarcSource"]

BATCH = 1000  # captures that are held
BODY_BATCH = 64  # with their bodies


class WarcSource(DataSource):
    """Captures of WARC, ARC and WACZ files."""

    @classmethod
    def name(cls) -> str:
        """Return what the format is called in Spark."""
        return "warc"

    def schema(self) -> Any:
        """Return the columns."""
        from pyspark.sql.pandas.types import from_arrow_schema

        return from_arrow_schema(_schema(self.options))

    def reader(self, schema: Any) -> DataSourceReader:  # noqa: ARG002 - Spark's own
        """Return what reads the files that were named."""
        return _Reader(dict(self.options))


class _Portion(InputPartition):
    """What one task reads."""

    def __init__(self, source: Source, part: Part | None) -> None:
        super().__init__(source.name)
        self.source, self.part = source, part


class _Reader(DataSourceReader):
    def __init__(self, options: dict[str, str]) -> None:
        if "path" not in options:
            raise UsageError('Say what to read: session.read.format("warc").load("crawl.warc.gz")')
        self.path = options["path"]
        self.split = int(options.get("split", 0))
        self.has_bodies = _has_bodies(options)
        self.columns = _schema(options)

    def partitions(self) -> list[InputPartition]:
        """Return a portion for each file, or part of a file."""
        found: list[InputPartition] = []
        for source in find_sources([self.path]):
            found += [_Portion(source, part) for part in cut_source(source, self.split) or (None,)]
        return found

    def read(self, partition: Any) -> Iterator[pa.RecordBatch]:
        """Yield the captures of a portion; what is damaged is left out, as everywhere."""
        found = index_source(partition.source, Limits(), part=partition.part)
        captures = (item for item in found if isinstance(item, Capture))
        while some := list(islice(captures, BODY_BATCH if self.has_bodies else BATCH)):
            yield from self._batches(partition.source, some)

    def _batches(self, source: Source, captures: list[Capture]) -> Iterator[pa.RecordBatch]:
        rows = table_from_records("captures", captures)
        if self.has_bodies:
            read = read_bodies(source, [item for item in captures if item.record_type != "revisit"])
            body = {item[0].offset: item[1] for item in read if isinstance(item, tuple)}
            column = pa.array([body.get(item.offset) for item in captures], pa.binary())
            rows = rows.append_column("body", column)
        yield from rows.cast(self.columns).combine_chunks().to_batches()


def _has_bodies(options: Any) -> bool:
    return str(options.get("bodies", "false")).lower() == "true"


def _schema(options: Any) -> pa.Schema:
    """Return the columns with the types that Spark has for them: times in microseconds."""
    from pyspark.sql.pandas.types import from_arrow_schema, to_arrow_schema

    columns = TABLES["captures"].schema
    if _has_bodies(options):
        columns = columns.append(pa.field("body", pa.binary()))
    schema: pa.Schema = to_arrow_schema(from_arrow_schema(columns), timezone="UTC")
    return schema
