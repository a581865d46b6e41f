"""One HTTP exchange as it went over the wire.

A WARC record holds the bytes that were received: header lines as the server spelled them, a body that may be chunked
and compressed. The HTTP client parses; this module keeps the bytes beside it, finds where the head and the body end,
and gives the body out with the transfer coding taken off. Large bodies go to a temporary file, so that memory is
bounded however many answers are under way.
"""

import re
import tempfile
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import IO, cast

from sitestrata.sources.answers import header_text

__all__ = ["Answer", "Exchange", "TooLarge"]

IN_MEMORY = 1 << 20  # larger answers are kept in a temporary file while they are under way
MAX_HEAD = 256 * 1024  # of all header lines together; browsers stop at about the same size
_HEAD_END = re.compile(rb"\r?\n\r?\n")
_STATUS = re.compile(rb"HTTP/\d(?:\.\d)?[ \t]+(\d{3})")
_STEP = 1 << 16


class TooLarge(Exception):  # noqa: N818 - reads as a claim about the answer
    """The answer grew beyond the limit."""


@dataclass(frozen=True, slots=True, eq=False)
class Answer:
    """What a server answered, as received, and what it had been asked."""

    status: int
    headers: tuple[tuple[str, str], ...]  # in order, as spelled
    sent: bytes  # the request
    head: bytes  # status line and header lines with the blank line that ends them
    body: IO[bytes]  # as received: chunked, compressed
    size: int  # of the body as received
    truncated: str | None  # why the body is not complete: length, time, disconnect (WARC-Truncated)
    address: str | None  # the server's IP address; unknown behind a proxy
    started_at: datetime
    latency: float  # seconds until the first byte

    def header(self, name: str) -> str | None:
        """Return the first value of a header."""
        name = name.lower()
        return next((value for key, value in self.headers if key.lower() == name), None)

    def all_headers(self, name: str) -> list[str]:
        """Return every value of a header."""
        name = name.lower()
        return [value for key, value in self.headers if key.lower() == name]

    def entity(self, limit: int) -> bytes:
        """Return at most ``limit`` bytes of the body without its transfer coding, still content-encoded."""
        self.body.seek(0)
        codings = ",".join(self.all_headers("transfer-encoding")).lower()
        if "chunked" not in codings:
            return self.body.read(limit)
        return b"".join(_chunks(self.body, limit))


class Exchange:
    """Collects the bytes of one exchange while it is under way."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.sent = bytearray()
        self.started_at = datetime.now(UTC)
        self.received = 0
        self.head: bytes | None = None
        self.status = 0
        self.truncated: str | None = None
        self._pending = bytearray()  # header bytes that are not complete yet
        self._body: IO[bytes] = cast(IO[bytes], tempfile.SpooledTemporaryFile(max_size=IN_MEMORY))  # noqa: SIM115 - the answer owns it
        self._size = 0

    def data_received(self, data: bytes) -> None:
        """Take bytes off the wire; raise TooLarge once head or body grow beyond their limit."""
        self.received += len(data)
        if self.head is None:
            self._pending += data
            while self.head is None:
                match = _HEAD_END.search(self._pending)
                if match is None:
                    if len(self._pending) > MAX_HEAD:
                        raise TooLarge
                    return
                head, rest = bytes(self._pending[: match.end()]), self._pending[match.end() :]
                status = _STATUS.match(head)
                self._pending = rest
                if status and status.group(1)[:1] == b"1" and status.group(1) != b"101":
                    continue  # 100 Continue, 103 Early Hints: no part of the answer
                self.head = head
                self.status = int(status.group(1)) if status else 0
            data = bytes(self._pending)
            self._pending = bytearray()
        room = self.limit - self._size
        self._body.write(data[:room])
        self._size += min(len(data), room)
        if len(data) > room:
            self.truncated = "length"
            raise TooLarge

    def answer(self, *, address: str | None, latency: float) -> Answer:
        """Return the exchange as an answer; the head must have arrived."""
        assert self.head is not None
        headers = tuple(_header_lines(self.head))
        size = self._size
        lengths = {value.strip() for key, value in headers if key.lower() == "content-length"}
        is_chunked = any(key.lower() == "transfer-encoding" and "chunked" in value.lower() for key, value in headers)
        if not is_chunked and len(lengths) == 1 and (text := lengths.pop()).isdigit() and int(text) < size:
            size = int(text)  # what follows is no part of the message
            self._body.truncate(size)
        return Answer(
            status=self.status,
            headers=headers,
            sent=bytes(self.sent),
            head=self.head,
            body=self._body,
            size=size,
            truncated=self.truncated,
            address=address,
            started_at=self.started_at,
            latency=latency,
        )


def _header_lines(head: bytes) -> list[tuple[str, str]]:
    lines: list[tuple[str, str]] = []
    for line in head.split(b"\n")[1:]:
        text = header_text(line.rstrip(b"\r"))
        if line[:1] in (b" ", b"\t") and lines:
            key, value = lines[-1]
            lines[-1] = (key, f"{value} {text.strip()}".strip())
        elif ":" in text:
            key, _, value = text.partition(":")
            lines.append((key.strip(), value.strip()))
    return lines


def _chunks(body: IO[bytes], limit: int) -> list[bytes]:
    """Take the chunked coding off; a broken frame ends the body."""
    parts: list[bytes] = []
    room = limit
    while room > 0:
        line = body.readline(1024)
        digits = line.partition(b";")[0].strip()
        if not digits:
            break
        try:
            size = int(digits, 16)
        except ValueError:
            break
        if size <= 0:
            break
        part = body.read(min(size, room))
        parts.append(part)
        room -= len(part)
        if len(part) < size:
            break
        body.readline(8)
    return parts
