"""Rows of integers -> keys of 64 bits, and keys -> numbers: what groups millions of links.

Keys are numbered by a table, and only the distinct ones are sorted: ``numpy.unique`` takes several times as long.
"""

from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from sitestrata._kernels import load

__all__ = [
    "distinct",
    "distinct_pairs",
    "first_of_each",
    "mix",
    "number_keys",
    "number_within",
    "numbered",
    "tally",
]

_kernel = load("numbering")
Ints = NDArray[np.int64]
Numbers = TypeVar("Numbers", bound=NDArray[np.integer[Any]])


def mix(*columns: NDArray[np.generic]) -> Ints:
    """Hash rows of integers to 64 bits (splitmix64 finaliser over the columns in turn)."""
    values = np.zeros(len(columns[0]), np.uint64)
    for column in columns:
        _kernel.mix_into(values, column.astype(np.int64, copy=False))
    return values.view(np.int64)


def number_keys(keys: Ints) -> tuple[Ints, Ints]:
    """Return the number of each key, in the order in which they come, and the row in which each comes first."""
    numbers, first = _kernel.number_keys(keys)
    return numbers, first


def number_within(groups: NDArray[np.int32] | Ints, keys: Ints) -> tuple[Ints, NDArray[np.bool_]]:
    """Number pairs of a group and a key, in the order in which they come, and tell where each comes first.

    Rows of one group follow one another, as the links of a page do: no table of all keys is needed.
    """
    numbers, is_first = _kernel.number_within(groups, keys)
    return numbers, is_first


def first_of_each(keys: Ints) -> Ints:
    """Return the rows in which each key comes first."""
    return number_keys(keys)[1]


def distinct(values: Numbers) -> Numbers:
    """Return the values, sorted, each once.

    >>> distinct(np.array([3, 1, 3])).tolist()
    [1, 3]
    """
    ordered = np.sort(values)
    first = np.ones(len(ordered), np.bool_)
    np.not_equal(ordered[1:], ordered[:-1], out=first[1:])
    return ordered[first]  # type: ignore[return-value]


def numbered(values: NDArray[np.integer[Any]]) -> tuple[Ints, Ints]:
    """Return the distinct values, sorted, and the place of each value among them.

    >>> [found.tolist() for found in numbered(np.array([30, 10, 30]))]
    [[10, 30], [1, 0, 1]]
    """
    labels, _, place, _ = tally(values.astype(np.int64, copy=False))
    return labels, place


def tally(keys: Ints) -> tuple[Ints, Ints, Ints, Ints]:
    """Return the keys in order, each once, with the row in which it comes first; the place of each row's key among
    them; and how often each comes.

    >>> [found.tolist() for found in tally(np.array([30, 10, 30]))]
    [[10, 30], [1, 0], [1, 0, 1], [1, 2]]
    """
    which, first = number_keys(keys)
    order = np.argsort(keys[first])
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    return keys[first][order], first[order], place[which], np.bincount(which, minlength=len(order))[order]


def distinct_pairs(one: Ints, other: Ints) -> tuple[Ints, Ints]:
    """Return the pairs of two columns, sorted, each once.

    >>> [found.tolist() for found in distinct_pairs(np.array([2, 1, 2]), np.array([5, 9, 5]))]
    [[1, 2], [9, 5]]
    """
    labels, number = numbered(other)
    width = max(len(labels), 1)
    pairs = distinct(one * width + number)
    return pairs // width, labels[pairs % width]
