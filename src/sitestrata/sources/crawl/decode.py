"""Content codings off, with a hard limit on what comes out: a bomb costs the limit, never more.

Every coding is undone in steps, and the steps stop at the limit. Codings on top of one another are undone one after
the other, each within the limit.
"""

import zlib
from collections.abc import Callable, Iterator

import brotli
import zstandard

__all__ = ["MAX_CODINGS", "decode_body"]

MAX_CODINGS = 5  # on top of one another; curl's limit
_STEP = 1 << 16


def decode_body(body: bytes, codings: str, limit: int) -> tuple[bytes, str | None]:
    """Undo the codings of a Content-Encoding header; return the body and what went wrong, if anything.

    What could be decoded before an error or the limit is returned: a page that is cut is better than none.
    """
    names = [name for part in codings.split(",") if (name := part.strip().lower()) and name != "identity"]
    if len(names) > MAX_CODINGS:
        return b"", "too many content codings"
    fault: str | None = None
    for name in reversed(names):
        coding = _CODINGS.get(name)
        if coding is None:
            return b"", "unknown content coding"
        parts: list[bytes] = []
        size = 0
        try:
            for part in coding(body):
                parts.append(part[: limit - size])
                size += len(part)
                if size > limit:
                    fault = "decoded body too large"
                    break
        except (zlib.error, brotli.error, zstandard.ZstdError, EOFError):
            if not parts:
                # Servers label plain bodies as compressed; browsers show them all the same.
                return (body[:limit], None) if name in ("gzip", "x-gzip", "deflate") else (b"", "bad content coding")
            fault = "bad content coding"
        body = b"".join(parts)
    return body[:limit], fault


def _gzip(body: bytes) -> Iterator[bytes]:
    data = body
    while data[:2] == b"\x1f\x8b" or data is body:
        inflate = zlib.decompressobj(31)
        yield from _inflate(inflate, data)
        data = inflate.unused_data
        if not data:
            return


def _deflate(body: bytes) -> Iterator[bytes]:
    # RFC 9110 8.4.1.2 means zlib; many servers send raw deflate.
    is_zlib = len(body) > 1 and body[0] & 0x0F == 8 and (body[0] << 8 | body[1]) % 31 == 0
    yield from _inflate(zlib.decompressobj(15 if is_zlib else -15), body)


def _inflate(inflate: "zlib._Decompress", data: bytes) -> Iterator[bytes]:
    while data and not inflate.eof:
        part = inflate.decompress(data, _STEP)
        data = inflate.unconsumed_tail
        if part:
            yield part
    if not inflate.eof:
        raise EOFError("the compressed body is cut")


def _brotli(body: bytes) -> Iterator[bytes]:
    decoder = brotli.Decompressor()
    part = decoder.process(body, output_buffer_limit=_STEP)
    while part or not decoder.can_accept_more_data():
        yield part
        if decoder.is_finished():
            return
        part = decoder.process(b"", output_buffer_limit=_STEP)


def _zstd(body: bytes) -> Iterator[bytes]:
    # RFC 8878 / 9659: a window of at most 8 MiB for HTTP.
    reader = zstandard.ZstdDecompressor(max_window_size=8 << 20).stream_reader(body, read_across_frames=True)
    while part := reader.read(_STEP):
        yield part


_CODINGS: dict[str, Callable[[bytes], Iterator[bytes]]] = {
    "gzip": _gzip,
    "x-gzip": _gzip,
    "deflate": _deflate,
    "br": _brotli,
    "zstd": _zstd,
}
