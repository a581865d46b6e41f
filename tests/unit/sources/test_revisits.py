"""A revisit gets the body of its original, whatever file that is in and however it is named."""

import zlib
from pathlib import Path

import pyarrow as pa
import pytest

from sitestrata.model import table_from_records
from sitestrata.sources import (
    captures_of,
    choose_captures,
    find_sources,
    read_bodies,
    read_jobs,
    resolve_revisits,
)

from .archives import Archive, index

PROFILE = "http://netpreserve.org/warc/1.1/revisit/"
SAME = {"WARC-Profile": PROFILE + "identical-payload-digest"}
NOT_MODIFIED = {"WARC-Profile": PROFILE + "server-not-modified"}
NO_DIGEST = "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ"  # of nothing
ID = "<urn:uuid:00000000-0000-0000-0000-00000000000a>"
URL = "http://example.org/"
BODY = b"<html>the original"


def write(folder: Path, originals: Archive, revisits: Archive) -> pa.Table:
    (folder / "z-originals.warc.gz").write_bytes(originals.bytes())
    (folder / "a-revisits.warc.gz").write_bytes(revisits.bytes())
    captures, rejects = index(folder)
    assert [] == rejects
    return table_from_records("captures", captures)


def original(**warc: str) -> Archive:
    return Archive().add(URL, BODY, warc=warc)


def revisit(url: str = URL, *, status: str = "200 OK", date: str = "2026-02-02T00:00:00Z", **warc: str) -> Archive:
    fields = {**SAME, **{"WARC-" + name.replace("_", "-"): value for name, value in warc.items()}}
    return Archive().add(url, b"", kind="revisit", status=status, warc=fields, date=date)


NAMES = {
    "record id": {"Refers_To": ID},
    "address and time": {"Refers_To_Target_URI": URL, "Refers_To_Date": "2026-01-02T03:04:05.900Z"},
    "time alone, at the same address": {"Refers_To_Date": "2026-01-02T03:04:05Z"},
}


@pytest.mark.parametrize("name", NAMES)
def test_an_original_is_found_by_each_of_its_names(tmp_path: Path, name: str) -> None:
    archive = original(**{"WARC-Record-ID": ID}).add(URL, b"<html>later", date="2026-01-09T00:00:00Z")
    table = write(tmp_path, archive, revisit(**NAMES[name]))

    resolved, rejects = resolve_revisits(table)

    assert [] == rejects
    rows = {row["record_type"]: row for row in resolved.to_pylist() if row["size"] == len(BODY)}
    assert rows["response"]["digest"] == rows["revisit"]["digest"] != ""
    assert (True, "text/html", len(BODY)) == tuple(rows["revisit"][key] for key in ("is_html", "media_type", "size"))
    assert f"{tmp_path}/z-originals.warc.gz" == rows["revisit"]["original_source"]
    assert rows["response"]["offset"] == rows["revisit"]["original_offset"]


def test_the_payload_digest_is_enough_and_the_same_address_is_preferred(tmp_path: Path) -> None:
    originals = Archive().add("http://other.example/", BODY).add(URL, BODY)
    table = write(tmp_path, originals, revisit_of(originals))

    resolved, _ = resolve_revisits(table)

    (row,) = [row for row in resolved.to_pylist() if row["record_type"] == "revisit"]
    assert originals.starts[1] == row["original_offset"]


def test_the_payload_digest_finds_an_original_at_another_address(tmp_path: Path) -> None:
    originals = Archive().add("http://other.example/", BODY)
    table = write(tmp_path, originals, revisit_of(originals))

    resolved, rejects = resolve_revisits(table)

    assert [] == rejects
    assert {URL, "http://other.example/"} == set(choose_captures(resolved)["url"].to_pylist())


def test_a_name_that_the_digest_contradicts_does_not_count(tmp_path: Path) -> None:
    table = write(
        tmp_path, original(**{"WARC-Record-ID": ID}), revisit(Refers_To=ID, Payload_Digest="sha1:" + "A" * 32)
    )

    resolved, rejects = resolve_revisits(table)

    assert ["revisit-unresolved"] == [reject.reason for reject in rejects]
    assert [None, None] == resolved["original_source"].to_pylist()


def test_not_modified_means_the_capture_before_it(tmp_path: Path) -> None:
    originals = Archive()
    for day in ("01", "05", "09"):
        originals.add(URL, b"<html>on day " + day.encode(), date=f"2026-01-{day}T00:00:00Z")
    originals.add(URL, b"", date="2026-01-06T00:00:00Z", warc={"WARC-Record-ID": ID}, headers=[("Content-Type", "x/y")])
    fields = {"WARC-Profile": NOT_MODIFIED["WARC-Profile"], "WARC-Payload-Digest": NO_DIGEST}
    later = Archive().add(URL, b"", kind="revisit", status="304 Not Modified", warc=fields, date="2026-01-05T12:00:00Z")

    resolved, rejects = resolve_revisits(write(tmp_path, originals, later))

    assert [] == rejects
    (row,) = [row for row in resolved.to_pylist() if row["record_type"] == "revisit"]
    assert originals.starts[1] == row["original_offset"]
    assert 200 == row["status"]


def test_not_modified_may_follow_a_revisit(tmp_path: Path) -> None:
    """The capture before it counts, even if that is a revisit itself."""
    originals = Archive().add("http://other.example/", BODY).add(URL, b"<html>before", date="2026-02-01T00:00:00Z")
    revisits = revisit_of(originals)  # in March
    revisits.add(URL, b"", kind="revisit", status="304 ", warc=NOT_MODIFIED, date="2026-04-01T00:00:00Z")

    resolved, rejects = resolve_revisits(write(tmp_path, originals, revisits))

    assert [] == rejects
    offsets = [row["original_offset"] for row in resolved.to_pylist() if row["record_type"] == "revisit"]
    assert [originals.starts[0]] * 2 == offsets


def test_bodies_of_revisits_are_read_from_their_originals(tmp_path: Path) -> None:
    originals = Archive().add("http://other.example/", BODY)
    table = write(tmp_path, originals, revisit_of(originals))
    sources = find_sources([tmp_path])

    chosen = choose_captures(resolve_revisits(table)[0])
    found = [item for source, rows in read_jobs(sources, chosen) for item in read_bodies(source, captures_of(rows))]

    assert {(URL, BODY), ("http://other.example/", BODY)} == {(item[0].url, item[1]) for item in found}


def test_resolving_does_not_depend_on_the_order_of_rows_and_is_stable(tmp_path: Path) -> None:
    originals = Archive().add("http://a.example/", BODY).add("http://b.example/", BODY).add(URL, b"<html>x")
    table = write(tmp_path, originals, revisit_of(originals))
    backwards = table.take(pa.array(range(table.num_rows - 1, -1, -1)))
    keys = [("source", "ascending"), ("offset", "ascending")]

    once = resolve_revisits(table)[0].sort_by(keys)

    assert once.equals(resolve_revisits(backwards)[0].sort_by(keys))
    assert once.equals(resolve_revisits(once)[0])


def test_without_its_original_a_revisit_is_reported(tmp_path: Path) -> None:
    (tmp_path / "a.warc.gz").write_bytes(revisit().bytes())
    captures, _ = index(tmp_path / "a.warc.gz")

    table, (reject,) = resolve_revisits(table_from_records("captures", captures))

    assert (f"{tmp_path}/a.warc.gz@0", "revisit-unresolved") == (reject.input, reject.reason)
    assert 0 == choose_captures(table).num_rows


def revisit_of(archive: Archive) -> Archive:
    """A revisit at URL that names its original by payload digest alone, as warcio computed it for the first record."""
    head = zlib.decompress(archive.pieces()[0], 31)
    claim = head.partition(b"WARC-Payload-Digest: ")[2].partition(b"\r\n")[0].decode()
    return Archive().add(
        URL, b"", kind="revisit", warc={**SAME, "WARC-Payload-Digest": claim}, date="2026-03-01T00:00:00Z"
    )
