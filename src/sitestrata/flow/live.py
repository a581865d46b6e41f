"""Find a site while crawling it: what to fetch next, and when to stop.

The order is by address: what shares most folders with the start page first. Whether to go on is decided level by level:
when everything known in the accepted prefix is fetched, some pages of the folder above are tried, then of the next one,
and a level is accepted if half of them pass the inside test (`sitestrata.flow.inside`); a folder whose first pages fail
is left out; where hardly anything is known, a folder's own address is tried though nothing links to it; another host
is tried where most of the site's pages link to it. Without addresses the targets of the pages of best standing come
first, and the end is where most of the pages fetched last are not inside.

Nobody is called: `wanted` names a page, `observe` hands its links over.

Paper: Senellart 2.4.2 (the idea; his algorithm is `sitestrata.flow.online`)
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from itertools import islice
from typing import Any

from sitestrata.flow.inside import (
    FOLDER,
    PROBES,
    Incidence,
    Verdict,
    child,
    judge,
    lies_below,
)
from sitestrata.flow.prefixes import levels
from sitestrata.flow.standing import judge_by_standing, site_names, standing_by_name
from sitestrata.flow.titles import title_parts
from sitestrata.urls import host

__all__ = ["LiveOptions", "LiveSite"]

FILES = 3  # files for download with one ending, and no page, after which that ending is left alone
FOREIGN_SHARE = 0.5  # of the inside pages that must link to a host for it to be tried ...
FOREIGN_ADDRESSES = 0.2  # ... or addresses on that host that are known, of the number of inside pages ...
FOREIGN_LEAST = 10 * PROBES  # ... where the site is so large that some tries cost little
FOREIGN_HOSTS = 2  # hosts to try at most
LEAST = 5 * PROBES  # without addresses: pages by which a site is known at all; a bar's may be the first that follow
CLEAR = 2 * PROBES  # ... or, where most of them are inside and nothing promising is left
WINDOW = 3 * PROBES  # without addresses, while there is promise: pages fetched last that tell whether it goes on ...
LONG = 0.4  # ... or this share of all
PATIENCE = 2000  # without addresses: addresses tried after the last page inside; with 100 large sites end early
NOTHING: Mapping[str, str] = {}


@dataclass(frozen=True, slots=True)
class LiveOptions:
    """Budgets, and whether addresses may be used."""

    max_pages: int | None = None
    use_urls: bool = True
    to_budget: bool = False  # go on in the same order after the site's end


class LiveSite:
    """One crawl in search of one site: ``while url := site.wanted(): site.observe(url, links_of(url))``."""

    def __init__(self, starts: Iterable[str], options: LiveOptions | None = None) -> None:
        self.starts = tuple(dict.fromkeys(starts))
        if not self.starts:
            raise ValueError("a site needs at least one start page")
        self.options = options or LiveOptions()
        self._pages: dict[str, tuple[str, ...]] = {}
        self._titles: dict[str, frozenset[str]] = {}
        self._found_at: dict[str, int] = {}  # page -> addresses that had been dealt with before
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
        self._promising: set[str] = set()  # without addresses: probes that pages linking them promise to be inside
        self._is_over = False  # without addresses: the pages fetched last no longer pass
        self._last_inside = 0  # without addresses: addresses that had been dealt with before the last page inside
        self._tried: set[str] = set()
        self._rounds: dict[str, int] = {}  # level -> how often some of its addresses were tried
        for url in self.starts:
            self._hear(url)

    @property
    def pages(self) -> Mapping[str, Sequence[str]]:
        """Return the links of the pages that were found, by the address where they were found."""
        return self._pages

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
        self,
        url: str,
        links: Iterable[str] | None,
        *,
        title: str = "",
        address: str | None = None,
        is_page: bool = True,
    ) -> None:
        """Take in the links of a page.

        Args:
            url: as `wanted` named it.
            links: its targets; None where there is no page.
            title: of the page.
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
        self._found_at[url] = self.fetched
        self._pages[url] = targets
        self._titles[url] = title_parts(title)
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
        if self.options.use_urls:
            verdict = judge(self.starts, self._pages, titles=self._titles)
        else:
            verdict = judge_by_standing(self.starts, self._pages, self._titles, dead=frozenset(self._failed))
        unknown = [url for url in self._heard if self._is_new(url)]
        if self.options.use_urls:
            unknown = [url for url in unknown if any(lies_below(url, prefix) for prefix in verdict.prefixes)]
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
            "titles": [[url, sorted(parts)] for url, parts in self._titles.items()],
            "found_at": [self._found_at[url] for url in self._pages],
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
        site._titles = {url: frozenset(parts) for url, parts in state["titles"]}
        site._found_at = dict(zip(site._pages, state["found_at"], strict=True))
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
                return self._next_aside() if self.options.to_budget else None

    def _next_aside(self) -> str | None:
        """Return the page outside of the accepted part that shares most levels with the start."""
        heapify(self._aside)
        while self._aside and (not self._is_new(self._aside[0][2]) or self._is_file(self._aside[0][2])):
            heappop(self._aside)
        return self._aside[0][2] if self._aside else None

    def _hear(self, url: str) -> None:
        self._heard[url] = len(self._heard)
        if self.options.use_urls:
            own = self._levels_of(self.starts[0])
            shared = sum(mine == theirs for mine, theirs in zip(own, self._levels_of(url), strict=False))
            heappush(self._queue, (-shared, self._heard[url], url))

    def _judge(self) -> None:
        before = self._verdict
        self._verdict = judge(self.starts, self._pages, titles=self._titles, incidence=self._incidence)
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
        return any(lies_below(url, prefix) for prefix in verdict.prefixes) and not any(
            lies_below(url, folder) for folder in verdict.left_out
        )

    def _choose_probes(self) -> list[str]:
        """Choose pages of the next level up, spread over its folders; then of hosts that most inside pages link to."""
        rings = list(reversed(self._levels_of(self.starts[0])))
        for outer in rings:
            if outer in self._tried or outer in self._verdict.prefixes:
                continue
            if not self._is_due(outer):
                continue
            own = f"{self.starts[0].partition('://')[0]}://{outer}"
            ring = self._untried(outer)
            if own not in self._heard and (not ring or len(self._verdict.inside) < PROBES):
                self._hear(own)  # the folder's own address may lead on where no link does
                ring = [own, *ring]
            if ring:
                return _spread(sorted(ring, key=lambda url: url != own), outer)
        for name in self._foreign_hosts():
            if not self._is_due(name):
                continue
            known = [url for url in self._heard if self._is_new(url) and lies_below(url, name)]
            if not known or (self._rounds[name] > 1 and not self._answers(name)):
                self._tried.add(name)
                continue
            return _spread(known, name)
        return []

    def _untried(self, outer: str) -> list[str]:
        """Return the addresses below a level that lie outside of the accepted part and may be pages."""
        known = (url for url in self._heard if self._is_new(url) and lies_below(url, outer))
        return [url for url in known if not self._is_accepted(url) and not self._is_file(url)]

    def _is_due(self, outer: str) -> bool:
        """Tell whether a level is to be tried now: the first time, and again while the addresses tried are no pages."""
        rounds = self._rounds[outer] = self._rounds.get(outer, 0) + 1
        if rounds > 1:
            prefix = self._verdict.prefixes[0]
            found = sum(lies_below(url, outer) and not lies_below(url, prefix) for url in self._pages)
            if rounds > PROBES or found >= PROBES / 2:
                self._tried.add(outer)
                return False
        return True

    def _answers(self, name: str) -> bool:
        """Tell whether some page that was found on another host lists pages that are inside, more than a bar would."""
        inside = self._verdict.inside
        found = [links for url, links in self._pages.items() if lies_below(url, name)]
        return any(len(inside.intersection(links)) >= PROBES for links in found)

    def _foreign_hosts(self) -> list[str]:
        home = self._levels_of(self.starts[0])[0]
        linking: Counter[str] = Counter()
        for url in self._verdict.inside:
            hosts = {self._levels_of(target)[0] for target in self._pages[url]}
            linking.update(host for host in hosts if host != home and host not in self._verdict.prefixes)
        targets = Counter(self._levels_of(url)[0] for url in self._heard)
        tried = [host for host in self._tried if host.count("/") == 1 and host != home]
        inside = len(self._verdict.inside)
        fit = [
            name
            for name, count in linking.items()
            if name not in self._tried
            and (
                count >= FOREIGN_SHARE * inside
                or (inside >= FOREIGN_LEAST and targets[name] >= max(FOREIGN_ADDRESSES * inside, PROBES))
            )
        ]
        return sorted(fit, key=lambda host: (-linking[host], host))[: max(FOREIGN_HOSTS - len(tried), 0)]

    def _wanted_by_walk(self, under_way: Mapping[str, str]) -> str | None:
        """Return the unfetched target that pages of the best standing link, while the last pages are inside."""
        self._probes = [url for url in self._probes if self._is_new(url)]
        # Judged anew with a twentieth more pages, and with a hundredth more where nothing promising is left.
        more = 1.05 if self._promising.intersection(self._probes[:1]) else 1.01
        is_behind = len(self._pages) > self._judged_at and (not self._probes or self._is_barren)
        if is_behind or len(self._pages) > self._judged_at * more:
            found = self._incidence.standing(self.starts)
            names = site_names(self.starts, self._pages, found, self._titles)
            self._verdict = judge_by_standing(self.starts, self._pages, self._titles, standing=found, names=names)
            standing = standing_by_name(self.starts, found, names, self._titles)
            promise = self._incidence.promise(standing)
            fit = (url for url in self._carriers if self._is_new(url) and not self._is_file(url))
            self._probes = sorted(fit, key=lambda url: (-promise[url], self._heard[url]))
            bar = min((standing[url] for url in self._verdict.inside if url not in self.starts), default=0.0)
            self._promising = {url for url in self._probes if promise[url] >= bar}
            self._judged_at = len(self._pages)
            self._last_inside = max((self._found_at[url] for url in self._verdict.inside), default=0)
            is_clear = not self._promising and len(self._verdict.inside) >= FOLDER * len(self._pages)
            self._is_over = len(self._pages) > (CLEAR if is_clear else LEAST) and not self._goes_on()
        if (self._is_over or self._is_barren) and not self.options.to_budget:
            return None
        busy = set(under_way.values())
        return next((url for url in self._probes if host(url) not in busy), None)

    @property
    def _is_barren(self) -> bool:
        """Tell whether nothing inside was found for long; where most links are dead, no pages come that could tell."""
        return self.fetched - self._last_inside > max(PATIENCE, LONG * self.fetched)

    def _goes_on(self) -> bool:
        """Tell whether half of the pages fetched last are inside; one that links nothing fetched cannot answer yet.

        While there is promise many pages are asked, so that those of a bar or of one folder do not end a site.
        """
        inside = self._verdict.inside
        telling = (
            url
            for url in reversed(self._pages)
            if url in inside or any(target in self._pages and target != url for target in self._pages[url])
        )
        last = list(islice(telling, max(WINDOW, int(LONG * len(self._pages))) if self._promising else PROBES))
        return sum(url in inside for url in last) >= FOLDER * len(last)


def _ending(url: str) -> str:
    """Return what follows the last dot of the last folder, in lower case; empty where there is none."""
    name = url.partition("?")[0].rpartition("/")[2]
    return name.rpartition(".")[2].lower() if "." in name else ""


def _spread(urls: Sequence[str], prefix: str) -> list[str]:
    """Take PROBES addresses in turn from the folders below a prefix, first heard first."""
    folders: dict[str, list[str]] = {}
    for url in urls:
        folders.setdefault(child(url, prefix), []).append(url)
    turns = [[group[turn] for group in folders.values() if turn < len(group)] for turn in range(PROBES)]
    return [url for turn in turns for url in turn][:PROBES]
