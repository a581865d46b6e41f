"""The style sheets that were captured with the pages of a workspace -> emphasis of the texts that they set off.

Each sheet is read once. What was not captured is not asked for: nothing is fetched.

Paper: OntoMiner 4.3.3 (emphasis by a bold class)
"""

from collections.abc import Sequence

import pyarrow as pa
import pyarrow.compute as pc

from sitestrata.model import Reject
from sitestrata.page import PageFacts
from sitestrata.page.style_sheets import style_sheets
from sitestrata.partition.styles import is_for_screens, with_styles
from sitestrata.run.storage import conform, schema_of
from sitestrata.run.workspace import Workspace
from sitestrata.sources import captures_of, read_bodies, read_jobs
from sitestrata.urls import url_id

__all__ = ["CapturedSheets"]

MAX_SHEET = 1_000_000  # bytes of one sheet
MAX_LINKED = 12  # sheets of a page
MAX_KEPT = 256  # sheets; when there are more, all are forgotten and read again


class CapturedSheets:
    """Knows which style sheets a workspace has, and reads those that pages link to."""

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace
        rows = workspace.query(
            f"SELECT * FROM captures WHERE media_type = 'text/css' AND status = 200 AND size <= {MAX_SHEET}"  # noqa: S608
        )
        self.sheets = conform(schema_of("captures"), rows)
        self.texts: dict[int, str] = {}  # by the id of the address; "" = not captured

    def dress(self, facts: PageFacts) -> PageFacts:
        """Return a page with its leaves emphasised that its style sheets set off."""
        if not self.sheets.num_rows:
            return facts
        linked = [
            url_id(sheet.url)
            for sheet in style_sheets(facts.source, facts.base)
            if sheet.url is not None and is_for_screens(sheet.media)
        ][:MAX_LINKED]
        if len(self.texts.keys() | set(linked)) > MAX_KEPT:
            self.texts.clear()
        self._read([url for url in linked if url not in self.texts])
        return with_styles(facts, [text for url in linked if (text := self.texts[url])])

    def _read(self, urls: Sequence[int]) -> None:
        self.texts |= dict.fromkeys(urls, "")
        wanted = self.sheets.filter(pc.is_in(self.sheets["url_id"], value_set=pa.array(urls, pa.int64())))
        if not wanted.num_rows:
            return
        manifest = self.workspace.manifest
        for source, some in read_jobs([item.source for item in manifest.inputs], wanted):
            for found in read_bodies(source, captures_of(some), relocate=manifest.relocated):
                if not isinstance(found, Reject):
                    capture, body = found
                    self.texts[capture.url_id] = body.decode("utf-8-sig", "replace")
