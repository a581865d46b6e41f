"""Answers that a writer spread over several records (ISO 28500, record segmentation)."""

import gzip
import hashlib
import itertools
import random
from pathlib import Path

import pytest

from sitestrata.model import Capture, Reject
from sitestrata.sources import Limits, find_sources, index_source, read_bodies
from sitestrata.sources.continuations import MOST_OPEN

BODY = b"<html><title>long</title>" + b"".join(b"<p>paragraph %d" % number for number in range(300))
ANSWER = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + BODY


def record(kind: str, number: int, block: bytes, **fields: object) -> bytes:
    named = {
        "WARC-Type": kind,
        "WARC-Record-ID": f"<urn:uuid:00000000-0000-4000-8000-{number:012d}>",
        "WARC-Date": "2026-01-02T03:04:05Z",
        "WARC-Target-URI": "http://example.org/long",
        "Content-Type": "application/http; msgtype=response",
        **{name.replace("_", "-"): value for name, value in fields.items()},
        "Content-Length": len(block),
    }
    head = "".join(f"{name}: {value}\r\n" for name, value in named.items())
    return b"WARC/1.1\r\n" + head.encode() + b"\r\n" + block + b"\r\n\r\n"


def parts(sizes: tuple[int, ...] = (1000, 700), *, first: int = 1) -> list[bytes]:
    """Cut the answer at these sizes, the rest last."""
    edges = [0, *itertools.accumulate(sizes), len(ANSWER)]
    blocks = [ANSWER[start:end] for start, end in itertools.pairwise(edges)]
    payload = "sha1:" + hashlib.sha1(BODY, usedforsecurity=False).hexdigest()
    origin = f"<urn:uuid:00000000-0000-4000-8000-{first:012d}>"
    made = [record("response", first, blocks[0], WARC_Segment_Number=1, WARC_Payload_Digest=payload)]
    for number, block in enumerate(blocks[1:], 2):
        total = {"WARC_Segment_Total_Length": len(ANSWER)} if number == len(blocks) else {}
        made.append(
            record(
                "continuation",
                first + number,
                block,
                WARC_Segment_Number=number,
                WARC_Segment_Origin_ID=origin,
                **total,
            )
        )
    return made


def other(number: int) -> bytes:
    block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>other %d" % number
    return record("response", 500 + number, block, WARC_Target_URI=f"http://example.org/{number}")


def write(path: Path, records: list[bytes], framing: str) -> Path:
    if framing == "members":
        records = [gzip.compress(piece) for piece in records]
    data = b"".join(records)
    path.write_bytes(gzip.compress(data) if framing == "solid" else data)
    return path


def read(path: Path, limits: Limits | None = None) -> tuple[dict[str, bytes], list[str]]:
    """Return bodies by address, read again by offset, and the reasons of rejects."""
    (source,) = find_sources([path])
    found = list(index_source(source, limits))
    bodies = list(read_bodies(source, [item for item in found if isinstance(item, Capture)], limits))
    assert not [item for item in bodies if isinstance(item, Reject)]
    return (
        {capture.url: body for capture, body in bodies},  # type: ignore[misc]
        [item.reason for item in found if isinstance(item, Reject)],
    )


@pytest.mark.parametrize(("framing", "name"), [("plain", "a.warc"), ("members", "a.warc.gz"), ("solid", "a.warc.gz")])
@pytest.mark.parametrize("sizes", [(1000,), (40, 1, 700), (len(ANSWER) - 1,)])
def test_parts_of_an_answer_are_one_page(framing: str, name: str, sizes: tuple[int, ...], tmp_path: Path) -> None:
    records = [other(0), *parts(sizes), other(1)]

    bodies, rejects = read(write(tmp_path / name, records, framing))

    assert BODY == bodies["http://example.org/long"]
    assert 3 == len(bodies)
    assert [] == rejects


@pytest.mark.parametrize("seed", range(5))
def test_other_records_may_stand_between_parts_in_any_order(seed: int, tmp_path: Path) -> None:
    first, *rest = parts((300, 300, 300))
    behind = [*rest, *(other(number) for number in range(6))]
    random.Random(seed).shuffle(behind)

    bodies, rejects = read(write(tmp_path / "a.warc.gz", [first, *behind], "members"))

    assert BODY == bodies["http://example.org/long"]
    assert (7, []) == (len(bodies), rejects)


@pytest.mark.parametrize("missing", [0, 1, 2])
def test_a_missing_part_is_one_reject(missing: int, tmp_path: Path) -> None:
    records = [piece for number, piece in enumerate(parts()) if number != missing]

    bodies, rejects = read(write(tmp_path / "a.warc", [*records, other(0)], "plain"))

    assert {"http://example.org/0"} == set(bodies)
    assert ["segmented-record"] == rejects


def test_a_part_that_is_there_twice_is_no_answer(tmp_path: Path) -> None:
    first, second, last = parts()

    bodies, rejects = read(write(tmp_path / "a.warc", [first, second, second, last, other(0)], "plain"))

    assert {"http://example.org/0"} == set(bodies)
    assert {"segmented-record"} == set(rejects)


def test_a_damaged_part_is_told_by_its_digest(tmp_path: Path) -> None:
    digest = "sha1:" + hashlib.sha1(b"something else", usedforsecurity=False).hexdigest()
    first, second, last = parts()
    second = second.replace(b"Content-Type:", f"WARC-Block-Digest: {digest}\r\nContent-Type:".encode(), 1)

    bodies, rejects = read(write(tmp_path / "a.warc", [first, second, last, other(0)], "plain"))

    assert {"http://example.org/0"} == set(bodies)
    assert "bad-digest" in rejects


def test_an_answer_too_large_to_hold_is_refused_in_bounded_memory(tmp_path: Path) -> None:
    path = write(tmp_path / "a.warc.gz", [*parts((2000, 2000)), other(0)], "members")

    bodies, rejects = read(path, Limits(max_body=1000, max_header=500))

    assert {"http://example.org/0"} == set(bodies)
    assert ["too-large"] == rejects


def test_first_parts_without_end_do_not_pile_up(tmp_path: Path) -> None:
    records = [parts(first=10 * number)[0] for number in range(1, MOST_OPEN + 20)]

    bodies, rejects = read(write(tmp_path / "a.warc", [*records, *parts(first=5)], "plain"))

    assert BODY == bodies["http://example.org/long"]
    assert MOST_OPEN + 19 == rejects.count("segmented-record")
