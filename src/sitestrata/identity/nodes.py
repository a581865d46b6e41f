"""All addresses of a collection as columns: id, what the policies leave of it, length.

Addresses come in tens of millions; their texts are streamed, never held.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from sitestrata.identity.captured import Captured, Ids, positions
from sitestrata.identity.rules import FILE_MARK, FOLDER_MARK, Policies, reduce_url
from sitestrata.model import TableReader

__all__ = ["Nodes", "every_url", "read_nodes", "read_texts"]


@dataclass(frozen=True, slots=True)
class Nodes:
    """Columns over all addresses, sorted by id."""

    ids: Ids
    remainder: Ids  # hash of what the policies leave
    length: npt.NDArray[np.int32]
    form: npt.NDArray[np.int8]  # 1 = the remainder of a file's name, 2 = of a folder's, 0 = of neither in particular


def every_url(tables: TableReader, captured: Captured) -> Iterator[tuple[Ids, pa.Array]]:
    """Stream ids and texts of all addresses: linked, captured, redirected to; an address may come twice."""
    for batch in tables.batches("urls", ["url_id", "url"]):
        yield np.asarray(batch["url_id"], dtype=np.int64), batch["url"]
    for batch in pa.table({"url_id": captured.ids, "url": captured.urls}).to_batches():
        yield np.asarray(batch["url_id"], dtype=np.int64), batch["url"]
    for batch in captured.locations.to_batches():
        yield np.asarray(batch["url_id"], dtype=np.int64), batch["url"]


def read_nodes(tables: TableReader, captured: Captured, policies: Policies) -> Nodes:
    """Reduce every address by the policy of its host."""
    blocks = [_reduce_batch(ids, urls.to_pylist(), policies) for ids, urls in every_url(tables, captured)]
    if not blocks:
        return _reduce_batch(np.zeros(0, np.int64), [], policies)
    ids, first = np.unique(np.concatenate([block.ids for block in blocks]), return_index=True)
    return Nodes(
        ids,
        np.concatenate([block.remainder for block in blocks])[first],
        np.concatenate([block.length for block in blocks])[first],
        np.concatenate([block.form for block in blocks])[first],
    )


def _reduce_batch(ids: Ids, texts: list[str], policies: Policies) -> Nodes:
    remainder = np.empty(len(texts), dtype=np.int64)
    form = np.zeros(len(texts), dtype=np.int8)
    for at, url in enumerate(texts):
        left = reduce_url(url, policies)
        if left[-2] == "\n":
            form[at] = 1 if left.endswith(FILE_MARK) else 2
            left = left[: -len(FOLDER_MARK)]
        remainder[at] = hash(left)
    return Nodes(ids, remainder, np.fromiter(map(len, texts), dtype=np.int32, count=len(texts)), form)


def read_texts(tables: TableReader, captured: Captured, ids: Ids) -> pa.Array:
    """Return the texts of some addresses, given and answered in the order of ids."""
    if not len(ids):
        return pa.array([], pa.string())
    found: list[Ids] = []
    texts: list[pa.Array] = []
    for batch_ids, urls in every_url(tables, captured):
        at = positions(ids, batch_ids)
        found.append(at[at >= 0])
        texts.append(urls.filter(pa.array(at >= 0)))
    _, first = np.unique(np.concatenate([np.zeros(0, np.int64), *found]), return_index=True)
    return pa.chunked_array(texts, type=pa.string()).take(pa.array(first)).combine_chunks()
