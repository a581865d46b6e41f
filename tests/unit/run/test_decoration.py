"""Texts that most pages with the menus of a page print in the same place make their block decoration."""

from pathlib import Path

import pytest

from sitestrata.page import PageFacts, read_page
from sitestrata.partition.decoration import repeated_texts
from sitestrata.run.embedded import EmbeddedEngine
from sitestrata.run.mine import mine
from sitestrata.run.page_tree import page_tree
from sitestrata.run.plan import PLAN
from sitestrata.run.workspace import Workspace

from .web import write_warc

SITE = "http://tea.example/"
NAMES = ("green", "black", "white", "herbal", "oolong", "puer")
MENU = "".join(f'<li><a href="/{name}">{name.title()}</a>' for name in NAMES)
NOTICE = "We keep small files on your computer so that the shop remembers you. You may forbid that at any time."


def page(name: str) -> str:
    own = f"All about {name} tea: how it is grown in the hills, how it is picked, and how {name} leaves are dried. "
    return (
        f"<!doctype html><title>{name}</title><body><ul>{MENU}</ul>"
        f"<div><p>{NOTICE}</p><p>Tea since 1820, fresh from the hills, for friends of tea everywhere.</p></div>"
        f"<div><h1>{name.title()}</h1><p>{own * 3}</p><p>{own[::-1]}</p></div>"
    )


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    folder: Path = tmp_path_factory.mktemp("tea")
    web = {f"{SITE}{name}": page(name) for name in NAMES}
    plan = PLAN[: [stage.name for stage in PLAN].index("menus") + 1]
    warc = write_warc(folder / "crawl.warc.gz", web)
    return mine([warc], folder / "ws", plan=plan, engine=EmbeddedEngine(1, 1 << 30))


def test_notice_on_every_page_is_decoration_where_the_collection_is_known(workspace: Workspace) -> None:
    roles = {block["role"]: str(block) for block in page_tree(f"{SITE}green", workspace=workspace)["children"]}

    assert {"navigation", "decoration"} <= set(roles)
    assert NOTICE in roles["decoration"]
    assert all("All about green tea" not in text for role, text in roles.items() if role == "decoration")


def test_without_a_collection_nothing_is_decoration(tmp_path: Path) -> None:
    (tmp_path / "green.html").write_text(page("green"), encoding="utf-8")

    assert "decoration" not in {block["role"] for block in page_tree(str(tmp_path / "green.html"))["children"]}


def facts_of(*texts: str) -> PageFacts:
    return read_page("".join(f"<p>{text}</p>" for text in texts).encode(), SITE)


def test_few_pages_tell_nothing() -> None:
    assert not repeated_texts(facts_of("a", "b"), [facts_of("a", "b")] * 2)


def test_text_that_most_pages_print_elsewhere_or_as_a_link_is_none() -> None:
    others = [facts_of("same", "<a href=/>link</a>", "<b>moved</b>", str(number)) for number in range(4)]
    own = facts_of("same", "<a href=/>link</a>", "moved", "own")

    assert [own.leaf_text(leaf) for leaf in range(4) if own.leaves.node[leaf] in repeated_texts(own, others)] == [
        "same"
    ]
