"""The compiled joining of strands and its twin agree, on pages of any shape."""

import time

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


def test_a_page_of_as_many_lists_as_links_takes_time_in_proportion() -> None:
    many = 200_000  # as many lists of two links beside as many links without a strand, and one with
    first = np.concatenate([[0, many + 1], many + 1 + 2 * np.arange(1, many + 1)])
    strand = np.concatenate([[0], np.full(many, -1), np.ones(2 * many, np.int64)])
    kinds = np.concatenate([np.zeros(many + 1, np.int32), np.ones(2 * many, np.int32)])
    begin = time.process_time()

    found = load("containers").join_strands(
        np.concatenate([[-1], np.zeros(many)]).astype(np.int32),
        np.zeros(many + 1, np.uint8),
        np.ones(many + 1, np.int32),
        np.zeros(many + 1, np.uint8),
        first,
        strand,
        np.where(strand >= 0, 50, 0),
        np.where(strand >= 0, 1.0, 0.0),
        kinds,
        np.zeros(len(strand), np.uint8),
        np.arange(2, dtype=np.int32),
        np.zeros(2, np.uint8),
        np.zeros(3, np.int32),
        np.zeros(0, np.int32),
        np.zeros(2, np.int32),
        2,
    )

    assert [0, 1] == found.tolist()
    assert time.process_time() - begin < 2.0  # forty thousand million pairs of a list and a link take longer
