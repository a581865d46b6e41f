"""Listings -> the pages behind them, and what these pages say about each record.

Three pages behind one listing are enough to learn what differs between them. A listing of one or two records borrows
what was learned behind the longest one of its form on the same site (`sitestrata.instances.short_listings`).
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from sitestrata.instances.detail import DetailTemplate, learn_template
from sitestrata.instances.listings import Listing
from sitestrata.instances.places import PagePlaces, element_place
from sitestrata.model import Instance
from sitestrata.ontology.records import Extracted, add_details, region_id, template_rows

__all__ = ["Behind", "Form", "listing_forms_of", "pages_behind", "read_details", "with_partners"]

MIN_DETAIL_PAGES = 3  # to learn a template from
Form = tuple[int, str]  # site, and the place of a listing on its pages


@dataclass(slots=True)
class Behind:
    """Pages behind one listing."""

    concept: int | None
    urls: list[str] = field(default_factory=list)
    groups: list[list[str]] = field(default_factory=list)  # in the paper's profile: the groups of the concept page
    form: Form | None = None
    names: dict[str, str] = field(default_factory=dict)  # by address, what the listing calls them


def pages_behind(
    found: Extracted, *, is_wanted: Callable[[str], bool], most: int, forms: Mapping[int | None, Form] | None = None
) -> Iterator[Behind]:
    """Yield the pages behind each listing of a page, as far as they are wanted; ``forms`` are by listing."""
    regions: dict[int | None, list[Instance]] = defaultdict(list)
    for instance in found.instances:
        regions[instance.template].append(instance)
    for region, some in regions.items():
        urls = [url for url in dict.fromkeys(one.url for one in some) if url and is_wanted(url)][:most]
        if urls:
            names = {one.url: one.name for one in reversed(some) if one.url}
            yield Behind(some[0].concept, urls, form=(forms or {}).get(region), names=names)


def listing_forms_of(page: PagePlaces, site: int, regions: Sequence[Listing]) -> dict[int | None, Form]:
    """Return the form of each listing of a page, by its number."""
    return {region_id(page, region): (site, element_place(page.dom, region.node)) for region in regions}


def with_partners(found: Sequence[Behind]) -> list[Behind]:
    """Leave out listings that are too short to learn from where no longer one has their form."""
    forms = {one.form for one in found if len(one.urls) >= MIN_DETAIL_PAGES} - {None}
    return [one for one in found if one.groups or len(one.urls) >= MIN_DETAIL_PAGES or one.form in forms]


def read_details(
    found: Sequence[Behind], pages: Mapping[str, PagePlaces], *, domain: int
) -> Iterator[tuple[Extracted, list[PagePlaces]]]:
    """Yield the records of the pages behind listings, with these pages; each page is read once, long listings first."""
    learned: dict[Form | None, tuple[int, DetailTemplate, int | None]] = {}  # of the longest: pages, template, number
    done: set[str] = set()
    for one in sorted(found, key=lambda one: len(one.urls) < MIN_DETAIL_PAGES):
        fresh = [url for url in one.urls if url not in done and url in pages]
        some = [pages[url] for url in fresh]
        done |= set(one.urls)
        concepts = {page.url_id: one.concept for page in some}
        names = {pages[url].url_id: one.names[url] for url in fresh if url in one.names}
        details = partial(add_details, some, domain=domain, concept_of=concepts, name_of=names)
        if len(some) >= MIN_DETAIL_PAGES:
            template = learn_template(some)
            rows = template_rows(template)
            number = rows[0].template if rows else None
            extracted = details(template=template, number=number)
            if one.form not in learned or len(some) > learned[one.form][0]:
                learned[one.form] = len(some), template, number
            yield replace(extracted, templates=rows), some
        elif some and one.form is not None and one.form in learned:
            _, template, number = learned[one.form]
            yield details(template=template, number=number), some
