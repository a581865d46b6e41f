"""Style sheets that were captured with a page make its texts stand out."""

from pathlib import Path

import pytest

from sitestrata.page import Emphasis, PageFacts
from sitestrata.run import sheets
from sitestrata.run.embedded import EmbeddedEngine
from sitestrata.run.one_page import page_reader, stored_page
from sitestrata.run.page_tree import page_tree
from sitestrata.run.workspace import Workspace

from .web import mine, write_warc

PAGE = """<!doctype html><title>Tea</title><link rel="{}" href="/style/{}.css" media="{}"><body>
<div><p class=head>Green</p><p>Sencha</p><p>Matcha</p><p class=head>Black</p><p>Assam</p><p>Keemun</p></div>"""
SITE = "http://tea.example/"
WEB = {
    f"{SITE}": PAGE.format("stylesheet", "main", ""),
    f"{SITE}more": PAGE.format("stylesheet", "main", "screen"),
    f"{SITE}alternate": PAGE.format("alternate stylesheet", "main", ""),
    f"{SITE}print": PAGE.format("stylesheet", "main", "print"),
    f"{SITE}not-captured": PAGE.format("stylesheet", "other", ""),
    f"{SITE}both": PAGE.format("stylesheet", "other", "").replace(
        "<body>", "<link rel=stylesheet href=/style/main.css>"
    ),
    f"{SITE}style/main.css": ".head { font-weight: bold }",
}


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    folder: Path = tmp_path_factory.mktemp("tea")
    return mine([write_warc(folder / "crawl.warc.gz", WEB)], folder / "ws", engine=EmbeddedEngine(1, 1 << 30))


def standing_out(facts: PageFacts) -> list[str]:
    return [facts.leaf_text(leaf) for leaf in range(len(facts.leaves)) if facts.leaves.emphasis[leaf] & Emphasis.STYLED]


def test_captured_sheet_makes_labels_of_what_it_sets_off(workspace: Workspace) -> None:
    tree = page_tree(SITE, workspace=workspace)

    (block,) = tree["children"]
    heads = {node["label"]: [leaf["label"] for leaf in node["children"]] for node in block["children"][0]["children"]}
    assert {"Green": ["Sencha", "Matcha"], "Black": ["Assam", "Keemun"]} == heads


@pytest.mark.parametrize("page", ["alternate", "print", "not-captured"])
def test_sheet_that_is_not_meant_or_not_there_changes_nothing(page: str, workspace: Workspace) -> None:
    assert [] == standing_out(stored_page(workspace, SITE + page))


def test_pages_read_for_ontologies_are_dressed_and_share_their_sheets(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []
    plain = sheets.read_bodies

    def watched(source, captures, **options):  # type: ignore[no-untyped-def]
        read.extend(capture.url for capture in captures)
        return plain(source, captures, **options)

    monkeypatch.setattr(sheets, "read_bodies", watched)

    found = page_reader(workspace)([SITE, f"{SITE}more"])

    assert [["Green", "Black"]] * 2 == [standing_out(facts) for _, facts in found if facts is not None]
    assert [f"{SITE}style/main.css"] == read


def test_a_page_is_dressed_in_all_its_sheets_when_others_are_forgotten(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first page leaves one of the two sheets of the second behind, and there is room for one."""
    monkeypatch.setattr(sheets, "MAX_KEPT", 1)

    found = page_reader(workspace)([SITE, f"{SITE}both"])

    assert [["Green", "Black"]] * 2 == [standing_out(facts) for _, facts in found if facts is not None]
