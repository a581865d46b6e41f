"""How the menus stage grows in time and memory when a collection is repeated, each time under other addresses.

    python bench/menus_growth.py $SCRATCH/s201 --copies 1 5 50 480

A workspace of some thousand pages stands for as many sites as one likes: its tables are read again for each copy, with
all ids shifted, so that copies share the looks of their pages and nothing else. Nothing is written. Each size runs in a
process of its own; memory is the peak above what the process has before the stage begins. What has more links than the
product looks at together is mined region by region, whole copies each, as the product would cut them; what cutting and
joining take is not counted. ``--at-once`` mines it whole.
"""

import argparse
import multiprocessing
import resource
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa

from sitestrata.menus.stage import MenuOptions, find_menus
from sitestrata.model import TableReader
from sitestrata.run.regions import RegionOptions
from sitestrata.run.workspace import open_workspace

IDS = ("page", "target", "url_id", "page_id")
SHIFT = 0x9E3779B97F4A7C15


class Copies:
    """A reader of the same tables several times."""

    def __init__(self, reader: TableReader, copies: range) -> None:
        self._reader = reader
        self._copies = copies

    def read(self, name: str, columns: Sequence[str] | None = None) -> pa.Table:
        return pa.Table.from_batches(list(self.batches(name, columns)))

    def batches(self, name: str, columns: Sequence[str] | None = None) -> Iterator[pa.RecordBatch]:
        for copy in self._copies:
            for batch in self._reader.batches(name, columns):
                yield shifted(batch, copy)

    def query(self, sql: str) -> pa.Table:
        raise NotImplementedError(sql)  # the stage reads whole tables; a question would see one copy only


def shifted(batch: pa.RecordBatch, copy: int) -> pa.RecordBatch:
    step = np.uint64(copy * SHIFT % 2**64)
    for place, name in enumerate(batch.schema.names):
        if name in IDS:
            ids = (np.asarray(batch[name]).view(np.uint64) + step).view(np.int64)
            batch = batch.set_column(place, name, pa.array(ids))
    return batch


def measure(folder: Path, copies: int, together: int) -> tuple[int, int, float, int, int]:
    workspace = open_workspace(folder)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start = time.process_time()
    menus = 0
    for first in range(0, copies, together):
        some = Copies(workspace.reader(), range(first, min(first + together, copies)))
        menus += find_menus(some, MenuOptions())["menus"].num_rows
    spent = time.process_time() - start
    peak = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024
    return workspace.count("pages") * copies, workspace.count("links") * copies, spent, peak, menus


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("workspace", type=Path)
    parser.add_argument("--copies", type=int, nargs="+", default=[1, 5, 50, 480])
    parser.add_argument("--at-once", action="store_true", help="do not cut collections of many links into regions")
    options = parser.parse_args()
    one = open_workspace(options.workspace).count("links")
    together = max(options.copies) if options.at_once else max(RegionOptions().region_links // one, 1)
    context = multiprocessing.get_context("spawn")
    rows = []
    for copies in options.copies:
        with context.Pool(1) as pool:
            rows.append(pool.apply(measure, (options.workspace, copies, together)))
        pages, links, spent, peak, menus = rows[-1]
        print(
            f"{pages:>9,} pages {links:>11,} links {menus:>8,} menus: {spent:7.1f} s processor time, "
            f"{1000 * spent / pages:.3f} ms a page, {peak / 2**20:,.0f} MB, {peak / links:.0f} bytes a link",
            flush=True,
        )
    if len(rows) > 1:
        exponent = np.log(rows[-1][2] / rows[0][2]) / np.log(rows[-1][0] / rows[0][0])
        print(f"time ~ pages ^ {exponent:.2f} from the first to the last")


if __name__ == "__main__":
    main()
