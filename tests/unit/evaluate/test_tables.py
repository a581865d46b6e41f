"""Tables are compared by page and place."""

from sitestrata.evaluate.facts import TableFact
from sitestrata.evaluate.tables import by_key, everything_is_data, score_tables

GOLD = by_key(
    [
        TableFact("u", 0, True, ("column",), ((0, 0), (0, 1))),
        TableFact("u", 1, True, ("row", "row-column"), ((0, 0), (1, 0))),
        TableFact("u", 2, False),
        TableFact("u", 3, True, ("row",), None),
    ]
)


def test_scores_worked_by_hand() -> None:
    found = by_key(
        [
            TableFact("u", 0, True, ("column",), ((0, 0), (0, 1), (1, 0))),
            TableFact("u", 1, True, ("row-column",), ((0, 0),)),
            TableFact("u", 2, True, ("column",), ()),
            TableFact("u", 9, True, ("column",), ()),
        ]
    )

    scores = score_tables(found, GOLD)

    assert (2, 3, 3) == (scores.detection.right, scores.detection.found, scores.detection.gold)
    assert (2, 3) == (scores.orientation_right, scores.orientation_judged)
    assert 1 == scores.orientation_of_found
    assert (3, 4, 4) == (scores.header_cells.right, scores.header_cells.found, scores.header_cells.gold)
    assert {("column", "column"): 1, ("row", "row"): 1, ("row", "not found"): 1} == scores.confusion
    assert 1 == scores.unlisted


def test_calling_everything_data_has_full_recall() -> None:
    scores = score_tables(everything_is_data(GOLD), GOLD)

    assert (1.0, 0.75) == (scores.detection.recall, scores.detection.precision)
    assert 1 == scores.orientation_right
