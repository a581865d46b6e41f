"""Captures are chosen part by part, with the same outcome as in one go."""

from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import get_args

import pyarrow as pa
import pytest

from sitestrata.model import Capture, table_from_records
from sitestrata.run import captures as stage
from sitestrata.run.captures import CaptureOptions, find_captures
from sitestrata.run.storage import CHOSEN, INDEXED, FileReader, as_batches, write_file
from sitestrata.sources import Policy
from sitestrata.urls import url_id


def capture(number: int, chance: Random) -> Capture:
    url = f"http://example.org/{chance.randrange(40)}"
    return Capture(
        url_id=url_id(url),
        url=url,
        source=chance.choice(["a.warc.gz", "b.warc.gz"]),
        offset=number,
        length=1,
        record_type="response",
        fetched_at=chance.choice([None, datetime(2026, 1, chance.randrange(1, 9), tzinfo=UTC)]),
        status=chance.choice([200, 200, 203, 204, 301, 404]),
        media_type="text/html",
        charset=None,
        location=None,
        robots=None,
        size=1,
        digest="d",
        is_html=chance.random() < 0.8,
    )


def chosen(reader: FileReader, policy: Policy) -> list[dict[str, object]]:
    found = find_captures(reader, CaptureOptions(captures=policy))[CHOSEN]
    return pa.Table.from_batches(list(as_batches(found))).to_pylist()


@pytest.mark.parametrize("policy", get_args(Policy))
def test_parts_make_no_difference(policy: Policy, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chance = Random(3)
    rows = table_from_records("captures", [capture(number, chance) for number in range(200)])
    write_file(tmp_path / "all.parquet", INDEXED, [rows])
    reader = FileReader({INDEXED: [tmp_path / "all.parquet"]})
    whole = chosen(reader, policy)
    monkeypatch.setattr(stage, "PART_ROWS", 7)

    assert 30 < len(whole)
    assert whole == chosen(reader, policy)


def test_nothing_indexed_gives_nothing_to_parse(tmp_path: Path) -> None:
    write_file(tmp_path / "none.parquet", INDEXED, [])

    for files in ([tmp_path / "none.parquet"], []):
        made = find_captures(FileReader({INDEXED: files}), CaptureOptions())

        assert [] == [row for batch in as_batches(made[CHOSEN]) for row in batch.to_pylist()]


def test_a_stream_has_the_columns_that_were_asked_for_in_that_order(tmp_path: Path) -> None:
    rows = table_from_records("captures", [capture(number, Random(5)) for number in range(20)])
    write_file(tmp_path / "a.parquet", INDEXED, [rows.slice(0, 12)])
    write_file(tmp_path / "b.parquet", INDEXED, [rows.slice(12)])
    reader = FileReader({INDEXED: [tmp_path / "a.parquet", tmp_path / "b.parquet"]})

    streamed = pa.Table.from_batches(reader.batches(INDEXED, ["offset", "url"]))

    assert rows.select(["offset", "url"]).equals(streamed)
