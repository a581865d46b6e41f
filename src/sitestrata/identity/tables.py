"""What the stages of identity hand to each other: tables of our own, which readers of a workspace do not see.

``REDIRECTS``
    An address that a captured redirect names (``url_id``, ``url``) and the address that redirects (``page``).
``ADDRESSES``
    Every address that was captured, linked or redirected to, once.
``SUSPECTS``
    The links of pages that may be another page but for their links, with the addresses they lead to.
``HOSTS``
    Which addresses are looked at together when hosts are asked which rules they follow: a region is some whole hosts
    (``own``) and the answers elsewhere that theirs lead to. No rows where the collection is one region.
``CLAIMS``
    Votes of pairs of addresses for and against each rule on each host.
``SKETCHES``
    What can be compared of the links of pages.
``TWINS``
    Two pages of a host with the same bytes and the same links.
``REMAINDERS``
    Every address, with a hash of what the rules of its host leave of it.
``BONDS``
    Which addresses are looked at together when it is decided which are one page: a region is some whole components of
    addresses that equal remainders, redirects, canonical links and twins join. No rows where the collection is one.
"""

import numpy as np
import pyarrow as pa

from sitestrata.identity.captured import Ids
from sitestrata.model import TABLES, TableReader

__all__ = [
    "ADDRESSES",
    "BONDS",
    "CLAIMS",
    "HOSTS",
    "IDENTITY_TABLES",
    "REDIRECTS",
    "REMAINDERS",
    "SKETCHES",
    "SUSPECTS",
    "TWINS",
    "own_addresses",
]

REDIRECTS, ADDRESSES, SUSPECTS, HOSTS, CLAIMS = "_redirects", "_addresses", "_suspects", "_hosts", "_claims"
SKETCHES, TWINS, REMAINDERS, BONDS = "_sketches", "_twins", "_remainders", "_bonds"


def _schema(optional: tuple[str, ...] = (), /, **columns: pa.DataType) -> pa.Schema:
    return pa.schema([pa.field(name, type_, nullable=name in optional) for name, type_ in columns.items()])


IDENTITY_TABLES: dict[str, pa.Schema] = {
    REDIRECTS: _schema(url_id=pa.int64(), url=pa.string(), page=pa.int64()),
    ADDRESSES: _schema(url_id=pa.int64(), url=pa.string()),
    SUSPECTS: _schema(("url",), page=pa.int64(), ordinal=pa.int32(), target=pa.int64(), url=pa.string()),
    HOSTS: TABLES["regions"].schema,
    CLAIMS: _schema(scope=pa.string(), rule=pa.string(), name=pa.string(), agree=pa.int64(), disagree=pa.int64()),
    SKETCHES: _schema(url_id=pa.int64(), sequence=pa.int64(), minima=pa.list_(pa.int64()), others=pa.int64()),
    TWINS: _schema(page=pa.int64(), other=pa.int64()),
    REMAINDERS: _schema(url_id=pa.int64(), url=pa.string(), remainder=pa.int64(), form=pa.int8()),
    BONDS: TABLES["regions"].schema,
}


def own_addresses(tables: TableReader) -> Ids | None:
    """Return the sorted ids of the addresses that a region of hosts is about; None for all."""
    rows = tables.read(HOSTS, ["page", "own"])
    return np.sort(rows.filter(rows["own"])["page"].to_numpy()) if rows.num_rows else None
