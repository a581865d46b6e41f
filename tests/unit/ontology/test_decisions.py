"""Rejected concepts and labels are left out, and nothing else."""

import pyarrow as pa

from sitestrata.model import Concept, ConceptLabel, Decision, Instance, IsA, table_from_records
from sitestrata.ontology.decisions import apply_concept_decisions


def tables() -> dict[str, pa.Table]:
    concepts = [Concept(n, 1, name, "en", 2, (1, 2), (), True, 0.9) for n, name in ((1, "Sports"), (-2, "Rugby"))]
    labels = [
        ConceptLabel(1, "Sports", "en", 2, "first", None, 1.0),
        ConceptLabel(1, "Weather", "en", 2, "place", "Sports", 0.4),
        ConceptLabel(-2, "Rugby", "en", 2, "first", None, 1.0),
    ]
    return {
        "concepts": table_from_records("concepts", concepts),
        "labels": table_from_records("labels", labels),
        "is_a": table_from_records("is_a", [IsA(1, -2, 1, 2, 0.8, 0, False, ("tree",), ())]),
        "instances": table_from_records(
            "instances", [Instance(7, 8, 1, -2, "A match", None, "listing", None, 3, 8, 0.7)]
        ),
        "attributes": pa.table({}),
    }


def test_a_rejected_concept_goes_with_its_labels_and_ties_and_its_instances_stay() -> None:
    made = apply_concept_decisions(tables(), [Decision("reject-concept", " rugby ")])

    assert ["Sports"] == made["concepts"]["label"].to_pylist()
    assert ["Sports", "Weather"] == made["labels"]["label"].to_pylist()
    assert 0 == made["is_a"].num_rows
    assert [("A match", None)] == [(row["name"], row["concept"]) for row in made["instances"].to_pylist()]
    assert {name: table.schema for name, table in tables().items()} == {n: table.schema for n, table in made.items()}


def test_a_rejected_label_goes_but_not_the_one_that_the_concept_goes_by() -> None:
    made = apply_concept_decisions(
        tables(), [Decision("reject-label", "Sports", "weather"), Decision("reject-label", "Rugby", "Sports")]
    )

    assert ["Sports", "Rugby"] == made["labels"]["label"].to_pylist()


def test_two_labels_stay_apart_whichever_of_them_the_concept_goes_by() -> None:
    made = apply_concept_decisions(tables(), [Decision("reject-label", "Weather", "Sports")])

    assert ["Sports", "Rugby"] == made["labels"]["label"].to_pylist()


def test_decisions_about_what_is_not_there_change_nothing() -> None:
    made = apply_concept_decisions(
        tables(),
        [Decision("reject-concept", "1"), Decision("reject-concept", "..."), Decision("reject-label", "9", "y")],
    )

    assert all(table.equals(made[name]) for name, table in tables().items())
