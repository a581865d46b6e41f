"""docs/results.md says what the records say."""

from results import PAGE, RECORDS, render


def test_the_page_of_results_is_up_to_date() -> None:
    """If not: python bench/results.py"""
    assert render(RECORDS) == PAGE.read_text(encoding="utf-8")
