import numpy as np
import numpy.typing as npt

INLINE: int
BOX: int
FEATURES: int

def describe_boxes(
    end: npt.NDArray[np.int32],
    tag: npt.NDArray[np.int32],
    path: npt.NDArray[np.int64],
    lengths: npt.NDArray[np.int32],
    leaf_node: npt.NDArray[np.int32],
    leaf_link: npt.NDArray[np.int32],
    leaf_heading: npt.NDArray[np.int32],
    kinds: npt.NDArray[np.uint8],
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.float64]]: ...
