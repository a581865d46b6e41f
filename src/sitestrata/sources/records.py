"""What every archive format is read as: records with named fields and a block, and faults between them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, Protocol

__all__ = ["Fault", "Format", "Head", "Record"]


@dataclass(frozen=True, slots=True)
class Fault:
    """Damage at a place of a file."""

    offset: int
    reason: str  # as in Reject
    detail: str


@dataclass(slots=True)
class Head:
    """The fields of one record and where its block lies, relative to where the head starts."""

    kind: str  # response, resource, revisit, request, ...
    fields: Mapping[bytes, bytes]  # names in lower case
    length: int  # of the head, with the empty line that ends it
    block_size: int
    has_repeats: bool = False  # a field is there twice that may be there once


@dataclass(slots=True)
class Record:
    """One record of an archive, as it was written."""

    kind: str
    fields: Mapping[bytes, bytes]
    block: bytes  # its first bytes, if ``is_cut``
    block_size: int  # as the head says
    offset: int
    length: int
    is_cut: bool  # too large to be held
    is_checked: bool  # a checksum of the packing, or a digest, vouches for the block
    is_digested: bool = False  # a digest does
    doubt: tuple[str, str] | None = None  # reason and detail of what is odd about it, although it can be used


class Format(Protocol):
    """A record format: how a record starts, and what may stand between two."""

    name: Literal["warc", "arc"]

    def parse_head(self, data: bytes, position: int) -> Head | str | None:
        """Parse the head at ``position``; None where ``data`` ends before it does, a complaint where it is none."""
        ...

    def is_start(self, data: bytes) -> bool:
        """Tell whether a record may start with ``data`` (some twenty bytes of it)."""
        ...

    def resembles_start(self, data: bytes) -> bool:
        """Tell whether ``data`` looks like the start of a record that was damaged or cut."""
        ...

    def find_start(self, data: bytes, position: int) -> int:
        """Return where in ``data`` a line starts that may open a record, at or after ``position``; -1 if nowhere."""
        ...

    def gap(self, rest: bytes) -> int:
        """Return how many of the bytes after a block end the record; -1 where no record can end like this."""
        ...

    def is_end(self, gap: bytes) -> bool:
        """Tell whether the bytes between a block and the end of the file close the record."""
        ...

    def contradiction(self, head: Head) -> str | None:
        """Say what shows that a head is damaged, for files that carry no checksum."""
        ...

    def suspicion(self, head: Head) -> str | None:
        """Say which rule a head breaks that can be used all the same, for files that carry no checksum."""
        ...
