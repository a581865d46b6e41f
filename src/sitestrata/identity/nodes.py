"""All addresses of a collection as columns: id, what the policies leave of it, length.

Addresses come in tens of millions; their texts are streamed, never held.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from sitestrata.identity.captured import Ids, positions
from sitestrata.identity.evidence import read_policies
from sitestrata.identity.options import IdentityOptions
from sitestrata.identity.rules import FILE_MARK, FOLDER_MARK, Policies, reduce_url
from sitestrata.identity.tables import ADDRESSES, IDENTITY_TABLES, REMAINDERS, own_addresses
from sitestrata.model import TableReader
from sitestrata.urls import url_id

__all__ = ["Nodes", "every_url", "find_remainders", "read_nodes", "read_texts"]


@dataclass(frozen=True, slots=True)
class Nodes:
    """Columns over all addresses, sorted by id."""

    ids: Ids
    remainder: Ids  # hash of what the policies leave
    length: npt.NDArray[np.int32]
    form: npt.NDArray[np.int8]  # 1 = the remainder of a file's name, 2 = of a folder's, 0 = of neither in particular


def find_remainders(tables: TableReader, options: IdentityOptions) -> dict[str, Iterator[pa.RecordBatch]]:
    """Reduce every address by the policy of its host (`REMAINDERS`)."""
    policies = read_policies(tables, frozenset(options.rules))
    return {REMAINDERS: (_reduce_batch(ids, urls, policies) for ids, urls in _own_urls(tables))}


def _own_urls(tables: TableReader) -> Iterator[tuple[Ids, pa.Array]]:
    own = own_addresses(tables)
    for batch in tables.batches(ADDRESSES):
        mine = batch if own is None else batch.filter(pa.array(positions(own, np.asarray(batch["url_id"])) >= 0))
        yield np.asarray(mine["url_id"], dtype=np.int64), mine["url"]


def _reduce_batch(ids: Ids, urls: pa.Array, policies: Policies) -> pa.RecordBatch:
    remainder = np.empty(len(ids), dtype=np.int64)
    form = np.zeros(len(ids), dtype=np.int8)
    for at, url in enumerate(urls.to_pylist()):
        left = reduce_url(url, policies)
        if left[-2] == "\n":
            form[at] = 1 if left.endswith(FILE_MARK) else 2
            left = left[: -len(FOLDER_MARK)]
        # Not hash(): equal remainders are looked for in what several processes have written. Most addresses stay whole.
        remainder[at] = ids[at] if left == url else url_id(left)
    return pa.record_batch([ids, urls, remainder, form], schema=IDENTITY_TABLES[REMAINDERS])


def read_nodes(tables: TableReader) -> Nodes:
    """Read all addresses."""
    columns: list[list[npt.NDArray[np.generic]]] = [[], [], [], []]
    for batch in tables.batches(REMAINDERS):
        lengths = pc.utf8_length(batch["url"])
        for column, values in zip(columns, (batch["url_id"], batch["remainder"], lengths, batch["form"]), strict=True):
            column.append(values.to_numpy(zero_copy_only=False))
    types = (np.int64, np.int64, np.int32, np.int8)
    ids, remainder, length, form = (
        np.concatenate([np.zeros(0, type_), *column]) for column, type_ in zip(columns, types, strict=True)
    )
    order = np.argsort(ids)
    return Nodes(ids[order], remainder[order], length[order], form[order])


def every_url(tables: TableReader) -> Iterator[tuple[Ids, pa.Array]]:
    """Stream ids and texts of all addresses: linked, captured, redirected to; each once."""
    for batch in tables.batches(REMAINDERS, ["url_id", "url"]):
        yield np.asarray(batch["url_id"], dtype=np.int64), batch["url"]


def read_texts(tables: TableReader, ids: Ids) -> pa.Array:
    """Return the texts of some addresses, given and answered in the order of ids."""
    if not len(ids):
        return pa.array([], pa.string())
    found: list[Ids] = []
    texts: list[pa.Array] = []
    for batch_ids, urls in every_url(tables):
        at = positions(ids, batch_ids)
        found.append(at[at >= 0])
        texts.append(urls.filter(pa.array(at >= 0)))
    order = np.argsort(np.concatenate(found))
    return pa.chunked_array(texts, type=pa.string()).take(pa.array(order)).combine_chunks()
