"""The entry page of each site: where people come in.

Five signs, none of which is sure by itself, add up: how many pages of the site link the page; on how many it is the
first link into the site (the logo, the first item of the menu); how many other sites link it, as a share of the calls
that the site gets; and, if addresses may be looked at, whether it stands for a folder as far up as the site goes, or
for the whole host, and whether the server sends people here who ask for that folder.

Paper: MenuMiner 6.4 (the entry page is the first item of the main menu)
"""

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sitestrata.graph.link_graph import positions_of
from sitestrata.graph.numbering import distinct, numbered
from sitestrata.model import TableReader
from sitestrata.sites.evidence import PageEvidence
from sitestrata.sites.places import places_of, prefixes, stands_for_folder

__all__ = ["Doors", "entry_pages", "first_links", "read_doors", "refreshed"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Doors = tuple[Ints, list[str]]  # pages, as rows of the evidence, and addresses that the server answers by sending there

FIRST_LINKS = 16  # of a page that are looked at for the first one into its own site
# What each sign is worth at most.
LINKED = 1.0
FIRST = 0.7
CALLED = 0.8
UP = 2.5  # above the first two together: manuals link their index from all pages, and their cover from none
HOME = 1.0  # of a host that most of the site's pages are on, however few of them link it
SENT = 0.5
FILE = 0.35  # of that, for a file beside the folder's own page
HOME_SHARE = 0.5
ROOT_SLASHES = 3  # of an address right on a host
UNSEEN_PAGES = 1.0  # in a site of three pages a link more or less says little
UNSEEN_CALLS = 1.0  # a site that nobody calls has no favourite


def first_links(reader: TableReader, evidence: PageEvidence) -> tuple[Ints, Ints]:
    """Read the first links of every page, in document order, as rows of the evidence: from ... to."""
    rows = reader.query(
        "SELECT s.page_id AS page, l.ordinal, t.page_id AS target FROM links l"  # noqa: S608 - a number of our own
        " JOIN aliases s ON l.page = s.url_id JOIN aliases t ON l.target = t.url_id"
        f" WHERE l.ordinal < {FIRST_LINKS} AND s.url_id = s.page_id AND l.kind <> 'link'"
    )
    page, known = positions_of(evidence.page_id, _integers(rows, "page"))
    target, captured = positions_of(evidence.page_id, _integers(rows, "target"))
    order = np.lexsort((_integers(rows, "ordinal"), page))
    order = order[(known & captured & (page != target))[order]]
    return page[order], target[order]


def read_doors(reader: TableReader, evidence: PageEvidence) -> Doors:
    """Read which addresses of folders redirect to pages within them."""
    rows = reader.query(
        "SELECT page_id AS page, url FROM aliases WHERE url_id <> page_id AND array_contains(rules, 'redirect')"
        " ORDER BY page_id, url"
    )
    page, known = positions_of(evidence.page_id, _integers(rows, "page"))
    urls = rows.column("url").to_pylist()
    kept = [row for row in np.flatnonzero(known).tolist() if _is_door(urls[row], evidence.url[page[row]])]
    return page[kept], [urls[row] for row in kept]


def entry_pages(
    evidence: PageEvidence,
    site: Ints,
    first: tuple[Ints, Ints] | None = None,
    *,
    doors: Doors | None = None,
    leads_to: Ints | None = None,
    url_evidence: bool = True,
) -> Ints:
    """Return for each site, by its number, the page where people come in.

    Args:
        evidence: the pages of the collection.
        site: number of each page's site.
        first: what `first_links` read; without, that sign is silent.
        doors: what `read_doors` read; without, that sign is silent.
        leads_to: what `refreshed` read; without, nobody is sent on.
        url_evidence: look at addresses.
    """
    count = len(evidence)
    sites = int(site.max(initial=-1)) + 1
    size = np.bincount(site, minlength=sites)
    inside = site[evidence.source] == site[evidence.target]
    linked = np.bincount(evidence.target[inside], minlength=count) / (size[site] + UNSEEN_PAGES)
    worth = LINKED * linked + CALLED * _called(evidence, site, inside, sites)
    if first is not None:
        worth += FIRST * _led_to_first(first, site, count) / (size[site] + UNSEEN_PAGES)
    length = np.zeros(count, np.int64)
    if url_evidence:
        to_page, addresses = doors or (np.zeros(0, np.int64), [])
        rows = np.concatenate([np.arange(count), to_page])
        depth = np.concatenate([evidence.places.depth(), places_of(addresses).depth()])
        height = _height(evidence.url + addresses, depth, site[rows], sites)
        up = np.zeros(count)
        np.maximum.at(up, rows, height)
        worth += UP * up + HOME * _is_home(evidence, site, sites)
        worth[np.unique(rows[count:][height[count:] >= 1.0])] += SENT
        length = np.array([len(url) for url in evidence.url], np.int64)
    order = np.lexsort((evidence.page_id, length, -np.round(worth, 9), site))
    entry = order[np.searchsorted(site[order], np.arange(sites))]
    if leads_to is not None:
        # Nobody stays on a page that sends people on.
        entry = np.where(site[leads_to[entry]] == site[entry], leads_to[entry], entry)
    return entry


def refreshed(reader: TableReader, evidence: PageEvidence) -> Ints:
    """Return for each page the one that it refreshes to by itself; its own row where it stays."""
    rows = reader.query(
        "SELECT s.page_id AS page, min(t.page_id) AS target FROM links l JOIN aliases s ON l.page = s.url_id"
        " JOIN aliases t ON l.target = t.url_id WHERE l.kind = 'refresh' GROUP BY 1 ORDER BY 1"
    )
    page, known = positions_of(evidence.page_id, _integers(rows, "page"))
    target, captured = positions_of(evidence.page_id, _integers(rows, "target"))
    leads_to = np.arange(len(evidence))
    leads_to[page[known & captured]] = target[known & captured]
    return leads_to


def _called(evidence: PageEvidence, site: Ints, inside: NDArray[np.bool_], sites: int) -> Floats:
    """Return which share of the other sites that call a site call this page."""
    width = max(sites, 1)
    calls = distinct(evidence.target[~inside] * width + site[evidence.source[~inside]])
    called = np.bincount(calls // width, minlength=len(evidence))
    callers = distinct(site[calls // width] * width + calls % width) // width
    every = np.bincount(callers, minlength=sites)
    share: Floats = called / (every[site] + UNSEEN_CALLS)
    return share


def _led_to_first(first: tuple[Ints, Ints], site: Ints, count: int) -> Floats:
    page, target = first
    own = site[page] == site[target]
    page, target = page[own], target[own]
    starts = np.concatenate([[True], page[1:] != page[:-1]])[: len(page)]
    led: Floats = np.bincount(target[starts], minlength=count).astype(np.float64)
    return led


def _height(urls: list[str], folders: Ints, site: Ints, sites: int) -> Floats:
    """Return 1 for the address of the highest folder of the site, less for files in it and for folders below."""
    depth = folders + np.array(["?" in url for url in urls], np.int64)
    top = np.full(sites, 1 << 30, np.int64)
    np.minimum.at(top, site, depth)
    known = set(urls)
    for_folder = np.array([stands_for_folder(url) and not _has_namesake(url, known) for url in urls])
    height: Floats = np.where(for_folder, 1.0, FILE) / (1.0 + depth - top[site])
    return height


def _is_home(evidence: PageEvidence, site: Ints, sites: int) -> NDArray[np.bool_]:
    """Tell which pages stand for a whole host that holds most pages of their site."""
    _, host = numbered(evidence.places.numbered_at(1))
    width = int(host.max(initial=0)) + 1
    cells, cell = numbered(site * width + host)
    share = np.bincount(cell, minlength=len(cells))[cell] / np.bincount(site, minlength=sites)[site]
    at_root = np.array([url.count("/") == ROOT_SLASHES and stands_for_folder(url) for url in evidence.url], np.bool_)
    home: NDArray[np.bool_] = at_root & (share >= HOME_SHARE)
    return home


def _has_namesake(url: str, known: set[str]) -> bool:
    """Tell whether a file is there under the same name in small letters: "Index.html" beside "index.html" is a list."""
    above, _, name = url.rpartition("/")
    small = name.lower()
    return small != name and f"{above}/{small}" in known


def _is_door(address: str, page: str) -> bool:
    return stands_for_folder(address) and prefixes(address)[-1] in prefixes(page)


def _integers(table: pa.Table, column: str) -> Ints:
    values: Ints = table.column(column).to_numpy()
    return values
