"""WARC files as a data frame: here, in a store of objects, whole files and parts of them."""

from pathlib import Path
from typing import Any

import pytest

from sitestrata.run.mine import mine

from .test_equal import TO_TABLES, assert_equal


@pytest.fixture(scope="module")
def reader(spark: Any) -> Any:
    from sitestrata.run.spark.warc import WarcSource  # needs PySpark, which only these tests do

    spark.dataSource.register(WarcSource)
    return spark.read.format("warc")


@pytest.fixture(scope="module")
def bucket(web: list[Path], store: Path) -> str:
    for path in web:
        (store / "crawls" / path.name).write_bytes(path.read_bytes())
    return "s3://crawls"


def places(frame: Any) -> list[tuple[Any, ...]]:
    return sorted((row.url, row.offset, row.digest) for row in frame.select("url", "offset", "digest").collect())


def test_parts_of_a_file_hold_each_capture_once(reader: Any, web: list[Path], spark: Any) -> None:
    whole = places(reader.load(str(web[0])))
    parts = reader.option("split", web[0].stat().st_size // 5).load(str(web[0]))

    assert 5 <= parts.rdd.getNumPartitions() <= 6
    assert len(whole) > 60
    assert whole == places(parts)


def test_a_store_of_objects_is_read_as_a_folder_is(reader: Any, web: list[Path], bucket: str) -> None:
    assert places(reader.load(str(web[0].parent))) == places(reader.load(f"{bucket}/*.warc.gz"))


def test_bodies_come_along_where_they_are_asked_for(reader: Any, crawl: Path) -> None:
    rows = reader.option("bodies", "true").load(str(crawl)).select("url", "body", "size").collect()

    assert 24 == len(rows)
    assert all(f"<title>{row.url}</title>".encode() in row.body and len(row.body) == row.size for row in rows)


def test_mining_a_store_gives_the_rows_of_the_files(
    bucket: str, expected: dict[str, str], spark: Any, tmp_path: Path
) -> None:
    """All but the names of the files, which captures and rejects hold."""
    workspace = mine([bucket], tmp_path / "ws", plan=TO_TABLES, spark=spark)

    assert_equal(expected, workspace, but=("captures", "rejects"))
