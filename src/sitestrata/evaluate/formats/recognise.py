"""Which reader a file is for, told by its content: the header of a table, the keys of a JSON object.

The name of a file does not matter, only whether it ends in ``.json``, ``.jsonl``, ``.tsv`` or ``.csv``. In a folder
files that are no gold are passed over; a file that was named by itself must be understood.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from sitestrata.errors import SourceError
from sitestrata.evaluate.facts import Facts, combine
from sitestrata.evaluate.formats import blocks, corpora, listings, sample, tabular

__all__ = ["read_facts"]

SUFFIXES = (".csv", ".json", ".jsonl", ".nl", ".tsv")

# A reader gets the file and what it holds: the rows of a JSON array or of JSON lines, or one JSON object as one row.
JsonReader = Callable[[Path, Sequence[Mapping[str, Any]]], Facts]


def read_facts(paths: Sequence[Path], *, name: str | None = None) -> Facts:
    """Read all files, and all files of folders, that say something, as one.

    Raises:
        SourceError: a path does not exist, a file is in no known format, or a folder holds nothing that is.
    """
    found: list[Facts] = []
    for path in paths:
        if path.is_dir():
            files = sorted(file for file in path.iterdir() if file.suffix in SUFFIXES and file.is_file())
            read = [facts for facts in map(_read_file, files) if facts is not None]
            if not read:
                raise SourceError(
                    f"{path} holds no file in a format that `sitestrata eval` knows; see docs/evaluation.md."
                )
            found.append(combine(read, name=path.name))
        elif path.is_file():
            facts = _read_file(path)
            if facts is None:
                raise SourceError(f"{path} is in no format that `sitestrata eval` knows; see docs/evaluation.md.")
            found.append(facts)
        else:
            raise SourceError(f"There is no file or folder {path}.")
    return combine(found, name=name)


def _read_file(path: Path) -> Facts | None:
    if path.suffix in (".tsv", ".csv"):
        return tabular.read(path)
    rows = _json_rows(path)
    if not rows:
        return None
    keys = frozenset(rows[0])
    for needed, reader in _json_readers():
        if needed <= keys:
            return _apply(reader, path, rows)
    # Objects whose keys are names of sites or pages: look at what a name leads to.
    value = next(iter(rows[0].values()), None)
    if len(rows) == 1 and isinstance(value, dict):
        for needed, reader in corpora.KEYED_READERS:
            if needed <= frozenset(value):
                return _apply(reader, path, rows)
    return None


def _apply(reader: JsonReader, path: Path, rows: Sequence[Mapping[str, Any]]) -> Facts:
    try:
        return reader(path, rows)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        said = f"no {error}" if isinstance(error, KeyError) else str(error)
        raise SourceError(f"{path} looks like gold or an answer, but a row of it is not in form: {said}.") from error


def _json_readers() -> list[tuple[frozenset[str], JsonReader]]:
    # Those that need more keys go first, so that a format is never taken for a simpler one.
    readers: list[tuple[frozenset[str], JsonReader]] = [
        *sample.READERS,
        *corpora.READERS,
        *blocks.READERS,
        *listings.READERS,
    ]
    return sorted(readers, key=lambda pair: -len(pair[0]))


def _json_rows(path: Path) -> list[dict[str, Any]]:
    text = path.read_text(encoding="utf-8")
    try:
        content = json.loads(text)
    except json.JSONDecodeError:
        try:
            content = [json.loads(line) for line in text.splitlines() if line.strip()]
        except json.JSONDecodeError as error:
            raise SourceError(f"{path} is neither JSON nor JSON lines: {error}.") from error
    rows = content if isinstance(content, list) else [content]
    return [row for row in rows if isinstance(row, dict)]
