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

    scores = score_taxonomy([found], GOLD)

    assert (1, 1, 1) == (scores.concepts.f1, scores.synonyms.f1, scores.is_a.f1)


def test_splitting_a_concept_does_not_count_twice() -> None:
    found = TaxonomyFact("x", (ConceptFact("a", ("World",)), ConceptFact("b", ("International",))), ())

    scores = score_taxonomy([found], GOLD)

    assert (1, 2, 4) == (scores.concepts.right, scores.concepts.found, scores.concepts.gold)
    assert (0, 0, 4) == (scores.synonyms.right, scores.synonyms.found, scores.synonyms.gold)


def test_pairs_of_a_split_concept_are_right_and_count_once() -> None:
    """What is said of either half is what gold says of the whole; that a half stands under the other is wrong."""
    concepts = ConceptFact("a", ("World",)), ConceptFact("b", ("International",)), ConceptFact("News", ())
    found = TaxonomyFact("x", concepts, (IsAFact("News", "a"), IsAFact("News", "b")))
    nested = TaxonomyFact("x", concepts, (IsAFact("News", "a"), IsAFact("a", "b")))

    scores, wrong = score_taxonomy([found], GOLD).is_a, score_taxonomy([nested], GOLD).is_a

    assert (1, 1, 1) == (scores.recalled, scores.right, scores.found)
    assert (1, 1, 2) == (wrong.recalled, wrong.right, wrong.found)


def test_nothing_follows_from_two_concepts_being_one_that_were_not_joined() -> None:
    concepts = ConceptFact("a", ("World",)), ConceptFact("b", ("International",)), *GOLD.concepts[1:]
    found = TaxonomyFact("x", concepts, (IsAFact("News", "a"), IsAFact("b", "Africa")))

    scores = score_taxonomy([found], GOLD).is_a

    assert (3, 2, 2) == (scores.gold, scores.recalled, scores.found)


def test_closure_of_the_answer_counts_and_unobserved_pairs_are_right_but_not_missed() -> None:
    found = TaxonomyFact(
        "x",
        (ConceptFact("World", ()), ConceptFact("News", ()), ConceptFact("Sport", ()), ConceptFact("Africa", ())),
        (IsAFact("News", "World"), IsAFact("World", "Africa"), IsAFact("News", "Sport")),
    )

    scores = score_taxonomy([found], GOLD).is_a

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

    scores = score_taxonomy([found], gold).is_a

    assert (1, 2, 3) == (scores.right, scores.found, scores.gold)


def test_unknown_parents_lower_the_precision_over_descendants_only() -> None:
    found = TaxonomyFact(
        "x",
        (ConceptFact("Sign in", ()), ConceptFact("News", ()), ConceptFact("World", ())),
        (IsAFact("Sign in", "World"), IsAFact("News", "World")),
    )

    scores = score_taxonomy([found], GOLD).is_a

    assert 1 == scores.precision_in
    assert 0.5 == pytest.approx(scores.precision_desc)


def test_parts_of_a_domain_answer_together() -> None:
    """Sites in two languages are found apart: each part is translated for itself."""
    gold = TaxonomyFact(
        "news",
        (ConceptFact("World", ("World", "Welt")), ConceptFact("Asia", ("Asia", "Asien")), ConceptFact("Europe", ())),
        (IsAFact("World", "Asia"), IsAFact("World", "Europe")),
    )
    english = TaxonomyFact("1", (ConceptFact("a", ("World",)), ConceptFact("b", ("Asia",))), (IsAFact("a", "b"),))
    german = TaxonomyFact("2", (ConceptFact("c", ("Welt",)), ConceptFact("d", ("Europe",))), (IsAFact("c", "d"),))

    scores = score_taxonomy([english, german], gold)

    assert (1.0, 1.0) == (scores.is_a.precision, scores.is_a.recall)
    assert (3, 3, 3) == (scores.concepts.right, scores.concepts.found, scores.concepts.gold)


def test_pairs_that_no_overlap_tells_are_left_out_of_the_shared_score() -> None:
    """Each site has its own word for Asia: nobody can know that these are one concept."""
    concepts = (
        ConceptFact("World", ("World",), 3),
        ConceptFact("Asia", ("Asia", "Asien"), 1),
        ConceptFact("UK", (), 2),
    )
    gold = TaxonomyFact("news", concepts, (IsAFact("World", "Asia"), IsAFact("World", "UK")))
    found = TaxonomyFact("1", (ConceptFact("a", ("World",)), ConceptFact("b", ("UK",))), (IsAFact("a", "b"),))

    scores = score_taxonomy([found], gold)

    assert 0.5 == scores.is_a.recall
    assert scores.is_a_shared is not None
    assert (1.0, 1.0) == (scores.is_a_shared.recall, scores.is_a_shared.precision)
    assert score_taxonomy([found], GOLD).is_a_shared is None


def test_found_domains_that_gold_does_not_speak_of_are_not_scored() -> None:
    """They answer for no gold domain; a gold domain of several sites that nothing answers for counts as not found."""
    travel = TaxonomyFact("travel", (ConceptFact("Hotels", ()), ConceptFact("Inns", ())), (IsAFact("Hotels", "Inns"),))
    alone = TaxonomyFact("one site", (ConceptFact("Moon", ()), ConceptFact("Sea", ())), (IsAFact("Moon", "Sea"),), 1)
    news = TaxonomyFact("1", (ConceptFact("News", ()), ConceptFact("World", ())), (IsAFact("News", "World"),))
    other = TaxonomyFact("2", (ConceptFact("My cat", ()), ConceptFact("My dog", ())), (IsAFact("My cat", "My dog"),))

    outcome = evaluate(Facts("answer", taxonomies=(news, other)), Facts("gold", taxonomies=(GOLD, travel, alone)))

    found = {(score.task, score.metric): score.value for score in outcome.scores}
    assert 1.0 == found["ontology-news", "is_a_precision_all"]
    assert 0.0 == found["ontology-travel", "is_a_f1"]
    assert ("ontology-one site", "is_a_f1") not in found
    assert found["ontology", "is_a_f1"] == found["ontology-news", "is_a_f1"] / 2
    assert any("1 found domains share no concept" in note for note in outcome.notes)
