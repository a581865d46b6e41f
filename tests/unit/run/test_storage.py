"""Readers of files: what queries of several readers in one process see of one another (nothing)."""

from pathlib import Path

import pyarrow as pa
import pytest

from sitestrata.run.storage import FORGOTTEN, FileReader, write_file

SQL = f"SELECT list(url_id ORDER BY url_id) AS ids FROM {FORGOTTEN}"


def reader(folder: Path, *ids: int, memory_limit: int | None = None) -> FileReader:
    path = folder / f"{ids}.parquet"
    write_file(path, FORGOTTEN, [pa.table({"url_id": pa.array(ids, pa.int64())})])
    return FileReader({FORGOTTEN: [path]}, memory_limit=memory_limit)


@pytest.mark.parametrize("limit", [None, 1 << 28])
def test_a_query_sees_the_files_of_its_own_reader(tmp_path: Path, limit: int | None) -> None:
    one, other = reader(tmp_path, 1, 2), reader(tmp_path, 3, memory_limit=limit)

    found = [some.query(SQL)["ids"][0].as_py() for some in (one, other, one)]

    assert [[1, 2], [3], [1, 2]] == found


def test_a_query_is_held_to_the_limits_of_its_reader(tmp_path: Path) -> None:
    wide, narrow = reader(tmp_path, 1), reader(tmp_path, 2, memory_limit=256 << 20)
    sql = "SELECT current_setting('memory_limit') AS memory"

    before, after = wide.query(sql)["memory"][0].as_py(), narrow.query(sql)["memory"][0].as_py()

    assert "256.0 MiB" == after != before
    assert before == wide.query(sql)["memory"][0].as_py()


def test_what_somebody_makes_in_a_connection_no_query_sees(tmp_path: Path) -> None:
    some = reader(tmp_path, 5)
    with some.connect() as connection:
        connection.execute(f"CREATE OR REPLACE VIEW {FORGOTTEN} AS SELECT 9 AS url_id")

        assert [5] == some.query(SQL)["ids"][0].as_py()
