"""The one loop that fetches: an algorithm asks for pages, the loop gets them and hands them over.

Two methods decide while they run which page they need next: the on-line flow (Senellart 2.4.2) and the expansion of a
taxonomy (OntoMiner 5.5). Neither knows a crawler. They answer `wanted` and take `observe`; this loop stands between
them and whatever can get a page: a crawl (`LiveFetcher`) or a collection that is there already (`StoredFetcher`).

Paper: Senellart 2.4.2
Paper: OntoMiner 5.5
"""

import time
import zlib
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import TracebackType
from typing import Protocol, Self

from sitestrata.model import Want
from sitestrata.page import PageFacts, UnusablePageError, read_page
from sitestrata.sources.answers import decode_body, parse_answer
from sitestrata.sources.codings import TooLargeError, UnknownCodingError
from sitestrata.sources.crawl import AskedCrawl, CrawlOptions, Fetched
from sitestrata.sources.limits import Limits
from sitestrata.sources.sniff import is_html, parse_media_type

__all__ = ["Asker", "Fetcher", "LiveFetcher", "Observed", "RoundsResult", "StoredFetcher", "run_rounds"]

MAX_REDIRECTS = 10
MAX_UNDER_WAY = 64  # addresses asked for and not yet observed


@dataclass(frozen=True, slots=True)
class Observed:
    """What became of one wanted address."""

    url: str  # as wanted
    address: str  # where the page was found: another one after redirects
    outcome: str  # ok, status, error, robots, ...
    facts: PageFacts | None  # the page, if there was one


class Asker(Protocol):
    """An algorithm that chooses which page comes next."""

    def wanted(self) -> Sequence[Want]:
        """Return the pages to fetch now, in any order, each once; nothing while it waits, or when it has finished."""
        ...

    def observe(self, page: Observed) -> None:
        """Take what became of a wanted page."""
        ...


class Fetcher(Protocol):
    """Something that can get pages."""

    def want(self, wants: Sequence[Want]) -> None:
        """Begin to get some pages."""
        ...

    def observed(self) -> Iterator[Observed]:
        """Yield what became of wanted pages, as it comes."""
        ...


@dataclass(frozen=True, slots=True)
class RoundsResult:
    """How a run of the loop ended."""

    asked: int
    pages: int
    seconds: float
    is_spent: bool  # a budget ended it, not the algorithm


def run_rounds(
    asker: Asker,
    fetcher: Fetcher,
    *,
    max_pages: int | None = None,
    max_time: float | None = None,
    max_under_way: int = MAX_UNDER_WAY,
    clock: Callable[[], float] = time.monotonic,
) -> RoundsResult:
    """Fetch what is wanted and hand it over until nothing is wanted or a budget is spent.

    Invariant: every address that was asked for and not yet observed is in ``under_way``; an address is asked for once.
    """
    began = clock()
    under_way: set[str] = set()
    known: set[str] = set()
    waiting: list[Want] = []
    stream = fetcher.observed()
    pages = 0
    while True:
        is_spent = (max_pages is not None and pages >= max_pages) or (
            max_time is not None and clock() - began >= max_time
        )
        if is_spent:
            return RoundsResult(len(known), pages, clock() - began, is_spent=True)
        waiting += [want for want in asker.wanted() if want.url not in known]
        waiting.sort(key=lambda want: (-want.priority, want.url))
        room = max_under_way - len(under_way)
        if max_pages is not None:
            room = min(room, max_pages - pages - len(under_way))
        batch = [want for want in _each_once(waiting) if want.url not in known][: max(0, room)]
        sent = {want.url for want in batch}
        waiting = [want for want in waiting if want.url not in sent]
        if batch:
            known |= sent
            under_way |= sent
            fetcher.want(batch)
        if not under_way:
            return RoundsResult(len(known), pages, clock() - began, is_spent=False)
        found = next(stream, None)
        if found is None:  # the fetcher has come to an end of its own: a budget of the crawl
            return RoundsResult(len(known), pages, clock() - began, is_spent=True)
        under_way.discard(found.url)
        pages += found.facts is not None
        asker.observe(found)


class StoredFetcher:
    """Gets pages from a collection, through a function that knows it."""

    def __init__(self, lookup: Callable[[str], PageFacts | None]) -> None:
        self._lookup = lookup
        self._queue: deque[str] = deque()

    def want(self, wants: Sequence[Want]) -> None:
        """Queue addresses."""
        self._queue.extend(want.url for want in wants)

    def observed(self) -> Iterator[Observed]:
        """Yield page after page, in the order asked for."""
        while self._queue:
            url = self._queue.popleft()
            facts = self._lookup(url)
            yield Observed(url, facts.url if facts else url, "ok" if facts else "status", facts)


class LiveFetcher:
    """Gets pages by a crawl of its own, which writes a WARC as it goes."""

    def __init__(
        self,
        out: Path,
        options: CrawlOptions | None = None,
        *,
        resume: bool = False,
        on_note: Callable[[str], None] | None = None,
        limits: Limits | None = None,
    ) -> None:
        # Pages are read back by their place: a revisit record would hold no body.
        self._crawl = AskedCrawl(
            out, replace(options or CrawlOptions(), revisits=False), resume=resume, on_note=on_note
        )
        self._limits = limits or Limits()
        self._askers: dict[str, list[str]] = {}  # address under way -> addresses as wanted
        self._hops: dict[str, int] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._crawl.close()

    def want(self, wants: Sequence[Want]) -> None:
        """Ask the crawl for addresses."""
        for want in wants:
            self._askers.setdefault(want.url, []).append(want.url)
        self._crawl.want([(want.url, want.priority) for want in wants])

    def observed(self) -> Iterator[Observed]:
        """Yield what the crawl brings; redirects are followed."""
        for fetched in self._crawl.fetched():
            askers = self._askers.pop(fetched.url, [])
            hops = self._hops.get(fetched.url, 0)
            target = fetched.location
            if target and askers and hops < MAX_REDIRECTS:
                is_new = target not in self._askers
                self._askers.setdefault(target, []).extend(askers)
                self._hops[target] = hops + 1
                if is_new:
                    self._crawl.want([(target, 0.0)])
                continue
            facts = read_fetched(fetched, self._limits) if fetched.outcome == "ok" else None
            for url in askers:
                yield Observed(url, fetched.url, fetched.outcome, facts)


def read_fetched(fetched: Fetched, limits: Limits) -> PageFacts | None:
    """Read the page of a record that a crawl has just written; None if it is no page."""
    if fetched.path is None or fetched.offset is None or fetched.length is None:
        return None
    path = Path(fetched.path)
    if not path.exists():  # a full first file is renamed
        path = path.with_name(f"{path.name.removesuffix('.warc.gz')}-00000.warc.gz")
    with path.open("rb") as file:
        file.seek(fetched.offset)
        record = zlib.decompressobj(31).decompress(file.read(fetched.length), limits.max_kept)
    block = record.partition(b"\r\n\r\n")[2].removesuffix(b"\r\n\r\n")
    answer = parse_answer(block, max_header=limits.max_header)
    if answer is None:
        return None
    media_type, charset = parse_media_type(tuple(answer.fields.get(b"content-type", ())))
    try:
        body, _ = decode_body(answer, block[answer.body_start :], limits)
        return read_page(body, fetched.url, charset=charset) if is_html(media_type, body) else None
    except (TooLargeError, UnknownCodingError, UnusablePageError):
        return None


def _each_once(wants: Sequence[Want]) -> list[Want]:
    return list({want.url: want for want in reversed(wants)}.values())[::-1]
