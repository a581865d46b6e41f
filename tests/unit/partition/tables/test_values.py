"""Texts of cells are read as values, in any script and locale."""

import pytest

from sitestrata.partition.tables import Value, read_value


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("12", 12.0),
        ("1,234", 1234.0),
        ("1,234,567.5", 1234567.5),
        ("1.234.567,5", 1234567.5),
        ("1 234", 1234.0),
        ("1'234.50", 1234.5),
        ("(1,200)", -1200.0),
        ("−3,5", -3.5),
        ("٣٤٥", 345.0),
        (".5", 0.5),
    ],
)
def test_numbers_are_read_whatever_their_separators(text: str, number: float) -> None:
    assert Value("number", number) == read_value(text)


@pytest.mark.parametrize(
    ("text", "number", "unit"),
    [("$5.99", 5.99, "$"), ("1.234,50 €", 1234.5, "€"), ("US$ 3,000", 3000.0, "US$"), ("12 CHF", 12.0, "CHF")],
)
def test_amounts_are_known_by_sign_or_code(text: str, number: float, unit: str) -> None:
    assert Value("currency", number, unit) == read_value(text)


@pytest.mark.parametrize(("text", "unit"), [("5 km", "km"), ("12 km/h", "km/h"), ("37 °C", "°C"), ("3 Äpfel", "Äpfel")])
def test_a_word_behind_a_number_is_its_unit(text: str, unit: str) -> None:
    assert ("quantity", unit) == (read_value(text).kind, read_value(text).unit)


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("2004-11-02", "2004-11-02"),
        ("2.11.2004", "2004-11-02"),
        ("13/2/04", "2004-02-13"),
        ("2/3/2004", "2004"),
        ("Nov 2, 2004", "2004-11-02"),
        ("2. November 2004", "2004-11-02"),
        ("Monday, 12 mars 2004", "2004-03-12"),
        ("2 ноября 2004", "2004-11-02"),
        ("2004年11月2日", "2004-11-02"),
        ("12 Xyzzyber 2004", "2004"),
    ],
)
def test_dates_are_known_by_their_shape(text: str, date: str) -> None:
    assert Value("date", date=date) == read_value(text)


@pytest.mark.parametrize("text", ["", " ", "-", "—", "..."])
def test_what_stands_for_nothing_is_empty(text: str) -> None:
    assert Value("empty") == read_value(text)


@pytest.mark.parametrize(
    "text", ["Model 12", "n/a", "$$", "4.5 out of 5", "12.5.1", "2010-11 Season", "1999–2000 Saison", "x" * 100_000]
)
def test_everything_else_is_text(text: str) -> None:
    assert Value("text") == read_value(text)


def test_a_range_is_numeric_but_no_number() -> None:
    assert Value("number", None) == read_value("1990–1995")
