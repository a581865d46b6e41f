"""The sample web on disk: readable WARC records, and the same bytes for the same seed."""

import hashlib
import json
from io import BytesIO
from pathlib import Path

import pytest
from fastwarc.warc import ArchiveIterator, WarcRecordType
from warcio.archiveiterator import ArchiveIterator as WarcioIterator

from sitestrata.errors import UsageError
from sitestrata.sample import KINDS, generate, truth_folder, write
from sitestrata.sample.world import make_world


def digests(path: Path) -> dict[str, str]:
    files = [path, *sorted(truth_folder(path).iterdir())]
    return {file.name.partition(".")[2]: hashlib.sha256(file.read_bytes()).hexdigest() for file in files}


def test_same_seed_gives_the_same_bytes(tmp_path: Path) -> None:
    for name in ("a", "b"):
        write(tmp_path / f"{name}.warc.gz", seed=4, pages=120)

    assert digests(tmp_path / "a.warc.gz") == digests(tmp_path / "b.warc.gz")


def test_another_seed_gives_another_web(tmp_path: Path) -> None:
    write(tmp_path / "a.warc.gz", seed=4, pages=60)
    write(tmp_path / "b.warc.gz", seed=5, pages=60)

    assert digests(tmp_path / "a.warc.gz")["warc.gz"] != digests(tmp_path / "b.warc.gz")["warc.gz"]


def test_two_readers_find_every_capture_with_a_right_digest(tmp_path: Path) -> None:
    path = tmp_path / "web.warc.gz"
    write(path, seed=6, pages=80)
    expected = {capture.url: capture.body for capture in generate(6, 80)}
    fast = {}
    for record in ArchiveIterator(BytesIO(path.read_bytes()), record_types=WarcRecordType.response):
        assert record.verify_payload_digest()
        fast[record.headers["WARC-Target-URI"]] = record.reader.read()
    slow = {}
    with path.open("rb") as stream:
        for record in WarcioIterator(stream, check_digests="raise"):
            if record.rec_type == "response":
                slow[record.rec_headers.get_header("WARC-Target-URI")] = record.content_stream().read()

    assert fast == slow == expected


def test_the_manifest_counts_what_the_files_hold(tmp_path: Path) -> None:
    path = tmp_path / "web.warc.gz"
    manifest = write(path, seed=6, pages=80)
    folder = truth_folder(path)

    assert json.loads((folder / "manifest.json").read_text()) == manifest
    for name in ("sites", "menus", "tables", "instances"):
        assert len((folder / f"{name}.jsonl").read_text().splitlines()) == manifest[name]


@pytest.mark.parametrize("kind", KINDS)
def test_one_kind_alone_makes_a_web_of_any_size(kind: str) -> None:
    for pages in (1, 7, 90):
        pages_made = {capture.url for capture in generate(9, pages, only=[kind]) if capture.status == 200}

        assert len(pages_made) >= pages


def test_unknown_kinds_are_refused() -> None:
    with pytest.raises(UsageError, match="shops"):
        make_world(1, 10, only=["shops"])
