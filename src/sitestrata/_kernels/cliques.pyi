import numpy as np
import numpy.typing as npt

def maximal_cliques(
    indptr: npt.NDArray[np.int64],
    indices: npt.NDArray[np.int32],
    min_size: int,
    max_cliques: int,
    max_steps: int,
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int32], bool]: ...
