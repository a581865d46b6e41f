"""Small archives for the tests, written by warcio, which shares no code with our reader."""

from __future__ import annotations

import io
from dataclasses import dataclass, field

from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

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
