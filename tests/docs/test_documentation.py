"""The documentation keeps up with the code."""

import importlib.util
import re
from pathlib import Path

import pytest

from sitestrata.cli import COMMANDS

ROOT = Path(__file__).parents[2]
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")])


def test_map_of_papers_is_what_the_modules_say() -> None:
    spec = importlib.util.spec_from_file_location("build_papers_map", ROOT / "docs" / "build_papers_map.py")
    assert spec is not None
    assert spec.loader is not None
    build = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(build)

    assert build.papers_map() == (ROOT / "docs" / "papers.md").read_text("utf-8"), "python docs/build_papers_map.py"


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text("utf-8")):
        assert (page.parent / target).exists(), target


def test_every_command_is_documented() -> None:
    text = "\n".join(page.read_text("utf-8") for page in PAGES)
    existing = [name for name in COMMANDS if importlib.util.find_spec(f"sitestrata.cli.{name}")]

    assert [] == [name for name in existing if f"sitestrata {name}" not in text]
