"""Compiled hashes of texts and their twin agree, and tell texts apart."""

import numpy as np
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from sitestrata._kernels import is_compiled, load, texts_twin
from sitestrata.menus.web import text_buffers

PATHS = st.lists(st.text(alphabet="ab/#.\u00e9", max_size=30) | st.text(max_size=12), max_size=30)


def test_the_kernel_is_compiled() -> None:
    assert is_compiled("texts")


@given(PATHS, st.integers(0, 5))
def test_kernel_and_twin_agree_on_part_of_a_column(paths: list[str], skipped: int) -> None:
    column = pa.array(paths * 2, pa.string()).slice(skipped)
    buffers = text_buffers(column)
    rows = np.arange(len(column))[::-2]
    depth = np.arange(len(rows), dtype=np.int32) % 4
    kernel = load("texts")

    assert texts_twin.hash_texts(*buffers).tolist() == kernel.hash_texts(*buffers).tolist()
    for expected, actual in [
        *zip(texts_twin.hash_places(*buffers), kernel.hash_places(*buffers), strict=True),
        *zip(texts_twin.hash_steps(*buffers, rows, depth), kernel.hash_steps(*buffers, rows, depth), strict=True),
    ]:
        assert expected.tolist() == actual.tolist()


@given(PATHS)
def test_texts_have_equal_hashes_only_if_they_are_equal(paths: list[str]) -> None:
    hashes = load("texts").hash_texts(*text_buffers(pa.array(paths, pa.string()))).tolist()

    assert len(set(paths)) == len(set(hashes))
    assert ["" == path for path in paths] == [0 == value for value in hashes]


def test_numbered_texts_of_any_length_do_not_collide() -> None:
    texts = [f"{'x' * (number % 40)}{number}" for number in range(200_000)]
    hashes = load("texts").hash_texts(*text_buffers(pa.array(texts, pa.string())))

    assert len(texts) == len(np.unique(hashes))
    # Bits are even: each is set in half of them, within five standard deviations.
    bits = np.unpackbits(hashes.view(np.uint8).reshape(-1, 8), axis=1).mean(axis=0)
    assert np.abs(bits - 0.5).max() < 5 * 0.5 / len(texts) ** 0.5


def test_a_place_has_neither_ids_nor_classes() -> None:
    column = pa.array(["html/body/ul#top.a.b/li.c", "html/body/ul/li", "html/body/ol/li"], pa.string())
    (first, second, third), depth = load("texts").hash_places(*text_buffers(column))

    assert first == second != third
    assert [4, 4, 4] == depth.tolist()
