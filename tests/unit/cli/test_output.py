"""What is printed is exact in JSON and harmless everywhere."""

import csv
import io
import json

import click
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from sitestrata.cli.command import Command
from sitestrata.cli.escape import json_text, spreadsheet_cell, visible
from sitestrata.cli.output import emit, output_options
from sitestrata.errors import SourceError, UsageError

ROWS = [
    {"url": "http://a.example/", "title": "\x1b[2Jred", "pages": 12, "breadcrumb": [{"label": "A", "url": None}]},
    {"url": "http://b.example/", "title": "=1+1", "pages": -3, "breadcrumb": []},
]


@click.command(cls=Command, example="sitestrata listing")
@output_options
def listing(output: str | None) -> None:
    emit(ROWS, ["url", "title", "pages", "breadcrumb"], output=output)


@pytest.mark.parametrize("arguments", [[], ["--json"]])
def test_a_pipe_gets_one_json_array(arguments: list[str]) -> None:
    result = CliRunner().invoke(listing, arguments)

    assert ROWS == json.loads(result.stdout)
    assert "\x1b" not in result.stdout


def test_nl_gives_one_object_a_line() -> None:
    result = CliRunner().invoke(listing, ["--nl"])

    assert ROWS == [json.loads(line) for line in result.stdout.splitlines()]


def test_csv_defuses_formulas_but_leaves_numbers() -> None:
    result = CliRunner().invoke(listing, ["--csv"])
    rows = list(csv.DictReader(io.StringIO(result.stdout)))

    assert ["\\x1b[2Jred", "'=1+1"] == [row["title"] for row in rows]
    assert ["12", "-3"] == [row["pages"] for row in rows]
    assert [{"label": "A", "url": None}] == json.loads(rows[0]["breadcrumb"])


def test_a_terminal_gets_a_table(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setenv("TERM", "dumb")

    emit(ROWS, ["url", "title", "breadcrumb"], output=None)

    lines = capsys.readouterr().out.splitlines()
    assert ["url", "title", "breadcrumb"] == lines[0].split()
    assert ["http://a.example/", "\\x1b[2Jred", "A"] == lines[1].split()


def test_on_a_narrow_terminal_columns_stay_readable_and_the_rest_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "56")
    monkeypatch.setenv("TERM", "xterm")  # of a dumb one nobody knows the width
    rows = [{"name": "University of Garzani", "none": None, "pages": 60, "menu": "Home > News > Courses", "sure": 0.9}]

    emit(
        [{**row, "title": row["name"]} for row in rows], ["name", "title", "none", "pages", "menu", "sure"], output=None
    )

    printed = capsys.readouterr()
    lines = click.unstyle(printed.out).splitlines()
    assert ["name", "pages", "menu"] == lines[0].split()
    assert ["University of Garzani", "60", "Home > News > Courses"] == [
        cell.strip() for cell in lines[1].split("  ") if cell
    ]
    assert 2 == len(lines)
    assert max(map(len, lines)) <= 56
    assert "Columns that do not fit: sure;" in printed.err


@given(st.text())
def test_visible_text_holds_nothing_that_steers_a_terminal(text: str) -> None:
    shown = visible(text, one_line=True)

    assert not any(ord(c) < 32 or 0x7F <= ord(c) < 0xA0 or c in "\u202e\u2066\u200f\u2028" for c in shown)


@given(st.text(alphabet=st.characters()))
def test_json_is_exact_and_steers_nothing(text: str) -> None:
    written = json_text([text])

    assert [text] == json.loads(written)
    assert not any(ord(c) < 32 or 0x7F <= ord(c) < 0xA0 or c in "\u202e\u2066\u200f\u2028" for c in written)


@given(st.text())
def test_no_cell_begins_as_a_formula(text: str) -> None:
    assert not spreadsheet_cell(text).startswith(("=", "+", "-", "@", "\t", "\r", "\n"))


def _failing(error: Exception) -> Command:
    def fail() -> None:
        raise error

    return Command("failing", callback=fail, example="sitestrata failing")


@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        (SourceError("Cannot read a.warc.gz."), 1, "Cannot read a.warc.gz."),
        (UsageError("Unknown stage 'x'."), 2, "Unknown stage 'x'."),
        (OSError(28, "No space left on device", "ws/tables"), 1, "No space left on device: ws/tables"),
        (ValueError("odd \x1b"), 1, "This is a fault of Sitestrata: ValueError: odd \\x1b"),
    ],
)
def test_errors_are_messages_with_an_exit_code(error: Exception, code: int, message: str) -> None:
    result = CliRunner().invoke(_failing(error), [])

    assert code == result.exit_code
    assert message in result.stderr
    assert "Traceback" not in result.stderr


def test_log_file_keeps_what_verbose_shows(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = tmp_path / "run.log"

    result = CliRunner().invoke(_failing(ValueError("odd")), ["-v", "--log-file", str(log)])

    assert "Traceback" in result.stderr
    assert "ValueError: odd" in log.read_text()
