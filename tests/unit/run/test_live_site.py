"""The site around a page of the live Web: found through a crawl, stopped by itself, and never lost."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from sitestrata.cli import main
from sitestrata.flow.live import LiveSite
from sitestrata.page import PageFacts, read_page
from sitestrata.run.live_site import SiteSearch, search_site
from sitestrata.run.rounds import StoredFetcher
from sitestrata.sample import make_server, make_world
from sitestrata.sample.truth import walk
from sitestrata.sample.web import Capture

pytestmark = pytest.mark.network


@dataclass
class Served:
    """A sample web on loopback."""

    proxy: str
    pages: dict[str, bytes]
    members: dict[str, set[str]]
    copies: set[str]  # second addresses of pages
    asked: Counter[str]
    pause: float = 0.0


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    world = make_world(3, 400, http_only=True)
    asked: Counter[str] = Counter()
    with make_server(world) as server:
        served = Served(f"http://127.0.0.1:{server.server_address[1]}", {}, {}, set(), asked)
        handler: Any = server.RequestHandlerClass
        answer = handler.do_GET

        def counted(self: Any) -> None:
            asked[self.path] += 1
            time.sleep(served.pause)
            answer(self)

        handler.do_GET = counted
        for group in world.groups():
            for site in group.sites:
                urls = {node.url for node in site.nodes if node.captured}
                served.members.setdefault(site.name, set()).update(urls)
                served.copies |= {address for address, kind, _ in site.aliases if kind == "same"}
        served.pages = {e.url: e.body for e in walk(world) if isinstance(e, Capture) and e.status == 200}
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield served
        server.shutdown()
        thread.join()


def largest(served: Served) -> tuple[str, set[str]]:
    """Return the home page of the largest site that has its host for itself, and its pages."""
    for _, urls in sorted(served.members.items(), key=lambda item: (-len(item[1]), item[0])):
        home = min(urls, key=len)
        others = {url for name in served.members for url in served.members[name] if url.startswith(home)}
        if home.count("/") == 3 and others == urls:
            return home, urls
    raise AssertionError("the sample web has no such site")


def find(served: Served, *arguments: object) -> Result:
    fixed = ["site", "--live", "--proxy", served.proxy, "--delay", "0", "--form", "json"]
    return CliRunner().invoke(main, [*fixed, *map(str, arguments)])


@pytest.mark.slow
def test_site_is_found_and_the_search_stops_by_itself(served: Served, tmp_path: Path) -> None:
    home, members = largest(served)
    result = find(served, home, "-o", tmp_path / "site.warc.gz")
    record = json.loads(result.stdout)

    assert 0 == result.exit_code
    assert "complete" == record["stopped"]
    assert members == set(record["chosen"]["pages"]) - served.copies
    assert record["alternatives"][0]["size"] == record["chosen"]["size"]
    assert record["fetched"] <= 2 * len(members)
    assert record["scope"]["surts"]
    assert (tmp_path / "site.warc.gz").stat().st_size > 0


def test_search_over_stored_pages_gives_the_same_answer(served: Served) -> None:
    """The loop does not care where pages come from."""

    def lookup(url: str) -> PageFacts | None:
        return read_page(served.pages[url], url) if url in served.pages else None

    home, members = largest(served)
    answer, _ = search_site(SiteSearch(LiveSite([home])), StoredFetcher(lookup))

    assert members == set(answer["inside"]) - served.copies


@pytest.mark.slow
def test_killed_search_goes_on_and_fetches_nothing_twice(served: Served, tmp_path: Path) -> None:
    home, members = largest(served)
    out = tmp_path / "site.warc.gz"
    command = [sys.executable, "-m", "sitestrata", "site", home, "--live", "--proxy", served.proxy]
    served.asked.clear()
    served.pause = 0.05
    killed = 0
    for share in (0.3, 0.6):
        flags = ["--delay", "0", "-o", str(out), "--resume"]
        search = subprocess.Popen([*command, *flags], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        until = time.monotonic() + 30
        while len(served.asked) < share * len(members) and search.poll() is None and time.monotonic() < until:
            time.sleep(0.01)
        killed += search.poll() is None
        os.kill(search.pid, signal.SIGKILL)
        search.wait()
    served.pause = 0.0
    result = find(served, home, "-o", out, "--resume")

    assert 2 == killed
    assert members == set(json.loads(result.stdout)["chosen"]["pages"]) - served.copies
    assert "complete" == json.loads(result.stdout)["stopped"]
    # What was under way at a kill may have been asked for and not been answered.
    assert sum(count - 1 for count in served.asked.values()) <= killed


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["http://127.0.0.1:9/", "--proxy", ""], "--allow-private"),
        (["http://nowhere.example/"], "answered with an error"),
        (["mailto:someone@example.org"], "is not an http or https address"),
        (["http://a.example/", "--in", "ws"], "not from both"),
        (["http://a.example/", "--resume"], "-o site.warc.gz"),
        (["http://a.example/", "-o", "site.zip"], "must end in .warc.gz"),
        (["http://a.example/", "--keyword", "x"], "--in"),
    ],
)
def test_bad_input_is_told(served: Served, arguments: list[str], reason: str) -> None:
    result = find(served, *arguments)

    assert result.exit_code in (1, 2)
    assert reason in result.stderr.replace("\n", " ")
    assert "Traceback" not in result.stderr


def test_budget_of_one_page_leaves_the_rest_unknown(served: Served) -> None:
    home, _ = largest(served)
    record = json.loads(find(served, home, "--max-pages", 1).stdout)

    assert [home] == record["chosen"]["pages"]
    assert "budget of pages" == record["stopped"]
    assert record["unknown"]
    assert record["warc"] is None


@pytest.mark.slow
def test_time_budget_ends_the_search(served: Served) -> None:
    home, _ = largest(served)
    served.pause = 0.4
    record = json.loads(find(served, home, "--max-time", "2s").stdout)
    served.pause = 0.0

    assert "budget of time" == record["stopped"]
    assert home in record["chosen"]["pages"]


@pytest.mark.slow
def test_paper_profile_searches_by_preflow_push(served: Served) -> None:
    home, _ = largest(served)
    record = json.loads(find(served, home, "--profile", "paper", "--max-pages", 12).stdout)

    assert 12 == record["fetched"]
    assert "on-line preflow-push" == record["chosen"]["criterion"]


@pytest.mark.slow
def test_without_addresses_other_hosts_do_not_hold_up_the_search(served: Served) -> None:
    home, members = largest(served)
    record = json.loads(find(served, home, "--no-url-evidence", "--max-pages", 2 * len(members)).stdout)

    assert len(members & set(record["chosen"]["pages"])) >= 0.8 * len(members)
