"""Stages for tests on Spark; a module of its own, which the executors of the test's cluster can import."""

import os
import signal
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import pyarrow as pa

from sitestrata.model import Capture, Want, table_from_records
from sitestrata.run.page_pass import pass_over

__all__ = ["CRASHES", "EATS", "HANGS", "hostile_pass", "tell_neighbours"]

CRASHES, EATS, HANGS = "http://two.example/p1", "http://two.example/p5", "http://three.example/p7"


def hostile_pass(captures: Iterable[tuple[Capture, bytes]], options: Any, _readers: Any = ()) -> Any:
    """The page pass, with three pages that no code survives."""

    def guarded() -> Iterator[tuple[Capture, bytes]]:
        for capture, body in captures:
            if capture.url == CRASHES:
                os.kill(os.getpid(), signal.SIGSEGV)
            if capture.url == EATS:
                bytearray(1 << 40)
            while capture.url == HANGS:
                pass
            yield capture, body

    return pass_over(guarded(), options)


def tell_neighbours(centres: pa.Array, tables: Mapping[str, pa.Table], _options: Any) -> Mapping[str, Any]:
    """One row a centre: who links to it, in order, and how many links these have."""
    links, rows = tables["links"].to_pylist(), []
    for centre in centres.to_pylist():
        sources = sorted({link["page"] for link in links if link["target"] == centre})
        count = sum(link["page"] in sources for link in links)
        rows.append(Want(str(centre), f"{sources} {count}", float(len(sources))))
    return {"wants": table_from_records("wants", rows)}
