"""The compiled joining of strands and its twin agree, on pages of any shape."""

import numpy as np
import pytest

from sitestrata._kernels import containers_twin, is_compiled, load


def test_the_kernel_is_compiled() -> None:
    assert is_compiled("containers")


@pytest.mark.parametrize("seed", range(120))
def test_kernel_and_twin_agree(seed: int) -> None:
    rng = np.random.default_rng(seed)
    segments, kinds, tags = int(rng.integers(1, 40)), int(rng.integers(1, 7)), 4
    links = np.sort(rng.integers(0, segments, int(rng.integers(0, 90))))
    strands = int(rng.integers(1, 12))
    spread = rng.choice([2, 8, 9, 10, 40, 50, 51, 400], strands)
    strand = rng.integers(-1, strands, len(links))
    shares = np.where(strand >= 0, rng.choice([0.0, 0.3, 0.5, 1.0], strands)[strand], 0.0)
    classes = [sorted(rng.choice(5, int(rng.integers(0, 3)), replace=False).tolist()) for _ in range(kinds)]
    arguments = (
        np.array([int(rng.integers(-1, row)) if row else -1 for row in range(segments)], np.int32),
        rng.integers(0, 3, segments).astype(np.uint8),
        rng.integers(0, kinds, segments).astype(np.int32),
        rng.integers(0, 2, segments).astype(np.uint8),
        np.searchsorted(links, np.arange(segments + 1)),
        strand,
        np.where(strand >= 0, spread[strand], 0),
        shares,
        rng.integers(0, kinds, len(links)).astype(np.int32),
        rng.integers(0, 2, len(links)).astype(np.uint8),
        np.sort(rng.integers(0, tags, kinds)).astype(np.int32),
        rng.integers(0, 3, tags).astype(np.uint8),
        np.cumsum([0, *map(len, classes)], dtype=np.int32),
        np.array([word for some in classes for word in some], np.int32),
        rng.integers(0, 2, kinds).astype(np.int32),
        strands,
    )

    expected = containers_twin.join_strands(*arguments)

    assert expected.tolist() == load("containers").join_strands(*arguments).tolist()
