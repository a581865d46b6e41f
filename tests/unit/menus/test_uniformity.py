"""Aligned DOM paths: what differs becomes a wildcard, and what was aligned fits."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitestrata.menus.uniformity import align_all, fits, parse, spell

STEPS = st.sampled_from(["div", "ul", "div#a", "div#b", "ul.x", "ul.x.y", "li"])
PATHS = st.lists(STEPS, min_size=1, max_size=6).map(lambda steps: "/".join(["html", *steps]))


@pytest.mark.parametrize(
    ("paths", "signature", "wildcards"),
    [
        (["html/ul.x"], "html/ul.x", 0),
        (["html/div#a/ul", "html/div#b/ul"], "html/div#*/ul", 1),
        (["html/div.a/ul", "html/div/ul"], "html/div.*/ul", 1),
        (["html/div/ul", "html/td/ul"], "html/*/ul", 1),
        (["html/body.p1/ul", "html/body.p2/ul", "html/body.p3/ul"], "html/body.*/ul", 1),
        (["html/body/ul", "html/body/div/ul"], "html/body/div?/ul", 3),
    ],
)
def test_what_differs_becomes_a_wildcard(paths: list[str], signature: str, wildcards: int) -> None:
    aligned = align_all(paths)

    assert (signature, wildcards) == (spell(aligned), aligned.wildcards)


@given(st.lists(PATHS, min_size=1, max_size=5))
def test_every_aligned_path_fits(paths: list[str]) -> None:
    signature = align_all(paths)

    assert all(fits(path, signature) for path in paths)
    assert signature == align_all(reversed(paths))


@given(PATHS, PATHS)
def test_a_path_without_wildcards_fits_itself_only(first: str, second: str) -> None:
    assert fits(second, parse(first)) == (parse(first) == parse(second))
