"""What stands in the same places of the pages: the fixtures of a site, and how foreign two pages are to each other.

A *way* is the path from the root of the page down to a link, the same for all items of one menu. Pages of one site have
the same links where a way leads to its logo, its menus or its footer; sister sites of one template have the same ways
and other links at their ends. In the running text the links differ from page to page of one site too. So a way counts
as much as it is *steady*: as two pages that link each other agree on the links at its end.

A page is foreign to another as far as they disagree on their fixtures: over the steady ways of the one that has fewer,
for a page that has no menu at all contradicts nobody.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from sitestrata.graph.incidence import Incidence, incidence, keep_entries, merge_rows, row_dots, row_numbers
from sitestrata.graph.numbering import numbered

__all__ = ["Fixtures", "find_fixtures", "foreignness", "merge_fixtures"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

# Two pages of one site disagree in a pager or in the menu of a section: on a third of a way and a quarter of them all.
LOCAL_WAYS = 0.3
LOCAL_SHARE = 0.25
UNSEEN_WAYS = 0.1  # prior: a page with hardly a steady way tells little
ASKED = 2  # so many of a page's neighbours are asked how far they agree with it
LEAST_STEADY = 0.02  # ways below are running text: most links, and no fixtures
UNSEEN_PAIRS = 1.0  # prior of steadiness: that one pair agrees on a way tells little


@dataclass(frozen=True, slots=True)
class Fixtures:
    """The links of pages (or the mean of several pages) by the steady ways that lead to them."""

    ways: Incidence  # pages, ways
    links: Incidence  # pages, links at the end of a way; the squares of a page's links at one way sum up to 1
    way_of_link: Ints
    steady: Floats  # of each way, 0 to 1


def find_fixtures(count: int, page: Ints, way: Ints, target: Ints, both_ways: tuple[Ints, Ints]) -> Fixtures:
    """Sort the links of the pages by way, and tell how steady each way is.

    ``page``, ``way``, ``target`` are the links, each once, in any order, ways by any numbers and targets numbered from
    0; ``both_ways`` are the pairs of pages that link each other, each once.
    """
    way_labels, way = numbered(way)
    width = int(target.max(initial=0)) + 1
    ends, end = numbered(way * width + target)
    links = incidence(count, page, end, column_count=len(ends))
    way_of_link = ends // width
    # Links are numbered way by way, so those of a page that stand at the end of one way follow one another.
    row, way = row_numbers(links), way_of_link[links.indices]
    is_first = np.ones(len(row), np.bool_)
    is_first[1:] = (row[1:] != row[:-1]) | (way[1:] != way[:-1])
    first = np.flatnonzero(is_first)
    at_way = np.diff(np.append(first, len(row)))
    ways = Incidence(
        np.searchsorted(first, links.indptr), way[first].astype(np.int32), np.ones(len(first)), len(way_labels)
    )
    links = replace(links, values=np.repeat(1 / np.sqrt(at_way), at_way))
    steady = _steadiness(ways, links, way_of_link, _neighbours(count, *both_ways))
    ways = keep_entries(ways, steady[ways.indices] >= LEAST_STEADY)
    links = keep_entries(links, steady[way] >= LEAST_STEADY)
    return Fixtures(ways, links, way_of_link, steady)


def merge_fixtures(fixtures: Fixtures, group: Ints, group_count: int) -> Fixtures:
    """Turn pages into groups of pages: a group has the mean of what its pages have."""
    return replace(
        fixtures,
        ways=merge_rows(fixtures.ways, group, group_count),
        links=merge_rows(fixtures.links, group, group_count),
    )


def foreignness(fixtures: Fixtures, u: Ints, v: Ints) -> Floats:
    """Return for each pair of rows how far they disagree on their fixtures, 0 to 1, more than parts of a site do."""
    ways = fixtures.ways
    own = np.bincount(
        row_numbers(ways), weights=ways.values**2 * fixtures.steady[ways.indices], minlength=ways.row_count
    )
    fewer = np.minimum(own[u], own[v])
    agreed = row_dots(fixtures.links, u, v, fixtures.steady[fixtures.way_of_link])
    disagreed: Floats = np.maximum((1 - LOCAL_SHARE) * fewer - agreed - LOCAL_WAYS, 0) / (fewer + UNSEEN_WAYS)
    return disagreed


def _neighbours(count: int, one: Ints, other: Ints) -> list[Ints]:
    """Return some pages that each page links and that link it, or -1: evenly spread over all that do."""
    width = max(count, 1)
    both_ways = np.sort(np.concatenate([one * width + other, other * width + one]))
    page, other = both_ways // width, both_ways % width
    degree = np.bincount(page, minlength=count)
    start = np.cumsum(degree) - degree
    asked = []
    for turn in range(ASKED):
        neighbour = np.full(count, -1)
        chosen = np.flatnonzero(degree)
        neighbour[chosen] = other[start[chosen] + degree[chosen] * (2 * turn + 1) // (2 * ASKED)]
        asked.append(neighbour)
    return asked


def _steadiness(ways: Incidence, links: Incidence, way_of_link: Ints, neighbours: list[Ints]) -> Floats:
    """Return the square of the mean agreement of neighbours on the links of each way that both have."""
    met, agreed = np.zeros(ways.column_count), np.zeros(ways.column_count)
    for neighbour in neighbours:
        here, _ = _shared(ways, neighbour)
        met += np.bincount(ways.indices[here], minlength=ways.column_count)
        here, there = _shared(links, neighbour)
        agreed += np.bincount(
            way_of_link[links.indices[here]],
            weights=links.values[here] * links.values[there],
            minlength=ways.column_count,
        )
    steady: Floats = (agreed / (met + UNSEEN_PAIRS)) ** 2
    return steady


def _shared(matrix: Incidence, neighbour: Ints) -> tuple[Ints, Ints]:
    """Return the entries of rows that their neighbour's row has too, and the entries there."""
    if not len(matrix.indices):
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    row = row_numbers(matrix)
    cells = row * matrix.column_count + matrix.indices
    wanted = neighbour[row] * matrix.column_count + matrix.indices
    place = np.minimum(np.searchsorted(cells, wanted), len(cells) - 1)
    found = np.flatnonzero((neighbour[row] >= 0) & (cells[place] == wanted))
    return found, place[found]
