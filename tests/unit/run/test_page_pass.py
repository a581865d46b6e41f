"""Pages become rows; a bad page becomes a reject and nothing else."""

from datetime import UTC, datetime

import pyarrow as pa

from sitestrata.model import TABLES, Capture
from sitestrata.page import PageLimits, read_page
from sitestrata.run.page_pass import pass_over
from sitestrata.segments import find_segments
from sitestrata.urls import url_id


def capture(url: str, charset: str | None = None) -> Capture:
    return Capture(
        url_id=url_id(url),
        url=url,
        source="crawl.warc.gz",
        offset=0,
        length=0,
        record_type="response",
        fetched_at=datetime(2026, 1, 1, tzinfo=UTC),
        status=200,
        media_type="text/html",
        charset=charset,
        location=None,
        robots=None,
        size=0,
        digest="",
        is_html=True,
    )


GOOD = b"<title>T</title><ul><li><a href=/a>A</a><li><a href=/b#c rel=up>B</a></ul><a href=http://other.example/>O</a>"


def test_rows_are_the_records_of_the_pages() -> None:
    urls = [f"http://example.org/{i}" for i in range(3)]

    made = pass_over([(capture(url), GOOD) for url in urls])

    tables = {name: pa.Table.from_batches(batches) for name, batches in made.items()}
    assert {"pages", "links", "segments", "urls"} == set(tables)
    for name, table in tables.items():
        assert TABLES[name].schema == table.schema
        table.validate(full=True)
    facts = [read_page(GOOD, url) for url in urls]
    found = [find_segments(page) for page in facts]
    links = [
        record
        for page, own in zip(facts, found, strict=True)
        for record in page.links.records(page.url_id, own.of_link)
    ]
    assert [{name: getattr(link, name) for name in TABLES["links"].schema.names} for link in links] == tables[
        "links"
    ].to_pylist()
    assert [page.record().title for page in facts] == tables["pages"]["title"].to_pylist()
    assert [list(page.record().template) for page in facts] == tables["pages"]["template"].to_pylist()
    assert {*urls, "http://example.org/a", "http://example.org/b", "http://other.example/"} == set(
        tables["urls"]["url"].to_pylist()
    )


def test_one_bad_page_never_stops() -> None:
    bad = [
        b"<div>" * 100_000,
        b"x" * 2_000_000,
        b"<a href=x>" * 5_000,
        b"\0\0\0",
        b"",
        b"\x89PNG\r\n\x1a\n\0\0\xff\xfe",
        b"<div>" * 600 + b"<a href=x>deep</a>",
    ]
    captures = [(capture(f"http://example.org/{i}", "nonsense"), body) for i, body in enumerate([*bad, GOOD])]

    made = pass_over(captures, PageLimits(page_size=1_000_000, page_links=1_000))

    rejects = {row["input"][-1]: row["reason"] for row in pa.Table.from_batches(made["rejects"]).to_pylist()}
    assert {"0": "too-deep", "1": "too-large", "2": "too-many-links", "6": "depth-cut"} == rejects
    assert [f"http://example.org/{i}" for i in (3, 4, 5, 6, 7)] == pa.Table.from_batches(made["pages"])[
        "url"
    ].to_pylist()


def test_nothing_comes_of_nothing() -> None:
    assert {} == pass_over([])
