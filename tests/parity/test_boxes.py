"""The compiled description of elements and its twin agree, on pages of any shape."""

import numpy as np
import pytest

from sitestrata._kernels import boxes_twin, is_compiled, load
from support.random_pages import random_page


def test_the_kernel_is_compiled() -> None:
    assert is_compiled("boxes")


@pytest.mark.parametrize("seed", range(40))
def test_kernel_and_twin_agree(seed: int) -> None:
    facts = random_page(seed)
    dom, leaves = facts.dom, facts.leaves
    kinds = np.random.default_rng(seed).integers(0, 4, 60).astype(np.uint8)
    lengths = dom.text_end - dom.text_start
    arguments = (dom.end, dom.tag, facts.tag_path, lengths, leaves.node, leaves.link, leaves.emphasis & 16, kinds)

    places, features = load("boxes").describe_boxes(*arguments)
    expected_places, expected_features = boxes_twin.describe_boxes(*arguments)

    assert expected_places.tolist() == places.tolist()
    np.testing.assert_allclose(features, expected_features, rtol=0, atol=1e-12)
