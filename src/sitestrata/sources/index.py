"""A source -> one Capture per answer in it, in one pass, and a Reject for everything that could not be used."""

from collections.abc import Iterator
from dataclasses import dataclass

from sitestrata.errors import SourceError
from sitestrata.model import Capture, Reject
from sitestrata.sources.arc import Arc
from sitestrata.sources.captures import record_to_captures
from sitestrata.sources.continuations import join_parts
from sitestrata.sources.exchanges import without_posts
from sitestrata.sources.folder import index_folder
from sitestrata.sources.limits import Limits
from sitestrata.sources.packing import Codec, Gzip, Zstd
from sitestrata.sources.records import Fault, Format, Record
from sitestrata.sources.scan import Unpacked, find_member, is_sound, scan_members, scan_plain
from sitestrata.sources.source import Source
from sitestrata.sources.warc import Warc
from sitestrata.sources.windows import Window

__all__ = [
    "STAGE",
    "Part",
    "codec_of",
    "format_of",
    "index_source",
    "is_splittable",
    "open_window",
    "reject",
    "scan_source",
]

STAGE = "read"
_BEFORE = 1 << 20  # bytes before a part in which the request of its first answer is
_MAX_DOUBTS = 100  # of one file; more than a few are no damage but a writer's habit


@dataclass(frozen=True, slots=True)
class Part:
    """The records of a file that start in a range of its bytes."""

    begin: int
    end: int


def index_source(
    source: Source, limits: Limits | None = None, *, part: Part | None = None
) -> Iterator[Capture | Reject]:
    """Yield the captures of a source in file order, and a reject wherever something is damaged or refused.

    With ``part``, only of the records that start in it; a source that cannot be read from the middle is all in its
    first part. A record that holds another packed file may be taken apart where a part begins in it, and an answer that
    was written in segments is lost where they are in different parts.
    """
    limits = limits or Limits()
    if part is not None and part.begin and not is_splittable(source):
        return
    is_first = part is None or part.begin == 0
    for reason, detail in source.faults if is_first else ():
        yield Reject(input=source.name, stage=STAGE, reason=reason, detail=detail)
    if source.kind == "unusable":
        return
    if source.kind == "folder":
        yield from index_folder(source, limits)
        return
    try:
        window = open_window(source)
    except SourceError as error:
        yield Reject(input=source.name, stage=STAGE, reason="unreadable", detail=str(error))
        return
    with window:
        offset, doubts = 0, 0
        try:
            records = join_parts(scan_source(source, window, limits, part=part), keep=limits.max_kept)
            for found in _part_of(without_posts(records), source, part):
                offset = found.offset
                if isinstance(found, Fault):
                    yield reject(source, found)
                    continue
                if found.doubt is not None:
                    doubts += 1
                    if doubts <= _MAX_DOUBTS:
                        yield reject(source, Fault(found.offset, *found.doubt))
                for item in record_to_captures(found, source.name, limits):
                    yield item if isinstance(item, Capture) else reject(source, item)
            if doubts > _MAX_DOUBTS:
                detail = f"{doubts - _MAX_DOUBTS} more records are odd in such ways; it is how the file was written."
                yield Reject(input=source.name, stage=STAGE, reason="odd-records", detail=detail)
            if part is None and source.crc is not None and window.crc32() != source.crc:
                detail = "The member does not have the checksum that the archive's directory says."
                yield Reject(input=source.name, stage=STAGE, reason="bad-checksum", detail=detail)
        except OSError as error:
            detail = f"The file cannot be read any further ({error.strerror or error})."
            yield reject(source, Fault(offset, "unreadable", detail))


def is_splittable(source: Source) -> bool:
    """Tell whether records are packed one by one, so that reading can begin in the middle."""
    return source.framing in ("gzip", "zstd")


def _part_of(found: Iterator[Record | Fault], source: Source, part: Part | None) -> Iterator[Record | Fault]:
    """Yield what starts in a part; before and after it, a record is looked at for the request of another."""
    if part is None or not is_splittable(source):
        yield from found
        return
    for item in found:
        if item.offset >= part.end:
            return
        if item.offset >= part.begin:
            yield item


def reject(source: Source, fault: Fault) -> Reject:
    """Turn a fault into a row that names file and offset."""
    return Reject(input=f"{source.name}@{fault.offset}", stage=STAGE, reason=fault.reason, detail=fault.detail)


def open_window(source: Source, path: str | None = None) -> Window:
    """Open the bytes of a source."""
    try:
        return Window(path or source.path, start=source.start, size=source.size)
    except OSError as error:
        raise SourceError(f"{source.name} cannot be opened ({error.strerror or error}).") from error


def format_of(source: Source, limits: Limits) -> Format:
    """Return the record format of a source."""
    if source.record_format == "arc":
        return Arc(max_header=limits.max_header)
    return Warc(max_header=limits.max_header)


def codec_of(source: Source, window: Window) -> Codec:
    """Return how the records of a source are packed."""
    return Zstd(window) if source.framing.endswith("zstd") else Gzip()


def scan_source(
    source: Source, window: Window, limits: Limits, *, part: Part | None = None
) -> Iterator[Record | Fault]:
    """Yield the records of a source as they were written, and the faults between them; from near a part on."""
    format_ = format_of(source, limits)
    if source.framing == "plain":
        yield from scan_plain(window, format_, limits)
    elif source.framing.startswith("solid"):
        codec = codec_of(source, window)
        is_checked = is_sound(window, codec, limits)
        unpacked = Unpacked(window, codec, behind=limits.max_kept)
        for found in scan_plain(unpacked, format_, limits, is_checked=is_checked):
            yield from unpacked.take_faults()
            yield found
        yield from unpacked.take_faults()
    else:
        codec = codec_of(source, window)
        begin = max(0, part.begin - _BEFORE) if part is not None else 0
        position = find_member(window, codec, begin, format_) if begin else 0
        if position >= 0:
            yield from scan_members(window, codec, format_, limits, position=position)
