"""Pages that must not be known."""

import io
import json
import shutil
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from warcio.archiveiterator import ArchiveIterator

from sitestrata.errors import UsageError
from sitestrata.run.forget import forget_pages
from sitestrata.run.manifest import read_manifest
from sitestrata.run.mine import mine as mine_all
from sitestrata.run.storage import FORGOTTEN
from sitestrata.run.workspace import Workspace, open_workspace
from sitestrata.sample import write as write_sample
from sitestrata.urls import url_id

from .web import FOUNDATION, PAGES, mine, page, write_warc

pytestmark = pytest.mark.slow  # each works the results out again

GONE = "http://two.example/p3"


@pytest.fixture(scope="module")
def mined(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The collection, mined once for all; each test forgets in a copy of its own."""
    folder = tmp_path_factory.mktemp("mined")
    mine([write_warc(folder / "crawl.warc.gz", PAGES)], folder / "ws")
    return folder / "ws"


@pytest.fixture
def ws(mined: Path, tmp_path: Path) -> Path:
    shutil.copytree(mined, tmp_path / "ws")
    return tmp_path / "ws"


@pytest.fixture
def warc(tmp_path: Path) -> Path:
    return write_warc(tmp_path / "crawl.warc.gz", PAGES)


def traces(folder: Path, url: str) -> list[str]:
    """Name the tables of a workspace that hold an address or its id, hidden ones included, by looking at every cell."""
    workspace = open_workspace(folder)
    found = []
    for table in workspace.manifest.tables():
        for row in workspace.reader().read(table).to_pylist():
            if any(_holds(value, url) for value in row.values()):
                found.append(table)
                break
    return found


def _holds(value: Any, url: str) -> bool:
    if isinstance(value, dict):
        return any(_holds(item, url) for item in value.values())
    if isinstance(value, list):
        return any(_holds(item, url) for item in value)
    return value in (url, url_id(url))


def without(pages: dict[str, str], url: str) -> dict[str, str]:
    return {address: body for address, body in pages.items() if address != url}


def test_no_table_holds_a_forgotten_page(ws: Path) -> None:
    assert {"captures", "pages", "links", "urls", "aliases"} <= set(traces(ws, GONE))

    done = forget_pages(ws, [GONE], plan=FOUNDATION)

    assert [] == traces(ws, GONE)
    assert len(PAGES) - 1 == open_workspace(ws).count("pages")
    assert done.is_complete
    assert done.rows > 10
    assert ("crawl.warc.gz",) == tuple(Path(name).name for name in done.archives)


def test_a_copy_in_the_workspace_loses_the_page_too(
    warc: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What came by standard input is kept in the workspace: the page's records are blanked, the others stay."""
    with warc.open("rb") as stream:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(stream))
        mine(["-"], tmp_path / "ws")
    (copy,) = (tmp_path / "ws" / "spool").iterdir()
    assert GONE in addresses(copy)

    done = forget_pages(tmp_path / "ws", [GONE], plan=FOUNDATION)

    assert [url for url in addresses(warc) if url != GONE] == addresses(copy)
    assert () == done.archives
    assert len(PAGES) - 1 == mine([], tmp_path / "ws", only=["pages"]).count("pages")


def addresses(warc: Path) -> list[str]:
    with warc.open("rb") as stream:
        return [record.rec_headers.get_header("WARC-Target-URI") for record in ArchiveIterator(stream)]


def test_the_manifest_notes_it_without_the_address(ws: Path) -> None:
    forget_pages(ws, [GONE], plan=FOUNDATION)

    name = read_manifest(ws).forgotten
    assert [url_id(GONE)] == pa.parquet.read_table(ws / name)["url_id"].to_pylist()
    assert f"tables/{FORGOTTEN}/" in name
    files = [path for path in (ws).rglob("*") if path.is_file()]
    assert [] == [path for path in files if GONE.encode() in path.read_bytes()]


def test_a_later_run_does_not_bring_it_back(ws: Path, tmp_path: Path) -> None:
    forget_pages(ws, [GONE], plan=FOUNDATION)
    more = {GONE: page("again", ["/p1"]), "http://two.example/new": page("new", ["/p3", "/p4"])}

    mine([write_warc(tmp_path / "more.warc.gz", more, date="2026-05-05T00:00:00Z")], ws)

    workspace = open_workspace(ws)
    assert [] == traces(ws, GONE)
    assert "http://two.example/new" in workspace.arrow("pages")["url"].to_pylist()
    assert len(PAGES) == workspace.count("pages")


def test_reading_everything_again_does_not_bring_it_back(ws: Path) -> None:
    forget_pages(ws, [GONE], plan=FOUNDATION)

    mine([], ws, only=["read", "captures", "pages", "aliases"])

    assert [] == traces(ws, GONE)


def test_other_pages_keep_their_links_in_number_and_order(ws: Path) -> None:
    before = links_of(open_workspace(ws))
    forget_pages(ws, [GONE], plan=FOUNDATION)
    after = links_of(open_workspace(ws))

    assert len(before) - 10 == len(after)  # ten links stood on the page itself
    for key, (target, label) in after.items():
        changed = before[key][0] == url_id(GONE)
        assert (key[0] if changed else before[key][0]) == target
        assert ("" if changed else before[key][1]) == label


def links_of(workspace: Workspace) -> dict[tuple[int, int], tuple[int, str]]:
    return {
        (row["page"], row["ordinal"]): (row["target"], row["label"]) for row in workspace.arrow("links").to_pylist()
    }


def test_what_was_not_forgotten_is_not_parsed_again(warc: Path, tmp_path: Path) -> None:
    mine([warc], tmp_path / "ws")
    warc.unlink()  # a run that wanted a body would fail

    forget_pages(tmp_path / "ws", [GONE], plan=FOUNDATION)

    assert open_workspace(tmp_path / "ws").manifest.is_finished


def test_other_addresses_of_a_page_go_with_it(tmp_path: Path) -> None:
    body = page("home", ["/", "/index.html", "/a", "/b"])
    pages = {"http://a.example/": body, "http://a.example/index.html": body, "http://a.example/a": page("a", ["/"])}
    mine([write_warc(tmp_path / "crawl.warc.gz", pages)], tmp_path / "ws")

    forget_pages(tmp_path / "ws", ["http://a.example/index.html"], plan=FOUNDATION)

    assert ["http://a.example/a"] == open_workspace(tmp_path / "ws").arrow("pages")["url"].to_pylist()
    assert [] == traces(tmp_path / "ws", "http://a.example/")


def test_a_site_is_forgotten_with_all_its_pages(tmp_path: Path) -> None:
    write_sample(tmp_path / "sample.warc.gz", seed=3, pages=60)
    before = mine_all([tmp_path / "sample.warc.gz"], tmp_path / "ws")
    site = min(before.arrow("sites").to_pylist(), key=lambda row: (row["pages"], row["site"]))
    pages = before.arrow("boundaries").to_pylist()
    lost = {row["page_id"] for row in pages if row["site"] == site["site"]}

    forget_pages(tmp_path / "ws", sites=[site["entry_url"]])

    after = open_workspace(tmp_path / "ws")
    assert site["entry_url"] not in after.arrow("sites")["entry_url"].to_pylist()
    assert {row["page_id"] for row in pages} - lost == set(after.arrow("boundaries")["page_id"].to_pylist())
    assert after.tables == before.tables


def test_results_are_those_of_a_collection_without_the_page(mined: Path, tmp_path: Path) -> None:
    """Nothing of the page is left in any result: a run that never saw it comes to the same, where nobody links it."""
    alone = "http://lonely.example/"
    mine([write_warc(tmp_path / "all.warc.gz", {**PAGES, alone: page("alone", ["/x"])})], tmp_path / "ws")
    forget_pages(tmp_path / "ws", [alone], plan=FOUNDATION)
    never = open_workspace(mined)

    after = open_workspace(tmp_path / "ws")
    assert [] == traces(tmp_path / "ws", f"{alone}x")  # which nobody else links
    for table in ("pages", "links", "segments", "aliases", "urls"):
        assert never.digest(table) == after.digest(table)


def test_decisions_about_a_forgotten_page_go_too(ws: Path) -> None:
    lines = [
        {"kind": "move", "subject": GONE, "object": "http://one.example/p0"},
        {"kind": "merge", "subject": "x"},
        {"kind": "menu-role", "subject": "7", "targets": ["http://one.example/p0", GONE]},
    ]
    (ws / "decisions.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))

    forget_pages(ws, [GONE], plan=FOUNDATION)

    kept = [json.loads(line) for line in (ws / "decisions.jsonl").read_text().splitlines()]
    assert [lines[1], {**lines[2], "targets": ["http://one.example/p0"]}] == kept


def test_forgetting_twice_and_more_adds_up(ws: Path) -> None:
    first = forget_pages(ws, [GONE], plan=FOUNDATION)
    again = forget_pages(ws, [GONE], plan=FOUNDATION)
    other = forget_pages(ws, ["http://two.example/p4"], plan=FOUNDATION)

    assert [1, 0, 1] == [done.addresses for done in (first, again, other)]
    assert [] == traces(ws, GONE)


@pytest.mark.parametrize("urls", [[], ["not an address"]])
def test_nonsense_is_refused(urls: list[str], ws: Path) -> None:
    with pytest.raises(UsageError):
        forget_pages(ws, urls)
