"""Compiled inner loops, each with a Python twin of the same signature.

``walk.pyx`` is the kernel, ``walk_twin.py`` its twin: the specification, the test oracle and the fallback where no
compiler was at hand. Drivers say ``walk = load("walk")`` and call ``walk.function(arrays...)``; they cast and name the
arrays, the kernel keeps one loop: typed flat arrays and numbers in, arrays out, no Python objects, no I/O.

``SITESTRATA_PURE=1`` in the environment forces the twins.

Where what is slow is no loop over arrays but many small functions, a module is compiled as it stands (``lines``,
``heads`` and ``labels`` of `sitestrata.partition`): a ``.pxd`` beside it gives the C types, and the source is its twin.
"""

import os
from importlib import import_module
from types import ModuleType

__all__ = ["is_compiled", "load"]


def load(name: str) -> ModuleType:
    """Return the compiled kernel ``name``, or its Python twin where it was not built."""
    if os.environ.get("SITESTRATA_PURE") == "1":
        return import_module(f"{__name__}.{name}_twin")
    try:
        return import_module(f"{__name__}.{name}")
    except ImportError:
        return import_module(f"{__name__}.{name}_twin")


def is_compiled(name: str) -> bool:
    """Tell whether kernel ``name`` was built for this machine."""
    return not load(name).__name__.endswith("_twin")
