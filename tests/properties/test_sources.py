"""Whatever bytes come in, reading ends, says what it could not use, and gives back what was written."""

import gzip
import io
import tempfile
import zlib
from hashlib import blake2b
from pathlib import Path

import brotli
import zstandard
from hypothesis import example, given, settings
from hypothesis import strategies as st
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from sitestrata.model import Capture, Reject
from sitestrata.sources import Limits, find_sources, index_source, read_bodies
from sitestrata.sources.codings import TooLargeError, UnknownCodingError, dechunk, undo_codings
from sitestrata.sources.sniff import is_html, parse_media_type
from sitestrata.sources.wacz import is_unsafe

PACK = {
    b"gzip": gzip.compress,
    b"deflate": zlib.compress,
    b"br": brotli.compress,
    b"zstd": zstandard.compress,
}
LIMIT = 1 << 20


def index(data: bytes) -> tuple[list[Capture], list[Reject], list[object]]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "x"
        path.write_bytes(data)
        captures, rejects, bodies = [], [], []
        for source in find_sources([path], base_url="http://example.org/", spool=folder, limits=Limits(max_body=LIMIT)):
            mine = []
            for row in index_source(source, Limits(max_body=LIMIT)):
                (mine if isinstance(row, Capture) else rejects).append(row)
            if source.kind != "unusable":
                bodies += read_bodies(source, [c for c in mine if c.digest], Limits(max_body=LIMIT))
            captures += mine
    return captures, rejects, bodies


@given(body=st.binary(max_size=3000), codings=st.lists(st.sampled_from(sorted(PACK)), max_size=4))
def test_codings_are_undone_in_reverse_order(body: bytes, codings: list[bytes]) -> None:
    packed = body
    for coding in codings:
        packed = PACK[coding](packed)

    assert (body, True) == undo_codings(packed, codings, limit=LIMIT, max_codings=5)


@given(raw=st.binary(max_size=300), codings=st.lists(st.sampled_from([*sorted(PACK), b"x", b"chunked"]), max_size=3))
def test_no_bytes_make_a_coding_fail_in_another_way_than_it_says(raw: bytes, codings: list[bytes]) -> None:
    try:
        body, _ = undo_codings(raw, codings, limit=200, max_codings=5)
    except (TooLargeError, UnknownCodingError):
        return
    assert len(body) <= 200


@given(body=st.binary(max_size=500), coding=st.sampled_from(sorted(PACK)), data=st.data())
def test_a_cut_body_gives_a_beginning_of_the_page_or_a_complaint(
    body: bytes, coding: bytes, data: st.DataObject
) -> None:
    packed = PACK[coding](body)
    cut = data.draw(st.integers(1, max(1, len(packed) - 1)))
    try:
        found, is_whole = undo_codings(packed[:cut], [coding], limit=LIMIT, max_codings=5)
    except UnknownCodingError:
        return
    assert body.startswith(found) or found == packed[:cut]
    assert not is_whole or found == body or coding in (b"zstd", b"deflate")


@given(parts=st.lists(st.binary(min_size=1, max_size=50), max_size=8), tail=st.binary(max_size=20))
def test_chunks_are_joined(parts: list[bytes], tail: bytes) -> None:
    chunks = b"".join(b"%X\r\n%s\r\n" % (len(part), part) for part in parts) + b"0\r\n\r\n" + tail

    assert (b"".join(parts), True) == dechunk(chunks)


@given(st.binary(max_size=200))
def test_what_is_not_chunked_is_not_lost(raw: bytes) -> None:
    joined, _ = dechunk(raw)

    assert len(joined) <= len(raw)


@settings(max_examples=60, deadline=None)
@given(
    bodies=st.lists(st.binary(max_size=400), min_size=1, max_size=5),
    packed=st.booleans(),
    coding=st.sampled_from([None, *sorted(PACK)]),
)
def test_what_warcio_writes_is_read_back(bodies: list[bytes], packed: bool, coding: bytes | None) -> None:
    stream = io.BytesIO()
    writer = WARCWriter(stream, gzip=packed)
    for number, body in enumerate(bodies):
        headers = [("Content-Type", "text/html")]
        if coding is not None:
            headers.append(("Content-Encoding", coding.decode()))
        record = writer.create_warc_record(
            f"http://example.org/{number}",
            "response",
            payload=io.BytesIO(PACK[coding](body) if coding else body),
            http_headers=StatusAndHeaders("200 OK", headers, protocol="HTTP/1.1"),
        )
        writer.write_record(record)

    captures, rejects, found = index(stream.getvalue())

    assert [] == rejects
    assert [blake2b(body, digest_size=16).hexdigest() for body in bodies] == [capture.digest for capture in captures]
    assert bodies == [item[1] for item in found if isinstance(item, tuple)]


def _small_warc() -> bytes:
    stream = io.BytesIO()
    writer = WARCWriter(stream, gzip=False)
    for number in range(3):
        http = StatusAndHeaders("200 OK", [("Content-Type", "text/html")], protocol="HTTP/1.1")
        body = io.BytesIO(b"<html>page %d" % number)
        writer.write_record(
            writer.create_warc_record(f"http://e.org/{number}", "response", payload=body, http_headers=http)
        )
    return stream.getvalue()


WARC = _small_warc()
START = st.sampled_from(
    [b"", b"WARC/1.0\r\n", b"PK\x03\x04", b"\x1f\x8b\x08\x00", b"\x28\xb5\x2f\xfd", b"<html>", b"filedesc://x "]
)


@settings(max_examples=100, deadline=None)
@given(start=START, data=st.binary(max_size=600))
@example(start=b"", data=WARC)
def test_no_file_whatever_makes_reading_fail(start: bytes, data: bytes) -> None:
    captures, rejects, _ = index(start + data)

    assert captures or rejects
    for row in (*captures, *rejects):
        str(row).encode()  # nothing that a table cannot hold


@settings(max_examples=100, deadline=None)
@given(data=st.data())
def test_no_edit_of_a_warc_makes_reading_fail_or_go_unnoticed(data: st.DataObject) -> None:
    """Bytes are cut out and put in at any place, in any packing."""
    start = data.draw(st.integers(0, len(WARC)))
    end = data.draw(st.integers(start, min(len(WARC), start + 60)))
    edited = WARC[:start] + data.draw(st.binary(max_size=60)) + WARC[end:]
    pack = data.draw(st.sampled_from([bytes, gzip.compress, zstandard.compress]))

    captures, rejects, bodies = index(pack(edited))

    pages = {b"<html>page %d" % number for number in range(3)}
    assert {item[1] for item in bodies if isinstance(item, tuple)} <= pages
    # What is packed anew after the edit has a good checksum, and a kind of record that nobody knows is passed over.
    assert rejects or len(captures) == 3 or pack is not bytes


@given(media_type=st.sampled_from(["text/html", "", "text/xml", "x/y"]), body=st.binary(max_size=2000))
def test_sniffing_takes_any_bytes(media_type: str, body: bytes) -> None:
    assert is_html(media_type, body) in (True, False)


@given(st.lists(st.binary(max_size=60), max_size=3))
def test_media_types_are_plain(values: list[bytes]) -> None:
    media_type, charset = parse_media_type(tuple(values))

    assert media_type.isascii()
    assert charset is None or charset.strip() == charset != ""


@given(st.text(max_size=30))
def test_a_name_with_a_step_up_is_unsafe(name: str) -> None:
    steps = name.replace("\\", "/").split("/")

    assert is_unsafe(name) or (".." not in steps and not name.startswith(("/", "\\")))
