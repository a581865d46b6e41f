"""A page of the workspace -> its bytes, read again from the source, with the style sheets that were captured too."""

import pyarrow as pa

from sitestrata.errors import SourceError
from sitestrata.model import Reject
from sitestrata.page import PageFacts, UnusablePageError, decode, read_page
from sitestrata.page.style_sheets import style_sheets
from sitestrata.report.server.archive import harmless_css
from sitestrata.report.server.catalogue import Snapshot
from sitestrata.run.plan import PLAN, options_of
from sitestrata.sources import Limits, captures_of, read_bodies, read_jobs
from sitestrata.urls import url_id

__all__ = ["UnreadableError", "read_capture", "read_facts", "style_of"]

MAX_SHEETS = 30
MAX_STYLE = 2_000_000  # characters, all sheets of a page together


class UnreadableError(Exception):
    """The body of a page cannot be shown, for the reason given."""


_SHEET = """
    SELECT * FROM captures WHERE url_id = ? AND size <= ? AND status BETWEEN 200 AND 299 AND NOT is_html
    ORDER BY fetched_at DESC NULLS LAST, source, "offset" LIMIT 1
"""
_CHOSEN = """
    SELECT c.* FROM captures c
    SEMI JOIN "_chosen" h ON c.url_id = h.url_id AND c.source = h.source AND c.offset = h.offset AND h.version = 0
    WHERE c.url_id = ?
"""


def read_capture(snapshot: Snapshot, row: pa.Table) -> bytes:
    """Read the body of one row of ``captures``."""
    manifest = snapshot.workspace.manifest
    limits = options_of(PLAN[0], manifest.options)
    assert isinstance(limits, Limits)
    try:
        (source, part), *_ = read_jobs([item.source for item in manifest.inputs], row)
        found = next(iter(read_bodies(source, captures_of(part), limits, relocate=manifest.relocated)), None)
    except (SourceError, OSError) as error:
        raise UnreadableError(str(error)) from error
    if found is None or isinstance(found, Reject):
        raise UnreadableError(found.detail if isinstance(found, Reject) else "The record is not there any more.")
    return found[1]


def read_facts(snapshot: Snapshot, capture: int) -> tuple[PageFacts, bytes]:
    """Parse a page again; return what it tells and its text as UTF-8."""
    if not snapshot.has("captures"):
        raise UnreadableError("The workspace does not say where its pages came from.")
    with snapshot.asking() as cursor:
        row = cursor.sql(_CHOSEN, params=[capture]).to_arrow_table()
    if row.num_rows == 0:
        raise UnreadableError("The page has no capture that can be shown.")
    body = read_capture(snapshot, row)
    url, charset = row["url"][0].as_py(), row["charset"][0].as_py()
    try:
        facts = read_page(body, url, charset=charset, limits=options_of(PLAN[2], snapshot.workspace.manifest.options))
    except UnusablePageError as error:
        raise UnreadableError(error.detail) from error
    return facts, decode(body, charset).text


def style_of(snapshot: Snapshot, facts: PageFacts, text: bytes) -> str:
    """Return the style of a page as one harmless sheet: what it holds itself, and what was captured of the rest."""
    pieces: list[str] = []
    size = 0
    for sheet in style_sheets(text, facts.base)[:MAX_SHEETS]:
        content = sheet.text
        if sheet.url is not None:
            with snapshot.asking() as cursor:
                row = cursor.sql(_SHEET, params=[url_id(sheet.url), MAX_STYLE - size]).to_arrow_table()
            if row.num_rows == 0:
                continue
            try:
                content = read_capture(snapshot, row).decode("utf-8", "replace")
            except UnreadableError:
                continue
        size += len(content)
        if size > MAX_STYLE:
            break
        content = harmless_css(content)
        media = harmless_css(sheet.media)
        is_plain = media.replace(" ", "").replace("-", "").replace(",", "").isalnum()
        pieces.append(f"@media {media} {{{content}}}" if is_plain else content)
    return "\n".join(pieces)
