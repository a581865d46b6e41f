"""The cheapest binary parenthesisation of a sequence, by dynamic programming; twin of ``interval.pyx``."""

import numpy as np
from numpy.typing import NDArray

__all__ = ["parenthesise"]


def parenthesise(above: NDArray[np.int32], cost: NDArray[np.float64]) -> NDArray[np.int32]:
    """Return, for each range i..j, the last unit of its left half; -1 where there is none.

    ``above[i, j]`` numbers the lowest common ancestor of the units i..j, ``cost[a, b]`` is what it costs to join two
    neighbouring ranges with the ancestors a and b. Cost(i, i) = 0 and Cost(i, j) = min over k of Cost(i, k) +
    Cost(k + 1, j) + cost of the two halves; the first of equal splits counts.
    """
    count = len(above)
    split = np.full((count, count), -1, dtype=np.int32)
    best = np.zeros((count, count))
    for width in range(1, count):
        for i in range(count - width):
            j = i + width
            chosen, least = -1, np.inf
            for k in range(i, j):
                total = best[i, k] + best[k + 1, j] + cost[above[i, k], above[k + 1, j]]
                if chosen < 0 or total < least:
                    chosen, least = k, total
            best[i, j] = least
            split[i, j] = chosen
    return split
