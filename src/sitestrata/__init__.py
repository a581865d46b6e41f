"""Sitestrata reads a crawl and tells which pages form one website, and how that site is organised."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sitestrata.errors import Error
    from sitestrata.run.mine import Progress, mine
    from sitestrata.run.workspace import Workspace, open_workspace

__version__ = "0.1.0"

__all__ = ["Error", "Progress", "Workspace", "__version__", "mine", "open_workspace"]

# Loaded when they are asked for: the command line must start without Arrow and DuckDB.
_HOMES = {
    "Error": "sitestrata.errors",
    "Progress": "sitestrata.run.mine",
    "Workspace": "sitestrata.run.workspace",
    "mine": "sitestrata.run.mine",
    "open_workspace": "sitestrata.run.workspace",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return __all__
