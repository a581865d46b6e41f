"""Records and attributes are compared page by page."""

from sitestrata.evaluate.facts import AttributeFact, InstanceFact
from sitestrata.evaluate.instances import score_instances


def same(url: str) -> str:
    return url


def test_records_match_by_name_or_address_on_the_same_page() -> None:
    gold = [InstanceFact("/list", "Red shirt", "/red"), InstanceFact("/list", "Blue shirt", "/blue")]
    found = [
        InstanceFact("/list", "red  SHIRT", None),
        InstanceFact("/list", "Shirt, blue", "/blue"),
        InstanceFact("/list", "Next page", "/2"),
        InstanceFact("/other", "Green", "/green"),
    ]

    scores = score_instances(found, gold, same)

    assert (2, 3, 2) == (scores.records.right, scores.records.found, scores.records.gold)


def test_one_found_record_stands_for_one_gold_record() -> None:
    gold = [InstanceFact("/list", "A", None), InstanceFact("/list", "A", None)]

    assert 1 == score_instances([InstanceFact("/list", "A", None)], gold, same).records.right


def test_records_of_which_gold_is_not_certain_do_not_count() -> None:
    gold = [InstanceFact("p", "A"), InstanceFact("p", "B", is_certain=False), InstanceFact("q", "C", is_certain=False)]

    scores = score_instances([InstanceFact("p", "A"), InstanceFact("p", "B")], gold, same)

    assert (1, 1, 1) == (scores.records.right, scores.records.found, scores.records.gold)


def test_pairs_need_label_and_value_where_the_label_is_printed() -> None:
    gold = [
        InstanceFact(
            "/p",
            "Camera",
            None,
            None,
            (AttributeFact("12 MP", ("Resolution",)), AttributeFact("$99", ()), AttributeFact("300 g", ("Weight",))),
        )
    ]
    found = [
        InstanceFact(
            "/p",
            "Camera",
            None,
            None,
            (
                AttributeFact("12 MP", ("resolution:",)),
                AttributeFact("$99", ("Camera",)),
                AttributeFact("300 g", ("Size",)),
            ),
        )
    ]

    scores = score_instances(found, gold, same)

    assert (1, 2, 2) == (scores.pairs.right, scores.pairs.found, scores.pairs.gold)
    assert (3, 3, 3) == (scores.values.right, scores.values.found, scores.values.gold)


def test_a_page_about_one_thing_needs_no_name() -> None:
    gold = [InstanceFact("/p", None, None, None, (AttributeFact("Drama", ("Genre", "Genres")),), is_complete=False)]
    found = [
        InstanceFact("/p", "x", None, None, (AttributeFact("Drama", ("Genres",)),)),
        InstanceFact("/p", "y", None, None, (AttributeFact("1990", ("Year",)), AttributeFact("Epic", ("Genre",)))),
    ]

    scores = score_instances(found, gold, same)

    assert (0, 0, 0) == (scores.records.right, scores.records.found, scores.records.gold)
    assert (1, 2, 1) == (scores.pairs.right, scores.pairs.found, scores.pairs.gold)
    assert 1 == scores.values.recall


def test_a_page_without_answer_was_missed() -> None:
    gold = [InstanceFact("/p", "A", None, None, (AttributeFact("1", ("x",)),))]

    scores = score_instances([], gold, same)

    assert 0 == scores.records.recall
    assert (0, 0, 1) == (scores.pairs.right, scores.pairs.found, scores.pairs.gold)
