"""Records of a file that must go -> filling of the same length in their place, so that all others stay where they are.

Only for copies of our own (`sitestrata.sources.spool`, crawled files): archives of others are never written to.
"""

import os
from collections.abc import Callable
from pathlib import Path

from sitestrata.sources.answers import header_text
from sitestrata.sources.index import open_window, scan_source
from sitestrata.sources.limits import Limits
from sitestrata.sources.packing import GZIP_MAGIC, ZSTD_SKIPPABLE
from sitestrata.sources.records import Record
from sitestrata.sources.source import Source
from sitestrata.sources.warc import unbracket
from sitestrata.urls import normalise

__all__ = ["blank_records"]

# RFC 1952, 2.3: the flag of a comment, no time, no system; an empty block; checksum and size of nothing.
_GZIP_HEAD = GZIP_MAGIC + b"\x10" + bytes(4) + b"\x00\xff"
_GZIP_END = b"\x00" + b"\x03\x00" + bytes(8)
_PLAIN = (
    "WARC/1.1\r\nWARC-Type: metadata\r\nWARC-Record-ID: <urn:uuid:00000000-0000-0000-0000-000000000000>\r\n"
    "WARC-Date: 1970-01-01T00:00:00Z\r\nContent-Length: {:012d}\r\n\r\n"
)


def blank_records(source: Source, is_unwanted: Callable[[str, int], bool], limits: Limits | None = None) -> bool:
    """Overwrite the records of a file whose address, and offset, are unwanted; tell whether none is left.

    Requests and metadata go with their answers. Records that are packed together cannot be overwritten one by one.
    """
    limits = limits or Limits()
    with open_window(source) as window:
        unwanted = [
            record
            for record in scan_source(source, window, limits)
            if isinstance(record, Record) and (url := _address(record)) is not None and is_unwanted(url, record.offset)
        ]
    if source.framing.startswith("solid") or source.record_format != "warc":
        return not unwanted
    path = Path(source.path)
    before = path.stat()
    with path.open("r+b") as file:
        for record in unwanted:
            file.seek(source.start + record.offset)
            file.write(_filling(source.framing, record.length))
        file.flush()
        os.fsync(file.fileno())
    # The other records are as they were: no reason to read the file again.
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    return True


def _address(record: Record) -> str | None:
    return normalise(header_text(unbracket(record.fields.get(b"warc-target-uri", b""))))


def _filling(framing: str, length: int) -> bytes:
    """Return so many bytes that hold nothing, as a reader of the file expects them."""
    if framing == "gzip":
        return _GZIP_HEAD + b" " * (length - len(_GZIP_HEAD) - len(_GZIP_END)) + _GZIP_END
    if framing == "zstd":
        return b"\x50" + ZSTD_SKIPPABLE + (length - 8).to_bytes(4, "little") + bytes(length - 8)
    size = length - len(_PLAIN.format(0)) - 4
    return _PLAIN.format(size).encode() + b" " * size + b"\r\n\r\n"
