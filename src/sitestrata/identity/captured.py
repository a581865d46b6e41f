"""Captures and pages as columns: what the collection knows about the addresses it has answers for.

One row per captured address, sorted by id. Everything that decides an identity is read from these columns: the kind of
the answer, where it redirects, and enough about the content to tell the same page from a similar or another one.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from sitestrata.model import TableReader
from sitestrata.urls import url_id

__all__ = [
    "FILE",
    "MISSING",
    "PAGE",
    "REDIRECT",
    "SILENT",
    "Captured",
    "Ids",
    "canonical_ids",
    "positions",
    "read_captured",
]

SILENT, PAGE, FILE, MISSING, REDIRECT = range(5)  # what an answer tells: nothing, a page, another file, ...
COUNTS = ("node_count", "link_count", "leaf_count", "text_length", "linked_text_length")

Ids = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Captured:
    """Columns over the captured addresses, aligned and sorted by id."""

    ids: Ids
    urls: pa.ChunkedArray
    kind: npt.NDArray[np.int8]
    target: Ids  # id of the address a redirect names; 0 for others
    digest: Ids  # of the body
    place: Ids  # hash of the address without its query: what relative links are resolved against
    names: Ids  # hash of title and heading of a page
    counts: Ids  # one row an address, columns as in COUNTS
    links_digest: Ids
    redirects: Ids  # rows that redirect
    locations: pa.Table  # url_id, url of the targets of redirects, in the order of their rows
    canonical: pa.Table  # row, url: what pages name as canonical, other than themselves

    def location(self, row: int) -> str:
        """Return the address that the redirect in a row names."""
        text: str = self.locations["url"][int(np.searchsorted(self.redirects, row))].as_py()
        return text


def positions(ids: Ids, wanted: Ids) -> Ids:
    """Return where each wanted id stands in sorted ``ids``; -1 where it does not."""
    if not len(ids):
        return np.full(len(wanted), -1, dtype=np.int64)
    at = np.minimum(np.searchsorted(ids, wanted), len(ids) - 1)
    return np.where(ids[at] == wanted, at, -1)


def read_captured(tables: TableReader, *, first: bool = False) -> Captured:
    """Read one answer an address, the last (or ``first``): of the answers with a page, if there is one."""
    page_ids = np.unique(_ints(tables.read("pages", ["url_id"])["url_id"]))
    captures = _choose(tables, page_ids, first=first)
    ids = _ints(captures["url_id"])
    status = _ints(captures["status"])
    is_page = positions(page_ids, ids) >= 0
    location = captures["location"]
    is_redirect = ~is_page & (status >= 300) & (status < 400) & np.asarray(location.is_valid())
    is_gone = (status == 404) | (status == 410)  # RFC 9110: the others say nothing about what the address stands for
    kind = np.select([is_page, is_redirect, status // 100 == 2, is_gone], [PAGE, REDIRECT, FILE, MISSING], SILENT)
    target = np.zeros(len(ids), dtype=np.int64)
    texts = location.filter(pa.array(is_redirect)).combine_chunks()
    target[is_redirect] = [url_id(text) for text in texts.to_pylist()]
    digest = np.fromiter(map(hash, captures["digest"].to_pylist()), dtype=np.int64, count=len(ids))
    names, counts, links_digest, canonical = _page_facts(tables, ids)
    return Captured(
        ids=ids,
        urls=captures["url"],
        kind=kind.astype(np.int8),
        target=target,
        digest=digest,
        place=_places(captures["url"]),
        names=names,
        counts=counts,
        links_digest=links_digest,
        redirects=np.flatnonzero(is_redirect),
        locations=pa.table({"url_id": target[is_redirect], "url": texts}),
        canonical=canonical,
    )


def canonical_ids(captured: Captured) -> Ids:
    """Return the ids of what pages name as canonical."""
    texts = captured.canonical["url"].to_pylist()
    return np.fromiter(map(url_id, texts), dtype=np.int64, count=len(texts))


def _places(urls: pa.ChunkedArray) -> Ids:
    places = [hash(url.partition("?")[0]) for chunk in urls.chunks for url in chunk.to_pylist()]
    return np.array(places, dtype=np.int64)


def _choose(tables: TableReader, page_ids: Ids, *, first: bool) -> pa.Table:
    columns = ["url_id", "url", "source", "offset", "fetched_at", "status", "location", "digest", "is_html"]
    captures = tables.read("captures", columns)
    is_html = np.asarray(captures["is_html"]) & (_ints(captures["status"]) // 100 == 2)
    usable = is_html & (positions(page_ids, _ints(captures["url_id"])) >= 0)
    captures = captures.append_column("usable", pa.array(usable))
    since = pc.fill_null(captures["fetched_at"].cast(pa.int64()), np.iinfo(np.int64).min)  # undated ones come first
    captures = captures.append_column("since", since)
    direction = "descending" if first else "ascending"
    by = [
        ("url_id", "ascending"),
        ("usable", "ascending"),
        *((name, direction) for name in ("since", "source", "offset")),
    ]
    order = pc.sort_indices(captures, by).to_numpy()
    ids = _ints(captures["url_id"])[order]
    is_last = np.append(ids[1:] != ids[:-1], True) if len(ids) else np.zeros(0, dtype=bool)
    return captures.select(["url_id", "url", "status", "location", "digest"]).take(pa.array(order[is_last]))


def _page_facts(tables: TableReader, ids: Ids) -> tuple[Ids, Ids, Ids, pa.Table]:
    names = np.zeros(len(ids), dtype=np.int64)
    counts = np.zeros((len(ids), len(COUNTS)), dtype=np.int64)
    links_digest = np.zeros(len(ids), dtype=np.int64)
    rows: list[Ids] = []
    canonical: list[pa.Array] = []
    columns = ["url_id", "url", "title", "heading", "canonical_link", "links_digest", *COUNTS]
    for batch in tables.batches("pages", columns):
        at = positions(ids, _ints(batch["url_id"]))
        seen = at >= 0
        at = at[seen]
        titles = zip(batch["title"].to_pylist(), batch["heading"].to_pylist(), strict=True)
        names[at] = np.fromiter(map(hash, titles), dtype=np.int64, count=batch.num_rows)[seen]
        links_digest[at] = _ints(batch["links_digest"])[seen]
        for column, name in enumerate(COUNTS):
            counts[at, column] = _ints(batch[name])[seen]
        names_other = pc.fill_null(pc.not_equal(batch["canonical_link"], batch["url"]), fill_value=False)
        names_other = np.asarray(names_other)[seen]
        rows.append(at[names_other])
        canonical.append(batch["canonical_link"].filter(pa.array(seen)).filter(pa.array(names_other)))
    table = pa.table(
        {
            "row": np.concatenate(rows) if rows else np.zeros(0, dtype=np.int64),
            "url": pa.chunked_array(canonical, type=pa.string()),
        }
    )
    return names, counts, links_digest, table.sort_by("row")


def _ints(column: pa.Array | pa.ChunkedArray) -> Ids:
    return np.asarray(column, dtype=np.int64)
