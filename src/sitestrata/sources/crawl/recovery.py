"""After a stop of any kind: WARC and frontier agree again.

The frontier holds the end of the WARC as committed; what lies behind it is cut off. Behind the last sync a power cut
may have lost bytes that were committed: those records are read back, and from the first broken one on, records are cut
off and their pages return to wanted.
"""

import zlib
from collections.abc import Callable
from pathlib import Path

from sitestrata.sources.crawl.frontier import Frontier
from sitestrata.sources.crawl.warc_out import WarcOut

__all__ = ["recover"]

_STEP = 1 << 16


def recover(frontier: Frontier, warc: WarcOut, note: Callable[[str], None]) -> None:
    """Open the WARC at the last place that is known to be good."""
    text = frontier.get("warc")
    if text is None:
        warc.open()
        frontier.put("warc", f"{warc.serial} {warc.offset} {warc.info_id}")
        return
    serial, offset, info_id = text.split()
    end = (int(serial), int(offset))
    synced = tuple(int(part) for part in (frontier.get("synced") or "0 0").split())
    good = _good_end(warc, (synced[0], synced[1]), end)
    if good < end:
        lost = frontier.forget_records_from(*good)
        note(f"the WARC is damaged behind file {good[0]}, byte {good[1]}: {lost} pages are fetched again")
    path = warc.path(good[0])
    size = path.stat().st_size if path.exists() else 0
    if size > good[1]:
        note(f"{path.name}: {size - good[1]} bytes of unfinished records cut off")
    warc.open(*good, info_id)
    frontier.put("warc", f"{warc.serial} {warc.offset} {warc.info_id}")


def _good_end(warc: WarcOut, start: tuple[int, int], end: tuple[int, int]) -> tuple[int, int]:
    """Return how far, between a place that was synced and the committed end, every member is whole."""
    serial, offset = start
    while serial <= end[0]:
        path = warc.path(serial)
        limit = end[1] if serial == end[0] else (path.stat().st_size if path.exists() else 0)
        offset = _whole_members(path, offset, limit)
        if offset < limit:
            return serial, offset
        serial, offset = serial + 1, 0
    return end


def _whole_members(path: Path, offset: int, limit: int) -> int:
    """Return the end of the last gzip member that is whole and lies within a limit."""
    if not path.exists():
        return 0
    with path.open("rb") as file:
        file.seek(offset)
        unpack = zlib.decompressobj(31)
        at = offset
        while at < limit:
            data = file.read(min(_STEP, limit - at))
            if not data:
                return offset
            at += len(data)
            while data:
                try:
                    _drain(unpack, data)
                except zlib.error:
                    return offset
                if not unpack.eof:
                    break
                data = unpack.unused_data
                offset = at - len(data)
                unpack = zlib.decompressobj(31)
    return offset


def _drain(unpack: "zlib._Decompress", data: bytes) -> None:
    while data and not unpack.eof:
        unpack.decompress(data, _STEP)
        data = unpack.unconsumed_tail
