"""Group and neighbourhood stages: how rows that belong together are brought together, and the jobs that run on them.

For groups the tables are sorted once into buckets of whole groups, so that a job reads its bucket and nothing else. For
neighbourhoods a job asks for the rows it needs: they overlap too much to be laid out beforehand.
"""

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby, pairwise
from operator import itemgetter
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from sitestrata.model import Reject, table_from_records
from sitestrata.model.regions import PARTS
from sitestrata.run.engine import Made, Step, shard_name
from sitestrata.run.jobs import written
from sitestrata.run.regions import skew
from sitestrata.run.stage import Stage
from sitestrata.run.storage import FileReader, as_batches, count_rows, key_of, schema_of, write_file
from sitestrata.run.worker import Tick

__all__ = [
    "all_centres",
    "all_groups",
    "count_pieces",
    "cut_at_buckets",
    "group_job",
    "laid_out_regions",
    "lay_out",
    "members_of",
    "neighbourhood_job",
    "portions",
    "reader_of",
    "region_job",
    "reject_piece",
]

LOG = logging.getLogger("sitestrata.run")
SORT_MEMORY = 1 << 30  # bytes; what is larger is sorted through the disk
BATCH_ROWS = 16_384  # of a stream that is cut into buckets: a sort holds no more of what it has given out
_GROUP = "_group"  # column that the laid-out files have on top
Run = Callable[..., Mapping[str, Any]]


def all_groups(step: Step) -> pa.Table:
    """Return the groups of a stage in order, each with its number of pages: columns ``group`` and ``pages``."""
    by = step.stage.by
    return step.reader.query(f'SELECT "group", count(*) AS pages FROM "{by}" GROUP BY 1 ORDER BY 1')  # noqa: S608


def count_pieces(step: Step) -> int:
    """Return how many pieces (groups, regions, centres) a stage that sees more than a page is done in, at least 1."""
    stage = step.stage
    if stage.scope == "neighbourhood":
        return max(sum(count_rows(Path(path)) for path in step.reader.files["pages"]), 1)
    if not stage.by or not any(count_rows(Path(path)) for path in step.reader.files[stage.by]):
        return 1
    found = step.reader.query(f'SELECT count(DISTINCT "group") AS pieces FROM "{stage.by}"')  # noqa: S608
    return max(int(found["pieces"][0].as_py()), 1)


def all_centres(step: Step) -> pa.Table:
    """Return the pages that a neighbourhood stage visits, in order: column ``page``."""
    return step.reader.query('SELECT url_id AS page FROM "pages" ORDER BY 1')


def portions(groups: pa.Table, goal: int) -> list[pa.Array]:
    """Cut groups (as `all_groups` has them), in order, into portions of about so many pages; of 1, each group alone."""
    if not groups.num_rows:
        return []
    portion = (groups["pages"].to_numpy().cumsum() - 1) // goal
    edges = [0, *(np.flatnonzero(np.diff(portion)) + 1).tolist(), groups.num_rows]
    values = pa.concat_arrays(groups["group"].chunks)
    return [values.slice(begin, end - begin) for begin, end in pairwise(edges)]


def lay_out(step: Step, buckets: Sequence[pa.Array], folder: Path) -> list[dict[str, Path]]:
    """Write the rows of each bucket of groups into files of its own, sorted by group and key; return them by table."""
    numbers = pa.concat_arrays([pa.array([number] * len(groups), pa.int32()) for number, groups in enumerate(buckets)])
    files: list[dict[str, Path]] = [{} for _ in buckets]
    with step.reader.bounded(SORT_MEMORY).connect() as connection:
        connection.register("buckets", pa.table({_GROUP: pa.concat_arrays(list(buckets)), "bucket": numbers}))
        for table in (*step.stage.needs, step.stage.by):
            if table in step.stage.whole:
                continue
            key = key_of(table)
            page = '"page"' if table == step.stage.by else f'"{key[0]}"'
            same_group = 'AND t."group" = m."group"' if table == step.stage.by else ""
            rows = f"""
                SELECT b.bucket, b.{_GROUP}, t.* FROM buckets b
                JOIN {members_of(step.stage, table)} m ON m."group" = b.{_GROUP}
                JOIN "{table}" t ON t.{page} = m.page {same_group}
                ORDER BY b.bucket, b.{_GROUP}, {", ".join(f't."{column}"' for column in key)}
            """  # noqa: S608
            schema = schema_of(table).insert(0, pa.field(_GROUP, pa.int64()))
            batches = cut_at_buckets(connection.sql(rows).to_arrow_reader(BATCH_ROWS))
            for number, some in groupby(batches, key=itemgetter(0)):
                files[number][table] = folder / str(number) / f"{table}.parquet"
                write_file(files[number][table], table, (batch for _, batch in some), schema=schema, is_lasting=False)
    return files


def laid_out_regions(step: Step, folder: Path) -> Iterator[tuple[int, FileReader]]:
    """Yield the regions of a stage in order, each with a reader of its rows; the files are there while it is used."""
    found = all_groups(step)
    LOG.info("stage %s: %s", step.stage.name, skew(found["pages"].to_pylist()))
    regions = found["group"].to_pylist()
    before = step.reader
    laid_out = lay_out(step, [pa.array([region], pa.int64()) for region in regions], folder)
    for region, paths in zip(regions, laid_out, strict=True):
        yield region, reader_of(step.stage, paths, before)


def reader_of(stage: Stage, paths: Mapping[str, Path], like: FileReader) -> FileReader:
    """Return a reader of the laid-out rows of a region; a table without rows has no file."""
    files = {table: [paths[table]] if table in paths else [] for table in (*stage.needs, stage.by)}
    files |= {table: list(map(Path, like.files[table])) for table in stage.whole}
    return FileReader(files, memory_limit=like.memory_limit, threads=like.threads, spill=like.spill)


def members_of(stage: Stage, table: str) -> str:
    """Return in SQL which rows of a table belong to which group: columns ``group`` and ``page``, the key of the row."""
    if table not in stage.via:
        return f'"{stage.by}"'
    names, column = stage.via[table]
    key = key_of(names)[0]
    return f"""(SELECT "group", page FROM "{stage.by}" UNION
        SELECT m."group", v."{column}" AS page FROM "{stage.by}" m JOIN "{names}" v ON v."{key}" = m.page)"""  # noqa: S608


def region_job(step: Step, region: int, reader: FileReader) -> Made:
    """Run a stage on one region; what still has to be joined is written with the region in front."""
    rows = step.stage.run(reader, step.options)
    if step.stage.join is not None:
        rows = {
            table if table == "rejects" else PARTS + table: (_with_region(region, batch) for batch in as_batches(some))
            for table, some in rows.items()
        }
    return written(step.folder, shard_name(region), rows)


def group_job(
    run: Run,
    groups: pa.Array,
    laid_out: Mapping[str, Path],
    tables: Sequence[str],
    options: Any,
    folder: Path,
    tick: Tick,
) -> Made:
    """Run a stage on each of some groups, given the files of their rows; a table without rows has none."""
    import pyarrow.parquet as pq

    rows: dict[str, list[pa.RecordBatch]] = {}
    whole = {table: pq.read_table(laid_out[table]) if table in laid_out else None for table in tables}
    # Files are sorted by group, so the rows of one lie together: asking every row for its group would be quadratic.
    member = {table: content[_GROUP].to_numpy() for table, content in whole.items() if content is not None}
    for position, group in enumerate(groups.to_pylist()):
        tick(position)
        mine = {table: _rows_of(group, table, content, member.get(table)) for table, content in whole.items()}
        _collect(rows, run(mine, options))
    return written(folder, shard_name(*groups.to_pylist()), rows)


def neighbourhood_job(
    run: Run, centres: pa.Array, by: str, reader: FileReader, options: Any, folder: Path, tick: Tick
) -> Made:
    """Run a stage on some centre pages, given their rows and those of their neighbours."""
    tick(0)
    with reader.connect() as connection:
        connection.register("centres", pa.table({"page": centres}))
        connection.execute(
            f"""
            CREATE TEMP TABLE near AS
            SELECT page FROM centres
            UNION SELECT e.target FROM "{by}" e JOIN centres c ON e.page = c.page
            UNION SELECT e.page FROM "{by}" e JOIN centres c ON e.target = c.page
            """  # noqa: S608
        )
        tables = {}
        for table in reader.files:
            key = key_of(table)
            order = ", ".join(f't."{column}"' for column in key)
            sql = f'SELECT t.* FROM "{table}" t SEMI JOIN near n ON t."{key[0]}" = n.page ORDER BY {order}'  # noqa: S608
            tables[table] = connection.sql(sql).to_arrow_table().cast(schema_of(table))
    rows: dict[str, list[pa.RecordBatch]] = {}
    _collect(rows, run(centres, tables, options))
    return written(folder, shard_name(*centres.to_pylist()), rows)


def reject_piece(step: Step, piece: pa.Array, reason: str, detail: str) -> Made:
    """Note that a group, or a centre page, could not be done."""
    what = f"{'group' if step.stage.scope == 'group' else 'page'} {piece[0].as_py()}"
    reject = Reject(what, step.stage.name, reason, f"It was left out: {detail}.")
    return written(step.folder, shard_name(*piece.to_pylist()), {"rejects": table_from_records("rejects", [reject])})


def _with_region(region: int, batch: pa.RecordBatch) -> pa.RecordBatch:
    return batch.add_column(0, "region", pa.array([region], pa.int64()).take(pa.array([0] * len(batch), pa.int64())))


def cut_at_buckets(batches: Iterable[pa.RecordBatch]) -> Iterator[tuple[int, pa.RecordBatch]]:
    """Yield runs of rows of the same bucket; what comes in is sorted by the column ``bucket``."""
    for batch in batches:
        numbers = batch.column("bucket").to_numpy()
        edges = [0, *(np.flatnonzero(np.diff(numbers)) + 1).tolist(), len(numbers)]
        for begin, end in pairwise(edges):
            if end > begin:
                yield int(numbers[begin]), batch.slice(begin, end - begin)


def _rows_of(group: int, table: str, content: pa.Table | None, member: Any) -> pa.Table:
    if content is None:
        return schema_of(table).empty_table()
    start, end = member.searchsorted(group, "left"), member.searchsorted(group, "right")
    return content.slice(int(start), int(end - start)).drop_columns([_GROUP]).cast(schema_of(table))


def _collect(rows: dict[str, list[pa.RecordBatch]], more: Mapping[str, Any]) -> None:
    for table, some in more.items():
        rows.setdefault(table, []).extend(as_batches(some))
