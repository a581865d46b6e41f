"""Of several captures of one address, one is parsed; jobs bring each to the file that holds its body."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from sitestrata.errors import SourceError, UsageError
from sitestrata.model import Capture, table_from_records
from sitestrata.sources import Source, captures_of, choose_captures, read_jobs
from sitestrata.urls import url_id


def capture(name: str, day: int | None, *, status: int = 200, is_html: bool = True, offset: int = 0) -> Capture:
    url = f"http://example.org/{name}"
    return Capture(
        url_id=url_id(url),
        url=url,
        source="a.warc.gz",
        offset=offset,
        length=1,
        record_type="response",
        fetched_at=None if day is None else datetime(2026, 1, day, tzinfo=UTC),
        status=status,
        media_type="text/html",
        charset=None,
        location=None,
        robots=None,
        size=1,
        digest="d",
        is_html=is_html,
    )


CAPTURES = [
    capture("a", 2, offset=20),
    capture("a", 1, offset=30),
    capture("a", 3, offset=10, status=301),
    capture("a", 4, offset=40, status=503),
    capture("a", 5, offset=50, is_html=False),
    capture("b", None, offset=1),
    capture("b", 2, offset=2),
    capture("b", 2, offset=3),
    capture("c", 1, status=404),
    capture("d", 1, status=206),
]


@pytest.mark.parametrize(
    ("policy", "expected"),
    [("last", {("a", 20), ("b", 3)}), ("first", {("a", 30), ("b", 1)})],
)
def test_one_page_an_address(policy: str, expected: set[tuple[str, int]]) -> None:
    chosen = choose_captures(table_from_records("captures", CAPTURES), policy)  # type: ignore[arg-type]

    assert expected == {(row["url"].rpartition("/")[2], row["offset"]) for row in chosen.to_pylist()}


def test_all_dates_keeps_one_page_an_address_and_time() -> None:
    chosen = choose_captures(table_from_records("captures", CAPTURES), "all-dates")

    assert [20, 30] == sorted(row["offset"] for row in chosen.to_pylist() if row["url"].endswith("/a"))
    assert [1, 3] == sorted(row["offset"] for row in chosen.to_pylist() if row["url"].endswith("/b"))


def test_the_choice_does_not_depend_on_the_order() -> None:
    forwards = choose_captures(table_from_records("captures", CAPTURES))
    backwards = choose_captures(table_from_records("captures", CAPTURES[::-1]))

    assert forwards.equals(backwards)


def test_nothing_to_choose_from_gives_nothing() -> None:
    assert 0 == choose_captures(table_from_records("captures", [])).num_rows


def test_an_unknown_policy_is_refused() -> None:
    with pytest.raises(UsageError, match="all-dates"):
        choose_captures(table_from_records("captures", []), "newest")  # type: ignore[arg-type]


def test_jobs_hold_captures_of_one_source_in_the_order_of_the_file() -> None:
    sources = [
        Source("a.warc.gz", "warc", "/x/a.warc.gz"),
        Source("site", "folder", "/x/site"),
        Source("site!x", "folder", "/x/site!x"),
    ]
    captures = [replace(capture(str(i), 1), offset=100 - i) for i in range(5)]
    captures += [replace(capture(f"f{i}", 1), source=f"site!p/{i}.html") for i in range(3)]
    captures += [replace(capture("g", 1), source="site!x!g.html")]
    captures += [replace(capture("r", 1), source="b.warc.gz", original_source="a.warc.gz", original_offset=98)]

    jobs = [
        (source.name, [item.url.rpartition("/")[2] for item in captures_of(rows)])
        for source, rows in read_jobs(sources, table_from_records("captures", captures), rows=4)
    ]

    assert ("site", ["f0", "f1", "f2"]) in jobs
    assert ("site!x", ["g"]) in jobs
    assert [4, 2] == [len(names) for name, names in jobs if name == "a.warc.gz"]
    assert ["4", "3"] == jobs[0][1][:2]
    assert {"r", "2"} == set(jobs[0][1][2:4])
    assert captures_of(table_from_records("captures", captures)) == captures


def test_a_capture_of_an_unknown_source_is_an_error() -> None:
    with pytest.raises(SourceError, match=r"a\.warc\.gz"):
        list(read_jobs([], table_from_records("captures", [capture("a", 1)])))
