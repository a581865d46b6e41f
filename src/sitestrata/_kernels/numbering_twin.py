"""Python twin of the ``numbering`` kernel: numbers equal keys alike, and hashes rows of integers."""

import numpy as np
import numpy.typing as npt

__all__ = ["mix_into", "number_keys", "number_within"]

Ints = npt.NDArray[np.int64]


def number_keys(keys: Ints) -> tuple[Ints, Ints]:
    """Return the number of each key, in the order in which they come, and the row in which each comes first."""
    _, first, which = np.unique(keys, return_index=True, return_inverse=True)
    order = np.argsort(first)
    number = np.empty(len(first), np.int64)
    number[order] = np.arange(len(first))
    return number[which], first[order]


def number_within(groups: npt.NDArray[np.int32] | Ints, keys: Ints) -> tuple[Ints, npt.NDArray[np.bool_]]:
    """Number pairs of a group and a key, in the order in which they come, and tell where one comes first.

    Rows of one group follow one another.
    """
    group = np.cumsum(np.diff(groups, prepend=groups[:1]) != 0) if len(groups) else np.zeros(0, np.int64)
    numbers, first = number_keys(group * (len(keys) + 1) + number_keys(keys)[0])
    is_first = np.zeros(len(keys), np.bool_)
    is_first[first] = True
    return numbers, is_first


def mix_into(values: npt.NDArray[np.uint64], column: Ints) -> None:
    """Hash another column into the hashes of rows, in place (the finaliser of splitmix64)."""
    with np.errstate(over="ignore"):
        values ^= column.view(np.uint64)
        values += np.uint64(0x9E3779B97F4A7C15)
        values ^= values >> np.uint64(30)
        values *= np.uint64(0xBF58476D1CE4E5B9)
        values ^= values >> np.uint64(27)
        values *= np.uint64(0x94D049BB133111EB)
        values ^= values >> np.uint64(31)
