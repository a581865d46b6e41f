from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Ints: TypeAlias = npt.NDArray[np.int32]

def segment(nodes: Ints, link: Ints) -> tuple[Ints, Ints, Ints]: ...
