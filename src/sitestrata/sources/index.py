"""A source -> one Capture per answer in it, in one pass, and a Reject for everything that could not be used."""

from collections.abc import Iterator, Sequence

from sitestrata.errors import SourceError
from sitestrata.model import Capture, Reject
from sitestrata.sources.arc import Arc
from sitestrata.sources.captures import record_to_captures
from sitestrata.sources.continuations import join_parts
from sitestrata.sources.exchanges import without_posts
from sitestrata.sources.folder import index_folder
from sitestrata.sources.limits import Limits
from sitestrata.sources.packing import Codec, Gzip, Zstd
from sitestrata.sources.parts import Border, Part, is_splittable
from sitestrata.sources.records import Fault, Format, Record
from sitestrata.sources.scan import (
    Rework,
    Unpacked,
    find_member,
    find_record,
    is_sound,
    rework_budget,
    scan_members,
    scan_plain,
)
from sitestrata.sources.source import Source
from sitestrata.sources.warc import Warc
from sitestrata.sources.windows import Window

__all__ = [
    "STAGE",
    "codec_of",
    "format_of",
    "index_source",
    "join_rejects",
    "open_window",
    "reject",
    "scan_source",
]

STAGE = "read"
_BEFORE = 1 << 18  # bytes before a part in which the request of its first answer is
_MAX_DOUBTS = 100  # of one file; more than a few are no damage but a writer's habit


def index_source(
    source: Source, limits: Limits | None = None, *, part: Part | None = None, border: Border | None = None
) -> Iterator[Capture | Reject]:
    """Yield the captures of a source in file order, and a reject wherever something is damaged or refused.

    With ``part``, only of the records that start in it; a source that cannot be read from the middle is all in its
    first part. In ``border`` is then noted what tells whether the parts fit together (`sitestrata.sources.parts`);
    whoever does not look at it may get a record taken apart that holds another packed file, and loses an answer that
    was written in segments where they are in different parts.
    """
    limits = limits or Limits()
    border = border or Border()
    if part is not None and not is_splittable(source):
        if part.begin:
            return
        part = None
    rejected = 0
    for reason, detail in source.faults if part is None or part.begin == 0 else ():
        rejected += 1
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
        offset = 0
        try:
            records = join_parts(_watched(source, window, limits, part, border), keep=limits.max_kept)
            for found in _part_of(without_posts(records), part):
                offset = found.offset
                if isinstance(found, Fault):
                    rejected += 1
                    yield reject(source, found)
                    continue
                if found.doubt is not None:
                    border.doubt_count += 1
                    if border.doubt_count <= _MAX_DOUBTS:
                        border.doubts.append(rejected)
                        rejected += 1
                        yield reject(source, Fault(found.offset, *found.doubt))
                for item in record_to_captures(found, source.name, limits):
                    if isinstance(item, Capture):
                        yield item
                    else:
                        rejected += 1
                        yield reject(source, item)
            if part is None:
                yield from _about_all(source, window, border.doubt_count)
        except OSError as error:
            detail = f"The file cannot be read any further ({error.strerror or error})."
            yield reject(source, Fault(offset, "unreadable", detail))


def join_rejects(source: Source, parts: Sequence[tuple[Border, Sequence[Reject]]]) -> list[Reject]:
    """Return the rejects of a whole source, given those of its parts, which fit together."""
    rejects: list[Reject] = []
    doubts = 0
    for border, found in parts:
        surplus = set(border.doubts[max(0, _MAX_DOUBTS - doubts) :])
        rejects += [item for number, item in enumerate(found) if number not in surplus]
        doubts += border.doubt_count
    with open_window(source) as window:
        return [*rejects, *_about_all(source, window, doubts)]


def _about_all(source: Source, window: Window, doubts: int) -> Iterator[Reject]:
    """Yield what can be said of a file when all of it was read."""
    if doubts > _MAX_DOUBTS:
        detail = f"{doubts - _MAX_DOUBTS} more records are odd in such ways; it is how the file was written."
        yield Reject(input=source.name, stage=STAGE, reason="odd-records", detail=detail)
    if source.crc is not None and window.crc32() != source.crc:
        detail = "The member does not have the checksum that the archive's directory says."
        yield Reject(input=source.name, stage=STAGE, reason="bad-checksum", detail=detail)


def _watched(
    source: Source, window: Window, limits: Limits, part: Part | None, border: Border
) -> Iterator[Record | Fault]:
    if part is None:
        yield from scan_source(source, window, limits)
        return
    rework = Rework(rework_budget(window.size))
    for item in border.watch(scan_source(source, window, limits, begin=part.begin, rework=rework), part):
        border.reread = rework.spent
        yield item


def _part_of(found: Iterator[Record | Fault], part: Part | None) -> Iterator[Record | Fault]:
    """Yield what starts in a part; before and after it, a record is looked at for the request of another."""
    for item in found:
        if part is not None and item.offset >= part.end:
            return
        if part is None or item.offset >= part.begin:
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
    source: Source, window: Window, limits: Limits, *, begin: int = 0, rework: Rework | None = None
) -> Iterator[Record | Fault]:
    """Yield the records of a source as they were written, and the faults between them; from some before a place on."""
    format_ = format_of(source, limits)
    begin = max(0, begin - _BEFORE)
    if source.framing == "plain":
        position = find_record(window, begin, format_, limits) if begin else 0
        if position >= 0:
            yield from scan_plain(window, format_, limits, position=position, rework=rework)
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
        position = find_member(window, codec, begin, format_) if begin else 0
        if position >= 0:
            yield from scan_members(window, codec, format_, limits, position=position, rework=rework)
