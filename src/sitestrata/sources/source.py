"""One input of a collection, as plain values that a manifest can hold and a worker can open."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from sitestrata.errors import SourceError
from sitestrata.sources.places import is_there

__all__ = ["Framing", "Kind", "Source", "relocated"]

Kind = Literal["warc", "arc", "wacz-member", "folder", "unusable"]
Framing = Literal["plain", "gzip", "zstd", "solid-gzip", "solid-zstd", "none"]


@dataclass(frozen=True, slots=True)
class Source:
    """A file of records, a member of an archive that is one, or a folder of pages."""

    name: str  # as given, and as Capture.source says; captures of a folder say "name!path/in/it"
    kind: Kind
    path: str  # absolute, of the file or folder that is opened
    framing: Framing = "none"  # how records are packed
    record_format: Literal["warc", "arc", "none"] = "none"
    start: int = 0  # of a member, in the bytes of its archive
    size: int | None = None  # of a member
    crc: int | None = None  # CRC-32 that an archive gives for a member that is read in place
    base_url: str | None = None  # of a folder
    faults: tuple[tuple[str, str], ...] = ()  # (reason, detail) of what was wrong with the input as a whole


def relocated(path: str, relocate: Mapping[str, str]) -> str:
    """Return where a path is now, and raise `SourceError` where nothing is there.

    The longest matching old prefix counts; prefixes end at a path separator.
    """
    for old in sorted(relocate, key=len, reverse=True):
        bare = old.rstrip("/")
        if path == bare or path.startswith(bare + "/"):
            path = relocate[old].rstrip("/") + path[len(bare) :]
            break
    if not is_there(path):
        raise SourceError(
            f"{path} is not there any more: it was moved or deleted since it was read. "
            f"If it was moved, say where: --relocate {Path(path).parent}=NEW_FOLDER"
        )
    return path
