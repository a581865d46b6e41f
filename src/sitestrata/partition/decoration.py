"""A page and others of its template -> which of its texts are decoration: they stand in the same place on most of them.

Notices, slogans, "you are here", labels of a template: what all pages of a site print says nothing of this one. Links
that pages have in common are menus, and found as such (`sitestrata.menus`); here only texts outside links count.

Paper: OntoMiner 6.1 (aligned and similar is decoration), on several pages instead of two
"""

from collections import Counter
from collections.abc import Iterable

from sitestrata.page import PageFacts

__all__ = ["MAX_OTHERS", "repeated_texts"]

MAX_OTHERS = 8  # pages that are looked at
MIN_OTHERS = 3  # with fewer, a page and its versions would be decoration altogether
MOST = 0.75  # share of the others


def repeated_texts(facts: PageFacts, others: Iterable[PageFacts]) -> frozenset[int]:
    """Return the nodes of the texts outside links that most of the other pages print too, at the same path."""
    counts: Counter[tuple[int, str]] = Counter()
    pages = 0
    for other in others:
        counts.update(set(_texts(other).values()))
        pages += 1
    if pages < MIN_OTHERS:
        return frozenset()
    return frozenset(node for node, text in _texts(facts).items() if counts[text] >= MOST * pages)


def _texts(facts: PageFacts) -> dict[int, tuple[int, str]]:
    leaves = facts.leaves
    rows = zip(leaves.node.tolist(), leaves.path.tolist(), leaves.link.tolist(), strict=True)
    return {node: (path, facts.leaf_text(leaf)) for leaf, (node, path, link) in enumerate(rows) if link < 0}
