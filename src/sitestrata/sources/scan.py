"""A file -> its records in order, and a fault for every place where there is none.

Three framings, told apart by what the first members hold:

* plain: records one after the other;
* packed one by one: each record a gzip member or Zstandard frame of its own, as the standard asks; a record is
  found by the place of its member, and damage in one cannot touch the next;
* solid: members that do not coincide with records (``gzip crawl.warc``); a record is found by its place in the
  unpacked bytes.

After damage the scan goes on at the next place where a record opens: the start of a line with a version, the magic of a
member that unpacks to one. What was skipped is one fault. The bytes that are read again for this are bounded, so that
a file made to look damaged everywhere costs linear time.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from sitestrata.sources.limits import Limits
from sitestrata.sources.packing import Codec, Member, Stream, unpack
from sitestrata.sources.records import Fault, Format, Head, Record
from sitestrata.sources.warc import digest_agrees
from sitestrata.sources.windows import Window

__all__ = [
    "Bytes",
    "Rework",
    "Unpacked",
    "find_member",
    "find_record",
    "is_sound",
    "record_at",
    "records_of_member",
    "rework_budget",
    "scan_members",
    "scan_plain",
]

_MAX_SOLID = 128  # times the largest record that a solid file may unpack to
_FIRST_LOOK = 4096  # bytes in which the head of a record usually ends
_PIECE = 1 << 20
_REWORK = 16  # times the size of a file that may be read again while looking for the next good record
_MIN_REWORK = 4 << 30  # bytes; some seconds
_TOO_DAMAGED = "The rest of the file was not read: too much of it is damaged."
_END_LOOK = 64  # bytes after a block in which its end and the start of the next record must show


class Bytes(Protocol):
    """Bytes by position: a `Window`, or the unpacked bytes of a solid file."""

    size: int  # of the file

    def read(self, position: int, length: int) -> bytes:
        """Return up to ``length`` bytes; fewer only at the end."""
        ...


def scan_plain(
    data: Bytes,
    format_: Format,
    limits: Limits,
    *,
    is_checked: bool = False,
    position: int = 0,
    rework: "Rework | None" = None,
) -> Iterator[Record | Fault]:
    """Yield the records of a file without packing, or of the unpacked bytes of a solid one, from a position on."""
    rework = rework or Rework(rework_budget(data.size))
    while data.read(position, 1):
        found = record_at(data, position, format_, limits, is_checked=is_checked)
        if isinstance(found, Record):
            yield found
            position += found.length
            continue
        yield found
        rework.spend(2 * _PIECE)
        if rework.is_spent:
            yield Fault(position, "too-damaged", _TOO_DAMAGED)
            return
        following = _find_plain(data, position + 1, format_)
        if following < 0:
            return
        position = following


def record_at(
    data: Bytes, position: int, format_: Format, limits: Limits, *, is_checked: bool = False
) -> Record | Fault:
    """Read the record that starts at ``position`` of unpacked bytes."""
    head = _head_at(data, position, format_, limits)
    if isinstance(head, Fault):
        return head
    start = position + head.length
    end = start + head.block_size
    is_cut = head.block_size > limits.max_kept
    # The end first: a head that lies about its length shall not cost the reading of a block.
    if head.block_size and not data.read(end - 1, 1):
        detail = f"Content-Length says {head.block_size} bytes; the file ends before that."
        return Fault(position, "truncated-record", detail)
    gap, is_next = _gap_at(data, end, format_)
    block = b""
    if is_next or format_.is_end(gap):
        block = data.read(start, min(head.block_size, limits.max_kept))
        # A damaged neighbour is no reason to doubt a record that has its digest.
        is_next = is_next or bool(digest_agrees(head.fields.get(b"warc-block-digest", b""), (block,)))
    if not is_next:
        return Fault(position, "length-mismatch", "No record ends where Content-Length says that this one does.")
    if not is_checked and (complaint := format_.contradiction(head)):
        return Fault(position, "bad-header", complaint)
    length = end + len(gap) - position
    doubt = _doubt(format_, head, gap, is_checked=is_checked)
    return Record(head.kind, head.fields, block, head.block_size, position, length, is_cut, is_checked, doubt=doubt)


def scan_members(
    window: Window,
    codec: Codec,
    format_: Format,
    limits: Limits,
    *,
    position: int = 0,
    rework: "Rework | None" = None,
) -> Iterator[Record | Fault]:
    """Yield the records of a file whose records are packed one by one, from a position on."""
    rework = rework or Rework(rework_budget(window.size))
    while position < window.size:
        member = unpack(codec, window, position, keep=limits.max_kept, ceiling=limits.max_record)
        if member.fault is None:
            yield from records_of_member(member, position, format_)
            position += member.length
            continue
        yield _fault_of(window, codec, position, member)
        rework.spend(member.length)
        if rework.is_spent:
            yield Fault(position, "too-damaged", _TOO_DAMAGED)
            return
        following = find_member(window, codec, position + 1, format_)
        if following < 0:
            return
        position = following


def records_of_member(member: Member, position: int, format_: Format) -> Iterator[Record | Fault]:
    """Yield what one sound member holds: one record, as a rule."""
    data = member.data
    at = 0
    while at < member.size:
        if at >= len(data):
            yield Fault(position, "too-large", "More records follow in the same member, behind one too large to hold.")
            return
        head = format_.parse_head(data, at)
        if head is None:
            yield Fault(position, "truncated-record", "The member ends inside the head of a record.")
            return
        if isinstance(head, str):
            yield Fault(position, "bad-header", head)
            return
        start = at + head.length
        end = start + head.block_size
        if end > member.size:
            there = member.size - start
            yield Fault(
                position,
                "truncated-record",
                f"Content-Length says {head.block_size} bytes; the member holds {there}.",
            )
            return
        rest = data[end : end + _END_LOOK]
        gap = format_.gap(rest)
        at = end + gap
        if gap < len(rest) and not format_.is_start(data[at : at + _FIRST_LOOK]):
            yield Fault(
                position, "length-mismatch", "The member goes on where Content-Length says that the block ends."
            )
            return
        if not member.is_checked and (complaint := format_.contradiction(head)):
            yield Fault(position, "bad-header", complaint)
            continue
        block = data[start:end]
        is_cut = len(block) < head.block_size
        if len(rest) < _END_LOOK and len(data) < member.size <= end + _END_LOOK:
            at = member.size  # what closes the record lies behind what was kept
            doubt = None
        else:
            doubt = _doubt(format_, head, rest[:gap], is_checked=member.is_checked)
        size, length, is_checked = head.block_size, member.length, member.is_checked
        yield Record(head.kind, head.fields, block, size, position, length, is_cut, is_checked, doubt=doubt)


class Unpacked:
    """The unpacked bytes of a solid file by position: going forward is cheap, going far back starts over."""

    def __init__(self, window: Window, codec: Codec, *, behind: int) -> None:
        self._window = window
        self._codec = codec
        self._behind = behind
        self.size = window.size
        self.faults: list[Fault] = []  # of members, at their packed offsets; each is told once
        self._told = -1
        self._restart()

    def read(self, position: int, length: int) -> bytes:
        """Return up to ``length`` bytes; fewer only at the end."""
        if position < self._base:
            self._restart()
        while self._base + len(self._buffer) < position + length and self._pull(position):
            pass
        begin = max(0, position - self._base)
        return bytes(self._buffer[begin : begin + length])

    def take_faults(self) -> list[Fault]:
        """Return the faults of members met since the last call."""
        faults, self.faults = self.faults, []
        return faults

    def _restart(self) -> None:
        self._base = 0
        self._buffer = bytearray()
        self._member = 0
        self._stream: Stream | None = self._codec.open(self._window, 0) if self._window.size else None

    def _pull(self, position: int) -> bool:
        """Unpack some more bytes; False at the end of the file."""
        if self._stream is None:
            return False
        part = self._stream.read()
        if not part:
            self._next_member(self._stream)
            return True
        excess = min(position - self._behind - self._base, len(self._buffer))
        if excess > self._behind:
            del self._buffer[:excess]
            self._base += excess
        self._buffer += part
        return True

    def _next_member(self, stream: Stream) -> None:
        following = self._member + stream.length
        if stream.fault is not None:
            if self._member > self._told:
                self._told = self._member
                self.faults.append(Fault(self._member, stream.fault, stream.detail))
            following = self._codec.next_start(self._window, self._member + 1)
        self._member = following
        is_end = following < 0 or following >= self._window.size
        self._stream = None if is_end else self._codec.open(self._window, following)


def is_sound(window: Window, codec: Codec, limits: Limits) -> bool:
    """Tell whether every member of a file has a checksum that agrees; reads the whole file."""
    position = 0
    while position < window.size:
        member = unpack(codec, window, position, keep=0, ceiling=_MAX_SOLID * limits.max_record)
        if not member.is_checked:
            return False
        position += member.length
    return True


@dataclass(slots=True)
class Rework:
    """Counts what is read again after damage."""

    budget: int
    spent: int = 0

    def spend(self, amount: int) -> None:
        """Note that so many bytes are read again."""
        self.spent += amount

    @property
    def is_spent(self) -> bool:
        """Tell whether enough was read again."""
        return self.spent > self.budget


def rework_budget(size: int) -> int:
    """Return how many bytes of a file of so many may be read again."""
    return max(_MIN_REWORK, _REWORK * size)


def _head_at(data: Bytes, position: int, format_: Format, limits: Limits) -> Head | Fault:
    look = _FIRST_LOOK
    while True:
        piece = data.read(position, look)
        head = format_.parse_head(piece, 0)
        if isinstance(head, Head):
            return head
        if isinstance(head, str):
            return Fault(position, "bad-header", head)
        if len(piece) < look:
            return Fault(position, "truncated-record", "The file ends inside the head of a record.")
        look *= 4
        if look > 4 * limits.max_header:
            return Fault(position, "bad-header", f"The head of the record is longer than {limits.max_header} bytes.")


def _gap_at(data: Bytes, end: int, format_: Format) -> tuple[bytes, bool]:
    """Return the line ends after a block, and whether a record or the end of the file follows them."""
    tail = data.read(end, _END_LOOK)
    gap = format_.gap(tail)
    while gap == len(tail) and tail:  # many line ends: look further
        more = data.read(end + len(tail), _FIRST_LOOK)
        if not more:
            return tail, True
        tail += more
        gap = format_.gap(tail)
    if not tail:
        return b"", True
    following = data.read(end + gap, _FIRST_LOOK)
    is_next = format_.is_start(following) or (format_.is_end(tail[:gap]) and format_.resembles_start(following))
    return tail[:gap], is_next


def _doubt(format_: Format, head: Head, gap: bytes, *, is_checked: bool) -> tuple[str, str] | None:
    # Under a checksum it is only a writer's slip, and matters only where the block is a page.
    matters = not is_checked or (head.block_size > 0 and head.kind in ("response", "resource"))
    if matters and not format_.is_end(gap):
        return (
            "length-mismatch",
            "The block is not followed by the line ends that close a record; it was used as it is.",
        )
    complaint = None if is_checked else format_.suspicion(head)
    return None if complaint is None else ("odd-header", complaint)


def _find_plain(data: Bytes, position: int, format_: Format) -> int:
    """Return the next place where a head can be parsed; -1 if none."""
    while piece := data.read(position, _PIECE + _FIRST_LOOK):
        # One byte of look-behind, so that the start of a line shows.
        behind = data.read(position - 1, 1) if position else b"\n"
        found = format_.find_start(behind + piece, 1)
        if 0 <= found <= _PIECE:
            return position + found - 1
        if len(piece) <= _PIECE:
            return -1 if found < 0 else position + found - 1
        position += _PIECE
    return -1


def find_record(data: Bytes, position: int, format_: Format, limits: Limits) -> int:
    """Return the next place where a whole record starts in unpacked bytes; -1 if none."""
    while (position := _find_plain(data, position, format_)) >= 0:
        if isinstance(record_at(data, position, format_, limits), Record):
            return position
        position += 1
    return -1


def find_member(window: Window, codec: Codec, position: int, format_: Format) -> int:
    """Return the next place where a member opens that unpacks to the start of a record; -1 if none."""
    while (position := codec.next_start(window, position)) >= 0:
        if format_.is_start(codec.open(window, position).read()[:_FIRST_LOOK]):
            return position
        position += 1
    return -1


def _fault_of(window: Window, codec: Codec, position: int, member: Member) -> Fault:
    if not codec.is_start(window, position):
        return Fault(position, "bad-compression", "No packed record starts here.")
    return Fault(position, member.fault or "bad-compression", member.detail)
