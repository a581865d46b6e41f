"""The compiled numbering of keys and its twin agree."""

import numpy as np
import pytest

from sitestrata._kernels import is_compiled, load, numbering_twin


def test_the_kernel_is_compiled() -> None:
    assert is_compiled("numbering")


@pytest.mark.parametrize("seed", range(20))
def test_kernel_and_twin_number_alike(seed: int) -> None:
    rng = np.random.default_rng(seed)
    # Up to 60,000 keys, so that the table grows; some far apart, some side by side.
    keys = rng.integers(0, 10 ** int(rng.integers(0, 6)), int(rng.integers(0, 60_000)))
    keys = keys * int(rng.choice([1, -1, 2**32, 2**40]))

    for expected, actual in zip(numbering_twin.number_keys(keys), load("numbering").number_keys(keys), strict=True):
        assert expected.tolist() == actual.tolist()


@pytest.mark.parametrize("seed", range(20))
def test_kernel_and_twin_number_alike_within_groups(seed: int) -> None:
    rng = np.random.default_rng(seed)
    sizes = rng.integers(1, 10 ** int(rng.integers(1, 5)), int(rng.integers(0, 30)))
    # Groups follow one another in any order; two that do may not be one.
    groups = np.repeat(rng.permutation(len(sizes)), sizes).astype(rng.choice([np.int32, np.int64]))
    keys = rng.integers(0, 10 ** int(rng.integers(1, 5)), len(groups)) * int(rng.choice([1, -1, 2**40]))

    numbers, is_first = load("numbering").number_within(groups, keys)

    assert [column.tolist() for column in numbering_twin.number_within(groups, keys)] == [
        numbers.tolist(),
        is_first.tolist(),
    ]
    pairs = list(zip(groups.tolist(), keys.tolist(), strict=True))
    assert [pairs.index(pair) == row for row, pair in enumerate(pairs[:200])] == is_first[:200].tolist()


@pytest.mark.parametrize("seed", range(5))
def test_kernel_and_twin_mix_alike(seed: int) -> None:
    rng = np.random.default_rng(seed)
    columns = rng.integers(-(2**63), 2**63 - 1, (3, 500))
    ours, theirs = np.zeros(500, np.uint64), np.zeros(500, np.uint64)
    for column in columns:
        load("numbering").mix_into(ours, column)
        numbering_twin.mix_into(theirs, column)

    assert theirs.tolist() == ours.tolist()
    assert len(set(ours.tolist())) == 500
