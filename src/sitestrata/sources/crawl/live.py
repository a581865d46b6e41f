"""One crawl at work: answers in, records and further addresses out.

Everything that follows from one answer (its WARC records, the state of its address, the addresses it leads to, the
end of the WARC) is written in one go: the WARC bytes first, then one transaction. See `frontier.py` for why.
"""

import contextlib
import logging
import time
from collections import deque
from collections.abc import Callable
from typing import Any

from scrapy import Request

from sitestrata import urls
from sitestrata.sources.codings import TooLargeError, UnknownCodingError, undo_codings
from sitestrata.sources.crawl.connect import RefusedAddressError
from sitestrata.sources.crawl.download import IncompleteError
from sitestrata.sources.crawl.frontier import Done, Frontier, Wanted
from sitestrata.sources.crawl.links import LinkReader, PageLinks, decoded_body
from sitestrata.sources.crawl.manners import retry_after
from sitestrata.sources.crawl.message import Answer
from sitestrata.sources.crawl.options import CrawlOptions
from sitestrata.sources.crawl.results import Fetched, Progress
from sitestrata.sources.crawl.robots import MAX_BYTES as MAX_ROBOTS
from sitestrata.sources.crawl.robots import Robots, parse_robots
from sitestrata.sources.crawl.scheduler import Scheduler
from sitestrata.sources.crawl.scope import Scope
from sitestrata.sources.crawl.sitemap import parse_sitemap
from sitestrata.sources.crawl.traps import Traps, refuse_by_shape
from sitestrata.sources.crawl.warc_out import Original, WarcOut, payload_digest, warc_date

__all__ = ["Crawl"]

LOG = logging.getLogger("sitestrata.crawl")
ROBOTS_REDIRECTS = 5  # RFC 9309 2.3.1.2
SYNC_EVERY = 5.0  # seconds between two points that survive a power cut
HANG_UP_PAUSE = 15.0  # seconds to let a server notice that we no longer listen to an endless answer
SILENCE_PAUSE = 30.0  # seconds to let a server finish with a request that it has not answered in time
MAX_CHAIN = 3  # pages in a row with the same content whose links are followed
MAX_SITEMAP = 50 << 20  # bytes, decoded; sitemaps.org
MAX_SITEMAP_DEPTH = 3
_BUSY = frozenset({408, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524})  # worth another try
_REDIRECTS = frozenset({301, 302, 303, 307, 308})


class Crawl:
    """The state of one crawl and what happens on every answer."""

    def __init__(
        self,
        frontier: Frontier,
        warc: WarcOut,
        options: CrawlOptions,
        *,
        on_fetched: Callable[[Fetched], None] | None = None,
        on_note: Callable[[str], None] = lambda note: None,  # noqa: ARG005
    ) -> None:
        self.frontier = frontier
        self.options = options
        self.scheduler = Scheduler(frontier, options)
        self.scheduler.refuse = self._refuse
        self.scheduler.on_aside = self._tell
        self.errors = 0
        self._warc = warc
        self._scope = Scope(options)
        self._traps = Traps(frontier)
        self._reader = LinkReader(with_nofollow=options.follow_nofollow)
        self._on_fetched = on_fetched
        self._note = on_note
        self._synced_at = time.monotonic()
        self._began = time.monotonic()
        self._headers = {
            "User-Agent": options.agent,
            "Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
            "Accept-Encoding": "gzip, deflate, br, zstd",
        }
        if options.contact and "@" in options.contact:
            self._headers["From"] = options.contact
        self._urgent: deque[Request] = deque()
        self._recent: list[tuple[float, int]] = []
        for text in (frontier.get("scope") or "").split():
            self._scope.add_seed(text)
        self.scheduler.pages = int(frontier.get("pages") or 0)
        self.scheduler.bytes = int(frontier.get("bytes") or 0)

    # -- addresses in

    def add_seeds(self, seeds: list[str]) -> None:
        """Begin at some addresses (in canonical form)."""
        for seed in seeds:
            self._extend_scope(seed)
            self.ask(seed, priority=0.0, depth=0, kind="seed")
        self.frontier.commit()

    def ask(self, url: str, *, priority: float, depth: int, hops: int = 0, kind: str = "page", **more: int) -> bool:
        """Want an address; tell whether it was new."""
        found = self.frontier.want(url, priority=priority, depth=depth, hops=hops, kind=kind, **more)
        if found is None:
            return False
        wanted, is_new = found
        if is_new:
            self.scheduler.add(wanted)
        else:
            self.scheduler.moved(wanted)
        return is_new

    def take_wants(self, wants: list[tuple[str, float]]) -> None:
        """Take what an algorithm asks for; what has been dealt with before is answered at once."""
        for text, priority in wants:
            url = _without_user(urls.normalise(text))
            known = None if url is None else self.frontier.done(url)
            if url is None:
                self._tell(text, "bad address")
            elif url != text:  # whoever asked waits for the address as spelled
                self._tell(text, "redirect", Done("redirect", location=url))
            elif known is not None:
                self._tell(url, known[0].outcome, known[0])
            elif self.options.traps and (reason := refuse_by_shape(url)):
                self._tell(url, reason)
            else:
                self.ask(url, priority=-priority, depth=0)
        self.frontier.commit()
        self.scheduler.wake()

    # -- requests out

    def next_request(self) -> Request | None:
        """Return the next request for Scrapy's engine."""
        if self.options.max_time is not None and time.monotonic() - self._began > self.options.max_time:
            self.scheduler.stop()
        if self._urgent:
            return self._urgent.popleft()
        found = self.scheduler.next()
        if found is None:
            self.frontier.commit()
            return None
        if isinstance(found, str):
            return self._request(found + "robots.txt", {"origin": found, "hop": 0, "max_body": MAX_ROBOTS + 1024})
        return self._request(found.url, {"wanted": found})

    def _request(self, url: str, meta: dict[str, Any]) -> Request:
        meta |= {"address": url, "host": urls.host(url)}
        return Request(url, headers=self._headers, meta=meta, dont_filter=True, errback=self.on_error)

    # -- answers in

    @property
    def has_pending(self) -> bool:
        """Whether anything may still be fetched."""
        return bool(self._urgent) or self.scheduler.has_pending()

    def on_answer(self, response: Any) -> None:
        """Deal with an answer."""
        request: Request = response.request
        answer: Answer = request.meta["answer"]
        with contextlib.closing(answer.body):
            if "origin" in request.meta:
                self._robots_answered(request, answer)
                return
            wanted: Wanted = request.meta["wanted"]
            try:
                self._page_answered(wanted, answer)
            except Exception as error:  # one page that breaks us must not hold up the rest
                LOG.exception("cannot deal with %s", wanted.url)
                self.errors += 1
                self.frontier.finish(wanted.url_id, Done("error", answer.status, media_type=repr(error)[:200]))
                self._commit()
                self._tell(wanted.url, "error")

    def on_error(self, failure: Any) -> None:
        """Deal with a request that got no answer."""
        request: Request = failure.request
        error = failure.value
        detail = f"{type(error).__name__}: {error}"
        is_refused = isinstance(error, RefusedAddressError)
        if isinstance(error, IncompleteError) and error.is_ours:
            self.scheduler.hold(request.meta["host"], self._pause(SILENCE_PAUSE))
        self.scheduler.release(request.meta["host"], None, is_trouble=not is_refused)
        if "origin" in request.meta:
            # A refused address is no trouble of the server: its pages are refused one by one.
            self._learn(request.meta["origin"], Robots() if is_refused else None, 0, b"")
            return
        wanted: Wanted = request.meta["wanted"]
        if not is_refused and wanted.attempts < self.options.retries and not self.scheduler.is_ending:
            self.scheduler.add(self.frontier.retry(wanted))
        else:
            self.errors += 1
            outcome = "refused address" if is_refused else "error"
            self.frontier.finish(wanted.url_id, Done(outcome, media_type=detail[:200]))
            self._tell(wanted.url, outcome)
            self._note(f"{outcome}: {wanted.url}: {detail}")
        self.frontier.commit()

    def _page_answered(self, wanted: Wanted, answer: Answer) -> None:
        is_busy = answer.status in _BUSY
        is_cut = answer.truncated in ("time", "disconnect")
        wait = retry_after(answer.header("retry-after")) if answer.status in (429, 503) else None
        if answer.truncated in ("length", "time"):
            # We hung up: the server may be busy with the answer until it notices.
            pause = SILENCE_PAUSE if answer.truncated == "time" else HANG_UP_PAUSE
            self.scheduler.hold(urls.host(wanted.url), self._pause(pause))
        is_trouble = is_cut or answer.status in (429, 503)  # other errors may be those of one page
        self.scheduler.release(urls.host(wanted.url), answer.latency, wait=wait, is_trouble=is_trouble)
        self.scheduler.bytes += answer.size
        if (is_busy or is_cut) and wanted.attempts < self.options.retries:
            self.scheduler.add(self.frontier.retry(wanted))
            self.frontier.commit()
            return
        done = self._write(wanted, answer)
        if done.outcome == "ok":
            self.scheduler.pages += 1
        elif done.outcome != "redirect":
            self.errors += answer.status >= 500 or answer.status == 0
        self.frontier.finish(wanted.url_id, done)
        if done.location:
            self._follow_redirect(wanted, done.location)
        elif done.outcome == "ok":
            self._read(wanted, answer)
        self._commit()
        self._tell(wanted.url, done.outcome, done)

    def _pause(self, seconds: float) -> float:
        # In step with the option for trouble of all kinds, whose default is one second.
        return seconds * min(self.options.backoff, 1.0)

    def _write(self, wanted: Wanted, answer: Answer) -> Done:
        digest = payload_digest(answer)
        original = None
        if self.options.revisits and answer.size and answer.status == 200 and not answer.truncated:
            known = self.frontier.payload(digest)
            original = Original(*known) if known and known[0] != wanted.url else None
        written = self._warc.write(wanted.url, answer, digest, original)
        date = warc_date(answer.started_at)
        if original is None and answer.size and answer.status == 200:
            self.frontier.remember_payload(digest, wanted.url, date, written.record_id)
        location = None
        outcome = "ok" if 200 <= answer.status < 300 else "status"
        if answer.status in _REDIRECTS and (text := answer.header("location")):
            outcome = "redirect"
            location = _without_user(urls.normalise(text, wanted.url))
        return Done(
            outcome,
            answer.status,
            date,
            written.serial,
            written.offset,
            written.length,
            written.record_type,
            (answer.header("content-type") or "").partition(";")[0].strip().lower()[:100],
            digest,
            answer.size,
            location,
        )

    def _commit(self) -> None:
        frontier = self.frontier
        frontier.put("warc", f"{self._warc.serial} {self._warc.offset} {self._warc.info_id}")
        frontier.put("pages", self.scheduler.pages)
        frontier.put("bytes", self.scheduler.bytes)
        now = time.monotonic()
        if now - self._synced_at > SYNC_EVERY:
            self._warc.sync()
            frontier.put("synced", f"{self._warc.serial} {self._warc.offset}")
            self._synced_at = now
        frontier.commit()

    def _tell(self, url: str, outcome: str, done: Done | None = None) -> None:
        if self._on_fetched is None:
            return
        path = str(self._warc.path(done.serial)) if done and done.serial is not None else None
        self._on_fetched(
            Fetched(
                url,
                outcome,
                done.status if done else 0,
                done.location if done else None,
                path,
                done.offset if done else None,
                done.length if done else None,
            )
        )

    # -- where an answer leads

    def _follow_redirect(self, wanted: Wanted, target: str) -> None:
        if target == wanted.url:
            return
        if wanted.hops >= self.options.max_redirects:
            self._note(f"redirects: more than {self.options.max_redirects} in a row, the last is {wanted.url}")
            return
        if wanted.kind == "seed":
            self._extend_scope(target)  # example.org -> www.example.org: what was asked for has moved
        if self.options.follow and (wanted.kind == "sitemap" or self._scope.holds(target)):
            self._ask_link(target, hops=wanted.hops + 1, depth=wanted.depth, kind=wanted.kind)

    def _read(self, wanted: Wanted, answer: Answer) -> None:
        """Read a page or sitemap and want what it leads to; a page that was asked for is only watched for traps."""
        if not self.options.follow and not self.options.traps:
            return
        limit = MAX_SITEMAP if wanted.kind == "sitemap" else self.options.max_page
        body, fault = decoded_body(answer, max_body=self.options.max_body, limit=limit)
        if fault:
            self._note(f"{fault}: {wanted.url}")
        if wanted.kind == "sitemap":
            self._read_sitemap(wanted, body)
        elif body:
            page = self._reader.read(body, wanted.url, answer)
            if isinstance(page, str):
                self._note(f"{page}: {wanted.url}")
            elif page is not None:
                self._follow_links(wanted, page, answer)

    def _follow_links(self, wanted: Wanted, page: PageLinks, answer: Answer) -> None:
        options = self.options
        if self._traps.observe(wanted.url, page.pieces(), page.links):
            self._note(f"trap: pages like {wanted.url} tell nothing new")
        if not options.follow:
            return
        told = ",".join([page.robots, *answer.all_headers("x-robots-tag")]).lower()
        if options.robots and not options.follow_nofollow and _forbids_following(told, options.token):
            return
        key = page.key()
        chain = wanted.chain + 1 if key == wanted.parent_key else 1
        if options.traps and chain > MAX_CHAIN:
            self._note(f"trap: {wanted.url} repeats the page that leads to it")
            return
        for link in page.links:
            self._ask_link(link, depth=wanted.depth + 1, parent_key=key, chain=chain)

    def _ask_link(self, link: str, *, depth: int, hops: int = 0, kind: str = "page", **more: int) -> None:
        options = self.options
        target = _without_user(link)
        if target is None or (kind != "sitemap" and not self._scope.holds(target)):
            return
        reason = None
        if options.max_depth is not None and depth > options.max_depth:
            reason = "too deep"
        elif options.traps:
            reason = refuse_by_shape(target) or ("trap" if self._traps.is_closed(target) else None)
        if reason:
            self.frontier.put_aside(target, reason, depth=depth)
            return
        self.ask(target, priority=float(depth), depth=depth, hops=hops, kind=kind, **more)

    def _refuse(self, url: str) -> str | None:
        return "trap" if self.options.traps and self._traps.is_closed(url) else None

    def _extend_scope(self, url: str) -> None:
        self._scope.add_seed(url)
        known = (self.frontier.get("scope") or "").split()
        if url not in known:
            self.frontier.put("scope", " ".join([*known, url]))

    # -- robots.txt and sitemaps

    def _robots_answered(self, request: Request, answer: Answer) -> None:
        origin: str = request.meta["origin"]
        status = answer.status
        hop: int = request.meta["hop"]
        if status in _REDIRECTS and answer.header("location"):
            target = _without_user(urls.normalise(answer.header("location") or "", request.meta["address"]))
            if target is not None and hop < ROBOTS_REDIRECTS:
                meta = {"origin": origin, "hop": hop + 1, "max_body": MAX_ROBOTS + 1024}
                follow = self._request(target, meta)
                follow.meta["host"] = request.meta["host"]  # whose turn it is
                self._urgent.append(follow)
                self.scheduler.wake()
                return
            status = 404  # RFC 9309 2.3.1.2: more than five redirects may be taken as unavailable
        is_busy = status >= 500 or status == 429
        wait = retry_after(answer.header("retry-after")) if status in (429, 503) else None
        self.scheduler.release(request.meta["host"], answer.latency, wait=wait, is_trouble=is_busy)
        if is_busy or status == 0:
            self._learn(origin, None, status, b"")
        elif status >= 300:
            self._learn(origin, Robots(), status, b"")
        else:
            body, _ = decoded_body(answer, max_body=MAX_ROBOTS, limit=MAX_ROBOTS)
            self._learn(origin, parse_robots(body), status, body)

    def _learn(self, origin: str, robots: Robots | None, status: int, body: bytes) -> None:
        self.scheduler.learned(origin, robots)
        if robots is None:
            self._note(f"robots.txt of {origin} cannot be had (status {status}): nothing is fetched there for now")
        else:
            if status:
                self.frontier.remember_robots(origin, time.time(), status, body)
            if self.options.sitemaps and self.options.follow:
                for text in robots.sitemaps or (origin + "sitemap.xml",):
                    url = _without_user(urls.normalise(text, origin))
                    if url:
                        self.ask(url, priority=0.5, depth=0, kind="sitemap")
        self.scheduler.wake()
        self.frontier.commit()

    def _read_sitemap(self, wanted: Wanted, body: bytes) -> None:
        if body[:2] == b"\x1f\x8b":
            try:
                body, _ = undo_codings(body, [b"gzip"], limit=MAX_SITEMAP, max_codings=1)
            except (TooLargeError, UnknownCodingError):
                return
        sitemap = parse_sitemap(body)
        for url in sitemap.pages:
            self._ask_link(url, depth=1)
        if wanted.depth < MAX_SITEMAP_DEPTH:
            for url in sitemap.sitemaps:
                self._ask_link(url, depth=wanted.depth + 1, kind="sitemap")

    # -- how it stands

    def progress(self) -> Progress:
        """Return how the crawl stands."""
        scheduler = self.scheduler
        now = time.monotonic()
        self._recent.append((now, scheduler.pages))
        self._recent = self._recent[-60:]
        then, before = self._recent[0]
        rate = (scheduler.pages - before) / (now - then) if now > then else 0.0
        queue = scheduler.queue
        left = queue + scheduler.under_way
        if self.options.max_pages is not None:
            left = min(left, max(0, self.options.max_pages - scheduler.pages))
        seconds = left / rate if rate else None
        if self.options.max_time is not None:
            rest = max(0.0, self.options.max_time - (now - self._began))
            seconds = rest if seconds is None else min(rest, seconds)
        return Progress(
            scheduler.pages, queue, scheduler.under_way, self.errors, scheduler.bytes, now - self._began, rate, seconds
        )


def _forbids_following(told: str, token: str) -> bool:
    """Read X-Robots-Tag and meta robots; a directive may be addressed to one crawler ("otherbot: nofollow")."""
    for part in told.split(","):
        agent, colon, rest = part.partition(":")
        directive = rest if colon else part
        if colon and agent.strip() not in (token.lower(), "robots", "*") and "_" not in agent:
            continue
        if directive.strip() in ("nofollow", "none"):
            return True
    return False


def _without_user(url: str | None) -> str | None:
    """Take user name and password out of an address: credentials never travel from page to page."""
    if url is None or "@" not in url:
        return url
    start = url.find("://") + 3
    end = url.find("/", start)
    return url[:start] + url[start:end].rpartition("@")[2] + url[end:]
