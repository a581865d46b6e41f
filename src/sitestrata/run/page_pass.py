"""Captures with their bodies -> rows of ``pages``, ``links``, ``segments``, ``urls`` and ``rejects``.

Each page is parsed once, for everything that is read off it: later page stages of the plan are `Reader` functions that
get the parsed page in the same pass. A page that cannot be read becomes a reject; whatever it does, the pages after it
are read.
"""

import gc
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa

from sitestrata.model import Capture, Reject, table_from_records
from sitestrata.page import PageFacts, PageLimits, UnusablePageError, UrlRows, facts_to_batches, read_pages
from sitestrata.segments import Segments, find_segments, segments_to_batch
from sitestrata.urls import Resolver

__all__ = ["GROUP_PAGES", "STAGE", "Reader", "pass_over"]

STAGE = "pages"
BATCH_PAGES = 64  # pages whose trees are held before they become rows
BATCH_BYTES = 16 * 1024 * 1024  # of page text, likewise
GROUP_PAGES = 64  # pages that are read together; a worker that dies may have died of any of them
GROUP_BYTES = 2 * 1024 * 1024  # of bodies, likewise


# What another page stage is: a parsed page and its options -> records, or a batch, by table.
Reader = Callable[[PageFacts, Any], Mapping[str, Sequence[Any] | pa.RecordBatch]]


def pass_over(
    captures: Iterable[tuple[Capture, bytes]],
    options: PageLimits | None = None,
    readers: Sequence[tuple[str, Reader, Any]] = (),
) -> dict[str, list[pa.RecordBatch]]:
    """Read some pages; ``options`` are the limits of one page, ``readers`` further stages with their options."""
    with _no_search_for_cycles():
        return _pass_over(captures, options or PageLimits(), readers)


def _pass_over(
    captures: Iterable[tuple[Capture, bytes]], limits: PageLimits, readers: Sequence[tuple[str, Reader, Any]]
) -> dict[str, list[pa.RecordBatch]]:
    resolver = Resolver()
    rows = _Rows()
    for group in _groups(captures):
        bodies = [(body, capture.url, capture.charset) for capture, body in group]
        for (capture, _), facts in zip(group, read_pages(bodies, limits=limits, resolver=resolver), strict=True):
            rows.add(capture, facts, limits, readers)
        rows.flush_if_large()
    rows.finish()
    if rows.rejects:
        rows.batches.setdefault("rejects", []).extend(table_from_records("rejects", rows.rejects).to_batches())
    return rows.batches


@contextmanager
def _no_search_for_cycles() -> Iterator[None]:
    """Keep Python from looking for cycles among the thousands of arrays that wait: records of pages make none."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _groups(captures: Iterable[tuple[Capture, bytes]]) -> Iterator[list[tuple[Capture, bytes]]]:
    """Yield captures in groups that are read together."""
    group: list[tuple[Capture, bytes]] = []
    size = 0
    for capture, body in captures:
        group.append((capture, body))
        size += len(body)
        if len(group) == GROUP_PAGES or size >= GROUP_BYTES:
            yield group
            group, size = [], 0
    if group:
        yield group


@dataclass(slots=True)
class _Rows:
    """What has been read so far: finished batches, and pages that wait to become one."""

    batches: dict[str, list[pa.RecordBatch]] = field(default_factory=dict)
    rejects: list[Reject] = field(default_factory=list)
    facts: list[PageFacts] = field(default_factory=list)
    segments: list[Segments] = field(default_factory=list)
    urls: UrlRows = field(default_factory=UrlRows)
    found: dict[str, list[Any]] = field(default_factory=dict)  # records of other stages
    size: int = 0

    def add(
        self,
        capture: Capture,
        facts: PageFacts | Exception,
        limits: PageLimits,
        readers: Sequence[tuple[str, Reader, Any]],
    ) -> None:
        """Take a page, and what the other stages read off it; or the reason why there is none."""
        try:
            if isinstance(facts, Exception):
                raise facts
            segments = find_segments(facts)
        except UnusablePageError as error:
            self.rejects.append(Reject(capture.url, STAGE, error.reason, error.detail))
            return
        except Exception as error:
            detail = f"The page could not be read: {type(error).__name__}: {error}"
            self.rejects.append(Reject(capture.url, STAGE, "internal-error", detail))
            return
        if facts.dom.parsed_depth > limits.page_depth:
            detail = (
                f"Elements are nested {facts.dom.parsed_depth:,} deep; "
                f"those below {limits.page_depth:,} were lifted to that depth."
            )
            self.rejects.append(Reject(capture.url, STAGE, "depth-cut", detail))
        self.facts.append(facts)
        self.segments.append(segments)
        self.urls.add(facts)
        self.size += len(facts.dom.text)
        for stage, reader, options in readers:
            try:
                found = reader(facts, options)
            except Exception as error:
                detail = f"The stage could not read the page: {type(error).__name__}: {error}"
                self.rejects.append(Reject(capture.url, stage, "internal-error", detail))
            else:
                self.add_found(found)

    def flush_if_large(self) -> None:
        """Make batches of the pages that wait if they are many."""
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

    def finish(self) -> None:
        """Make batches of everything that waits."""
        self.flush()
        urls = self.urls.batches()
        if urls:
            self.batches["urls"] = urls
