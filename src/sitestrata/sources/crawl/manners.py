"""How often a host is asked: least delay, Crawl-delay, the server's own pace, Retry-After.

The wait between two requests follows the time the last answer took: a server that answers slowly is asked rarely. A
server that says it is busy (429, 503), or does not answer, is asked half as often each time, and recovers step by step.
"""

from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from sitestrata.sources.crawl.options import CrawlOptions

__all__ = ["Pace", "retry_after"]

LATENCY_FACTOR = 1.0  # wait as long as the last answer took to begin: at most half of the time is spent on one host
LATENCY_FREE = 0.1  # seconds of latency that cost no extra wait
MAX_RETRY_AFTER = 3600.0  # seconds that a Retry-After is obeyed at most


@dataclass(slots=True)
class Pace:
    """When one host may be asked next."""

    crawl_delay: float = 0.0
    first_backoff: float = 1.0  # seconds after the first sign of trouble
    backoff: float = 0.0
    hold_until: float = 0.0  # seconds of the same clock as ``now``
    latency: float = 0.0

    def delay(self, options: CrawlOptions) -> float:
        """Return the seconds between two requests as things stand."""
        adaptive = self.latency * LATENCY_FACTOR if self.latency > LATENCY_FREE else 0.0
        wanted = max(options.delay, adaptive, self.backoff)
        return max(min(wanted, max(options.max_delay, options.delay)), min(self.crawl_delay, options.max_crawl_delay))

    def answered(self, latency: float) -> None:
        """Take note of an answer that shows no trouble."""
        # A moving average: one slow page says little about a server.
        self.latency = latency if not self.latency else 0.7 * self.latency + 0.3 * latency
        self.backoff = 0.0 if self.backoff <= self.first_backoff else self.backoff / 2

    def troubled(self, now: float, wait: float | None) -> None:
        """Take note of a failure, with the seconds the server asked for, if it did."""
        if wait is not None:
            self.hold_until = max(self.hold_until, now + min(wait, MAX_RETRY_AFTER))
        else:
            self.backoff = min(max(self.first_backoff, self.backoff * 2), MAX_RETRY_AFTER)


def retry_after(value: str | None) -> float | None:
    """Read a Retry-After header, in seconds or as a date."""
    if not value:
        return None
    text = value.strip()
    if text.isdigit():
        return float(text[:9])
    try:
        moment = parsedate_to_datetime(text)
    except (ValueError, TypeError, IndexError):
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return max(0.0, (moment - datetime.now(UTC)).total_seconds())
