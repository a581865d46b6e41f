"""What does a stage that sees the whole collection cost a page, with bare Lexbor parsing of the same pages as 1?

    python bench/stage_cost.py sites $CORPORA/apache/apache.warc.gz $SCRATCH/apache

The workspace is mined from the archive, at least as far as the stage needs. Counted is processor time of the stage:
reading the tables (queries included), everything between, and the rows that are handed to the workspace; writing is
not. Parsing is measured before and after each round, because machines change their pace.
"""

import argparse
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from page_pass import loader, parse_bare
from stage_growth import STAGES

from sitestrata.model import TableReader
from sitestrata.run.plan import options_of
from sitestrata.run.workspace import open_workspace


class Watched:
    """A reader that counts the processor time of reading."""

    def __init__(self, reader: TableReader) -> None:
        self._reader = reader
        self.spent = 0.0

    def read(self, *arguments: Any) -> Any:
        return self._timed(lambda: self._reader.read(*arguments))

    def query(self, sql: str) -> Any:
        return self._timed(lambda: self._reader.query(sql))

    def batches(self, *arguments: Any) -> Iterator[Any]:
        batches = self._reader.batches(*arguments)
        while (batch := self._timed(lambda: next(batches, None))) is not None:
            yield batch

    def _timed(self, call: Any) -> Any:
        start = time.process_time()
        result = call()
        self.spent += time.process_time() - start
        return result


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("stage", choices=sorted(STAGES))
    parser.add_argument("warc", type=Path)
    parser.add_argument("workspace", type=Path)
    parser.add_argument("--every", type=int, default=12, help="parse every so many pages")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    stage = STAGES[options.stage]
    bodies = loader(options.warc, options.every)()
    workspace = open_workspace(options.workspace)
    pages = workspace.count("pages")
    parse, whole = [], []
    for _ in range(options.rounds):
        parse.append(parsed(bodies))
        reader = Watched(workspace.reader())
        start = time.process_time()
        stage.run(reader, options_of(stage, {}))
        whole.append(((time.process_time() - start) / pages, reader.spent / pages))
        parse.append(parsed(bodies))
    unit, (cost, read) = min(parse), min(whole)
    print(f"{pages:,} pages; processor milliseconds a page, best of {options.rounds}")
    print(f"bare Lexbor parse    {1000 * unit:.3f}")
    for name, value in ((f"{stage.name}, whole stage", cost), ("  reading tables", read), ("  the rest", cost - read)):
        print(f"{name:<20} {1000 * value:.3f} = {value / unit:.2f} x")


def parsed(bodies: Any) -> float:
    start = time.process_time()
    parse_bare(bodies)
    return (time.process_time() - start) / len(bodies.bodies)


if __name__ == "__main__":
    main()
