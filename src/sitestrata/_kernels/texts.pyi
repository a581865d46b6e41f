import numpy as np
import numpy.typing as npt

def hash_texts(offsets: npt.NDArray[np.int32], data: npt.NDArray[np.uint8]) -> npt.NDArray[np.int64]: ...
def hash_places(
    offsets: npt.NDArray[np.int32], data: npt.NDArray[np.uint8]
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int32]]: ...
def hash_steps(
    offsets: npt.NDArray[np.int32],
    data: npt.NDArray[np.uint8],
    rows: npt.NDArray[np.int64],
    depth: npt.NDArray[np.int32],
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int32]]: ...
