"""The scheduler that Scrapy's engine asks for the next request: frontier, manners and robots.txt in one place.

A host is given out only while it has a free connection and its pause is over, so that no request waits inside the
downloader and one slow host holds up nobody else. Of the hosts that are ready, the one with the most urgent address
comes first. Before the first page of an origin its robots.txt is fetched.
"""

import heapq
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from scrapy import Request
from twisted.internet import reactor

from sitestrata import urls
from sitestrata.sources.crawl.frontier import Frontier, Wanted
from sitestrata.sources.crawl.manners import Pace
from sitestrata.sources.crawl.options import CrawlOptions
from sitestrata.sources.crawl.robots import Robots, parse_robots

__all__ = ["Scheduler", "ScrapyScheduler"]

BUFFER = 64  # addresses of a host held in memory
MAX_SKIPS = 500  # forbidden addresses laid aside in one go
ROBOTS_LIFE = 24 * 3600.0  # seconds; RFC 9309 2.4
ROBOTS_WAITS = (5.0, 15.0, 60.0, 180.0)  # seconds between tries while robots.txt cannot be had (RFC 9309 2.3.1.4)


@dataclass(slots=True)
class _Host:
    key: int
    name: str
    heap: list[tuple[float, int, Wanted]] = field(default_factory=list)  # its first addresses
    tail: tuple[float, int] = (0.0, 0)  # no address outside the heap comes before this one
    wanted: int = 0  # in the frontier, those in the heap included
    under_way: int = 0
    pace: Pace = field(default_factory=Pace)
    ready_at: float = 0.0
    is_waiting: bool = False  # stands in one of the scheduler's two heaps
    is_asking: bool = False  # its robots.txt is under way


@dataclass(slots=True)
class _Origin:
    robots: Robots | None = None
    is_held: bool = False  # robots.txt cannot be had: everything is forbidden (RFC 9309 2.3.1.4)
    expires: float = 0.0
    failures: int = 0
    retry_at: float = 0.0


class Scheduler:
    """Decides which address is fetched next; knows nothing of Scrapy's engine but how to wake it."""

    def __init__(
        self, frontier: Frontier, options: CrawlOptions, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.frontier = frontier
        self.options = options
        self.under_way = 0
        self.pages = 0  # answers with status 2xx so far
        self.bytes = 0
        self.is_open = False  # an algorithm may still ask for more
        self.is_ending = False
        self.wake: Callable[[], None] = lambda: None
        self.refuse: Callable[[str], str | None] = lambda url: None  # noqa: ARG005 - the crawl puts its own here
        self.on_aside: Callable[[str, str], None] = lambda url, reason: None  # noqa: ARG005 - likewise
        self._clock = clock
        self._hosts: dict[int, _Host] = {}
        self._origins: dict[str, _Origin] = {}
        self._ready: list[tuple[float, int, int]] = []  # priority, seq, host
        self._pausing: list[tuple[float, int]] = []  # ready at, host
        self._timer: Any = None
        names = frontier.host_names()
        for key, count in frontier.wanted_counts().items():
            host = self._host(key, names[key])
            host.wanted = count
            self._queue(host)

    # -- what the crawl calls

    @property
    def queue(self) -> int:
        """How many addresses are wanted."""
        return sum(host.wanted for host in self._hosts.values())

    @property
    def is_spent(self) -> bool:
        """Whether a budget is used up."""
        options = self.options
        return (options.max_pages is not None and self.pages >= options.max_pages) or (
            options.max_bytes is not None and self.bytes >= options.max_bytes
        )

    def add(self, wanted: Wanted) -> None:
        """Take an address that the frontier has just accepted."""
        host = self._host(wanted.host, urls.host(wanted.url))
        host.wanted += 1
        place = (wanted.priority, wanted.seq)
        is_all = len(host.heap) + 1 == host.wanted and len(host.heap) < BUFFER
        if is_all or (host.heap and place < host.tail):
            heapq.heappush(host.heap, (*place, wanted))
            if is_all:
                host.tail = max(host.tail, place)
            if len(host.heap) > 4 * BUFFER:
                host.heap = sorted(host.heap)[:BUFFER]
                host.tail = host.heap[-1][:2]
        self._queue(host)

    def moved(self, wanted: Wanted) -> None:
        """Take an address that was wanted already and has become more urgent."""
        host = self._host(wanted.host, urls.host(wanted.url))
        host.heap = []
        self._queue(host)

    def next(self) -> Wanted | str | None:
        """Return the next address to fetch, or the origin whose robots.txt is needed first, or None for now."""
        options = self.options
        if self.is_ending or self.is_spent:
            return None
        if options.max_pages is not None and self.pages + self.under_way >= options.max_pages:
            return None
        now = self._clock()
        skips = 0
        while True:
            while self._pausing and self._pausing[0][0] <= now:
                _, key = heapq.heappop(self._pausing)
                self._hosts[key].is_waiting = False
                self._queue(self._hosts[key])
            if not self._ready:
                self._wake_later(now)
                return None
            _, _, key = heapq.heappop(self._ready)
            host = self._hosts[key]
            host.is_waiting = False
            wanted = self._head(host)
            if wanted is None or host.under_way >= options.per_host or host.is_asking:
                continue
            reason = self.refuse(wanted.url)
            if reason is None and options.robots:
                origin = urls.origin(wanted.url)
                state = self._origin(origin)
                if state.robots is None and not state.is_held:
                    if state.retry_at > now:
                        host.ready_at = state.retry_at
                        self._queue(host)
                        continue
                    host.is_asking = True
                    self._give(host, now)
                    return origin
                if state.is_held:
                    reason = "robots unreachable"
                elif state.robots is not None and not state.robots.allows(wanted.url, options.token):
                    reason = "robots"
            heapq.heappop(host.heap)
            host.wanted -= 1
            if reason is not None:
                self.frontier.lay_aside(wanted.url_id, reason)
                self.on_aside(wanted.url, reason)
                self._queue(host)
                skips += 1
                if skips >= MAX_SKIPS:
                    self._wake_later(now, at_once=True)
                    return None
                continue
            self.frontier.take(wanted.url_id)
            self._give(host, now)
            return wanted

    def release(
        self, host_name: str, latency: float | None, *, wait: float | None = None, is_trouble: bool = False
    ) -> None:
        """Take note that a request has ended, and of how the host fared."""
        now = self._clock()
        host = self._host(self.frontier.host_key(host_name), host_name)
        host.under_way -= 1
        self.under_way -= 1
        if is_trouble:
            host.pace.troubled(now, wait)
        elif latency is not None:
            host.pace.answered(latency)
        host.ready_at = max(host.ready_at, now + host.pace.delay(self.options), host.pace.hold_until)
        self._queue(host)

    def hold(self, host_name: str, seconds: float) -> None:
        """Ask a host for nothing for some time; call it before `release`."""
        pace = self._host(self.frontier.host_key(host_name), host_name).pace
        pace.hold_until = max(pace.hold_until, self._clock() + seconds)

    def learned(self, origin: str, robots: Robots | None) -> None:
        """Take note of a robots.txt, or of the failure to get one (None)."""
        now = self._clock()
        state = self._origin(origin)
        name = urls.host(origin)
        host = self._host(self.frontier.host_key(name), name)
        host.is_asking = False
        if robots is None:
            state.failures += 1
            if state.failures > min(self.options.robots_retries, len(ROBOTS_WAITS)):
                state.is_held = True
            else:
                state.retry_at = now + ROBOTS_WAITS[state.failures - 1]
        else:
            state.robots = robots
            state.expires = now + ROBOTS_LIFE
            host.pace.crawl_delay = max(host.pace.crawl_delay, robots.crawl_delay(self.options.token) or 0.0)
            host.ready_at = max(host.ready_at, now + host.pace.delay(self.options))
        self._queue(host)

    def has_pending(self) -> bool:
        """Tell whether anything may still be fetched."""
        if self.is_ending or self.is_spent:
            return False
        return self.is_open or any(host.wanted for host in self._hosts.values())

    def stop(self) -> None:
        """Give out nothing more."""
        self.is_ending = True
        if self._timer is not None and self._timer.active():
            self._timer.cancel()

    # -- private

    def _host(self, key: int, name: str) -> _Host:
        host = self._hosts.get(key)
        if host is None:
            host = self._hosts[key] = _Host(key, name, pace=Pace(first_backoff=self.options.backoff))
        return host

    def _origin(self, origin: str) -> _Origin:
        state = self._origins.get(origin)
        if state is None:
            state = self._origins[origin] = _Origin()
            kept = self.frontier.robots(origin)
            if kept is not None and time.time() - kept[0] < ROBOTS_LIFE:
                state.robots = parse_robots(kept[2])
                state.expires = self._clock() + ROBOTS_LIFE - (time.time() - kept[0])
                delay = state.robots.crawl_delay(self.options.token) or 0.0
                name = urls.host(origin)
                pace = self._host(self.frontier.host_key(name), name).pace
                pace.crawl_delay = max(pace.crawl_delay, delay)
        elif state.robots is not None and self._clock() > state.expires:
            state.robots = None
        return state

    def _head(self, host: _Host) -> Wanted | None:
        if not host.heap and host.wanted:
            host.heap = [(each.priority, each.seq, each) for each in self.frontier.heads(host.key, BUFFER)]
            if not host.heap:
                host.wanted = 0
            else:
                host.tail = host.heap[-1][:2]
        return host.heap[0][2] if host.heap else None

    def _give(self, host: _Host, now: float) -> None:
        host.under_way += 1
        self.under_way += 1
        if self.options.per_host > 1:
            host.ready_at = now + host.pace.delay(self.options)
            self._queue(host)

    def _queue(self, host: _Host) -> None:
        """Let a host stand where it belongs: among the ready, among the pausing, or nowhere."""
        if host.is_waiting or not host.wanted or host.is_asking or host.under_way >= self.options.per_host:
            return
        if host.ready_at > self._clock():
            heapq.heappush(self._pausing, (host.ready_at, host.key))
        else:
            head = self._head(host)
            if head is None:
                return
            heapq.heappush(self._ready, (head.priority, head.seq, host.key))
        host.is_waiting = True

    def _wake_later(self, now: float, *, at_once: bool = False) -> None:
        if not at_once and not self._pausing:
            return
        wait = 0.0 if at_once else max(0.0, self._pausing[0][0] - now)
        if self._timer is not None and self._timer.active():
            self._timer.cancel()
        self._timer = reactor.callLater(wait, self.wake)


class ScrapyScheduler:
    """Scrapy's scheduler interface over `Scheduler`; the crawl in the settings makes the requests."""

    def __init__(self, crawl: Any) -> None:
        self._crawl = crawl

    @classmethod
    def from_crawler(cls, crawler: Any) -> "ScrapyScheduler":
        """Build from the spider, which carries the crawl."""
        return cls(crawler.spider.crawl)

    def open(self, spider: Any) -> None:
        """Begin."""

    def close(self, reason: str) -> None:  # noqa: ARG002 - Scrapy's signature
        """End."""
        self._crawl.scheduler.stop()

    def has_pending_requests(self) -> bool:
        """Tell whether the crawl goes on."""
        return bool(self._crawl.has_pending)

    def enqueue_request(self, request: Request) -> bool:  # noqa: ARG002 - Scrapy's signature
        """Refuse: addresses enter through the frontier only."""
        return False

    def next_request(self) -> Request | None:
        """Return the next request."""
        request: Request | None = self._crawl.next_request()
        return request
