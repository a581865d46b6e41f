"""Modules that are compiled as they stand do what their source says."""

import sys
from collections.abc import Iterator
from dataclasses import astuple
from importlib import import_module
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import sitestrata
from support.random_pages import random_page, random_tables

FOLDER = Path(sitestrata.__file__).parent
# Each needs those before it.
MODULES = (
    "page.tables",
    "partition.tables.grids",
    "partition.tables.look",
    "partition.tables.detect",
    "partition.blocks",
    "partition.lines",
    "partition.titles",
    "partition.heads",
    "partition.table_labels",
    "partition.labels",
)

Sources = dict[str, ModuleType]


def compiled(name: str) -> ModuleType:
    """Return a module as it is imported."""
    return import_module(f"sitestrata.{name}")


@pytest.fixture(scope="module")
def source() -> Iterator[Sources]:
    """Yield the sources of the modules, run by the interpreter, each on top of the sources before it."""
    imported = {f"sitestrata.{name}": compiled(name) for name in MODULES}
    sources = {}
    for name in MODULES:
        full = f"sitestrata.{name}"
        loader = SourceFileLoader(full, str(FOLDER / f"{name.replace('.', '/')}.py"))
        spec = spec_from_loader(full, loader)
        assert spec is not None
        sources[name] = sys.modules[full] = module_from_spec(spec)
        loader.exec_module(sources[name])
    sys.modules.update(imported)
    yield sources


def test_all_of_them_are_looked_at() -> None:
    typed = {path.with_suffix(".py") for path in FOLDER.glob("**/*.pxd")}
    named = {FOLDER / f"{name.replace('.', '/')}.py" for name in MODULES}

    assert {path for path in typed if path.exists()} - named == {FOLDER / "partition" / "writing.py"}


@pytest.mark.parametrize("name", MODULES)
def test_the_module_is_compiled(name: str) -> None:
    assert not str(compiled(name).__file__).endswith(".py")


@pytest.mark.parametrize("seed", range(60))
def test_compiled_and_interpreted_labels_agree(seed: int, source: Sources) -> None:
    facts = random_page(seed)
    interpreted = source["partition.labels"]

    assert interpreted.label_forest is not compiled("partition.labels").label_forest
    assert _plain(interpreted.label_forest(facts)) == _plain(compiled("partition.labels").label_forest(facts))


@pytest.mark.parametrize("seed", range(30))
def test_compiled_and_interpreted_roles_agree(seed: int, source: Sources) -> None:
    facts = random_page(seed)

    expected = [_fields(block) for block in source["partition.blocks"].find_blocks(facts, navigation={5, 9})]
    assert expected == [_fields(block) for block in compiled("partition.blocks").find_blocks(facts, navigation={5, 9})]


@pytest.mark.parametrize("seed", range(30))
def test_compiled_and_interpreted_tables_agree(seed: int, source: Sources) -> None:
    facts = random_tables(seed)
    found = [_tables(lambda name: source[name], facts), _tables(compiled, facts)]

    assert len(found[0]) > 1
    assert found[0] == found[1]


def _tables(module: Any, facts: Any) -> list[Any]:
    """Return all that is seen of the tables of a page."""
    seen: list[Any] = [astuple(table) for table in module("page.tables").raw_tables(facts.dom)]
    for grid in module("partition.tables.grids").page_grids(facts):
        look = module("partition.tables.look").look_at(grid)
        features = module("partition.tables.detect").table_features(grid, look)
        cells = [_fields(cell) for cell in grid.cells]
        seen.append((grid.slots.tolist(), cells, look.planes.tolist(), features.tolist()))
    return seen


def _fields(record: Any) -> list[Any]:
    values = [getattr(record, name) for name in dir(record) if not name.startswith("_")]
    return [value for value in values if not callable(value)]


def _plain(forest: list[object]) -> list[object]:
    names = ("text", "url", "node", "first", "end", "rank", "is_link", "is_picture", "is_local", "fragment", "kind")
    return [[*(getattr(label, name) for name in names), _plain(label.children)] for label in forest]  # type: ignore[attr-defined]
