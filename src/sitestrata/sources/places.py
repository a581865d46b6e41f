"""Where bytes are: a file here, or an object in a store that Arrow can read (``s3://``, ``gs://``, ``hdfs://``).

Credentials and endpoints are those that the store's own environment variables and settings give.
"""

import glob
import os
from collections.abc import Callable
from contextlib import AbstractContextManager
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, BinaryIO, Protocol
from urllib.parse import quote

__all__ = ["OpenBytes", "expand", "is_remote", "is_there", "open_bytes", "open_file", "size_and_time"]

_SCHEMES = ("s3://", "gs://", "gcs://", "hdfs://", "abfs://", "abfss://")


class OpenBytes(Protocol):
    """An open file that is read by position."""

    size: int

    def read_at(self, length: int, position: int) -> bytes:
        """Return up to ``length`` bytes; none at the end."""
        ...

    def close(self) -> None:
        """Close the file."""
        ...


def is_remote(path: str) -> bool:
    """Tell whether a path is the address of an object in a store.

    >>> is_remote("s3://bucket/crawl.warc.gz"), is_remote("crawl.warc.gz")
    (True, False)
    """
    return path.startswith(_SCHEMES)


def open_bytes(path: str) -> OpenBytes:
    """Open a file or object; `OSError` where that is not possible."""
    return _Remote(path) if is_remote(path) else _Local(path)


def open_file(path: str) -> AbstractContextManager[BinaryIO]:
    """Open a file or object as a stream that can be moved about in."""
    if not is_remote(path):
        return Path(path).open("rb")
    system, inside = _resolved(path)
    opened: AbstractContextManager[BinaryIO] = system.open_input_file(inside)
    return opened


def is_there(path: str) -> bool:
    """Tell whether there is a file, folder or object of this name."""
    if not is_remote(path):
        return Path(path).exists()
    system, inside = _resolved(path)
    return bool(system.get_file_info(inside).type.name != "NotFound")


def size_and_time(path: str) -> tuple[int, int] | None:
    """Return the size of a file or object and when it was changed (nanoseconds); None where there is none."""
    if not is_remote(path):
        try:
            status = Path(path).stat()
        except OSError:
            return None
        return status.st_size, status.st_mtime_ns
    system, inside = _resolved(path)
    info = system.get_file_info(inside)
    return None if info.type.name != "File" else (info.size, info.mtime_ns or 0)


def expand(path: str, is_wanted: Callable[[str], bool]) -> list[str]:
    """Return the objects of a store that a path names: one, those of a folder that are wanted, those of a pattern."""
    from pyarrow import fs

    base = path if not glob.has_magic(path) else path[: path.rindex("/", 0, _first_magic(path)) + 1]
    system, inside = _resolved(base.rstrip("/"))
    if base == path and system.get_file_info(inside).type == fs.FileType.File:
        return [path]
    prefix = base.rstrip("/")[: -len(inside)]
    selector = fs.FileSelector(inside, recursive=True, allow_not_found=True)
    found = sorted(prefix + info.path for info in system.get_file_info(selector) if info.type == fs.FileType.File)
    if base == path:
        return [name for name in found if is_wanted(name)]
    # As in a shell, an asterisk does not reach into folders; two do.
    return [name for name in found if _matches(name, path)]


def _matches(name: str, pattern: str) -> bool:
    if "**" in pattern:
        return fnmatchcase(name, pattern.replace("**/", "*"))
    return name.count("/") == pattern.count("/") and all(
        fnmatchcase(part, wanted) for part, wanted in zip(name.split("/"), pattern.split("/"), strict=True)
    )


def _first_magic(path: str) -> int:
    return min(position for sign in "*?[" if (position := path.find(sign)) >= 0)


def _resolved(path: str) -> tuple[Any, str]:
    from pyarrow import fs

    scheme, _, rest = path.partition("://")
    # Names are given as they are, as to the stores' own commands; Arrow wants an address.
    found: tuple[Any, str] = fs.FileSystem.from_uri(f"{scheme}://{quote(rest, safe='/:@')}")
    return found


class _Local:
    """A file, read by ``pread``: a disk error is an exception at one record, not the end of the process."""

    __slots__ = ("_file", "size")

    def __init__(self, path: str) -> None:
        self._file = os.open(path, os.O_RDONLY | getattr(os, "O_CLOEXEC", 0))
        self.size = os.fstat(self._file).st_size

    def read_at(self, length: int, position: int) -> bytes:
        return os.pread(self._file, length, position)

    def close(self) -> None:
        if self._file >= 0:
            os.close(self._file)
            self._file = -1


class _Remote:
    """An object in a store."""

    __slots__ = ("_file", "size")

    def __init__(self, path: str) -> None:
        system, inside = _resolved(path)
        self._file = system.open_input_file(inside)
        self.size = int(self._file.size())

    def read_at(self, length: int, position: int) -> bytes:
        data: bytes = self._file.read_at(length, position)
        return data

    def close(self) -> None:
        self._file.close()
