"""One site -> its subsites: versions, languages, projects and manuals that a reader sees as units inside the site.

Candidates are the folders of the site's addresses that do not hold the entry page. One of three signs makes a folder a
subsite, none of which is its name:

*part*: it has a home page that its pages link, and a navigation of its own: several of its pages are linked by most of
its pages and by hardly any page outside.

*edition*: another folder mirrors it, name by name, and the twins are called alike or are in another language: versions
of one manual, translations of one site. Folders with the same last name mirror each other because those above do, so
it is those that are editions.

*make*: its pages are of a section of their own (`sitestrata.sites.sections`), which lies in it.

Of folders inside one another the outermost counts. Of what is left, sections of other makes that fill no folder are
subsites, and then what stands on another *host* than the entry page. Where addresses are withheld, sections are all
that is known.

A subsite's navigation is *shared* if its pages carry at least half of what most other pages of the site link, and else
its *own*: it replaces the site's menu.

Paper: MenuMiner 6.3

Differences from the paper: there any page set of a menu inside that of another is a subsection; here it must have a
home page, so that a row of tabs or a list of related pages does not make a subsite.

Cost: a sort of the links for each level of folders.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sitestrata.graph.numbering import distinct
from sitestrata.sites.places import stands_for_folder
from sitestrata.sites.site_web import SiteWeb
from sitestrata.urls import folder, host

__all__ = ["Subsites", "find_subsites"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

# Chosen on one collection of projects, confirmed on manuals and generated webs.
MIN_PAGES = 3
MAX_LEVELS = 8  # of folders
OWN_PAGES = 3  # of its pages that make a navigation of its own ...
OWN_INSIDE = 0.7  # ... linked by so many of its pages ...
OWN_OUTSIDE = 0.1  # ... and by at most so many others
HOME_SHARE = 0.7  # of its pages that link its home page
TWIN_PAGES = 5  # that two editions have in common ...
TWIN_SHARE = 0.5  # ... and of the smaller one
TWIN_TITLES = 0.5  # words that the titles of twins have in common, of all
NEXT_TWINS = 8  # folders with a page of the same name that are looked through for the next edition
MAKE_INSIDE = 0.7  # of its pages that are of one section ...
MAKE_OUTSIDE = 0.2  # ... and of that section's pages that may lie elsewhere
COMMON_SHARE = 0.5  # of the other pages that link what belongs to the site's navigation
SHARED_SHARE = 0.5  # of that navigation that its pages must carry to share it


@dataclass(frozen=True, slots=True)
class Subsites:
    """The subsites of a site, row by row of its `SiteWeb`."""

    home: Ints  # row of the first page of the subsite that the page belongs to; -1 = none
    sign: dict[int, str]  # part, edition, make or host, by first page
    shares_navigation: dict[int, bool]  # by first page


@dataclass(frozen=True, slots=True)
class _Folder:
    """A folder that may be a subsite."""

    pages: Ints
    home: int  # row of the page at its address; -1 = none
    home_share: float  # of its pages that link the home page
    own: int  # of its pages that are linked nearly only from within, and from nearly everywhere there


def find_subsites(web: SiteWeb, section: Ints, *, url_evidence: bool = True) -> Subsites:
    """Find the subsites of a site, given the section of each of its pages."""
    count = max(len(web), 1)
    links = web.links
    inside = (links.target >= 0) & (links.target != links.page) & ~links.in_head
    pairs = distinct(links.page[inside] * count + links.target[inside])
    source, target = pairs // count, pairs % count
    part = np.full(len(web), -1, np.int64)  # number of the subsite, -1 = none
    signs: list[str] = []
    homes: list[int] = []
    if url_evidence:
        folders = _folders(web, source, target)
        for address, sign in _outermost(_signs(web, folders, section)).items():
            part[folders[address].pages] = len(signs)
            signs.append(sign)
            homes.append(folders[address].home)
    for sign, unit, main in (
        ("make", section, int(section[web.entry])),
        *([("host", *_hosts(web))] if url_evidence else []),
    ):
        for pages in _units(np.where(part < 0, unit, main), main):
            part[pages] = len(signs)
            signs.append(sign)
            homes.append(-1)
    first = [home if home >= 0 else leader for home, leader in zip(homes, _leaders(part, source, target), strict=True)]
    home = np.array([*first, -1], np.int64)[part]
    return Subsites(home, dict(zip(first, signs, strict=True)), _shared(home, web.entry, source, target))


def _folders(web: SiteWeb, source: Ints, target: Ints) -> dict[str, _Folder]:
    """Gather the folders that hold some pages of the site, but not its entry page, with what their pages link."""
    ways = [_way(url) for url in web.url]
    held = set(ways[web.entry])
    linked = np.bincount(target, minlength=len(web))
    found: dict[str, _Folder] = {}
    for level in range(MAX_LEVELS):
        names = [way[level] if len(way) > level and way[level] not in held else "" for way in ways]
        number_of = {name: number for number, name in enumerate(sorted({*names, ""}))}
        number = np.array([number_of[name] for name in names], np.int64)
        if len(number_of) == 1:
            continue
        size = np.bincount(number, minlength=len(number_of))
        # How many pages of a folder link a page of the same folder.
        at_home = (number[source] == number[target]) & (number[source] > 0)
        calls = np.bincount(target[at_home], minlength=len(web))
        share = calls / np.maximum(size[number] - 1, 1)
        outside = (linked - calls) / np.maximum(len(web) - size[number], 1)
        is_own = (share >= OWN_INSIDE) & (outside <= OWN_OUTSIDE) & (number > 0)
        own = np.bincount(number[is_own], minlength=len(number_of))
        order = np.argsort(number, kind="stable")
        starts = np.searchsorted(number[order], np.arange(len(number_of) + 1))
        for name, place in number_of.items():
            if name and size[place] >= MIN_PAGES:
                pages = order[starts[place] : starts[place + 1]]
                homes = [row for row in pages.tolist() if ways[row][-1] == name and stands_for_folder(web.url[row])]
                first = max(homes, key=lambda row: (share[row], -row), default=-1)
                found[name] = _Folder(pages, first, float(share[first]) if first >= 0 else 0.0, int(own[place]))
    return found


def _way(url: str) -> tuple[str, ...]:
    """Return the addresses of a page's host and of the folders down to its own.

    >>> _way("http://a.example/x/y/page.html")
    ('http://a.example/', 'http://a.example/x/', 'http://a.example/x/y/')
    """
    parts = folder(url).split("/")[:-1]
    return tuple("/".join([*parts[:depth], ""]) for depth in range(3, len(parts) + 1))


def _signs(web: SiteWeb, folders: dict[str, _Folder], section: Ints) -> dict[str, str]:
    editions = _editions(web, folders)
    size = Counter(section.tolist())
    main = int(section[web.entry])
    signs = {}
    for address, candidate in folders.items():
        has_home, has_own = candidate.home_share >= HOME_SHARE, candidate.own >= OWN_PAGES
        make, many = Counter(section[candidate.pages].tolist()).most_common(1)[0]
        if has_home and has_own:
            signs[address] = "part"
        elif address in editions and (has_home or has_own):
            signs[address] = "edition"
        elif make != main and many >= MAKE_INSIDE * len(candidate.pages) and many >= (1 - MAKE_OUTSIDE) * size[make]:
            signs[address] = "make"
    return signs


def _editions(web: SiteWeb, folders: dict[str, _Folder]) -> set[str]:
    """Find folders that mirror one another under different last names."""
    holders: dict[str, list[tuple[str, int]]] = defaultdict(list)
    for address, candidate in folders.items():
        for row in candidate.pages.tolist():
            holders[web.url[row].removeprefix(address)].append((address, row))
    common: Counter[tuple[str, str]] = Counter()
    alike: Counter[tuple[str, str]] = Counter()
    for twins in holders.values():
        twins.sort()
        for place, (one, page) in enumerate(twins):
            # Editions mirror one another in turn, so the next one tells enough.
            for other, twin in twins[place + 1 : place + 1 + NEXT_TWINS]:
                if not other.startswith(one) and _last_name(one) != _last_name(other):
                    common[one, other] += 1
                    alike[one, other] += _are_twins(web, page, twin)
                    break
    found: set[str] = set()
    for (one, other), many in common.items():
        least = min(len(folders[one].pages), len(folders[other].pages))
        if many >= TWIN_PAGES and many >= TWIN_SHARE * least and alike[one, other] >= TWIN_SHARE * many:
            found |= {one, other}
    return found


def _last_name(address: str) -> str:
    return address.rstrip("/").rpartition("/")[2]


def _are_twins(web: SiteWeb, page: int, twin: int) -> bool:
    """Tell whether two pages are one in two editions: called alike, or told to be in different languages."""
    one, other = (web.language[row].partition("-")[0].casefold() for row in (page, twin))
    if one and other and one != other:
        return True
    some, others = set(web.title[page].casefold().split()), set(web.title[twin].casefold().split())
    return len(some & others) >= TWIN_TITLES * len(some | others)


def _outermost(signs: dict[str, str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for address in sorted(signs):
        # Whatever holds a folder comes before it.
        if not any(above in found for above in _way(address)[:-1]):
            found[address] = signs[address]
    return found


def _hosts(web: SiteWeb) -> tuple[Ints, int]:
    """Number the hosts of the pages, and tell which is that of the entry page."""
    _, number = np.unique([host(url) for url in web.url], return_inverse=True)
    return number.astype(np.int64), int(number[web.entry])


def _units(unit: Ints, main: int) -> Iterator[Ints]:
    """Yield the pages of each unit that is large enough, but for the main one."""
    order = np.argsort(unit, kind="stable")
    numbers, starts = np.unique(unit[order], return_index=True)
    for number, pages in zip(numbers.tolist(), np.split(order, starts[1:]), strict=True):
        if number != main and len(pages) >= MIN_PAGES:
            yield pages


def _leaders(part: Ints, source: Ints, target: Ints) -> list[int]:
    """Return for each subsite the page that most of its other pages link."""
    within = part[source] == part[target]
    calls = np.bincount(target[within], minlength=len(part))
    order = np.lexsort((np.arange(len(part)), -calls, part))
    numbers, first = np.unique(part[order], return_index=True)
    leaders: list[int] = order[first[numbers >= 0]].tolist()
    return leaders


def _shared(home: Ints, entry: int, source: Ints, target: Ints) -> dict[int, bool]:
    """Tell which subsites carry the navigation of the site: what most pages outside any subsite link."""
    is_main = home < 0
    is_main[entry] = True
    calls = np.bincount(target[is_main[source]], minlength=len(home))
    common = calls >= COMMON_SHARE * np.maximum(is_main.sum() - is_main, 1)
    carried = np.bincount(source[common[target]], minlength=len(home))
    return {
        int(home[pages[0]]): bool(np.median(carried[pages]) >= SHARED_SHARE * common.sum())
        for pages in _units(home, -1)
    }
