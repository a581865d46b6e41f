"""Taxonomies are compared concept by concept, whatever the concepts are called."""

import pytest

from sitestrata.evaluate import evaluate
from sitestrata.evaluate.facts import ConceptFact, Facts, IsAFact, TaxonomyFact
from sitestrata.evaluate.ontology import score_taxonomy

GOLD = TaxonomyFact(
    "news",
    (
        ConceptFact("World", ("World", "International")),
        ConceptFact("News", ("News",)),
        ConceptFact("Sport", ("Sport", "Sports", "World Sport")),
        ConceptFact("Africa", ("Africa",)),
    ),
    (
        IsAFact("News", "World"),
        IsAFact("World", "Africa"),
        IsAFact("News", "Sport", is_observed=False),
    ),
)


def test_a_perfect_answer_under_other_names_is_perfect() -> None:
    found = TaxonomyFact(
        "x",
        (
            ConceptFact("c1", ("international", "WORLD")),
            ConceptFact("c2", ("News:",)),
            ConceptFact("c3", ("sports", "Sport", "world sport")),
            ConceptFact("c4", ("Africa",)),
        ),
        (IsAFact("c2", "c1"), IsAFact("c1", "c4")),
    )

    scores = score_taxonomy(found, GOLD)

    assert (1, 1, 1) == (scores.concepts.f1, scores.synonyms.f1, scores.is_a.f1)


def test_splitting_a_concept_does_not_count_twice() -> None:
    found = TaxonomyFact("x", (ConceptFact("a", ("World",)), ConceptFact("b", ("International",))), ())

    scores = score_taxonomy(found, GOLD)

    assert (1, 2, 4) == (scores.concepts.right, scores.concepts.found, scores.concepts.gold)
    assert (0, 0, 4) == (scores.synonyms.right, scores.synonyms.found, scores.synonyms.gold)


def test_closure_of_the_answer_counts_and_unobserved_pairs_are_right_but_not_missed() -> None:
    found = TaxonomyFact(
        "x",
        (ConceptFact("World", ()), ConceptFact("News", ()), ConceptFact("Sport", ()), ConceptFact("Africa", ())),
        (IsAFact("News", "World"), IsAFact("World", "Africa"), IsAFact("News", "Sport")),
    )

    scores = score_taxonomy(found, GOLD).is_a

    assert (3, 3, 4, 4) == (scores.gold, scores.recalled, scores.right, scores.found)


def test_facets_are_right_both_ways_and_imply_nothing() -> None:
    """Women > Jeans and Jeans > Women both occur; that Jeans > Dresses follows from neither."""
    gold = TaxonomyFact(
        "shop",
        tuple(ConceptFact(name, (name,)) for name in ("Women", "Jeans", "Dresses")),
        (
            IsAFact("Women", "Jeans", is_facet=True),
            IsAFact("Jeans", "Women", is_facet=True),
            IsAFact("Women", "Dresses"),
        ),
    )
    found = TaxonomyFact("x", gold.concepts, (IsAFact("Jeans", "Women"), IsAFact("Jeans", "Dresses")))

    scores = score_taxonomy(found, gold).is_a

    assert (1, 2, 3) == (scores.right, scores.found, scores.gold)


def test_unknown_parents_lower_the_precision_over_descendants_only() -> None:
    found = TaxonomyFact(
        "x",
        (ConceptFact("Sign in", ()), ConceptFact("News", ()), ConceptFact("World", ())),
        (IsAFact("Sign in", "World"), IsAFact("News", "World")),
    )

    scores = score_taxonomy(found, GOLD).is_a

    assert 1 == scores.precision_in
    assert 0.5 == pytest.approx(scores.precision_desc)


def test_two_parts_of_one_domain_have_names_of_their_own() -> None:
    """The part with most of gold's concepts has the name of the domain."""
    small = TaxonomyFact("1", GOLD.concepts[:1], ())
    large = TaxonomyFact("2", GOLD.concepts, GOLD.is_a)

    outcome = evaluate(Facts("answer", taxonomies=(small, large)), Facts("gold", taxonomies=(GOLD,)))

    recall = {score.task: score.value for score in outcome.scores if score.metric == "concepts_recall"}
    assert {"ontology-news": 1.0, "ontology-news-2": 0.25, "ontology": 0.625} == recall
