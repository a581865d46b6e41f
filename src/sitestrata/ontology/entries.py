"""The entry pages of sites, with their links and segments, and the highest pages of each site: rows by site.

All that domains are told by, and little of what a collection holds; it is picked out where the rows are.
"""

import pyarrow as pa

from sitestrata.model import TABLES, Relations

__all__ = [
    "CONTENTS",
    "DOMAINS",
    "ENTRIES",
    "ENTRY_LINKS",
    "ENTRY_SEGMENTS",
    "ENTRY_TABLES",
    "contents_of",
    "find_entries",
]

ENTRIES, ENTRY_LINKS, ENTRY_SEGMENTS = "_entries", "_entry_links", "_entry_segments"
CONTENTS = "_contents"  # of a site: the pages that stand high in its hierarchy
DOMAINS = "_domains"  # sites that speak of the same things, with the owner of each
MAX_DEPTH = 3  # below the entry page: further down there are records, not concepts
MAX_PAGES = 1_000  # of one site, the highest first


def _columns(table: str, *names: str) -> list[pa.Field]:
    return [TABLES[table].schema.field(name) for name in names]


_SITE = pa.field("site", pa.int64(), nullable=False)
_URL = pa.field("url", pa.string())
ENTRY_TABLES: dict[str, pa.Schema] = {
    ENTRIES: pa.schema(
        [_SITE, pa.field("page", pa.int64(), nullable=False), *_columns("pages", "url", "language", "title")]
    ),
    ENTRY_LINKS: pa.schema(
        [_SITE, *_columns("links", "ordinal", "label", "landmark", "path", "segment", "node"), _URL]
    ),
    ENTRY_SEGMENTS: pa.schema([_SITE, *_columns("segments", "ordinal", "parent", "path", "node")]),
    CONTENTS: pa.schema([_SITE, *_columns("tree", "page_id", "parent", "position", "depth", "label"), _URL]),
    DOMAINS: pa.schema(
        [
            pa.field("group", pa.int64(), nullable=False),
            pa.field("page", pa.int64(), nullable=False),
            pa.field("owner", pa.string(), nullable=False),
        ]
    ),
}
_ENTRY = "SELECT s.site, p.url_id AS page FROM sites s JOIN pages p ON p.url = s.entry_url"


def find_entries(_tables: Relations, _options: object) -> dict[str, str]:
    """Pick out what the entry pages of sites show, and what stands high in the hierarchies of the sites."""
    entries = "SELECT e.site, e.page, p.url, p.language, p.title FROM pages p JOIN ({}) e ON e.page = p.url_id"
    links = f"""
        SELECT e.site, l.ordinal, l.label, l.landmark, l.path, l.segment, l.node, u.url FROM links l
        JOIN ({_ENTRY}) e ON e.page = l.page LEFT JOIN urls u ON u.url_id = l.target
    """  # noqa: S608 - queries of our own
    segments = f"""
        SELECT e.site, g.ordinal, g.parent, g.path, g.node FROM segments g JOIN ({_ENTRY}) e ON e.page = g.page
    """  # noqa: S608
    contents = contents_of(f"SELECT site FROM ({_ENTRY}) e")  # noqa: S608
    return {ENTRIES: entries.format(_ENTRY), ENTRY_LINKS: links, ENTRY_SEGMENTS: segments, CONTENTS: contents}


def contents_of(sites: str) -> str:
    """Return the query of the pages that stand high in the hierarchies of some sites (a query of column ``site``)."""
    return f"""
        SELECT t.site, t.page_id, t.parent, t.position, t.depth, t.label, p.url FROM (SELECT tree.*,
                row_number() OVER (PARTITION BY site ORDER BY depth, position, page_id) AS place
            FROM tree WHERE depth <= {MAX_DEPTH} AND site IN ({sites})) t
        LEFT JOIN pages p ON p.url_id = t.page_id WHERE t.place <= {MAX_PAGES}
    """  # noqa: S608
