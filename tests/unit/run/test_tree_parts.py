"""The tree of a site that is too large is found part by part, below the pages that most of its pages link."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from sitestrata.run.mine import mine
from sitestrata.run.nasty import NastyEngine
from sitestrata.run.plan import PLAN
from sitestrata.run.workspace import Workspace
from sitestrata.sites import TOPS, parts

from .web import write_warc

SECTIONS, PAGES = 6, 20
TREE_LINKS = 400  # a fourth of what the site has
TO_TREE = PLAN[: [stage.name for stage in PLAN].index("tree") + 1]


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One site: an entry page, sections that every page links, and pages that their section lists."""
    path = tmp_path_factory.mktemp("web") / "web.warc.gz"
    return write_warc(path, dict(_pages()))


@pytest.fixture(scope="module")
def whole(web: Path) -> Workspace:
    return mine([web], web.parent / "whole", plan=TO_TREE, workers=1)


@pytest.fixture(scope="module")
def cut(web: Path) -> Workspace:
    with pytest.MonkeyPatch.context() as patch:
        _keep_sections(patch)
        return mine([web], web.parent / "cut", plan=TO_TREE, workers=1, tree_links=TREE_LINKS)


def test_every_page_hangs_where_it_does_in_the_whole_site(whole: Workspace, cut: Workspace) -> None:
    assert 1 == whole.count("sites") == cut.count("sites")
    assert len(_groups(cut)) >= 4 > 1 == len(_groups(whole))
    assert 1 + SECTIONS * (1 + PAGES) == len(_places(cut))
    assert _places(whole) == _places(cut)


def test_no_part_is_larger_than_the_limit_and_the_top(cut: Workspace) -> None:
    links = Counter(cut.arrow("links")["page"].to_pylist())
    tops = set(cut.reader([TOPS]).read(TOPS)["page"].to_pylist())

    assert SECTIONS + 1 == len(tops)
    for pages in _groups(cut).values():
        assert tops <= pages
        assert sum(1 + links[page] for page in pages - tops) <= TREE_LINKS + max(links.values())


def test_the_site_has_one_name_and_profile(whole: Workspace, cut: Workspace) -> None:
    assert [row["name"] for row in whole.arrow("profiles").to_pylist()] == [
        row["name"] for row in cut.arrow("profiles").to_pylist()
    ]


def test_parts_do_not_depend_on_order(
    web: Path, cut: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _keep_sections(monkeypatch)
    again = mine([web], tmp_path / "ws", plan=TO_TREE, engine=NastyEngine(3), tree_links=TREE_LINKS)

    assert cut.digest("tree") == again.digest("tree")


def _keep_sections(patch: pytest.MonkeyPatch) -> None:
    """Have the top be the entry page and the sections."""
    patch.setattr(parts, "TOP_PAGES", SECTIONS + 1)
    patch.setattr(parts, "TOP_SHARE", 1)


def _groups(workspace: Workspace) -> dict[int, set[int]]:
    groups: dict[int, set[int]] = {}
    for row in workspace.arrow("site_addresses").to_pylist():
        groups.setdefault(row["group"], set()).add(row["page"])
    return groups


def _places(workspace: Workspace) -> dict[int, tuple[int | None, int]]:
    return {row["page_id"]: (row["parent"], row["depth"]) for row in workspace.arrow("tree").to_pylist()}


def _pages() -> Iterator[tuple[str, str]]:
    menu = "".join(f'<li><a href="/s{section}/">Section {section}</a>' for section in range(SECTIONS))
    menu = f'<li><a href="/">Welcome</a>{menu}'
    yield "http://large.example/", _page("Welcome", f"<ul>{menu}</ul>")
    for section in range(SECTIONS):
        items = "".join(
            f'<li><a href="/s{section}/p{number:02}">Item {section}.{number}</a>' for number in range(PAGES)
        )
        yield f"http://large.example/s{section}/", _page(f"Section {section}", f"<ul>{menu}</ul><ol>{items}</ol>")
        for number in range(PAGES):
            up = f'<p><a href="/s{section}/">Section {section}</a>'
            yield (
                f"http://large.example/s{section}/p{number:02}",
                _page(f"Item {section}.{number}", f"<ul>{menu}</ul>{up}"),
            )


def _page(title: str, body: str) -> str:
    return f"<!doctype html><title>{title} - Large</title>{body}"
