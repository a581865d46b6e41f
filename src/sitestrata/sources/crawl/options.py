"""What a crawl is asked to do."""

import dataclasses
import json
from dataclasses import dataclass
from typing import Any

__all__ = ["DEFAULT_AGENT", "PRODUCT_TOKEN", "CrawlOptions"]

PRODUCT_TOKEN = "sitestrata"  # noqa: S105 - RFC 9309 2.2.1, no secret
DEFAULT_AGENT = "sitestrata/0.1"
MEBI = 1 << 20


@dataclass(frozen=True, slots=True)
class CrawlOptions:
    """Options of one crawl; the flags of ``sitestrata crawl`` carry the same names."""

    scope: str = "host"  # host, domain, prefix, any
    surts: tuple[str, ...] = ()  # SURT prefixes; where given they are the scope
    max_pages: int | None = None  # answers with status 2xx
    max_depth: int | None = None  # links from a seed
    max_time: float | None = None  # seconds
    max_bytes: int | None = None  # of bodies as received
    sitemaps: bool = False
    include: tuple[str, ...] = ()  # regular expressions; one must match, if there are any
    exclude: tuple[str, ...] = ()  # regular expressions; none may match
    user_agent: str = DEFAULT_AGENT
    contact: str | None = None  # e-mail or URL, goes into the user agent
    proxy: str | None = None  # None: what the environment says; "": none
    per_host: int = 1
    concurrency: int = 16
    delay: float = 0.5  # least seconds between two requests to one host
    backoff: float = 1.0  # seconds added after a first sign of trouble, doubled after each further one
    max_delay: float = 30.0  # of the adaptive delay
    max_crawl_delay: float = 300.0  # of what robots.txt asks for
    robots: bool = True
    robots_retries: int = 4  # further tries for a robots.txt that cannot be had, ever later
    follow_nofollow: bool = False
    allow_private: bool = False
    insecure: bool = False  # accept any certificate
    timeout: float = 120.0  # seconds for one answer
    idle_timeout: float = 30.0  # seconds without a byte
    retries: int = 2
    max_redirects: int = 10  # in one chain
    max_body: int = 32 * MEBI  # bytes of one answer that are kept
    max_page: int = 16 * MEBI  # bytes of one decoded page that are read for links
    revisits: bool = True  # write a revisit record for a payload that was archived before
    rotate: int = 1024 * MEBI  # bytes of one WARC file
    traps: bool = True  # leave groups of addresses that tell nothing new
    follow: bool = True  # follow links; False: only what is asked for
    operator: str | None = None  # who crawls, for the warcinfo record

    @property
    def agent(self) -> str:
        """The User-Agent header."""
        return f"{self.user_agent} (+{self.contact})" if self.contact else self.user_agent

    @property
    def token(self) -> str:
        """The product token that robots.txt addresses."""
        return self.user_agent.partition("/")[0].partition(" ")[0] or PRODUCT_TOKEN

    def to_json(self) -> str:
        """Return the options as one line of JSON."""
        return json.dumps(dataclasses.asdict(self), sort_keys=True)

    @classmethod
    def from_json(cls, text: str) -> "CrawlOptions":
        """Read what `to_json` wrote."""
        data: dict[str, Any] = {}
        for key, value in json.loads(text).items():
            data[key] = tuple(value) if isinstance(value, list) else value
        return cls(**data)
