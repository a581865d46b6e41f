"""What a crawl tells: how it stands, what it fetched, what it brought."""

from dataclasses import dataclass

__all__ = ["CrawlResult", "Fetched", "Progress"]


@dataclass(frozen=True, slots=True)
class Fetched:
    """One address that has been dealt with, for an algorithm that asked for it."""

    url: str
    outcome: str  # ok, redirect, status, error, robots, ...
    status: int
    location: str | None  # where a redirect leads
    path: str | None  # the WARC file
    offset: int | None
    length: int | None


@dataclass(frozen=True, slots=True)
class Progress:
    """How a crawl stands."""

    pages: int
    queue: int
    under_way: int
    errors: int
    bytes: int
    elapsed: float
    pages_per_second: float
    seconds_left: float | None  # as far as is known: addresses may still be found


@dataclass(frozen=True, slots=True)
class CrawlResult:
    """What a crawl has brought."""

    files: tuple[str, ...]  # WARC files
    pages: int
    counts: dict[str, int]  # how each known address ended; "wanted" is what is left
    bytes: int
    seconds: float
    is_complete: bool  # nothing within the budget is left to fetch
