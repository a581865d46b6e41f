"""The tree of host and folder prefixes over the pages of a collection, and how a page set sits in it.

A set is *closed* in a prefix if it holds (nearly) all pages below it. A site that is one folder or one host is closed
in one prefix; a set that is torn out of the middle of a folder is closed in none.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sitestrata.urls import folder, origin

__all__ = ["PrefixTree", "levels", "prefix_tree"]

CLOSED = 0.9  # share of a prefix's pages that a set must hold to be closed in it

Ints = NDArray[np.int64]


def levels(url: str) -> list[str]:
    """Return the host and the folders of an address, outermost first, without scheme.

    >>> levels("http://a.example/x/y/z.html")
    ['a.example/', 'a.example/x/', 'a.example/x/y/']
    """
    start = url.find("://") + 3
    host_end = len(origin(url))
    path = folder(url)
    cuts = [i + 1 for i in range(host_end - 1, len(path)) if path[i] == "/"]
    return [path[start:cut] for cut in cuts] or [url[start:host_end]]


@dataclass(frozen=True, slots=True)
class PrefixTree:
    """For each page its prefixes, outermost first; for each prefix how many pages lie below it."""

    names: tuple[str, ...]
    sizes: Ints
    indptr: Ints  # by page
    prefixes: Ints

    def pages_below(self, prefix: int) -> Ints:
        """Return the pages below a prefix."""
        rows = np.repeat(np.arange(len(self.indptr) - 1), np.diff(self.indptr))
        below: Ints = rows[self.prefixes == prefix]
        return below

    def of_page(self, page: int) -> list[int]:
        """Return the prefixes of a page, outermost first."""
        found: list[int] = self.prefixes[self.indptr[page] : self.indptr[page + 1]].tolist()
        return found

    def outermost_closed(self, pages: Ints) -> tuple[list[tuple[int, int]], int]:
        """Return (prefix, pages of the set below it) of the outermost closed prefixes, largest first, and the rest."""
        lengths = self.indptr[pages + 1] - self.indptr[pages]
        ends = np.cumsum(lengths)
        places = np.arange(ends[-1] if len(ends) else 0) + np.repeat(self.indptr[pages] - (ends - lengths), lengths)
        prefixes = self.prefixes[places]
        inside = np.bincount(prefixes, minlength=len(self.sizes))
        rows = np.repeat(np.arange(len(pages)), lengths)
        closed = inside[prefixes] >= CLOSED * self.sizes[prefixes]
        covered, first = np.unique(rows[closed], return_index=True)
        chosen, counts = np.unique(prefixes[closed][first], return_counts=True)
        order = np.lexsort((chosen, -counts))
        found = list(zip(chosen[order].tolist(), counts[order].tolist(), strict=True))
        return found, len(pages) - len(covered)

    def closure(self, pages: Ints) -> float:
        """Return the share of the set that lies in its largest closed prefix."""
        found, _ = self.outermost_closed(pages)
        return found[0][1] / len(pages) if found else 0.0


def prefix_tree(urls: Sequence[str]) -> PrefixTree:
    """Build the tree over the addresses of pages."""
    numbers: dict[str, int] = {}
    indptr, prefixes = [0], []
    for url in urls:
        for name in levels(url):
            prefixes.append(numbers.setdefault(name, len(numbers)))
        indptr.append(len(prefixes))
    flat = np.array(prefixes, np.int64)
    sizes = np.bincount(flat, minlength=len(numbers)).astype(np.int64)
    return PrefixTree(tuple(numbers), sizes, np.array(indptr, np.int64), flat)
