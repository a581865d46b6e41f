"""Many short texts in one buffer, the way Arrow keeps them: no object per text until somebody asks for one."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa

__all__ = ["Strings", "join_strings"]


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
    starts = np.cumsum([0, *(len(column.data) for column in columns)], dtype=np.int64)
    offsets = np.concatenate(
        [*(column.offsets[:-1] + start for column, start in zip(columns, starts, strict=False)), starts[-1:]]
    )
    data = pa.py_buffer(b"".join(column.data for column in columns))
    if starts[-1] <= np.iinfo(np.int32).max:
        return pa.StringArray.from_buffers(len(offsets) - 1, pa.py_buffer(offsets.astype(np.int32)), data)
    raise OverflowError("more than 2 GiB of text in one batch; make batches of fewer pages")
