"""Every cut and every flipped bit is reported, and no other record is lost: 104 cuts, 300 flips, each kind of file."""

import gzip
import random
import zlib
from pathlib import Path

import pytest

from sitestrata.model import Capture, Reject

from .archives import as_zstd, index_bytes, pages

CUTS = 104
FLIPS = 300
SEED = 4


def kinds() -> dict[str, tuple[bytes, list[int]]]:
    packed, plain = pages(24), pages(24, gzip=False)
    return {
        "gzip": (packed.bytes(), packed.starts),
        "plain": (plain.bytes(), plain.starts),
        "zstd": as_zstd(plain, checksum=True),
        "zstd without checksums": as_zstd(plain, checksum=False),
    }


KINDS = kinds()


def facts(captures: list[Capture]) -> set[tuple[str, int, str]]:
    return {(capture.url, capture.offset, capture.digest) for capture in captures}


def extents(data: bytes, starts: list[int]) -> list[tuple[int, int]]:
    return list(zip(starts, [*starts[1:], len(data)], strict=True))


@pytest.mark.parametrize("kind", KINDS)
def test_every_cut_is_reported_and_loses_one_record(tmp_path: Path, kind: str) -> None:
    whole, starts = KINDS[kind]
    before, rejects = index_bytes(tmp_path, whole)
    assert [] == rejects
    assert 30 == len(before)
    generator = random.Random(SEED)
    inner = sorted(set(range(1, len(whole))) - set(starts))
    cuts = [*generator.sample(inner, CUTS), starts[-1] + 1, starts[-1] + 3, len(whole) - 1, starts[1] + 1]
    for cut in cuts:
        after, rejects = index_bytes(tmp_path, whole[:cut])
        hit = max(start for start in starts if start < cut)
        untouched = {fact for fact in facts(before) if fact[1] < hit}

        assert untouched <= facts(after) <= facts(before), cut
        assert rejects, cut
        assert all(reject.input.endswith(f"@{hit}") or hit == 0 for reject in rejects), cut


def test_a_cut_between_two_records_leaves_a_whole_file(tmp_path: Path) -> None:
    """Nothing in a WARC says how many records it has, so this is the one cut that cannot show."""
    whole, starts = KINDS["gzip"]

    captures, rejects = index_bytes(tmp_path, whole[: starts[10]])

    assert [] == rejects
    assert all(capture.offset < starts[10] for capture in captures)


def is_harmless(whole: bytes, spoilt: bytes, extent: tuple[int, int]) -> bool:
    """Tell, by the standard library, whether a member still unpacks to the same bytes with a good checksum."""
    start, end = extent
    try:
        return gzip.decompress(spoilt[start:end]) == gzip.decompress(whole[start:end])
    except (OSError, EOFError, zlib.error):
        return False


@pytest.mark.parametrize("kind", ["gzip", "zstd"])
def test_every_flipped_bit_of_a_packed_file_is_reported(tmp_path: Path, kind: str) -> None:
    whole, starts = KINDS[kind]
    before, _ = index_bytes(tmp_path, whole)
    generator = random.Random(SEED)
    bits = generator.sample(range(len(whole) * 8), FLIPS)
    # The head of one member, bit by bit: magic, flags, time stamp, operating system.
    bits += range(starts[5] * 8, (starts[5] + 12) * 8)
    unseen = 0
    for bit in bits:
        spoilt = bytearray(whole)
        spoilt[bit // 8] ^= 1 << bit % 8
        after, rejects = index_bytes(tmp_path, bytes(spoilt))
        extent = next(extent for extent in extents(whole, starts) if extent[0] <= bit // 8 < extent[1])
        others = {fact for fact in facts(before) if fact[1] != extent[0]}

        assert others <= facts(after) <= facts(before), bit
        if not rejects:
            unseen += 1
            assert facts(after) == facts(before), bit
            assert kind == "zstd" or is_harmless(whole, bytes(spoilt), extent), bit
    # 49 bits of a gzip head cannot matter: the time stamp, the extra flags, the operating system, the "text" flag.
    assert unseen <= (60 if kind == "gzip" else 8)


@pytest.mark.parametrize("kind", ["plain", "zstd without checksums"])
def test_every_flipped_bit_of_a_block_is_reported_without_a_checksum(tmp_path: Path, kind: str) -> None:
    """Digests cover blocks; a letter of an address in a head may change unseen, and touches only that record."""
    whole, starts = KINDS[kind]
    before, _ = index_bytes(tmp_path, whole)
    generator = random.Random(SEED)
    for bit in generator.sample(range(len(whole) * 8), FLIPS):
        spoilt = bytearray(whole)
        spoilt[bit // 8] ^= 1 << bit % 8
        after, rejects = index_bytes(tmp_path, bytes(spoilt))
        start, end = next(extent for extent in extents(whole, starts) if extent[0] <= bit // 8 < extent[1])
        others = {fact for fact in facts(before) if fact[1] != start}

        assert others <= facts(after), bit
        if kind == "plain":
            head = whole.index(b"\r\n\r\n", start) + 4
            is_in_block = head <= bit // 8 < end - 4
            assert rejects or not is_in_block, bit
        if not rejects:
            bodies = {fact[2] for fact in facts(after)}
            assert bodies == {fact[2] for fact in facts(before)}, bit


def test_rejects_name_file_and_offset(tmp_path: Path) -> None:
    whole, starts = KINDS["gzip"]
    spoilt = bytearray(whole)
    spoilt[starts[7] + 40] ^= 4

    _, rejects = index_bytes(tmp_path, bytes(spoilt))

    assert [(f"{tmp_path}/crawl.bin@{starts[7]}", "read")] == [(reject.input, reject.stage) for reject in rejects]
    assert rejects[0].reason in ("bad-compression", "bad-checksum")


def test_bytes_between_records_are_one_reject(tmp_path: Path) -> None:
    whole, starts = KINDS["gzip"]
    spoilt = whole[: starts[3]] + b"\x00" * 1000 + whole[starts[3] :]

    captures, rejects = index_bytes(tmp_path, spoilt)

    assert 30 == len(captures)
    assert [("bad-compression", starts[3])] == [(r.reason, int(r.input.rpartition("@")[2])) for r in rejects]


def test_overwritten_sectors_lose_only_what_they_hit(tmp_path: Path) -> None:
    whole, starts = KINDS["gzip"]
    hit = range(starts[4] + 10, starts[9] + 10)
    spoilt = whole[: hit.start] + b"\xff" * len(hit) + whole[hit.stop :]
    before, _ = index_bytes(tmp_path, whole)

    after, rejects = index_bytes(tmp_path, spoilt)

    assert {fact for fact in facts(before) if not starts[4] <= fact[1] <= starts[9]} == facts(after)
    assert rejects


@pytest.mark.parametrize("kind", ["gzip", "plain", "zstd"])
def test_bursts_of_damage_lose_only_what_they_hit(tmp_path: Path, kind: str) -> None:
    """Bytes are overwritten, zeroed, deleted, inserted and repeated."""
    whole, starts = KINDS[kind]
    before, _ = index_bytes(tmp_path, whole)
    content = {capture.offset: (capture.url, capture.digest) for capture in before}
    generator = random.Random(SEED)
    for _ in range(60):
        length = generator.choice([1, 2, 3, 8, 50, 700])
        start = generator.randrange(len(whole))
        end = min(len(whole), start + length)
        instead = generator.choice(
            [
                generator.randbytes(end - start),
                bytes(end - start),
                b"",
                generator.randbytes(length) + whole[start:end],
                whole[start:end] * 2,
            ]
        )
        after, rejects = index_bytes(tmp_path, whole[:start] + instead + whole[end:])
        others = [begin for begin, stop in extents(whole, starts) if begin >= end or stop <= start]
        found = {(capture.url, capture.digest) for capture in after}

        assert {content[begin] for begin in others if begin in content} <= found, (start, length)
        assert rejects or found == set(content.values()), (start, length)


@pytest.mark.parametrize("level", ["first byte", "first member"])
def test_a_file_whose_beginning_is_damaged_is_still_recognised(tmp_path: Path, level: str) -> None:
    whole, starts = KINDS["gzip"]
    end = 1 if level == "first byte" else starts[1]

    captures, rejects = index_bytes(tmp_path, b"\x00" * end + whole[end:])

    assert 30 == len(captures)
    assert 1 == len(rejects)


def test_a_solid_file_reports_its_cut(tmp_path: Path) -> None:
    plain, starts = KINDS["plain"]
    solid = gzip.compress(plain)
    captures, rejects = index_bytes(tmp_path, solid)
    assert (30, []) == (len(captures), rejects)

    captures, rejects = index_bytes(tmp_path, solid[: len(solid) // 2])

    assert 5 < len(captures) < 30
    assert {"truncated-record"} == {reject.reason for reject in rejects}
    assert set(starts) >= {capture.offset for capture in captures}


def test_a_reject_is_one_line_for_a_person() -> None:
    assert ["input", "stage", "reason", "detail"] == list(Reject.__slots__)
