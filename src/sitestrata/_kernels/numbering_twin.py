"""Python twin of the ``numbering`` kernel: numbers equal keys alike, and hashes rows of integers."""

import numpy as np
import numpy.typing as npt

__all__ = ["mix_into", "number_keys"]

Ints = npt.NDArray[np.int64]


def number_keys(keys: Ints) -> tuple[Ints, Ints]:
    """Return the number of each key, in the order in which they come, and the row in which each comes first."""
    _, first, which = np.unique(keys, return_index=True, return_inverse=True)
    order = np.argsort(first)
    number = np.empty(len(first), np.int64)
    number[order] = np.arange(len(first))
    return number[which], first[order]


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
