"""Records of our own copies that are overwritten in their place."""

from pathlib import Path

import pytest

from sitestrata.sources import Limits, find_sources, read_bodies
from sitestrata.sources.blank import blank_records

from .archives import Archive, as_zstd, index

UNWANTED = "http://example.org/3"


def written(path: Path, framing: str) -> Path:
    archive = Archive(gzip=framing == "gzip").add_info()
    for number in range(6):
        url = f"http://example.org/{number}"
        archive.add(url, b"<p>body of page %d " % number * (1 + 40 * (number % 3)))
        archive.add(url, b"GET /%d" % number, kind="metadata", headers=[])
    path.write_bytes(as_zstd(archive, checksum=True)[0] if framing == "zstd" else archive.bytes())
    return path


@pytest.mark.parametrize("framing", ["plain", "gzip", "zstd"])
def test_the_record_is_gone_and_all_others_stay_in_place(framing: str, tmp_path: Path) -> None:
    path = written(tmp_path / "crawl.bin", framing)
    before, _ = index(path)
    status = path.stat()

    (source,) = find_sources([path])
    is_clean = blank_records(source, lambda url, _: url == UNWANTED)
    after, rejects = index(path)

    assert is_clean
    assert [] == rejects
    assert [item for item in before if item.url != UNWANTED] == after
    assert len(after) == len(list(read_bodies(source, after, Limits())))
    assert (status.st_size, status.st_mtime_ns) == (path.stat().st_size, path.stat().st_mtime_ns)
    if framing == "plain":
        assert b"page 3" not in path.read_bytes()
        assert UNWANTED.encode() not in path.read_bytes()


def test_records_packed_together_are_left_and_said_to_be(tmp_path: Path) -> None:
    import gzip

    path = written(tmp_path / "plain.warc", "plain")
    solid = tmp_path / "solid.warc.gz"
    solid.write_bytes(gzip.compress(path.read_bytes()))
    (source,) = find_sources([solid])

    assert not blank_records(source, lambda url, _: url == UNWANTED)
    assert blank_records(source, lambda *_: False)
    assert 6 == len(index(solid)[0])
