"""Bytes of a file, or of a member stored in an archive, by position.

Positions count from the start of the region, so a WARC inside a WACZ is read in place.
"""

from types import TracebackType
from typing import Self

from zlib_ng import zlib_ng

from sitestrata.sources.places import open_bytes

__all__ = ["Window"]

_BUFFER = 1 << 20  # bytes read ahead; a record of a crawl packs to some 10 KB


class Window:
    """A region of a file, read through one buffer that moves forward with the reader."""

    __slots__ = ("_base", "_buffer", "_file", "_view", "size", "start")

    def __init__(self, path: str, *, start: int = 0, size: int | None = None) -> None:
        self._file = open_bytes(path)
        available = max(0, self._file.size - start)
        self.start = start
        # Of a member that an archive promises, what is there counts: the cut shows at the record it goes through.
        self.size = available if size is None else min(size, available)
        self._base = 0
        self._buffer = b""
        self._view = memoryview(b"")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def view(self, position: int, length: int) -> memoryview:
        """Return up to ``length`` bytes from ``position`` on without copying; fewer only at the end of the region."""
        begin = position - self._base
        end = len(self._buffer)
        if begin < 0 or (begin + length > end and self._base + end < self.size):
            self._fill(position, max(length, _BUFFER))
            begin = 0
        return self._view[begin : begin + length]

    def read(self, position: int, length: int) -> bytes:
        """Return up to ``length`` bytes from ``position`` on; fewer only at the end of the region."""
        return bytes(self.view(position, length))

    def find(self, needle: bytes, position: int, end: int | None = None) -> int:
        """Return the first position of ``needle`` at or after ``position`` and wholly before ``end``; -1 if none."""
        stop = self.size if end is None else min(end, self.size)
        overlap = len(needle) - 1
        while position + len(needle) <= stop:
            piece = self.read(position, min(_BUFFER, stop - position))
            found = piece.find(needle)
            if found >= 0:
                return position + found
            if len(piece) <= overlap:
                break
            position += len(piece) - overlap
        return -1

    def crc32(self) -> int:
        """Return the CRC-32 of the whole region."""
        crc = 0
        for position in range(0, self.size, _BUFFER):
            crc = zlib_ng.crc32(self.view(position, _BUFFER), crc)
        return crc

    def _fill(self, position: int, length: int) -> None:
        wanted = min(length, self.size - position)
        parts = []
        got = 0
        while got < wanted:
            part = self._file.read_at(wanted - got, self.start + position + got)
            if not part:  # the file became shorter while we read it
                self.size = position + got
                break
            parts.append(part)
            got += len(part)
        self._base = position
        self._buffer = parts[0] if len(parts) == 1 else b"".join(parts)
        self._view = memoryview(self._buffer)
