"""ARC 1 and 2 (Internet Archive, 1996): the predecessor of WARC, one line of five or ten words in front of each block.

There are no digests and no record ids. Addresses hold unescaped blanks in the wild, so lines are read from the right.
"""

import re
from typing import Literal

from sitestrata.sources.records import Head

__all__ = ["Arc"]

# Only schemes that archives have: a line that is off by a letter must not look like one.
_SCHEMES = (
    rb"((?:[Hh][Tt][Tt][Pp][Ss]?|ftps?|dns|filedesc|file|gopher|news|nntp|mailto|telnet|wais|whois|rtsp|mms|urn):"
)
# address, IP, date, media type, then for version 2: result code, checksum, location, offset, file name; then length
_LINE = _SCHEMES + rb"[^\r\n]*?) ([0-9A-Fa-f.:]+|-) (\d{8,14}) ([^\r\n]*?) (\d{1,18})[ \t]*\r?\n"
_START = re.compile(_LINE)
_LINE_START = re.compile(rb"(?:\A|(?<=\n))" + _LINE)
_ADDRESS = re.compile(rb"\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}\Z")
_CUT = re.compile(rb"[A-Za-z][A-Za-z0-9+.\-]*(?::[^\r\n]*)?\Z")
_CONTROL = re.compile(rb"[\x00-\x1f\x7f]")
_URL = b"warc-target-uri"
_LINE_ENDS = re.compile(rb"[\r\n]*")


class Arc:
    """The ARC format."""

    name: Literal["warc", "arc"] = "arc"

    def __init__(self, *, max_header: int) -> None:
        self._max_header = max_header

    def parse_head(self, data: bytes, position: int) -> Head | str | None:
        """Parse the line at ``position``."""
        end = data.find(b"\n", position, position + self._max_header)
        if end < 0:
            if len(data) - position > self._max_header:
                return f"The head of the record is longer than {self._max_header} bytes."
            return None
        match = _START.match(data, position, end + 1)
        if match is None:
            return "The line in front of the record is not that of an ARC record."
        url, address, date, middle, size = match.groups()
        kind = "warcinfo" if url.lower().startswith(b"filedesc:") else "response"
        fields = {
            _URL: url,
            b"warc-ip-address": address,
            b"warc-date": _iso(date),
            # Version 2 puts result code and the like behind the media type; a media type has one word and parameters.
            b"content-type": middle.partition(b" ")[0] if b";" not in middle else middle,
        }
        return Head(kind, fields, match.end() - position, int(size))

    def is_start(self, data: bytes) -> bool:
        """Tell whether ``data`` opens with the line of a record."""
        return _START.match(data) is not None

    def resembles_start(self, data: bytes) -> bool:
        """Tell whether the first line of ``data`` has a date or an IP address where that of a record has them."""
        line, end, _ = data.partition(b"\n")
        words = line.split(b" ")
        if not end:
            return _CUT.match(line) is not None
        return len(words) >= 5 and (words[-3].isdigit() or _ADDRESS.match(words[-4]) is not None)

    def find_start(self, data: bytes, position: int) -> int:
        """Return where the next line of a record starts."""
        found = _LINE_START.search(data, position)
        return -1 if found is None else found.start()

    def gap(self, rest: bytes) -> int:
        """Return the number of bytes of line ends in front of the next record."""
        found = _LINE_ENDS.match(rest)
        return -1 if found is None else found.end()

    def is_end(self, gap: bytes) -> bool:
        """Tell whether the line end that closes a record is there."""
        return b"\n" in gap

    def contradiction(self, head: Head) -> str | None:
        """Say what shows that a line is damaged: an address with bytes that are no text."""
        return "The address of the record holds control characters." if _CONTROL.search(head.fields[_URL]) else None

    def suspicion(self, head: Head) -> str | None:  # noqa: ARG002 - the line that parses is all there is to doubt
        """Find nothing to doubt: an ARC head that parses has been checked."""
        return None


def _iso(date: bytes) -> bytes:
    text = date.decode("ascii").ljust(14, "0")
    return f"{text[:4]}-{text[4:6]}-{text[6:8]}T{text[8:10]}:{text[10:12]}:{text[12:14]}Z".encode()
