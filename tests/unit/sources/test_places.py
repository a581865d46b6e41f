"""Sources in a store of objects, and parts of a source: the same captures as of the whole file here."""

import gzip
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from sitestrata.errors import SourceError
from sitestrata.model import Capture
from sitestrata.sources import Source, find_sources, index_source, read_bodies
from sitestrata.sources.parts import Part
from sitestrata.sources.places import is_there, size_and_time
from sitestrata.sources.source import relocated
from support.object_store import object_store


def record(kind: str, url: str, block: bytes, number: int) -> bytes:
    head = (
        f"WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Record-ID: <urn:uuid:00000000-0000-0000-0000-{number:012d}>\r\n"
        f"WARC-Target-URI: {url}\r\nWARC-Date: 2026-01-01T00:00:00Z\r\n"
        f"Content-Type: application/http; msgtype={kind}\r\nContent-Length: {len(block)}\r\n\r\n"
    ).encode()
    return gzip.compress(head + block + b"\r\n\r\n", mtime=0)


def warc(count: int, *, posts: bool = False) -> bytes:
    """Pages in members of their own; with ``posts``, each followed or preceded by the request it answers."""
    data = b""
    for number in range(count):
        url = f"http://a.example/{number}"
        method = b"POST" if number % 3 == 0 else b"GET"
        request = record("request", url, method + b" / HTTP/1.1\r\nHost: a.example\r\n\r\n", 2 * number)
        body = b"<title>%d</title>" % number + bytes(number % 7 * 100)
        answer = record("response", url, b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + body, 2 * number + 1)
        pair = [request, answer] if number % 2 else [answer, request]
        data += b"".join(pair) if posts else answer
    return data


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    for name in ("ACCESS_KEY_ID", "SECRET_ACCESS_KEY"):
        monkeypatch.setenv(f"AWS_{name}", "any")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    bucket = tmp_path / "store" / "crawls" / "some folder"
    bucket.mkdir(parents=True)
    (bucket / "a.warc.gz").write_bytes(warc(5))
    (bucket / "deep").mkdir()
    (bucket / "deep" / "b.warc.gz").write_bytes(warc(3))
    (bucket / "notes.txt").write_text("none of these")
    with zipfile.ZipFile(bucket / "c.wacz", "w", zipfile.ZIP_STORED) as archive:
        archive.writestr("archive/data.warc.gz", warc(4))
    with object_store(tmp_path / "store") as endpoint:
        monkeypatch.setenv("AWS_ENDPOINT_URL", endpoint)
        yield bucket


def captures(source: Source, part: Part | None = None) -> list[Capture]:
    return [item for item in index_source(source, part=part) if isinstance(item, Capture)]


@pytest.mark.network
@pytest.mark.parametrize(
    ("spec", "names"),
    [
        ("s3://crawls/some folder/a.warc.gz", ["a.warc.gz"]),
        ("s3://crawls/some folder/*.warc.gz", ["a.warc.gz"]),
        ("s3://crawls/**/*.warc.gz", ["a.warc.gz", "deep/b.warc.gz"]),
        ("s3://crawls/some folder", ["a.warc.gz", "c.wacz!archive/data.warc.gz", "deep/b.warc.gz"]),
    ],
)
def test_names_folders_and_patterns_find_objects(spec: str, names: list[str], store: Path) -> None:
    assert [f"s3://crawls/some folder/{name}" for name in names] == [source.name for source in find_sources([spec])]


@pytest.mark.network
def test_an_object_gives_the_captures_and_bodies_of_the_file(store: Path) -> None:
    for name in ("a.warc.gz", "c.wacz"):
        (here,) = find_sources([store / name])
        (there,) = find_sources([f"s3://crawls/some folder/{name}"])

        expected = [(item.url, item.offset, item.digest) for item in captures(here)]
        assert expected == [(item.url, item.offset, item.digest) for item in captures(there)]
        bodies = [found[1] for found in read_bodies(there, captures(there)) if isinstance(found, tuple)]
        assert len(expected) == len(bodies) > 0


@pytest.mark.network
def test_an_object_that_is_not_there_is_named(store: Path) -> None:
    with pytest.raises(SourceError, match="s3://crawls/other: there is no such object"):
        find_sources(["s3://crawls/other"])
    with pytest.raises(SourceError, match="is not there any more"):
        relocated("s3://crawls/gone.warc.gz", {})

    assert not is_there("s3://crawls/gone.warc.gz")
    assert size_and_time("s3://crawls/gone.warc.gz") is None
    found = size_and_time("s3://crawls/some folder/a.warc.gz")
    assert found is not None and (store / "a.warc.gz").stat().st_size == found[0]


@pytest.mark.parametrize("posts", [False, True])
@pytest.mark.parametrize("size", [1, 97, 250, 1000, 10**6])
def test_parts_of_a_file_have_each_capture_once(posts: bool, size: int, tmp_path: Path) -> None:
    """Also where a request and its answer are in different parts."""
    path = tmp_path / "a.warc.gz"
    path.write_bytes(warc(12, posts=posts))
    (source,) = find_sources([path])

    end = path.stat().st_size
    parts = [captures(source, Part(begin, begin + size)) for begin in range(0, end, size)]

    whole = captures(source)
    assert (8 if posts else 12) == len(whole)
    assert whole == [item for part in parts for item in part]


def test_a_file_that_cannot_be_read_from_the_middle_is_all_in_its_first_part(tmp_path: Path) -> None:
    path = tmp_path / "a.warc.gz"
    path.write_bytes(gzip.compress(gzip.decompress(warc(6))))
    (source,) = find_sources([path])

    assert 6 == len(captures(source, Part(0, 100)))
    assert [] == captures(source, Part(100, 200))
