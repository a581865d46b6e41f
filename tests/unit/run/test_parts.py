"""A file that is read in parts gives the very rows, rejects and digest of the file read by one process."""

import gzip
import random
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
import zstandard

from sitestrata.run.jobs import index_job, join_job, part_job
from sitestrata.run.manifest import Input
from sitestrata.sources import Limits, find_sources, index, index_source
from sitestrata.sources.parts import Border, Part, cut_source, parts_agree

SIZES = [700, 3001]


def no_tick(_position: int) -> None:
    pass


def record(kind: str, number: int, block: bytes, *more: str) -> bytes:
    lines = [
        "WARC/1.0",
        f"WARC-Type: {kind}",
        f"WARC-Record-ID: <urn:uuid:00000000-0000-0000-0000-{number:012d}>",
        f"WARC-Target-URI: http://a.example/{number // 2}",
        "WARC-Date: 2026-01-01T00:00:00Z",
        f"Content-Type: application/http; msgtype={kind}",
        f"Content-Length: {len(block)}",
        *more,
    ]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + block + b"\r\n\r\n"


def records(count: int = 24) -> list[bytes]:
    """Return requests, some of them POST, each before or after its answer; bodies hold bytes that look like records."""
    chance = random.Random(1)
    found = []
    for number in range(count):
        method = b"POST" if number % 3 == 0 else b"GET"
        request = record("request", 2 * number, method + b" / HTTP/1.1\r\nHost: a.example\r\n\r\n")
        body = b"<title>%d</title>" % number + chance.randbytes(chance.randrange(400))
        if number % 5 == 0:
            inner = record("response", 900 + number, b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\ninner")
            body += b"\r\n\r\n" + inner if number % 2 else gzip.compress(inner, mtime=0)
        block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + body
        answer = record("response", 2 * number + 1, block)
        found += [request, answer] if number % 2 else [answer, request]
    return found


def packed(found: list[bytes]) -> bytes:
    return b"".join(gzip.compress(one, mtime=0) for one in found)


def damaged(data: bytes) -> bytes:
    """Return data with two bytes changed and its last record cut."""
    changed = bytearray(data[:-40])
    for place in (len(data) // 3, 2 * len(data) // 3):
        changed[place] ^= 0x55
    return bytes(changed)


def segmented() -> list[bytes]:
    whole = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>" + b"x" * 500
    first = record("response", 700, whole[:300], "WARC-Segment-Number: 1")
    rest = record(
        "continuation",
        701,
        whole[300:],
        "WARC-Segment-Origin-ID: <urn:uuid:00000000-0000-0000-0000-000000000700>",
        "WARC-Segment-Number: 2",
        f"WARC-Segment-Total-Length: {len(whole)}",
    )
    some = records(12)
    return [*some[:8], first, *some[8:], rest]


def odd(count: int = 130) -> bytes:
    """Return answers that nothing closes: more than have a reject of their own."""
    block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>x"
    return packed([record("response", 2 * number + 1, block)[:-4] for number in range(count)])


def stored_member() -> bytes:
    """Return a file with a page that is a packed WARC, in a member that does not compress: its bytes lie open."""
    inner = packed(records(6))
    outer = record("response", 801, b"HTTP/1.1 200 OK\r\nContent-Type: application/gzip\r\n\r\n" + inner)
    return packed(records(3)) + gzip.compress(outer, compresslevel=0, mtime=0) + packed(records(4))


FILES = {
    "packed.warc.gz": packed(records()),
    "plain.warc": b"".join(records()),
    "frames.warc.zst": b"".join(zstandard.compress(one) for one in records()),
    "solid.warc.gz": gzip.compress(b"".join(records()), mtime=0),
    "damaged.warc.gz": damaged(packed(records())),
    "damaged.warc": damaged(b"".join(records())),
    "segmented.warc.gz": packed(segmented()),
    "odd.warc.gz": odd(),
    "stored.warc.gz": stored_member(),
}


def content(folder: Path) -> dict[str, list[dict[str, Any]]]:
    return {path.parent.name: pq.read_table(path).to_pylist() for path in sorted(folder.glob("*/*.parquet"))}


@pytest.mark.parametrize("before", [0, 900])
@pytest.mark.parametrize("name", FILES)
def test_parts_are_what_one_reader_reads(
    name: str, before: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(index, "_BEFORE", before)
    path = tmp_path / name
    path.write_bytes(FILES[name])
    (source,) = find_sources([path])
    item = Input(source, path.stat().st_size, path.stat().st_mtime_ns)
    digest = index_job(index_source, item, Limits(), tmp_path / "whole", no_tick)
    expected = content(tmp_path / "whole")
    assert expected

    for size in SIZES:
        parts = cut_source(source, size)
        folder = tmp_path / str(size)
        assert ("solid" in name) == (not parts)
        if not parts:
            continue
        outcomes = [part_job(index_source, item, part, Limits(), folder, no_tick) for part in reversed(parts)][::-1]
        assert digest == join_job(index_source, item, parts, outcomes, Limits(), folder, no_tick)
        assert expected == content(folder)


@pytest.mark.parametrize("name", ["packed.warc.gz", "plain.warc", "frames.warc.zst", "odd.warc.gz"])
def test_parts_of_a_sound_file_fit(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(FILES[name])
    (source,) = find_sources([path])
    parts = cut_source(source, 500)
    borders = []
    for part in parts:
        borders.append(Border())
        list(index_source(source, Limits(), part=part, border=borders[-1]))

    assert len(parts) > 5
    assert parts_agree(parts, borders)


def test_a_request_that_one_part_saw_and_the_next_did_not_is_no_fit() -> None:
    parts = [Part(0, 10), Part(10, 20)]
    one = Border(first=0, last=5, following=12, asks_last=True)

    assert parts_agree(parts, [one, Border(before=5, asks_before=True, first=12, last=12)])
    assert not parts_agree(parts, [one, Border(first=12, last=12)])
    assert not parts_agree(parts, [one, Border(before=5, asks_before=True, first=15, last=15)])


def test_what_was_read_again_in_all_parts_counts_together() -> None:
    parts = [Part(0, 10), Part(10, 20)]
    borders = [Border(first=0, last=0, following=12, reread=3 << 30), Border(before=0, first=12, reread=3 << 30)]

    assert not parts_agree(parts, borders)


def test_a_part_that_failed_makes_the_file_be_read_anew(tmp_path: Path) -> None:
    path = tmp_path / "a.warc.gz"
    path.write_bytes(FILES["packed.warc.gz"])
    (source,) = find_sources([path])
    item = Input(source, path.stat().st_size, path.stat().st_mtime_ns)
    parts = cut_source(source, 2000)

    found = join_job(index_source, item, parts, [None] * len(parts), Limits(), tmp_path / "parts", no_tick)

    assert index_job(index_source, item, Limits(), tmp_path / "whole", no_tick) == found
