"""Addresses of pages -> the places where they stand: host, host with its first folder, and so on.

A collection has far fewer places than pages, and every kind of evidence by address asks where pages stand. So addresses
are taken apart once, places get numbers, and what is counted is counted by place.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from sitestrata.graph.numbering import numbered
from sitestrata.identity.rules import is_conventional_index
from sitestrata.urls import folder, host

__all__ = ["Places", "places_of", "prefixes", "stands_for_folder"]

Ints = NDArray[np.int64]

MAX_FOLDERS = 3


@dataclass(frozen=True, slots=True)
class Places:
    """Where each page of a collection stands."""

    place: Ints  # number of each page's place
    prefixes: list[tuple[str, ...]]  # of each place

    def hosts(self) -> list[str]:
        """Return the host of each page."""
        names = [found[0] for found in self.prefixes]
        return [names[place] for place in self.place.tolist()]

    def depth(self) -> Ints:
        """Return how many prefixes the place of each page has."""
        depths: Ints = np.array([len(found) for found in self.prefixes], np.int64)[self.place]
        return depths

    def numbered_at(self, depth: int) -> Ints:
        """Return numbers of the places of pages, of the first ``depth`` prefixes, in the order of their names."""
        names = [found[:depth][-1] for found in self.prefixes]
        number = {name: place for place, name in enumerate(sorted(set(names)))}
        numbers: Ints = np.array([number[name] for name in names], np.int64)[self.place]
        return numbers

    def counted(self, group: Ints) -> Iterator[tuple[int, tuple[str, ...], int]]:
        """Yield each group of pages with the prefixes of each place it has pages at, and how many these are."""
        width = max(len(self.prefixes), 1)
        cells, cell = numbered(group * width + self.place)
        for number, pages in zip(cells.tolist(), np.bincount(cell, minlength=len(cells)).tolist(), strict=True):
            yield number // width, self.prefixes[number % width], pages


def places_of(urls: Sequence[str]) -> Places:
    """Return where the pages with these addresses, in canonical form, stand.

    >>> found = places_of(["http://a.example/x/1", "http://a.example/", "http://a.example/x/2?y=/"])
    >>> found.place.tolist(), found.prefixes
    ([0, 1, 0], [('a.example', 'a.example/x'), ('a.example',)])
    """
    number: dict[str, int] = {}
    folders = [number.setdefault(folder(url), len(number)) for url in urls]
    known: dict[tuple[str, ...], int] = {}
    of_folder = [known.setdefault(prefixes(address), len(known)) for address in number]
    return Places(np.array(of_folder, np.int64)[np.array(folders, np.int64)], list(known))


@lru_cache(maxsize=65_536)
def _prefixes_of_folder(address: str) -> tuple[str, ...]:
    found = [host(address)]
    for name in address.split("/")[3:-1][:MAX_FOLDERS]:
        found.append(f"{found[-1]}/{name}")
    return tuple(found)


def prefixes(url: str) -> tuple[str, ...]:
    """Return the host of an address in canonical form, the host with its first folder, and so on.

    >>> prefixes("http://a.example/x/y/page.html")
    ('a.example', 'a.example/x', 'a.example/x/y')
    """
    return _prefixes_of_folder(folder(url))


def stands_for_folder(url: str) -> bool:
    """Tell whether an address is that of a folder, or of the page that servers send for one."""
    return "?" not in url and (url.endswith("/") or is_conventional_index(url.rpartition("/")[2]))
