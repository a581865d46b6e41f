"""The first bytes of a file -> what it is; its name is not asked."""

from contextlib import suppress
from dataclasses import replace

from sitestrata.sources.arc import Arc
from sitestrata.sources.limits import Limits
from sitestrata.sources.packing import Codec, Gzip, Zstd, unpack
from sitestrata.sources.records import Head
from sitestrata.sources.sniff import is_html
from sitestrata.sources.source import Framing, Source
from sitestrata.sources.warc import Warc
from sitestrata.sources.windows import Window

__all__ = ["recognise"]

_LOOK = 1 << 20  # bytes in which the first record, or the first sound one, must show
_PROBE_SIZE = 16 << 20
_GAP = 4096
_PROBES = 3  # sound members that are looked at to tell records packed one by one from a file packed as a whole


def recognise(source: Source, window: Window, *, base_url: str | None) -> Source:
    """Complete a source with its kind, format and framing, or with the reason why it is of no use."""
    if not window.size:
        return _unusable(source, "empty-file", "The file is empty.")
    head = window.read(0, _LOOK)
    for format_ in _formats():
        if format_.is_start(head):
            return replace(source, kind=format_.name, framing="plain", record_format=format_.name)
    for codec, one_by_one, solid in _packings(window):
        # Not only at 0: the first member may be the damaged one.
        position = codec.next_start(window, 0)
        while 0 <= position < _LOOK:
            opening = codec.open(window, position).read()
            for format_ in _formats():
                if format_.is_start(opening):
                    framing = solid if _is_solid(window, codec, position, format_) else one_by_one
                    return replace(source, kind=format_.name, framing=framing, record_format=format_.name)
            position = codec.next_start(window, position + 1)
    if is_html("", head):
        if base_url is None:
            return _unusable(source, "no-base-url", "A page needs the address it stands for: --base-url URL")
        return replace(source, kind="folder", base_url=base_url)
    for format_ in _formats():
        if format_.find_start(head, 0) >= 0:
            return replace(source, kind=format_.name, framing="plain", record_format=format_.name)
    return _unusable(source, "unknown-type", "The file is no WARC, ARC, WACZ or HTML, whatever its name says.")


def _unusable(source: Source, reason: str, detail: str) -> Source:
    return replace(source, kind="unusable", faults=(*source.faults, (reason, detail)))


def _formats() -> tuple[Warc, Arc]:
    max_header = Limits().max_header
    return Warc(max_header=max_header), Arc(max_header=max_header)


def _packings(window: Window) -> list[tuple[Codec, Framing, Framing]]:
    packings: list[tuple[Codec, Framing, Framing]] = [(Gzip(), "gzip", "solid-gzip")]
    with suppress(ValueError):  # a dictionary that is none; the frames cannot be unpacked without it
        packings.append((Zstd(window), "zstd", "solid-zstd"))
    return packings


def _is_solid(window: Window, codec: Codec, position: int, format_: Warc | Arc) -> bool:
    """Tell whether members do not coincide with records: none of the first sound ones holds exactly one."""
    probes = 0
    while 0 <= position < window.size and probes < _PROBES:
        member = unpack(codec, window, position, keep=_PROBE_SIZE, ceiling=_PROBE_SIZE)
        head = format_.parse_head(member.data, 0)
        if isinstance(head, Head):
            end = head.length + head.block_size
            end += format_.gap(member.data[end : end + _GAP])
            if end > _PROBE_SIZE or (end == member.size and member.fault is None):
                return False
            if format_.is_start(member.data[end : end + _GAP]):
                return True
        if member.fault is not None:
            position = codec.next_start(window, position + 1)
            continue
        probes += bool(member.size)
        position += member.length
    return probes > 0
