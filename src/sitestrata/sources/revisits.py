"""Revisit records -> the capture that holds the body they stand for, within the whole collection.

A revisit says "the same as before" (ISO 28500, 6.7) and names the original by record id, by address and time, or only
by the digest of the payload. Original and revisit often lie in different files, so indexing a file only hashes these
names into ``Capture.keys``; `resolve_revisits` joins them when all files are indexed.
"""

from collections.abc import Mapping
from hashlib import blake2b

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from sitestrata.model import Reject
from sitestrata.sources.answers import header_text
from sitestrata.sources.warc import parse_time, unbracket
from sitestrata.urls import normalise

__all__ = ["keys_of", "keys_of_original", "resolve_revisits"]

_Rows = npt.NDArray[np.int64]

_PAYLOAD = 2  # place of the payload's key among the three
# What a resolved revisit takes over from its original; status and location stay its own where it has them.
_TAKEN = ("size", "digest", "is_html", "media_type", "charset", "robots")


def keys_of(fields: Mapping[bytes, bytes], url: str) -> tuple[int, int, int]:
    """Hash the names by which a revisit may call this record."""
    return (
        _key(b"id", fields.get(b"warc-record-id")),
        _key(b"at", _place_and_time(url, fields.get(b"warc-date"))),
        _key(b"payload", fields.get(b"warc-payload-digest")),
    )


def keys_of_original(fields: Mapping[bytes, bytes], url: str) -> tuple[int, int, int]:
    """Hash the names by which this revisit calls its original."""
    # "Not modified" has no payload; some writers give the digest of the empty one, which names every empty answer.
    has_payload = not fields.get(b"warc-profile", b"").endswith(b"/server-not-modified")
    target = fields.get(b"warc-refers-to-target-uri")
    place = normalise(header_text(unbracket(target))) if target else url
    return (
        _key(b"id", fields.get(b"warc-refers-to")),
        _key(b"at", _place_and_time(place or url, fields.get(b"warc-refers-to-date"))),
        _key(b"payload", fields.get(b"warc-payload-digest")) if has_payload else 0,
    )


def resolve_revisits(captures: pa.Table) -> tuple[pa.Table, list[Reject]]:
    """Give every revisit of a collection the body of its original; report those whose original is not there.

    The rows keep their order. Names are tried from the surest to the weakest: record id, address and time, payload
    digest at the same address, payload digest anywhere, and, for "not modified" without any name, the capture of the
    same address before it. A name whose payload digest contradicts that of the revisit does not count. Resolving twice
    changes nothing, so files may be added to a collection later.
    """
    is_revisit = _numpy(pc.equal(captures["record_type"], "revisit"))
    revisits = np.flatnonzero(is_revisit)
    if not len(revisits):
        return captures, []
    rank = _canonical_rank(captures)
    original = np.full(captures.num_rows, -1, dtype=np.int64)  # row that holds the body
    has_body = ~is_revisit & _numpy(pc.not_equal(captures["digest"], ""))
    original[has_body] = np.flatnonzero(has_body)
    keys = np.asarray(captures["keys"].combine_chunks().flatten()).reshape(-1, 3)
    urls = np.asarray(captures["url_id"])
    original[revisits] = _match(revisits, _by_rank(np.flatnonzero(has_body), rank), keys, urls)
    # Then those without any name, for which a resolved revisit may be the capture before.
    nameless = revisits[(original[revisits] < 0) & (keys[revisits] == 0).all(axis=1)]
    before = _last_before(nameless, _by_rank(np.flatnonzero(original >= 0), rank), urls, _times(captures))
    original[nameless] = np.where(before >= 0, original[before], -1)
    open_ = revisits[original[revisits] < 0]
    return _fill(captures, revisits, original[revisits]), _unresolved(captures, open_)


def _match(revisits: _Rows, sources: _Rows, keys: _Rows, urls: _Rows) -> _Rows:
    """Return for each revisit the row that it names, or -1; ``sources`` come in canonical order, and the first wins."""
    found = np.full(len(revisits), -1, dtype=np.int64)
    payload = keys[revisits, _PAYLOAD]
    for slot in (0, 1):
        candidate = _first_with(keys[sources, slot], sources, keys[revisits, slot])
        there = np.where(candidate >= 0, keys[candidate, _PAYLOAD], 0)
        contradicts = (payload != 0) & (there != 0) & (payload != there)
        _take(found, np.where(contradicts | (keys[revisits, slot] == 0), -1, candidate))
    same_place = _mix(keys[sources, _PAYLOAD], urls[sources]), _mix(payload, urls[revisits])
    _take(found, np.where(payload == 0, -1, _first_with(same_place[0], sources, same_place[1])))
    _take(found, np.where(payload == 0, -1, _first_with(keys[sources, _PAYLOAD], sources, payload)))
    return found


def _by_rank(rows: _Rows, rank: _Rows) -> _Rows:
    return rows[np.argsort(rank[rows], kind="stable")]


def _take(found: _Rows, candidate: _Rows) -> None:
    better = (found < 0) & (candidate >= 0)
    found[better] = candidate[better]


def _first_with(haystack: _Rows, rows: _Rows, needles: _Rows) -> _Rows:
    """Return for each needle the row of the first equal value in the haystack, or -1."""
    if not len(haystack):
        return np.full(len(needles), -1, dtype=np.int64)
    order = np.argsort(haystack, kind="stable")
    at = np.searchsorted(haystack[order], needles, side="left")
    at = np.minimum(at, len(order) - 1)
    return np.where(haystack[order][at] == needles, rows[order][at], -1)


def _last_before(revisits: _Rows, sources: _Rows, urls: _Rows, times: _Rows) -> _Rows:
    """Return for each revisit the latest source with the same address and an earlier time, or -1."""
    if not len(sources):
        return np.full(len(revisits), -1, dtype=np.int64)
    order = sources[np.lexsort((times[sources], urls[sources]))]
    pairs = np.empty(len(order), dtype=[("url", np.int64), ("time", np.int64)])
    pairs["url"], pairs["time"] = urls[order], times[order]
    wanted = np.empty(len(revisits), dtype=pairs.dtype)
    wanted["url"], wanted["time"] = urls[revisits], times[revisits]
    at = np.searchsorted(pairs, wanted, side="left") - 1
    inside = np.maximum(at, 0)
    return np.where((at >= 0) & (urls[order[inside]] == urls[revisits]), order[inside], -1)


def _mix(left: _Rows, right: _Rows) -> _Rows:
    """Combine two 64-bit hashes into one."""
    with np.errstate(over="ignore"):
        return (left * np.int64(-7046029254386353131)) ^ right  # the odd constant of Fibonacci hashing


def _canonical_rank(captures: pa.Table) -> _Rows:
    """Return the place of every row in the order of file and offset, which no shard or worker changes."""
    order = pc.sort_indices(captures, sort_keys=[("source", "ascending"), ("offset", "ascending")])
    rank = np.empty(captures.num_rows, dtype=np.int64)
    rank[np.asarray(order)] = np.arange(captures.num_rows)
    return rank


def _times(captures: pa.Table) -> _Rows:
    times = captures["fetched_at"].cast(pa.int64())
    return np.asarray(pc.fill_null(times, np.iinfo(np.int64).max))


def _fill(captures: pa.Table, revisits: _Rows, originals: _Rows) -> pa.Table:
    rows = revisits[originals >= 0]
    given = originals[originals >= 0]
    is_open = np.zeros(captures.num_rows, dtype=bool)
    is_open[revisits[originals < 0]] = True  # what an earlier pass found may be gone
    source_of = np.arange(captures.num_rows)
    source_of[rows] = given
    is_resolved = np.zeros(captures.num_rows, dtype=bool)
    is_resolved[rows] = True
    taken = captures.select([*_TAKEN, "status", "source", "offset"]).take(pa.array(source_of))
    for name in _TAKEN:
        captures = _set(captures, name, pc.if_else(pa.array(is_resolved), taken[name], captures[name]))
    for name, nothing in (("size", 0), ("digest", ""), ("is_html", False)):
        field = captures.schema.field(name)
        captures = _set(captures, name, pc.if_else(pa.array(is_open), pa.scalar(nothing, field.type), captures[name]))
    says_little = pc.is_in(captures["status"], value_set=pa.array([0, 304], captures.schema.field("status").type))
    borrow = pc.and_(pa.array(is_resolved), says_little)
    captures = _set(captures, "status", pc.if_else(borrow, taken["status"], captures["status"]))
    null_source = pa.nulls(captures.num_rows, pa.string())
    null_offset = pa.nulls(captures.num_rows, pa.int64())
    captures = _set(captures, "original_source", pc.if_else(pa.array(is_resolved), taken["source"], null_source))
    return _set(captures, "original_offset", pc.if_else(pa.array(is_resolved), taken["offset"], null_offset))


def _set(table: pa.Table, name: str, values: pa.ChunkedArray) -> pa.Table:
    index = table.schema.get_field_index(name)
    return table.set_column(index, table.schema.field(index), values.cast(table.schema.field(index).type))


def _unresolved(captures: pa.Table, rows: _Rows) -> list[Reject]:
    places = captures.select(["source", "offset", "url"]).take(pa.array(rows)).to_pylist()
    return [
        Reject(
            input=f"{place['source']}@{place['offset']}",
            stage="read",
            reason="revisit-unresolved",
            detail=f"The original of this revisit of {place['url']} is not in the collection.",
        )
        for place in places
    ]


def _numpy(values: pa.ChunkedArray) -> npt.NDArray[np.bool_]:
    return np.asarray(values.combine_chunks(), dtype=bool)


def _place_and_time(url: str, date: bytes | None) -> bytes | None:
    time = None if date is None else parse_time(date)
    # To the second: writers round when they refer.
    return None if time is None else f"{int(time.timestamp())} {url}".encode("utf-8", "surrogatepass")


def _key(domain: bytes, value: bytes | None) -> int:
    if not value:
        return 0
    return int.from_bytes(blake2b(value, digest_size=8, person=domain).digest(), "little", signed=True)
