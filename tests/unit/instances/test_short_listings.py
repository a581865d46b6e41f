"""One or two records on a page, told by the listings of other pages of the site."""

from sitestrata.instances.listings import find_listings
from sitestrata.instances.places import PagePlaces, read_places
from sitestrata.instances.short_listings import ListingForm, find_short_listings, listing_forms
from sitestrata.page import read_page


def _page(*numbers: int, around: str = "<div class=shelf>{}</div>") -> PagePlaces:
    cards = "".join(
        f"<div class=card><h3><a href='/{n}'>Thing {n}</a></h3><span>Price</span><b>{n}.00</b></div>" for n in numbers
    )
    body = f"<html><body><h1>Things</h1>{around.format(cards)}<p>Foot of the page</p></body></html>"
    return read_places(read_page(body.encode(), "http://example.org/"))


def _forms(page: PagePlaces) -> dict[str, ListingForm]:
    return listing_forms((page, listing) for listing in find_listings(page))


def test_two_records_are_told_by_the_form_of_many() -> None:
    page = _page(8, 9)

    found = find_short_listings(page, _forms(_page(*range(5))))

    assert [] == find_listings(page)
    assert [["Thing 8", "Thing 9"]] == [[page.texts[one.name] for one in listing.records] for listing in found]


def test_a_label_that_many_records_repeat_is_one_where_a_single_record_has_it() -> None:
    page = _page(8)

    record = find_short_listings(page, _forms(_page(*range(5))))[0].records[0]

    assert [("Price", "8.00")] == [(page.texts[label], page.texts[value]) for label, value in record.values if label]


def test_what_stands_elsewhere_on_the_page_is_no_listing() -> None:
    aside = _page(8, around="<table><tr><td>{}</td></tr></table>")

    assert [] == find_short_listings(aside, _forms(_page(*range(5))))
    assert [] == find_short_listings(_page(8), {})
