import numpy as np
from numpy.typing import NDArray

def row_dots(
    indptr: NDArray[np.int64],
    indices: NDArray[np.int32],
    values: NDArray[np.float64],
    column_weight: NDArray[np.float64],
    u: NDArray[np.int64],
    v: NDArray[np.int64],
) -> NDArray[np.float64]: ...
