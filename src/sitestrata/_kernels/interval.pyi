import numpy as np
from numpy.typing import NDArray

def parenthesise(above: NDArray[np.int32], cost: NDArray[np.float64]) -> NDArray[np.int32]: ...
