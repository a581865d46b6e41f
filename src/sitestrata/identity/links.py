"""Do two pages link to the same places, leaving aside what rules may take and what the pages call themselves?

Equal bytes mean the same page only if their links resolve equally: a relative link means something else in another
folder. But a link of a page to itself differs between two addresses of one page, a session parameter is handed on
from address to link, and a doubled slash in the address doubles it in every relative link; comparing ids of link
targets would call each of these a difference. So links are compared in their loosest form.

Only pages that some other evidence already pairs are read.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from sitestrata.identity.captured import Ids, positions
from sitestrata.identity.rules import loosest
from sitestrata.identity.tables import IDENTITY_TABLES, SKETCHES, SUSPECTS
from sitestrata.model import TableReader
from sitestrata.urls import url_id

__all__ = ["SKETCH", "LinkSketches", "read_sketches", "sketch_links", "sketches_to_table"]

SKETCH = 16  # minima a page; an estimate of the Jaccard coefficient has a standard error of at most 1/8
_SELF = np.uint64(1)

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
    texts = urls.take(pa.array(rows)).to_pylist()
    own = [_own_parameters(url) for url in texts]
    has_own = np.fromiter((bool(parameters) for parameters in own), dtype=bool, count=len(rows))
    names = [loosest(url, parameters) for url, parameters in zip(texts, own, strict=True)]
    self_words = np.fromiter((_word(name) for name in names), dtype=np.uint64, count=len(rows))
    salts = _mix(np.arange(1, SKETCH + 1, dtype=np.uint64))
    for batch in tables.batches(SUSPECTS):
        page = positions(pages, np.asarray(batch["page"], dtype=np.int64))
        wanted = pa.array(page >= 0)
        page, ordinal = page[page >= 0], np.asarray(batch["ordinal"].filter(wanted), dtype=np.uint64)
        target = np.asarray(batch["target"].filter(wanted), dtype=np.int64)
        word = _target_words(target, batch["url"].filter(wanted), page, own, has_own)
        word = np.where(word == self_words[page], _SELF, word)
        np.add.at(others, page, word != _SELF)
        np.add.at(sequence, page, _mix(word ^ _mix(ordinal)))
        for column, salt in enumerate(salts):
            np.minimum.at(minima[:, column], page, _mix(word ^ salt))
    return LinkSketches(rows, sequence, minima, others)


def sketches_to_table(sketches: LinkSketches, ids: Ids, is_own: npt.NDArray[np.bool_]) -> pa.Table:
    """Return the sketches of some rows as a table."""
    kept = is_own[sketches.rows]
    minima = pa.FixedSizeListArray.from_arrays(sketches.minima[kept].view(np.int64).ravel(), SKETCH)
    schema = IDENTITY_TABLES[SKETCHES]
    return pa.table(
        [
            ids[sketches.rows[kept]],
            sketches.sequence[kept].view(np.int64),
            minima.cast(schema.field("minima").type),
            sketches.others[kept],
        ],
        schema=schema,
    )


def read_sketches(tables: TableReader, ids: Ids) -> LinkSketches:
    """Read the sketches that were made of captured addresses."""
    table = tables.read(SKETCHES)
    table = table.take(pa.array(np.argsort(table["url_id"].to_numpy())))
    minima = table["minima"].combine_chunks().flatten().to_numpy().view(np.uint64).reshape(-1, SKETCH)
    rows, others = positions(ids, table["url_id"].to_numpy()), table["others"].to_numpy()
    return LinkSketches(rows, table["sequence"].to_numpy().view(np.uint64), minima, others)


def _target_words(
    target: Ids, urls: pa.Array, page: Ids, own: list[frozenset[str]], has_own: npt.NDArray[np.bool_]
) -> _Words:
    """Return a word for the loosest form of each link's target; what no table spells out is compared by its id."""
    found, first, number = np.unique(target, return_index=True, return_inverse=True)
    texts = urls.take(pa.array(first)).to_pylist()
    known = [np.uint64(0) if url is None else _word(loosest(url)) for url in texts]
    is_spelled = np.fromiter((url is not None for url in texts), dtype=bool, count=len(texts))
    words = np.where(is_spelled, np.array(known, dtype=np.uint64), found.astype(np.uint64))[number]
    # A parameter that the page hands on to its links.
    for link in np.flatnonzero(has_own[page]):
        text = texts[number[link]]
        if text is not None and ("?" in text or ";" in text):
            words[link] = _word(loosest(text, own[page[link]]))
    return words


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
