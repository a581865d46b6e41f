"""A folder of HTML files -> captures whose addresses are those a web server would give them below a base address.

A file is a page if its name says HTML and its bytes do not say otherwise, or if its name says nothing and its bytes do.
``index.html`` and its kin answer at the address of their folder. Everything is visited in the order of its path; links
that lead out of the folder or round in circles, and what cannot be read, are rejects.
"""

import os
import stat
from collections.abc import Callable, Iterator
from mimetypes import MimeTypes
from pathlib import Path
from urllib.parse import quote_from_bytes, unquote_to_bytes

from sitestrata.errors import UsageError
from sitestrata.model import Capture, Reject
from sitestrata.sources.captures import body_digest
from sitestrata.sources.limits import Limits
from sitestrata.sources.sniff import is_html
from sitestrata.sources.source import Source
from sitestrata.urls import normalise, url_id

__all__ = ["INDEX_NAMES", "index_folder", "is_page_name", "path_of", "place_of", "read_file", "walk", "with_slash"]

STAGE = "read"
INDEX_NAMES = ("index.html", "index.htm", "index.xhtml", "index.shtml", "default.html", "default.htm")  # first one wins
_HTML_SUFFIXES = frozenset((".html", ".htm", ".xhtml", ".xht", ".shtml"))
# What a web server leaves as it is in a path: RFC 3986, 3.3, pchar.
_SAFE = "/!$&'()*+,;=:@-._~"
_TYPES = MimeTypes()  # the table of the standard library alone, not that of the machine
_SNIFF = 4096
_ENCODED = "%!"  # in front of a percent-encoded path


def with_slash(base_url: str) -> str:
    """Return the address of a folder, or raise `UsageError` where it is none."""
    url = normalise(base_url)
    if url is None or "?" in url:
        raise UsageError(f"--base-url must be an http or https address without a query, not {base_url!r}")
    return url if url.endswith("/") else url + "/"


def is_page_name(name: str) -> bool:
    """Tell whether a file's name says that it is HTML."""
    return os.path.splitext(name)[1].lower() in _HTML_SUFFIXES  # noqa: PTH122 - a name, not a place


def index_folder(source: Source, limits: Limits) -> Iterator[Capture | Reject]:
    """Yield a capture for every page of a folder (or for the one file that the source is)."""
    base_url = source.base_url or ""
    root = Path(source.path)
    if root.is_file():
        yield from _index_file(source, root.name, str(root), base_url + _quoted(root.name), limits)
        return
    index_of: dict[str, str] = {}
    for item in walk(root, limits):
        if isinstance(item, Reject):
            place = place_of(source.name, item.input) if item.input else source.name
            yield Reject(place, STAGE, item.reason, item.detail)
            continue
        folder, _, name = item.rpartition("/")
        address = _quoted(item)
        if name.lower() in INDEX_NAMES:
            if folder not in index_of:
                index_of[folder] = _index_name(root / folder)
            if name == index_of[folder]:
                address = _quoted(folder + "/" if folder else "")
        yield from _index_file(source, item, str(root / item), base_url + address, limits)


def walk(root: Path, limits: Limits) -> Iterator[str | Reject]:
    """Yield the paths of all files below a folder, in order, relative to it and with slashes.

    Links are followed as a web server would, but neither out of the folder nor back to a folder they lie in.
    """
    home = os.path.realpath(root)
    count = 0
    # Folders carry the real paths of the folders around them. Reversed, so that it pops in order.
    stack: list[tuple[str, frozenset[str] | None]] = [("", frozenset())]
    while stack:
        relative, around = stack.pop()
        if around is None:
            count += 1
            if count > limits.max_files:
                yield Reject(relative, STAGE, "too-many-files", f"The folder holds more than {limits.max_files} files.")
                return
            yield relative
            continue
        here = os.path.realpath(root / relative)
        if here in around:
            yield Reject(relative, STAGE, "link-loop", "The folder is a link to one that it lies in.")
            continue
        try:
            with os.scandir(root / relative) as entries:
                inside = []
                for entry in entries:
                    path = f"{relative}/{entry.name}" if relative else entry.name
                    if entry.is_symlink() and not _is_inside(os.path.realpath(entry.path), home):
                        yield Reject(path, STAGE, "link-outside", "The link leads out of the folder.")
                    else:
                        inside.append((path, around | {here} if _is_folder(entry) else None))
        except OSError as error:
            yield Reject(relative, STAGE, "unreadable", f"The folder cannot be read ({error.strerror or error}).")
            continue
        stack.extend(sorted(inside, key=lambda item: os.fsencode(item[0]), reverse=True))


def _is_folder(entry: "os.DirEntry[str]") -> bool:
    try:
        return entry.is_dir()
    except OSError:  # a link to itself: as a file it is a reject of its own
        return False


def _is_inside(path: str, home: str) -> bool:
    return path == home or path.startswith(home.rstrip("/") + "/")


def place_of(source_name: str, path: str) -> str:
    """Return what Capture.source says of a file in a folder; `path_of` is its inverse.

    Names that are no UTF-8 cannot stand in a table: they are percent-encoded behind a mark.
    """
    try:
        path.encode()
    except UnicodeEncodeError:
        return f"{source_name}!{_ENCODED}{_quoted(path)}"
    return f"{source_name}!{_ENCODED}{_quoted(path)}" if path.startswith(_ENCODED) else f"{source_name}!{path}"


def path_of(source_name: str, place: str) -> str:
    """Return the path below the folder ``source_name`` of the file that ``place`` names."""
    path = place[len(source_name) + 1 :]
    return os.fsdecode(unquote_to_bytes(path[len(_ENCODED) :])) if path.startswith(_ENCODED) else path


def read_file(
    path: str, limits: Limits, *, wanted: Callable[[bytes], bool] | None = None
) -> bytes | tuple[str, str] | None:
    """Return the bytes of a page, reason and detail of why not, or None where its first bytes are not ``wanted``."""
    try:
        # Not blocking: a pipe that nobody writes to must not stop a run.
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0))
    except OSError as error:
        return "unreadable", f"The file cannot be read ({error.strerror or error})."
    with os.fdopen(descriptor, "rb") as file:
        try:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                return "unreadable", "This is no ordinary file."
            data = file.read(_SNIFF)
            if wanted is not None and not wanted(data):
                return None
            data += file.read(max(0, limits.max_body + 1 - len(data)))
        except OSError as error:
            return "unreadable", f"The file cannot be read ({error.strerror or error})."
    if len(data) > limits.max_body:
        return "too-large", f"The page is larger than {limits.max_body} bytes."
    return data


def _index_file(source: Source, item: str, path: str, address: str, limits: Limits) -> Iterator[Capture | Reject]:
    place = place_of(source.name, item)
    suffix = os.path.splitext(item)[1].lower()  # noqa: PTH122 - a name, not a place
    media_type = "text/html" if suffix in _HTML_SUFFIXES else _TYPES.guess_type("x" + suffix)[0] or ""
    if media_type not in ("", "text/html", "application/xhtml+xml", "text/xml", "application/xml"):
        return
    data = read_file(path, limits, wanted=lambda start: is_html(media_type, start))
    if data is None:
        if media_type == "text/html":
            yield Reject(place, STAGE, "not-html", "The name says HTML, the first bytes say something else.")
        return
    if isinstance(data, tuple):
        yield Reject(place, STAGE, *data)
        return
    url = normalise(address)
    if url is None:
        yield Reject(place, STAGE, "bad-url", "The path does not make a valid address.")
        return
    yield Capture(
        url_id=url_id(url),
        url=url,
        source=place,
        offset=0,
        length=len(data),
        record_type="file",
        fetched_at=None,  # when a file was copied says nothing about the page
        status=200,
        media_type="text/html",
        charset=None,
        location=None,
        robots=None,
        size=len(data),
        digest=body_digest(data),
        is_html=True,
    )


def _index_name(folder: Path) -> str:
    """Return which of the index files of a folder answers at the folder's address."""
    names = [entry for entry in os.listdir(folder) if entry.lower() in INDEX_NAMES]  # noqa: PTH208 - bytes survive
    return min(names, key=lambda name: (INDEX_NAMES.index(name.lower()), name))


def _quoted(path: str) -> str:
    return quote_from_bytes(os.fsencode(path), safe=_SAFE)
