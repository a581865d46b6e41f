"""The finished HTML of a page and where its regions begin -> its leaves, and the cuts between blocks.

A leaf is what is counted everywhere: a text that a reader sees, or a picture's alternative text, in document order. The
markup is our own, so a pattern is enough to find them, and the truth owes nothing to the product's parser.
"""

import html
import re
from bisect import bisect_left
from collections.abc import Sequence
from typing import Any

__all__ = ["block_truth"]

_MARKUP = re.compile(
    r"<!--.*?-->|<(?P<raw>script|style|title)\b[^>]*>.*?</(?P=raw)\s*>|<(?P<tag>[a-z]*)(?P<rest>[^>]*)>",
    re.DOTALL | re.IGNORECASE,
)
_ALT = re.compile(r'\balt=(?:"([^"]*)"|([^\s>"]+))', re.IGNORECASE)
_SPACES = re.compile(r"\s+")


def block_truth(parts: Sequence[str], begins: Sequence[tuple[int, str]]) -> dict[str, Any]:
    """Return leaves, cuts (the number of the first leaf behind each) and the role of every block.

    Args:
        parts: the page, piece by piece.
        begins: number of the piece with which a region begins, and its role; a region without leaves is no block.
    """
    ends = [0]
    for part in parts:
        ends.append(ends[-1] + len(part))
    leaves = _leaves("".join(parts))
    cuts: list[int] = []
    roles: list[str] = []
    for piece, role in begins:
        first = bisect_left(leaves, (ends[piece], ""))
        if cuts and cuts[-1] == first:
            roles[-1] = role  # the region before it was empty
        else:
            cuts.append(first)
            roles.append(role)
    if cuts and cuts[-1] == len(leaves):
        del cuts[-1], roles[-1]
    if cuts and cuts[0] != 0:
        cuts[0] = 0
    return {"leaves": [text for _, text in leaves], "cuts": cuts[1:], "roles": roles}


def _leaves(page: str) -> list[tuple[int, str]]:
    """Return the leaves of a page, each with the place where it starts."""
    found = []
    start = 0
    for markup in _MARKUP.finditer(page):
        text = page[start : markup.start()]
        if text and not text.isspace():
            found.append((markup.start() - len(text.lstrip()), _shown(text)))
        if (markup["tag"] or "").lower() == "img" and (alt := _ALT.search(markup["rest"])):
            found.append((markup.start(), _shown(alt[1] if alt[1] is not None else alt[2])))
        start = markup.end()
    found.append((start, _shown(page[start:])))
    return [(at, text) for at, text in found if text]


def _shown(text: str) -> str:
    return _SPACES.sub(" ", html.unescape(text)).strip()
