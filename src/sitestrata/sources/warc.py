"""WARC 0.17 to 1.1 (ISO 28500): the head of a record, its digests, and how to find one.

Differences from the standard, because files in the wild need them: lines may end in a bare line feed, a record may be
followed by any number of line ends, ``WARC-Target-URI`` may stand in angle brackets (Wget 1.14 to 1.19).
"""

import base64
import binascii
import hashlib
import re
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Literal

from sitestrata.sources.records import Head

__all__ = ["Warc", "digest_agrees", "parse_time", "unbracket"]

_START = re.compile(rb"WARC/[01]\.\d+[ \t\r]*\n")
# After damage; not only at the start of a line, because the line end before it may be what is damaged.
_NEXT_START = re.compile(rb"WARC/[01]\.\d+[ \t\r]*\n(?=[A-Za-z][A-Za-z0-9\-]*:)")
_FIELD_NAME = re.compile(rb"[!#$%&'*+\-.^_`|~0-9a-z]+\Z")  # token of RFC 2616, in lower case
# Nearly all writers take UUIDs; where the name says so, it has to be one.
_RECORD_ID = re.compile(
    rb"<urn:uuid:(?:urn:uuid:)?[0-9A-Fa-f]{8}-(?:[0-9A-Fa-f]{4}-){3}[0-9A-Fa-f]{12}>\Z|<(?!urn:uuid:)[!-~]+:[!-~]+>\Z"
)
# A lone "\n" first means that a byte too many was counted to the block.
_CLOSED = re.compile(rb"(?:\r\n\r\n|\n\n|\r\r\n\r\r\n)[\r\n]*\Z")
_CONTROL = re.compile(rb"[\x00-\x08\x0a-\x1f\x7f]")
_FIELD = re.compile(rb"\n(?![ \t])([^:\r\n]*):[ \t]*([^\n]*)")
_FOLD = re.compile(rb"[ \t\r]*\n[ \t]+")  # ISO 28500, 4: a line that starts with a blank goes on with the one before
_LINE_ENDS = re.compile(rb"[\r\n]*")
_TIME = re.compile(rb"(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(Z|[+-]\d\d:?\d\d)?)?\Z")
_MANDATORY = (b"warc-record-id", b"warc-date", b"warc-type", b"content-length")  # ISO 28500, 5.1
# RFC 4648's digits to those that int() knows, in either case; every other byte becomes one that it refuses.
_RFC4648 = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
_BASE32 = bytes(
    b"0123456789abcdefghijklmnopqrstuv"[_RFC4648.index(byte)] if byte in _RFC4648 else ord("!")
    for byte in bytes(range(256)).upper()
)
_SINGLE = frozenset(
    (*_MANDATORY, b"warc-target-uri", b"warc-block-digest", b"warc-payload-digest", b"content-type")
)  # ISO 28500, 5: all but WARC-Concurrent-To; of the others, writers repeat some (WARC-Protocol)
_SPELLING = {
    b"warc-record-id": "WARC-Record-ID",
    b"warc-date": "WARC-Date",
    b"warc-type": "WARC-Type",
    b"content-length": "Content-Length",
    b"warc-block-digest": "WARC-Block-Digest",
    b"warc-payload-digest": "WARC-Payload-Digest",
}
_KINDS = frozenset(("warcinfo", "response", "resource", "request", "metadata", "revisit", "conversion", "continuation"))
_ALGORITHMS = {b"sha1": "sha1", b"sha-1": "sha1", b"sha256": "sha256", b"sha-256": "sha256", b"md5": "md5",
               b"sha512": "sha512", b"sha-512": "sha512", b"sha384": "sha384", b"sha-384": "sha384"}  # fmt: skip


class Warc:
    """The WARC format."""

    name: Literal["warc", "arc"] = "warc"

    def __init__(self, *, max_header: int) -> None:
        self._max_header = max_header

    def parse_head(self, data: bytes, position: int) -> Head | str | None:
        """Parse the version line and named fields at ``position``."""
        if not data.startswith(b"WARC/", position):
            return "A record starts with WARC/ and its version; something else stands here."
        end, length = _end_of_head(data, position, position + self._max_header)
        if end < 0:
            if len(data) - position > self._max_header:
                return f"The head of the record is longer than {self._max_header} bytes."
            return None
        text = data[position:end]
        if _START.match(text + b"\n") is None:
            return "The version line of the record is not one of WARC 0.17 to 1.1."
        pairs = _FIELD.findall(text)
        if len(pairs) != text.count(b"\n"):  # some line is folded, or is none
            unfolded = _FOLD.sub(b" ", text)
            pairs = _FIELD.findall(unfolded)
            if len(pairs) != unfolded.count(b"\n"):
                return "A line in the head of the record is no named field."
        fields = {name.strip().lower(): value.rstrip() for name, value in pairs}
        has_repeats = len(fields) < len(pairs) and _repeats(pairs)
        size = fields.get(b"content-length", b"")
        if not size.isdigit() or len(size) > 18:
            return "The record has no Content-Length, or one that is no number."
        kind = fields.get(b"warc-type", b"").decode("latin-1").lower()
        if not kind:
            return "The record has no WARC-Type."
        return Head(kind, fields, end + length - position, int(size), has_repeats)

    def is_start(self, data: bytes) -> bool:
        """Tell whether ``data`` opens with a version line."""
        return _START.match(data) is not None

    def resembles_start(self, data: bytes) -> bool:
        """Tell whether the second or third line of ``data`` is a field of WARC, or the file ends in the first."""
        if b"\n" not in data:
            return b"WARC/1.".startswith(data[:7]) or data.startswith((b"WARC/1.", b"WARC/0."))
        return any(line.startswith(b"WARC-") for line in data.split(b"\n", 3)[1:3])

    def find_start(self, data: bytes, position: int) -> int:
        """Return where the next version line starts."""
        found = _NEXT_START.search(data, position)
        return -1 if found is None else found.start()

    def gap(self, rest: bytes) -> int:
        """Return the number of bytes of line ends in front of the next record."""
        found = _LINE_ENDS.match(rest)
        return -1 if found is None else found.end()

    def is_end(self, gap: bytes) -> bool:
        """Tell whether both line ends that close a record are there (ISO 28500, 4)."""
        return _CLOSED.match(gap) is not None

    def contradiction(self, head: Head) -> str | None:
        """Say what shows that a head is damaged: bytes that are no text, fields of two records in one."""
        if head.has_repeats:
            return "A field is there twice in the head of the record, as if two had run together."
        for value in head.fields.values():
            if _CONTROL.search(value) or not _is_text(value):
                return "A field in the head of the record holds bytes that are no text."
        return None

    def suspicion(self, head: Head) -> str | None:
        """Say which mandatory field is missing or malformed, or which field name cannot be one."""
        for name in _MANDATORY:
            if name not in head.fields:
                return f"The record has no {_SPELLING[name]}."
        for name in head.fields:
            if not _FIELD_NAME.match(name):
                return "A field name in the head of the record holds characters that none may hold."
        if not _RECORD_ID.match(head.fields[b"warc-record-id"]):
            return "The WARC-Record-ID of the record is malformed."
        if parse_time(head.fields[b"warc-date"]) is None:
            return "The WARC-Date of the record is no date."
        if head.kind not in _KINDS:
            return "The WARC-Type of the record is unknown."
        for name in (b"warc-block-digest", b"warc-payload-digest"):
            if _is_malformed_digest(head.fields.get(name, b"")):
                return f"The {_SPELLING[name]} of the record is malformed."
        return None


def _repeats(pairs: list[tuple[bytes, bytes]]) -> bool:
    names = [name.strip().lower() for name, _ in pairs]
    return any(name in _SINGLE and names.count(name) > 1 for name in set(names))


def _is_text(value: bytes) -> bool:
    if value.isascii():
        return True
    try:
        value.decode()
    except UnicodeDecodeError:
        return False
    return True


@lru_cache(maxsize=4096)  # neighbours were fetched in the same second, and each date is asked for twice
def parse_time(text: bytes) -> datetime | None:
    """Parse a WARC-Date (a profile of ISO 8601, UTC) to the millisecond, or return None.

    >>> parse_time(b"2026-08-20T16:40:19.25Z")
    datetime.datetime(2026, 8, 20, 16, 40, 19, 250000, tzinfo=datetime.timezone.utc)
    """
    match = _TIME.match(text)
    if match is None:
        return None
    year, month, day, hour, minute, second, fraction, zone = match.groups()
    try:
        time = datetime(
            int(year), int(month), int(day), int(hour or 0), int(minute or 0), min(int(second or 0), 59),
            int((fraction or b"0").ljust(3, b"0")[:3]) * 1000, tzinfo=UTC,
        )  # fmt: skip
        if zone and zone != b"Z":
            digits = zone[1:].replace(b":", b"")
            offset = timedelta(hours=int(digits[:2]), minutes=int(digits[2:]))
            time = time - offset if zone[:1] == b"+" else time + offset
    except (ValueError, OverflowError):
        return None
    return time


def unbracket(value: bytes) -> bytes:
    """Strip the angle brackets that ids must have and addresses must not."""
    return value[1:-1] if value[:1] == b"<" and value[-1:] == b">" else value


def _is_malformed_digest(claim: bytes) -> bool:
    label, _, value = claim.strip().partition(b":")
    algorithm = _ALGORITHMS.get(label.strip().lower())
    return algorithm is not None and _digest_bytes(value.strip(), hashlib.new(algorithm).digest_size) is None


def digest_agrees(claim: bytes, pieces: Iterable[bytes]) -> bool | None:
    """Compare a labelled digest ("sha1:BASE32") with bytes; None where the label or the value is not understood."""
    label, colon, value = claim.strip().partition(b":")
    algorithm = _ALGORITHMS.get(label.strip().lower())
    if not colon or algorithm is None:
        return None
    digest = hashlib.new(algorithm, usedforsecurity=False)
    expected = _digest_bytes(value.strip(), digest.digest_size)
    if expected is None:
        return None
    for piece in pieces:
        digest.update(piece)
    return digest.digest() == expected


def _digest_bytes(value: bytes, size: int) -> bytes | None:
    """Decode base16, base32 or base64, told apart by length: writers use all three."""
    bare = value.rstrip(b"=")
    try:
        if len(bare) == size * 2:
            return binascii.unhexlify(bare)
        if len(bare) == (size * 8 + 4) // 5:
            # By way of an integer, because the standard library's decoder is slow; bits that only fill up are cut off.
            number = int(bare.translate(_BASE32), 32) >> (len(bare) * 5 - size * 8)
            return number.to_bytes(size, "big")
        if len(bare) == (size * 8 + 5) // 6:
            return base64.b64decode(bare.replace(b"-", b"+").replace(b"_", b"/") + b"=" * (-len(bare) % 4))
    except (ValueError, OverflowError):
        return None
    return None


def _end_of_head(data: bytes, position: int, stop: int) -> tuple[int, int]:
    """Return where the head ends and how long the empty line after it is."""
    crlf = data.find(b"\r\n\r\n", position, stop)
    # Files that were written or copied as text end their lines in other ways.
    for empty in (b"\n\n", b"\r\r\n\r\r\n"):
        odd = data.find(empty, position, crlf if crlf >= 0 else stop)
        if odd >= 0:
            return odd, len(empty)
    return crlf, 4
