"""Rows brought together by SQL: those of a bucket of groups, or of a bucket of centres with all their neighbours.

A bucket is what one task does. Groups are put into buckets by hash; a group that would fill a bucket alone gets one of
its own, so that nothing else has to wait for it.
"""

import logging
from functools import reduce
from pathlib import Path
from typing import Any

import pyarrow as pa

from sitestrata.run.groups import members_of
from sitestrata.run.spark.tasks import CENTRES, GROUP, LAID_OUT, LayOutTask
from sitestrata.run.stage import Stage
from sitestrata.run.storage import key_of, schema_of

__all__ = ["lay_out"]

LOG = logging.getLogger("sitestrata.run.spark")


def lay_out(session: Any, stage: Stage, folder: Path, *, buckets: int, giant: int) -> Any:
    """Return the files (columns as `LAID_OUT`) of the rows of each bucket; they are written when the job runs.

    The tables of the stage are views of the session by their names. A group of more than ``giant`` pages has a bucket
    of its own.
    """
    is_group = stage.scope in ("group", "region")
    members = _group_members if is_group else _near_members
    members(session, stage.by, buckets, giant).createOrReplaceTempView("members")
    session.sql(f'SELECT DISTINCT bucket, "{GROUP}" FROM "members"').createOrReplaceTempView("buckets")  # noqa: S608
    laid_out = []
    for table in dict.fromkeys((*stage.needs, stage.by)):
        if table in stage.whole:
            continue
        key = key_of(table)
        same = f't."page" = m."page" AND t."group" = m."{GROUP}"'
        on = same if is_group and table == stage.by else f't."{key[0]}" = m."page"'
        those = "members" if table not in stage.via else _named(stage, table)
        rows = session.sql(f'SELECT m."bucket", m."{GROUP}", t.* FROM {those} m JOIN "{table}" t ON {on}')  # noqa: S608
        schema = schema_of(table).insert(0, pa.field(GROUP, pa.int64())) if is_group else schema_of(table)
        laid_out.append(_written(rows, LayOutTask(table, schema, folder), (GROUP, *key)))
    if not is_group:
        rows = session.sql('SELECT "bucket", "page" FROM "centres"')
        schema = pa.schema([pa.field("page", pa.int64())])
        laid_out.append(_written(rows, LayOutTask(CENTRES, schema, folder), ("page",)))
    return reduce(lambda files, more: files.unionAll(more), laid_out)


def _named(stage: Stage, table: str) -> str:
    """Return in SQL the rows of a table that belong to a group because rows of it name them."""
    names = members_of(stage, table)
    return f'(SELECT b.bucket, b."{GROUP}", n.page FROM {names} n JOIN buckets b ON b."{GROUP}" = n."group")'  # noqa: S608


def _written(rows: Any, task: LayOutTask, key: tuple[str, ...]) -> Any:
    return rows.repartition("bucket").sortWithinPartitions("bucket", *key).mapInArrow(task, LAID_OUT)


def _group_members(session: Any, by: str, buckets: int, giant: int) -> Any:
    """Return which pages are in which group of which bucket."""
    found = session.sql(
        f'SELECT "group", count(*) AS pages FROM "{by}" GROUP BY 1 HAVING count(*) > {giant} ORDER BY 2 DESC, 1'  # noqa: S608
    ).collect()
    if found:
        LOG.info("%d groups of more than %d pages; the largest has %d", len(found), giant, found[0].pages)
    alone = [(row.group, buckets + number) for number, row in enumerate(found)]
    session.createDataFrame(alone, '"group" long, bucket long'.replace('"', "`")).createOrReplaceTempView("giants")
    return session.sql(
        f"""
        SELECT coalesce(g.bucket, pmod(xxhash64(m."group"), {buckets})) AS bucket, m."group" AS "{GROUP}", m.page
        FROM "{by}" m LEFT JOIN giants g ON g."group" = m."group"
        """  # noqa: S608
    )


def _near_members(session: Any, by: str, buckets: int, _giant: int) -> Any:
    """Return which pages are near the centres of which bucket."""
    session.sql(
        f'SELECT pmod(xxhash64(url_id), {buckets}) AS bucket, url_id AS page FROM "pages"'  # noqa: S608
    ).createOrReplaceTempView("centres")
    return session.sql(
        f"""
        SELECT bucket, page, 0 AS "{GROUP}" FROM centres
        UNION SELECT c.bucket, e.target, 0 FROM "{by}" e JOIN centres c ON e.page = c.page
        UNION SELECT c.bucket, e.page, 0 FROM "{by}" e JOIN centres c ON e.target = c.page
        """  # noqa: S608
    )
