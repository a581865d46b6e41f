"""The compiled comparison of table lines and its twin give the same features."""

import numpy as np
import pytest

from sitestrata._kernels import contrast_twin, is_compiled, load


def test_the_kernel_is_compiled() -> None:
    assert is_compiled("contrast")


@pytest.mark.parametrize("seed", range(60))
def test_kernel_and_twin_agree(seed: int) -> None:
    """On tables of all sizes, of any line, lying or turned."""
    rng = np.random.default_rng(seed)
    rows, columns = (int(rng.integers(1, 4)), int(rng.integers(1, 90)))[:: 1 if seed % 2 else -1]
    planes = rng.integers(0, 4, (contrast_twin.PLANES, rows, columns)).astype(np.int32)
    planes[contrast_twin.CELL] -= 1
    planes[contrast_twin.LENGTH] = rng.integers(0, 80, (rows, columns))
    for plane in ("MARKED", "BOLD", "LINKED", "COLON", "HEAD", "SCOPED"):
        planes[getattr(contrast_twin, plane)] //= 2
    if seed % 3 == 0:
        planes = planes.transpose(0, 2, 1)
    line = int(rng.integers(0, planes.shape[1]))

    fast = load("contrast").line_contrast(planes, line)

    np.testing.assert_allclose(fast, contrast_twin.line_contrast(planes, line), rtol=0, atol=1e-12)


def test_no_lines_have_no_contrast() -> None:
    empty = np.zeros((contrast_twin.PLANES, 0, 3), dtype=np.int32)

    assert not load("contrast").line_contrast(empty, 0).any()
    assert not contrast_twin.line_contrast(empty, 0).any()


def test_planes_have_the_same_numbers() -> None:
    names = [name for name in dir(contrast_twin) if name.isupper() and hasattr(load("contrast"), name)]

    assert contrast_twin.PLANES == len(names) - 1
    assert all(getattr(contrast_twin, name) == getattr(load("contrast"), name) for name in names)
