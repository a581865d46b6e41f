"""The website around seed pages of the live Web, fetched as it is found.

`sitestrata.flow` decides which page comes next, the one loop (`sitestrata.run.rounds`) fetches it through a crawl, and
what came is described like a site of a workspace. One page of a host is under way at a time: each answer may change
what is wanted next, and a polite crawl asks one host for one page at a time anyway. A host that does not answer holds
up nothing but itself.

Nothing but the crawl's own state is kept. Its frontier holds every answer, and the choice of the next page depends on
the answers alone; so a crawl that was killed is asked again from the start, answers from its files as far as they go,
and goes on.

Paper: Senellart 2.4.2
"""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from sitestrata.errors import SourceError, UsageError
from sitestrata.flow.live import LiveOptions, LiveSite
from sitestrata.flow.network import flow_network
from sitestrata.flow.online import FlowOptions, OnlineFlow
from sitestrata.flow.page_web import columns_to_web
from sitestrata.flow.scales import Candidate, find_site, jaccard
from sitestrata.graph.conductance import conductance
from sitestrata.model import Want
from sitestrata.page import PageFacts
from sitestrata.run.rounds import Fetcher, LiveFetcher, Observed, RoundsResult, run_rounds
from sitestrata.run.site import scales_record, scope_record
from sitestrata.sources.crawl import CrawlOptions
from sitestrata.urls import host, normalise, url_id

__all__ = ["LiveProgress", "SiteSearch", "live_record", "search_site"]

UNDER_WAY = 16  # pages under way at most, each of another host
ROBOTS_RETRIES = 1  # a search has better things to do than to wait for a host that is down
SAME = 1 / 1.2  # Jaccard index from which on two sets are shown as one scale
CRITERION = "inside test of the anchored walk, level by level of the address"
CRITERION_WITHOUT_URLS = "inside test of the anchored walk"
CRITERION_PAPER = "on-line preflow-push"


@dataclass(frozen=True, slots=True)
class LiveProgress:
    """How a search stands."""

    fetched: int  # addresses dealt with
    inside: int  # pages inside as of the last verdict
    address: str  # dealt with last


@dataclass(frozen=True, slots=True)
class _Seen:
    title: str
    links: tuple[str, ...]


@dataclass(slots=True)
class SiteSearch:
    """Stands between a method that chooses pages by address and the loop that fetches them."""

    method: LiveSite | OnlineFlow
    on_progress: Callable[[LiveProgress], None] = lambda _: None
    pages: dict[str, _Seen] = field(default_factory=dict)  # by the address where they were found
    outcomes: dict[str, str] = field(default_factory=dict)  # of every address that was wanted
    _under_way: dict[str, str] = field(default_factory=dict)  # address -> its host

    def wanted(self) -> Sequence[Want]:
        """Ask for the next page, unless one of its host is under way."""
        if isinstance(self.method, LiveSite):
            url = self.method.wanted(under_way=self._under_way)
        else:
            url = None if self._under_way else self.method.wanted()
        if url is None or len(self._under_way) >= UNDER_WAY:
            return []
        self._under_way[url] = host(url)
        return [Want(url, "site", 1.0)]

    def observe(self, page: Observed) -> None:
        """Hand a page over."""
        self._under_way.pop(page.url, None)
        self.outcomes[page.url] = page.outcome
        links = None if page.facts is None else followed_links(page.facts)
        if page.facts is not None and links is not None:
            self.pages.setdefault(page.address, _Seen(page.facts.title or "", links))
        if isinstance(self.method, LiveSite):
            self.method.observe(
                page.url,
                links,
                title=(page.facts.title or "") if page.facts is not None else "",
                address=page.address,
                is_page=page.outcome != "ok" or links is not None,
            )
        elif page.address != page.url:
            self.method.observe(page.url, [page.address])  # a redirect is a link: the page itself comes next
        else:
            self.method.observe(page.url, links or ())
        inside = len(self.method.verdict.inside) if isinstance(self.method, LiveSite) else 0
        self.on_progress(LiveProgress(len(self.outcomes), inside, page.address))


def followed_links(facts: PageFacts) -> tuple[str, ...]:
    """Return where the links of a page lead that its author lets robots follow."""
    told = {word.strip() for word in (facts.robots or "").lower().split(",")}
    if told & {"nofollow", "none"}:
        return ()
    addresses, rels = facts.links.address, facts.links.rel
    pairs = zip(addresses, rels, strict=True)
    return tuple(dict.fromkeys(url for url, rel in pairs if rel is None or "nofollow" not in rel.lower().split()))


def search_site(
    search: SiteSearch, fetcher: Fetcher, *, max_time: float | None = None
) -> tuple[dict[str, list[str]], RoundsResult]:
    """Run a search to its end and return inside, outside and unknown."""
    result = run_rounds(search, fetcher, max_time=max_time)
    return search.method.answer(), result


def live_record(
    seeds: Sequence[str],
    out: str | os.PathLike[str],
    *,
    options: CrawlOptions | None = None,
    resume: bool = False,
    max_pages: int | None = None,
    use_urls: bool = True,
    to_budget: bool = False,
    is_paper: bool = False,
    on_progress: Callable[[LiveProgress], None] = lambda _: None,
    on_note: Callable[[str], None] | None = None,
) -> dict[str, Any]:
    """Find the site around some addresses of the Web and return the record that ``sitestrata site`` prints.

    What is fetched goes to ``out``, a WARC (.warc.gz) that can be mined later; ``resume`` continues it. With
    ``to_budget`` the search does not end where the site ends, but goes on in the same order.
    """
    starts = [_start(seed) for seed in seeds]
    crawl = replace(options or CrawlOptions(), robots_retries=ROBOTS_RETRIES)
    method: LiveSite | OnlineFlow = (
        OnlineFlow(starts, FlowOptions(max_pages=max_pages))
        if is_paper
        else LiveSite(starts, LiveOptions(max_pages=max_pages, use_urls=use_urls, to_budget=to_budget))
    )
    search = SiteSearch(method, on_progress)
    with LiveFetcher(Path(out), crawl, resume=resume, on_note=on_note) as fetcher:
        answer, result = search_site(search, fetcher, max_time=crawl.max_time)
    if not search.pages:
        raise SourceError(_why_nothing(starts[0], search.outcomes.get(starts[0], "no answer in time")))
    is_full = method.is_spent if isinstance(method, LiveSite) else max_pages is not None and result.asked >= max_pages
    record = _record(search, answer, use_urls=use_urls)
    criterion = CRITERION_PAPER if is_paper else CRITERION if use_urls else CRITERION_WITHOUT_URLS
    record["chosen"]["criterion"] = criterion
    record["stopped"] = "budget of time" if result.is_spent else "budget of pages" if is_full else "complete"
    record["failed"] = {url: outcome for url, outcome in sorted(search.outcomes.items()) if outcome != "ok"}
    record["warc"] = str(out)
    return record


def _record(search: SiteSearch, answer: dict[str, list[str]], *, use_urls: bool) -> dict[str, Any]:
    """Describe what is inside with the scales that the fetched pages show beside it."""
    urls = sorted(search.pages)
    number = {url: url_id(url) for url in urls}
    source = [number[url] for url in urls for _ in search.pages[url].links]
    target = [url_id(link) for url in urls for link in search.pages[url].links]
    titles = [search.pages[url].title for url in urls]
    web = columns_to_web([number[url] for url in urls], urls, source, target, titles=titles)
    position = {url: page for page, url in enumerate(web.urls)}
    network = flow_network(web, use_urls=use_urls)
    inside = np.array(sorted(position[url] for url in answer["inside"] if url in position), np.int64)
    starts = search.method.starts if isinstance(search.method, LiveSite) else search.method.seeds
    found = find_site(
        network, [position[url] for url in starts if url in position] or inside[:1], evidence={"live": [inside]}
    )
    near = [scale for scale in found.chain if jaccard(scale.pages, inside) >= SAME]
    low, high = (min(s.scale for s in near), max(s.upper for s in near)) if near else (0.0, 0.0)
    closure = network.prefixes.closure(inside) if network.prefixes is not None else 0.0
    chosen = Candidate(inside, low, high, conductance(network.graph, inside), 0.0, closure, {"live": 1.0})
    others = [scale for scale in found.ranked if jaccard(scale.pages, inside) < SAME]
    record = scales_record(network, [chosen, *others], found)
    record |= {"outside": answer["outside"], "unknown": answer["unknown"], "fetched": len(search.outcomes)}
    if network.prefixes is not None:
        record["scope"] = scope_record(network, inside, found.seeds.tolist())
    return record


def _start(seed: str) -> str:
    url = normalise(seed)
    if url is None and not set(seed) & {"@", "/"}:
        url = normalise(f"http://{seed}")  # example.org
    if url is None:
        raise UsageError(f"{seed!r} is not an http or https address")
    return url


def _why_nothing(url: str, outcome: str) -> str:
    reasons = {
        "refused address": "it lies in a private network; add --allow-private if that is meant",
        "robots": "its robots.txt forbids it",
        "robots unreachable": "its robots.txt cannot be had",
        "status": "the server answered with an error",
        "error": "there was no answer",
        "ok": "it is no HTML page",
    }
    return f"{url} cannot be the start of a site: {reasons.get(outcome, outcome)}"
