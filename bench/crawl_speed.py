"""Pages per second of our crawl and of plain Scrapy against the same local server, run by turns.

    python serve.py docs.warc.gz --port 8099 &
    python bench/crawl_speed.py --proxy http://127.0.0.1:8099 --url http://docs.example/ --pages 1000 --repeat 3

Contenders, all breadth-first, with robots.txt, without delay, with the same number of requests at a time:
  scrapy      Scrapy as it comes: its scheduler and duplicate filter in memory, its LinkExtractor, nothing written
  scrapy+page Scrapy as it comes, but pages are read by `sitestrata.page`: what is left is scheduler and WARC writing
  ours        frontier in SQLite, WARC with digests written, the same page reading
"""

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

CONTENDERS = ("scrapy", "scrapy+page", "ours")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--proxy", required=True)
    parser.add_argument("--url", required=True)
    parser.add_argument("--pages", type=int, default=1000)
    parser.add_argument("--concurrency", type=int, default=8)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--run", choices=CONTENDERS, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.run:
        print(json.dumps(run(arguments)))
        return 0
    rates: dict[str, list[float]] = {name: [] for name in CONTENDERS}
    for turn in range(arguments.repeat):
        order = CONTENDERS[turn % 3 :] + CONTENDERS[: turn % 3]
        for name in order:
            command = [sys.executable, __file__, *sys.argv[1:], "--run", name]
            answer = subprocess.run(command, capture_output=True, text=True, check=True).stdout
            pages, seconds, cpu = json.loads(answer.splitlines()[-1])
            rates[name].append(pages / seconds)
            each = f"{pages / seconds:.1f}/s, {1000 * cpu / pages:.2f} ms CPU a page"
            print(f"{name:12} {pages} pages in {seconds:.1f} s: {each}", flush=True)
    for name in CONTENDERS:
        print(f"{name:12} median {statistics.median(rates[name]):.1f} pages/s")
    for other in ("scrapy", "scrapy+page"):
        ratios = [ours / theirs for ours, theirs in zip(rates["ours"], rates[other], strict=True)]
        print(f"ours / {other}: {statistics.median(ratios):.2f} (least {min(ratios):.2f}, most {max(ratios):.2f})")
    return 0


def run(arguments: Any) -> tuple[int, float, float]:
    return ours(arguments) if arguments.run == "ours" else scrapy(arguments)


def ours(arguments: Any) -> tuple[int, float, float]:
    from sitestrata.sources.crawl.engine import run as crawl
    from sitestrata.sources.crawl.options import CrawlOptions

    options = CrawlOptions(
        proxy=arguments.proxy,
        delay=0,
        backoff=0,
        per_host=arguments.concurrency,
        concurrency=arguments.concurrency,
        max_pages=arguments.pages,
    )
    began: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        cpu = time.process_time()
        result = crawl(
            [arguments.url],
            Path(folder) / "o.warc.gz",
            options,
            on_open=lambda crawl: began.append(time.monotonic()),  # noqa: ARG005
        )
        return result.pages, time.monotonic() - began[0], time.process_time() - cpu


def scrapy(arguments: Any) -> tuple[int, float, float]:
    from urllib.parse import urlsplit

    from scrapy import Request, Spider
    from scrapy.crawler import CrawlerProcess
    from scrapy.linkextractors import LinkExtractor

    host = urlsplit(arguments.url).hostname
    is_ours = arguments.run == "scrapy+page"
    counts = {"pages": 0}

    class Plain(Spider):
        name = "plain"
        extract = LinkExtractor(allow_domains=[host], canonicalize=False)

        async def start(self) -> Any:
            yield Request(arguments.url, meta={"proxy": arguments.proxy})

        def parse(self, response: Any, **_: Any) -> Any:
            counts["pages"] += 1
            if is_ours:
                links = our_links(response)
            elif hasattr(response, "text"):
                links = [link.url for link in self.extract.extract_links(response)]
            else:
                links = []
            for link in links:
                yield Request(link, meta={"proxy": arguments.proxy})

    def our_links(response: Any) -> list[str]:
        from sitestrata import urls
        from sitestrata.page import read_page
        from sitestrata.sources.sniff import is_html, parse_media_type

        media_type, charset = parse_media_type((response.headers.get("Content-Type", b""),))
        if not is_html(media_type, response.body):
            return []
        found = dict.fromkeys(read_page(response.body, response.url, charset=charset).links.address)
        return [link for link in found if urls.host(link) == host]

    process = CrawlerProcess(
        {
            "CONCURRENT_REQUESTS": arguments.concurrency,
            "CONCURRENT_REQUESTS_PER_DOMAIN": arguments.concurrency,
            "DOWNLOAD_DELAY": 0,
            "ROBOTSTXT_OBEY": True,
            "DEPTH_PRIORITY": 1,
            "SCHEDULER_DISK_QUEUE": "scrapy.squeues.PickleFifoDiskQueue",
            "SCHEDULER_MEMORY_QUEUE": "scrapy.squeues.FifoMemoryQueue",
            "CLOSESPIDER_PAGECOUNT": arguments.pages,
            "LOG_LEVEL": "CRITICAL",
            "TELNETCONSOLE_ENABLED": False,
            "COOKIES_ENABLED": False,
            "USER_AGENT": "sitestrata-bench/0.1",
        }
    )
    process.crawl(Plain)
    began, cpu = time.monotonic(), time.process_time()
    process.start()
    return counts["pages"], time.monotonic() - began, time.process_time() - cpu


if __name__ == "__main__":
    sys.exit(main())
