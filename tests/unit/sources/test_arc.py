"""ARC files, plain and packed record by record, with addresses that hold blanks."""

import gzip
from datetime import UTC, datetime
from pathlib import Path

import pytest

from sitestrata.sources import find_sources, read_bodies

from .archives import index, index_bytes

ANSWER = b"HTTP/1.0 200 OK\r\nContent-Type: text/html; charset=latin1\r\n\r\n<html>"
HEAD = (
    b"filedesc://x.arc 0.0.0.0 20040102030405 text/plain 76\n"
    b"1 0 InternetArchive\nURL IP-address Archive-date Content-type Archive-length\n\n"
)
FIELDS_2 = (
    b"2 0 Alexa\n"
    b"URL IP-address Archive-date Content-type Result-code Checksum Location Offset Filename Archive-length\n"
)
HEAD_2 = b"filedesc://x.arc 0.0.0.0 20040102030405 text/plain 200 - - 0 x.arc %d\n%s\n" % (len(FIELDS_2), FIELDS_2)


def record(url: bytes, body: bytes = b"page", *, extra: bytes = b"", length: int | None = None) -> bytes:
    block = ANSWER + body
    size = len(block) if length is None else length
    return b"%s 192.0.2.1 20040102030405 text/html%s %d\n%s\n" % (url, extra, size, block)


RECORDS = [
    record(b"http://example.org/"),
    record(b"http://example.org/a b c?x=1 2", b"two"),
    record(b"http://example.org/3", b"three\n\n"),
]


@pytest.mark.parametrize("packed", [True, False])
def test_records_become_captures(tmp_path: Path, packed: bool) -> None:
    pack = gzip.compress if packed else bytes
    path = tmp_path / "x.arc"
    path.write_bytes(b"".join(pack(part) for part in (HEAD, *RECORDS)))

    captures, rejects = index(path)

    assert [] == rejects
    assert ["http://example.org/", "http://example.org/a%20b%20c?x=1%202", "http://example.org/3"] == [
        capture.url for capture in captures
    ]
    assert {(200, "text/html", "latin1", datetime(2004, 1, 2, 3, 4, 5, tzinfo=UTC))} == {
        (capture.status, capture.media_type, capture.charset, capture.fetched_at) for capture in captures
    }
    (source,) = find_sources([path])
    assert "arc" == source.kind
    assert [b"<html>page", b"<html>two", b"<html>three\n\n"] == [item[1] for item in read_bodies(source, captures)]


def test_version_2_has_more_words(tmp_path: Path) -> None:
    data = HEAD_2 + record(b"http://example.org/", extra=b" 200 abcd - 155 x.arc")

    captures, rejects = index_bytes(tmp_path, data)

    assert ([], "text/html") == (rejects, captures[0].media_type)


@pytest.mark.parametrize("packed", [True, False])
@pytest.mark.parametrize("error", [-7, 2, 60])
def test_a_wrong_length_loses_one_record(tmp_path: Path, error: int, packed: bool) -> None:
    pack = gzip.compress if packed else bytes
    bad = record(b"http://example.org/bad", length=len(ANSWER) + 4 + error)

    captures, rejects = index_bytes(tmp_path, b"".join(pack(part) for part in (HEAD, RECORDS[0], bad, *RECORDS[1:])))

    assert 3 == len(captures)
    assert 1 == len(rejects)


@pytest.mark.parametrize("packed", [True, False])
def test_every_cut_is_reported(tmp_path: Path, packed: bool) -> None:
    pack = gzip.compress if packed else bytes
    parts = [pack(part) for part in (HEAD, *RECORDS)]
    whole = b"".join(parts)
    borders = {sum(map(len, parts[:count])) for count in range(5)}
    for cut in range(len(parts[0]) + 1, len(whole)):
        captures, rejects = index_bytes(tmp_path, whole[:cut])
        whole_records = sum(border <= cut for border in sorted(borders)[2:])

        assert rejects or cut in borders, cut
        assert whole_records <= len(captures) <= whole_records + 1, cut
