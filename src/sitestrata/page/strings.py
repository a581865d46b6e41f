"""Many short texts in one buffer, the way Arrow keeps them: no object per text until somebody asks for one."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa

__all__ = ["Strings", "join_offsets", "join_strings", "ordinals"]

MAX_TEXT = 2**31 - 1  # bytes that 32-bit offsets reach


@dataclass(slots=True, eq=False)
class Strings:
    """Texts by number; ``data[offsets[i] : offsets[i + 1]]`` is the UTF-8 of text i."""

    offsets: npt.NDArray[np.int32] | npt.NDArray[np.int64]
    data: bytes

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self.offsets) - 1

    def __getitem__(self, number: int) -> str:
        """Return one as a Python string."""
        return self.data[self.offsets[number] : self.offsets[number + 1]].decode()

    def __iter__(self) -> Iterator[str]:
        """Yield all as Python strings."""
        return (self[number] for number in range(len(self)))


def join_strings(columns: Sequence[Strings]) -> pa.StringArray:
    """Turn the texts of several pages into one Arrow array, without an object per text."""
    data = b"".join([column.data for column in columns])
    if len(data) > MAX_TEXT:
        raise OverflowError("more than 2 GiB of text in one batch; make batches of fewer pages")
    offsets = join_offsets([column.offsets for column in columns])
    return pa.StringArray.from_buffers(len(offsets) - 1, pa.py_buffer(offsets), pa.py_buffer(data))


def join_offsets(
    offsets: Sequence[npt.NDArray[np.int32] | npt.NDArray[np.int64]],
) -> npt.NDArray[np.int32]:
    """Put lists of offsets, each from 0 to its total, behind each other: one list from 0 to the sum of the totals."""
    if not offsets:
        return np.zeros(1, dtype=np.int32)
    every: npt.NDArray[np.int64] = np.concatenate(offsets, dtype=np.int64)
    lasts = np.cumsum(list(map(len, offsets))) - 1
    totals = np.cumsum(every[lasts], dtype=np.int64)
    starts = np.repeat(totals - every[lasts], np.diff(lasts, prepend=-1))
    is_start = np.ones(len(every), dtype=np.bool_)
    is_start[lasts[:-1]] = False  # what ends one list starts the next
    joined: npt.NDArray[np.int32] = (every + starts)[is_start].astype(np.int32)
    return joined


def ordinals(counts: Sequence[int]) -> npt.NDArray[np.int32]:
    """Number the rows of several lists, each from 0.

    >>> ordinals([2, 0, 3]).tolist()
    [0, 1, 0, 1, 2]
    """
    starts = np.cumsum(counts) - counts
    return (np.arange(sum(counts)) - np.repeat(starts, counts)).astype(np.int32)
