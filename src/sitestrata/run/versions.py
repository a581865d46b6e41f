"""Pages of which every date counts (``--captures all-dates``): one page with the links of all its versions.

Identity goes by address, so a page has one row however often it was captured: that of its last version. Earlier
versions add their links and segments, with ordinals of their own, so that a menu that was dropped is still evidence.
"""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from sitestrata.run.storage import as_batches

__all__ = ["number_versions", "rows_of_version"]

# Ordinals of the second version begin here, of the third at twice that; a page has at most `PageLimits.page_links`.
STRIDE = 1 << 20
MOST = (1 << 31) // STRIDE - 1  # ordinals are 32 bits wide; older versions than that are left out
_SHIFTED = {"links": ("ordinal", "segment"), "segments": ("ordinal", "parent", "links")}
_PLAIN = ("urls", "rejects")


def number_versions(chosen: pa.Table) -> pa.Table:
    """Add the column ``version`` to chosen captures: 0 is the last of its address, 1 the one before."""
    order = pc.sort_indices(
        chosen,
        sort_keys=[(name, "descending") for name in ("url_id", "fetched_at", "source", "offset")],  # nulls come last
    )
    ids = chosen["url_id"].to_numpy()[order.to_numpy()]
    firsts = np.flatnonzero(np.concatenate((np.ones(min(1, len(ids)), dtype=bool), ids[1:] != ids[:-1])))
    version = np.empty(len(ids), dtype=np.int32)
    version[order.to_numpy()] = np.arange(len(ids)) - np.repeat(firsts, np.diff(np.append(firsts, len(ids))))
    numbered = chosen.append_column("version", pa.array(version))
    return numbered.filter(pc.less_equal(numbered["version"], MOST))


def rows_of_version(version: int, rows: Mapping[str, Any]) -> dict[str, Iterator[pa.RecordBatch]]:
    """Return what the page pass made of some captures as rows of that version of their pages."""
    if version == 0:
        return {table: as_batches(some) for table, some in rows.items()}
    kept = {table: as_batches(rows[table]) for table in _PLAIN if table in rows}
    shifted = {
        table: map(partial(_shift, columns=columns, by=version * STRIDE), as_batches(rows[table]))
        for table, columns in _SHIFTED.items()
        if table in rows
    }
    return {**kept, **shifted}


def _shift(batch: pa.RecordBatch, *, columns: tuple[str, ...], by: int) -> pa.RecordBatch:
    for name in columns:
        index = batch.schema.get_field_index(name)
        field, column = batch.schema.field(index), batch.column(index)
        if pa.types.is_list(field.type):
            values = pc.add(column.flatten(), pa.scalar(by, pa.int32()))
            lengths = column.value_lengths().to_numpy()
            offsets = np.concatenate((np.zeros(1, dtype=np.int32), np.cumsum(lengths, dtype=np.int32)))
            moved: Any = pa.ListArray.from_arrays(pa.array(offsets), values)
        else:
            moved = pc.if_else(pc.less(column, 0), column, pc.add(column, pa.scalar(by, column.type)))
        batch = batch.set_column(index, field, moved.cast(field.type))
    return batch
