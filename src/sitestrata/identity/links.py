"""Do two pages link to the same places, leaving aside what rules may take and what the pages call themselves?

Equal bytes mean the same page only if their links resolve equally: a relative link means something else in another
folder. But a link of a page to itself differs between two addresses of one page, a session parameter is handed on
from address to link, and a doubled slash in the address doubles it in every relative link; comparing ids of link
targets would call each of these a difference. So links are compared in their loosest form.

Only pages that some other evidence already pairs are read: two passes over the links and one over the addresses.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from sitestrata.identity.captured import Ids, positions
from sitestrata.identity.rules import loosest
from sitestrata.model import TableReader
from sitestrata.urls import url_id

__all__ = ["SKETCH", "LinkSketches", "sketch_links"]

SKETCH = 16  # minima a page; an estimate of the Jaccard coefficient has a standard error of at most 1/8
_SELF = np.uint64(1)
_MAX_TEXTS = 1_000_000  # addresses with a query that are held to look for handed-on parameters

_Words = npt.NDArray[np.uint64]


@dataclass(frozen=True, slots=True)
class LinkSketches:
    """What can be compared of the links of some pages: the rows are those of `Captured`."""

    rows: Ids  # sorted
    sequence: _Words  # hash of the targets in order
    minima: _Words  # one row a page: minima of SKETCH hash functions over the targets
    others: Ids  # number of links that do not lead back to the page


def sketch_links(tables: TableReader, ids: Ids, urls: pa.ChunkedArray, rows: Ids) -> LinkSketches:
    """Summarise the links of the pages in ``rows`` (of ``ids`` and ``urls``) for comparison."""
    pages = ids[rows]
    sequence = np.zeros(len(rows), dtype=np.uint64)
    minima = np.full((len(rows), SKETCH), np.iinfo(np.uint64).max, dtype=np.uint64)
    others = np.zeros(len(rows), dtype=np.int64)
    if not len(rows):
        return LinkSketches(rows, sequence, minima, others)
    own = [_own_parameters(url) for url in urls.take(pa.array(rows)).to_pylist()]
    has_own = np.fromiter((bool(parameters) for parameters in own), dtype=bool, count=len(rows))
    names = [
        loosest(url, parameters) for url, parameters in zip(urls.take(pa.array(rows)).to_pylist(), own, strict=True)
    ]
    self_words = np.fromiter((_word(name) for name in names), dtype=np.uint64, count=len(rows))
    targets, words, texts = _target_words(tables, pages, with_texts=bool(has_own.any()))
    salts = _mix(np.arange(1, SKETCH + 1, dtype=np.uint64))
    for page, ordinal, target in _links_of(tables, pages):
        word = words[np.searchsorted(targets, target)]
        for link in np.flatnonzero(has_own[page]):
            text = texts.get(int(target[link]))
            if text is not None:
                word[link] = _word(loosest(text, own[page[link]]))
        word = np.where(word == self_words[page], _SELF, word)
        np.add.at(others, page, word != _SELF)
        np.add.at(sequence, page, _mix(word ^ _mix(ordinal.astype(np.uint64))))
        for column, salt in enumerate(salts):
            np.minimum.at(minima[:, column], page, _mix(word ^ salt))
    return LinkSketches(rows, sequence, minima, others)


def _links_of(tables: TableReader, pages: Ids) -> Iterator[tuple[Ids, Ids, Ids]]:
    """Stream (position of the page, ordinal, target id) of the links of some pages."""
    for batch in tables.batches("links", ["page", "ordinal", "target"]):
        at = positions(pages, np.asarray(batch["page"], dtype=np.int64))
        is_wanted = at >= 0
        if is_wanted.any():
            ordinal = np.asarray(batch["ordinal"], dtype=np.int64)
            yield at[is_wanted], ordinal[is_wanted], np.asarray(batch["target"], dtype=np.int64)[is_wanted]


def _target_words(tables: TableReader, pages: Ids, *, with_texts: bool) -> tuple[Ids, _Words, dict[int, str]]:
    targets = np.zeros(0, dtype=np.int64)
    waiting: list[Ids] = []
    for _, _, target in _links_of(tables, pages):
        waiting.append(np.unique(target))
        if sum(map(len, waiting)) > len(targets):  # so each id is sorted a logarithmic number of times
            targets, waiting = np.unique(np.concatenate([targets, *waiting])), []
    targets = np.unique(np.concatenate([targets, *waiting]))
    words = targets.astype(np.uint64)  # an address that no table spells out is compared by its id
    texts: dict[int, str] = {}
    for batch in tables.batches("urls", ["url_id", "url"]):
        at = positions(targets, np.asarray(batch["url_id"], dtype=np.int64))
        wanted = np.flatnonzero(at >= 0)
        for row, url in zip(at[wanted].tolist(), batch["url"].take(pa.array(wanted)).to_pylist(), strict=True):
            words[row] = _word(loosest(url))
            if with_texts and ("?" in url or ";" in url):
                texts[int(targets[row])] = url
        if len(texts) > _MAX_TEXTS:  # none rather than those that happened to come first
            texts, with_texts = {}, False
    return targets, words, texts


def _own_parameters(url: str) -> frozenset[str]:
    path, _, query = url.partition("?")
    pieces = [piece for segment in path.split("/") for piece in segment.split(";")[1:]]
    return frozenset(piece for piece in [*pieces, *query.split("&")] if "=" in piece)


def _word(text: str) -> np.uint64:
    # Not hash(): its seed differs from run to run, and so would the estimates.
    return np.uint64(url_id(text) & 0xFFFFFFFFFFFFFFFF)


def _mix(words: _Words) -> _Words:
    """Scatter 64-bit words (splitmix64, Steele et al. 2014)."""
    words = words + np.uint64(0x9E3779B97F4A7C15)
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return words ^ (words >> np.uint64(31))
