"""Pages that speak for another page: what they list, that page lists.

- *Continuations*: the second and later pages of a long list. They bear the title and heading of the first page, but for
  numbers, and are reached from it, or from one another, by a link that is a mere number or by a pager. The first is the
  one that the others call 1, or that is linked much more often.
- *Frames*: a page that is shown inside another one.
- *Indexes*: contents, site maps and indexes of words, which list much of the site. They are the entry page's contents.
"""

import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sitestrata.graph.numbering import distinct
from sitestrata.sites.site_web import SiteWeb
from sitestrata.sites.trails import Ways

__all__ = ["Voices", "find_voices"]

Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]

COMMON_TITLE = 0.5  # share of the site's pages above which a title says nothing
CONTENTS_SHARE = 0.2  # of the site's pages that contents list
WORDS_SHARE = 0.3  # of the site's pages that an index of words leads to
NESTED_SHARE = 0.25  # of the links of contents that are nested
PLACES_SHARE = 0.5  # of the links of an index that lead to places in pages
INDEX_PAGES = 10
MAX_INDEXES = 4  # contents, index of words, site map, all pages
MAX_INDEX_SHARE = 0.02
ALPHABET = 30  # an index of words may have a page a letter
MAX_NUMBER = 8  # characters of a page number with what is around it
FIRST_LEAD = 1.5  # times that the first page of a series is linked as often as the others; parts of one text are not
NO_NUMBER = 1 << 62
_NUMBERS = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class Voices:
    """For each page the page that it speaks for: itself, unless it is one of the above."""

    speaks_for: Ints
    series: Ways  # claims that the first page of a series, or a frameset, is the page above


def find_voices(web: SiteWeb, linked: Ints, is_pager: Flags, is_nested: Flags) -> Voices:
    """Find the pages that speak for others."""
    first = _continuations(web, linked, is_pager)
    framed = _frames(web)
    own = np.arange(len(web))
    above = np.where(framed != own, framed, first)
    held = np.flatnonzero((above != own) & (own != web.entry))
    speaks_for = np.where(_indexes(web, is_nested), web.entry, above)
    # A frame of a continuation speaks for the first page; two steps are as far as it goes.
    return Voices(speaks_for[speaks_for], Ways(held, above[held], np.ones(len(held))))


def _continuations(web: SiteWeb, linked: Ints, is_pager: Flags) -> Ints:
    first = np.arange(len(web))
    names = [_NUMBERS.sub("", f"{title}\n{heading}") for title, heading in zip(web.title, web.heading, strict=True)]
    _, name, uses = np.unique(names, return_inverse=True, return_counts=True) if names else (0, first, first)
    links = web.links
    numbers = np.array([_number(label) for label in web.labels], np.int64)
    chosen = np.flatnonzero((links.target >= 0) & (links.target != links.page))
    source, target = links.page[chosen], links.target[chosen]
    said = numbers[links.label[chosen]]
    turns = ((said < NO_NUMBER) | is_pager[chosen]) & (name[source] == name[target])
    turns &= (uses[name[source]] <= max(COMMON_TITLE * len(web), 2)) & np.array([bool(title) for title in web.title])[
        target
    ]
    source, target = source[turns], target[turns]
    number = np.full(len(web), NO_NUMBER)
    np.minimum.at(number, target, said[turns])
    # The page that is called 1 is the first of a series, else the one that most pages link.
    rank = np.lexsort((np.arange(len(web)), -linked, number != 1))
    place = np.empty(len(web), np.int64)
    place[rank] = np.arange(len(web))
    best = place.copy()
    while True:
        before = best.copy()
        np.minimum.at(best, target, best[source])
        np.minimum.at(best, source, best[target])
        if np.array_equal(before, best):
            break
    found = rank[best] if len(web) else first
    is_led = (linked[found] >= FIRST_LEAD * linked) | ((number[found] == 1) & (number > 1))
    return np.where(is_led, found, first)


def _number(label: str) -> int:
    """Return a page number; NO_NUMBER for a name with a number in it, and for the number of a version."""
    digits = label.strip("[]()<>«»‹›|·- ") if len(label) <= MAX_NUMBER else ""
    return int(digits) if digits.isdecimal() else NO_NUMBER


def _frames(web: SiteWeb) -> Ints:
    links = web.links
    shown = np.flatnonzero(links.is_frame & (links.target >= 0) & (links.target != links.page))
    around = np.arange(len(web))
    # Shown in several pages, it is a part of their design and speaks for none.
    pairs = distinct(links.target[shown] * max(len(web), 1) + links.page[shown])
    frame, count = np.unique(pairs // max(len(web), 1), return_counts=True)
    alone = np.isin(pairs // max(len(web), 1), frame[count == 1])
    around[pairs[alone] // max(len(web), 1)] = pairs[alone] % max(len(web), 1)
    return around


def _indexes(web: SiteWeb, is_nested: Flags) -> Flags:
    """Tell which pages are contents or indexes of the whole site.

    They list much of the site, and either in nested (or numbered) lists, as contents do, or place by place, as indexes
    of words do; a section that lists its many members does neither. Where many pages do, that is the site's navigation,
    and none of them is an index.
    """
    links = web.links
    count = max(len(web), 1)
    chosen = np.flatnonzero((links.target >= 0) & (links.target != links.page) & ~links.in_head)
    page = links.page[chosen]
    listed = np.bincount(distinct(page * count + links.target[chosen]) // count, minlength=len(web))
    uses = np.maximum(np.bincount(page, minlength=len(web)), 1)
    nested = np.bincount(page, weights=is_nested[chosen], minlength=len(web)) / uses
    to_places = np.bincount(page, weights=links.has_fragment[chosen], minlength=len(web)) / uses
    are_contents = (listed >= max(CONTENTS_SHARE * web.size, INDEX_PAGES)) & (nested >= NESTED_SHARE)
    are_words = (listed >= max(WORDS_SHARE * web.size, INDEX_PAGES)) & (to_places >= PLACES_SHARE)
    few = max(MAX_INDEXES, MAX_INDEX_SHARE * len(web))
    is_index: Flags = (are_contents & (are_contents.sum() <= few)) | (are_words & (are_words.sum() <= few + ALPHABET))
    return is_index
