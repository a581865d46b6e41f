"""Simple partitions of pages to set beside a result: by address, by links, and the rivals of the paper.

The address partitions are nested as in the paper: by host, each host split by first folder, each of those by second
folder. *alone* shows what the Rand index is worth. *two-way* are the components of links that are answered by a link
back. The k-means rivals (`sitestrata.evaluate.kmeans`) are given the number of clusters that scores best, which no real
run would know.

Paper: MenuMiner 6.2.1
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from sitestrata.evaluate.kmeans import SparseRows, bisect, unit_rows
from sitestrata.evaluate.rand import codes
from sitestrata.graph.components import connected_components
from sitestrata.graph.link_graph import pairs_to_graph
from sitestrata.urls import host

__all__ = ["BASELINES", "NEEDS_LINKS", "PageGraph", "folders", "partitions"]

Numbers = NDArray[np.int64]
MAX_CLUSTERS = 80  # of k-means; more than twice the best k of the paper (26) and any corpus at hand (43 sites)
_WORDS = re.compile(r"[^./]+")  # MenuMiner 6.2.1: "separating URLs with the delimiters . and /"


@dataclass(frozen=True, slots=True)
class PageGraph:
    """Addresses by number, in the order of ``urls``, and the links between the pages they stand for."""

    urls: Sequence[str]
    source: Numbers  # links run between representatives
    target: Numbers
    representative: Numbers  # of each address: the lowest number among those of the same page

    @property
    def size(self) -> int:
        """Number of addresses."""
        return len(self.urls)


def by_host(graph: PageGraph) -> Numbers:
    """Put pages of one host together."""
    return codes([host(url) for url in graph.urls])


def by_folder(graph: PageGraph, *, depth: int) -> Numbers:
    """Put pages of one host and equal first ``depth`` folders together."""
    return codes(["/".join((host(url), *folders(url)[:depth])) for url in graph.urls])


def alone(graph: PageGraph) -> Numbers:
    """Put every page alone."""
    return np.arange(graph.size, dtype=np.int64)


def two_way(graph: PageGraph) -> Numbers:
    """Put pages together that are connected by links which are answered by a link back."""
    source, target = _distinct(graph)
    forth, back = source * graph.size + target, target * graph.size + source
    answered = np.isin(back, forth, assume_unique=True)
    numbers = np.arange(graph.size, dtype=np.int64)
    kept = pairs_to_graph(numbers, source[answered], target[answered], np.ones(np.count_nonzero(answered)))
    return connected_components(kept)[graph.representative]


def kmeans_links(graph: PageGraph, *, seed: int = 0) -> Iterator[Numbers]:
    """Cluster pages by the pages they link to; one partition for each number of clusters."""
    source, target = _distinct(graph)
    rows = unit_rows(SparseRows.from_pairs(source, target, graph.size))
    return (partition[graph.representative] for partition in bisect(rows, MAX_CLUSTERS, seed=seed))


def kmeans_words(graph: PageGraph, *, seed: int = 0) -> Iterator[Numbers]:
    """Cluster pages by the words of their addresses; one partition for each number of clusters."""
    numbers: dict[str, int] = {}
    row: list[int] = []
    column: list[int] = []
    for page, url in enumerate(graph.urls):
        for word in _WORDS.findall(url.partition("://")[2]):
            row.append(page)
            column.append(numbers.setdefault(word, len(numbers)))
    rows = SparseRows.from_pairs(np.array(row, dtype=np.int64), np.array(column, dtype=np.int64), graph.size)
    return bisect(unit_rows(rows), MAX_CLUSTERS, seed=seed)


BASELINES: dict[str, Callable[[PageGraph], Numbers | Iterator[Numbers]]] = {
    "host": by_host,
    "first-folder": partial(by_folder, depth=1),
    "second-folder": partial(by_folder, depth=2),
    "alone": alone,
    "two-way": two_way,
    "kmeans-links": kmeans_links,
    "kmeans-words": kmeans_words,
}
NEEDS_LINKS = frozenset({"two-way", "kmeans-links"})


def partitions(name: str, graph: PageGraph) -> Iterator[tuple[str, Numbers]]:
    """Yield the partitions of a baseline, each with a name; those with a free number of clusters yield many."""
    made = BASELINES[name](graph)
    if isinstance(made, np.ndarray):
        yield name, made
        return
    for partition in made:
        yield f"{name}, k = {len(np.unique(partition))}", partition


def folders(url: str) -> list[str]:
    """Return the folders on the path of an address, outermost first.

    >>> folders("http://example.org/a/b/c.html?d=/e/")
    ['a', 'b']
    """
    path = url.partition("://")[2].partition("?")[0].partition("/")[2]
    return path.split("/")[:-1]


def _distinct(graph: PageGraph) -> tuple[Numbers, Numbers]:
    size = max(graph.size, 1)
    edges = np.unique(graph.source * size + graph.target)
    return edges // size, edges % size
