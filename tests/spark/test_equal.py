"""The same rows on Spark as on one machine, however the work is cut and whatever dies meanwhile."""

import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from sitestrata.identity.tables import BONDS, HOSTS
from sitestrata.run.embedded import EmbeddedEngine
from sitestrata.run.mine import mine
from sitestrata.run.plan import PLAN, Stage
from sitestrata.run.workspace import Workspace
from support.spark_stages import CRASHES, EATS, HANGS, hostile_pass, tell_neighbours

from .conftest import Cluster, digests, kill

REGION_LINKS, REGION_ADDRESSES, TREE_LINKS = 3000, 60, 400
PAGES_ONLY = tuple(stage for stage in PLAN if stage.name in ("read", "captures", "pages"))
# Enough where the question is what the page pass does; the other stages read what it has made.
TO_TABLES = PLAN[: [stage.name for stage in PLAN].index("tables") + 1]


@pytest.mark.parametrize("shards", [None, 1, 7])  # None: by size, so what is small is done in one task
def test_any_number_of_shards_gives_the_rows_of_one_machine(
    shards: int | None, web: list[Path], expected: dict[str, str], spark: Any, tmp_path: Path
) -> None:
    # Inputs in another order, and a folder whose name is to be quoted.
    workspace = mine(web[::-1], tmp_path / "w %20é,'#", spark=spark, shards=shards, chunk_pages=50)

    assert expected == digests(workspace)


def test_regions_of_a_large_collection_are_cut_and_joined_as_on_one_machine(
    web: list[Path], embedded: Workspace, expected: dict[str, str], spark: Any, tmp_path: Path
) -> None:
    plan = tuple(stage for stage in PLAN if stage.name not in ("entries", "domains", "ontology"))  # see no regions
    limits = {"region_links": REGION_LINKS, "region_addresses": REGION_ADDRESSES, "tree_links": TREE_LINKS}
    here = mine(web, tmp_path / "here", plan=plan, workers=1, **limits)
    there = mine(web[::-1], tmp_path / "there", plan=plan, spark=spark, shards=2, **limits)

    for table in ("regions", HOSTS, BONDS):
        assert len(set(here.arrow(table)["group"].to_pylist())) > 2
    assert here.count("site_addresses") > embedded.count("site_addresses")  # parts that see the top of their site
    assert expected["aliases"] == here.digest("aliases")
    assert digests(here) == digests(there)


def test_a_killed_executor_costs_nothing_but_time(
    web: list[Path], expected: dict[str, str], cluster: Cluster, spark: Any, tmp_path: Path
) -> None:
    """An executor dies when the first pages are written, and takes its shuffle files with it."""
    killed: list[int] = []

    def watch() -> None:
        wait_for(lambda: any((tmp_path / "ws" / "staging").glob("pages-*/_parsed/*.parquet")))
        killed.extend(cluster.executors()[:1])
        kill(killed[0])

    watcher = threading.Thread(target=watch)
    watcher.start()
    workspace = mine(web, tmp_path / "ws", spark=spark, shards=2, chunk_pages=10)
    watcher.join()

    assert killed
    assert expected == digests(workspace)


def test_a_page_that_kills_its_process_is_a_reject_and_not_the_end_of_a_task(
    crawl: Path, spark: Any, tmp_path: Path
) -> None:
    plan = tuple(replace(stage, run=hostile_pass) if stage.scope == "page" else stage for stage in PAGES_ONLY)

    workspace = mine([crawl], tmp_path / "ws", plan=plan, spark=spark, page_seconds=0.5, memory_limit=1 << 30)

    rejects = {row["input"]: row["reason"] for row in workspace.arrow("rejects").to_pylist()}
    assert {CRASHES: "crashed", EATS: "out-of-memory", HANGS: "timeout"} == rejects
    assert 24 - 3 == workspace.count("pages")


def test_neighbourhoods_are_brought_together_as_on_one_machine(crawl: Path, spark: Any, tmp_path: Path) -> None:
    stage = Stage("neighbours", "neighbourhood", ("pages",), ("wants",), tell_neighbours, by="links")
    plan = (*PAGES_ONLY, stage)

    here = mine([crawl], tmp_path / "here", plan=plan, engine=EmbeddedEngine(1, 1 << 30))
    there = mine([crawl], tmp_path / "there", plan=plan, spark=spark, shards=3)

    assert 24 == here.count("wants")
    assert digests(here) == digests(there)


def test_new_input_is_added_and_only_its_pages_are_parsed(
    web: list[Path], expected: dict[str, str], spark: Any, tmp_path: Path
) -> None:
    first = mine(web[:1], tmp_path / "ws", plan=TO_TABLES, spark=spark)
    before = set(first.manifest.files("links"))

    second = mine(web[1:], tmp_path / "ws", plan=TO_TABLES, spark=spark)

    assert before < set(second.manifest.files("links"))
    assert_equal(expected, second)


def assert_equal(expected: dict[str, str], workspace: Workspace, *, but: tuple[str, ...] = ()) -> None:
    """Compare the tables that a part of the plan has made."""
    found = digests(workspace)
    made = set(found) - set(but)

    assert {"pages", "links", "table_values"} <= made
    assert {table: expected[table] for table in made} == {table: found[table] for table in made}


def wait_for(condition: Callable[[], bool], *, seconds: float = 300) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)
