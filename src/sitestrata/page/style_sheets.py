"""A page -> its style sheets in document order: written in the page, or named by an address.

`Dom` does not keep the text of style elements, which nothing that mines reads; only showing a page needs it.
"""

from dataclasses import dataclass

from selectolax.lexbor import LexborDocumentOptions, LexborHTMLParser

from sitestrata._kernels.walk_twin import without_swelling
from sitestrata.urls import normalise

__all__ = ["StyleSheet", "style_sheets"]


@dataclass(frozen=True, slots=True)
class StyleSheet:
    """One style sheet: its text, or the absolute address where it is."""

    text: str
    url: str | None
    media: str


def style_sheets(html: bytes, base: str) -> list[StyleSheet]:
    """Find the style sheets of a page; ``html`` is UTF-8 text that `sitestrata.page.parse` has accepted."""
    tree = LexborHTMLParser(without_swelling(html), options=LexborDocumentOptions.WO_EVENTS)
    found = []
    for node in tree.css("style, link[rel][href]"):
        attributes = node.attributes
        media = (attributes.get("media") or "").strip()
        if node.tag == "style":
            found.append(StyleSheet(node.text(deep=True) or "", None, media))
            continue
        rel = (attributes.get("rel") or "").lower().split()
        url = normalise(attributes.get("href") or "", base)
        if "stylesheet" in rel and "alternate" not in rel and url is not None:
            found.append(StyleSheet("", url, media))
    return found
