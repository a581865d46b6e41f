"""What a user names -> sources: files by their first bytes, archives by their members, folders, globs, standard input.

A name that matches nothing is an error, because it is a slip of the pen. A file that is there and of no use is a source
that yields one reject, because one bad file of a thousand must not stop a run.
"""

import glob
import json
import os
import sys
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO

from sitestrata.errors import SourceError, UsageError
from sitestrata.sources.folder import is_page_name, walk, with_slash
from sitestrata.sources.limits import Limits
from sitestrata.sources.places import expand, is_remote
from sitestrata.sources.recognise import recognise
from sitestrata.sources.source import Source
from sitestrata.sources.spool import inflate_member, spool_stream
from sitestrata.sources.wacz import Entry, entries, is_unsafe
from sitestrata.sources.windows import Window

__all__ = ["find_sources"]

STDIN = "-"
_ARCHIVE_SUFFIXES = (".warc", ".warc.gz", ".warc.zst", ".arc", ".arc.gz", ".arc.zst", ".wacz")
_ZIP_MAGICS = (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")
_MAX_PACKAGE = 16 << 20  # bytes of a datapackage.json


def find_sources(
    specs: Iterable[str | os.PathLike[str]],
    *,
    base_url: str | None = None,
    spool: str | os.PathLike[str] | None = None,
    stdin: BinaryIO | None = None,
    limits: Limits | None = None,
) -> list[Source]:
    """Turn names of files, globs, folders and ``-`` into sources, sorted by name, each file once.

    Args:
        specs: what the user named, in any order.
        base_url: the address that folders of pages stand for.
        spool: a folder that keeps what cannot be read in place: standard input, deflated members of a WACZ.
        stdin: what ``-`` reads, if not the standard input.
        limits: how much is read.

    Raises:
        SourceError: nothing has such a name.
        UsageError: pages without ``base_url``, standard input without ``spool``.
    """
    limits = limits or Limits()
    folder_url = None if base_url is None else with_slash(base_url)
    keep = None if spool is None else Path(spool)
    found: dict[tuple[str, int, str], Source] = {}
    for spec in specs:
        for source in _find(os.fspath(spec), folder_url, keep, stdin, limits):
            key = (os.path.realpath(source.path), source.start, source.kind)
            known = found.get(key)
            if known is None or source.name < known.name:
                found[key] = source
    return sorted(found.values(), key=lambda source: (source.name, source.start))


def _find(
    spec: str, base_url: str | None, spool: Path | None, stdin: BinaryIO | None, limits: Limits
) -> Iterator[Source]:
    if spec == STDIN:
        if spool is None:
            raise UsageError("standard input needs a folder to be kept in")
        path = spool_stream(stdin or sys.stdin.buffer, spool)
        yield from _find_file(STDIN, path, base_url, spool)
        return
    if is_remote(spec):
        names = expand(spec, lambda name: name.lower().endswith(_ARCHIVE_SUFFIXES))
        if not names:
            raise SourceError(f"{spec}: there is no such object, and no archive under that name.")
        for name in names:
            yield from _find_file(_text(name), name, base_url, spool)
        return
    for name in _expand(spec):
        if Path(name).is_dir():
            yield from _find_folder(name, base_url, spool, limits)
        else:
            yield from _find_file(_text(name), str(Path(name).absolute()), base_url, spool)


def _expand(spec: str) -> list[str]:
    if Path(spec).exists():
        return [spec]
    if glob.has_magic(spec):
        names = sorted(glob.glob(spec, recursive=True))  # noqa: PTH207 - Path.glob takes no absolute pattern
        if names:
            return names
        raise SourceError(f"{spec}: no file matches this pattern.")
    raise SourceError(f"{spec}: no such file or folder. Give a WARC, ARC or WACZ file, a folder, or a URL.")


def _find_folder(name: str, base_url: str | None, spool: Path | None, limits: Limits) -> Iterator[Source]:
    """Yield the archives in a folder, and the folder itself where it holds pages."""
    bare = name.rstrip("/") or "/"
    has_archives, has_pages = False, False
    for item in walk(Path(name), limits):
        if isinstance(item, str):
            if item.lower().endswith(_ARCHIVE_SUFFIXES):
                has_archives = True
                yield from _find_file(_text(f"{bare}/{item}"), str((Path(name) / item).absolute()), base_url, spool)
            else:
                has_pages = has_pages or is_page_name(item)
    folder = Source(_text(bare), "folder", str(Path(name).absolute()), base_url=base_url)
    if base_url is not None and (has_pages or not has_archives):
        yield folder
    elif has_pages and has_archives:
        detail = "The folder also holds HTML files; to read them, say which address it stands for: --base-url URL"
        yield replace(folder, kind="unusable", faults=(("no-base-url", detail),))
    elif not has_archives:
        raise UsageError(f"{name}: a folder of pages needs the address it stands for: --base-url https://example.org/")


def _find_file(name: str, path: str, base_url: str | None, spool: Path | None) -> Iterator[Source]:
    source = Source(name, "unusable", path)
    try:
        with Window(path) as window:
            if window.read(0, 4) in _ZIP_MAGICS:
                yield from _find_members(source, window, spool)
            else:
                yield recognise(source, window, base_url=base_url)
    except OSError as error:
        yield replace(source, faults=(("unreadable", f"The file cannot be read ({error.strerror or error})."),))


def _find_members(archive: Source, window: Window, spool: Path | None) -> Iterator[Source]:
    members, complaint = entries(window, archive.path)
    faults = [] if complaint is None else [("bad-archive", complaint)]
    count = 0
    for entry in members:
        if is_unsafe(entry.name):
            faults.append(
                ("unsafe-member", f"The member {_shown(entry.name)} has a name that leads out of the archive.")
            )
        elif entry.is_archive:
            count += 1
            yield _member(archive, window, entry, spool)
    names = {entry.name for entry in members}
    faults += [
        ("missing-member", f"The archive's datapackage.json lists {_shown(name)}, which is not in it.")
        for name in _listed(window, members)
        if name not in names
    ]
    if not count:
        faults.append(("no-archive-inside", "The zip holds no WARC or ARC file."))
    if faults:
        yield replace(archive, faults=tuple(faults))


def _member(archive: Source, window: Window, entry: Entry, spool: Path | None) -> Source:
    name = f"{archive.name}!{_text(entry.name)}"
    source = replace(archive, name=name, start=entry.start, size=entry.packed)
    if entry.is_stored:
        faults: tuple[tuple[str, str], ...] = ()
        if entry.start + entry.packed > window.size:
            faults = (("truncated-member", f"The archive holds {window.size - entry.start} of {entry.packed} bytes."),)
        with Window(archive.path, start=entry.start, size=entry.packed) as inside:
            found = recognise(replace(source, crc=entry.crc or None, faults=faults), inside, base_url=None)
        return found if found.kind == "unusable" else replace(found, kind="wacz-member")
    if not entry.is_deflated:
        return replace(source, faults=(("bad-archive", "The member is encrypted or packed in an unusual way."),))
    if spool is None:
        detail = (
            "The member is deflated and cannot be read in place; store it (zip -0), or give a folder to unpack it in."
        )
        return replace(source, faults=(("deflated-member", detail),))
    path, complaint = inflate_member(window, entry, spool)
    source = replace(source, path=path, start=0, size=None, faults=(("bad-archive", complaint),) if complaint else ())
    with Window(path) as inside:
        found = recognise(source, inside, base_url=None)
    return found if found.kind == "unusable" else replace(found, kind="wacz-member")


def _listed(window: Window, members: list[Entry]) -> list[str]:
    """Return the WARC members that a WACZ says it has."""
    for entry in members:
        if entry.name == "datapackage.json" and entry.is_stored and entry.size <= _MAX_PACKAGE:
            try:
                package = json.loads(window.read(entry.start, entry.size))
            except (ValueError, RecursionError):
                return []
            resources = package.get("resources") if isinstance(package, dict) else None
            paths = [item.get("path") for item in resources or [] if isinstance(item, dict)]
            return sorted(path for path in paths if isinstance(path, str) and path.startswith("archive/"))
    return []


def _shown(name: str) -> str:
    return ascii(name[:200])


def _text(name: str) -> str:
    """Return a name that tables can hold."""
    return name.encode("utf-8", "backslashreplace").decode()
