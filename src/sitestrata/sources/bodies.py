"""Captures -> their bodies again, by file and offset, with the digest checked."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from sitestrata.model import Capture, Reject
from sitestrata.sources.captures import body_digest, body_of
from sitestrata.sources.continuations import is_part, join_parts
from sitestrata.sources.folder import path_of, read_file
from sitestrata.sources.index import STAGE, codec_of, format_of, open_window, reject
from sitestrata.sources.limits import Limits
from sitestrata.sources.packing import unpack
from sitestrata.sources.records import Fault, Record
from sitestrata.sources.scan import Bytes, Unpacked, record_at, records_of_member, scan_members, scan_plain
from sitestrata.sources.source import Source, relocated
from sitestrata.sources.windows import Window

__all__ = ["body_place", "read_bodies"]

_NO_RELOCATION: Mapping[str, str] = {}
_CHANGED = "The body is not the one that was indexed: the file has changed."


def body_place(capture: Capture) -> tuple[str, int]:
    """Return source and offset of the record that holds the body: for a revisit, those of its original."""
    if capture.original_source is None or capture.original_offset is None:
        return capture.source, capture.offset
    return capture.original_source, capture.original_offset


def read_bodies(
    source: Source,
    captures: Iterable[Capture],
    limits: Limits | None = None,
    *,
    relocate: Mapping[str, str] = _NO_RELOCATION,
) -> Iterator[tuple[Capture, bytes] | Reject]:
    """Yield the decoded body of each capture whose body lies in ``source``, in the order of the file.

    A body that has changed since it was indexed is a reject. Raises `SourceError` where the file is gone.
    """
    limits = limits or Limits()
    path = relocated(source.path, relocate)
    wanted = sorted(captures, key=body_place)
    if source.kind == "folder":
        for capture in wanted:
            yield _read_page(source, path, capture, limits)
        return
    with open_window(source, path) as window:
        read = _reader(source, window, limits)
        for capture in wanted:
            try:
                body = read(capture)
            except OSError as error:
                body = Fault(
                    body_place(capture)[1], "unreadable", f"The file cannot be read ({error.strerror or error})."
                )
            if isinstance(body, Fault):
                yield reject(source, body)
            else:
                yield capture, body


def _read_page(source: Source, root: str, capture: Capture, limits: Limits) -> tuple[Capture, bytes] | Reject:
    path = root if Path(root).is_file() else str(Path(root) / path_of(source.name, capture.source))
    data = read_file(path, limits)
    if isinstance(data, bytes) and body_digest(data) == capture.digest:
        return capture, data
    reason, detail = data if isinstance(data, tuple) else ("changed", _CHANGED)
    return Reject(input=capture.source, stage=STAGE, reason=reason, detail=detail)


def _reader(source: Source, window: Window, limits: Limits) -> Callable[[Capture], bytes | Fault]:
    format_ = format_of(source, limits)
    if source.framing == "plain" or source.framing.startswith("solid"):
        data: Bytes = window
        if source.framing != "plain":
            data = Unpacked(window, codec_of(source, window), behind=limits.max_kept)

        def read_record(capture: Capture) -> bytes | Fault:
            position = body_place(capture)[1]
            found = record_at(data, position, format_, limits, is_checked=True)
            if isinstance(found, Record) and is_part(found):
                rest = scan_plain(data, format_, limits, is_checked=True, position=position)
                return _expect(capture, _joined(rest, position, limits), limits)
            return _expect(capture, [found], limits)

        return read_record
    codec = codec_of(source, window)

    def read_member(capture: Capture) -> bytes | Fault:
        position = body_place(capture)[1]
        member = unpack(codec, window, position, keep=limits.max_kept, ceiling=limits.max_record)
        if member.fault is not None:
            return Fault(position, member.fault, member.detail)
        found = list(records_of_member(member, position, format_))
        if any(isinstance(record, Record) and is_part(record) for record in found):
            rest = scan_members(window, codec, format_, limits, position=position)
            return _expect(capture, _joined(rest, position, limits), limits)
        return _expect(capture, found, limits)

    return read_member


def _joined(found: Iterator[Record | Fault], position: int, limits: Limits) -> Iterator[Record]:
    """Yield the record that starts at ``position`` as soon as all its parts were met."""
    for item in join_parts(found, keep=limits.max_kept):
        if isinstance(item, Record) and item.offset == position:
            yield item
            return


def _expect(capture: Capture, found: Iterable[Record | Fault], limits: Limits) -> bytes | Fault:
    """Return the one body among records that is the capture's."""
    for record in found:
        if isinstance(record, Fault):
            return record
        if record.kind in ("response", "resource"):
            body = body_of(record, limits)
            if isinstance(body, bytes) and body_digest(body) == capture.digest:
                return body
    return Fault(body_place(capture)[1], "changed", _CHANGED)
