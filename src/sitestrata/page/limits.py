"""How much of one page we are willing to read; every figure is an option of the command line.

Browsers face the same hostile pages: Chromium and WebKit stop nesting elements at 512 and put what lies deeper beside
it. So do we; only a page that is nested far deeper, which no author ever wrote, is refused, because the parser's work
grows with depth times elements.
"""

from dataclasses import dataclass

from sitestrata.errors import Error

__all__ = ["PageLimits", "UnusablePageError"]


@dataclass(frozen=True, slots=True)
class PageLimits:
    """Limits of one page, with the defaults the documentation gives; the fields are flags of the command line."""

    page_size: int = 16 * 1024 * 1024  # bytes of the decoded body
    page_depth: int = 512  # deeper elements are lifted to this depth (Chromium: kMaximumHTMLParserDOMTreeDepth)
    parser_depth: int = 2048  # a page nested deeper than this is refused
    parser_memory: int = 64 * 1024 * 1024  # bytes, beside 32 per byte of the page
    page_nodes: int = 4_000_000  # elements and texts
    page_links: int = 100_000  # the largest real index pages have about half of it
    element_attributes: int = 4_096  # the parser compares each new attribute with all before
    address_bytes: int = 128 * 1024 * 1024  # of all resolved links: a long <base> multiplies
    table_slots: int = 1_000_000  # of all tables, spans expanded; beyond it spans count as 1, and the table is not read


class UnusablePageError(Error):
    """A page cannot be read; ``reason`` is short and countable, the message is for a person."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(detail)
        self.reason = reason
        self.detail = detail
