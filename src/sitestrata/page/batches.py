"""Facts of some pages -> rows of the tables ``pages``, ``links`` and ``urls``, without an object per row."""

from collections.abc import Sequence
from operator import attrgetter

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from sitestrata.model import TABLES
from sitestrata.page.facts import PageFacts
from sitestrata.page.links import KINDS, LABEL_SOURCES
from sitestrata.page.strings import Strings, join_strings, ordinals
from sitestrata.page.vocabulary import LANDMARKS
from sitestrata.urls import Book, url_id

__all__ = ["UrlRows", "facts_to_batches"]

_KINDS = pa.array(KINDS)
_SOURCES = pa.array(LABEL_SOURCES)
_LANDMARKS = pa.array([None, *LANDMARKS[1:]], pa.string())


def facts_to_batches(
    facts: Sequence[PageFacts], segment_of_link: Sequence[npt.NDArray[np.int32]]
) -> dict[str, pa.RecordBatch]:
    """Turn facts into record batches by table name; ``segment_of_link`` tells each link's segment, page by page."""
    return {"pages": _pages(facts), "links": _links(facts, segment_of_link)}


def _pages(facts: Sequence[PageFacts]) -> pa.RecordBatch:
    made = {
        "breadcrumb": [[{"label": crumb.label, "url": crumb.url} for crumb in page.breadcrumb] for page in facts],
        "node_count": [len(page.dom) for page in facts],
        "link_count": [len(page.links) for page in facts],
        "leaf_count": [len(page.leaves) for page in facts],
        "template": _id_lists([page.template for page in facts]),
        "resources": _id_lists([page.resources for page in facts]),
    }
    schema = TABLES["pages"].schema
    told = [name for name in schema.names if name not in made]
    columns = dict(zip(told, zip(*map(attrgetter(*told), facts), strict=True), strict=True)) | made
    arrays = [
        column if isinstance(column, pa.Array) else pa.array(column, field.type)
        for field in schema
        for column in (columns[field.name],)
    ]
    return pa.RecordBatch.from_arrays(arrays, schema=schema)


def _id_lists(lists: Sequence[npt.NDArray[np.int64]]) -> pa.ListArray:
    offsets = np.cumsum([0, *map(len, lists)]).astype(np.int32)
    return pa.ListArray.from_arrays(pa.array(offsets), pa.array(_join(lists, np.int64)))


def _links(facts: Sequence[PageFacts], segment_of_link: Sequence[npt.NDArray[np.int32]]) -> pa.RecordBatch:
    links = [page.links for page in facts]
    counts = [len(found) for found in links]
    page = np.repeat(np.array([page.url_id for page in facts], dtype=np.int64), counts)
    columns = {
        "page": pa.array(page),
        "ordinal": pa.array(ordinals(counts)),
        "target": pa.array(_join([found.target for found in links], np.int64)),
        "fragment": pa.array([fragment for found in links for fragment in found.fragment], pa.string()),
        "kind": _KINDS.take(pa.array(_join([found.kind for found in links], np.int32))),
        "label": join_strings([found.label for found in links]),
        "label_source": _SOURCES.take(pa.array(_join([found.label_source for found in links], np.uint8))),
        "rel": pa.array([rel for found in links for rel in found.rel], pa.string()),
        "landmark": _LANDMARKS.take(pa.array(_join([found.landmark for found in links], np.int32))),
        "path": join_strings([Strings(*found.paths.spell(found.path)) for found in links]),
        "segment": pa.array(_join(segment_of_link, np.int32)),
        "node": pa.array(_join([found.node for found in links], np.int32)),
        "gap": pa.array(_join([found.gap for found in links], np.int32)),
    }
    schema = TABLES["links"].schema
    return pa.RecordBatch.from_arrays([columns[name] for name in schema.names], schema=schema)


class UrlRows:
    """The addresses that occur on some pages, each kept once however many pages name it."""

    def __init__(self) -> None:
        self._book: Book | None = None
        self._numbers: list[npt.NDArray[np.int32]] = []
        self._others: dict[int, str] = {}
        self._batches: list[pa.RecordBatch] = []

    def add(self, page: PageFacts) -> None:
        """Take the addresses that a page names, and its own."""
        links = page.links
        if links.book is not self._book:
            self._close_book()
            self._book = links.book
        self._numbers.append(links.number)
        self._others[page.url_id] = page.url
        for other in (page.canonical_link, page.refresh, *(crumb.url for crumb in page.breadcrumb)):
            if other is not None:
                self._others[url_id(other)] = other

    def batches(self) -> list[pa.RecordBatch]:
        """Return the rows of the table ``urls``, by id, and start anew; a book that was given up makes a batch."""
        self._close_book()
        made, self._batches = self._batches, []
        return made

    def _close_book(self) -> None:
        """Spell out what was taken: a resolver that starts a new book would otherwise hold the old one, too."""
        if self._book is None:
            return
        distinct = np.unique(np.concatenate(self._numbers))
        ids = np.concatenate([np.array(list(self._others), dtype=np.int64), self._book.ids(distinct)])
        others = pa.array(list(self._others.values()), pa.string())
        texts = pa.concat_arrays([others, join_strings([Strings(*self._book.spell(distinct))])])
        known, first = np.unique(ids, return_index=True)
        columns = [pa.array(known), texts.take(pa.array(first))]
        self._batches.append(pa.RecordBatch.from_arrays(columns, schema=TABLES["urls"].schema))
        self._book, self._numbers, self._others = None, [], {}


def _join(arrays: Sequence[npt.NDArray[np.generic]], dtype: npt.DTypeLike) -> npt.NDArray[np.generic]:
    return np.concatenate(arrays) if arrays else np.empty(0, dtype=dtype)
