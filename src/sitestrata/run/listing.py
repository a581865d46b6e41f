"""What the listings of the command line show: rows put together from several tables."""

from collections.abc import Iterator
from typing import Any

from sitestrata.run.workspace import Workspace

__all__ = ["list_pages", "summary"]

_BATCH = 10_000
_PAGES = """
    SELECT p.url, {canonical} AS canonical, NULL AS site, NULL AS subsite, p.title, p.breadcrumb, c.status,
           NULL AS method, NULL AS confidence
    FROM pages p
    JOIN captures c ON c.url_id = p.url_id
    SEMI JOIN "_chosen" h ON c.url_id = h.url_id AND c.source = h.source AND c.offset = h.offset
    {aliases}
    ORDER BY p.url
"""


def list_pages(workspace: Workspace) -> Iterator[dict[str, Any]]:
    """Yield one row per captured URL that answered with HTML, sorted by URL."""
    has_aliases = "aliases" in workspace.tables
    sql = _PAGES.format(
        canonical="a.canonical" if has_aliases else "p.url",
        aliases="JOIN aliases a ON a.url_id = p.url_id" if has_aliases else "",
    )
    with workspace.reader().connect() as connection:
        for batch in connection.sql(sql).to_arrow_reader(_BATCH):
            yield from batch.to_pylist()


def summary(workspace: Workspace) -> str:
    """Return one honest line of counts."""
    counts = {name: workspace.count(name) for name in ("pages", "captures", "links", "segments", "rejects")}
    distinct = ""
    if "aliases" in workspace.tables and counts["pages"]:
        rows = workspace.query("SELECT count(DISTINCT a.page_id) AS n FROM aliases a SEMI JOIN pages p USING (url_id)")
        distinct = f" ({rows['n'][0].as_py():,} distinct)"
    unfinished = "" if workspace.manifest.is_finished else " The run is not finished."
    return (
        f"{counts['pages']:,} pages{distinct} from {counts['captures']:,} captures: {counts['links']:,} links, "
        f"{counts['segments']:,} link segments; {counts['rejects']:,} rejected.{unfinished}"
    )
