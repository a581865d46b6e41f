"""Rows of integers -> keys of 64 bits, and keys -> numbers: what groups millions of links.

Keys that recur are found by a table, and only then sorted: ``numpy.unique`` takes several times as long.
"""

import numpy as np
from numpy.typing import NDArray

from sitestrata._kernels import load

__all__ = ["distinct", "first_of_each", "mix", "number_keys", "number_within", "tally"]

_kernel = load("numbering")
Ints = NDArray[np.int64]


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
    first: Ints = _kernel.number_keys(keys)[1]
    return first


def distinct(keys: Ints) -> Ints:
    """Return the keys in order, each once."""
    return np.sort(keys[first_of_each(keys)])


def tally(keys: Ints) -> tuple[Ints, Ints, Ints, Ints]:
    """Return the keys in order, each once, with the row in which it comes first; the place of each row's key among
    them; and how often each comes.
    """
    which, first = number_keys(keys)
    order = np.argsort(keys[first])
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    return keys[first][order], first[order], place[which], np.bincount(which, minlength=len(order))[order]
