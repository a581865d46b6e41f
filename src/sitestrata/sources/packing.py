"""Packed members: one gzip member or Zstandard frame of a file -> its bytes, or what is wrong with it.

Neither FastWARC nor warcio tells a cut or damaged member from the end of a file. Here every member is unpacked to its
end and its checksum and length are compared; a `Member` without ``fault`` is exactly what its writer packed.

What a gzip checksum cannot see cannot matter either: the time stamp, the extra flags, the operating system and the
"text" flag in a member's head, and the up to seven padding bits after its last block, leave the unpacked bytes alone.
"""

from dataclasses import dataclass
from typing import IO, Protocol, cast

import zstandard
from zlib_ng import zlib_ng

from sitestrata.sources.windows import Window

__all__ = ["GZIP_MAGIC", "ZSTD_MAGIC", "ZSTD_SKIPPABLE", "Codec", "Gzip", "Member", "Stream", "Zstd", "unpack"]

GZIP_MAGIC = b"\x1f\x8b\x08"  # RFC 1952, 2.3.1: the two identification bytes and the only method there is
ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"  # RFC 8878, 3.1.1
ZSTD_SKIPPABLE = b"\x2a\x4d\x18"  # RFC 8878, 3.1.2: after a first byte of 0x50 to 0x5F
_ZSTD_DICTIONARY = b"\x5d\x2a\x4d\x18"  # WARC-zstd 1.0: the skippable frame that holds the dictionary of a file
_GZIP_WBITS = 31  # zlib: window of 32 KiB, gzip head and trailer expected and checked
_FEED = 16 * 1024  # packed bytes handed over at once; what is left over of them is copied once a member
_OUTPUT = 1 << 20  # unpacked bytes taken at once, so that a bomb never gets more memory than this
_InflateError = cast(type[Exception], zlib_ng.error)  # the package's stub has no type for it
_ZSTD_HEAD = 18  # bytes of the longest frame head: magic, descriptor, window, dictionary id, content size
_ZSTD_BLOCK_HEAD = 3
_ZSTD_MAX_WINDOW = 1 << 27  # bytes; what the zstd command accepts without being told to


@dataclass(slots=True)
class Member:
    """What unpacking one member gave."""

    length: int  # packed bytes consumed
    data: bytes  # the first unpacked bytes, up to what was asked for
    size: int  # unpacked bytes in all
    is_checked: bool  # a checksum was there and agreed
    fault: str | None  # reason, as in Reject
    detail: str


class Stream(Protocol):
    """One member on its way out."""

    length: int  # packed bytes consumed so far
    is_checked: bool  # at the end: a checksum was there and agreed
    fault: str | None
    detail: str

    def read(self) -> bytes:
        """Return the next unpacked bytes, at most a mebibyte; nothing at the end or at a fault."""
        ...


class Codec(Protocol):
    """One way of packing: where members start, and what they unpack to."""

    def open(self, window: Window, position: int) -> Stream:
        """Start unpacking the member at ``position``."""
        ...

    def is_start(self, window: Window, position: int) -> bool:
        """Tell whether a member may start at ``position``."""
        ...

    def next_start(self, window: Window, position: int) -> int:
        """Return where a member may start at or after ``position``; -1 if nowhere."""
        ...


def unpack(codec: Codec, window: Window, position: int, *, keep: int, ceiling: int) -> Member:
    """Unpack the member at ``position`` to its end, holding ``keep`` bytes and stopping after ``ceiling``."""
    stream = codec.open(window, position)
    data = stream.read()
    size = len(data)
    if size:
        parts = [data]
        while part := stream.read():
            if size < keep:
                parts.append(part)
            size += len(part)
            if size > ceiling:
                detail = f"The packed record unpacks to more than {ceiling} bytes."
                return Member(
                    stream.length, b"".join(parts)[:keep], size, is_checked=False, fault="too-large", detail=detail
                )
        if len(parts) > 1:
            data = b"".join(parts)
        if len(data) > keep:
            data = data[:keep]
    return Member(stream.length, data, size, stream.is_checked, stream.fault, stream.detail)


class Gzip:
    """Gzip members (RFC 1952)."""

    def open(self, window: Window, position: int) -> Stream:
        """Start unpacking the member at ``position``."""
        return _GzipStream(window, position)

    def is_start(self, window: Window, position: int) -> bool:
        """Tell whether the magic of a member stands at ``position``, as far as the file goes."""
        head = window.read(position, len(GZIP_MAGIC))
        return bool(head) and GZIP_MAGIC.startswith(head)

    def next_start(self, window: Window, position: int) -> int:
        """Return the next place with a gzip magic."""
        return window.find(GZIP_MAGIC, position)


class _GzipStream:
    __slots__ = ("_at", "_inflater", "_position", "_window", "detail", "fault", "is_checked", "length")

    def __init__(self, window: Window, position: int) -> None:
        self._window = window
        self._position = self._at = position
        self._inflater = zlib_ng.decompressobj(_GZIP_WBITS)
        self.length = 0
        self.is_checked = False
        self.fault: str | None = None
        self.detail = ""

    def read(self) -> bytes:
        inflater = self._inflater
        part = b""
        try:
            while not part and not inflater.eof:
                view = self._window.view(self._at, _FEED)
                if not view:
                    self.fault = "truncated-record"
                    self.detail = (
                        f"The file ends inside the gzip member, after {self._at - self._position} bytes of it."
                    )
                    break
                part = inflater.decompress(view, _OUTPUT)
                # At the end both hold what is left over, if the output had filled up before: count it once.
                self._at += len(view) - len(inflater.unused_data if inflater.eof else inflater.unconsumed_tail)
        except _InflateError as error:
            complaint = str(error)
            is_trailer = "incorrect data check" in complaint or "incorrect length check" in complaint
            self.fault = "bad-checksum" if is_trailer else "bad-compression"
            self.detail = f"The gzip member is damaged ({complaint})."
            return b""
        self.length = self._at - self._position
        self.is_checked = inflater.eof
        return part


class Zstd:
    """Zstandard frames (RFC 8878), with the dictionary frame that WARC files may start with."""

    def __init__(self, window: Window) -> None:
        self._dictionary = _read_dictionary(window)

    def open(self, window: Window, position: int) -> Stream:
        """Start unpacking the frame at ``position``."""
        if self._dictionary is None:
            decompressor = zstandard.ZstdDecompressor(max_window_size=_ZSTD_MAX_WINDOW)
        else:
            decompressor = zstandard.ZstdDecompressor(dict_data=self._dictionary, max_window_size=_ZSTD_MAX_WINDOW)
        return _ZstdStream(decompressor, window, position)

    def is_start(self, window: Window, position: int) -> bool:
        """Tell whether the magic of a frame stands at ``position``, as far as the file goes."""
        head = window.read(position, len(ZSTD_MAGIC))
        return bool(head) and (ZSTD_MAGIC.startswith(head) or _is_skippable(head))

    def next_start(self, window: Window, position: int) -> int:
        """Return the next place with a frame magic."""
        return window.find(ZSTD_MAGIC, position)


class _ZstdStream:
    """Unpacks one frame; its extent is read off its block heads, because the decompressor reads ahead."""

    __slots__ = ("_at", "_end", "_reader", "_window", "detail", "fault", "is_checked", "length")

    def __init__(self, decompressor: zstandard.ZstdDecompressor, window: Window, position: int) -> None:
        self._window = window
        self._at = position
        self.is_checked = False
        self.fault: str | None = None
        self.detail = ""
        self._reader: zstandard.ZstdDecompressionReader | None = None
        self.length, has_checksum, complaint = _frame_extent(window, position)
        self._end = position + self.length
        if complaint is not None:
            is_cut = self._end >= window.size
            self.fault = "truncated-record" if is_cut else "bad-compression"
            self.detail = complaint
        elif _is_skippable(window.read(position, 4)):
            self.is_checked = True
        else:
            self.is_checked = has_checksum
            frame = cast(IO[bytes], _Frame(window, position, self._end))
            self._reader = decompressor.stream_reader(frame, read_size=_OUTPUT)

    def read(self) -> bytes:
        if self._reader is None:
            return b""
        try:
            return bytes(self._reader.read(_OUTPUT))
        except zstandard.ZstdError as error:
            complaint = str(error)
            self.is_checked = False
            self.fault = "bad-checksum" if "checksum" in complaint else "bad-compression"
            self.detail = f"The Zstandard frame is damaged ({complaint})."
            return b""


class _Frame:
    """The bytes of one frame as the file-like object that the decompressor reads."""

    __slots__ = ("_at", "_end", "_window")

    def __init__(self, window: Window, position: int, end: int) -> None:
        self._window = window
        self._at = position
        self._end = end

    def read(self, length: int = -1) -> bytes:
        left = self._end - self._at
        data = self._window.read(self._at, left if length < 0 else min(length, left))
        self._at += len(data)
        return data


def _is_skippable(head: bytes) -> bool:
    return len(head) >= 4 and head[1:4] == ZSTD_SKIPPABLE and 0x50 <= head[0] <= 0x5F


def _frame_extent(window: Window, position: int) -> tuple[int, bool, str | None]:
    """Return length, presence of a checksum, and what is wrong with the frame at ``position``."""
    rest = window.size - position
    cut = (rest, False, f"The file ends inside the Zstandard frame, after {rest} bytes of it.")
    head = window.read(position, _ZSTD_HEAD)
    if _is_skippable(head):
        length = 8 + int.from_bytes(head[4:8], "little")
        return cut if len(head) < 8 or length > rest else (length, True, None)
    if len(head) < 5:
        return cut
    if head[:4] != ZSTD_MAGIC:
        return 0, False, "No Zstandard frame starts here."
    descriptor = head[4]
    is_single = bool(descriptor & 0x20)
    at = position + 5 + (not is_single) + (0, 1, 2, 4)[descriptor & 3]
    at += (1 if is_single else 0, 2, 4, 8)[descriptor >> 6]
    is_last = 0
    while not is_last:
        block = window.read(at, _ZSTD_BLOCK_HEAD)
        if len(block) < _ZSTD_BLOCK_HEAD:
            return cut
        value = int.from_bytes(block, "little")
        is_last, kind, size = value & 1, (value >> 1) & 3, value >> 3
        if kind == 3:
            return at - position, False, "A block of the Zstandard frame has no valid type."
        at += _ZSTD_BLOCK_HEAD + (1 if kind == 1 else size)
    has_checksum = bool(descriptor & 4)
    at += 4 if has_checksum else 0
    return cut if at > window.size else (at - position, has_checksum, None)


def _read_dictionary(window: Window) -> zstandard.ZstdCompressionDict | None:
    head = window.read(0, 8)
    if len(head) < 8 or head[:4] != _ZSTD_DICTIONARY:
        return None
    data = window.read(8, min(int.from_bytes(head[4:8], "little"), _ZSTD_MAX_WINDOW))
    if data[:4] == ZSTD_MAGIC:  # the dictionary itself may be packed
        try:
            data = zstandard.ZstdDecompressor().stream_reader(data).read(_ZSTD_MAX_WINDOW)
        except zstandard.ZstdError:
            return None
    return zstandard.ZstdCompressionDict(data)
