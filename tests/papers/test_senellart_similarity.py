"""Worked examples of the flow paper that concern addresses."""

from math import exp

import pytest

from sitestrata.flow.similarity import EPSILON_DISTANCE, SIGMA, similarity, url_distance, url_similarity

GEMO = "http://osage.inria.fr/verso/Gemo/PUBLI/index.php", "http://www-rocq.inria.fr/verso/Gemo/Projects/index.html"


def test_senellart_fig6_two_hosts_of_one_site_are_three_words_apart() -> None:
    assert 3 == url_distance(*GEMO)
    assert 0.9177 == pytest.approx(url_similarity(*GEMO), abs=5e-5)


def test_senellart_epsilon_is_far_below_any_link() -> None:
    """2.4.1: eps = exp(-50^2 / (2 sigma^2)); its sum over a collection stays below one link's capacity: the trap."""
    eps = float(similarity(EPSILON_DISTANCE, SIGMA))

    assert eps == pytest.approx(exp(-(50**2) / (2 * 7.24**2)))
    assert 4.4e-11 == pytest.approx(eps, rel=0.02)
    assert 87_140 * eps < url_similarity(*GEMO) / 1000
