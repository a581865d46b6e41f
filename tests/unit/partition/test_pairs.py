"""Label-value pairs of a page, and what they are said of."""

from sitestrata.page import read_page
from sitestrata.partition.pairs import LabelValue, find_pairs

URL = "https://example.org/film/run"
REST = "<h2>Plot</h2>" + "<p>They run, one after the other.</p>" * 6  # one heading over most of a page is its title


def pairs(html: str) -> list[LabelValue]:
    return list(find_pairs(read_page(f"<!doctype html><body>{html}".encode(), URL)))


def said(html: str) -> list[tuple[str, str, str | None]]:
    return [(pair.label, pair.value, pair.subject) for pair in pairs(html)]


def test_terms_have_their_descriptions_under_the_section() -> None:
    found = pairs("<h2>Credits</h2><dl><dt>Director<dd>Ann Lee<dt>Length<dd>117 min</dl>" + REST)[:2]
    assert [
        LabelValue(("Credits",), "Director", "Ann Lee", None),
        LabelValue(("Credits",), "Length", "117 min", None),
    ] == found


def test_a_value_that_stands_over_something_is_a_value_still() -> None:
    html = "<h2>Cast</h2><ul><li><a href='/actor/1'>Ann Lee</a><div>the captain</div>"
    html += "<li><a href='/actor/2'>Bob Ray</a><div>the mate</div></ul>"
    assert ("Cast", "Ann Lee", None) in said(html + REST)


def test_what_stands_under_a_link_to_a_page_of_the_same_kind_is_said_of_that() -> None:
    films = "".join(f"<div><h3><a href='/film/{name}'>{name}</a></h3><p>Score: <i>7</i></div>" for name in ("A1", "B2"))
    assert [("Score:", "7", "A1"), ("Score:", "7", "B2")] == said(f"<h2>More</h2>{films}")


def test_a_link_to_another_kind_of_page_or_to_a_part_of_this_one_is_no_other_thing() -> None:
    for target in ("/press/tribune", "/film/run/reviews", "/film/run#reviews", "https://example.net/film/x"):
        assert [("By:", "Ann", None)] == said(f"<div><h3><a href='{target}'>Tribune</a></h3><p>By: <i>Ann</i></div>")


def test_rows_of_a_table_with_several_records_are_said_of_these() -> None:
    table = "<table><tr><th>Season<th>Points<th>Games<tr><td>2010<td>7<td>3<tr><td>2011<td>9<td>5</table>"
    assert {pair.subject for pair in pairs(table)} == {""}
    one = "<table><tr><th>Points<th>Games<tr><td>7<td>3</table>"
    assert [("Points", "7", None), ("Games", "3", None)] == said(one)


def test_labels_beside_values_are_said_of_the_page() -> None:
    table = "<table><tr><th>Height<td>180 cm<tr><th>Weight<td>75 kg</table>"
    assert [("Height", "180 cm", None), ("Weight", "75 kg", None)] == said(table)


def test_labels_and_values_in_turn_are_pairs() -> None:
    table = "<table><tr><td>Name:<td>Ann<td>Born:<td>1981<tr><td>Phone:<td>12 34<td>City:<td>Oslo</table>"
    assert [
        ("Name:", "Ann", None),
        ("Born:", "1981", None),
        ("Phone:", "12 34", None),
        ("City:", "Oslo", None),
    ] == said(table)


def test_a_page_without_labels_has_no_pairs() -> None:
    assert [] == pairs("")
    assert [] == pairs("<p>Only some words.")
