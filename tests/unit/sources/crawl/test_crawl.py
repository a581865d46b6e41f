"""Whole crawls of a small website on loopback."""

import gzip
import io
import json
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import pytest
from fastwarc.warc import ArchiveIterator as FastIterator
from warcio.archiveiterator import ArchiveIterator

from sitestrata.errors import UsageError
from sitestrata.sources import find_sources, index_source
from sitestrata.sources.crawl import AskedCrawl, CrawlOptions

from .loopback import Handler, Site, run, serving

pytestmark = pytest.mark.network


def records(path: Path) -> list[tuple[str, str, bytes]]:
    """Read back with warcio, digests checked: type, URL, payload."""
    with path.open("rb") as file:
        return [
            (record.rec_type, record.rec_headers.get_header("WARC-Target-URI") or "", record.content_stream().read())
            for record in ArchiveIterator(file, check_digests="raise")
        ]


def fetched(path: Path, site: Site) -> set[str]:
    return {url.removeprefix(site.base) for kind, url, _ in records(path) if kind in ("response", "revisit")}


def test_every_linked_page_is_fetched_once_and_nothing_else(tmp_path: Path) -> None:
    with serving() as site:
        site.page("/", "/a", "b?x=1", "/gone", "http://elsewhere.example/", "mailto:x@example.org", "javascript:x()")
        site.page("/a", "/", "/a#top", "/c/")
        site.page("/b?x=1", "/a")
        site.page("/c/", "../d")
        site.page("/d")
        site.page("/unlinked")
        result = run(site, tmp_path / "o.warc.gz")

    assert site.counts == {"/robots.txt": 1, "/": 1, "/a": 1, "/b?x=1": 1, "/gone": 1, "/c/": 1, "/d": 1}
    assert result.pages == 5 and result.is_complete
    assert fetched(tmp_path / "o.warc.gz", site) == {"/", "/a", "/b?x=1", "/gone", "/c/", "/d"}


def test_warc_holds_the_bytes_of_the_wire_and_three_readers_agree(tmp_path: Path) -> None:
    page = b"<html><body>" + b"<p>hello</p>" * 50 + b"<a href='/chunked'>c</a><a href='/copy'>d</a></body></html>"
    packed = gzip.compress(page)
    with serving() as site:
        site.put("/", packed, Content_Type="text/html", Content_Encoding="gzip", X_Odd_CASE="Kept")
        site.put("/chunked", b"5\r\nhello\r\n0\r\n\r\n", Transfer_Encoding="chunked", Content_Type="text/plain")
        site.put("/copy", packed, Content_Type="text/html", Content_Encoding="gzip")
        result = run(site, tmp_path / "o.warc.gz")
    path = tmp_path / "o.warc.gz"

    assert result.files == (str(path),)
    kinds = [kind for kind, _, _ in records(path)]
    assert kinds == ["warcinfo", "response", "request", "response", "request", "revisit", "request"]
    with path.open("rb") as file:
        for record in ArchiveIterator(file):
            if record.rec_type == "response" and record.rec_headers.get_header("WARC-Target-URI") == site.base + "/":
                assert record.raw_stream.read() == packed
                assert ("X-Odd-CASE", "Kept") in record.http_headers.headers
                assert record.rec_headers.get_header("WARC-IP-Address") == "127.0.0.1"
            if record.rec_type == "request":
                assert b"(+crawl@example.org)" in record.http_headers.get_header("User-Agent").encode()
    assert all(record.verify_block_digest() for record in FastIterator(path.open("rb"), parse_http=False))
    assert {kind: body for kind, url, body in records(path) if url.endswith("/chunked")}["response"] == b"hello"
    captures = [each for source in find_sources([path]) for each in index_source(source)]
    assert {each.url: each.status for each in captures} == {site.base + p: 200 for p in ("/", "/chunked", "/copy")}


@pytest.mark.slow
def test_redirects_are_followed_within_limits(tmp_path: Path) -> None:
    with serving() as site:
        site.page("/", "/loop/1", "/self", "/chain/20", "/moved")
        for n in (1, 2, 3):
            site.put(f"/loop/{n}", b"", 302, Location=f"/loop/{n % 3 + 1}")
        site.put("/self", b"", 301, Location="/self")
        site.put("/moved", b"", 301, Location="/new#there")
        site.page("/new")
        for n in range(1, 21):
            site.put(f"/chain/{n}", b"", 302, Location=f"/chain/{n - 1}")
        site.page("/chain/0")
        run(site, tmp_path / "o.warc.gz")

    assert site.counts["/new"] == 1
    assert site.counts["/self"] == 1
    assert [site.counts[f"/loop/{n}"] for n in (1, 2, 3)] == [1, 1, 1]
    assert site.counts["/chain/10"] == 1
    assert site.counts["/chain/9"] == 0


@pytest.mark.slow
def test_robots_txt_meta_and_header_are_obeyed(tmp_path: Path) -> None:
    with serving() as site:
        site.put("/robots.txt", b"User-agent: *\nDisallow: /no\nCrawl-delay: 0.3\n", Content_Type="text/plain")
        site.page("/", "/no/1", "/meta", "/header", "/yes")
        site.page("/meta", "/after-meta", head='<meta name="robots" content="noindex, nofollow">')
        site.page("/header", "/after-header", X_Robots_Tag="none")
        site.pages["/yes"] = (200, {"Content-Type": "text/html"}, b'<a rel="nofollow ugc" href="/after-rel">x</a>')
        result = run(site, tmp_path / "o.warc.gz")

    assert site.asked == ["/robots.txt", "/", "/meta", "/header", "/yes"]
    gaps = [later - sooner for sooner, later in zip(site.times[1:], site.times[2:], strict=False)]
    assert min(gaps) > 0.29
    assert result.counts["robots"] == 1


@pytest.mark.slow
def test_unreachable_robots_txt_holds_the_host(tmp_path: Path) -> None:
    with serving() as site:
        site.put("/robots.txt", b"busy", 503)
        site.page("/", "/a")
        result = run(site, tmp_path / "o.warc.gz", max_time=3.0)

    assert set(site.asked) == {"/robots.txt"}
    assert result.pages == 0 and not result.is_complete


@pytest.mark.slow
def test_robots_txt_is_followed_over_five_redirects(tmp_path: Path) -> None:
    with serving() as site:
        site.put("/robots.txt", b"", 301, Location="/r1")
        for n in range(1, 5):
            site.put(f"/r{n}", b"", 302, Location=f"/r{n + 1}")
        site.put("/r5", b"User-agent: sitestrata\nDisallow: /no\n")
        site.page("/", "/no", "/yes")
        site.page("/yes")
        run(site, tmp_path / "o.warc.gz")

    assert site.counts["/no"] == 0
    assert site.counts["/yes"] == 1


@pytest.mark.slow
def test_busy_server_is_asked_again_when_it_says(tmp_path: Path) -> None:
    def flaky(handler: Handler) -> tuple[int, dict[str, str], bytes]:
        if handler.site.counts["/flaky"] < 3:
            return 503, {"Retry-After": "1"}, b"busy"
        return 200, {"Content-Type": "text/html"}, b"<a href='/after'>x</a>"

    with serving() as site:
        site.page("/", "/flaky", "/broken")
        site.pages["/flaky"] = flaky
        site.page("/broken", status=500)
        site.page("/after")
        result = run(site, tmp_path / "o.warc.gz", retries=2)

    assert site.counts["/flaky"] == 3
    assert site.counts["/broken"] == 3
    assert site.counts["/after"] == 1
    tries = [at for at, path in zip(site.times, site.asked, strict=True) if path == "/flaky"]
    assert tries[1] - tries[0] > 0.95 and tries[2] - tries[1] > 0.95
    assert result.counts["status"] == 1


@pytest.mark.slow
def test_cut_reset_endless_and_silent_answers_end(tmp_path: Path) -> None:
    def cut(handler: Handler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Type", "text/html")
        handler.send_header("Content-Length", "10000")
        handler.end_headers()
        handler.wfile.write(b"<a href='/after-cut'>x</a>")
        handler.close_connection = True

    def reset(handler: Handler) -> None:
        handler.close_connection = True

    def endless(handler: Handler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Type", "text/html")
        handler.end_headers()
        handler.close_connection = True
        for _ in range(100_000):
            handler.wfile.write(b"<p>for ever</p>" * 1000)

    def silent(handler: Handler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Length", "100")
        handler.end_headers()
        handler.close_connection = True
        for _ in range(100):
            handler.wfile.write(b"x")
            handler.wfile.flush()
            time.sleep(0.5)

    with serving() as site:
        site.page("/", "/cut", "/reset", "/endless", "/silent", "/last")
        site.pages |= {"/cut": cut, "/reset": reset, "/endless": endless, "/silent": silent}
        site.page("/after-cut")
        site.page("/last")
        result = run(site, tmp_path / "o.warc.gz", retries=0, timeout=3.0, idle_timeout=3.0, max_body=200_000)
    truncated = {}
    with (tmp_path / "o.warc.gz").open("rb") as file:
        for record in ArchiveIterator(file, check_digests="raise"):
            if record.rec_type == "response":
                url = record.rec_headers.get_header("WARC-Target-URI").removeprefix(site.base)
                truncated[url] = record.rec_headers.get_header("WARC-Truncated")
                record.content_stream().read()

    assert truncated["/cut"] == "disconnect"
    assert truncated["/endless"] == "length"
    assert truncated["/silent"] == "time"
    assert truncated["/after-cut"] is None and truncated["/last"] is None
    assert result.counts["error"] == 1


@pytest.mark.slow
def test_traps_take_a_small_part_of_a_crawl(tmp_path: Path) -> None:
    def calendar(handler: Handler) -> tuple[int, dict[str, str], bytes]:
        month = int(handler.path.rpartition("=")[2])
        days = " ".join(f"<a href='/cal?m={month}&d={day}'>{day}</a>" for day in range(1, 29))
        steps = f"<a href='/cal?m={month - 1}'>previous</a> <a href='/cal?m={month + 1}'>next</a>"
        body = f"<h1>Month {month}</h1>{steps} {days}"
        return 200, {"Content-Type": "text/html"}, body.encode()

    def session(handler: Handler) -> tuple[int, dict[str, str], bytes]:
        token = f"{time.monotonic_ns():016x}"
        links = "".join(f"<a href='/s?sid={token}&p={n}'>page {n}</a>" for n in range(5))
        return 200, {"Content-Type": "text/html"}, links.encode()

    def deep(handler: Handler) -> tuple[int, dict[str, str], bytes]:
        return 200, {"Content-Type": "text/html"}, b"<p>Not found, sorry.</p><a href='more/'>x</a><a href='less/'>y</a>"

    with serving() as site:
        site.page("/", "/cal?m=1", "/s?sid=0000000000000000&p=1", "/deep/", *[f"/article/{n}" for n in range(100)])
        for n in range(100):
            words = " ".join(f"word{chr(97 + (n * k) % 26)}{chr(97 + (n + k) % 26)}" for k in range(9))
            site.page(f"/article/{n}", "/", text=words)
        site.pages |= {"/cal": calendar, "/s": session, "/deep/*": deep}
        notes: list[str] = []
        result = run(site, tmp_path / "o.warc.gz", max_pages=600, notes=notes)
    asked = site.counts

    assert sum(n for path, n in asked.items() if path.startswith("/article/")) == 100
    assert sum(n for path, n in asked.items() if path.startswith("/cal")) <= 25
    assert sum(n for path, n in asked.items() if path.startswith("/s?")) <= 15
    assert sum(n for path, n in asked.items() if path.startswith("/deep/")) <= 15
    assert result.is_complete


@pytest.mark.slow
def test_budget_of_pages_is_kept_and_the_rest_resumed(tmp_path: Path) -> None:
    with serving() as site:
        site.page("/", *[f"/p/{chr(97 + n)}" for n in range(20)])
        for n in range(20):
            site.page(f"/p/{chr(97 + n)}")
        first = run(site, tmp_path / "o.warc.gz", max_pages=7)
        with pytest.raises(UsageError, match="--resume"):
            run(site, tmp_path / "o.warc.gz")
        last = run(site, tmp_path / "o.warc.gz", resume=True)

    assert first.pages == 7 and not first.is_complete
    assert last.pages == 21 and last.is_complete
    assert max(n for path, n in site.counts.items() if path != "/robots.txt") == 1
    assert len(fetched(tmp_path / "o.warc.gz", site)) == 21


@pytest.mark.slow
def test_files_rotate_and_are_numbered(tmp_path: Path) -> None:
    with serving() as site:
        site.page("/", *[f"/p/{chr(97 + n)}" for n in range(8)])
        for n in range(8):
            site.page(f"/p/{chr(97 + n)}", text=str(hash(n) * 997))
        result = run(site, tmp_path / "o.warc.gz", rotate=2000)
    names = [Path(name).name for name in result.files]

    assert names[:2] == ["o-00000.warc.gz", "o-00001.warc.gz"]
    assert not (tmp_path / "o.warc.gz").exists()
    seen = [url for name in result.files for kind, url, _ in records(Path(name)) if kind in ("response", "revisit")]
    assert len(seen) == len(set(seen)) == 9
    assert all(records(Path(name))[0][0] == "warcinfo" for name in result.files)


def test_private_address_is_refused(tmp_path: Path) -> None:
    with serving() as site:
        site.page("/")
        result = run(site, tmp_path / "o.warc.gz", allow_private=False)

    assert site.asked == []
    assert result.counts == {"refused address": 1}


@pytest.mark.slow
def test_depth_scope_and_patterns_bound_a_crawl(tmp_path: Path) -> None:
    with serving() as site:
        site.page("/docs/", "/docs/a", "/other", "/docs/skip")
        site.page("/docs/a", "/docs/b")
        site.page("/docs/b", "/docs/c")
        site.page("/docs/c")
        site.page("/docs/skip")
        run(site, tmp_path / "o.warc.gz", "/docs/", scope="prefix", max_depth=2, exclude=("skip",))

    assert set(site.asked) == {"/robots.txt", "/docs/", "/docs/a", "/docs/b"}


@pytest.mark.slow
def test_sitemaps_lead_to_unlinked_pages(tmp_path: Path) -> None:
    with serving() as site:
        site.put("/robots.txt", f"Sitemap: {site.base}/index.xml\n".encode())
        inner = f"<urlset xmlns='x'><url><loc>{site.base}/hidden</loc></url></urlset>".encode()
        index = f"<sitemapindex><sitemap><loc>{site.base}/inner.xml.gz</loc></sitemap></sitemapindex>"
        site.put("/index.xml", index.encode())
        site.put("/inner.xml.gz", gzip.compress(inner))
        site.page("/")
        site.page("/hidden")
        run(site, tmp_path / "o.warc.gz", sitemaps=True)

    assert site.counts["/hidden"] == 1


def test_asked_crawl_fetches_what_it_is_asked_for_and_tells_each_once(tmp_path: Path) -> None:
    options = CrawlOptions(allow_private=True, delay=0.0, proxy="")
    with serving() as site:
        site.put("/robots.txt", b"User-agent: *\nDisallow: /no\n")
        site.page("/a", "/b", "/c")
        site.put("/old", b"", 301, Location="/a")
        with AskedCrawl(tmp_path / "o.warc.gz", options) as asked:
            asked.want([(f"{site.base}{path}", 1.0) for path in ("/a", "/old", "/no", "/missing")])
            told = {}
            for each in asked.fetched():
                told[each.url.removeprefix(site.base)] = each
                if len(told) == 4:
                    asked.want([(f"{site.base}/a", 1.0)])  # known already: told again, not fetched again
                    break
            again = next(asked.fetched())

    assert {path: each.outcome for path, each in told.items()} == {
        "/a": "ok",
        "/old": "redirect",
        "/no": "robots",
        "/missing": "status",
    }
    assert told["/old"].location == f"{site.base}/a"
    assert again.offset == told["/a"].offset is not None
    assert site.counts["/a"] == 1 and site.counts["/b"] == 0
    assert asked.result is not None and asked.result.pages == 1


def test_a_crawl_that_brings_no_page_fails(tmp_path: Path) -> None:
    with serving() as site:
        command = [sys.executable, "-m", "sitestrata", "crawl", site.base + "/gone", "-o", "o.warc.gz"]
        command += ["--allow-private", "--delay", "0", "--proxy", ""]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)

    assert 1 == done.returncode
    assert "No page could be fetched" in done.stderr


@pytest.mark.slow
def test_command_writes_warc_index_and_wacz(tmp_path: Path) -> None:
    with serving() as site:
        site.page("/", "/a")
        site.page("/a")
        command = [sys.executable, "-m", "sitestrata", "crawl", site.base + "/", "-o", "o.warc.gz", "--wacz"]
        command += ["--allow-private", "--delay", "0", "--proxy", ""]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stderr
    assert "2 pages" in done.stderr
    lines = (tmp_path / "o.cdxj").read_text().splitlines()
    assert len(lines) == 2 and lines == sorted(lines)
    place = json.loads(lines[0].split(" ", 2)[2])
    with zipfile.ZipFile(tmp_path / "o.wacz") as pack:
        assert {"archive/o.warc.gz", "indexes/index.cdx", "pages/pages.jsonl", "datapackage.json"} <= set(
            pack.namelist()
        )
        warc = pack.read("archive/o.warc.gz")
    member = warc[int(place["offset"]) : int(place["offset"]) + int(place["length"])]
    with io.BytesIO(member) as file:
        assert next(iter(ArchiveIterator(file))).rec_headers.get_header("WARC-Target-URI") == place["url"]


@pytest.mark.slow
def test_one_host_gets_one_request_at_a_time(tmp_path: Path) -> None:
    def slow(handler: Handler) -> tuple[int, dict[str, str], bytes]:
        time.sleep(0.02)
        return 200, {"Content-Type": "text/html"}, handler.path.encode()

    with serving() as site:
        site.page("/", *[f"/p/{chr(97 + n)}" for n in range(20)])
        site.pages["/p/*"] = slow
        run(site, tmp_path / "o.warc.gz")
        alone = site.most_open
        run(site, tmp_path / "p.warc.gz", per_host=4)

    assert alone == 1
    assert 2 <= site.most_open <= 4
