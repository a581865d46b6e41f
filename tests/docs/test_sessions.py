"""The sessions and examples of the documentation are run, and print what it says they print."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "docs" / "quick-start.md", *sorted((ROOT / "docs" / "howto").glob("*.md"))]
PYTHON_PAGES = [ROOT / "README.md", ROOT / "docs" / "python.md"]


def run(command: str, folder: Path, *, on_terminal: bool = False) -> str:
    if on_terminal:
        command = f"script -qefc {shlex.quote(command)} /dev/null"
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command],
        cwd=folder,
        env={**os.environ, "PATH": path, "COLUMNS": "100"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        stdin=subprocess.DEVNULL,
        text=True,
        timeout=400,
        check=False,
    )
    assert 0 == done.returncode, f"{command}\n{done.stdout}"
    return done.stdout.replace("\r\n", "\n")


def sessions(page: Path) -> list[tuple[str, str, bool]]:
    """Return the commands of a page, each with what the page shows after it, and whether that is on a terminal."""
    found: list[tuple[str, str, bool]] = []
    for kind, block in re.findall(r"```(console|shell-session)\n(.*?)```", page.read_text("utf-8"), re.DOTALL):
        for line in block.splitlines():
            if line.startswith("$ "):
                found.append((line[2:].partition("   #")[0].strip(), "", kind == "shell-session"))
            else:
                command, shown, on_terminal = found[-1]
                found[-1] = (command, f"{shown}{line}\n", on_terminal)
    return found


def shows(expected: str, printed: str) -> bool:
    """Tell whether a page shows what was printed; three dots stand for anything, and silence for anything at all."""
    pattern = ".*".join(re.escape(piece) for piece in expected.split("..."))
    return not expected or re.fullmatch(pattern, printed, re.DOTALL) is not None


DEMO = "sitestrata demo"


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The folder that the demo makes, and what it prints: it runs once for all pages."""
    folder = tmp_path_factory.mktemp("demo")
    printed = run(DEMO, folder)
    return folder / "demo", printed


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_sessions_print_what_the_page_shows(page: Path, demo: tuple[Path, str], tmp_path: Path) -> None:
    found = sessions(page)
    assert found, "a page without a session"
    folder, said = demo
    if DEMO not in [command for command, _, _ in found]:
        shutil.copytree(folder, tmp_path / "demo")

    for command, expected, on_terminal in found:
        if command == DEMO:
            shutil.copytree(folder, tmp_path / "demo")
        printed = said if command == DEMO else run(command, tmp_path, on_terminal=on_terminal)
        assert shows(expected, printed), f"$ {command}\n{printed}\n--- but the page shows\n{expected}"


@pytest.mark.parametrize("page", PYTHON_PAGES, ids=lambda page: page.stem)
def test_python_examples_run(page: Path, tmp_path: Path) -> None:
    examples = re.findall(r"```python\n(.*?)```", page.read_text("utf-8"), re.DOTALL)
    assert examples
    script = tmp_path / "example.py"
    # In a process of its own, as a user would: `mine` starts others.
    script.write_text("if __name__ == '__main__':\n" + _indented("\n".join(examples)), "utf-8")

    run("python example.py", tmp_path)

    assert list(tmp_path.glob("*/manifest.json"))


def _indented(code: str) -> str:
    return "".join(f"    {line}\n" for line in code.splitlines())


def test_a_page_that_shows_something_else_is_noticed() -> None:
    assert shows("a...c\n", "abc\n")
    assert not shows("a...c\n", "abd\n")
    assert not shows("a\n", "a\nb\n")
