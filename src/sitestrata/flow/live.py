"""Find a site while crawling it: what to fetch next, when to stop, and what is inside, from the pages fetched so far.

The order is by address: what shares most folders with the start page first. Whether to go on is decided level by level:
when everything known in the accepted prefix is fetched, some pages of the folder above are tried, and the level is
accepted if half of them pass the inside test; a folder whose first pages fail is left out; another host is tried where
most of the site's pages link to it. Without addresses the pages that the walk likes best come first, and the end is
where it likes nothing any more.

The inside test is an *anchored walk* between pages and link targets, fetched or not:

    y(t) = mean of x(u) over the pages u that link t
    x(u) = 0.9 * mean of y(t) over u's targets + 0.1 if u is a start

A page passes if x is at least PASS of the median over the accepted pages. Targets that everybody carries hand on the
mean of everybody, so an organisation's bar cannot join its sites.

`judge` is a pure function of the pages, in no order: what is answered while crawling is what would be answered
afterwards from the same pages. Nobody is called: `wanted` names a page, `observe` hands its links over.

Paper: Senellart 2.4.2 (the idea; his algorithm is `sitestrata.flow.online`)
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from statistics import median
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sitestrata.flow.prefixes import levels
from sitestrata.urls import host

__all__ = ["Incidence", "LiveOptions", "LiveSite", "Verdict", "anchored_walk", "judge"]

PROBES = 8  # pages by which a level, a folder or a host is judged
HALF = 0.5  # share of probes that must pass for a level to be accepted
FOLDER = 0.5  # share below which a folder inside an accepted level is left out
PASS = 0.5  # of the median of the accepted pages
CONTRAST = 0.4  # of the targets shared inside a folder that must be shared with the accepted pages too
ENOUGH = 3  # accepted pages beside the start that make a median
SHARED = 0.3  # of the start's targets, while there are fewer
RETURN = 0.1  # weight of the start pages in the walk
ROUNDS = 15  # of the walk; it contracts by 0.9 a round, and ranks settle much sooner
FILES = 3  # files for download with one ending, and no page, after which that ending is left alone
FOREIGN_SHARE = 0.5  # of the inside pages that must link to a host for it to be tried
FOREIGN_HOSTS = 2  # hosts to try at most

NOTHING: Mapping[str, str] = {}

Pages = Mapping[str, Sequence[str]]


@dataclass(frozen=True, slots=True)
class LiveOptions:
    """Budgets, and whether addresses may be used."""

    max_pages: int | None = None
    use_urls: bool = True


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the fetched pages say: the accepted prefixes, folders left out of them, and the pages inside."""

    prefixes: tuple[str, ...]
    left_out: tuple[str, ...]
    inside: frozenset[str]


class Incidence:
    """Which page carries which targets, as numbers; grows page by page, and is the same whatever the order of pages."""

    def __init__(self, pages: Pages | None = None) -> None:
        self._numbers: dict[str, int] = {}
        self._targets: dict[str, NDArray[np.int64]] = {}
        for url, links in (pages or {}).items():
            self.add(url, links)

    def add(self, url: str, links: Iterable[str]) -> None:
        """Take in a page; it carries itself too."""
        numbers = self._numbers
        found = [numbers.setdefault(target, len(numbers)) for target in dict.fromkeys((url, *links))]
        self._targets[url] = np.array(found, np.int64)

    def walk(self, starts: Iterable[str]) -> dict[str, float]:
        """Return x for every page."""
        names = sorted(self._targets)
        if not names:
            return {}
        # Rows in the order of names: every sum below then has one order, whatever the order of arrival.
        parts = [self._targets[name] for name in names]
        carried = np.array([len(part) for part in parts])
        u, t = np.repeat(np.arange(len(names)), carried), np.concatenate(parts)
        carriers = np.maximum(np.bincount(t, minlength=len(self._numbers)), 1)
        wanted = set(starts)
        anchor = np.array([float(name in wanted) for name in names])
        x = anchor.copy()
        for _ in range(ROUNDS):
            y = np.bincount(t, weights=x[u], minlength=len(self._numbers)) / carriers
            x = (1 - RETURN) * np.bincount(u, weights=y[t], minlength=len(names)) / carried + RETURN * anchor
        return dict(zip(names, x.tolist(), strict=True))


def anchored_walk(pages: Pages, starts: Iterable[str]) -> dict[str, float]:
    """Return x for every page; every page also carries itself as a target."""
    return Incidence(pages).walk(starts)


def judge(starts: Sequence[str], pages: Pages, *, use_urls: bool = True, incidence: Incidence | None = None) -> Verdict:
    """Decide from the fetched pages what is inside, whatever their order."""
    if not any(start in pages for start in starts):
        return Verdict((), (), frozenset())
    x = (incidence or Incidence(pages)).walk(starts)
    if not use_urls:
        return _judge_by_walk(starts, x)
    rings = list(reversed(levels(starts[0])))
    prefix, inside = rings[0], [url for url in sorted(pages) if _below(url, rings[0])]
    inside = sorted({*inside, *(start for start in starts if start in pages)})
    left_out: set[str] = set()
    for outer in rings[1:]:
        ring = [url for url in sorted(pages) if _below(url, outer) and not _below(url, prefix)]
        passing = _passing(starts, pages, x, inside, ring)
        if ring and len(passing) < HALF * len(ring):
            break
        folders: dict[str, list[str]] = {}
        for url in ring:
            folders.setdefault(_child(url, outer), []).append(url)
        failing = {name for name, urls in folders.items() if _fails(urls, passing - _sisters(pages, inside, urls))}
        failing -= {outer}
        left_out |= failing
        inside = sorted({*inside, *(url for url in ring if _child(url, outer) not in failing)})
        prefix = outer
    prefixes = [prefix]
    hosts = Counter(levels(url)[0] for url in pages if not _below(url, rings[-1]))
    home = frozenset(inside)
    for name in sorted(hosts):
        urls = [url for url in sorted(pages) if _below(url, name)]
        answering = sum(not home.isdisjoint(pages[url]) for url in urls)
        if min(answering, len(_passing(starts, pages, x, sorted(home), urls))) >= HALF * len(urls):
            prefixes.append(name)
            inside += urls
    return Verdict(tuple(prefixes), tuple(sorted(left_out)), frozenset(inside))


def _judge_by_walk(starts: Sequence[str], x: Mapping[str, float]) -> Verdict:
    """Take what passes by the median of what passes."""
    ranked = sorted((url for url in x if url not in starts), key=lambda url: (-x[url], url))
    inside = ranked
    for _ in range(ROUNDS):
        bar = PASS * median(x[url] for url in inside) if inside else 0.0
        kept = [url for url in ranked if x[url] >= bar]
        if len(kept) == len(inside):
            break
        inside = kept
    return Verdict((), (), frozenset({*inside, *(start for start in starts if start in x)}))


def _passing(
    starts: Sequence[str], pages: Pages, x: Mapping[str, float], inside: Sequence[str], tested: Sequence[str]
) -> frozenset[str]:
    """Return which pages pass the inside test.

    The start's own x is that of a start, no measure for others; while hardly anything else is accepted, a page passes
    if it shares enough of the start's targets.
    """
    others = [x[url] for url in inside if url not in starts]
    if len(others) >= ENOUGH:
        bar = PASS * median(others)
        return frozenset(url for url in tested if x[url] >= bar)
    own = {target for start in starts for target in pages.get(start, ())}
    passing = set()
    for url in tested:
        targets = set(pages[url])
        if len(own & targets) >= SHARED * max(min(len(own), len(targets)), 1):
            passing.add(url)
    return frozenset(passing)


def _sisters(pages: Pages, inside: Sequence[str], urls: Sequence[str]) -> frozenset[str]:
    """Return pages of one folder whose targets the folder shares much more than the accepted pages do.

    That is the contrast between a sister site, which has its own menu and shares a bar, and a part of the same site.
    """
    if len(urls) < PROBES:
        return frozenset()
    accepted = Counter(target for url in inside for target in pages[url])
    own = Counter(target for url in urls for target in pages[url])
    sisters = set()
    for url in urls:
        targets = set(pages[url])
        near = sum(own[target] - 1 for target in targets) / (len(urls) - 1)
        far = sum(accepted[target] for target in targets) / len(inside)
        if far < CONTRAST * near:
            sisters.add(url)
    return frozenset(sisters)


def _fails(urls: Sequence[str], passing: frozenset[str]) -> bool:
    return len(urls) >= PROBES and sum(url in passing for url in urls) < FOLDER * len(urls)


def _below(url: str, prefix: str) -> bool:
    return url.partition("://")[2].startswith(prefix)


def _ending(url: str) -> str:
    """Return what follows the last dot of the last folder, in lower case; empty where there is none."""
    name = url.partition("?")[0].rpartition("/")[2]
    return name.rpartition(".")[2].lower() if "." in name else ""


def _child(url: str, prefix: str) -> str:
    """Return the folder just below a prefix that an address lies in; the prefix itself for its own pages."""
    depth = prefix.count("/")
    found = levels(url)
    return found[depth] if depth < len(found) else prefix


class LiveSite:
    """One crawl in search of one site: ``while url := site.wanted(): site.observe(url, links_of(url))``."""

    def __init__(self, starts: Iterable[str], options: LiveOptions | None = None) -> None:
        self.starts = tuple(dict.fromkeys(starts))
        if not self.starts:
            raise ValueError("a site needs at least one start page")
        self.options = options or LiveOptions()
        self._pages: dict[str, tuple[str, ...]] = {}
        self._failed: set[str] = set()
        self._moved: dict[str, str] = {}  # address that redirects -> where the page was found
        self._carriers: dict[str, list[str]] = {}  # address not dealt with yet -> pages that link it
        self._kinds: dict[str, list[int]] = {}  # ending of an address -> answers that were pages, and that were not
        self._heard: dict[str, int] = {}
        self._levels: dict[str, list[str]] = {}
        self._incidence = Incidence()
        self._queue: list[tuple[int, int, str]] = []  # accepted or not yet looked at: most shared levels first
        self._aside: list[tuple[int, int, str]] = []  # outside the accepted part, as of the last verdict
        self._verdict = Verdict((), (), frozenset())
        self._judged_at = 0
        self._probes: list[str] = []
        self._tried: set[str] = set()
        for url in self.starts:
            self._hear(url)

    @property
    def fetched(self) -> int:
        """Return how many addresses have been dealt with."""
        return len(self._pages) + len(self._failed)

    @property
    def is_spent(self) -> bool:
        """Tell whether the budget of pages is used up."""
        limit = self.options.max_pages
        return limit is not None and self.fetched >= limit

    @property
    def verdict(self) -> Verdict:
        """Return the last verdict; it lags behind the pages by a quarter of them at most."""
        return self._verdict

    def wanted(self, *, under_way: Mapping[str, str] = NOTHING) -> str | None:
        """Name the page to fetch next; None when the site is complete, a budget is spent, or an answer must come first.

        Args:
            under_way: addresses that were named and not yet observed, with their hosts. By address one page follows
                from the other; without addresses a page of any other host may be fetched meanwhile.
        """
        limit = self.options.max_pages
        if limit is not None and self.fetched + len(under_way) >= limit:
            return None
        for start in self.starts:
            if self._is_new(start):
                return None if start in under_way else start
        if not self._pages or (under_way and self.options.use_urls):
            return None
        return self._wanted_by_address() if self.options.use_urls else self._wanted_by_walk(under_way)

    def observe(
        self, url: str, links: Iterable[str] | None, *, address: str | None = None, is_page: bool = True
    ) -> None:
        """Take in the links of a page.

        Args:
            url: as `wanted` named it.
            links: its targets; None where there is no page.
            address: where the page was found, after redirects; from now on ``url`` means that page.
            is_page: False where something else than a page was there (a file for download).
        """
        carriers = self._carriers.pop(url, [])
        if links is None:
            self._failed.add(url)
            if not is_page:
                self._kinds.setdefault(_ending(url), [0, 0])[1] += 1
            return
        self._kinds.setdefault(_ending(url), [0, 0])[0] += 1
        if address is not None and address != url:
            self._move(url, address, carriers)
            if address in self._pages:
                return
            url = address
            self._failed.discard(url)
        targets = tuple(dict.fromkeys(self._moved.get(target, target) for target in links))
        self._pages[url] = targets
        self._incidence.add(url, targets)
        for target in targets:
            if target not in self._heard:
                self._hear(target)
            if self._is_new(target):
                self._carriers.setdefault(target, []).append(url)

    def _move(self, url: str, address: str, carriers: Sequence[str]) -> None:
        """Let an address stand for another one, wherever it is linked."""
        self._moved[url] = address
        if address not in self._heard:
            self._hear(address)
        self.starts = tuple(dict.fromkeys(address if start == url else start for start in self.starts))
        for page in carriers:
            targets = dict.fromkeys(address if target == url else target for target in self._pages[page])
            self._pages[page] = tuple(targets)
            self._incidence.add(page, targets)

    def answer(self) -> dict[str, list[str]]:
        """Return inside, outside and unknown (heard of, in the accepted prefixes, not fetched)."""
        verdict = judge(self.starts, self._pages, use_urls=self.options.use_urls)
        unknown = [url for url in self._heard if self._is_new(url)]
        if self.options.use_urls:
            unknown = [url for url in unknown if any(_below(url, prefix) for prefix in verdict.prefixes)]
        return {
            "inside": sorted(verdict.inside),
            "outside": sorted(set(self._pages) - verdict.inside),
            "unknown": sorted(unknown),
        }

    def state(self) -> dict[str, Any]:
        """Return what must be kept to go on after a crash."""
        pages = [[url, list(links)] for url, links in self._pages.items()]
        return {
            "starts": list(self.starts),
            "pages": pages,
            "failed": sorted(self._failed),
            "moved": sorted(self._moved.items()),
            "kinds": sorted(self._kinds.items()),
        }

    @classmethod
    def resume(cls, state: Mapping[str, Any], options: LiveOptions | None = None) -> "LiveSite":
        """Go on from a state."""
        site = cls(state["starts"], options)
        site._moved = dict(state["moved"])
        for url, links in state["pages"]:
            site.observe(url, links)
        for url in state["failed"]:
            site.observe(url, None)
        site._kinds = {ending: list(counts) for ending, counts in state["kinds"]}
        return site

    def _is_new(self, url: str) -> bool:
        return url not in self._pages and url not in self._failed and url not in self._moved

    def _is_file(self, url: str) -> bool:
        """Tell whether an address ends as only files for download have ended so far."""
        pages, files = self._kinds.get(_ending(url), (0, 0))
        return pages == 0 and files >= FILES

    def _wanted_by_address(self) -> str | None:
        while True:
            self._probes = [url for url in self._probes if self._is_new(url)]
            if self._probes:
                return self._probes[0]
            # Judged anew when a quarter more pages are there, and whenever the accepted part is exhausted.
            if len(self._pages) >= self._judged_at * 1.25 + 1:
                self._judge()
            if (best := self._nearest()) is not None:
                return best
            self._judge()
            if (best := self._nearest()) is not None:
                return best
            self._probes = self._choose_probes()
            if not self._probes:
                return None

    def _hear(self, url: str) -> None:
        self._heard[url] = len(self._heard)
        if self.options.use_urls:
            own = self._levels_of(self.starts[0])
            shared = sum(mine == theirs for mine, theirs in zip(own, self._levels_of(url), strict=False))
            heappush(self._queue, (-shared, self._heard[url], url))

    def _judge(self) -> None:
        before = self._verdict
        self._verdict = judge(self.starts, self._pages, incidence=self._incidence)
        self._judged_at = len(self._pages)
        if (before.prefixes, before.left_out) != (self._verdict.prefixes, self._verdict.left_out):
            self._queue += self._aside
            self._aside = []
            heapify(self._queue)

    def _levels_of(self, url: str) -> list[str]:
        if url not in self._levels:
            self._levels[url] = levels(url)
        return self._levels[url]

    def _nearest(self) -> str | None:
        """Return the page in the accepted part that shares most levels with the start, first heard first."""
        while self._queue:
            item = self._queue[0]
            if self._is_new(item[2]) and not self._is_file(item[2]):
                if self._is_accepted(item[2]):
                    return item[2]
                self._aside.append(item)
            heappop(self._queue)
        return None

    def _is_accepted(self, url: str) -> bool:
        verdict = self._verdict
        return any(_below(url, prefix) for prefix in verdict.prefixes) and not any(
            _below(url, folder) for folder in verdict.left_out
        )

    def _choose_probes(self) -> list[str]:
        """Choose pages of the next level up, spread over its folders; then of hosts that most inside pages link to."""
        rings = list(reversed(self._levels_of(self.starts[0])))
        for outer in rings:
            if outer in self._tried or outer in self._verdict.prefixes:
                continue
            self._tried.add(outer)
            ring = [url for url in self._heard if self._is_new(url) and _below(url, outer)]
            ring = [url for url in ring if not self._is_accepted(url) and not self._is_file(url)]
            if ring:
                return _spread(ring, outer)
        for name in self._foreign_hosts():
            self._tried.add(name)
            return _spread([url for url in self._heard if self._is_new(url) and _below(url, name)], name)
        return []

    def _foreign_hosts(self) -> list[str]:
        home = self._levels_of(self.starts[0])[0]
        linking: Counter[str] = Counter()
        for url in self._verdict.inside:
            hosts = {self._levels_of(target)[0] for target in self._pages[url]}
            linking.update(host for host in hosts if host != home and host not in self._verdict.prefixes)
        targets = Counter(self._levels_of(url)[0] for url in self._heard)
        tried = [host for host in self._tried if host.count("/") == 1 and host != home]
        fit = [
            host
            for host, count in linking.items()
            if host not in self._tried
            and count >= FOREIGN_SHARE * len(self._verdict.inside)
            and targets[host] >= PROBES
        ]
        return sorted(fit, key=lambda host: (-linking[host], host))[: max(FOREIGN_HOSTS - len(tried), 0)]

    def _wanted_by_walk(self, under_way: Mapping[str, str]) -> str | None:
        """Return the unfetched target with the largest y, until the pages fetched last no longer pass."""
        if len(self._pages) >= self._judged_at * 1.05 + 1:
            x = self._incidence.walk(self.starts)
            sums: dict[str, float] = dict.fromkeys(self._heard, 0.0)
            carriers: Counter[str] = Counter()
            for url, links in self._pages.items():
                for target in links:
                    sums[target] += x[url]
                    carriers[target] += 1
            ranked = [
                (-sums[url] / carriers[url], self._heard[url], url)
                for url in sums
                if carriers[url] and self._is_new(url) and not self._is_file(url)
            ]
            self._probes = [url for _, _, url in sorted(ranked)]
            verdict = self._verdict = _judge_by_walk(self.starts, x)
            last = list(self._pages)[-PROBES:]
            self._judged_at = len(self._pages)
            if len(self._pages) > 2 * PROBES and sum(url in verdict.inside for url in last) < FOLDER * len(last):
                self._probes = []
                return None
        busy = set(under_way.values())
        self._probes = [url for url in self._probes if self._is_new(url)]
        return next((url for url in self._probes if host(url) not in busy), None)


def _spread(urls: Sequence[str], prefix: str) -> list[str]:
    """Take PROBES addresses in turn from the folders below a prefix, first heard first."""
    folders: dict[str, list[str]] = {}
    for url in urls:
        folders.setdefault(_child(url, prefix), []).append(url)
    turns = [[group[turn] for group in folders.values() if turn < len(group)] for turn in range(PROBES)]
    return [url for turn in turns for url in turn][:PROBES]
