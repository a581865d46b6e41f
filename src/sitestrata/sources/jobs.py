"""Chosen captures -> portions of work for `read_bodies`, each of one source and in the order of its file."""

from collections.abc import Iterable, Iterator
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from sitestrata.errors import SourceError
from sitestrata.model import Capture
from sitestrata.sources.source import Source

__all__ = ["captures_of", "read_jobs"]

_ROWS = 256  # captures a job; some seconds of parsing


def read_jobs(sources: Iterable[Source], chosen: pa.Table, *, rows: int = _ROWS) -> Iterator[tuple[Source, pa.Table]]:
    """Yield (source, captures) so that every chosen capture is in the job of the source that holds its body.

    Jobs do not depend on the order of the rows. Raises `SourceError` where a capture's source is not among ``sources``.
    """
    by_name = {source.name: source for source in sources}
    folders = sorted((name for name, source in by_name.items() if source.kind == "folder"), key=len, reverse=True)
    places = pc.coalesce(chosen["original_source"], chosen["source"])
    offsets = pc.coalesce(chosen["original_offset"], chosen["offset"])
    order = pc.sort_indices(
        pa.table([places, offsets, chosen["url_id"]], names=["place", "offset", "url_id"]),
        sort_keys=[("place", "ascending"), ("offset", "ascending"), ("url_id", "ascending")],
    )
    chosen, places = chosen.take(order), places.take(order).to_pylist()
    start = 0
    owner: Source | None = None
    for row, place in enumerate(places):
        holder = _owner(place, by_name, folders) if row == 0 or place != places[row - 1] else owner
        if owner is not None and (holder is not owner or row - start == rows):
            yield owner, chosen.slice(start, row - start)
            start = row
        owner = holder
    if owner is not None:
        yield owner, chosen.slice(start)


def captures_of(table: pa.Table) -> list[Capture]:
    """Turn rows of the table ``captures`` back into records."""
    columns: list[list[Any]] = [table[name].to_pylist() for name in table.schema.names]
    names = table.schema.names
    records = []
    for values in zip(*columns, strict=True):
        row = dict(zip(names, values, strict=True))
        row["keys"] = tuple(row["keys"])
        records.append(Capture(**row))
    return records


def _owner(place: str, by_name: dict[str, Source], folders: list[str]) -> Source:
    source = by_name.get(place)
    if source is not None:
        return source
    for name in folders:
        if place.startswith(name + "!"):
            return by_name[name]
    raise SourceError(f"{place} is not among the sources of this run; add the file it is in.")
