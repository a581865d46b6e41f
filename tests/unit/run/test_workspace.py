"""The folder: what it lists, how it is read, and which folders are refused."""

import json
import random
import shutil
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from sitestrata.cli import main
from sitestrata.errors import FormatError, UsageError, WorkspaceError
from sitestrata.model import Capture, Page, Reject, table_from_records
from sitestrata.run import manifest as manifests
from sitestrata.run.manifest import FORMAT, Manifest, StageRecord, read_manifest, write_manifest
from sitestrata.run.nasty import NastyEngine
from sitestrata.run.storage import canonical_digest, write_file
from sitestrata.run.workspace import Workspace, open_workspace, write_workspace

from .web import PAGES, mine, write_warc

TEXTS = st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=5)
REJECTS = st.lists(st.builds(Reject, TEXTS, TEXTS, TEXTS, TEXTS), max_size=8)


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    folder = tmp_path_factory.mktemp('it\'s a "folder" %')
    return mine([write_warc(folder / "crawl.warc.gz", PAGES)], folder / "ws", engine=NastyEngine(1))


def test_tables_are_read_as_arrow_pandas_and_by_query(workspace: Workspace) -> None:
    assert len(PAGES) == workspace.arrow("pages", ["url"]).num_rows == len(workspace.pandas("pages"))
    assert [{"n": len(PAGES)}] == workspace.query("SELECT count(*) AS n FROM pages").to_pylist()
    with workspace.duckdb() as connection:
        names = {
            name for (name,) in connection.sql("SELECT view_name FROM duckdb_views() WHERE NOT internal").fetchall()
        }
    assert set(workspace.tables) <= names
    assert not any(name.startswith("_") for name in names)


def test_an_unknown_table_is_named_with_those_that_are_there(workspace: Workspace) -> None:
    with pytest.raises(WorkspaceError, match=r"no table 'menu' here; there are: .*aliases"):
        workspace.arrow("menu")


def test_a_table_without_rows_has_its_columns(workspace: Workspace) -> None:
    assert 0 == workspace.count("rejects")
    assert ["input", "stage", "reason", "detail"] == workspace.arrow("rejects").column_names
    assert [{"n": 0}] == workspace.query("SELECT count(*) AS n FROM rejects").to_pylist()


def test_files_that_the_manifest_does_not_list_do_not_exist(workspace: Workspace) -> None:
    stray = workspace.folder / "tables" / "rejects" / "pages-9-stray.parquet"
    write_file(stray, "rejects", [table_from_records("rejects", [Reject("a", "b", "c", "d")])])

    assert 0 == workspace.arrow("rejects").num_rows
    with write_workspace(workspace.folder):
        assert not stray.exists()


def test_streams_hold_the_same_rows_as_tables(workspace: Workspace) -> None:
    streamed = pa.Table.from_batches(workspace.reader().batches("links"))

    assert canonical_digest("links", workspace.arrow("links")) == canonical_digest("links", streamed)


@pytest.mark.parametrize(
    ("content", "error", "message"),
    [
        ('{"format": 99, "version": "9.0"}', FormatError, "made by Sitestrata 9.0.*pip install --upgrade"),
        ('{"format": 0}', FormatError, "no longer reads.*Mine the sources again"),
        ("[1]", WorkspaceError, "is not the manifest"),
        ("{", WorkspaceError, "Cannot read"),
    ],
)
def test_other_formats_are_refused_with_a_way_out(
    content: str, error: type[Exception], message: str, tmp_path: Path
) -> None:
    (tmp_path / "manifest.json").write_text(content)

    with pytest.raises(error, match=message):
        open_workspace(tmp_path)


@pytest.mark.parametrize("missing", ["recipe", "peak_memory", "files"])
def test_a_manifest_of_another_build_is_refused_with_a_way_out(missing: str, tmp_path: Path) -> None:
    record = StageRecord("f", "d", "r", {}, {"pages": ("tables/pages/a.parquet",)}, {"pages": 3}, 1.5)
    write_manifest(tmp_path, Manifest(version="0.1.0", stages={"pages": record}))
    content = json.loads((tmp_path / "manifest.json").read_text())
    del content["stages"]["pages"][missing]
    (tmp_path / "manifest.json").write_text(json.dumps(content))

    with pytest.raises(FormatError, match=f"another build of Sitestrata.*{missing}.*Mine the sources again"):
        read_manifest(tmp_path)
    with pytest.raises(FormatError, match="Mine the sources again"):
        mine([], tmp_path, resume=True)


def as_of_an_older_build(folder: Path, table: str, column: str) -> None:
    for path in (folder / "tables" / table).glob("*.parquet"):
        pq.write_table(pq.read_table(path).drop_columns([column]), path)


@pytest.mark.parametrize("command", [["pages"], ["serve", "--port", "0"], ["mine", "--only", "aliases", "-o"]])
def test_a_table_of_an_older_build_is_refused_with_a_way_out(
    command: list[str], workspace: Workspace, tmp_path: Path
) -> None:
    shutil.copytree(workspace.folder, tmp_path / "ws")
    as_of_an_older_build(tmp_path / "ws", "links", "gap")
    manifest = (tmp_path / "ws" / "manifest.json").read_bytes()

    done = CliRunner().invoke(main, [*command, str(tmp_path / "ws")])

    assert 1 == done.exit_code
    said = " ".join(done.stderr.split())
    assert "its table links has no column gap as this one needs it. Mine it again" in said
    assert f"sitestrata mine --resume -o {tmp_path / 'ws'}" in said
    assert manifest == (tmp_path / "ws" / "manifest.json").read_bytes()


def test_mining_again_mends_a_workspace_of_an_older_build(workspace: Workspace, tmp_path: Path) -> None:
    shutil.copytree(workspace.folder, tmp_path / "ws")
    as_of_an_older_build(tmp_path / "ws", "links", "gap")
    manifest = read_manifest(tmp_path / "ws")
    pages = replace(manifest.stages["pages"], recipe="older", fingerprint="older")
    write_manifest(tmp_path / "ws", manifest.with_stage("pages", pages))

    mended = mine([], tmp_path / "ws", engine=NastyEngine(1), resume=True)

    assert workspace.digest("links") == mended.digest("links")


def test_a_lost_file_is_named(workspace: Workspace, tmp_path: Path) -> None:
    shutil.copytree(workspace.folder, tmp_path / "ws")
    for path in (tmp_path / "ws" / "tables" / "links").glob("*.parquet"):
        path.unlink()

    with pytest.raises(WorkspaceError, match=r"Cannot read .*links-?.*, a part of the table links"):
        open_workspace(tmp_path / "ws").arrow("pages")


def test_an_engine_that_does_not_exist_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"no engine 'sparc'; say one of local, spark\."):
        mine([], tmp_path / "ws", resume=True, engine="sparc")


def test_an_older_format_is_upgraded_step_by_step(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_manifest(tmp_path, Manifest(version="0.1.0", runs=3))
    old = json.loads((tmp_path / "manifest.json").read_text())
    (tmp_path / "manifest.json").write_text(json.dumps({**old, "format": FORMAT - 1, "runs": "three"}))
    monkeypatch.setitem(manifests.UPGRADES, FORMAT - 1, lambda content: {**content, "format": FORMAT, "runs": 3})

    assert 3 == read_manifest(tmp_path).runs


def test_a_manifest_is_what_was_written(tmp_path: Path) -> None:
    record = StageRecord("f", "d", "r", {"x": 1}, {"pages": ("tables/pages/a.parquet",)}, {"pages": 3}, 1.5, 7, True)
    manifest = Manifest(version="0.1.0", runs=2, options={"captures": "first"}, stages={"pages": record})
    write_manifest(tmp_path, manifest)

    assert manifest == read_manifest(tmp_path)


def test_stale_rows_are_not_seen() -> None:
    record = StageRecord("f", "d", "r", {}, {"pages": ("a",)}, {"pages": 3}, 0)
    manifest = Manifest(version="0", stages={"pages": record}).with_stage("read", record, stale=["pages"])

    assert not manifest.is_done("pages")
    assert 3 == manifest.rows("pages")  # those of "read" alone
    assert ("a",) == manifest.files("pages")


@given(REJECTS, st.integers(0, 99), st.integers(1, 4))
def test_a_digest_depends_on_rows_alone(rejects: list[Reject], seed: int, parts: int) -> None:
    """Order, batches and slices do not matter."""
    shuffled = list(rejects)
    random.Random(seed).shuffle(shuffled)
    table = table_from_records("rejects", [*shuffled, *shuffled]).slice(0, len(shuffled))
    pieces = [table_from_records("rejects", shuffled[number::parts]) for number in range(parts)]

    assert canonical_digest("rejects", table_from_records("rejects", rejects)) == canonical_digest("rejects", table)
    assert canonical_digest("rejects", table) == canonical_digest("rejects", pa.concat_tables(pieces))


@given(REJECTS, REJECTS)
def test_other_rows_have_another_digest(one: list[Reject], other: list[Reject]) -> None:
    def key(reject: Reject) -> tuple[str, ...]:
        return (reject.input, reject.stage, reject.reason, reject.detail)

    is_same = sorted(map(key, one)) == sorted(map(key, other))
    digests = [canonical_digest("rejects", table_from_records("rejects", rows)) for rows in (one, other)]

    assert is_same == (digests[0] == digests[1])


def test_absent_and_empty_values_have_different_digests() -> None:
    base = Page(1, "u", None, None, "utf-8", None, "b", None, None, None, (), 0, 0, 0, 0, 0, 0, 0, (), ())
    from dataclasses import replace

    variants = [base, replace(base, title=""), replace(base, template=(0,)), replace(base, template=(0, 0))]
    digests = {canonical_digest("pages", table_from_records("pages", [variant])) for variant in variants}

    assert len(variants) == len(digests)


def test_times_and_flags_are_part_of_a_digest() -> None:
    from datetime import UTC, datetime

    def capture(**changes: object) -> Capture:
        values: dict[str, object] = {
            "url_id": 1, "url": "u", "source": "s", "offset": 0, "length": 0, "record_type": "response",
            "fetched_at": None, "status": 200, "media_type": "", "charset": None, "location": None, "robots": None,
            "size": 0, "digest": "", "is_html": True,
        }  # fmt: skip
        return Capture(**{**values, **changes})  # type: ignore[arg-type]

    variants = [capture(), capture(is_html=False), capture(fetched_at=datetime(1970, 1, 1, tzinfo=UTC))]
    digests = {canonical_digest("captures", table_from_records("captures", [variant])) for variant in variants}

    assert 3 == len(digests)
