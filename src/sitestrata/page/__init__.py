"""One page: bytes -> Dom (flat arrays) -> facts; the only package that knows an HTML parser."""

from sitestrata.page.batches import UrlRows, facts_to_batches
from sitestrata.page.charset import Decoded, decode, encoding_for_label
from sitestrata.page.dom import Dom, parse
from sitestrata.page.facts import Emphasis, Leaves, PageFacts
from sitestrata.page.limits import PageLimits, UnusablePageError
from sitestrata.page.links import KINDS, LABEL_SOURCES, Links, Paths
from sitestrata.page.paths import Step, parse_path
from sitestrata.page.reading import read_page, read_pages
from sitestrata.page.strings import Strings, join_offsets, join_strings, ordinals
from sitestrata.page.tables import Cell, RawTable, raw_tables
from sitestrata.page.vocabulary import ATTRIBUTES, LANDMARKS, TAG_ID, TAGS, TEXT

__all__ = [
    "ATTRIBUTES",
    "KINDS",
    "LABEL_SOURCES",
    "LANDMARKS",
    "TAGS",
    "TAG_ID",
    "TEXT",
    "Cell",
    "Decoded",
    "Dom",
    "Emphasis",
    "Leaves",
    "Links",
    "PageFacts",
    "PageLimits",
    "Paths",
    "RawTable",
    "Step",
    "Strings",
    "UnusablePageError",
    "UrlRows",
    "decode",
    "encoding_for_label",
    "facts_to_batches",
    "join_offsets",
    "join_strings",
    "ordinals",
    "parse",
    "parse_path",
    "raw_tables",
    "read_page",
    "read_pages",
]
