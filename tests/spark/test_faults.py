"""A driver that is killed, a file that is cut, a disk that is full: what was done stays, and one sentence says why."""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sitestrata.run.embedded import EmbeddedEngine
from sitestrata.run.mine import mine
from sitestrata.run.spark.engine import SparkEngine
from sitestrata.run.workspace import Workspace

from .conftest import SETTINGS, digests
from .test_equal import PAGES_ONLY, TO_TABLES, assert_equal, wait_for


def start(*arguments: object) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "sitestrata", "mine", *map(str, arguments), "--engine", "spark", "--master", "local[2]"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_a_run_whose_driver_was_killed_goes_on_where_it_was(
    web: list[Path], expected: dict[str, str], spark: Any, tmp_path: Path
) -> None:
    out = tmp_path / "ws"
    run = start(*web, "-o", out, "--shards", 4, "--chunk-pages", 10)
    wait_for(lambda: len(list((out / "staging").glob("pages-*/_parsed/*.parquet"))) >= 3 or run.poll() is not None)
    os.kill(run.pid, signal.SIGKILL)
    run.communicate()
    done = {path.stem for path in (out / "staging").glob("pages-*/_parsed/*.parquet")}

    workspace = mine([], out, resume=True, plan=TO_TABLES, spark=spark)

    assert len(done) >= 3
    assert done <= {Path(name).stem.rpartition("-")[2] for name in workspace.manifest.files("_parsed")}
    assert_equal(expected, workspace)


def test_a_cut_file_among_good_ones_costs_its_last_record(crawl: Path, spark: Any, tmp_path: Path) -> None:
    """Also where several tasks read one file."""
    cut = tmp_path / "cut.warc.gz"
    cut.write_bytes(crawl.read_bytes()[: crawl.stat().st_size * 2 // 3])
    (tmp_path / "good").mkdir()
    good = shutil.copy(crawl, tmp_path / "good" / "crawl.warc.gz")
    junk = tmp_path / "junk.warc.gz"
    junk.write_bytes(b"no WARC at all")

    here = mine([cut, good, junk], tmp_path / "here", plan=PAGES_ONLY, engine=EmbeddedEngine(1, 1 << 30))
    there = mine([cut, good, junk], tmp_path / "there", plan=PAGES_ONLY, engine=SparkEngine(spark, part_bytes=2000))

    reasons = set(there.arrow("rejects")["reason"].to_pylist())
    assert {"truncated-record", "unknown-type"} <= reasons or {"bad-compression", "unknown-type"} <= reasons
    assert digests(here) == digests(there)


@pytest.fixture
def tiny_disk(tmp_path: Path) -> Iterator[Path]:
    # Listed at the end of the run; root, as on CI, mounts it.
    if os.geteuid() != 0:
        pytest.skip("only root can mount a small disk")
    folder = tmp_path / "tiny"
    folder.mkdir()
    made = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=16k", "tmpfs", folder], check=False)
    if made.returncode:
        pytest.skip("a small disk cannot be mounted here")
    yield folder
    subprocess.run(["umount", "-l", folder], check=True)


def test_a_full_shuffle_disk_is_named(crawl: Path, tiny_disk: Path, tmp_path: Path) -> None:
    # Few rows are not shuffled unless shards are asked for.
    run = start(crawl, "-o", tmp_path / "ws", "--shards", 2, "--spark-conf", f"spark.local.dir={tiny_disk}")
    _, said = run.communicate(timeout=400)

    assert 1 == run.returncode
    assert "Spark has no space left for what stage" in said
    assert "--spark-conf spark.local.dir=FOLDER" in said
    assert "mine --resume" in said


def test_the_tables_are_larger_than_what_the_driver_takes_from_its_tasks(embedded: Workspace) -> None:
    """So no run of these tests has collected them."""
    size = sum(embedded.arrow(table).nbytes for table in embedded.tables)

    assert size > int(SETTINGS["spark.driver.maxResultSize"].removesuffix("k")) * 1024
