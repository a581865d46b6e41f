"""Marked blocks of pages -> cuts between leaves.

Gold names blocks by xpath *as lxml parses the page*, which differs from how browsers do, so lxml is needed here and
nowhere else; it is no dependency of the product. Pages are taken for UTF-8, as they were when the labels were made, and
read from the WARC files beside the labels. Leaves are the visible texts and the images with an alternative text, in
document order, as in `sitestrata.page`; a block cuts the page before its first leaf and behind its last.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from sitestrata.errors import MissingExtraError, SourceError
from sitestrata.evaluate.facts import CutFact, Facts

__all__ = ["READERS", "cuts_of_blocks"]

Rows = Sequence[Mapping[str, Any]]
HIDDEN = frozenset({"head", "script", "style", "noscript", "template", "iframe", "textarea"})
_SPACES = re.compile(r"\s+")


def _blocks(path: Path, rows: Rows) -> Facts:
    xpaths: dict[str, list[str]] = defaultdict(list)
    for row in rows:
        xpaths[row["url"]].append(row["xpath"])
    bodies = _bodies(path.parent, set(xpaths))
    if not bodies:
        raise SourceError(f"{path} marks blocks of pages, but no WARC file beside it holds any of these pages.")
    return Facts(
        path.parent.name,
        cuts=tuple(CutFact(url, *cuts_of_blocks(bodies[url], xpaths[url])) for url in sorted(bodies)),
    )


def cuts_of_blocks(body: bytes, xpaths: Sequence[str]) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """Return the leaves of a page and the cuts that its blocks make; a place that does not exist makes none."""
    try:
        from lxml import html
    except ImportError as error:
        raise MissingExtraError("Gold that marks blocks by xpath needs lxml: pip install lxml.") from error
    # Without an encoding lxml stops at the first byte that does not fit the one it guesses.
    utf8 = body.decode("utf-8", "replace").encode()
    root = html.document_fromstring(utf8, parser=html.HTMLParser(encoding="utf-8"))
    leaves: list[str] = []
    first: dict[Any, int] = {}
    last: dict[Any, int] = {}
    for element, text in page_leaves(root):
        for holder in (element, *element.iterancestors()):
            first.setdefault(holder, len(leaves))
            last[holder] = len(leaves)
        leaves.append(text)
    cuts: set[int] = set()
    tree = root.getroottree()
    for xpath in xpaths:
        for element in tree.xpath(xpath)[:1]:
            if element in first:
                cuts |= {first[element], last[element] + 1}
    return tuple(leaves), tuple(sorted(cuts - {0, len(leaves)}))


def page_leaves(root: Any) -> Iterator[tuple[Any, str]]:
    """Yield the texts a reader sees, each with the element it stands in, in document order."""
    # (element, is it being left): the tail of an element belongs to its parent.
    stack: list[tuple[Any, bool]] = [(root, False)]
    while stack:
        element, is_left = stack.pop()
        if is_left:
            if element is not root and (text := _shown(element.tail)):
                yield element.getparent(), text
            continue
        stack.append((element, True))
        if not isinstance(element.tag, str) or element.tag in HIDDEN:
            continue
        if element.tag == "img" and (text := _shown(element.get("alt"))):
            yield element, text
        if text := _shown(element.text):
            yield element, text
        stack += [(child, False) for child in reversed(element)]


def _shown(text: str | None) -> str:
    return _SPACES.sub(" ", text or "").strip()


def _bodies(folder: Path, wanted: set[str]) -> dict[str, bytes]:
    from warcio.archiveiterator import ArchiveIterator

    bodies: dict[str, bytes] = {}
    for path in sorted(folder.glob("*.warc*")):
        with path.open("rb") as file:
            for record in ArchiveIterator(file):
                url = record.rec_headers.get_header("WARC-Target-URI")
                if record.rec_type == "response" and url in wanted and url not in bodies:
                    bodies[url] = record.content_stream().read()
    return bodies


READERS: tuple[tuple[frozenset[str], Callable[[Path, Rows], Facts]], ...] = (
    (frozenset({"url", "xpath", "type", "level"}), _blocks),
)
