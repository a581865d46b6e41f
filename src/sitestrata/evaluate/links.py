"""The links of a workspace between given pages, after every address is replaced by the page it stands for."""

from collections.abc import Collection, Sequence

import numpy as np
from numpy.typing import NDArray

from sitestrata.model import TableReader
from sitestrata.urls import url_id

__all__ = ["edges_between"]

Numbers = NDArray[np.int64]
KINDS = ("a", "area", "frame", "iframe")  # what a reader can follow or sees inside the page


def edges_between(reader: TableReader, tables: Collection[str], urls: Sequence[str]) -> tuple[Numbers, Numbers]:
    """Return the distinct links between pages, given by their canonical addresses, as places in ``urls``; no loops."""
    ids = np.array([url_id(url) for url in urls], dtype=np.int64)
    order = np.argsort(ids, kind="stable")
    ids = ids[order]
    page_of = _Lookup.of_aliases(reader) if "aliases" in tables else None
    size = max(len(urls), 1)
    edges: list[Numbers] = []
    for batch in reader.batches("links", ["page", "target", "kind"]):
        is_link = np.isin(np.asarray(batch["kind"].to_numpy(zero_copy_only=False), dtype=object), KINDS)
        ends = [batch[name].to_numpy(zero_copy_only=False)[is_link] for name in ("page", "target")]
        if page_of is not None:
            ends = [page_of(end) for end in ends]
        source, target = (_places(ids, end) for end in ends)
        kept = (source >= 0) & (target >= 0) & (source != target)
        edges.append(np.unique(order[source[kept]] * size + order[target[kept]]))
    merged = np.unique(np.concatenate(edges)) if edges else np.zeros(0, dtype=np.int64)
    return merged // size, merged % size


class _Lookup:
    """Replaces ids by the id of the page they stand for; unknown ids stay."""

    def __init__(self, keys: Numbers, values: Numbers) -> None:
        order = np.argsort(keys, kind="stable")
        self._keys, self._values = keys[order], values[order]

    @classmethod
    def of_aliases(cls, reader: TableReader) -> "_Lookup":
        table = reader.read("aliases", ["url_id", "page_id"])
        return cls(table["url_id"].to_numpy(), table["page_id"].to_numpy())

    def __call__(self, ids: Numbers) -> Numbers:
        at = _places(self._keys, ids)
        return np.where(at >= 0, self._values[at], ids) if len(self._keys) else ids


def _places(known: Numbers, wanted: Numbers) -> Numbers:
    """Return the place of each id in a sorted array, -1 where it is not there."""
    if not len(known):
        return np.full(len(wanted), -1, dtype=np.int64)
    at = np.minimum(np.searchsorted(known, wanted), len(known) - 1)
    return np.where(known[at] == wanted, at, -1).astype(np.int64)
