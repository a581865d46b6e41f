"""Runs of the plan: what they make, what they skip, what they add."""

import os
import signal
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pytest

from sitestrata.errors import SourceError, UsageError
from sitestrata.model import TABLES, Capture, Reject, Table, TableReader, table_from_records
from sitestrata.page import PageFacts, PageLimits
from sitestrata.run.embedded import EmbeddedEngine
from sitestrata.run.engine import Engine, Made, Step
from sitestrata.run.listing import list_pages
from sitestrata.run.mine import Progress
from sitestrata.run.mine import mine as mine_all
from sitestrata.run.nasty import NastyEngine
from sitestrata.run.page_pass import pass_over
from sitestrata.run.plan import Stage
from sitestrata.run.workspace import Workspace
from sitestrata.sample import write as write_sample

from .web import FOUNDATION, PAGES, add_revisit, mine, page, write_warc

LIMIT = 1 << 30


@pytest.fixture
def warc(tmp_path: Path) -> Path:
    return write_warc(tmp_path / "crawl.warc.gz", PAGES)


def nasty(seed: int = 1) -> Engine:
    return NastyEngine(seed)


def digests(workspace: Workspace) -> dict[str, str]:
    return {table: workspace.digest(table) for table in workspace.tables}


class Watch:
    """Which stages ran and which were skipped."""

    def __init__(self) -> None:
        self.ran: list[str] = []
        self.pages: list[Progress] = []

    def __call__(self, progress: Progress) -> None:
        if progress.stage == "pages":
            self.pages.append(progress)
        if not progress.is_skipped and progress.stage not in self.ran:
            self.ran.append(progress.stage)


def test_a_crawl_becomes_a_workspace(warc: Path, tmp_path: Path) -> None:
    workspace = mine([warc], tmp_path / "ws", engine=EmbeddedEngine(2, LIMIT, chunk_pages=7))

    assert len(PAGES) == workspace.count("pages") == workspace.count("captures")
    assert sorted(PAGES) == sorted(workspace.arrow("pages")["url"].to_pylist())
    assert 10 * len(PAGES) == workspace.count("links")
    assert 0 == workspace.count("rejects")
    assert workspace.manifest.is_finished


def test_progress_ends_at_the_total_that_was_announced(tmp_path: Path) -> None:
    """Also of stages that are done group by group."""
    write_sample(tmp_path / "sample.warc.gz", seed=5, pages=60)
    seen: list[Progress] = []

    mine_all([tmp_path / "sample.warc.gz"], tmp_path / "ws", progress=seen.append)

    tree = [step for step in seen if step.stage == "tree" and not step.is_finished]
    assert 1 < tree[-1].done == tree[-1].total
    assert all(step.done <= step.total for step in seen)


@pytest.mark.parametrize("seed", range(2))
def test_rows_do_not_depend_on_order_shards_or_repeated_tasks(seed: int, warc: Path, tmp_path: Path) -> None:
    second = write_warc(tmp_path / "more.warc.gz", {"http://four.example/": page("four", ["http://one.example/p1"])})

    ordered = mine([warc, second], tmp_path / "ordered", engine=EmbeddedEngine(1, LIMIT))
    shuffled = mine([second, warc], tmp_path / "shuffled", engine=nasty(seed))

    assert digests(ordered) == digests(shuffled)


@pytest.mark.slow
def test_no_stage_of_the_plan_depends_on_order(warc: Path, tmp_path: Path) -> None:
    spaces = [mine_all([warc], tmp_path / f"ws{seed}", engine=nasty(seed)) for seed in range(2)]

    assert digests(spaces[0]) == digests(spaces[1])


@pytest.mark.slow
def test_no_stage_of_the_plan_depends_on_order_on_the_sample_web(tmp_path: Path) -> None:
    write_sample(tmp_path / "sample.warc.gz", seed=5, pages=400)
    ordered = mine_all([tmp_path / "sample.warc.gz"], tmp_path / "ordered", engine=EmbeddedEngine(2, LIMIT))
    for seed in range(8):
        shuffled = mine_all([tmp_path / "sample.warc.gz"], tmp_path / f"ws{seed}", engine=nasty(seed))

        assert digests(ordered) == digests(shuffled)


@pytest.mark.slow
def test_memory_of_the_page_pass_does_not_grow_with_the_collection(tmp_path: Path) -> None:
    peaks = []
    for pages in (1000, 6000):
        warc = tmp_path / f"{pages}.warc.gz"
        write_sample(warc, seed=7, pages=pages)
        engine = EmbeddedEngine(2, LIMIT, chunk_pages=250)
        mine([warc], tmp_path / f"ws{pages}", engine=engine, plan=FOUNDATION[:3])
        peaks.append(engine.peak_memory)

    assert 0 < peaks[1] < 1.25 * peaks[0]


def test_a_run_with_nothing_new_does_nothing(warc: Path, tmp_path: Path) -> None:
    before = mine([warc], tmp_path / "ws", engine=nasty())
    watch = Watch()

    after = mine([warc], tmp_path / "ws", engine=nasty(), progress=watch)

    assert [] == watch.ran
    assert before.manifest.stages == after.manifest.stages


def test_new_input_brings_only_its_own_pages(warc: Path, tmp_path: Path) -> None:
    more = write_warc(tmp_path / "more.warc.gz", {"http://four.example/": page("four", [])})
    mine([warc], tmp_path / "ws", engine=nasty())
    watch = Watch()

    grown = mine([more], tmp_path / "ws", engine=nasty(), progress=watch)
    fresh = mine([warc, more], tmp_path / "fresh", engine=nasty())

    assert (len(PAGES), len(PAGES) + 1) == (watch.pages[0].done, watch.pages[0].total)
    assert digests(fresh) == digests(grown)


@pytest.mark.slow
def test_a_newer_capture_supersedes_a_page_and_its_rows(warc: Path, tmp_path: Path) -> None:
    url = "http://one.example/p3"
    newer = write_warc(tmp_path / "newer.warc.gz", {url: page("new", ["/other"])}, date="2026-05-05T00:00:00Z")
    mine([warc], tmp_path / "ws", engine=EmbeddedEngine(1, LIMIT, chunk_pages=5))

    grown = mine([newer], tmp_path / "ws", engine=EmbeddedEngine(1, LIMIT, chunk_pages=5))
    fresh = mine([warc, newer], tmp_path / "fresh", engine=nasty())

    titles = grown.query(f"SELECT title FROM pages WHERE url = '{url}'")["title"].to_pylist()
    assert ["new"] == titles
    assert digests(fresh) == digests(grown)


def test_a_changed_option_runs_what_depends_on_it(warc: Path, tmp_path: Path) -> None:
    mine([warc], tmp_path / "ws", engine=nasty())
    watch = Watch()

    cut = mine([warc], tmp_path / "ws", engine=nasty(), page_size=10, progress=watch)

    assert "read" not in watch.ran
    assert "pages" in watch.ran
    assert 0 == cut.count("pages")
    assert len(PAGES) == cut.count("rejects")


def test_resume_takes_sources_and_settings_from_the_workspace(warc: Path, tmp_path: Path) -> None:
    mine([warc], tmp_path / "ws", engine=nasty(), page_size=10)
    watch = Watch()

    mine([], tmp_path / "ws", engine=nasty(), resume=True, progress=watch)

    assert [] == watch.ran


def test_only_runs_the_named_stages_again(warc: Path, tmp_path: Path) -> None:
    before = digests(mine([warc], tmp_path / "ws", engine=nasty()))
    watch = Watch()

    after = mine([], tmp_path / "ws", engine=nasty(3), only=["pages"], progress=watch)

    assert ["pages"] == watch.ran
    assert {name: before[name] for name in after.tables} == digests(after)


def test_only_runs_what_the_stage_needs_and_is_not_there(warc: Path, tmp_path: Path) -> None:
    whole = digests(mine([warc], tmp_path / "whole", engine=nasty()))
    watch, again = Watch(), Watch()

    mine([warc], tmp_path / "ws", engine=nasty(), only=["pages"], progress=watch)
    part = mine([], tmp_path / "ws", engine=nasty(), only=["aliases"], progress=again)

    assert ["read", "captures", "pages"] == watch.ran
    assert [stage.name for stage in FOUNDATION[3:]] == again.ran
    assert whole["aliases"] == part.digest("aliases")


def test_only_reads_new_input_first(warc: Path, tmp_path: Path) -> None:
    mine([warc], tmp_path / "ws", engine=nasty())
    other = write_warc(tmp_path / "other.warc.gz", {"http://b.example/": page("b", [])})
    watch = Watch()

    after = mine([other], tmp_path / "ws", engine=nasty(), only=["pages"], progress=watch)

    assert ["read", "captures", "pages"] == watch.ran
    assert "http://b.example/" in after.arrow("pages")["url"].to_pylist()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"only": ["page"]}, "no stage 'page'. Did you mean 'pages'"),
        ({"page_sise": 3}, "no option 'page_sise'. Did you mean 'page_size'|No stage has an option"),
    ],
)
def test_misspelt_names_are_refused(arguments: dict[str, Any], message: str, warc: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=message):
        mine([warc], tmp_path / "ws", **arguments)

    assert not (tmp_path / "ws").exists()


def test_a_missing_source_leaves_no_folder_behind(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="no such file"):
        mine([tmp_path / "absent.warc.gz"], tmp_path / "ws")

    assert not (tmp_path / "ws").exists()


def test_a_moved_file_is_named_and_can_be_relocated(warc: Path, tmp_path: Path) -> None:
    before = digests(mine([warc], tmp_path / "ws", engine=nasty()))
    (tmp_path / "elsewhere").mkdir()
    warc.rename(tmp_path / "elsewhere" / warc.name)

    with pytest.raises(SourceError, match="--relocate"):
        mine([], tmp_path / "ws", engine=nasty(), only=["pages"])
    moved = mine(
        [], tmp_path / "ws", engine=nasty(), only=["pages"], relocate={str(tmp_path): str(tmp_path / "elsewhere")}
    )

    assert before["pages"] == moved.digest("pages")


def test_two_files_of_one_relative_name_are_two_inputs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, url in (("a", "http://a.example/"), ("b", "http://b.example/")):
        (tmp_path / name).mkdir()
        write_warc(tmp_path / name / "crawl.warc.gz", {url: page(name, [])})
        monkeypatch.chdir(tmp_path / name)
        workspace = mine(["crawl.warc.gz"], tmp_path / "ws", engine=nasty())

    assert ["http://a.example/", "http://b.example/"] == sorted(workspace.arrow("pages")["url"].to_pylist())


@pytest.mark.slow
def test_with_all_dates_a_page_has_the_links_of_all_its_versions(warc: Path, tmp_path: Path) -> None:
    url = "http://one.example/p3"
    newer = write_warc(tmp_path / "b.warc.gz", {url: page("new", ["/x", "/y", "/z"])}, date="2026-05-05T00:00:00Z")
    older = write_warc(tmp_path / "a.warc.gz", {url: page("old", ["/u", "/v"])}, date="2025-05-05T00:00:00Z")
    mine([warc, older], tmp_path / "ws", engine=nasty(1), captures="all-dates")

    grown = mine([newer], tmp_path / "ws", engine=EmbeddedEngine(1, LIMIT), captures="all-dates")
    fresh = mine([older, newer, warc], tmp_path / "fresh", engine=nasty(2), captures="all-dates")

    assert digests(fresh) == digests(grown)
    assert len(PAGES) == grown.count("pages") == len(list(list_pages(grown)))
    assert ["new"] == grown.query(f"SELECT title FROM pages WHERE url = '{url}'")["title"].to_pylist()
    shown = grown.query(
        "SELECT s.ordinal, list(l.label ORDER BY l.ordinal) AS labels FROM segments s "
        "JOIN links l ON l.page = s.page AND l.segment = s.ordinal JOIN pages p ON p.url_id = s.page "
        f"WHERE p.url = '{url}' AND list_contains(s.links, l.ordinal) GROUP BY s.ordinal ORDER BY s.ordinal"
    )["labels"].to_pylist()
    assert [["x", "y", "z"], 10, ["u", "v"]] == [shown[0], len(shown[1]), shown[2]]


def hostile_pass(captures: Iterable[tuple[Capture, bytes]], options: PageLimits) -> Any:
    """The page pass, with three pages that no code survives."""

    def guarded() -> Iterator[tuple[Capture, bytes]]:
        for capture, body in captures:
            if capture.url == "http://two.example/p1":
                os.kill(os.getpid(), signal.SIGSEGV)
            if capture.url == "http://two.example/p5":
                bytearray(1 << 40)
            while capture.url == "http://three.example/p7":
                pass
            yield capture, body

    return pass_over(guarded(), options)


@pytest.mark.slow
def test_pages_that_crash_hang_or_eat_memory_are_rejected_and_the_rest_is_there(
    warc: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(Path(__file__).parents[__name__.count(".")])
    plan = tuple(replace(stage, run=hostile_pass) if stage.scope == "page" else stage for stage in FOUNDATION)

    workspace = mine_all([warc], tmp_path / "ws", plan=plan, engine=EmbeddedEngine(2, LIMIT, page_seconds=0.5))

    assert {
        "http://two.example/p1": "crashed",
        "http://two.example/p5": "out-of-memory",
        "http://three.example/p7": "timeout",
    } == {row["input"]: row["reason"] for row in workspace.arrow("rejects").to_pylist()}
    assert len(PAGES) - 3 == workspace.count("pages")


def test_revisits_are_parsed_from_their_originals(tmp_path: Path) -> None:
    url, twin = "http://one.example/p0", "http://one.example/twin"
    warc = write_warc(tmp_path / "crawl.warc.gz", {url: PAGES[url]})
    add_revisit(warc, twin, of=url)

    workspace = mine([warc], tmp_path / "ws", engine=nasty())

    assert {url, twin} == set(workspace.arrow("pages")["url"].to_pylist())
    assert 20 == workspace.count("links")


# Stages for the scopes that the plan does not use yet.


@dataclass(frozen=True, slots=True)
class Loud:
    loud: bool = False


def tell_groups(reader: TableReader, _options: Any) -> Mapping[str, Any]:
    """One group a host, in the shape of the aliases table: group = page_id, page = url_id."""
    pages = reader.read("pages", ["url_id", "url"])
    hosts = [url.split("/")[2] for url in pages["url"].to_pylist()]
    numbers = {host: number for number, host in enumerate(sorted(set(hosts)))}
    return {"memberships": pa.table({"group": [numbers[host] for host in hosts], "page": pages["url_id"]})}


def tell_group(tables: Mapping[str, pa.Table], options: Loud) -> Mapping[str, Any]:
    """One row a group: how many pages and links it has."""
    group = tables["memberships"]["group"][0].as_py()
    if options.loud and group == 1:
        raise RuntimeError("too loud")
    text = f"{tables['pages'].num_rows} pages, {tables['links'].num_rows} links"
    assert pc.all(pc.is_in(tables["links"]["page"], tables["pages"]["url_id"])).as_py()
    return {"notes": table_from_records("rejects", [Reject(str(group), "note", "size", text)])}


def tell_neighbours(centres: pa.Array, tables: Mapping[str, pa.Table], _options: Any) -> Mapping[str, Any]:
    """One row a centre: who links to it, in order."""
    links, rows = tables["links"].to_pylist(), []
    for centre in centres.to_pylist():
        sources = sorted({link["page"] for link in links if link["target"] == centre})
        rows.append(Reject(str(centre), "note", "linked-from", str(sources)))
    return {"marks": table_from_records("rejects", rows)}


def tell_page(facts: PageFacts, options: Loud) -> Mapping[str, Any]:
    """One row a page: its title."""
    if facts.url.endswith("p6") and options.loud:
        raise RuntimeError("too loud")
    return {"words": [Reject(facts.url, "note", "title", facts.title or "")]}


def more_tables() -> dict[str, Table]:
    schema = pa.schema([pa.field("group", pa.int64()), pa.field("page", pa.int64())])
    notes = {name: replace(TABLES["rejects"], name=name) for name in ("notes", "marks", "words")}
    return {**notes, "memberships": Table("memberships", "page of a group", ("group", "page"), schema)}


if os.environ.get("SITESTRATA_MORE_TABLES"):  # in a worker, which imports this module for the functions above
    TABLES.update(more_tables())


@pytest.fixture
def wider_plan(monkeypatch: pytest.MonkeyPatch) -> tuple[Stage, ...]:
    monkeypatch.syspath_prepend(Path(__file__).parents[__name__.count(".")])
    monkeypatch.setenv("SITESTRATA_MORE_TABLES", "1")
    for name, table in more_tables().items():
        monkeypatch.setitem(TABLES, name, table)
    return (
        *FOUNDATION[:3],
        Stage("words", "page", ("pages",), ("words",), tell_page, Loud),
        *FOUNDATION[3:],
        Stage("memberships", "collection", ("pages",), ("memberships",), tell_groups),
        Stage("notes", "group", ("pages", "links"), ("notes",), tell_group, Loud, by="memberships"),
        Stage("marks", "neighbourhood", ("pages", "links"), ("marks",), tell_neighbours, by="links"),
    )


def test_groups_and_neighbourhoods_do_not_depend_on_portions(
    warc: Path, tmp_path: Path, wider_plan: tuple[Stage, ...]
) -> None:
    spaces = [mine([warc], tmp_path / f"ws{seed}", engine=nasty(seed), plan=wider_plan) for seed in range(2)]

    assert 1 == len({tuple(sorted(digests(space).items())) for space in spaces})
    assert len(PAGES) == spaces[0].count("words")
    notes = spaces[0].arrow("notes").sort_by("input")["detail"].to_pylist()
    assert ["8 pages, 80 links"] * 3 == notes
    home = spaces[0].query("SELECT url_id FROM pages WHERE url = 'http://one.example/p0'")["url_id"][0].as_py()
    marks = {row["input"]: row["detail"] for row in spaces[0].arrow("marks").to_pylist()}
    assert len(PAGES) == len(marks)
    assert sorted(spaces[0].arrow("pages")["url_id"].to_pylist()) == eval(marks[str(home)])


@pytest.mark.slow
def test_what_one_stage_cannot_read_off_a_page_the_others_can(
    warc: Path, tmp_path: Path, wider_plan: tuple[Stage, ...]
) -> None:
    """Page stages share one parse; the group stage below loses one group of three."""
    workspace = mine_all([warc], tmp_path / "ws", engine=EmbeddedEngine(2, LIMIT), plan=wider_plan, loud=True)

    rejects = sorted((row["stage"], row["reason"]) for row in workspace.arrow("rejects").to_pylist())
    assert [("notes", "internal-error"), *[("words", "internal-error")] * 3] == rejects
    assert len(PAGES) == workspace.count("pages")
    assert len(PAGES) - 3 == workspace.count("words")
    assert 2 == workspace.count("notes")
    assert len(PAGES) == workspace.count("marks")


def test_only_a_later_page_stage_runs_the_whole_pass(warc: Path, tmp_path: Path, wider_plan: tuple[Stage, ...]) -> None:
    mine_all([warc], tmp_path / "ws", engine=nasty(), plan=wider_plan)
    watch = Watch()

    mine_all([], tmp_path / "ws", engine=nasty(), plan=wider_plan, only=["words"], progress=watch)

    assert ["pages"] == watch.ran


def test_engines_are_told_the_whole_path_of_the_workspace(
    warc: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folders: list[Path] = []

    class Elsewhere(NastyEngine):
        def collection(self, step: Step) -> Made:
            folders.extend([step.folder, *(Path(path) for paths in step.reader.files.values() for path in paths)])
            return super().collection(step)

    monkeypatch.chdir(tmp_path)
    workspace = mine([warc], "ws", engine=Elsewhere(1))

    assert Path("ws") == workspace.folder
    assert folders
    assert all(folder.is_absolute() for folder in folders)
