"""The one loop that fetches, with a crawl behind it."""

from pathlib import Path

import pytest

from sitestrata.run.rounds import LiveFetcher, run_rounds
from sitestrata.sources.crawl import CrawlOptions
from support.followers import Follow

from .loopback import serving


@pytest.mark.network
def test_live_pages_arrive_with_their_links_and_redirects_are_followed(tmp_path: Path) -> None:
    options = CrawlOptions(allow_private=True, delay=0.0, proxy="")
    with serving() as site:
        site.page("/", "/old", "/b", "/none")
        site.put("/old", b"", 301, Location="/new")
        site.page("/new", "/b")
        site.page("/b", "/")
        asker = Follow(site.base + "/")
        with LiveFetcher(tmp_path / "o.warc.gz", options) as fetcher:
            result = run_rounds(asker, fetcher)
    found = {page.url.removeprefix(site.base): page for page in asker.seen}

    assert set(found) == {"/", "/old", "/b", "/none"}
    assert found["/old"].address == site.base + "/new"
    assert found["/old"].facts is not None
    assert found["/none"].outcome == "status" and found["/none"].facts is None
    assert result.pages == 3
