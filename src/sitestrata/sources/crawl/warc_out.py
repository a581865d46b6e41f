"""Answers into WARC/1.1 files, one gzip member a record, that can be cut back to any committed end.

Every answer becomes a response (or revisit) record and the request that led to it. The block of a response is what
came over the wire: header lines as received, transfer coding and content coding left on. The payload digest is taken
over the payload as it stands in the block, as warcio, warcprox and Wget do, so that their checkers agree.

A file is named OUT.warc.gz while there is one only; when it is full it becomes OUT-00000.warc.gz and OUT-00001.warc.gz
follows.
"""

import base64
import hashlib
import os
import platform
import uuid
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import IO

from zlib_ng import zlib_ng

from sitestrata.sources.crawl.message import Answer

__all__ = ["Original", "WarcOut", "Written", "payload_digest", "warc_date"]

LEVEL = 6  # zlib's own default; 9 costs half as much again for one percent
_STEP = 1 << 16
_PROFILE = "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest"
_SUFFIX = ".warc.gz"


@dataclass(frozen=True, slots=True)
class Original:
    """The record that a revisit refers to."""

    url: str
    date: str
    record_id: str


@dataclass(frozen=True, slots=True)
class Written:
    """Where a response or revisit record was written."""

    serial: int
    offset: int
    length: int
    record_id: str
    record_type: str


def warc_date(moment: datetime) -> str:
    """Return a moment in the form of WARC-Date."""
    return moment.strftime("%Y-%m-%dT%H:%M:%S.") + f"{moment.microsecond // 1000:03d}Z"


def payload_digest(answer: Answer) -> str:
    """Return the digest of the payload as received."""
    digest = hashlib.sha1(usedforsecurity=False)
    answer.body.seek(0)
    for part in _parts(answer.body, answer.size):
        digest.update(part)
    return _base32(digest.digest())


class WarcOut:
    """Appends records to the files of one crawl."""

    def __init__(self, out: Path, *, rotate: int, info: dict[str, str]) -> None:
        self._out = out
        self._rotate = rotate
        self._info = info
        self._file: IO[bytes] | None = None
        self.info_id = ""
        self.serial = 0
        self.offset = 0

    def path(self, serial: int) -> Path:
        """Return the file with a number as it is named now."""
        numbered = self._out.with_name(f"{stem(self._out)}-{serial:05d}{_SUFFIX}")
        if serial == 0 and not numbered.exists():
            return self._out
        return numbered

    def paths(self) -> list[Path]:
        """Return every file of the crawl."""
        return [path for serial in range(self.serial + 1) if (path := self.path(serial)).exists()]

    def open(self, serial: int = 0, offset: int = 0, info_id: str = "") -> None:
        """Continue at a committed end: what lies behind it was never committed and is cut off."""
        later = serial + 1
        while (path := self.path(later)).exists():
            path.unlink()
            later += 1
        self.serial = serial
        self._open_file()
        assert self._file is not None
        self._file.truncate(offset)
        self._file.seek(offset)
        self.offset = offset
        self.info_id = info_id
        if offset == 0:
            self._write_info()

    def close(self) -> None:
        """Sync and close."""
        if self._file is not None:
            self.sync()
            self._file.close()
            self._file = None

    def sync(self) -> None:
        """Make everything written durable."""
        if self._file is not None:
            self._file.flush()
            os.fsync(self._file.fileno())

    def write(self, url: str, answer: Answer, digest: str, original: Original | None) -> Written:
        """Append the records of one exchange and hand the bytes to the operating system."""
        self._rotate_if_full()
        assert self._file is not None
        offset = self.offset
        record_id = _new_id()
        date = warc_date(answer.started_at)
        common = [("WARC-Target-URI", url), ("WARC-Date", date), ("WARC-Warcinfo-ID", self.info_id)]
        if answer.address:
            common.append(("WARC-IP-Address", answer.address))
        fields = [("WARC-Type", "revisit" if original else "response"), ("WARC-Record-ID", record_id), *common]
        fields.append(("WARC-Payload-Digest", digest))
        if original:
            fields += [
                ("WARC-Profile", _PROFILE),
                ("WARC-Refers-To", original.record_id),
                ("WARC-Refers-To-Target-URI", original.url),
                ("WARC-Refers-To-Date", original.date),
            ]
        if answer.truncated:
            fields.append(("WARC-Truncated", answer.truncated))
        fields.append(("Content-Type", "application/http; msgtype=response"))
        self._write_record(fields, answer.head, None if original else answer.body, 0 if original else answer.size)
        written = Written(self.serial, offset, self.offset - offset, record_id, "revisit" if original else "response")
        fields = [("WARC-Type", "request"), ("WARC-Record-ID", _new_id()), *common]
        fields += [("WARC-Concurrent-To", record_id), ("Content-Type", "application/http; msgtype=request")]
        self._write_record(fields, without_credentials(answer.sent), None, 0)
        self._file.flush()
        return written

    # -- private

    def _open_file(self) -> None:
        path = self.path(self.serial)
        path.touch()
        self._file = path.open("r+b")

    def _rotate_if_full(self) -> None:
        if self.offset < self._rotate:
            return
        assert self._file is not None
        self.close()
        if self.serial == 0 and self.path(0) == self._out:
            self._out.rename(self._out.with_name(f"{stem(self._out)}-00000{_SUFFIX}"))
        self.serial += 1
        self._open_file()
        self._file.truncate(0)
        self.offset = 0
        self._write_info()

    def _write_info(self) -> None:
        self.info_id = _new_id()
        lines = {
            "software": f"sitestrata/0.1 (Python {platform.python_version()})",
            "format": "WARC File Format 1.1",
            "conformsTo": "https://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/",
            **self._info,
        }
        block = "".join(f"{key}: {_one_line(value)}\r\n" for key, value in lines.items()).encode()
        fields = [
            ("WARC-Type", "warcinfo"),
            ("WARC-Record-ID", self.info_id),
            ("WARC-Date", warc_date(datetime.now(UTC))),
            ("WARC-Filename", self.path(self.serial).name),
            ("Content-Type", "application/warc-fields"),
        ]
        self._write_record(fields, block, None, 0)

    def _write_record(self, fields: list[tuple[str, str]], head: bytes, body: IO[bytes] | None, size: int) -> None:
        assert self._file is not None
        digest = hashlib.sha1(head, usedforsecurity=False)
        if body is not None:
            body.seek(0)
            for part in _parts(body, size):
                digest.update(part)
            body.seek(0)
        fields = [*fields, ("WARC-Block-Digest", _base32(digest.digest())), ("Content-Length", str(len(head) + size))]
        lines = b"".join(f"{key}: {_one_line(value)}\r\n".encode() for key, value in fields)
        pack = zlib_ng.compressobj(LEVEL, zlib_ng.DEFLATED, 31)
        self._put(pack.compress(b"WARC/1.1\r\n" + lines + b"\r\n" + head))
        if body is not None:
            for part in _parts(body, size):
                self._put(pack.compress(part))
        self._put(pack.compress(b"\r\n\r\n") + pack.flush())

    def _put(self, data: bytes) -> None:
        assert self._file is not None
        self._file.write(data)
        self.offset += len(data)


def stem(out: Path) -> str:
    """Return the name of an output file without .warc.gz."""
    return out.name.removesuffix(".gz").removesuffix(".warc")


def without_credentials(sent: bytes) -> bytes:
    """Take out of a request what was meant for the proxy only."""
    lines = sent.split(b"\r\n")
    return b"\r\n".join(
        line for line in lines if not line.lower().startswith((b"proxy-authorization:", b"authorization:"))
    )


def _parts(body: IO[bytes], size: int) -> list[bytes]:
    # Small bodies in one piece: most pages are.
    if size <= _STEP:
        return [body.read(size)]
    return _Steps(body, size)  # type: ignore[return-value]


class _Steps:
    def __init__(self, body: IO[bytes], size: int) -> None:
        self._body = body
        self._left = size

    def __iter__(self) -> "_Steps":
        return self

    def __next__(self) -> bytes:
        part = self._body.read(min(self._left, _STEP))
        if not part:
            raise StopIteration
        self._left -= len(part)
        return part


def _new_id() -> str:
    return f"<urn:uuid:{uuid.uuid4()}>"


def _base32(digest: bytes) -> str:
    return "sha1:" + base64.b32encode(digest).decode("ascii")


def _one_line(value: str) -> str:
    return value.replace("\r", " ").replace("\n", " ")
