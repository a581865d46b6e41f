"""DOM paths of one site -> the same without names that single pages bear there.

Designs write the name of a page or of a category on the box around its text (``<div class="page-about">``). What stands
in that box is at a place of its own on each page, and what a place is for shows only on several pages. A class that one
page of the site has is left out where most pages have such a class: a front page may be made otherwise than the rest.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator

import numpy as np
from numpy.typing import NDArray

from sitestrata.graph.numbering import distinct

__all__ = ["PageNames", "find_page_names", "without_names"]

Ints = NDArray[np.int64]

NAMED_PAGES = 3  # that must have a class of their own at one place ...
NAMED_SHARE = 0.5  # ... and their share of the pages that have the place

PageNames = dict[str, frozenset[str]]  # tags down to a step -> classes that are left out there


def find_page_names(paths: list[str], path: Ints, page: Ints) -> PageNames:
    """Find the classes that tell one page from the next, given the path and the page of each link."""
    first = np.full(len(paths), np.iinfo(np.int64).max)
    last = np.full(len(paths), -1, np.int64)
    np.minimum.at(first, path, page)
    np.maximum.at(last, path, page)
    seen: dict[str, tuple[int, int]] = {}  # first and last page that has a class
    words_of = [_words(text) for text in paths]
    for number, words in enumerate(words_of):
        low, high = int(first[number]), int(last[number])
        for word in words:
            before = seen.get(word)
            seen[word] = (low, high) if before is None else (min(before[0], low), max(before[1], high))
    own = {word for word, (low, high) in seen.items() if low == high}
    bearers = {seen[word][0] for word in own}
    if len(bearers) < NAMED_PAGES:
        return {}
    named: dict[str, set[str]] = defaultdict(set)
    by: dict[str, set[int]] = defaultdict(set)
    for number, words in enumerate(words_of):
        if own.isdisjoint(words):
            continue
        for place, classes in _steps(paths[number]):
            for word in own.intersection(classes):
                named[place].add(word)
                by[place].add(seen[word][0])
    named = {place: words for place, words in named.items() if len(by[place]) >= NAMED_PAGES}
    shown = _pages_at(paths, path, page, named.keys())
    return {place: frozenset(words) for place, words in named.items() if len(by[place]) >= NAMED_SHARE * shown[place]}


def without_names(path: str, names: PageNames) -> str:
    """Return a path without the names of pages.

    >>> without_names("body/div.page-a.wide/p/a", {"body/div": frozenset({"page-a"})})
    'body/div.wide/p/a'
    """
    steps = []
    for place, classes in _steps(path):
        left_out = names.get(place, frozenset())
        tag = place.rpartition("/")[2]
        steps.append(".".join([tag, *(word for word in classes if word not in left_out)]))
    return "/".join(steps)


def _words(path: str) -> set[str]:
    return {word for step in path.split("/") if "." in step for word in step.split(".")[1:]}


def _steps(path: str) -> Iterator[tuple[str, list[str]]]:
    """Yield the tags down to each step, and its classes."""
    place = ""
    for step in path.split("/"):
        tag, *classes = step.split(".")
        place = f"{place}/{tag}" if place else tag
        yield place, classes


def _pages_at(paths: list[str], path: Ints, page: Ints, places: Collection[str]) -> dict[str, int]:
    """Count the pages that have a link at or below each of some places."""
    width = int(page.max(initial=0)) + 1
    pairs = distinct(path * width + page)
    begin = np.searchsorted(pairs, np.arange(len(paths) + 1) * width)
    pages: dict[str, list[Ints]] = defaultdict(list)
    for number, text in enumerate(paths):
        for place, _ in _steps(text):
            if place in places:
                pages[place].append(pairs[begin[number] : begin[number + 1]] % width)
    return {place: len(distinct(np.concatenate(some))) for place, some in pages.items()}
