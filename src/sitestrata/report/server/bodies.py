"""What the workspace names by its place -> its bytes, read again from the source."""

from collections.abc import Iterator

import pyarrow as pa

from sitestrata.errors import SourceError
from sitestrata.model import Capture, Reject
from sitestrata.page import PageFacts, UnusablePageError, decode, read_page
from sitestrata.report.server.catalogue import Snapshot
from sitestrata.run.plan import PLAN, options_of
from sitestrata.sources import Limits, captures_of, read_bodies, read_jobs

__all__ = ["UnreadableError", "read_captures", "read_facts"]


class UnreadableError(Exception):
    """The body of a page cannot be shown, for the reason given."""


_CHOSEN = """
    SELECT c.* FROM captures c
    SEMI JOIN "_chosen" h ON c.url_id = h.url_id AND c.source = h.source AND c.offset = h.offset AND h.version = 0
    WHERE c.url_id = ?
"""


def read_captures(snapshot: Snapshot, rows: pa.Table) -> Iterator[tuple[Capture, bytes]]:
    """Read the bodies of some rows of ``captures``; those that cannot be read are left out."""
    for found in _bodies(snapshot, rows):
        if not isinstance(found, Reject):
            yield found


def _bodies(snapshot: Snapshot, rows: pa.Table) -> Iterator[tuple[Capture, bytes] | Reject]:
    manifest = snapshot.workspace.manifest
    limits = options_of(PLAN[0], manifest.options)
    assert isinstance(limits, Limits)
    try:
        for source, part in read_jobs([item.source for item in manifest.inputs], rows):
            yield from read_bodies(source, captures_of(part), limits, relocate=manifest.relocated)
    except (SourceError, OSError) as error:
        raise UnreadableError(str(error)) from error


def read_facts(snapshot: Snapshot, capture: int) -> tuple[PageFacts, bytes]:
    """Parse a page again; return what it tells and its text as UTF-8."""
    if not snapshot.has("captures"):
        raise UnreadableError("The workspace does not say where its pages came from.")
    with snapshot.asking() as cursor:
        row = cursor.sql(_CHOSEN, params=[capture]).to_arrow_table()
    if row.num_rows == 0:
        raise UnreadableError("The page has no capture that can be shown.")
    found = next(_bodies(snapshot, row), None)
    if found is None or isinstance(found, Reject):
        raise UnreadableError(found.detail if isinstance(found, Reject) else "The record is not there any more.")
    body = found[1]
    url, charset = row["url"][0].as_py(), row["charset"][0].as_py()
    try:
        facts = read_page(body, url, charset=charset, limits=options_of(PLAN[2], snapshot.workspace.manifest.options))
    except UnusablePageError as error:
        raise UnreadableError(error.detail) from error
    return facts, decode(body, charset).text
