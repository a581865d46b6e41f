from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Ints: TypeAlias = npt.NDArray[np.int32]

def segment(nodes: Ints, link: Ints, listed: Ints) -> tuple[Ints, Ints, Ints, Ints, Ints]: ...
