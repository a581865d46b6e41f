"""Tables of the page pass and of identity -> the hyperlinks of a collection as integer columns.

A page is a row: the representative of all addresses that stand for it. Its links are those of one capture. What is kept
of a link are numbers (see `MenuWeb`): 39 bytes a link, 28 a segment; labels and paths are hashes, and the few that a
menu shows are read again by name (`read_labels`, `read_paths`).

A *place* is a DOM path without ids and classes: pages of one template have the same places, whatever their authors call
them.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from sitestrata._kernels import load
from sitestrata.graph.link_graph import positions_of
from sitestrata.graph.numbering import distinct, first_of_each, tally
from sitestrata.model import TableReader

__all__ = [
    "LANDMARKS",
    "TO_A_PLACE",
    "MenuWeb",
    "read_labels",
    "read_paths",
    "read_web",
    "rows_of_pages",
    "text_buffers",
    "urls_of",
]

Ints = NDArray[np.int64]
Ints32 = NDArray[np.int32]

# Numbers of landmarks in `MenuWeb.landmark`; "" = none.
LANDMARKS = ("", "banner", "navigation", "main", "complementary", "contentinfo", "search", "form")
TO_A_PLACE = 2  # of `MenuWeb.fragment`
PROSE = 25  # bytes of text beside a link from which on it stands in a sentence
_kernel = load("texts")
_LINK_COLUMNS = ["page", "ordinal", "target", "fragment", "label", "landmark", "path", "segment", "node", "gap"]
_SEGMENT_COLUMNS = ["page", "ordinal", "parent", "path"]


@dataclass(frozen=True, slots=True, eq=False)
class MenuWeb:
    """Pages, link segments and hyperlinks; links are sorted by page and place in it, segments likewise."""

    page_id: Ints  # sorted
    capture: Ints  # url_id under which a page's links stand in the tables
    language: list[str | None]  # primary subtag, lower case
    linked_share: NDArray[np.float64]  # of a page's text: inside links
    target_id: Ints  # sorted: every page or address that is linked
    target_page: Ints32  # row of the page a target is; -1 = not captured
    # Segments. Segment s stands on page segment_page[s]; those of a page follow one another.
    segment_page: Ints32
    segment_ordinal: Ints32
    segment_parent: Ints32  # segment; -1 = none
    segment_depth: Ints32  # steps of its path
    # Hyperlinks.
    page: Ints32
    ordinal: Ints32
    target: Ints32  # row of target_id
    fragment: NDArray[np.int8]  # 0: leads to a page, 1: to the top of one ("#"), TO_A_PLACE: to a place within one
    is_self: NDArray[np.bool_]  # leads to the page it stands on
    in_prose: NDArray[np.bool_]  # stands in running text: with text before and behind it
    label: Ints  # hash; that of "" is 0
    landmark: NDArray[np.int8]
    place: Ints  # of the link itself
    segment: Ints32
    node: Ints32
    # Edges of any kind, between pages, each once.
    edges: Ints  # page * page_count + page it leads to, sorted

    @property
    def page_count(self) -> int:
        """Return the number of pages."""
        return len(self.page_id)


def read_web(reader: TableReader) -> MenuWeb:
    """Read the hyperlinks of a whole collection; rows come out sorted, whatever order the tables are in."""
    pages, page_id = _pages(reader)
    capture = _ints(pages["url_id"])
    language = [_primary(tag) for tag in pages["language"].to_pylist()]
    by_capture = np.argsort(capture, kind="stable")
    by_id = capture[by_capture]
    segments = _concatenate(
        [_segment_batch(batch, by_id, by_capture) for batch in reader.batches("segments", _SEGMENT_COLUMNS)],
        _SEGMENT_TYPES,
    )
    parts, others = [], [np.zeros((2, 0), np.int64)]
    for batch in reader.batches("links", _LINK_COLUMNS):
        part, other = _link_batch(batch, by_id, by_capture)
        parts.append(part)
        others.append(other)
    links = _sorted_rows(_concatenate(parts, _LINK_TYPES))
    segments = _sorted_rows(segments)
    target_id, target_row = _pages_of(reader, links.pop("target"))
    place, known = positions_of(page_id, target_id)
    target_page = np.where(known, place, -1).astype(np.int32)
    edges = _edges(reader, page_id, links["page"], target_page[target_row], np.concatenate(others, axis=1))
    return MenuWeb(
        page_id=page_id,
        capture=capture,
        language=language,
        linked_share=_ints(pages["linked_text_length"]) / np.maximum(_ints(pages["text_length"]), 1),
        target_id=target_id,
        target_page=target_page,
        segment_page=segments["page"],
        segment_ordinal=segments["ordinal"],
        segment_parent=_number(segments, segments["page"], segments["parent"]),
        segment_depth=segments["depth"],
        page=links["page"],
        ordinal=links["ordinal"],
        target=target_row,
        fragment=links["fragment"],
        is_self=target_page[target_row] == links["page"],
        in_prose=_in_prose(links["page"], links["gap"]),
        label=links["label"],
        landmark=links["landmark"],
        place=links["place"],
        segment=_number(segments, links["page"], links["segment"]),
        node=links["node"],
        edges=edges,
    )


def _in_prose(page: Ints32, gap: Ints32) -> NDArray[np.bool_]:
    """Tell which links have text before and behind them, given the bytes between each link and the one before."""
    far = gap >= PROSE
    last = np.append(page[1:] != page[:-1], True)[: len(page)]
    found: NDArray[np.bool_] = far & (np.append(far[1:], True)[: len(page)] | last)
    return found


def _pages(reader: TableReader) -> tuple[pa.Table, Ints]:
    """Return one capture of each page, the one under the page's own address if there is one, and the pages' ids."""
    table = reader.read("pages", ["url_id", "language", "text_length", "linked_text_length"])
    address = _ints(table["url_id"])
    order = np.argsort(address)
    page_id = np.zeros(len(address), np.int64)
    is_page = np.zeros(len(address), np.bool_)
    for batch in reader.batches("aliases", ["url_id", "page_id"]):
        place, known = positions_of(address[order], _ints(batch["url_id"]))
        rows = order[place[known]]
        page_id[rows] = _ints(batch["page_id"])[known]
        is_page[rows] = True
    rows = np.flatnonzero(is_page)
    rows = rows[np.lexsort((address[rows], address[rows] != page_id[rows], page_id[rows]))]
    rows = rows[first_of_each(page_id[rows])]
    return table.take(pa.array(rows)), page_id[rows]


def read_labels(reader: TableReader, capture: Ints, ordinal: Ints) -> list[str]:
    """Return the labels of some links, given by capture and ordinal."""
    return _read_texts(reader, "links", "label", capture, ordinal)


def read_paths(reader: TableReader, capture: Ints, ordinal: Ints) -> list[str]:
    """Return the DOM paths of some segments, given by capture and ordinal."""
    return _read_texts(reader, "segments", "path", capture, ordinal)


def urls_of(reader: TableReader, page_ids: Ints) -> list[str]:
    """Return the canonical addresses of some pages, captured or not."""
    wanted = np.unique(page_ids)
    texts = np.full(len(wanted), "", dtype=object)
    for batch in reader.batches("aliases", ["page_id", "canonical"]):
        ids = _ints(batch["page_id"])
        place, known = positions_of(wanted, ids)
        rows = np.flatnonzero(known)
        if len(rows):
            texts[place[rows]] = batch["canonical"].take(pa.array(rows)).to_numpy(zero_copy_only=False)
    found: list[str] = texts[np.searchsorted(wanted, page_ids)].tolist()
    return found


_LINK_TYPES = {
    "page": np.int32,
    "ordinal": np.int32,
    "target": np.int64,
    "fragment": np.int8,
    "label": np.int64,
    "landmark": np.int8,
    "place": np.int64,
    "segment": np.int32,
    "node": np.int32,
    "gap": np.int32,
}
_SEGMENT_TYPES = {
    "page": np.int32,
    "ordinal": np.int32,
    "parent": np.int32,
    "depth": np.int32,
}
Columns = dict[str, NDArray[Any]]


def text_buffers(column: pa.Array) -> tuple[Ints32, NDArray[np.uint8]]:
    """Return where the texts of a column begin and end, and their bytes."""
    _, offsets, data = column.buffers()
    bounds = np.frombuffer(offsets, np.int32)[column.offset : column.offset + len(column) + 1]
    return bounds, np.frombuffer(data, np.uint8) if data is not None else np.zeros(0, np.uint8)


def rows_of_pages(pages: Ints, column: pa.Array) -> tuple[Ints, Ints]:
    """Return the rows of a column that hold some pages, given in order, and which; equal rows follow one another."""
    ids = _ints(column)
    begin = np.flatnonzero(np.concatenate([[True], ids[1:] != ids[:-1]])[: len(ids)])
    place, known = positions_of(pages, ids[begin])
    length = np.diff(np.append(begin, len(ids)))
    rows = np.flatnonzero(np.repeat(known, length))
    return rows, np.repeat(place, length)[rows]


def _link_batch(batch: pa.RecordBatch, capture: Ints, row_of: Ints) -> tuple[Columns, Ints]:
    """Return the hyperlinks of a batch, and the edges that are none: page and address it leads to."""
    rows, at = rows_of_pages(capture, batch["page"])
    page, segment = row_of[at], _small(batch["segment"])[rows]
    is_link = segment >= 0
    edges = np.stack([page[~is_link], _ints(batch["target"])[rows[~is_link]]])
    keep = rows[is_link]
    landmark = pc.index_in(pc.fill_null(batch["landmark"], ""), pa.array(LANDMARKS)).fill_null(0)
    return {
        "page": page[is_link].astype(np.int32),
        "ordinal": _small(batch["ordinal"])[keep],
        "target": _ints(batch["target"])[keep],
        "fragment": _fragments(batch["fragment"])[keep],
        "label": _kernel.hash_texts(*text_buffers(batch["label"]))[keep],
        "landmark": np.asarray(landmark).astype(np.int8)[keep],
        "place": _kernel.hash_places(*text_buffers(batch["path"]))[0][keep],
        "segment": segment[is_link],
        "node": _small(batch["node"])[keep],
        "gap": _small(batch["gap"])[keep],
    }, edges


def _fragments(column: pa.Array) -> NDArray[np.int8]:
    """Tell a link to a page (0), to the top of one (1) and to a place in one (2) from one another."""
    length = pc.fill_null(pc.binary_length(column), -1)
    codes: NDArray[np.int8] = np.minimum(np.asarray(length) + 1, TO_A_PLACE).astype(np.int8)
    return codes


def _segment_batch(batch: pa.RecordBatch, capture: Ints, row_of: Ints) -> Columns:
    keep, at = rows_of_pages(capture, batch["page"])
    _, depth = _kernel.hash_places(*text_buffers(batch["path"]))
    return {
        "page": row_of[at].astype(np.int32),
        "ordinal": _small(batch["ordinal"])[keep],
        "parent": _small(batch["parent"])[keep],
        "depth": depth[keep],
    }


def _concatenate(batches: list[Columns], types: Mapping[str, Any]) -> Columns:
    return {
        name: np.concatenate([batch[name] for batch in batches]) if batches else np.zeros(0, kind)
        for name, kind in types.items()
    }


def _number(segments: Columns, page: NDArray[Any], ordinal: NDArray[Any]) -> Ints32:
    """Return the segments of some pages and ordinals; -1 where the ordinal is negative."""
    own = segments["page"]
    # Those of a page are numbered from 0 on, so the place of one is known from the place of the first.
    last = int(max(page.max(initial=0), own.max(initial=0)))
    first = np.searchsorted(own, np.arange(last + 2)).astype(np.int32)
    place = first[page] + ordinal
    return np.where((ordinal >= 0) & (place < first[page + 1]), place, -1).astype(np.int32, copy=False)


def _sorted_rows(columns: Columns) -> Columns:
    """Sort rows by page and place in it; the rows of a page mostly follow one another, so pages are moved as blocks."""
    page, ordinal = columns["page"], columns["ordinal"]
    if not len(page):
        return columns
    begin = np.flatnonzero(np.concatenate([[True], page[1:] != page[:-1]]))
    first = page[begin]
    rises = ordinal[1:] > ordinal[:-1]
    rises[begin[1:] - 1] = True
    if rises.all() and len(np.unique(first)) == len(first):
        blocks = np.argsort(first)
        length = np.diff(np.append(begin, len(page)))[blocks]
        ends = np.cumsum(length)
        order = np.arange(len(page)) + np.repeat(begin[blocks] - (ends - length), length)
    else:
        order = np.lexsort((ordinal, page))
    return {name: column[order] for name, column in columns.items()}


def _pages_of(reader: TableReader, url_ids: Ints) -> tuple[Ints, Ints32]:
    """Return the pages that addresses stand for, sorted, and the one of each; unknown ones stand for themselves."""
    address, _, which, _ = tally(url_ids)
    page = address.copy()
    for batch in reader.batches("aliases", ["url_id", "page_id"]):
        place, known = positions_of(address, _ints(batch["url_id"]))
        page[place[known]] = _ints(batch["page_id"])[known]
    page_ids, _, row, _ = tally(page)
    return page_ids, row.astype(np.int32)[which]


def _edges(reader: TableReader, page_id: Ints, page: Ints32, target_page: Ints32, others: Ints) -> Ints:
    """Return page * page_count + page it leads to, sorted, of hyperlinks and of other edges (page and address)."""
    ids, row = _pages_of(reader, others[1])
    place, captured = positions_of(page_id, ids[row])
    source = np.concatenate([page[target_page >= 0], others[0][captured]]).astype(np.int64)
    end = np.concatenate([target_page[target_page >= 0], place[captured]])
    return distinct(source * max(len(page_id), 1) + end)


def _read_texts(reader: TableReader, table: str, column: str, capture: Ints, ordinal: Ints) -> list[str]:
    pages = distinct(capture)
    width = int(ordinal.max(initial=0)) + 1
    keys = np.searchsorted(pages, capture) * width + ordinal
    wanted = distinct(keys)
    texts = np.full(len(wanted), "", dtype=object)
    for batch in reader.batches(table, ["page", "ordinal", column]):
        rows, at = rows_of_pages(pages, batch["page"])
        number = _ints(batch["ordinal"])[rows]
        place, is_wanted = positions_of(wanted, at * width + number)
        is_wanted &= number < width
        rows, place = rows[is_wanted], place[is_wanted]
        if len(rows):
            texts[place] = batch[column].take(pa.array(rows)).to_numpy(zero_copy_only=False)
    found: list[str] = texts[np.searchsorted(wanted, keys)].tolist()
    return found


def _primary(tag: str | None) -> str | None:
    text = (tag or "").replace("_", "-").partition("-")[0].strip().lower()
    return text or None


def _ints(column: pa.Array) -> Ints:
    return np.asarray(column, dtype=np.int64)


def _small(column: pa.Array) -> Ints32:
    return np.asarray(column, dtype=np.int32)
