"""The group of commands: what it lists, what it suggests, how fast it answers."""

import resource
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from sitestrata.cli import COMMANDS, main
from sitestrata.cli.command import Command

EXISTING = main.list_commands(click.Context(main))


def _load(name: str) -> Command:
    command = main.get_command(click.Context(main), name)
    assert isinstance(command, Command)
    return command


@pytest.mark.parametrize("name", EXISTING)
def test_a_command_says_what_the_table_says_and_has_an_example(name: str) -> None:
    command = _load(name)

    assert name == command.name
    assert COMMANDS[name] == (command.help or "").split("\n\n")[0].replace("\n", " ")
    assert command.example.startswith(f"sitestrata {name}")


@pytest.mark.parametrize("name", EXISTING)
def test_every_option_of_a_command_is_explained(name: str) -> None:
    unexplained = [param.name for param in _load(name).params if isinstance(param, click.Option) and not param.help]

    assert [] == unexplained


def test_unknown_command_suggests_the_nearest() -> None:
    result = CliRunner().invoke(main, ["compltion"])

    assert 2 == result.exit_code
    assert "Did you mean `sitestrata completion`?" in result.stderr


def test_an_unknown_role_of_menus_names_those_there_are(tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["menus", str(tmp_path), "--role", "header"])

    assert 2 == result.exit_code
    assert "main, local, footer" in result.stderr


def test_help_imports_nothing_heavy_and_is_fast() -> None:
    heavy = {"numpy", "pyarrow", "duckdb", "rich", "selectolax", "scrapy", "asyncio"}
    code = (
        "import sys\nfrom sitestrata.cli import main\nmain(['--help'], standalone_mode=False)\n"
        f"print('LOADED', sorted(set(sys.modules) & {heavy!r}))"
    )
    times = []
    for _ in range(3):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        # Processor time, not the clock: the machine may have other things to do.
        times.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)

    assert "LOADED []" in done.stdout
    assert min(times) < 0.3


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_code_names_our_variable(shell: str) -> None:
    result = CliRunner().invoke(main, ["completion", shell])

    assert 0 == result.exit_code
    assert "_SITESTRATA_COMPLETE" in result.stdout


def test_config_file_sets_options_and_refuses_unknown_ones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("sitestrata.toml").write_text("[completion]\nshel = 'bash'\n")

    result = CliRunner().invoke(main, ["completion", "bash"])

    assert 2 == result.exit_code
    assert "has no option 'shel'" in result.stderr


def test_config_file_with_an_unknown_table_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("sitestrata.toml").write_text("[completon]\n")

    result = CliRunner().invoke(main, ["completion", "bash"])

    assert 2 == result.exit_code
    assert "Did you mean 'completion'?" in result.stderr
