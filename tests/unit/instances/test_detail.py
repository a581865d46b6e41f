"""What differs between pages of one kind."""

from sitestrata.instances.detail import label_places, learn_template, read_record
from sitestrata.instances.places import PagePlaces, read_places
from sitestrata.page import read_page

CITIES = ["Rome", "Oslo", "Lima", "Cairo", "Quito", "Delhi"]


def _hotel(number: int, *, extra: str = "") -> PagePlaces:
    city = CITIES[number % len(CITIES)]
    body = f"""<html><head><title>Hotel {number} - Stay</title></head><body>
      <div class="top"><a href="/">Home</a> <a href="/all">All hotels</a></div>
      <h1>Hotel {number}</h1>
      <table><tr><td>City</td><td>{city}</td></tr><tr><td>Price</td><td>{number}0 EUR</td></tr>{extra}</table>
      <p>Contact us</p></body></html>"""
    return read_places(read_page(body.encode(), f"http://example.org/{number}"))


def _pairs(page: PagePlaces, pages: list[PagePlaces]) -> set[tuple[str | None, str]]:
    _, values = read_record(page, learn_template(pages), least=0.0)
    return {(None if v.label is None else page.texts[v.label], v.text(page)) for v in values}


PAGES = [_hotel(n) for n in range(6)]


def test_values_stand_under_the_labels_in_front_of_them() -> None:
    assert {("City", "Lima"), ("Price", "20 EUR")} <= _pairs(PAGES[2], PAGES)


def test_what_all_pages_repeat_is_no_value() -> None:
    assert not {"Home", "All hotels", "Contact us", "City"} & {value for _, value in _pairs(PAGES[0], PAGES)}


def test_the_name_is_the_text_that_the_title_repeats() -> None:
    name, _ = read_record(PAGES[1], learn_template(PAGES))

    assert name is not None
    assert "Hotel 1" == PAGES[1].texts[name]


def test_a_template_reads_pages_seen_later_also_with_labels_it_never_saw() -> None:
    later = _hotel(7, extra="<tr><td>Stars</td><td>5</td></tr>")
    template = learn_template(PAGES)

    _, values = read_record(later, template, least=0.0)

    pairs = {(later.texts[v.label], later.texts[v.value]) for v in values if v.label is not None}
    assert {("City", "Oslo"), ("Price", "70 EUR"), ("Stars", "5")} <= pairs


def test_values_that_several_pages_share_are_still_values() -> None:
    """The place tells, not the text: a column of values stays one if two hotels are in one city."""
    pages = [_hotel(n) for n in (0, 6, 1, 7, 2, 8)]

    assert ("City", "Rome") in _pairs(pages[0], pages)


def _player(number: int) -> PagePlaces:
    heads = ("PPG", "APG", "RPG") if number % 2 else ("PPG", "SPG", "BPG")
    row = "".join(f"<td>{number + n}.{n}</td>" for n in range(3))
    body = f"""<title>Player {number}</title><h1>Player {number}</h1>
      <table><tr>{"".join(f"<th>{head}</th>" for head in heads)}</tr><tr>{row}</tr></table>
      <p><b>Score</b> <span><span>{number}</span> <span>out of 10</span></span></p>"""
    return read_places(read_page(body.encode(), f"http://example.org/{number}"))


def test_values_stand_under_the_headers_of_their_columns_also_where_these_vary() -> None:
    pages = [_player(number) for number in range(1, 7)]

    assert {("PPG", "1.0"), ("APG", "2.1"), ("RPG", "3.2")} <= _pairs(pages[0], pages)
    assert {("SPG", "3.1"), ("BPG", "4.2")} <= _pairs(pages[1], pages)
    assert "APG" not in {value for _, value in _pairs(pages[0], pages)}


def test_a_number_and_what_it_counts_are_one_value() -> None:
    pages = [_player(number) for number in range(1, 7)]

    assert ("Score", "4 out of 10") in _pairs(pages[3], pages)


def test_one_page_alone_has_no_labels() -> None:
    assert frozenset() == label_places(PAGES[:1])


def test_links_to_other_records_and_texts_of_most_pages_are_no_values_without_a_label() -> None:
    def page(number: int) -> PagePlaces:
        others = "".join(f"<li><a href='/hotel/{other}'>House {other}</a>" for other in (number + 1, number + 2, 9))
        rating = "Rated by guests" if number % 4 else "Not rated"
        body = f"""<title>Hotel {number} - Stay</title><h1>Hotel {number}</h1>
          <div><p>City</p><b>{CITIES[number]}</b></div><em>{rating}</em><ul>{others}</ul>"""
        return read_places(read_page(body.encode(), f"http://example.org/hotel/{number}"))

    pages = [page(number) for number in range(6)]
    _, values = read_record(pages[1], learn_template(pages))

    texts = {value.text(pages[1]) for value in values}
    assert "Oslo" in texts
    assert not {"Rated by guests", "House 2", "House 3"} & texts
