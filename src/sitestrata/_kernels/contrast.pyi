import numpy as np
from numpy.typing import NDArray

CELL: int
KIND: int
LENGTH: int
SHAPE: int
WORDS: int
MARKED: int
BOLD: int
LINKED: int
COLON: int
SPANNED: int
STRETCHED: int
HEAD: int
SCOPED: int
CROSS_SCOPED: int
PLANES: int

def line_contrast(planes: NDArray[np.int32], line: int) -> NDArray[np.float64]: ...
