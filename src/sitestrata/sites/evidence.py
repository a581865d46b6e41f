"""Tables of the page pass and of identity -> what the pages of a collection carry, as matrices over the pages.

A page is a row: the representative of all the addresses that stand for it. What it carries are the pages it links to
(captured or not), the files it is made with, the ways to its links (its template) and the words of its title. The links
of an organisation's bar are left out: they are on all its sites.
"""

import re
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sitestrata.graph.incidence import Incidence, incidence
from sitestrata.graph.link_graph import positions_of
from sitestrata.graph.numbering import distinct, numbered
from sitestrata.model import TableReader
from sitestrata.sites.fixtures import Fixtures, find_fixtures
from sitestrata.sites.places import Places, places_of

__all__ = ["PageEvidence", "beside", "linked_pairs", "read_evidence"]

Ints = NDArray[np.int64]

COMMON = 0.75  # share of the pages of the collection
BESIDE_TARGETS = 3  # in whose rows two pages must be neighbours: fewer is no menu
_WORD = re.compile(r"[^\W_]+")  # numbers are left out: versions of unrelated things agree on them


@dataclass(frozen=True, slots=True)
class PageEvidence:
    """What is known of each page without looking at its address; row ``i`` is page ``page_id[i]``."""

    page_id: Ints  # sorted
    url: list[str]  # canonical
    places: Places  # of the addresses
    title: list[str | None]
    source: Ints  # links between different captured pages, each once, as rows: from ...
    target: Ints  # ... to
    linked: tuple[Ints, Ints]  # pairs of pages of which one links the other, as rows, sorted, the smaller row first ...
    both_ways: NDArray[np.bool_]  # ... and which of them link each other
    beside: tuple[Ints, Ints]  # pairs of pages that share targets which were not captured, as rows
    targets: Incidence  # pages it links to, captured or not, and itself: a page shows the menu it is an item of
    fixtures: Fixtures  # its links, itself left out, by the ways down the page that lead to them
    resources: Incidence
    template: Incidence
    title_words: Incidence

    def __len__(self) -> int:
        """Return the number of pages."""
        return len(self.page_id)


def read_evidence(reader: TableReader) -> PageEvidence:
    """Read the evidence of a whole collection; rows come out sorted by page, whatever order the tables are in."""
    pages = reader.query(
        "SELECT page_id, canonical, title, resources, template FROM ("
        " SELECT a.page_id, a.canonical, p.title, p.resources, p.template, row_number() OVER (PARTITION BY a.page_id"
        " ORDER BY CASE WHEN a.url_id = a.page_id THEN 0 ELSE 1 END, a.url_id) AS place"
        " FROM pages p JOIN aliases a ON p.url_id = a.url_id) AS captured WHERE place = 1 ORDER BY page_id"
    )
    placed = reader.query(
        "WITH bars AS (SELECT p.capture AS page, unnest(p.links) AS ordinal FROM menu_pages p"
        " JOIN menus m ON p.menu = m.menu WHERE m.role = 'organisation')"
        " SELECT DISTINCT s.page_id AS page, t.page_id AS target, (hash(l.path) >> 1)::BIGINT AS way"
        " FROM links l JOIN aliases s ON l.page = s.url_id JOIN aliases t ON l.target = t.url_id"
        " WHERE NOT EXISTS (SELECT 1 FROM bars WHERE bars.page = l.page AND bars.ordinal = l.ordinal)"
        # Who looks at a frame sees its frameset around it.
        " UNION SELECT t.page_id AS page, s.page_id AS target, (hash(l.path) >> 1)::BIGINT AS way"
        " FROM links l JOIN aliases s ON l.page = s.url_id JOIN aliases t ON l.target = t.url_id"
        " WHERE l.kind = 'frame' AND t.is_captured"
    )
    page_id = _integers(pages, "page_id")
    urls: list[str] = pages.column("canonical").to_pylist()
    titles: list[str | None] = pages.column("title").to_pylist()
    count = len(page_id)
    # A target has many links: it is looked up once.
    target_id, number = numbered(np.concatenate([_integers(placed, "target"), page_id]))
    row, is_page = positions_of(page_id, target_id)
    target, own_number = number[: len(placed)], number[len(placed) :]
    page = np.searchsorted(page_id, _integers(placed, "page"))
    width = max(len(target_id), 1)
    cells = distinct(page * width + target)
    source, end = cells // width, cells % width
    captured = is_page[end] & (row[end] != source)
    linking, linked = source[captured], row[end[captured]]
    low, high, both_ways = linked_pairs(linking, linked, count)
    # What most pages of the collection link, and nobody captured, is no fixture of one site: who asks for consent, who
    # made the software.
    tells = (is_page | (np.bincount(end, minlength=width) < COMMON * count)[: len(is_page)])[target]
    return PageEvidence(
        page_id=page_id,
        beside=beside(source[~is_page[end]], end[~is_page[end]], count),
        url=urls,
        places=places_of(urls),
        title=titles,
        source=linking,
        target=linked,
        linked=(low, high),
        both_ways=both_ways,
        targets=incidence(
            count,
            np.concatenate([source, np.arange(count)]),
            np.concatenate([end, own_number]),
            column_count=len(target_id),
        ),
        fixtures=find_fixtures(
            count, page[tells], _integers(placed, "way")[tells], target[tells], (low[both_ways], high[both_ways])
        ),
        resources=_lists(pages, "resources"),
        template=_lists(pages, "template"),
        title_words=_words(titles),
    )


def linked_pairs(source: Ints, target: Ints, count: int) -> tuple[Ints, Ints, NDArray[np.bool_]]:
    """Return the pairs of pages of which one links the other, smaller row first, and whether they link each other."""
    width = max(count, 1)
    pairs, links = np.unique(np.minimum(source, target) * width + np.maximum(source, target), return_counts=True)
    return pairs // width, pairs % width, links > 1


def beside(source: Ints, target_id: Ints, count: int) -> tuple[Ints, Ints]:
    """Return pairs of pages that stand next to each other in the rows of several targets, sorted, each once.

    Pages of a site whose menu leads to pages that nobody captured need not link one another, nor any common page. All
    pages with such a menu are in the rows of all its items, so each has its neighbours there: a chain through the site,
    of which there is one pair an entry at most.
    """
    order = np.lexsort((source, target_id))
    row, column = source[order], target_id[order]
    is_next = column[1:] == column[:-1]
    pairs, shared = np.unique(row[:-1][is_next] * max(count, 1) + row[1:][is_next], return_counts=True)
    pairs = pairs[shared >= BESIDE_TARGETS]
    return pairs // max(count, 1), pairs % max(count, 1)


def _integers(table: pa.Table, column: str) -> Ints:
    values: Ints = table.column(column).to_numpy()
    return values


def _lists(table: pa.Table, column: str) -> Incidence:
    lists = table.column(column).combine_chunks()
    if isinstance(lists, pa.ChunkedArray):
        lists = pa.concat_arrays(lists.chunks) if lists.num_chunks else pa.array([], pa.list_(pa.int64()))
    counts = np.diff(lists.offsets.to_numpy()) if len(lists) else np.zeros(0, np.int64)
    return incidence(len(lists), np.repeat(np.arange(len(lists)), counts), lists.flatten().to_numpy())


def _words(titles: list[str | None]) -> Incidence:
    number: dict[str, int] = {}
    number_of: dict[str, int] = {}  # of a word as it is written; -1 for a number
    counts: list[int] = []
    columns: list[int] = []
    for title in titles:
        found = set(_WORD.findall(title or ""))
        # Sorted: the order of the columns is that of a sum, and the order of a set changes from run to run.
        for folded, word in sorted((word.casefold(), word) for word in found if word not in number_of):
            number_of[word] = -1 if word.isnumeric() else number.setdefault(folded, len(number))
        numbers = {number_of[word] for word in found}
        numbers.discard(-1)
        columns += numbers
        counts.append(len(numbers))
    return incidence(len(titles), np.repeat(np.arange(len(titles)), np.array(counts, np.int64)), columns)
