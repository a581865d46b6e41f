"""A WARC becomes captures, and captures give their bodies back."""

import gzip
import io
import shutil
import tarfile
import zlib
from datetime import UTC, datetime
from hashlib import blake2b
from pathlib import Path

import brotli
import pytest
import zstandard
from warcio.statusandheaders import StatusAndHeaders

from sitestrata.errors import SourceError
from sitestrata.model import Capture, Reject
from sitestrata.sources import Limits, find_sources, index_source, read_bodies

from .archives import Archive, as_zstd, index, index_bytes, pages

PAGE = b"<!doctype html><html><title>t</title>" + b"<p>some words, again and again</p>" * 40


def chunked(body: bytes, size: int = 100) -> bytes:
    parts = [body[at : at + size] for at in range(0, len(body), size)]
    return b"".join(b"%x;x=y\r\n%s\r\n" % (len(part), part) for part in parts) + b"0\r\n\r\n"


def raw_deflate(body: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-15)
    return packer.compress(body) + packer.flush()


@pytest.mark.parametrize("packed", [True, False])
@pytest.mark.parametrize("version", ["1.0", "1.1"])
def test_every_answer_becomes_a_capture(tmp_path: Path, packed: bool, version: str) -> None:
    archive = Archive(gzip=packed, version=version).add_info()
    archive.add("http://Example.org:80/a/../b#c", b"<html>one")
    archive.add("http://example.org/old", b"", status="301 Moved", headers=[("Location", "new#x")])
    archive.add("http://example.org/x", b"<p>two", kind="resource")

    captures, rejects = index_bytes(tmp_path, archive.bytes())

    assert [] == rejects
    assert [
        ("http://example.org/b", 200, "text/html", "utf-8", None, True, "response"),
        ("http://example.org/old", 301, "", None, "http://example.org/new", False, "response"),
        ("http://example.org/x", 200, "text/html", None, None, True, "resource"),
    ] == [(c.url, c.status, c.media_type, c.charset, c.location, c.is_html, c.record_type) for c in captures]
    assert archive.starts[1:] == [c.offset for c in captures]
    assert [len(piece) for piece in archive.pieces()[1:]] == [c.length for c in captures]
    assert datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC) == captures[0].fetched_at
    assert (9, blake2b(b"<html>one", digest_size=16).hexdigest()) == (captures[0].size, captures[0].digest)


@pytest.mark.parametrize("kind", ["gzip", "plain", "zstd", "solid gzip", "solid zstd", "blocks of 1000 bytes"])
def test_bodies_come_back_by_offset(tmp_path: Path, kind: str) -> None:
    plain = pages(9, gzip=False)
    data = {
        "gzip": lambda: pages(9).bytes(),
        "plain": plain.bytes,
        "zstd": lambda: as_zstd(plain, checksum=False)[0],
        "solid gzip": lambda: gzip.compress(plain.bytes()),
        "solid zstd": lambda: zstandard.compress(plain.bytes()),
        "blocks of 1000 bytes": lambda: b"".join(
            gzip.compress(plain.bytes()[at : at + 1000]) for at in range(0, len(plain.bytes()), 1000)
        ),
    }[kind]()
    path = tmp_path / "crawl"
    path.write_bytes(data)
    captures, rejects = index(path)
    (source,) = find_sources([path])

    bodies = list(read_bodies(source, captures[::-1]))

    assert [] == rejects
    assert 11 == len(captures)
    assert captures == [item[0] for item in bodies if isinstance(item, tuple)]
    for capture, body in (item for item in bodies if isinstance(item, tuple)):
        assert capture.digest == blake2b(body, digest_size=16).hexdigest()
        assert capture.status == 301 or capture.url.rpartition("/")[2].encode() in body


def test_a_zstd_file_may_start_with_a_dictionary(tmp_path: Path) -> None:
    plain = pages(30, gzip=False)
    dictionary = zstandard.train_dictionary(2048, plain.pieces() * 4)
    packer = zstandard.ZstdCompressor(dict_data=dictionary)
    head = zstandard.compress(dictionary.as_bytes())
    data = b"\x5d\x2a\x4d\x18" + len(head).to_bytes(4, "little") + head
    data += b"".join(packer.compress(piece) for piece in plain.pieces())

    captures, rejects = index_bytes(tmp_path, data)

    assert (37, []) == (len(captures), rejects)


@pytest.mark.parametrize("kind", ["gzip", "plain", "zstd", "solid gzip"])
@pytest.mark.parametrize("size", [1 << 20, 3_500_000])
def test_records_larger_than_a_buffer_are_read_like_others(tmp_path: Path, size: int, kind: str) -> None:
    archive = Archive(gzip=kind == "gzip")
    for number in range(4):
        archive.add(f"http://example.org/{number}", b"<html>%d" % number + b"x" * (size * (number % 2)))
    data = {
        "gzip": archive.bytes,
        "plain": archive.bytes,
        "zstd": lambda: as_zstd(archive, checksum=True)[0],
        "solid gzip": lambda: gzip.compress(archive.bytes()),
    }[kind]()

    captures, rejects = index_bytes(tmp_path, data)

    assert [] == rejects
    assert [7, size + 7, 7, size + 7] == [capture.size for capture in captures]


ENCODINGS = {
    "gzip": gzip.compress,
    "x-gzip": gzip.compress,
    "deflate": zlib.compress,
    "Deflate": raw_deflate,
    "br": brotli.compress,
    "zstd": zstandard.compress,
    "gzip, br": lambda body: brotli.compress(gzip.compress(body)),
    "deflate, gzip, zstd": lambda body: zstandard.compress(gzip.compress(raw_deflate(body))),
    "identity": lambda body: body,
    "gzip ": lambda body: gzip.compress(body[:50]) + gzip.compress(body[50:]),
    # What servers and crawlers say although it is not so.
    "br ": lambda body: body,
    "utf-8": lambda body: body,
    "GZIP": lambda body: body,
}


@pytest.mark.parametrize("is_chunked", [True, False])
@pytest.mark.parametrize("encoding", ENCODINGS)
def test_bodies_are_decoded_whatever_the_headers_say(tmp_path: Path, encoding: str, is_chunked: bool) -> None:
    body = ENCODINGS[encoding](PAGE)
    headers = [("Content-Type", "text/html"), ("Content-Encoding", encoding)]
    archive = Archive()
    archive.add("http://example.org/", chunked(body), headers=[*headers, ("Transfer-Encoding", "chunked")])
    # Common Crawl and Browsertrix store the joined chunks under the header of the chunked answer.
    archive.add("http://example.org/joined", body, headers=[*headers, ("Transfer-Encoding", "chunked")])
    archive.add("http://example.org/plain", body, headers=headers)

    captures, rejects = index_bytes(tmp_path, archive.bytes())

    assert [] == rejects
    assert [len(PAGE)] * 3 == [capture.size for capture in captures]
    assert {blake2b(PAGE, digest_size=16).hexdigest()} == {capture.digest for capture in captures}


def test_what_came_before_the_connection_broke_is_used(tmp_path: Path) -> None:
    packed = gzip.compress(PAGE * 50)
    headers = [("Content-Type", "text/html"), ("Content-Encoding", "gzip"), ("Transfer-Encoding", "chunked")]
    archive = Archive().add("http://example.org/", chunked(packed)[: len(packed) // 2], headers=headers)

    (capture,), rejects = index_bytes(tmp_path, archive.bytes())

    assert [] == rejects
    assert 200 < capture.size < len(PAGE) * 50


def test_fields_of_the_answer_are_kept(tmp_path: Path) -> None:
    headers = [
        ("Content-Type", "image/png"),
        ("content-TYPE", 'Text/HTML; Charset="ISO-8859-15"'),
        ("X-Robots-Tag", "noindex"),
        ("X-Robots-Tag", "nofollow"),
        ("Location", "//other.example/ü"),
    ]
    archive = Archive().add("https://example.org/", PAGE, headers=headers, status="302 ")

    (capture,), _ = index_bytes(tmp_path, archive.bytes())

    assert ("text/html", "iso-8859-15") == (capture.media_type, capture.charset)
    assert "noindex, nofollow" == capture.robots
    assert "https://other.example/%C3%BC" == capture.location
    assert 302 == capture.status


def test_records_that_are_no_answers_are_passed_over(tmp_path: Path) -> None:
    archive = Archive().add_info()
    archive.add("http://example.org/", b"GET / HTTP/1.1\r\n\r\n", kind="request")
    archive.add("dns:example.org", b"192.0.2.1", kind="resource")
    archive.add("urn:pageinfo:http://example.org/", b"{}", kind="resource")
    archive.add("metadata://gnu.org/wget", b"x", kind="metadata")

    assert ([], []) == index_bytes(tmp_path, archive.bytes())


@pytest.mark.parametrize("is_request_first", [True, False])
def test_what_a_form_was_answered_is_not_the_page(tmp_path: Path, is_request_first: bool) -> None:
    archive = Archive()
    for number, method in enumerate(["GET", "POST", "HEAD", "GET"]):
        answer = {"WARC-Record-ID": f"<urn:uuid:00000000-0000-0000-0000-00000000000{number}>"}
        if not is_request_first:
            archive.add("http://example.org/", b"<html>%d" % number, warc=answer)
        line = f"{method} / HTTP/1.1"
        record = archive.writer.create_warc_record(
            "http://example.org/",
            "request",
            payload=io.BytesIO(b"a=b"),
            http_headers=StatusAndHeaders(line, [("Host", "example.org")], is_http_request=True),
            warc_headers_dict={"WARC-Concurrent-To": answer["WARC-Record-ID"]},
        )
        archive.writer.write_record(record)
        if is_request_first:
            archive.add("http://example.org/", b"<html>%d" % number, warc=answer)

    captures, rejects = index_bytes(tmp_path, archive.bytes())

    assert ["not-a-get", "not-a-get"] == [reject.reason for reject in rejects]
    assert [blake2b(b"<html>%d" % number, digest_size=16).hexdigest() for number in (0, 3)] == [
        capture.digest for capture in captures
    ]


def test_addresses_that_are_none_are_rejects(tmp_path: Path) -> None:
    archive = Archive()
    for url in (
        "http://[::1/",
        "http://exa mple.org/",
        "ftp_//example.org/",
        "hdtp://example.org/",
        "http://ok.example/",
    ):
        archive.add(url)

    captures, rejects = index_bytes(tmp_path, archive.bytes())

    assert ["http://ok.example/"] == [capture.url for capture in captures]
    assert ["bad-url"] * 4 == [reject.reason for reject in rejects]


def test_brackets_of_wget_are_taken_off(tmp_path: Path) -> None:
    archive = Archive().add("<http://example.org/>")

    assert ["http://example.org/"] == [capture.url for capture in index_bytes(tmp_path, archive.bytes())[0]]


def record(block: bytes, *, length: int | None = None, extra: bytes = b"", kind: bytes = b"response") -> bytes:
    return (
        b"WARC/1.0\r\nWARC-Type: " + kind + b"\r\nWARC-Record-ID: <urn:uuid:00000000-0000-0000-0000-000000000001>\r\n"
        b"WARC-Date: 2020-01-01T00:00:00Z\r\nWARC-Target-URI: http://example.org/\r\n"
        b"Content-Type: application/http; msgtype=response\r\n" + extra + b"Content-Length: "
        b"%d\r\n\r\n%s\r\n\r\n" % (len(block) if length is None else length, block)
    )


ANSWER = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<html>page"


@pytest.mark.parametrize("packed", [True, False])
@pytest.mark.parametrize("error", [-9, -1, 5, 9, 500])
def test_a_wrong_content_length_is_reported(tmp_path: Path, error: int, packed: bool) -> None:
    good = record(ANSWER)
    bad = record(ANSWER, length=len(ANSWER) + error)
    pack = gzip.compress if packed else bytes

    captures, rejects = index_bytes(tmp_path, pack(good) + pack(bad) + pack(good))

    assert 2 == len(captures)
    assert [len(pack(good))] == [int(reject.input.rpartition("@")[2]) for reject in rejects]
    assert rejects[0].reason in ("length-mismatch", "truncated-record")


@pytest.mark.parametrize("packed", [True, False])
@pytest.mark.parametrize("error", [1, 2, 3, 4])
def test_a_content_length_that_swallows_line_ends_is_reported_and_used(
    tmp_path: Path, error: int, packed: bool
) -> None:
    good = record(ANSWER)
    bad = record(ANSWER, length=len(ANSWER) + error)
    pack = gzip.compress if packed else bytes

    captures, rejects = index_bytes(tmp_path, pack(good) + pack(bad) + pack(good))

    assert [10, 10 + error, 10] == [capture.size for capture in captures]
    assert [("length-mismatch", len(pack(good)))] == [(r.reason, int(r.input.rpartition("@")[2])) for r in rejects]


@pytest.mark.parametrize(
    ("claim", "is_right"),
    [
        (b"WARC-Block-Digest: sha1:QWERTYUIOPASDFGHJKLZXCVBNMQWERTY", False),
        (b"WARC-Payload-Digest: md5:00000000000000000000000000000000", False),
        (b"WARC-Block-Digest: sha256:" + b"0" * 64, False),
        (b"WARC-Block-Digest: sha1:13C2VYOHOGQYFK4YYWN6PU4AVZHYHKKX", True),
        (b"WARC-Payload-Digest: blake3:00", True),
    ],
)
def test_digests_are_compared(tmp_path: Path, claim: bytes, is_right: bool) -> None:
    data = record(ANSWER, extra=claim + b"\r\n")
    if b"13C2" in claim:
        import base64
        import hashlib

        data = data.replace(b"13C2VYOHOGQYFK4YYWN6PU4AVZHYHKKX", base64.b32encode(hashlib.sha1(ANSWER).digest()))

    captures, rejects = index_bytes(tmp_path, data)

    assert (1, []) == (len(captures), rejects) if is_right else ([], 1) == (captures, len(rejects))
    assert is_right or "bad-digest" == rejects[0].reason


@pytest.mark.parametrize("payload", ["as sent", "without chunks", "unpacked"])
def test_a_payload_digest_may_be_of_the_body_as_sent_joined_or_unpacked(tmp_path: Path, payload: str) -> None:
    import hashlib

    packed = gzip.compress(PAGE)
    sent = chunked(packed)
    block = b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n" + sent
    digest = hashlib.sha1({"as sent": sent, "without chunks": packed, "unpacked": PAGE}[payload]).hexdigest()

    captures, rejects = index_bytes(tmp_path, record(block, extra=f"WARC-Payload-Digest: sha1:{digest}\r\n".encode()))

    assert (1, []) == (len(captures), rejects)


def test_a_writer_who_is_wrong_about_a_sound_payload_costs_no_page(tmp_path: Path) -> None:
    data = gzip.compress(record(ANSWER, extra=b"WARC-Payload-Digest: md5:" + b"0" * 32 + b"\r\n"))

    captures, rejects = index_bytes(tmp_path, data)

    assert 1 == len(captures)
    assert ["wrong-payload-digest"] == [reject.reason for reject in rejects]


def test_heads_written_as_text_are_read(tmp_path: Path) -> None:
    for end in (b"\n", b"\r\r\n"):
        captures, rejects = index_bytes(
            tmp_path, record(ANSWER).replace(b"\r\n", end).replace(b"Length: 5", b"Length: 6")
        )

        assert 1 == len(captures) + len(rejects)  # the length counts the line ends of before
        head, _, _ = record(ANSWER).partition(b"HTTP/1.1")
        captures, rejects = index_bytes(tmp_path, head.replace(b"\r\n", end) + ANSWER + b"\r\n\r\n")

        assert (1, []) == (len(captures), rejects)


def test_several_records_in_one_member_are_all_read(tmp_path: Path) -> None:
    one, other = record(ANSWER), record(ANSWER.replace(b"page", b"other page"))
    path = tmp_path / "crawl"
    path.write_bytes(gzip.compress(one) + gzip.compress(one + other) + gzip.compress(one))
    captures, rejects = index(path)
    (source,) = find_sources([path])

    assert [] == rejects
    assert [10, 10, 16, 10] == [capture.size for capture in captures]
    assert all(isinstance(item, tuple) for item in read_bodies(source, captures))


class TestLimits:
    """What is too large is reported without being held."""

    LIMITS = Limits(max_body=100_000, max_header=10_000, max_record=1_000_000)

    def test_a_page_above_the_limit_is_a_reject(self, tmp_path: Path) -> None:
        archive = Archive().add("http://example.org/", b"<html>" + b"x" * 100_000).add("http://example.org/2")

        captures, rejects = index_bytes(tmp_path, archive.bytes(), self.LIMITS)

        assert ["http://example.org/2"] == [capture.url for capture in captures]
        assert ["too-large"] == [reject.reason for reject in rejects]

    def test_other_files_above_the_limit_keep_type_and_size(self, tmp_path: Path) -> None:
        archive = Archive().add("http://example.org/v", b"\x00" * 500_000, headers=[("Content-Type", "video/mp4")])

        (capture,), rejects = index_bytes(tmp_path, archive.bytes(), self.LIMITS)

        assert [] == rejects
        assert ("video/mp4", 500_000, "", False) == (capture.media_type, capture.size, capture.digest, capture.is_html)

    @pytest.mark.parametrize("encoding", ["gzip", "deflate", "br", "zstd", "gzip, gzip"])
    def test_bombs_in_bodies_are_stopped(self, tmp_path: Path, encoding: str) -> None:
        bomb = b"\x00" * 50_000_000
        for name in encoding.split(", "):
            bomb = ENCODINGS[name](bomb)
        archive = Archive().add("http://example.org/", bomb, headers=[("Content-Encoding", encoding)])

        captures, rejects = index_bytes(tmp_path, archive.bytes(), self.LIMITS)

        assert [] == captures
        assert ["too-large"] == [reject.reason for reject in rejects]

    def test_bombs_in_members_are_stopped(self, tmp_path: Path) -> None:
        good = gzip.compress(record(ANSWER))
        bomb = gzip.compress(record(b"\x00" * 20_000_000))

        captures, rejects = index_bytes(tmp_path, good + bomb + good, self.LIMITS)

        assert 2 == len(captures)
        assert ["too-large"] == [reject.reason for reject in rejects]

    @pytest.mark.parametrize("packed", [True, False])
    def test_endless_heads_are_stopped(self, tmp_path: Path, packed: bool) -> None:
        pack = gzip.compress if packed else bytes
        good = record(ANSWER)
        long = good.replace(b"WARC-Date", b"X-Long: " + b"y" * 50_000 + b"\r\nWARC-Date")

        captures, rejects = index_bytes(tmp_path, pack(good) + pack(long) + pack(good), self.LIMITS)

        assert 2 == len(captures)
        assert ["bad-header"] == [reject.reason for reject in rejects]

    def test_endless_heads_of_answers_are_stopped(self, tmp_path: Path) -> None:
        archive = Archive().add("http://example.org/", headers=[("X-Long", "y" * 50_000)])

        captures, rejects = index_bytes(tmp_path, archive.bytes(), self.LIMITS)

        assert ([], ["bad-http"]) == (captures, [reject.reason for reject in rejects])

    def test_towers_of_codings_are_refused(self, tmp_path: Path) -> None:
        body = PAGE
        for _ in range(6):
            body = gzip.compress(body)
        archive = Archive().add("http://example.org/", body, headers=[("Content-Encoding", ", ".join(["gzip"] * 6))])

        _, rejects = index_bytes(tmp_path, archive.bytes())

        assert ["bad-encoding"] == [reject.reason for reject in rejects]


def test_null_bytes_change_nothing(tmp_path: Path) -> None:
    archive = Archive().add("http://example.org/", b"\x00<html>\x00a" * 10).add("http://example.org/\x00b")

    captures, rejects = index_bytes(tmp_path, archive.bytes())

    assert (2, []) == (len(captures), rejects)
    assert all("\x00" not in str(capture) for capture in captures)


@pytest.mark.parametrize(
    ("name", "data", "reason"),
    [
        ("empty.warc.gz", b"", "empty-file"),
        ("picture.warc.gz", b"\x89PNG\r\n\x1a\n" + b"\x00" * 100, "unknown-type"),
        ("text.warc", b"This is no WARC.\n" * 10, "unknown-type"),
        ("other.warc.gz", gzip.compress(b"This is no WARC.\n" * 10), "unknown-type"),
        ("half.wacz", b"PK\x03\x04\x14\x00", "no-archive-inside"),
        ("zeros.warc.gz", b"\x00" * 5000, "unknown-type"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_files_of_no_use_are_one_reject(tmp_path: Path, name: str, data: bytes, reason: str) -> None:
    (tmp_path / name).write_bytes(data)

    captures, rejects = index(tmp_path / name)

    assert [] == captures
    assert reason in [reject.reason for reject in rejects]


def test_the_name_of_a_file_is_not_asked(tmp_path: Path) -> None:
    shutil.copyfile(_written(tmp_path / "a", pages(3).bytes()), tmp_path / "picture.png")

    assert 3 == len(index(tmp_path / "picture.png")[0])


def test_a_tar_of_warcs_is_read_through(tmp_path: Path) -> None:
    data = pages(5).bytes()
    with tarfile.open(tmp_path / "mega.tar", "w") as tar:
        info = tarfile.TarInfo("a.warc.gz")
        info.size = len(data)
        tar.addfile(info, io.BytesIO(data))

    captures, rejects = index(tmp_path / "mega.tar")

    assert 6 == len(captures)
    assert rejects


def test_an_unreadable_file_is_one_reject(tmp_path: Path) -> None:
    path = _written(tmp_path / "a.warc.gz", pages(3).bytes())
    (source,) = find_sources([path])
    path.unlink()

    (reject,) = list(index_source(source))

    assert isinstance(reject, Reject)
    assert "unreadable" == reject.reason


def test_a_disk_error_is_a_reject_at_its_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = _written(tmp_path / "a.warc.gz", pages(3).bytes())
    (source,) = find_sources([path])

    def fail(*_: object) -> bytes:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr("os.pread", fail)

    (reject,) = list(index_source(source))

    assert isinstance(reject, Reject)
    assert ("unreadable", "The file cannot be read any further (Input/output error).") == (reject.reason, reject.detail)


class TestReadingBack:
    """Bodies stay where they are; when the file is not what it was, we say so."""

    def test_a_moved_file_names_the_option_that_helps(self, tmp_path: Path) -> None:
        (tmp_path / "old").mkdir()
        path = _written(tmp_path / "old" / "a.warc.gz", pages(3).bytes())
        captures, _ = index(path)
        (source,) = find_sources([path])
        (tmp_path / "old").rename(tmp_path / "new")

        with pytest.raises(SourceError, match=r"--relocate .*/old=NEW_FOLDER"):
            list(read_bodies(source, captures))

        found = list(read_bodies(source, captures, relocate={f"{tmp_path}/old": f"{tmp_path}/new"}))
        assert 3 == sum(isinstance(item, tuple) for item in found)

    def test_a_changed_file_is_a_reject_for_each_body(self, tmp_path: Path) -> None:
        path = _written(tmp_path / "a.warc.gz", Archive().add("http://example.org/", b"<html>one").bytes())
        captures, _ = index(path)
        (source,) = find_sources([path])
        path.write_bytes(Archive().add("http://example.org/", b"<html>two").bytes())

        (reject,) = list(read_bodies(source, captures))

        assert isinstance(reject, Reject)
        assert "changed" == reject.reason

    def test_a_cut_file_gives_what_is_left(self, tmp_path: Path) -> None:
        whole = pages(9).bytes()
        path = _written(tmp_path / "a.warc.gz", whole)
        captures, _ = index(path)
        (source,) = find_sources([path])
        path.write_bytes(whole[: len(whole) // 2])

        found = list(read_bodies(source, captures))

        assert 11 == len(found)
        assert 2 < sum(isinstance(item, tuple) for item in found) < 11


def _written(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path


def test_captures_are_equal_on_every_reading(tmp_path: Path) -> None:
    path = _written(tmp_path / "a.warc.gz", pages(9).bytes())

    assert index(path) == index(path)
    assert all(isinstance(capture, Capture) for capture in index(path)[0])
