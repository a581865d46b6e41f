"""A WARC becomes captures, and captures give their bodies back."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from sitestrata.model import Capture, Reject
from sitestrata.sources import find_sources, index_source, read_bodies

from .archives import Archive


def index(path: Path) -> tuple[list[Capture], list[Reject]]:
    (source,) = find_sources([path])
    rows = list(index_source(source))
    return [row for row in rows if isinstance(row, Capture)], [row for row in rows if isinstance(row, Reject)]


@pytest.mark.parametrize("gzip", [True, False])
@pytest.mark.parametrize("version", ["1.0", "1.1"])
def test_every_answer_becomes_a_capture(tmp_path: Path, gzip: bool, version: str) -> None:
    archive = Archive(gzip=gzip, version=version).add_info()
    archive.add("http://Example.org:80/a/../b#c", b"<html>one")
    archive.add("http://example.org/old", b"", status="301 Moved", headers=[("Location", "new#x")])
    archive.add("http://example.org/x", b"<p>two", kind="resource")
    path = tmp_path / "crawl.bin"
    path.write_bytes(archive.bytes())

    captures, rejects = index(path)

    assert [] == rejects
    assert [
        ("http://example.org/b", 200, "text/html", "utf-8", None, True, "response"),
        ("http://example.org/old", 301, "", None, "http://example.org/new", False, "response"),
        ("http://example.org/x", 200, "text/html", None, None, True, "resource"),
    ] == [(c.url, c.status, c.media_type, c.charset, c.location, c.is_html, c.record_type) for c in captures]
    assert archive.starts[1:] == [c.offset for c in captures]
    assert datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC) == captures[0].fetched_at


@pytest.mark.parametrize("gzip", [True, False])
def test_bodies_come_back_by_offset(tmp_path: Path, gzip: bool) -> None:
    archive = Archive(gzip=gzip)
    for number in range(5):
        archive.add(f"http://example.org/{number}", b"<html>%d" % number)
    path = tmp_path / "crawl.warc"
    path.write_bytes(archive.bytes())
    captures, _ = index(path)
    (source,) = find_sources([path])

    bodies = list(read_bodies(source, captures[::-2]))

    assert [(captures[i], b"<html>%d" % i) for i in (0, 2, 4)] == bodies
