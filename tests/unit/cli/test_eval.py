"""``sitestrata eval`` from the outside."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from sitestrata.cli import main
from sitestrata.run.mine import mine

GOLD = "url\tsite\nhttp://a.example/\ts\nhttp://a.example/1\ts\nhttp://b.example/\tt\nhttp://b.example/1\tt\n"
FOUND = "url,site\nhttp://a.example/,1\nhttp://a.example/1,1\nhttp://b.example/,2\nhttp://b.example/1,1\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "truth.tsv").write_text(GOLD)
    (tmp_path / "found.csv").write_text(FOUND)
    return tmp_path


def run(*words: object, answers: str = "") -> tuple[int, str, str]:
    result = CliRunner().invoke(main, ["eval", *map(str, words)], input=answers)
    return result.exit_code, result.stdout, result.stderr


def test_a_file_of_another_tool_is_scored_beside_baselines(folder: Path) -> None:
    code, out, _ = run(folder / "found.csv", "--gold", folder / "truth.tsv", "--baseline", "host,alone", "--json")

    rows = json.loads(out)
    headline = {row["system"]: row["value"] for row in rows if row["headline"]}
    assert 0 == code
    assert {"result", "host", "alone"} == set(headline)
    assert 1 == headline["host"]
    assert headline["result"] < 0.5


def test_several_gold_files_may_follow_one_flag(folder: Path) -> None:
    (folder / "menus.json").write_text('{"s": {"home": "http://a.example/", "menu": [["A", "http://a.example/1"]]}}')

    code, _, err = run(folder / "found.csv", "--gold", folder / "truth.tsv", folder / "menus.json", "--csv")

    assert (0, "") == (code, err)


def test_worst_cases_come_with_an_address(folder: Path) -> None:
    code, out, _ = run(folder / "found.csv", "--gold", folder / "truth.tsv", "--worst", 3, "--nl")

    last = json.loads(out.splitlines()[-1])
    assert 0 == code
    assert "http://b.example/1" == last["url"]


def test_a_broken_floor_ends_with_exit_code_1(folder: Path) -> None:
    words = (folder / "found.csv", "--gold", folder / "truth.tsv")

    assert 1 == run(*words, "--floor", "sites=.9")[0]
    assert "below the floor" in run(*words, "--floor", "sites=.9")[2]
    assert 0 == run(*words, "--floor", "sites=-1")[0]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--task", "sights"), "Did you mean sites?"),
        (("--baseline", "hosts"), "Did you mean host?"),
        (("--task", "tables"), "the gold has no tables"),
        (("--floor", "sites"), "NAME=VALUE"),
    ],
)
def test_wrong_usage_is_told_with_exit_code_2(folder: Path, words: tuple[str, ...], said: str) -> None:
    code, _, err = run(folder / "found.csv", "--gold", folder / "truth.tsv", *words)

    assert 2 == code
    assert said in err


def test_without_gold_one_is_asked_for(folder: Path) -> None:
    code, _, err = run(folder / "found.csv")

    assert 2 == code
    assert "--gold PATH" in err


def test_judging_keeps_answers_and_goes_on(folder: Path) -> None:
    code, out, err = run(folder / "found.csv", "--judge", 4, "--json", answers="y\nn\nq\n")
    kept = (folder / "found.judged.jsonl").read_text().splitlines()
    assert (0, 2) == (code, len(kept))
    assert "Pair 3 of 4" in err
    assert 2 == json.loads(out)[0]["count"]

    code, out, err = run(folder / "found.csv", "--judge", 4, "--json", answers="n\ns\n")

    assert "Pair 1 of 2" in err
    assert 3 == json.loads(out)[0]["count"]


def test_titles_cannot_steer_the_terminal(folder: Path) -> None:
    pages = [{"url": f"http://a.example/{i}", "site": "1", "title": "\x1b[31mred\u202e"} for i in range(3)]
    (folder / "pages.json").write_text(json.dumps(pages))

    _, _, err = run(folder / "pages.json", "--judge", 1, answers="q\n")

    assert "\\x1b[31mred\\u202e" in err
    assert "\x1b" not in err


def test_blocks_of_a_workspace_are_scored(tmp_path: Path) -> None:
    menu = "<nav><ul><li><a href=/>Start</a></li><li><a href=/b>More</a></li><li><a href=/c>Help</a></li></ul></nav>"
    text = "".join(f"<p>A sentence with number {number} that says something.</p>" for number in range(9))
    site = tmp_path / "site"
    site.mkdir()
    (site / "index.html").write_text(f"<body>{menu}<main><h1>News</h1>{text}</main>")
    leaves = ["Start", "More", "Help", "News", *(f"A sentence with number {n} that says something." for n in range(9))]
    url = "http://a.example/"
    (tmp_path / "blocks.jsonl").write_text(json.dumps({"url": url, "leaves": leaves, "cuts": [3], "roles": []}) + "\n")
    mine([site], tmp_path / "ws", base_url=url, only=["pages"], workers=1)

    code, out, err = run(tmp_path / "ws", "--gold", tmp_path / "blocks.jsonl", "--json")

    assert code == 0, err
    scores = {(row["system"], row["metric"]): row["value"] for row in json.loads(out)}
    assert 1.0 == scores["result", "window_1_recall"]
    assert 0.0 == scores["blind cuts", "window_1_recall"]
