"""One file -> parts that several processes read at the same time, and whether what they read is what one would have.

A part is a range of bytes; the records that start in it are its own. Where the first of them starts is a guess: a page
may hold something that looks like a record. So each part notes where its records began and where the next one's must,
and only if the parts agree (`parts_agree`) are they what one reader would have read, in the same order.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from sitestrata.sources.continuations import is_part
from sitestrata.sources.places import size_and_time
from sitestrata.sources.records import Fault, Record
from sitestrata.sources.scan import rework_budget
from sitestrata.sources.source import Source

__all__ = ["Border", "Part", "cut_source", "is_splittable", "parts_agree"]


@dataclass(frozen=True, slots=True)
class Part:
    """The records of a file that start in a range of its bytes."""

    begin: int
    end: int


@dataclass(slots=True)
class Border:
    """How a part hangs together with those beside it: offsets of records or faults, None where there is none."""

    before: int | None = None  # the last one before the part that was seen
    first: int | None = None  # the first one that does not start before the part, be it behind its end
    last: int | None = None  # the last one before the end of the part
    following: int | None = None  # the first one behind the part
    asks_before: bool = False  # ``before`` is a request, on which the answer behind it depends
    asks_last: bool = False
    is_segmented: bool = False  # an answer in the part is spread over several records
    reread: int = 0  # bytes that were read again because of damage
    doubts: list[int] = field(default_factory=list)  # which of the part's rejects are about odd records, counted from 0
    doubt_count: int = 0  # odd records in all; only so many are rejects of their own

    def watch(self, found: Iterator[Record | Fault], part: Part) -> Iterator[Record | Fault]:
        """Pass on what is read in and around a part, noting it."""
        for item in found:
            is_request = isinstance(item, Record) and item.kind == "request"
            if item.offset < part.begin:
                self.before, self.asks_before = item.offset, is_request
            elif self.first is None:
                self.first = item.offset
            if item.offset < part.end:
                self.last, self.asks_last = item.offset, is_request
                self.is_segmented |= isinstance(item, Record) and is_part(item)
            elif self.following is None:
                self.following = item.offset
            yield item


def is_splittable(source: Source) -> bool:
    """Tell whether reading can begin in the middle: records lie open, or are packed one by one."""
    return source.framing in ("plain", "gzip", "zstd")


def cut_source(source: Source, size: int) -> list[Part]:
    """Cut a file into parts of ``size`` bytes; a file that is smaller, or cannot be cut, has none."""
    if size <= 0 or not is_splittable(source):
        return []
    end = source.size or (size_and_time(source.path) or (0, 0))[0]
    return [Part(begin, min(begin + size, end)) for begin in range(0, end, size)] if end > size else []


def parts_agree(parts: Sequence[Part], borders: Sequence[Border]) -> bool:
    """Tell whether the parts of a file, read each by itself, are together what one reader would have read."""
    if any(border.is_segmented for border in borders):
        return False  # the pieces of one answer may be in several parts
    if sum(border.reread for border in borders) > rework_budget(parts[-1].end):
        return False  # one reader would have given the file up
    return all(
        one.following == other.first and (one.last == other.before or not (one.asks_last or other.asks_before))
        for one, other in pairwise(borders)
    )
