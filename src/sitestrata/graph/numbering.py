"""Which values there are, and which number each has among them: what `numpy.unique` tells, several times faster.

NumPy sorts all values to number them, or hashes and then sorts. Here only the distinct ones are sorted where numbers
are asked for, and nothing is hashed where they are not.
"""

from typing import Any, TypeVar

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

__all__ = ["distinct", "distinct_pairs", "numbered"]

Ints = NDArray[np.int64]
Numbers = TypeVar("Numbers", bound=NDArray[np.integer[Any]])


def distinct(values: Numbers) -> Numbers:
    """Return the values, sorted, each once.

    >>> distinct(np.array([3, 1, 3])).tolist()
    [1, 3]
    """
    ordered = np.sort(values)
    first = np.ones(len(ordered), np.bool_)
    np.not_equal(ordered[1:], ordered[:-1], out=first[1:])
    return ordered[first]  # type: ignore[return-value]


def numbered(values: Ints) -> tuple[Ints, Ints]:
    """Return the distinct values, sorted, and the place of each value among them.

    >>> [found.tolist() for found in numbered(np.array([30, 10, 30]))]
    [[10, 30], [1, 0, 1]]
    """
    found = pa.array(values, pa.int64()).dictionary_encode()
    labels = found.dictionary.to_numpy(zero_copy_only=False)
    order = np.argsort(labels)
    place = np.empty(len(labels), np.int64)
    place[order] = np.arange(len(labels))
    return labels[order], place[found.indices.to_numpy(zero_copy_only=False)]


def distinct_pairs(one: Ints, other: Ints) -> tuple[Ints, Ints]:
    """Return the pairs of two columns, sorted, each once.

    >>> [found.tolist() for found in distinct_pairs(np.array([2, 1, 2]), np.array([5, 9, 5]))]
    [[1, 2], [9, 5]]
    """
    labels, number = numbered(other)
    width = max(len(labels), 1)
    pairs = distinct(one * width + number)
    return pairs // width, labels[pairs % width]
