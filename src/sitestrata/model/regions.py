"""What regions have made, each by itself, as the function that joins it reads it (``Stage.join`` of the plan).

The rows of table ``t`` are in table ``PARTS + t``, with the region in front. A region also sees pages of others
(`RegionPage.own` is false), which are its *guests*: what it says of them is not to be taken for theirs.
"""

from collections.abc import Iterator

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from sitestrata.model.tables import TABLES, TableReader

__all__ = ["PARTS", "Guests", "part_batches", "part_schema"]

PARTS = "_parts_"

Ints = NDArray[np.int64]


class Guests:
    """The guests of each region."""

    def __init__(self, reader: TableReader) -> None:
        rows = reader.query('SELECT "group", page FROM regions WHERE NOT own')
        region, page = rows["group"].to_numpy(), rows["page"].to_numpy()
        self._of = {int(one): page[region == one] for one in np.unique(region)}

    def among(self, region: int, pages: Ints) -> NDArray[np.bool_]:
        """Tell which pages are guests of a region."""
        return np.isin(pages, self._of.get(region, ()))


def part_schema(name: str) -> pa.Schema:
    """Return the schema of the table ``PARTS + name``."""
    return TABLES[name].schema.insert(0, pa.field("region", pa.int64(), nullable=False))


def part_batches(reader: TableReader, name: str) -> Iterator[tuple[int, pa.RecordBatch]]:
    """Stream what regions have made of a table: the region, and rows of it."""
    for batch in reader.batches(PARTS + name):
        for region in pc.unique(batch["region"]).to_pylist():
            yield region, batch.filter(pc.equal(batch["region"], region)).drop_columns(["region"])
