"""Modules that are compiled as they stand do what their source says."""

import sys
from collections.abc import Iterator
from importlib import import_module
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import ModuleType

import pytest

import sitestrata.partition
from support.random_pages import random_page

MODULES = ("lines", "heads", "labels")  # each needs those before it


@pytest.fixture(scope="module")
def source() -> Iterator[ModuleType]:
    """Yield the source of the last module, run by the interpreter, on top of the sources of the others."""
    names = [f"sitestrata.partition.{name}" for name in MODULES]
    compiled = {name: import_module(name) for name in names}
    folder = Path(sitestrata.partition.__file__).parent
    module = compiled[names[-1]]
    for name, short in zip(names, MODULES, strict=True):
        loader = SourceFileLoader(name, str(folder / f"{short}.py"))
        spec = spec_from_loader(name, loader)
        assert spec is not None
        module = sys.modules[name] = module_from_spec(spec)
        loader.exec_module(module)
    sys.modules.update(compiled)
    yield module


@pytest.mark.parametrize("name", MODULES)
def test_the_module_is_compiled(name: str) -> None:
    assert not str(import_module(f"sitestrata.partition.{name}").__file__).endswith(".py")


@pytest.mark.parametrize("seed", range(60))
def test_compiled_and_interpreted_labels_agree(seed: int, source: ModuleType) -> None:
    facts = random_page(seed)
    compiled = import_module("sitestrata.partition.labels")

    assert source.label_forest is not compiled.label_forest
    assert _plain(source.label_forest(facts)) == _plain(compiled.label_forest(facts))


def _plain(forest: list[object]) -> list[object]:
    names = ("text", "url", "node", "first", "end", "rank", "is_link", "is_picture", "is_local", "fragment", "kind")
    return [[*(getattr(label, name) for name in names), _plain(label.children)] for label in forest]  # type: ignore[attr-defined]
