"""Records of which one answer was written in several -> one record each (ISO 28500, "record segmentation").

The first part is an ordinary record with ``WARC-Segment-Number: 1``; the others are records of the type continuation
that name it. The last says how long the whole is. Parts of one file are joined, in whatever order they come and
whatever stands between them; where a part is in another file, the answer stays unusable.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from sitestrata.sources.records import Fault, Record
from sitestrata.sources.warc import digest_agrees

__all__ = ["is_part", "join_parts"]

MOST_OPEN = 64  # answers of which parts are held; more at a time than a writer can have open are no writer's work

_NUMBER, _ORIGIN, _TOTAL = b"warc-segment-number", b"warc-segment-origin-id", b"warc-segment-total-length"
_INCOMPLETE = "Not all records that the answer is spread over are in this file."


def is_part(record: Record) -> bool:
    """Tell whether a record holds only a part of what was written."""
    return _NUMBER in record.fields


def join_parts(found: Iterator[Record | Fault], *, keep: int) -> Iterator[Record | Fault]:
    """Pass everything on, with one record in place of the parts of an answer, of which ``keep`` bytes are held."""
    waiting: dict[bytes, _Parts] = {}  # by id of the first part, the longest unfinished first
    for item in found:
        if not isinstance(item, Record) or not is_part(item):
            yield item
            continue
        origin = item.fields.get(_ORIGIN if item.kind == "continuation" else b"warc-record-id", b"")
        parts = waiting.setdefault(origin, _Parts(item.offset))
        fault = parts.add(item, keep)
        if fault is not None:
            del waiting[origin]
            yield fault
        elif parts.is_complete:
            yield waiting.pop(origin).joined(keep)
        elif len(waiting) > MOST_OPEN:
            oldest = waiting.pop(next(iter(waiting)))
            yield Fault(oldest.offset, "segmented-record", _INCOMPLETE)
    for parts in waiting.values():
        yield Fault(parts.offset, "segmented-record", _INCOMPLETE)


@dataclass(slots=True)
class _Parts:
    """What has been found of one answer."""

    offset: int  # of the part that came first
    records: dict[int, Record] = field(default_factory=dict)  # by number
    total: int | None = None

    def add(self, record: Record, keep: int) -> Fault | None:
        """Take a part; return what is wrong with it."""
        number, total = record.fields[_NUMBER], record.fields.get(_TOTAL, b"0")
        if not number.isdigit() or not total.isdigit() or max(len(number), len(total)) > 18:
            return Fault(record.offset, "segmented-record", "The number or length of a part of an answer is no number.")
        place = int(number)
        if place in self.records or (place == 1) == (record.kind == "continuation"):
            return Fault(record.offset, "segmented-record", "Two records claim to be the same part of one answer.")
        claim = record.fields.get(b"warc-block-digest")
        if claim is not None and not record.is_cut and digest_agrees(claim, (record.block,)) is False:
            return Fault(record.offset, "bad-digest", "A part does not have the digest that WARC-Block-Digest says.")
        if _TOTAL in record.fields:
            self.total = int(total)
        held = sum(len(part.block) for part in self.records.values())
        if held + len(record.block) > keep:  # too large to be used: what it is shows in the first part
            record.block, record.is_cut = record.block[: max(0, keep - held)], True
        self.records[place] = record
        return None

    @property
    def is_complete(self) -> bool:
        """Tell whether all parts are there."""
        if self.total is None or 1 not in self.records or max(self.records) != len(self.records):
            return False
        return sum(record.block_size for record in self.records.values()) == self.total

    def joined(self, keep: int) -> Record:
        """Return the parts as the one record that they would have been."""
        parts = [self.records[number] for number in sorted(self.records)]
        first = parts[0]
        own = {_NUMBER, _TOTAL, b"warc-block-digest"}  # what the first part says about itself alone
        return Record(
            kind=first.kind,
            fields={name: value for name, value in first.fields.items() if name not in own},
            block=b"".join(part.block for part in parts)[:keep],
            block_size=self.total or 0,
            offset=first.offset,
            length=first.length,
            is_cut=any(part.is_cut for part in parts),
            is_checked=all(part.is_checked for part in parts),
            doubt=first.doubt,
        )
