"""Records that a page repeats."""

from sitestrata.instances.listings import find_listings
from sitestrata.instances.places import PagePlaces, read_places
from sitestrata.page import read_page


def _page(body: str) -> PagePlaces:
    return read_places(read_page(f"<html><body>{body}</body></html>".encode(), "http://example.org/"))


def _names(page: PagePlaces, index: int = 0) -> list[str]:
    return [page.texts[record.name] for record in find_listings(page)[index].records]


def test_items_of_a_list_are_records_named_by_their_links() -> None:
    rows = "".join(f"<li><a href='/{n}'>Thing {n}</a> costs <b>{n}.00</b></li>" for n in range(5))

    assert [f"Thing {n}" for n in range(5)] == _names(_page(f"<ul>{rows}</ul>"))


def test_choices_of_a_form_are_no_records() -> None:
    choices = "".join(f"<option value={n}>Country {n}" for n in range(9))

    assert [] == find_listings(_page(f"<form><select>{choices}</select></form>"))


def test_a_term_with_its_description_is_one_record() -> None:
    rows = "".join(f"<dt><b>Person {n}</b> <a href='/{n}'>(home)</a><dd>works on {n}" for n in range(4))

    page = _page(f"<dl>{rows}</dl>")
    records = find_listings(page)[0].records

    assert [f"Person {n}" for n in range(4)] == [page.texts[record.name] for record in records]
    assert [f"works on {n}" for n in range(4)] == [page.texts[record.values[-1][1]] for record in records]


def test_a_link_that_each_record_has_is_a_value_by_itself_and_names_nothing_behind_it() -> None:
    rows = "".join(
        f"<li><a href='/p{n}'>Person {n}</a> <a href='/r{n}'>(Report)</a> works on {n} <a href='/top'>Up</a></li>"
        for n in range(4)
    )

    page = _page(f"<ul>{rows}</ul>")
    values = find_listings(page)[0].records[2].values

    texts = [(None if label is None else page.texts[label], page.texts[value]) for label, value in values]
    assert [("(Report)", "(Report)"), (None, "works on 2")] == texts
    assert "http://example.org/r2" == page.link[values[0][1]]


def test_lines_that_end_with_breaks_are_records() -> None:
    rows = "".join(f"<a href='/{n}'>Course {n}</a> by Teacher {n}<br>" for n in range(4))

    assert [f"Course {n}" for n in range(4)] == _names(_page(f"<p>{rows}</p>"))


def test_a_listing_with_text_is_better_than_a_menu() -> None:
    menu = "<nav><ul>" + "".join(f"<li><a href='/m{n}'>Menu {n}</a></li>" for n in range(9)) + "</ul></nav>"
    rows = "".join(f"<div><h3><a href='/{n}'>Story {n}</a></h3><p>All about story {n}.</p></div>" for n in range(4))

    assert [f"Story {n}" for n in range(4)] == _names(_page(f"{menu}<main>{rows}</main>"))


def test_texts_that_most_records_repeat_are_labels() -> None:
    rows = "".join(f"<li><a href='/{n}'>Thing {n}</a> <i>Price</i> <b>{n}.00</b></li>" for n in range(5))

    page = _page(f"<ul>{rows}</ul>")
    label, value = find_listings(page)[0].records[3].values[-1]

    assert label is not None
    assert ("Price", "3.00") == (page.texts[label], page.texts[value])


def test_a_page_without_repetition_has_no_listing() -> None:
    assert [] == find_listings(_page("<h1>Title</h1><p>Some text.</p>"))


def test_running_text_names_no_record() -> None:
    """Neither a sentence, nor a word set off in it, nor what stands in front of that word."""
    rows = "".join(
        f"<li>The <b>older</b> bridge number {n} was <a href='/{n}'>closed</a> in May.</li>" for n in range(5)
    )

    assert [] == find_listings(_page(f"<ul>{rows}</ul>"))


def test_a_number_or_date_in_front_of_a_link_is_no_running_text() -> None:
    rows = "".join(f"<li>{n}. May 2020: <a href='/{n}'>Talk {n}</a> about things that matter.</li>" for n in range(5))

    assert [f"Talk {n}" for n in range(5)] == _names(_page(f"<ul>{rows}</ul>"))


def test_records_that_lead_somewhere_are_better_than_sections_of_the_page() -> None:
    text = "<p>Some words about it that are no record of anything at all</p>"
    sections = "".join(f"<div><h2>Section {n}</h2>{text}</div>" for n in range(5))
    rows = "".join(f"<div><h3><a href='/{n}'>Story {n}</a></h3><p>All about story {n}</p></div>" for n in range(5))

    assert [f"Story {n}" for n in range(5)] == _names(_page(f"<section>{sections}</section><main>{rows}</main>"))


def test_cells_of_a_grid_are_records_and_its_rows_are_none() -> None:
    cells = [
        f"<li><h3><a href='/{n}'>Striped summer shirt number {n}</a></h3><p>Now {n} for 60</p></li>" for n in range(9)
    ]
    rows = "".join(f"<ul>{''.join(cells[n : n + 3])}</ul>" for n in (0, 3, 6))

    assert [f"Striped summer shirt number {n}" for n in range(9)] == _names(_page(f"<div>{rows}</div>"))


def test_rows_of_a_table_are_records_and_its_cells_are_none() -> None:
    rows = "".join(
        f"<tr><td><a href='/{n}'>Course number {n}</a></td><td>Room {n}</td><td>Teacher {n}</td></tr>" for n in range(5)
    )

    assert [f"Course number {n}" for n in range(5)] == _names(_page(f"<table>{rows}</table>"))
