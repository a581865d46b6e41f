"""Which pages are records, and what is the frame of a site."""

from sitestrata.instances.detail import learn_template
from sitestrata.instances.listings import find_listings
from sitestrata.instances.places import PagePlaces, read_places
from sitestrata.model import Attribute, Instance
from sitestrata.ontology.concept_pages import site_frames
from sitestrata.ontology.records import Extracted, add_details, leading_listings, record_pages
from sitestrata.page import read_page


def _listing(*urls: str) -> Extracted:
    """Return a listing that says something about each of some addresses."""
    instances = tuple(
        Instance(1, number, 1, None, url, url, "listing", 1, 0, number, 1.0) for number, url in enumerate(urls)
    )
    attributes = tuple(
        Attribute(1, one.instance, 0, "Price", "1", "text", None, None, None, "p", 0) for one in instances
    )
    return Extracted(instances, attributes)


def test_what_another_page_lists_is_a_record_with_its_related_ones() -> None:
    shelf = [f"/item{n}" for n in range(5)]
    pages = {"/shelf": _listing(*shelf), **{url: _listing(*shelf[:3]) for url in shelf}}

    assert set(shelf) == record_pages(pages)


def test_a_section_that_another_page_lists_is_no_record() -> None:
    shelves = {f"/shelf{n}": _listing(*(f"/item{n}{m}" for m in range(4))) for n in range(3)}

    assert set() == record_pages({"/all": _listing(*shelves), **shelves})


def _page(body: str, name: str = "") -> PagePlaces:
    html = f"<html><title>{name} | Shop</title><body>{body}</body></html>"
    return read_places(read_page(html.encode(), f"http://example.org/{name}"))


def test_texts_without_a_link_that_several_pages_print_are_of_the_frame() -> None:
    pages = [_page(f"<p>Price</p><p>{n}</p><a href=/a>Lamp</a>") for n in range(3)]
    pages += [_page(f"<p>Nothing {n}</p>") for n in range(9)]

    assert frozenset({"price"}) == site_frames([], [(1, page) for page in pages])[1]


def test_names_that_lead_nowhere_are_sections_of_a_page() -> None:
    page = _page(
        "".join(f"<h2>Part {n}</h2><p>Text of some length about part {n}</p>" for n in range(4))
        + "<ul>" + "".join(f"<li><a href='/{n}'>Thing {n}</a> costs {n}.00</li>" for n in range(4)) + "</ul>"
    )  # fmt: skip
    found = find_listings(page)

    assert 2 == len(found)
    assert ["Thing 0"] == [page.texts[region.records[0].name] for region in leading_listings(page, found)]


def test_a_record_that_its_page_does_not_name_is_called_by_its_title_without_the_name_of_the_site() -> None:
    pages = [_page(f"<p>Weight: <b>{n}7 kg</b></p>", name) for n, name in enumerate(("lamp", "table", "chair"))]
    names = {pages[0].url_id: "Lamp", pages[1].url_id: "Read more"}

    found = add_details(pages, domain=1, concept_of={}, template=learn_template(pages), number=None, name_of=names)

    assert ["Lamp", "table | Shop", "chair | Shop"] == [one.name for one in found.instances]
