"""Captures with their bodies -> rows of ``pages``, ``links``, ``segments``, ``urls`` and ``rejects``.

Each page is parsed once, for everything that is read off it: later page stages of the plan are `Reader` functions that
get the parsed page in the same pass. A page that cannot be read becomes a reject; whatever it does, the pages after it
are read.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa

from sitestrata.model import Capture, Reject, table_from_records
from sitestrata.page import PageFacts, PageLimits, UnusablePageError, facts_to_batches, read_page
from sitestrata.segments import Segments, find_segments, segments_to_batch
from sitestrata.urls import Resolver

__all__ = ["STAGE", "Reader", "pass_over"]

STAGE = "pages"
BATCH_PAGES = 64  # pages whose trees are held before they become rows
BATCH_BYTES = 16 * 1024 * 1024  # of page text, likewise


# What another page stage is: a parsed page and its options -> records, or a batch, by table.
Reader = Callable[[PageFacts, Any], Mapping[str, Sequence[Any] | pa.RecordBatch]]


def pass_over(
    captures: Iterable[tuple[Capture, bytes]],
    options: PageLimits | None = None,
    readers: Sequence[tuple[str, Reader, Any]] = (),
) -> dict[str, list[pa.RecordBatch]]:
    """Read some pages; ``options`` are the limits of one page, ``readers`` further stages with their options."""
    limits = options or PageLimits()
    resolver = Resolver()
    rows = _Rows()
    for capture, body in captures:
        try:
            facts = read_page(body, capture.url, charset=capture.charset, limits=limits, resolver=resolver)
            segments = find_segments(facts)
        except UnusablePageError as error:
            rows.rejects.append(Reject(capture.url, STAGE, error.reason, error.detail))
        except Exception as error:
            detail = f"The page could not be read: {type(error).__name__}: {error}"
            rows.rejects.append(Reject(capture.url, STAGE, "internal-error", detail))
        else:
            if facts.dom.parsed_depth > limits.page_depth:
                detail = (
                    f"Elements are nested {facts.dom.parsed_depth:,} deep; "
                    f"those below {limits.page_depth:,} were lifted to that depth."
                )
                rows.rejects.append(Reject(capture.url, STAGE, "depth-cut", detail))
            rows.add(facts, segments)
            for stage, reader, reader_options in readers:
                try:
                    found = reader(facts, reader_options)
                except Exception as error:
                    detail = f"The stage could not read the page: {type(error).__name__}: {error}"
                    rows.rejects.append(Reject(capture.url, stage, "internal-error", detail))
                else:
                    rows.add_found(found)
    rows.flush()
    if rows.rejects:
        rows.batches["rejects"] = table_from_records("rejects", rows.rejects).to_batches()
    return rows.batches


@dataclass(slots=True)
class _Rows:
    """What has been read so far: finished batches, and pages that wait to become one."""

    batches: dict[str, list[pa.RecordBatch]] = field(default_factory=dict)
    rejects: list[Reject] = field(default_factory=list)
    facts: list[PageFacts] = field(default_factory=list)
    segments: list[Segments] = field(default_factory=list)
    found: dict[str, list[Any]] = field(default_factory=dict)  # records of other stages
    size: int = 0

    def add(self, facts: PageFacts, segments: Segments) -> None:
        self.facts.append(facts)
        self.segments.append(segments)
        self.size += len(facts.dom.text)
        if len(self.facts) >= BATCH_PAGES or self.size >= BATCH_BYTES:
            self.flush()

    def add_found(self, found: Mapping[str, Sequence[Any] | pa.RecordBatch]) -> None:
        for name, some in found.items():
            if isinstance(some, pa.RecordBatch):
                self.batches.setdefault(name, []).append(some)
            else:
                self.found.setdefault(name, []).extend(some)

    def flush(self) -> None:
        for name, records in self.found.items():
            self.batches.setdefault(name, []).extend(table_from_records(name, records).to_batches())
        self.found = {}
        if not self.facts:
            return
        made = facts_to_batches(self.facts, [found.of_link for found in self.segments])
        made["segments"] = segments_to_batch(self.facts, self.segments)
        for name, batch in made.items():
            self.batches.setdefault(name, []).append(batch)
        self.facts, self.segments, self.size = [], [], 0
