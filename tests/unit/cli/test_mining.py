"""The commands that make and read a workspace, end to end."""

import csv
import io
import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from sitestrata import open_workspace
from sitestrata.cli import main

HOSTILE = "</title><script>alert(1)</script>\x1b[31m\u202e=1+1"


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("cli")
    pages = folder / "pages"
    pages.mkdir()
    (pages / "index.html").write_text(
        "<title>Home</title><ul><li><a href=a.html>A</a><li><a href=b.html>B</a><li><a href=gone.html>Gone</a></ul>"
    )
    (pages / "a.html").write_text("<title>=HYPERLINK(1)</title><a href=index.html>Home</a><a href=b.html>B</a>")
    (pages / "b.html").write_text(f"<title>{HOSTILE.replace('<', '&lt;')}</title><a href=./>Home</a>")
    (pages / "c.html").write_text("<div>" * 9000)
    result = run("mine", pages, "--base-url", "http://a.example/", "-o", folder / "ws", "--workers", 1)
    assert 0 == result.exit_code, result.output
    return folder / "ws"


def test_mine_ends_with_one_line_of_counts_and_a_report(workspace: Path) -> None:
    again = run("mine", "--resume", "-o", workspace)

    assert 0 == again.exit_code
    assert (
        "3 pages (3 distinct) in 1 site from 4 captures: 6 links, 2 link segments; 1 rejected. "
        f"{workspace / 'report.html'}\n" == again.stdout
    )


def test_report_shows_rejects_and_runs_nothing(workspace: Path) -> None:
    report = (workspace / "report.html").read_text("utf-8")

    assert "http://a.example/c.html" in report
    assert "default-src &#x27;none&#x27;" in report or "default-src 'none'" in report
    assert "<script" not in report


def test_pages_have_one_row_a_url_with_the_agreed_fields(workspace: Path) -> None:
    rows = json.loads(run("pages", workspace).stdout)

    assert ["http://a.example/", "http://a.example/a.html", "http://a.example/b.html"] == [row["url"] for row in rows]
    fields = ["url", "canonical", "site", "subsite", "title", "breadcrumb", "status", "method", "confidence"]
    assert [[*fields, "subsite_nav"]] * 3 == [list(row) for row in rows]
    assert rows[0]["canonical"] == "http://a.example/"
    assert "\x1b" in rows[2]["title"]


def test_pages_as_csv_are_safe_in_a_terminal_and_a_spreadsheet(workspace: Path) -> None:
    text = run("pages", workspace, "--csv").stdout
    rows = list(csv.DictReader(io.StringIO(text)))

    assert "'=HYPERLINK(1)" == rows[1]["title"]
    assert "\x1b" not in text
    assert "\u202e" not in text


def test_explain_tells_captures_links_and_segments(workspace: Path) -> None:
    known = json.loads(run("explain", workspace, "http://a.example").stdout)

    assert "http://a.example/" == known["url"]
    assert [200] == [capture["status"] for capture in known["captures"]]
    assert ["A", "B", "Gone"] == [link["label"] for link in known["links"]["out"]]
    assert ["http://a.example/b.html"] == [page["url"] for page in known["links"]["in"]]
    assert [["A", "B", "Gone"]] == [[link["label"] for link in part["links"]] for part in known["segments"]]


def test_explain_knows_why_a_page_is_missing(workspace: Path) -> None:
    known = json.loads(run("explain", workspace, "http://a.example/c.html").stdout)

    assert "pages" == known["rejects"][0]["stage"]


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("explain", "WS", "http://other.example/"), 1, "does not occur"),
        (("explain", "WS", "::"), 2, "is not a web address"),
        (("pages", "WS/tables"), 1, "is not a workspace"),
        (("mine", "-o", "WS"), 2, "Name at least one source"),
        (("mine", "absent.warc.gz", "-o", "NEW"), 1, "no such file"),
        (("mine", "--resume", "--only", "alias", "-o", "WS"), 2, "Did you mean 'aliases'?"),
        (("mine", "--resume", "--relocate", "x", "-o", "WS"), 2, "say OLD=NEW"),
        (("mine", "x", "-o", "WS/manifest.json"), 1, "is a file"),
        (("mine", "x", "-o", "WS/tables"), 1, "holds other files"),
        (("mine", "--memory-limit", "lots", "-o", "WS"), 2, "is no size"),
    ],
)
def test_errors_say_what_happened_and_what_to_do(
    arguments: tuple[str, ...], code: int, message: str, workspace: Path, tmp_path: Path
) -> None:
    places = {"WS": str(workspace), "NEW": str(tmp_path / "new")}
    result = run(*(places.get(word) or word.replace("WS/", f"{workspace}/") for word in arguments))

    assert code == result.exit_code, result.output
    assert message in result.stderr
    assert "Traceback" not in result.output


def test_a_source_without_a_page_ends_with_exit_code_1(tmp_path: Path) -> None:
    (tmp_path / "not.warc.gz").write_bytes(b"no archive at all")
    result = run("mine", tmp_path / "not.warc.gz", "-o", tmp_path / "ws", "--workers", 1)

    assert 1 == result.exit_code
    assert "No page could be read" in result.stderr
    assert 1 == open_workspace(tmp_path / "ws").count("rejects")


@pytest.mark.slow
def test_config_file_carries_the_names_of_the_flags(tmp_path: Path, workspace: Path) -> None:
    config = tmp_path / "any.toml"
    config.write_text("[mine]\npage-depth = 8\ncaptures = 'first'\nmemory-limit = '1G'\n")
    source = workspace.parent / "pages"
    result = run(
        "mine", source, "--base-url", "http://a.example/", "-o", tmp_path / "ws", "--config", config, "--workers", 1
    )

    assert 0 == result.exit_code, result.output
    options = open_workspace(tmp_path / "ws").manifest.options
    assert {"captures": "first", "page_depth": 8} == options


def test_plan_lists_the_stages_in_order() -> None:
    rows = json.loads(run("plan").stdout)

    assert ["read", "captures", "pages", "tables", "hosts"] == [row["stage"] for row in rows[:5]]
    assert ["captures"] == rows[2]["needs"]


@pytest.mark.slow
def test_demo_mines_the_sample_web(tmp_path: Path) -> None:
    result = run("demo", "-o", tmp_path / "demo", "--pages", 30)

    assert 0 == result.exit_code, result.output
    assert (tmp_path / "demo" / "ws" / "report.html").is_file()
    assert open_workspace(tmp_path / "demo" / "ws").count("pages") > 20


def test_a_page_has_a_site_around_it_once_the_plan_has_run(workspace: Path) -> None:
    url = json.loads(run("pages", workspace, "--json").stdout)[0]["canonical"]
    around = run("site", url, "--in", workspace, "--json")
    clusters = run("cluster", workspace, "--json")
    extended = run("cluster", workspace, "--profile", "paper", "--extend", "1", "--json")

    assert 0 == around.exit_code, around.output
    assert url in json.loads(around.stdout)["chosen"]["pages"]
    assert 0 == clusters.exit_code, clusters.output
    assert 2 == extended.exit_code
    assert "has more than 50 pages" in extended.output


def test_explain_says_why_a_page_is_where_it_is(workspace: Path) -> None:
    url = json.loads(run("pages", workspace, "--json").stdout)[0]["canonical"]

    assert json.loads(run("explain", workspace, url).stdout)["site"]["why"]


def test_tree_is_nested_objects_or_a_line_a_page(workspace: Path) -> None:
    root = json.loads(run("tree", workspace, "http://a.example/b.html").stdout)
    rows = list(csv.DictReader(io.StringIO(run("tree", workspace, "http://a.example/", "--csv").stdout)))

    assert "http://a.example/" == root["url"]
    assert ["http://a.example/a.html", "http://a.example/b.html"] == [child["url"] for child in root["children"]]
    assert [("0", ""), ("1", root["url"]), ("1", root["url"])] == [(row["depth"], row["parent"]) for row in rows]


def test_tree_of_an_unknown_site_says_how_to_list_sites(workspace: Path) -> None:
    result = run("tree", workspace, "http://b.example/")

    assert 2 == result.exit_code
    assert f"sitestrata sites {workspace}" in result.output


def test_breadcrumbs_come_in_the_order_of_the_urls(workspace: Path) -> None:
    urls = b"http://a.example/b.html\nhttp://nowhere.example/\n\xff\n\nhttp://a.example/\n"
    result = CliRunner().invoke(main, ["breadcrumbs", str(workspace), "--nl"], input=urls)
    rows = [json.loads(line) for line in result.stdout.splitlines()]

    assert 0 == result.exit_code
    assert [2, 0, 0, 1] == [len(row["breadcrumb"]) for row in rows]
    assert "http://a.example/" == rows[0]["breadcrumb"][0]["url"] == rows[0]["site"]
    assert "2 breadcrumbs; 2 URLs are not known." in result.stderr


def test_breadcrumbs_of_hostile_labels_do_not_steer_the_terminal(workspace: Path) -> None:
    result = CliRunner().invoke(main, ["breadcrumbs", str(workspace), "--csv"], input="http://a.example/b.html\n")

    assert "\x1b" not in result.stdout
    assert "\u202e" not in result.stdout


def test_pages_carry_the_breadcrumb_that_was_found(workspace: Path) -> None:
    rows = json.loads(run("pages", workspace, "--json").stdout)

    found = {row["url"]: [step["url"] for step in row["breadcrumb"]] for row in rows}
    assert ["http://a.example/", "http://a.example/a.html"] == found["http://a.example/a.html"]
