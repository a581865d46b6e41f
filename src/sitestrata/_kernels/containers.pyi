import numpy as np
import numpy.typing as npt

ITEM: int
LIST: int

def join_strands(
    parent: npt.NDArray[np.int32],
    meaning: npt.NDArray[np.uint8],
    segment_kind: npt.NDArray[np.int32],
    segment_named: npt.NDArray[np.uint8],
    first_link: npt.NDArray[np.int64],
    strand: npt.NDArray[np.int64],
    pages: npt.NDArray[np.int64],
    home_share: npt.NDArray[np.float64],
    link_kind: npt.NDArray[np.int32],
    link_named: npt.NDArray[np.uint8],
    kind_tag: npt.NDArray[np.int32],
    tag_meaning: npt.NDArray[np.uint8],
    first_class: npt.NDArray[np.int32],
    classes: npt.NDArray[np.int32],
    kind_name: npt.NDArray[np.int32],
    strand_count: int,
) -> npt.NDArray[np.int64]: ...
