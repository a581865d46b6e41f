import numpy as np
from numpy.typing import NDArray

def step(
    indptr: NDArray[np.int64],
    indices: NDArray[np.int32],
    values: NDArray[np.float32],
    inflation: float,
    cutoff: float,
    select: int,
    recover: int,
    share: float,
    threads: int,
) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.float32], float, float]: ...
