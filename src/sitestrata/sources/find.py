"""What a user names -> sources: files by their first bytes, archives by their members, folders, globs, standard input.

A name that matches nothing is an error, because it is a slip of the pen. A file that is there and of no use is a source
that yields one reject, because one bad file of a thousand must not stop a run.
"""

import glob
import os
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from sitestrata.errors import SourceError
from sitestrata.sources.arc import Arc
from sitestrata.sources.limits import Limits
from sitestrata.sources.packing import Codec, Gzip, Zstd, unpack
from sitestrata.sources.records import Head
from sitestrata.sources.source import Framing, Source
from sitestrata.sources.warc import Warc
from sitestrata.sources.windows import Window

__all__ = ["find_sources", "recognise"]

_LOOK = 1 << 20  # bytes in which the first record, or the first sound one, must show
_PROBE_SIZE = 64 << 20
_PROBES = 3  # sound members that are looked at to tell records packed one by one from a file packed as a whole


def find_sources(specs: Iterable[str | os.PathLike[str]], *, base_url: str | None = None) -> list[Source]:  # noqa: ARG001
    """Turn names of files, globs and folders into sources, sorted by name, each once."""
    found: dict[str, Source] = {}
    for spec in specs:
        for name in _expand(os.fspath(spec)):
            found.setdefault(name, recognise(name))
    return [found[name] for name in sorted(found)]


def recognise(name: str) -> Source:
    """Tell what a file is by its first bytes."""
    path = str(Path(name).absolute())
    source = Source(name, "unusable", path)
    try:
        with Window(path) as window:
            return _recognise(source, window)
    except OSError as error:
        return replace(source, faults=(("unreadable", f"The file cannot be read ({error.strerror or error})."),))


def _expand(spec: str) -> list[str]:
    if Path(spec).exists():
        return [spec]
    if glob.has_magic(spec):
        names = sorted(glob.glob(spec, recursive=True))  # noqa: PTH207 - Path.glob takes no absolute pattern
        if names:
            return names
    raise SourceError(f"{spec}: no such file or folder. Give a WARC, ARC or WACZ file, a folder, or a URL.")


def _recognise(source: Source, window: Window) -> Source:
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
                    is_solid = _is_solid(window, codec, position, format_)
                    framing = solid if is_solid else one_by_one
                    return replace(source, kind=format_.name, framing=framing, record_format=format_.name)
            position = codec.next_start(window, position + 1)
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
        if member.fault not in (None, "too-large"):
            position = codec.next_start(window, position + 1)
            continue
        head = format_.parse_head(member.data, 0)
        if isinstance(head, Head):
            end = head.length + head.block_size
            if end > _PROBE_SIZE or end + format_.gap(member.data[end:]) == member.size:
                return False
        if member.fault is not None:
            return True
        probes += bool(member.size)
        position += member.length
    return probes > 0
