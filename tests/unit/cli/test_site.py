"""``sitestrata site`` on a workspace: what is asked for wrongly, and webs too small or too odd to have a site."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from sitestrata.cli import main


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def link(*names: str) -> str:
    return "".join(f"<li><a href='{name}'>{name}</a>" for name in names)


def mined(folder: Path, pages: dict[str, str]) -> Path:
    for name, text in pages.items():
        path = folder / "pages" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"<title>{name}</title>{text}")
    result = run("mine", folder / "pages", "--base-url", "http://a.example/", "-o", folder / "ws", "--workers", 1)
    assert 0 == result.exit_code, result.output
    return folder / "ws"


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two islands, a frameset before the first of them, a page without links, and a link to a page never captured."""
    one = [f"one/{i}.html" for i in range(6)]
    two = [f"two/{i}.html" for i in range(6)]
    pages = {name: link(*(f"/{other}" for other in one), "/never.html") for name in one}
    pages |= {name: link(*(f"/{other}" for other in two)) for name in two}
    pages["frames.html"] = "<frameset><frame src='/one/0.html'><frame src='/one/1.html'></frameset>"
    pages["lone.html"] = "nothing leads on"
    return mined(tmp_path_factory.mktemp("site"), pages)


def chosen(result: Result) -> list[str]:
    assert 0 == result.exit_code, result.output
    return json.loads(result.stdout)["chosen"]["pages"]


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["http://elsewhere.example/", "--in", "{ws}"], "is no page of"),
        (["http://a.example/never.html", "--in", "{ws}"], "sitestrata pages"),
        (["not an address", "--in", "{ws}"], "give the address of a page"),
        (["http://a.example/lone.html", "--in", "{ws}", "--live"], "not from both"),
        (["http://a.example/lone.html", "--in", "{ws}/nowhere"], "nowhere"),
        (["http://a.example/lone.html"], "--in WS for a workspace, or --live for the Web"),
        (["http://a.example/lone.html", "--in", "{ws}", "--profile", "paper", "--keyword", "zebra"], "'zebra'"),
        (["http://a.example/lone.html", "--in", "{ws}", "--no-url-evidence", "--form", "surt"], "made of addresses"),
    ],
)
def test_bad_input_is_told(workspace: Path, arguments: list[str], reason: str) -> None:
    result = run("site", *(argument.format(ws=workspace) for argument in arguments))

    assert result.exit_code in (1, 2)
    assert reason in result.stderr.replace("\n", " ")
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize("more", [["--no-url-evidence"], ["--profile", "paper"]])
def test_page_without_links_is_its_own_site(workspace: Path, more: list[str]) -> None:
    seed = "http://a.example/lone.html"

    assert [seed] == chosen(run("site", seed, "--in", workspace, "--json", *more))


def test_page_without_links_is_placed_by_its_address(workspace: Path) -> None:
    seed = "http://a.example/lone.html"

    assert seed in chosen(run("site", seed, "--in", workspace, "--json"))


def test_frames_of_a_frameset_belong_to_it(workspace: Path) -> None:
    pages = chosen(run("site", "http://a.example/frames.html", "--in", workspace, "--json"))

    assert {"http://a.example/frames.html", "http://a.example/one/0.html", "http://a.example/one/1.html"} <= set(pages)
    assert not any("/two/" in page for page in pages)


def test_disconnected_seeds_are_answered_together_and_told_apart(workspace: Path) -> None:
    seeds = ["http://a.example/one/2.html", "http://a.example/two/2.html"]
    result = run("site", *seeds, "--in", workspace, "--json")

    assert set(seeds) <= set(chosen(result))
    assert "pages of 2 different sites" in result.stderr


def test_budget_of_one_page_is_kept_by_the_papers_process(workspace: Path) -> None:
    seed = "http://a.example/one/2.html"

    assert seed in chosen(run("site", seed, "--in", workspace, "--profile", "paper", "--max-pages", 1, "--json"))


def test_site_of_one_page_is_that_page(tmp_path: Path) -> None:
    workspace = mined(tmp_path, {"index.html": "alone"})

    result = run("site", "a.example", "--in", workspace, "--json")

    assert ["http://a.example/"] == chosen(result)
    assert "the site is this page alone" in result.stderr


def test_collection_without_pages_has_no_site(tmp_path: Path) -> None:
    (tmp_path / "pages").mkdir()
    run("mine", tmp_path / "pages", "--base-url", "http://a.example/", "-o", tmp_path / "ws", "--workers", 1)
    result = run("site", "http://a.example/", "--in", tmp_path / "ws")

    assert result.exit_code in (1, 2)
    assert "holds no page" in result.stderr.replace("\n", " ")
