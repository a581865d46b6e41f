"""A store of objects that speaks as much of the S3 protocol as reading needs: HEAD, GET of ranges, listing."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit
from xml.sax.saxutils import escape

__all__ = ["object_store"]


@contextmanager
def object_store(folder: Path) -> Iterator[str]:
    """Serve the folders of a folder as buckets on loopback; yield the endpoint."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_HEAD(self) -> None:
            self.answer(is_head=True)

        def do_GET(self) -> None:
            self.answer(is_head=False)

        def answer(self, *, is_head: bool) -> None:
            asked = urlsplit(self.path)
            path = folder / unquote(asked.path).lstrip("/")
            if "list-type" in parse_qs(asked.query):
                self.send(200, listing(path, parse_qs(asked.query)), is_head, {"Content-Type": "application/xml"})
            elif not path.is_file():
                code = 200 if is_head and path.parent == folder and path.is_dir() else 404  # HEAD of a bucket
                self.send(code, b"", is_head, {})
            else:
                data = path.read_bytes()
                headers = {"Last-Modified": formatdate(path.stat().st_mtime, usegmt=True), "ETag": '"1"'}
                wanted = self.headers.get("Range")
                if wanted is None:
                    self.send(200, data, is_head, headers)
                    return
                first, _, last = wanted.removeprefix("bytes=").partition("-")
                begin, end = int(first), min(int(last or len(data) - 1), len(data) - 1)
                headers["Content-Range"] = f"bytes {begin}-{end}/{len(data)}"
                self.send(206, data[begin : end + 1], is_head, headers)

        def send(self, code: int, body: bytes, is_head: bool, headers: dict[str, str]) -> None:
            self.send_response(code)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            if not is_head:
                self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            pass

    def listing(bucket: Path, query: dict[str, list[str]]) -> bytes:
        prefix = query.get("prefix", [""])[0]
        keys = sorted(str(path.relative_to(bucket)) for path in bucket.rglob("*") if path.is_file())
        entries = "".join(
            f"<Contents><Key>{escape(key)}</Key><Size>{(bucket / key).stat().st_size}</Size>"
            f"<LastModified>2026-01-01T00:00:00.000Z</LastModified><ETag>1</ETag></Contents>"
            for key in keys
            if key.startswith(prefix)
        )
        return (
            f'<?xml version="1.0"?><ListBucketResult><Name>{bucket.name}</Name><Prefix>{escape(prefix)}</Prefix>'
            f"<KeyCount>{entries.count('<Key>')}</KeyCount><IsTruncated>false</IsTruncated>{entries}</ListBucketResult>"
        ).encode()

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
