"""The configuration file: a TOML table per command, whose keys are the command's flags.

::

    [mine]
    workers = 4
    memory-limit = "8GB"
"""

import tomllib
from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from sitestrata.cli import COMMANDS
from sitestrata.errors import UsageError

__all__ = ["options_from_file"]


def options_from_file(path: Path, command: str, names: Mapping[str, str]) -> dict[str, Any]:
    """Return the options that the file sets for a command, by parameter name.

    ``names`` maps each flag (without dashes) to its parameter. A table or key that no command or flag has is refused:
    a misspelt option that is silently ignored is worse than none.
    """
    try:
        content = tomllib.loads(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise UsageError(f"Cannot read the configuration file {path}: {error}") from error
    for table, value in content.items():
        if not isinstance(value, dict):
            raise UsageError(f"{path}: put {table!r} under a command, for example [{command}].")
        if table not in COMMANDS:
            raise UsageError(f"{path}: there is no command {table!r}.{_near(table, COMMANDS)}")
    options = {}
    for key, value in content.get(command, {}).items():
        name = names.get(key.replace("_", "-"))
        if name is None:
            raise UsageError(f"{path}: `sitestrata {command}` has no option {key!r}.{_near(key, names)}")
        options[name] = value
    return options


def _near(word: str, known: Mapping[str, str]) -> str:
    near = get_close_matches(word, known, n=1)
    return f" Did you mean {near[0]!r}?" if near else ""
