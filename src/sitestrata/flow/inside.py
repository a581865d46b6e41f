"""Which of some fetched pages are inside a site: the test that a crawl in search of the site relies on.

The test is an *anchored walk* between pages and link targets, fetched or not:

    y(t) = mean of x(u) over the pages u that link t
    x(u) = 0.9 * mean of y(t) over u's targets + 0.1 if u is a start

A page passes if x is at least PASS of the median over the accepted pages, if it links back to them, or if its title
carries the part that most of the accepted pages' titles share, unless the pages of its folder share a name of their
own. Targets that everybody carries hand on the mean of everybody, so an organisation's bar cannot join its sites. x
alone proves nothing where nearly all titles on both sides carry a name, and not the same; nor for pages that do not
answer accepted ones which have a menu of their own: a small site may carry the menu of a large one beside its own.
Without addresses pages are ranked by x and by links back (`Incidence.standing`), and `sitestrata.flow.standing` judges.

`judge` is a pure function of the pages, in no order: what is answered while crawling is what would be answered
afterwards from the same pages.

Paper: Senellart 2.4.2 (the idea; his algorithm is `sitestrata.flow.online`)
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

import numpy as np
from numpy.typing import NDArray

from sitestrata.flow.prefixes import levels
from sitestrata.flow.titles import common_parts

__all__ = [
    "FOLDER",
    "PROBES",
    "Incidence",
    "Verdict",
    "child",
    "judge",
    "lies_below",
]

PROBES = 8  # pages by which a level, a folder or a host is judged
HALF = 0.5  # share of probes that must pass for a level to be accepted
FOLDER = 0.5  # share below which a folder inside an accepted level is left out
PASS = 0.5  # of the median of the accepted pages
CONTRAST = 0.4  # of the targets shared inside a folder that must be shared with the accepted pages too
ENOUGH = 3  # accepted pages beside the start that make a median
NAMED = 0.8  # share of a folder's titles that carry a part which is then the folder's own name
SHARED = 0.3  # of the start's targets, while there are fewer
BEST = 0.75  # without addresses: the upper quartile, which is the site's even where most of what was fetched is not
ANCHORS = 4  # pages beside the starts that links back may lead to; with 16 a large sister site is among them
RETURN = 0.1  # weight of the start pages in the walk
ROUNDS = 15  # of the walk; it contracts by 0.9 a round, and ranks settle much sooner

Columns = tuple[list[str], NDArray[np.int64], NDArray[np.int64]]
Pages = Mapping[str, Sequence[str]]
Titles = Mapping[str, frozenset[str]]  # the parts of each page's title
NO_TITLES: Titles = {}
NO_PARTS: frozenset[str] = frozenset()


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
        columns = self._columns()
        return dict(zip(columns[0], self._resemblance(columns, set(starts)).tolist(), strict=True))

    def standing(self, starts: Iterable[str]) -> dict[str, float]:
        """Return for every page the geometric mean of x and z.

        z says how surely links lead back: the anchored walk along the links between pages, at home on the starts and
        the pages that resemble them most. A large site may resemble a small one that shows its menu, but will not
        answer it.
        """
        names, u, t = columns = self._columns()
        wanted = set(starts)
        x = self._resemblance(columns, wanted)
        if not names:
            return {}
        nearest = np.lexsort((np.arange(len(names)), -x))
        anchor = np.zeros(len(names))
        anchor[nearest[: ANCHORS + len(wanted)]] = 1.0
        place = np.full(len(self._numbers), -1, np.int64)
        place[[self._numbers[name] for name in names]] = np.arange(len(names))
        head = place[t]
        inner = (head >= 0) & (head != u)
        tail, head = u[inner], head[inner]
        links = np.bincount(tail, minlength=len(names))
        z = anchor.copy()
        for _ in range(2 * ROUNDS):
            means = np.bincount(tail, weights=z[head], minlength=len(names)) / np.maximum(links, 1)
            z = (1 - RETURN) * means + RETURN * anchor
        # Where hardly anything leads back (a list of pages without navigation), x alone tells.
        values = np.sqrt(x * z) if float(np.quantile(z, BEST)) > 0 else x
        return dict(zip(names, values.tolist(), strict=True))

    def promise(self, standing: Mapping[str, float]) -> dict[str, float]:
        """Return for every target the mean standing of the pages that link it."""
        names, u, t = self._columns()
        values = np.array([standing[name] for name in names])
        means = np.bincount(t, weights=values[u], minlength=len(self._numbers)) / self._carriers(t)
        return dict(zip(self._numbers, means.tolist(), strict=True))

    def _resemblance(self, columns: Columns, wanted: set[str]) -> NDArray[np.float64]:
        names, u, t = columns
        carriers = self._carriers(t)
        carried = np.maximum(np.bincount(u, minlength=len(names)), 1)
        anchor = np.array([float(name in wanted) for name in names])
        x = anchor.copy()
        for _ in range(ROUNDS):
            y = np.bincount(t, weights=x[u], minlength=len(self._numbers)) / carriers
            x = (1 - RETURN) * np.bincount(u, weights=y[t], minlength=len(names)) / carried + RETURN * anchor
        return x

    def _carriers(self, t: NDArray[np.int64]) -> NDArray[np.int64]:
        return np.maximum(np.bincount(t, minlength=len(self._numbers)), 1)

    def _columns(self) -> Columns:
        """Return the pages, and page and target of every link; one order of sums, whatever the order of arrival."""
        names = sorted(self._targets)
        parts = [self._targets[name] for name in names]
        carried = np.array([len(part) for part in parts], np.int64)
        return names, np.repeat(np.arange(len(names)), carried), np.concatenate(parts) if parts else carried


def judge(
    starts: Sequence[str],
    pages: Pages,
    *,
    titles: Titles = NO_TITLES,
    incidence: Incidence | None = None,
) -> Verdict:
    """Decide from the fetched pages what is inside, whatever their order."""
    if not any(start in pages for start in starts):
        return Verdict((), (), frozenset())
    known = incidence or Incidence(pages)
    x = known.walk(starts)
    rings = list(reversed(levels(starts[0])))
    prefix, inside = rings[0], [url for url in sorted(pages) if lies_below(url, rings[0])]
    inside = sorted({*inside, *(start for start in starts if start in pages)})
    left_out: set[str] = set()
    folders: dict[str, list[str]] = {}  # with the pages of the levels that were looked at and not accepted
    below = prefix
    for outer in rings[1:]:
        ring = [url for url in sorted(pages) if lies_below(url, outer) and not lies_below(url, below)]
        below = outer
        for url in ring:
            folders.setdefault(child(url, outer), []).append(url)
        tied = _answering(pages, inside, ring) | _named(titles, inside, ring, outer)
        # A level that is empty or fails is passed over, not the end: a part of a site may be built unlike the next.
        passing = NO_PARTS if _is_strange(titles, inside, ring) else _passing(starts, pages, x, inside, ring)
        if _has_menu(pages, inside):
            # A small site on a large one's host shows the large one's menu on all pages, and is not answered.
            passing = _linking(pages, inside, passing)
        if not _holds(ring, passing, tied, outer) or (len(ring) < ENOUGH and not _is_linked(pages, inside, ring)):
            continue
        failing = set()
        for name in folders.keys() - set(rings):
            urls = folders[name]
            passing = _passing(starts, pages, x, inside, urls) | _answering(pages, inside, urls)
            named = _named(titles, inside, urls, "")
            if _fails(urls, named | (passing - _sisters(pages, inside, urls, name))):
                failing.add(name)
        left_out |= failing
        inside = sorted({*inside, *(url for name, urls in folders.items() if name not in failing for url in urls)})
        folders = {}
        prefix = outer
    prefixes = [prefix]
    hosts = Counter(levels(url)[0] for url in pages if not lies_below(url, rings[-1]))
    home = frozenset(inside)
    for name in sorted(hosts):
        urls = [url for url in sorted(pages) if lies_below(url, name)]
        back_to = home | _contents(pages, home, urls)
        answering = sum(not back_to.isdisjoint(pages[url]) for url in urls)
        # Sister sites of one organisation may carry one name, but link little more than each other's home page.
        there = {target for url in home for target in pages[url] if lies_below(target, name)}
        back = {target for url in urls for target in pages[url] if lies_below(target, prefix)}
        is_entwined = max(len(there), len(back)) >= PROBES
        passing = _named(titles, sorted(home), urls, "") if is_entwined else frozenset()
        # A few pages prove too little by their links: a bar links the same ones everywhere.
        if len(urls) >= PROBES and not _is_strange(titles, sorted(home), urls):
            passing |= _passing(starts, pages, x, sorted(home), urls)
        if min(answering, len(passing)) >= HALF * len(urls):
            prefixes.append(name)
            inside += urls
    return Verdict(tuple(prefixes), tuple(sorted(left_out)), frozenset(inside))


def _passing(
    starts: Sequence[str],
    pages: Pages,
    x: Mapping[str, float],
    inside: Sequence[str],
    tested: Sequence[str],
) -> frozenset[str]:
    """Return which pages pass the inside test.

    The start's own x is that of a start, no measure for others; while hardly anything else is accepted, a page passes
    if it shares enough of the start's targets.
    """
    others = [x[url] for url in inside if url not in starts]
    if len(others) >= ENOUGH:
        # A few pages lie near the start, with a larger x than the rest of their site will have.
        bar = PASS * (min(others) if len(others) < PROBES else median(others))
        return frozenset(url for url in tested if x[url] >= bar)
    own = {target for start in starts for target in pages.get(start, ())}
    passing = set()
    for url in tested:
        targets = set(pages[url])
        if len(own & targets) >= SHARED * max(min(len(own), len(targets)), 1):
            passing.add(url)
    return frozenset(passing)


def _named(titles: Titles, inside: Sequence[str], tested: Sequence[str], outer: str) -> frozenset[str]:
    """Return the pages whose titles carry the accepted pages' name, in folders that have no other name of their own.

    Where ``outer`` is empty, all the pages are taken as one folder.
    """
    name = common_parts([titles.get(url, NO_PARTS) for url in inside])
    if len(inside) == 1:  # one page cannot tell its own name from its site's: the others do
        parts = [titles.get(url, NO_PARTS) for url in (*inside, *tested)]
        name = common_parts(parts) & parts[0]
    if not name:
        return frozenset()
    folders: dict[str, list[str]] = {}
    for url in tested:
        folders.setdefault(child(url, outer) if outer else outer, []).append(url)
    named: set[str] = set()
    for urls in folders.values():
        parts = [titles.get(url, NO_PARTS) for url in urls]
        own = common_parts(parts, share=NAMED) if len(urls) >= ENOUGH else NO_PARTS
        if own <= name:
            named.update(url for url in urls if name & titles.get(url, NO_PARTS))
    return frozenset(named)


def _answering(pages: Pages, inside: Sequence[str], tested: Sequence[str]) -> frozenset[str]:
    """Return which pages link back to the accepted ones.

    One link is enough, but two are asked for where both sides carry the same links to a third folder: that is a bar,
    which links the home pages of sister sites from everywhere.
    """
    own = frozenset(inside)
    back = {url: sum(target in own for target in pages[url]) for url in tested}
    if not any(back.values()):
        return frozenset()
    here = Counter(target for url in inside for target in pages[url])
    there = Counter(target for url in tested for target in pages[url])
    home = levels(inside[0])
    common = (target for target, count in there.items() if count >= HALF * len(tested) and target not in own)
    common = (target for target in common if here[target] >= HALF * len(inside) and lies_below(target, home[0]))
    least = 2 if {levels(target)[-1] for target in common} - set(home) else 1
    return frozenset(url for url, count in back.items() if count >= least)


def _contents(pages: Pages, inside: frozenset[str], tested: Sequence[str]) -> frozenset[str]:
    """Return the pages that most of the accepted ones link and that link many of them: their table of contents."""
    listing = {url for url in tested if len(inside.intersection(pages[url])) >= PROBES}
    return frozenset(url for url in listing if sum(url in pages[page] for page in inside) >= HALF * len(inside))


def _sisters(pages: Pages, inside: Sequence[str], urls: Sequence[str], folder: str) -> frozenset[str]:
    """Return pages of one folder whose targets the folder shares much more than the accepted pages do.

    That is the contrast between a sister site, which has its own menu and shares a bar, and a part of the same site.
    """
    if len(urls) < PROBES:
        return frozenset()
    linking = [found for url in inside if (found := {to for to in pages[url] if lies_below(to, folder)})]
    if len(linking) >= ENOUGH and len(set().union(*linking)) >= PROBES:
        return frozenset()  # sister sites link little more than each other's home page
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


def _is_strange(titles: Titles, inside: Sequence[str], ring: Sequence[str]) -> bool:
    """Tell whether both sides name themselves in nearly all of their titles, and differently."""
    if min(len(inside), len(ring)) < ENOUGH:
        return False
    ours, theirs = (common_parts([titles.get(url, NO_PARTS) for url in urls], share=NAMED) for urls in (inside, ring))
    return bool(ours and theirs) and ours.isdisjoint(theirs)


def _has_menu(pages: Pages, inside: Sequence[str]) -> bool:
    """Tell whether nearly all of the accepted pages link the same few of them: a menu that is at home here."""
    if len(inside) < PROBES:
        return False
    own = frozenset(inside)
    counts = Counter(target for url in inside for target in {url, *pages[url]} if target in own)
    return sum(count >= NAMED * len(inside) for count in counts.values()) >= ENOUGH


def _linking(pages: Pages, inside: Sequence[str], tested: Iterable[str]) -> frozenset[str]:
    """Return which pages link any accepted one."""
    own = frozenset(inside)
    return frozenset(url for url in tested if not own.isdisjoint(pages[url]))


def _is_linked(pages: Pages, inside: Sequence[str], ring: Sequence[str]) -> bool:
    """Tell whether a link leads to a level: a page that was found by trying its address may be anybody's portal."""
    return any(not set(ring).isdisjoint(pages[url]) for url in inside)


def _holds(ring: Sequence[str], passing: frozenset[str], tied: frozenset[str], outer: str) -> bool:
    """Tell whether half of a level's pages pass or are tied by links back or a name; or half of its own pages are tied.

    Then the level's home page is most likely the site's, and a large folder that is built unlike it is left out alone.
    """
    own = [url for url in ring if child(url, outer) == outer]
    return bool(ring) and (
        len(passing | tied) >= HALF * len(ring)
        or (len(own) >= ENOUGH and len(tied.intersection(own)) >= HALF * len(own))
    )


def _fails(urls: Sequence[str], passing: frozenset[str]) -> bool:
    return len(urls) >= PROBES and sum(url in passing for url in urls) < FOLDER * len(urls)


def lies_below(url: str, prefix: str) -> bool:
    """Tell whether an address lies below a prefix, whatever its scheme."""
    return url.partition("://")[2].startswith(prefix)


def child(url: str, prefix: str) -> str:
    """Return the folder just below a prefix that an address lies in; the prefix itself for its own pages."""
    depth = prefix.count("/")
    found = levels(url)
    return found[depth] if depth < len(found) else prefix
