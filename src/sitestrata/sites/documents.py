"""Compound documents: a few pages that are the parts of one document, under one page.

The parts of a document are pages that nobody but the document knows: each is linked only from the others and from the
page above, all of them link one another from one row (numbers, tabs) or from one to the next, and nothing stands below
them. The first page of the document is the page above if it shows the same row; else the document begins with the first
part.

Paper: MenuMiner 6.3 (compound documents: small uniform clusters)
"""

import numpy as np
from numpy.typing import NDArray

from sitestrata.sites.site_web import SiteWeb

__all__ = ["find_documents"]

Ints = NDArray[np.int64]

MAX_PARTS = 30  # more pages than that are a section
FEW_STRANGERS = 1  # pages outside the document that may link a part: a search result, a mention


def find_documents(web: SiteWeb, parent: Ints) -> Ints:
    """Return for each page the row of the first page of the document it is a part of; -1 = none."""
    document = np.full(len(web), -1, np.int64)
    children: dict[int, list[int]] = {}
    for row, above in enumerate(parent.tolist()):
        if above >= 0:
            children.setdefault(above, []).append(row)
    is_leaf = np.ones(len(web), np.bool_)
    is_leaf[list(children)] = False
    linkers = _linkers(web)
    for above, parts in sorted(children.items()):
        if above == web.entry or len(parts) > MAX_PARTS or not all(is_leaf[part] for part in parts):
            continue
        members = {above, *parts}
        if all(_is_part(part, members, linkers) for part in parts) and all(
            # The page above is itself a part: it is linked by all of them, and links them all.
            part in linkers.get(above, ())
            for part in parts
        ):
            document[[above, *parts]] = above
    return document


def _is_part(part: int, members: set[int], linkers: dict[int, set[int]]) -> bool:
    by = linkers.get(part, set())
    inside = by & members
    return len(by) - len(inside) <= FEW_STRANGERS and bool(inside)


def _linkers(web: SiteWeb) -> dict[int, set[int]]:
    links = web.links
    chosen = (links.target >= 0) & (links.target != links.page) & ~links.in_head
    codes = np.unique(links.target[chosen] * max(len(web), 1) + links.page[chosen])
    found: dict[int, set[int]] = {}
    for code in codes.tolist():
        found.setdefault(code // len(web), set()).add(code % len(web))
    return found
