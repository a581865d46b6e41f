"""Hierarchies are compared over their transitive closure."""

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitestrata.evaluate.closure import closure, score_closure, score_parents

pairs = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=25)


@given(pairs)
def test_closure_is_that_of_networkx_but_for_loops(edges: list[tuple[int, int]]) -> None:
    graph = nx.DiGraph(edges)
    expected = {(a, b) for a, b in nx.transitive_closure(graph, reflexive=None).edges if a != b}
    expected |= {(a, b) for a in graph for b in nx.descendants(graph, a)}

    assert expected == closure(edges)


def test_a_shortcut_in_a_chain_costs_nothing_but_a_missing_middle_does() -> None:
    """Gold a>b>c implies ab, bc, ac. Found a>c, a>b lacks bc only."""
    gold, found = closure([("a", "b"), ("b", "c")]), closure([("a", "c"), ("a", "b")])

    scores = score_closure(found, gold)

    assert 1 == scores.precision
    assert 2 / 3 == pytest.approx(scores.recall)


def test_precision_has_three_strengths() -> None:
    """Found: right; unknown above known; wrong with both ends known; both ends unknown."""
    gold = {("news", "world"), ("news", "sport")}
    found = {("news", "world"), ("sign in", "world"), ("sport", "world"), ("x", "y")}

    scores = score_closure(found, gold)

    assert 1 / 4 == scores.precision
    assert 1 / 3 == pytest.approx(scores.precision_desc)
    assert 1 / 2 == scores.precision_in
    assert 1 / 2 == scores.recall


def test_accepted_pairs_need_not_be_found_but_are_right_when_they_are() -> None:
    gold, accepted = {("a", "b")}, {("a", "c")}

    assert 1 == score_closure({("a", "b")}, gold, accepted=accepted).recall
    assert 1 == score_closure({("a", "b"), ("a", "c")}, gold, accepted=accepted).precision


def test_any_of_several_true_parents_is_right() -> None:
    scores = score_parents({"c": "b", "d": "x", "e": None}, {"c": {"a", "b"}, "d": {"a"}, "e": {"a"}, "f": {"a"}})

    assert 1 == scores.right
    assert 2 == scores.found
    assert 4 == scores.gold
