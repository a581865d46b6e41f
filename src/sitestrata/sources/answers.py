"""The block of a response record -> status, fields and decoded body of one HTTP answer."""

import re
from dataclasses import dataclass

from sitestrata.sources.codings import dechunk, undo_codings
from sitestrata.sources.limits import Limits

__all__ = ["Answer", "decode_body", "header_text", "parse_answer"]

# "HTTP/1.1 200 OK", "HTTP/2 200", "ICY 200 OK", and the version-less "HTTP 200 OK" that some writers make up.
_STATUS = re.compile(rb"(?:HTTP(?:/\d(?:\.\d)?)?|ICY)[ \t]+(\d{3})(?!\d)")
_FIELD = re.compile(
    rb"\n(content-type|content-encoding|transfer-encoding|location|x-robots-tag)[ \t]*:[ \t]*([^\n]*)", re.IGNORECASE
)
_FOLD = re.compile(rb"[ \t\r]*\n[ \t]+")  # RFC 9112, 5.2: a line that starts with a blank goes on with the one before


@dataclass(slots=True)
class Answer:
    """The head of an HTTP answer: of its fields, those that matter here."""

    status: int
    fields: dict[bytes, list[bytes]]  # names in lower case
    body_start: int  # in the block

    def first(self, name: bytes) -> bytes | None:
        """Return the first value of a field."""
        values = self.fields.get(name)
        return values[0] if values else None


def parse_answer(block: bytes, *, max_header: int) -> Answer | None:
    """Parse the head of an HTTP answer; None where the block does not start with one."""
    match = _STATUS.match(block)
    if match is None:
        return None
    end, start = _end_of_head(block, min(len(block), max_header))
    if end < 0 and len(block) > max_header:
        return None
    if end < 0:  # no empty line: a head without a body
        end = start = len(block)
    fields: dict[bytes, list[bytes]] = {}
    for name, value in _FIELD.findall(_FOLD.sub(b" ", block[:end])):
        fields.setdefault(name.lower(), []).append(value.rstrip())
    return Answer(int(match.group(1)), fields, start)


def decode_body(answer: Answer, raw: bytes, limits: Limits) -> tuple[bytes, bool]:
    """Undo transfer and content codings; tell whether the body ended as they say it should.

    Raises `codings.TooLargeError` and `codings.UnknownCodingError`.
    """
    is_whole = True
    transfer = _words(answer, b"transfer-encoding")
    if transfer:
        if b"chunked" in transfer:
            raw, is_whole = dechunk(raw)
        others = [coding for coding in transfer if coding != b"chunked"]
        if others:
            raw, ended = undo_codings(raw, others, limit=limits.max_body, max_codings=limits.max_codings)
            is_whole = is_whole and ended
    codings = _words(answer, b"content-encoding")
    if not codings and len(raw) <= limits.max_body:
        return raw, is_whole
    raw, ended = undo_codings(raw, codings, limit=limits.max_body, max_codings=limits.max_codings)
    return raw, is_whole and ended


def header_text(value: bytes) -> str:
    """Decode a header value: UTF-8 where it is, else Latin-1, without control characters."""
    try:
        text = value.decode()
    except UnicodeDecodeError:
        text = value.decode("latin-1")
    return text if text.isprintable() else "".join(char for char in text if char.isprintable())


def _end_of_head(block: bytes, stop: int) -> tuple[int, int]:
    """Return where the head ends and the body starts; -1 for both where there is no empty line."""
    end = block.find(b"\r\n\r\n", 0, stop)
    # Files that were written or copied as text end their lines in other ways.
    for empty in (b"\n\n", b"\r\r\n\r\r\n"):
        odd = block.find(empty, 0, end if end >= 0 else stop)
        if odd >= 0:
            return odd, odd + len(empty)
    return end, end + 4 if end >= 0 else -1


def _words(answer: Answer, name: bytes) -> list[bytes]:
    return [word.strip().lower() for value in answer.fields.get(name, ()) for word in value.split(b",") if word.strip()]
