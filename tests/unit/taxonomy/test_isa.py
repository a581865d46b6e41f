"""Which pairs hold together."""

from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from sitestrata.taxonomy.isa import choose_relations

PAIRS = [(a, b) for a, b in product(range(5), repeat=2) if a != b]


def test_the_likelier_pair_stands_against_one_that_closes_a_cycle() -> None:
    found = choose_relations({(0, 1): 0.9, (1, 2): 0.8, (2, 0): 0.5}, least=0.3)

    assert {(0, 1), (1, 2)} == found


def test_pairs_that_are_likely_either_way_imply_nothing() -> None:
    found = choose_relations({(0, 1): 0.9, (1, 0): 0.4, (1, 2): 0.8}, least=0.3)

    assert {(0, 1), (1, 0), (1, 2)} == found


def test_a_pair_whose_consequences_nobody_shows_is_left_out() -> None:
    """0 > 1 would put five concepts under 0 that no site puts there."""
    below = {(1, child): 0.5 for child in range(2, 7)}

    assert set(below) == choose_relations({**below, (0, 1): 0.31}, least=0.3)


def test_what_follows_by_likely_steps_need_not_be_shown_itself() -> None:
    below = {(1, child): 0.9 for child in range(2, 7)}

    assert {(0, 1), *below} == choose_relations({**below, (0, 1): 0.7}, least=0.3)
    shown = {**below, (0, 1): 0.4, **{(0, child): 0.4 for child in range(2, 7)}}
    assert (0, 1) in choose_relations(shown, least=0.3)


@given(st.dictionaries(st.sampled_from(PAIRS), st.floats(0, 1), max_size=20))
def test_what_is_no_facet_has_no_cycle(chance: dict[tuple[int, int], float]) -> None:
    kept = choose_relations(chance, least=0.3)
    nested = {pair for pair in kept if pair[::-1] not in kept}
    while leaves := {child for _, child in nested} - {parent for parent, _ in nested}:
        nested = {pair for pair in nested if pair[1] not in leaves}

    assert not nested
    assert all(chance[pair] >= 0.3 for pair in kept)
