"""The leaves of a page -> flat segments: runs in which neighbouring leaves share their tag paths.

A similarity link joins two leaves with the same root-to-leaf path and none of it between them. Walking the leaves, a
segment ends where few links cross the border, measured by those inside it. Linear in the number of leaves.

Paper: OntoMiner 4.1, Algorithm 2
Differences from the paper: where no link lies inside the segment there is no ratio; we then set no border. Links that
cross are those that begin in the current segment.
"""

import numpy as np
import numpy.typing as npt

__all__ = ["DELTA", "flat_segments"]

DELTA = 0.34  # OntoMiner 4.1


def flat_segments(paths: npt.NDArray[np.int64], *, delta: float = DELTA) -> list[tuple[int, int]]:
    """Cut leaves, given by the numbers of their paths, into segments (first, end).

    >>> flat_segments(np.array([1, 1, 1, 2, 2, 2]))
    [(0, 3), (3, 6)]
    """
    count = len(paths)
    if not count:
        return []
    before, after = _neighbours(paths)
    segments = []
    first = inside = crossing = 0
    for leaf in range(count):
        # Invariant: inside and crossing count the links within first..leaf-1 and from there to leaf or beyond.
        if leaf > first and inside and crossing / inside < delta:
            segments.append((first, leaf))
            first, inside, crossing = leaf, 0, 0
        if before[leaf] >= first:
            inside += 1
            crossing -= 1
        if after[leaf] < count:
            crossing += 1
    segments.append((first, count))
    return segments


def _neighbours(paths: npt.NDArray[np.int64]) -> tuple[list[int], list[int]]:
    """Return the leaf before and the leaf behind each that has its path; -1 and the count where there is none."""
    count = len(paths)
    before, after = [-1] * count, [count] * count
    last: dict[int, int] = {}
    for leaf, path in enumerate(paths.tolist()):
        if path in last:
            before[leaf] = last[path]
            after[last[path]] = leaf
        last[path] = leaf
    return before, after
