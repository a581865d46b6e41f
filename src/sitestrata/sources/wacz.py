"""A WACZ (a zip of WARC files with their index) -> its WARC members as sources, read in place.

A stored member is a range of bytes of the archive. A deflated one cannot be read from the middle, so it is unpacked
once into the folder for spooled input, its checksum checked. No name from the archive ever becomes a path; names that
try are refused all the same. A zip whose directory is lost to a cut is read by its local heads as far as they go.

The archive's own index (CDXJ) is not used: it says where records should be, and the records themselves are read anyway.
"""

import re
import struct
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass

from sitestrata.sources.places import open_file
from sitestrata.sources.windows import Window

__all__ = ["Entry", "entries", "is_unsafe"]

_LOCAL_HEAD = struct.Struct("<4sHHHHHIIIHH")  # APPNOTE 4.3.7
_LOCAL_MAGIC = b"PK\x03\x04"
_DESCRIPTOR_MAGIC = b"PK\x07\x08"
_STORED, _DEFLATED = 0, 8
_HAS_DESCRIPTOR = 0x08  # sizes come behind the data
_ENCRYPTED = 0x01
_ZIP64_SIZE = 0xFFFFFFFF
_ZIP64_EXTRA = 0x0001
_ARCHIVE_NAME = re.compile(r"\.w?arc(?:\.gz|\.zst)?\Z", re.IGNORECASE)
_UNSAFE = re.compile(r"(?:\A|[/\\])\.\.(?:[/\\]|\Z)|\A[/\\]|\A[A-Za-z]:|[\x00-\x1f\x7f]")


@dataclass(frozen=True, slots=True)
class Entry:
    """A member of a zip archive."""

    name: str
    start: int  # of its data, in the archive
    packed: int  # bytes of its data
    size: int  # bytes unpacked
    crc: int
    method: int
    is_encrypted: bool = False

    @property
    def is_stored(self) -> bool:
        """Whether the data can be read in place."""
        return self.method == _STORED and not self.is_encrypted

    @property
    def is_deflated(self) -> bool:
        """Whether the data can be unpacked."""
        return self.method == _DEFLATED and not self.is_encrypted

    @property
    def is_archive(self) -> bool:
        """Whether the name is that of a WARC or ARC file."""
        return _ARCHIVE_NAME.search(self.name) is not None


def is_unsafe(name: str) -> bool:
    """Tell whether a member's name would lead out of a folder it is unpacked into, or hides control characters.

    >>> is_unsafe("archive/../../etc/passwd"), is_unsafe("archive/a..b.warc.gz")
    (True, False)
    """
    return _UNSAFE.search(name) is not None


def entries(window: Window, path: str) -> tuple[list[Entry], str | None]:
    """Return the members of an archive in the order of their data, and what is wrong with its directory."""
    try:
        with open_file(path) as file, zipfile.ZipFile(file) as archive:
            infos = archive.infolist()
    # NotImplementedError: zipfile says so of versions and compressions that it does not know.
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError, UnicodeDecodeError, struct.error) as error:
        return list(_salvage(window)), f"The directory of the archive cannot be read ({error}); it was cut or damaged."
    found = []
    for info in infos:
        if info.is_dir():
            continue
        start = _data_start(window, info.header_offset)
        if start is None:
            return list(_salvage(window)), "The directory of the archive points to places where no member starts."
        found.append(
            Entry(
                info.orig_filename,
                start,
                info.compress_size,
                info.file_size,
                info.CRC,
                info.compress_type,
                is_encrypted=bool(info.flag_bits & _ENCRYPTED),
            )
        )
    return sorted(found, key=lambda entry: entry.start), None


def _data_start(window: Window, offset: int) -> int | None:
    head = window.read(offset, _LOCAL_HEAD.size)
    if len(head) < _LOCAL_HEAD.size or head[:4] != _LOCAL_MAGIC:
        return None
    name_length, extra_length = _LOCAL_HEAD.unpack(head)[-2:]
    return int(offset + _LOCAL_HEAD.size + name_length + extra_length)


def _salvage(window: Window) -> Iterator[Entry]:
    """Yield the members that follow one another from the start of a damaged archive."""
    offset = 0
    while (start := _data_start(window, offset)) is not None:
        head = window.read(offset, start - offset)
        _, _, flags, method, _, _, crc, packed, size, name_length, _ = _LOCAL_HEAD.unpack_from(head)
        name = head[_LOCAL_HEAD.size : _LOCAL_HEAD.size + name_length].decode("utf-8", "replace")
        extra = head[_LOCAL_HEAD.size + name_length :]
        if packed == _ZIP64_SIZE or size == _ZIP64_SIZE:
            size, packed = _zip64_sizes(extra, size, packed)
        if flags & _HAS_DESCRIPTOR and not packed:
            # The size is told behind the data: up to the next member's head, or all there is.
            following = window.find(_LOCAL_MAGIC, start)
            end = following if following >= 0 else window.size
            packed = size = _before_descriptor(window, end) - start
        yield Entry(name, start, packed, size, crc, method, is_encrypted=bool(flags & _ENCRYPTED))
        following = start + packed
        if window.read(following, 4) != _LOCAL_MAGIC:
            following = window.find(_LOCAL_MAGIC, following)
        if following < 0:
            return
        offset = following


def _before_descriptor(window: Window, end: int) -> int:
    for length in (16, 24):  # APPNOTE 4.3.9: with 32-bit or 64-bit sizes
        if window.read(end - length, 4) == _DESCRIPTOR_MAGIC:
            return end - length
    return end


def _zip64_sizes(extra: bytes, size: int, packed: int) -> tuple[int, int]:
    at = 0
    while at + 4 <= len(extra):
        kind, length = struct.unpack_from("<HH", extra, at)
        if kind == _ZIP64_EXTRA and length >= 16 and at + 20 <= len(extra):
            wide = struct.unpack_from("<QQ", extra, at + 4)
            return int(wide[0]), int(wide[1])
        at += 4 + length
    return size, packed
