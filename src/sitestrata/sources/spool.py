"""What cannot be read in place -> a file named by its content, in a folder that the caller gives."""

import os
import tempfile
from hashlib import blake2b
from pathlib import Path
from typing import BinaryIO, Protocol, cast

from zlib_ng import zlib_ng

from sitestrata.errors import SourceError
from sitestrata.sources.wacz import Entry
from sitestrata.sources.windows import Window

__all__ = ["inflate_member", "spool_stream"]

_PIECE = 1 << 20
_InflateError = cast(type[Exception], zlib_ng.error)  # the package's stub has no type for it


class _Pieces(Protocol):
    def __call__(self) -> bytes:
        """Return the next bytes, nothing at the end."""
        ...


def spool_stream(stream: BinaryIO, folder: Path) -> str:
    """Copy a stream into a folder and return the path of the copy."""
    return _spool(lambda: stream.read(_PIECE), folder)


def inflate_member(window: Window, entry: Entry, folder: Path) -> tuple[str, str | None]:
    """Unpack a deflated member of a zip into a folder; return the path of the copy and what was wrong."""
    inflater = zlib_ng.decompressobj(-15)
    at, end = entry.start, entry.start + entry.packed
    size, crc = 0, 0
    complaint: str | None = None

    def pieces() -> bytes:
        nonlocal at, size, crc, complaint
        part = b""
        try:
            while not part and not inflater.eof and complaint is None:
                view = window.view(at, min(_PIECE, end - at))
                if not view:
                    complaint = "The deflated member ends early."
                    break
                part = inflater.decompress(view, _PIECE)
                at += len(view) - len(inflater.unconsumed_tail)
        except _InflateError as error:
            complaint = f"The deflated member is damaged ({error})."
            return b""
        size += len(part)
        crc = zlib_ng.crc32(part, crc)
        if size > entry.size:  # also what stops a bomb: the directory has to admit its size
            complaint = "The deflated member is longer than the archive says."
            return b""
        return part

    path = _spool(pieces, folder)
    if complaint is None and (crc != entry.crc or size != entry.size):
        complaint = "The deflated member does not have the checksum or the size that the archive says."
    return path, complaint


def _spool(pieces: _Pieces, folder: Path) -> str:
    """Write pieces to a file that appears under its final name only when it is complete."""
    digest = blake2b(digest_size=16)
    temporary: str | None = None
    try:
        folder.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=folder, prefix=".spool-")
        with os.fdopen(handle, "wb") as file:
            while part := pieces():
                digest.update(part)
                file.write(part)
            file.flush()
            os.fsync(file.fileno())
        path = folder / digest.hexdigest()
        os.replace(temporary, path)  # noqa: PTH105 - both are given as they come
    except OSError as error:
        if temporary is not None:
            Path(temporary).unlink(missing_ok=True)
        raise SourceError(f"{folder}: the input could not be kept here ({error.strerror or error}).") from error
    return str(path.absolute())
