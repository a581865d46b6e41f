"""Runs a crawl in this process, which becomes a crawler: Twisted's reactor runs once a process.

Programs that have other things to do call `sitestrata.sources.crawl.crawl`, which starts this in a process of its own.
"""

import fcntl
import logging
import os
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from scrapy import Spider
from scrapy.crawler import CrawlerRunner
from twisted.internet import reactor as _reactor
from twisted.internet.task import LoopingCall

from sitestrata import urls
from sitestrata.errors import UsageError, WorkspaceLocked
from sitestrata.sources.crawl.connect import Resolve
from sitestrata.sources.crawl.download import proxy_for
from sitestrata.sources.crawl.frontier import Frontier
from sitestrata.sources.crawl.live import Crawl
from sitestrata.sources.crawl.options import CrawlOptions
from sitestrata.sources.crawl.recovery import recover
from sitestrata.sources.crawl.results import CrawlResult, Fetched, Progress
from sitestrata.sources.crawl.warc_out import WarcOut, stem

__all__ = ["run"]

reactor: Any = _reactor
PROGRESS_EVERY = 1.0  # seconds
LOCK_WAIT = 10.0  # seconds that a resumed crawl waits for a dying one


class _Spider(Spider):
    name = "sitestrata"

    def __init__(self, crawl: Crawl, resolve: Resolve | None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        # Scrapy copies its settings; what its parts must share travels with the spider.
        self.crawl = crawl
        self.resolve = resolve

    async def start(self) -> Any:
        return
        yield

    def parse(self, response: Any, **kwargs: Any) -> None:  # noqa: ARG002 - Scrapy's signature
        self.crawl.on_answer(response)


def run(
    seeds: list[str],
    out: Path,
    options: CrawlOptions,
    *,
    resume: bool = False,
    on_progress: Callable[[Progress], None] | None = None,
    on_note: Callable[[str], None] = lambda note: None,  # noqa: ARG005
    on_fetched: Callable[[Fetched], None] | None = None,
    on_open: Callable[[Crawl], None] | None = None,
    resolve: Resolve | None = None,
) -> CrawlResult:
    """Crawl in this process until nothing is left, a budget is spent or a signal ends it."""
    state = out.with_name(f"{stem(out)}.state")
    seeds = [_seed(seed) for seed in seeds]
    if not resume and (state.exists() or out.exists()):
        raise UsageError(f"{out} exists already: continue it with --resume, or choose another name with -o")
    state.mkdir(parents=True, exist_ok=True)
    began = time.monotonic()
    with _lock(state / "lock"):
        frontier = Frontier(state / "frontier.sqlite")
        info = {"robots": "classic" if options.robots else "ignore", "http-header-user-agent": options.agent}
        if options.operator or options.contact:
            info["operator"] = options.operator or options.contact or ""
        warc = WarcOut(out, rotate=options.rotate, info=info)
        recover(frontier, warc, on_note)
        frontier.reopen()
        crawl = Crawl(frontier, warc, options, on_fetched=on_fetched, on_note=on_note)
        crawl.add_seeds(seeds)
        _tell_proxy(seeds, options, on_note)
        if on_open is not None:
            on_open(crawl)
        try:
            _run_scrapy(crawl, options, on_progress, resolve)
        finally:
            warc.close()
            frontier.put("synced", f"{warc.serial} {warc.offset}")
            counts = frontier.counts()
            frontier.close()
    return CrawlResult(
        files=tuple(str(path) for path in warc.paths()),
        pages=crawl.scheduler.pages,
        counts=counts,
        bytes=crawl.scheduler.bytes,
        seconds=time.monotonic() - began,
        is_complete=not counts.get("wanted") and not counts.get("under way"),
    )


def _run_scrapy(
    crawl: Crawl, options: CrawlOptions, on_progress: Callable[[Progress], None] | None, resolve: Resolve | None
) -> None:
    logging.getLogger("scrapy").setLevel(logging.ERROR)
    logging.getLogger("twisted").setLevel(logging.CRITICAL)
    runner = CrawlerRunner(
        {
            "SCHEDULER": "sitestrata.sources.crawl.scheduler.ScrapyScheduler",
            "DOWNLOAD_HANDLERS": {
                "http": "sitestrata.sources.crawl.download.DownloadHandler",
                "https": "sitestrata.sources.crawl.download.DownloadHandler",
                **dict.fromkeys(("file", "ftp", "s3", "data")),
            },
            "DOWNLOADER_MIDDLEWARES_BASE": {},
            "SPIDER_MIDDLEWARES_BASE": {},
            "EXTENSIONS_BASE": {},
            "CONCURRENT_REQUESTS": options.concurrency,
            "CONCURRENT_REQUESTS_PER_DOMAIN": options.per_host,
            "DOWNLOAD_DELAY": 0,
            "TELNETCONSOLE_ENABLED": False,
            "TWISTED_REACTOR": None,
        }
    )
    crawler = runner.create_crawler(_Spider)

    def wake() -> None:
        slot = getattr(crawler.engine, "_slot", None)
        if slot is not None:
            slot.nextcall.schedule()

    crawl.scheduler.wake = wake
    finished = runner.crawl(crawler, crawl=crawl, resolve=resolve)
    failures: list[Any] = []
    finished.addErrback(failures.append)
    finished.addBoth(lambda _: reactor.stop())
    beat = LoopingCall(_beat, crawl, on_progress, wake)
    beat.start(PROGRESS_EVERY, now=False)
    interrupts = 0

    def interrupt(number: int, frame: Any) -> None:  # noqa: ARG001 - the signal module's signature
        nonlocal interrupts
        interrupts += 1
        if interrupts > 1:
            os._exit(130)  # the state is safe at any moment
        crawl.scheduler.stop()
        reactor.callFromThread(wake)

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, interrupt)
    reactor.run(installSignalHandlers=False)
    if failures:
        failures[0].raiseException()


def _beat(crawl: Crawl, on_progress: Callable[[Progress], None] | None, wake: Callable[[], None]) -> None:
    if on_progress is not None:
        on_progress(crawl.progress())
    wake()


def _seed(text: str) -> str:
    url = urls.normalise(text) or urls.normalise(f"http://{text}")
    if url is None:
        raise UsageError(f"{text!r} is not an http or https address")
    return url


def _tell_proxy(seeds: list[str], options: CrawlOptions, on_note: Callable[[str], None]) -> None:
    for proxy in sorted({found for seed in seeds if (found := proxy_for(seed, options.proxy))}):
        shown = proxy.rpartition("@")[2]
        on_note(f"proxy: {shown} is trusted to resolve names; addresses behind it are not checked here")


class _lock:  # noqa: N801 - used like a function
    """Keeps a second crawl out of the same state."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: int | None = None

    def __enter__(self) -> None:
        self._file = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o644)
        end = time.monotonic() + LOCK_WAIT
        while True:
            with suppress(BlockingIOError):
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return
            if time.monotonic() > end:
                raise WorkspaceLocked(f"another crawl is at work in {self._path.parent}")
            time.sleep(0.1)

    def __exit__(self, *_: object) -> None:
        assert self._file is not None
        os.close(self._file)
