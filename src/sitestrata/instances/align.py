"""Two pages of one kind, cut into flat segments -> which segments hold instance information.

Two pages that one group of a concept page links to share their decoration. Their segment sequences are aligned with the
least Levenshtein distance; aligned segments with like content are decoration, aligned segments with unlike content are
instance information.

Paper: OntoMiner 6.1

Open in the paper: what a replacement costs. Here it is 1 - Jaccard of the two contents, an insertion or deletion costs
1: like segments attract each other, and two unlike segments between aligned neighbours are cheaper to align than to
skip. Segments that only one page has are aligned with nothing and count as unlike. The paper does not say where "like"
ends; see ``SIMILAR``.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

__all__ = ["SIMILAR", "FlatSegment", "align", "instance_segments"]

SIMILAR = 0.5  # half of the two contents in common; open in the paper


@dataclass(frozen=True, slots=True)
class FlatSegment:
    """One flat segment of a page: the tag paths and the texts of its leaves, in document order."""

    paths: tuple[int, ...]
    texts: tuple[str, ...]
    first_leaf: int = 0


def content_similarity(first: FlatSegment, second: FlatSegment) -> float:
    """Return Jaccard's coefficient of the texts of two segments."""
    one, two = frozenset(first.texts), frozenset(second.texts)
    return len(one & two) / len(one | two) if one | two else 1.0


def align(first: Sequence[FlatSegment], second: Sequence[FlatSegment]) -> list[tuple[int | None, int | None]]:
    """Align two segment sequences at least cost; None where a page has no partner.

    Of equal alignments the one that replaces rather than skips, as early as possible.
    """
    n, m = len(first), len(second)
    swap = np.array([[1 - content_similarity(a, b) for b in second] for a in first]).reshape(n, m)
    cost = np.zeros((n + 1, m + 1))
    cost[:, 0] = np.arange(n + 1)
    cost[0, :] = np.arange(m + 1)
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            cost[i, j] = min(cost[i - 1, j - 1] + swap[i - 1, j - 1], cost[i - 1, j] + 1, cost[i, j - 1] + 1)
    pairs: list[tuple[int | None, int | None]] = []
    i, j = n, m
    while i or j:
        if i and j and cost[i, j] == cost[i - 1, j - 1] + swap[i - 1, j - 1]:
            i, j = i - 1, j - 1
            pairs.append((i, j))
        elif i and cost[i, j] == cost[i - 1, j] + 1:
            i -= 1
            pairs.append((i, None))
        else:
            j -= 1
            pairs.append((None, j))
    return pairs[::-1]


def instance_segments(
    first: Sequence[FlatSegment], second: Sequence[FlatSegment], *, similar: float = SIMILAR
) -> tuple[list[int], list[int]]:
    """Return the segments of each page that hold instance information."""
    ours, theirs = [], []
    for one, two in align(first, second):
        if one is not None and two is not None and content_similarity(first[one], second[two]) >= similar:
            continue
        if one is not None:
            ours.append(one)
        if two is not None:
            theirs.append(two)
    return ours, theirs
