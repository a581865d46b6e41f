import numpy as np
from numpy.typing import NDArray

def move_nodes(
    indptr: NDArray[np.int64],
    indices: NDArray[np.int64],
    votes: NDArray[np.float64],
    part: NDArray[np.int64],
    max_passes: int,
) -> int: ...
