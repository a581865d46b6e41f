"""Transfer and content codings of HTTP bodies (RFC 9110, 8.4; RFC 9112, 7) -> the bytes a browser would parse.

Archives hold bodies as they were sent, as they were sent but with the headers of something else, and half of them. So a
header is a hint: a coding that does not apply from the first bytes on was not applied; one that breaks off later gives
what came out until then. No coding ever yields more than ``limit`` bytes, and none allocates more on the way.
"""

import re
from collections.abc import Callable
from typing import cast

import brotli
import zstandard
from zlib_ng import zlib_ng

__all__ = ["TooLargeError", "UnknownCodingError", "dechunk", "undo_codings"]

_CHUNK_HEAD = re.compile(rb"[ \t]*([0-9A-Fa-f]{1,15})[ \t]*(?:;[^\r\n]*)?\r?\n")
_IDENTITY = frozenset((b"", b"identity", b"none", b"binary", b"utf-8", b"chunked", b"8bit", b"7bit"))
_ZSTD_MAX_WINDOW = 1 << 23  # RFC 8878, 3.1.1.1.2 and RFC 9659: what a client must accept, and need not exceed
_STEP = 1 << 16
_InflateError = cast(type[Exception], zlib_ng.error)  # the package's stub has no type for it


class TooLargeError(Exception):
    """A body exceeds the limit."""


class UnknownCodingError(Exception):
    """A body is packed in a way we cannot undo."""


class _NotPackedError(Exception):
    """The bytes are not what the coding would have made of anything."""


def dechunk(raw: bytes) -> tuple[bytes, bool]:
    """Join the chunks of a body and tell whether all were there; what does not start with a chunk is left alone."""
    head = _CHUNK_HEAD.match(raw)
    if head is None:
        return raw, False
    parts = []
    position = 0
    is_whole = False
    while head is not None:
        size = int(head.group(1), 16)
        position = head.end()
        if size == 0:
            is_whole = True
            break
        parts.append(raw[position : position + size])
        if position + size > len(raw):
            position = len(raw)
            break
        position += size
        if raw.startswith(b"\r\n", position):
            position += 2
        elif raw.startswith(b"\n", position):
            position += 1
        head = _CHUNK_HEAD.match(raw, position)
    if not parts and not is_whole:
        return raw, False
    if not is_whole and not raw[position:].strip():
        # The connection ended between two chunks. Browsers show what has come.
        return b"".join(parts), False
    if not is_whole and position < len(raw):
        if len(parts) == 1 and not parts[0]:
            return raw, False
        parts.append(raw[position:])
    return b"".join(parts), is_whole


def undo_codings(raw: bytes, codings: list[bytes], *, limit: int, max_codings: int) -> tuple[bytes, bool]:
    """Undo content codings, the last applied first; tell whether each ended as it should.

    Raises `TooLargeError` and `UnknownCodingError`.
    """
    names = [name for name in (coding.strip().lower() for coding in codings) if name not in _IDENTITY]
    if len(names) > max_codings:
        raise UnknownCodingError(f"{len(names)} content codings on top of one another")
    is_whole = True
    for name in reversed(names):
        decode = _DECODERS.get(name)
        if decode is None:
            if _is_text(raw):  # the header lies, as it does for "utf-8" or "text/html"
                continue
            raise UnknownCodingError(f"content coding {name[:40]!r}")
        if not raw:
            continue
        try:
            raw, ended = decode(raw, limit)
        except _NotPackedError:
            if not _is_text(raw):
                raise UnknownCodingError(f"bytes that are not {name.decode('latin-1')}") from None
            is_whole = False
            continue
        is_whole = is_whole and ended
    if len(raw) > limit:
        raise TooLargeError
    return raw, is_whole


def _is_text(raw: bytes) -> bool:
    """Tell whether the first bytes hold none of the control characters that text never holds (WHATWG mimesniff, 3)."""
    return _BINARY.search(raw[:1024]) is None


_BINARY = re.compile(rb"[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f]")


def _gunzip(raw: bytes, limit: int) -> tuple[bytes, bool]:
    data, rest, ended = _inflate(raw, 31, limit)
    while ended and rest[:2] == b"\x1f\x8b":  # members may follow one another
        try:
            more, rest, ended = _inflate(rest, 31, limit - len(data))
        except _NotPackedError:
            break
        data += more
    return data, ended


def _undeflate(raw: bytes, limit: int) -> tuple[bytes, bool]:
    # "deflate" means zlib, and many servers send bare deflate: browsers take both.
    try:
        data, _, ended = _inflate(raw, 15, limit)
    except _NotPackedError:
        data, _, ended = _inflate(raw, -15, limit)
    return data, ended


def _inflate(raw: bytes, wbits: int, limit: int) -> tuple[bytes, bytes, bool]:
    inflater = zlib_ng.decompressobj(wbits)
    try:
        data = inflater.decompress(raw, limit + 1)
    except _InflateError:
        data, rest = _inflate_prefix(raw, wbits, limit)
        if not data:
            raise _NotPackedError from None
        return data, rest, False
    if len(data) > limit:
        raise TooLargeError
    return data, inflater.unused_data, inflater.eof


def _inflate_prefix(raw: bytes, wbits: int, limit: int) -> tuple[bytes, bytes]:
    """Return what comes out before the damage: a failing call gives nothing, so the last piece is fed by the byte."""
    inflater = zlib_ng.decompressobj(wbits)
    parts: list[bytes] = []
    size = 0
    start, step = 0, _STEP
    while start < len(raw):
        before = inflater.copy()  # type: ignore[attr-defined]  # the package's stub lacks it
        try:
            part = inflater.decompress(raw[start : start + step], limit + 1 - size)
        except _InflateError:
            if step == 1:
                break
            inflater, step = before, max(1, step // 16)
            continue
        parts.append(part)
        size += len(part)
        if size > limit:
            raise TooLargeError
        start += step
    return b"".join(parts), b""


def _unbrotli(raw: bytes, limit: int) -> tuple[bytes, bool]:
    decoder = brotli.Decompressor()
    parts: list[bytes] = []
    size = 0
    feed = raw
    try:
        while not decoder.is_finished():
            part = decoder.process(feed, output_buffer_limit=_STEP)
            feed = b""
            parts.append(part)
            size += len(part)
            if size > limit:
                raise TooLargeError
            if not part and decoder.can_accept_more_data():
                break
    except brotli.error:
        if not size:
            raise _NotPackedError from None
        return b"".join(parts), False
    if not size and not decoder.is_finished():
        raise _NotPackedError
    return b"".join(parts), decoder.is_finished()


def _unzstd(raw: bytes, limit: int) -> tuple[bytes, bool]:
    if raw[:4] != b"\x28\xb5\x2f\xfd":
        raise _NotPackedError
    reader = zstandard.ZstdDecompressor(max_window_size=_ZSTD_MAX_WINDOW).stream_reader(raw, read_across_frames=True)
    parts: list[bytes] = []
    size = 0
    try:
        while part := reader.read(_STEP):
            parts.append(part)
            size += len(part)
            if size > limit:
                raise TooLargeError
    except zstandard.ZstdError:
        if not size:
            raise UnknownCodingError("a Zstandard frame that cannot be unpacked") from None
        return b"".join(parts), False
    return b"".join(parts), True


_DECODERS: dict[bytes, Callable[[bytes, int], tuple[bytes, bool]]] = {
    b"gzip": _gunzip,
    b"x-gzip": _gunzip,
    b"deflate": _undeflate,
    b"x-deflate": _undeflate,
    b"br": _unbrotli,
    b"zstd": _unzstd,
    b"zst": _unzstd,
}
