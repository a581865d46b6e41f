"""Compiled hashes of texts, their twin and the identity of addresses agree."""

import numpy as np
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from sitestrata._kernels import is_compiled, load, texts_twin
from sitestrata.menus.web import text_buffers
from sitestrata.urls import url_id

PATHS = st.lists(st.text(alphabet="ab/#.\u00e9", max_size=30) | st.text(max_size=12), max_size=30)


def test_the_kernel_is_compiled() -> None:
    assert is_compiled("texts")


@given(PATHS, st.integers(0, 5))
def test_kernel_and_twin_agree_on_part_of_a_column(paths: list[str], skipped: int) -> None:
    column = pa.array(paths * 2, pa.string()).slice(skipped)
    buffers = text_buffers(column)
    depth = np.arange(len(column), dtype=np.int32) % 4
    kernel = load("texts")

    assert texts_twin.hash_texts(*buffers).tolist() == kernel.hash_texts(*buffers).tolist()
    for expected, actual in [
        *zip(texts_twin.hash_places(*buffers), kernel.hash_places(*buffers), strict=True),
        *zip(texts_twin.hash_steps(*buffers, depth), kernel.hash_steps(*buffers, depth), strict=True),
    ]:
        assert expected.tolist() == actual.tolist()


@given(PATHS)
def test_a_hash_is_the_identity_of_the_text(paths: list[str]) -> None:
    hashes = load("texts").hash_texts(*text_buffers(pa.array(paths, pa.string())))

    assert [url_id(path) if path else 0 for path in paths] == hashes.tolist()


def test_a_place_has_neither_ids_nor_classes() -> None:
    column = pa.array(["html/body/ul#top.a.b/li.c", "html/body/ul/li", "html/body/ol/li"], pa.string())
    (first, second, third), depth = load("texts").hash_places(*text_buffers(column))

    assert first == second != third
    assert [4, 4, 4] == depth.tolist()
