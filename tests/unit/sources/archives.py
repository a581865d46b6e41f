"""Small archives for the tests, written by warcio, which shares no code with our reader."""

from __future__ import annotations

import io
from dataclasses import dataclass, field
from pathlib import Path

import zstandard
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from sitestrata.model import Capture, Reject
from sitestrata.sources import Limits, find_sources, index_source

HTML = "text/html; charset=utf-8"


@dataclass
class Archive:
    """A WARC in the making; remembers where each record starts."""

    gzip: bool = True
    version: str = "1.1"
    starts: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.stream = io.BytesIO()
        self.writer = WARCWriter(self.stream, gzip=self.gzip, warc_version=self.version)

    def add(
        self,
        url: str,
        body: bytes = b"<html><p>hello",
        *,
        kind: str = "response",
        status: str = "200 OK",
        headers: list[tuple[str, str]] | None = None,
        warc: dict[str, str] | None = None,
        date: str = "2026-01-02T03:04:05Z",
    ) -> Archive:
        fields = [("Content-Type", HTML)] if headers is None else headers
        http = None if kind == "resource" else StatusAndHeaders(status, fields, protocol="HTTP/1.1")
        record = self.writer.create_warc_record(
            url,
            kind,
            payload=io.BytesIO(body),
            http_headers=http,
            warc_headers_dict={"WARC-Date": date, **(warc or {})},
            warc_content_type="text/html" if kind == "resource" else "",
        )
        self.starts.append(self.stream.tell())
        self.writer.write_record(record)
        return self

    def add_info(self) -> Archive:
        self.starts.append(self.stream.tell())
        self.writer.write_record(self.writer.create_warcinfo_record("t.warc.gz", {"software": "test"}))
        return self

    def bytes(self) -> bytes:
        return self.stream.getvalue()

    def pieces(self) -> list[bytes]:
        """The bytes of each record."""
        ends = [*self.starts[1:], len(self.bytes())]
        return [self.bytes()[start:end] for start, end in zip(self.starts, ends, strict=True)]


def pages(count: int, *, gzip: bool = True) -> Archive:
    """An archive of pages that differ, with records of other kinds between them."""
    archive = Archive(gzip=gzip).add_info()
    for number in range(count):
        words = " ".join(f"word{(number * 7919 + i * i) % 1009}" for i in range(60 + 20 * (number % 3)))
        archive.add(f"http://example.org/{number}", f"<html><title>{number}</title><p>{words}".encode())
        if number % 4 == 3:
            archive.add(f"http://example.org/old/{number}", b"", status="301 Moved", headers=[("Location", "/x")])
    return archive


def as_zstd(archive: Archive, *, checksum: bool) -> tuple[bytes, list[int]]:
    """The records of a plain archive as Zstandard frames, and where each starts."""
    packer = zstandard.ZstdCompressor(write_checksum=checksum)
    data, starts = b"", []
    for piece in archive.pieces():
        starts.append(len(data))
        data += packer.compress(piece)
    return data, starts


def index(*paths: Path, limits: Limits | None = None) -> tuple[list[Capture], list[Reject]]:
    """Captures and rejects of files."""
    rows = [row for source in find_sources(paths) for row in index_source(source, limits)]
    return [row for row in rows if isinstance(row, Capture)], [row for row in rows if isinstance(row, Reject)]


def index_bytes(folder: Path, data: bytes, limits: Limits | None = None) -> tuple[list[Capture], list[Reject]]:
    """Captures and rejects of a file with these bytes."""
    path = folder / "crawl.bin"
    path.write_bytes(data)
    return index(path, limits=limits)
