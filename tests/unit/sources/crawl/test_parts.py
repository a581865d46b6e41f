"""The small parts of the crawler: wire messages, scope, sitemaps, traps, Retry-After, recovery."""

import gzip
import random
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path

import pytest

from sitestrata.errors import UsageError
from sitestrata.sources.crawl.frontier import Done, Frontier
from sitestrata.sources.crawl.manners import retry_after
from sitestrata.sources.crawl.message import Answer, Exchange, TooLarge
from sitestrata.sources.crawl.options import CrawlOptions
from sitestrata.sources.crawl.recovery import recover
from sitestrata.sources.crawl.scope import Scope, read_surts
from sitestrata.sources.crawl.sitemap import parse_sitemap
from sitestrata.sources.crawl.traps import Traps, group_of, mask, refuse_by_shape
from sitestrata.sources.crawl.warc_out import WarcOut, payload_digest, without_credentials


def receive(data: bytes, limit: int = 10_000, step: int = 7) -> Answer:
    exchange = Exchange(limit)
    for at in range(0, len(data), step):
        exchange.data_received(data[at : at + step])
    return exchange.answer(address=None, latency=0.1)


# -- messages


def test_head_and_body_are_told_apart_however_they_arrive() -> None:
    data = b"HTTP/1.1 200 OK\r\nA: 1\r\nb:2\r\n\r\nbody"
    for step in (1, 2, 3, 100):
        answer = receive(data, step=step)
        assert (answer.status, answer.headers, answer.entity(99)) == (200, (("A", "1"), ("b", "2")), b"body")


def test_informational_answers_are_no_part_of_the_message() -> None:
    answer = receive(b"HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\n\r\nx", step=5)
    assert answer.status == 200 and answer.head == b"HTTP/1.1 200 OK\r\n\r\n"


def test_bytes_behind_content_length_are_cut() -> None:
    assert receive(b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabcdef").entity(99) == b"abc"


def test_chunks_are_joined_and_a_broken_one_ends_the_body() -> None:
    head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    assert receive(head + b"3;x=y\r\nabc\r\n2\r\nde\r\n0\r\n\r\n").entity(99) == b"abcde"
    assert receive(head + b"3\r\nabc\r\nzz\r\nde").entity(99) == b"abc"
    assert receive(head + b"ffffffff\r\nabc").entity(2) == b"ab"


def test_endless_head_and_body_are_stopped() -> None:
    with pytest.raises(TooLarge):
        receive(b"HTTP/1.1 200 OK\r\n" + b"x: y\r\n" * 100_000, step=10_000)
    exchange = Exchange(10)
    exchange.data_received(b"HTTP/1.1 200 OK\r\n\r\n0123456789")
    with pytest.raises(TooLarge):
        exchange.data_received(b"x")
    assert exchange.answer(address=None, latency=0.0).truncated == "length"


def test_credentials_for_the_proxy_are_not_archived() -> None:
    sent = b"GET / HTTP/1.1\r\nHost: h\r\nProxy-Authorization: Basic eA==\r\n\r\n"
    assert without_credentials(sent) == b"GET / HTTP/1.1\r\nHost: h\r\n\r\n"


# -- scope


@pytest.mark.parametrize(
    ("scope", "inside", "outside"),
    [
        ("host", "https://www.example.org/x", "http://example.org/"),
        ("domain", "http://other.example.org/", "http://example.com/"),
        ("prefix", "https://www.example.org/docs/deep/er", "http://www.example.org/other"),
    ],
)
def test_scope_is_what_its_name_says(scope: str, inside: str, outside: str) -> None:
    found = Scope(CrawlOptions(scope=scope))
    found.add_seed("http://www.example.org/docs/index.html")

    assert found.holds(inside)
    assert not found.holds(outside)


def test_surt_prefixes_are_read_as_heritrix_writes_them(tmp_path: Path) -> None:
    path = tmp_path / "surts"
    path.write_text("# ours\nhttp://(org,example,\n+com,example)/docs\n-org,example,shop)/\nhttps://h.net/a/b\n")
    scope = Scope(CrawlOptions(surts=read_surts(path)))

    inside = ["http://www.example.org/", "https://example.com/docs/x", "http://h.net/a/c"]
    outside = ["http://example.com/", "http://shop.example.org/x", "http://h.net/x", "http://else.where/"]
    assert [url for url in inside + outside if scope.holds(url)] == inside


def test_bad_pattern_is_a_usage_error() -> None:
    with pytest.raises(UsageError, match="regular expression"):
        Scope(CrawlOptions(include=("(",)))


# -- sitemaps


def test_sitemaps_of_every_kind_are_read() -> None:
    xml = b"<?xml version='1.0'?><s:urlset xmlns:s='x'><s:url><s:loc> http://h/a </s:loc></s:url></s:urlset>"
    assert parse_sitemap(xml).pages == ("http://h/a",)
    assert parse_sitemap(b"\xef\xbb\xbfhttp://h/a\nhttp://h/b\nnonsense\n").pages == ("http://h/a", "http://h/b")
    rss = b"<rss><channel><item><link>http://h/r</link></item></channel></rss>"
    assert parse_sitemap(rss).pages == ("http://h/r",)
    atom = b"<feed xmlns='http://www.w3.org/2005/Atom'><entry><link href='http://h/e'/></entry></feed>"
    assert parse_sitemap(atom).pages == ("http://h/e",)


def test_damaged_and_hostile_sitemaps_give_what_came_before_the_fault() -> None:
    assert parse_sitemap(b"<urlset><url><loc>http://h/a</loc></url><url><loc>http://h/b").pages == ("http://h/a",)
    bomb = b"<!DOCTYPE x [<!ENTITY a 'aaaa'>]><urlset><url><loc>http://h/&a;</loc></url></urlset>"
    assert parse_sitemap(bomb).pages == ()


# -- traps


@pytest.mark.parametrize(
    "path", ["/x/x/x/", "/a/b/a/b/a/b/", "/a/x/b/x/c/x/d/x/e/x/", "/" + "f/" * 40, "/" + "y" * 3000]
)
def test_nested_and_endless_addresses_are_refused(path: str) -> None:
    assert refuse_by_shape(f"http://h{path}") is not None


@pytest.mark.parametrize("path", ["/", "/a/a/", "/2024/01/01/", "/docs/api/v1/docs/", "/a/b/c/d/e/f/g.html?x=/y/y/y/"])
def test_ordinary_addresses_are_not(path: str) -> None:
    assert refuse_by_shape(f"http://h{path}") is None


def test_only_addresses_with_variable_parts_form_groups() -> None:
    assert group_of("http://h/about/team.html") is None
    month, next_month = group_of("http://h/cal?y=2024&m=1"), group_of("http://h/cal?m=2&y=2025")
    day = group_of("http://h/cal?y=2024&m=1&d=3")
    assert month is not None and month == next_month
    assert day is not None and day[0] != month[0] and day[1] == month[1]
    assert mask("/item/123/e3b0c44298fc1c14") == "/item/0/0"


def observed_until_closed(traps: Traps, pages: list[tuple[str, list[str], list[str]]]) -> int:
    for number, (url, pieces, links) in enumerate(pages, 1):
        if traps.observe(url, pieces, links):
            return number
    return 0


def test_group_that_repeats_itself_is_closed_and_stays_closed_after_a_resume(tmp_path: Path) -> None:
    frontier = Frontier(tmp_path / "f.sqlite")
    traps = Traps(frontier)
    pages = [(f"http://h/cal?m={n}", [f"Month {n}", "next"], [f"http://h/cal?m={n + 1}"]) for n in range(50)]

    assert 5 <= observed_until_closed(traps, pages) <= 12
    frontier.commit()
    assert Traps(frontier).is_closed("http://h/cal?m=999")
    assert not traps.is_closed("http://h/other?m=1")


def test_articles_and_listings_that_lead_on_are_never_closed(tmp_path: Path) -> None:
    traps = Traps(Frontier(tmp_path / "f.sqlite"))
    rng = random.Random(3)
    words = ["".join(rng.choices("abcdefgh", k=6)) for _ in range(500)]
    menu = ["Home", "News", "About"]
    articles = [
        (f"http://h/a?id={n}", [*menu, *(" ".join(rng.choices(words, k=9)) for _ in range(5))], []) for n in range(200)
    ]
    lists = [(f"http://h/list?page={n}", menu, [f"http://h/item/{words[n]}"]) for n in range(200)]

    assert observed_until_closed(traps, articles) == 0
    assert observed_until_closed(traps, lists) == 0


def test_filter_combinations_use_up_their_credit(tmp_path: Path) -> None:
    traps = Traps(Frontier(tmp_path / "f.sqlite"))
    names = "abcdefghij"
    fetched = 0
    for bits in range(1, 1024):
        chosen = [name for k, name in enumerate(names) if bits >> k & 1]
        for value in range(3):
            url = "http://h/shop?" + "&".join(f"{name}={value}" for name in chosen)
            if not traps.is_closed(url):
                fetched += 1
                traps.observe(url, ["Shoes", "Hats", "Gloves"], [url + "&z=1"])

    assert fetched < 150


# -- manners


def test_retry_after_is_read_as_seconds_or_date() -> None:
    assert retry_after("120") == 120.0
    soon = format_datetime(datetime.now(UTC) + timedelta(seconds=60), usegmt=True)
    assert 55 < (retry_after(soon) or 0) <= 60
    assert retry_after("Thu, 01 Jan 1970 00:00:00 GMT") == 0.0
    assert retry_after("soon") is None and retry_after(None) is None


# -- recovery


def write_pages(tmp_path: Path, count: int) -> tuple[Frontier, WarcOut, list[int]]:
    frontier = Frontier(tmp_path / "f.sqlite")
    warc = WarcOut(tmp_path / "o.warc.gz", rotate=1 << 30, info={})
    recover(frontier, warc, print)
    ends = [warc.offset]
    for n in range(count):
        url = f"http://h/{n}"
        answer = receive(b"HTTP/1.1 200 OK\r\n\r\n" + random.Random(n).randbytes(500), step=1000)
        found = frontier.want(url, priority=0, depth=0)
        assert found is not None
        written = warc.write(url, answer, payload_digest(answer), None)
        done = Done("ok", 200, "2024-01-01T00:00:00.000Z", written.serial, written.offset, written.length, "response")
        frontier.finish(found[0].url_id, done)
        frontier.put("warc", f"{warc.serial} {warc.offset} {warc.info_id}")
        frontier.commit()
        ends.append(warc.offset)
    return frontier, warc, ends


def test_unfinished_record_is_cut_off(tmp_path: Path) -> None:
    frontier, warc, ends = write_pages(tmp_path, 3)
    warc.close()
    with (tmp_path / "o.warc.gz").open("ab") as file:
        file.write(gzip.compress(b"WARC/1.1 half a record")[:15])
    again = WarcOut(tmp_path / "o.warc.gz", rotate=1 << 30, info={})
    notes: list[str] = []
    recover(frontier, again, notes.append)

    assert again.offset == ends[-1] == (tmp_path / "o.warc.gz").stat().st_size
    assert notes == ["o.warc.gz: 15 bytes of unfinished records cut off"]
    assert frontier.counts() == {"ok": 3}


@pytest.mark.parametrize("damage", ["cut", "zeroes"])
def test_records_lost_in_a_power_cut_are_fetched_again(tmp_path: Path, damage: str) -> None:
    frontier, warc, ends = write_pages(tmp_path, 5)
    warc.close()
    frontier.put("synced", f"0 {ends[1]}")
    path = tmp_path / "o.warc.gz"
    data = path.read_bytes()
    lost = ends[3] + 40
    path.write_bytes(data[:lost] + (b"" if damage == "cut" else bytes(len(data) - lost)))
    again = WarcOut(path, rotate=1 << 30, info={})
    recover(frontier, again, print)

    assert again.offset == ends[3] == path.stat().st_size
    assert frontier.counts() == {"ok": 3, "wanted": 2}
