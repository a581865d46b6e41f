"""Listings and record pages -> instances with typed attributes."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from sitestrata.instances.detail import DetailTemplate, read_record
from sitestrata.instances.listings import MIN_RECORDS, Listing, find_listings
from sitestrata.instances.places import PagePlaces, element_place
from sitestrata.instances.short_listings import find_short_listings, listing_forms
from sitestrata.model import Attribute, Instance, TemplateSlot
from sitestrata.partition.tables import read_value
from sitestrata.taxonomy.words import fold, readable
from sitestrata.urls import url_id

__all__ = [
    "Extracted",
    "add_details",
    "attribute_rows",
    "identity_of",
    "join_extracted",
    "leading_listings",
    "listed_concepts",
    "listing_instances",
    "mark_same",
    "page_listings",
    "record_pages",
    "region_id",
    "site_listings",
    "template_rows",
]

KEPT_REGIONS = 0.5  # of the best region's score: what a region needs to be kept beside it
MAX_REGIONS = 12
CHROME_SHARE = 0.5  # of a region's names: so many that the home page prints too make it part of the site's frame
MAX_NAME = 200  # characters
LISTING_CONFIDENCE, DETAIL_CONFIDENCE = 0.8, 0.7


@dataclass(frozen=True, slots=True)
class Extracted:
    """Instances with their attributes, and the templates they came by."""

    instances: tuple[Instance, ...] = ()
    attributes: tuple[Attribute, ...] = ()
    templates: tuple[TemplateSlot, ...] = ()


def join_extracted(found: Iterable[Extracted]) -> Extracted:
    """Return what several pages or domains brought, in order."""
    parts = list(found)
    return Extracted(
        tuple(chain.from_iterable(part.instances for part in parts)),
        tuple(chain.from_iterable(part.attributes for part in parts)),
        tuple(chain.from_iterable(part.templates for part in parts)),
    )


def site_listings(pages: Sequence[tuple[int, PagePlaces]], frames: Mapping[int, frozenset[str]]) -> list[list[Listing]]:
    """Return what each of some pages (with their sites) lists, short listings by the form of longer ones of the site.

    ``frames`` are the folded labels of the sites' frames: a region that repeats them is navigation.
    """

    def listings(page: PagePlaces, chrome: frozenset[str]) -> list[Listing]:
        return page_listings(page, is_frame=lambda region: _is_chrome(page, region, chrome))

    found = [listings(page, frames.get(site, frozenset())) for site, page in pages]
    best: dict[int, list[tuple[PagePlaces, Listing]]] = defaultdict(list)
    for (site, page), regions in zip(pages, found, strict=True):
        best[site] += [(page, region) for region in regions[:1]]
    forms = {site: listing_forms(some) for site, some in best.items()}
    for (site, page), regions in zip(pages, found, strict=True):
        own = {element_place(page.dom, region.node) for region in regions}
        others = {place: form for place, form in forms[site].items() if place not in own}
        short = find_short_listings(page, others) if others else []
        regions += [region for region in short if not _is_chrome(page, region, frames.get(site, frozenset()))]
    return found


def leading_listings(page: PagePlaces, regions: Sequence[Listing]) -> list[Listing]:
    """Leave out regions whose names mostly lead nowhere: on a page that is about no concept, these are its sections."""
    return [
        region
        for region in regions
        if 2 * sum(page.link[record.name] is not None for record in region.records) > len(region.records)
    ]


def page_listings(page: PagePlaces, *, is_frame: Callable[[Listing], bool]) -> list[Listing]:
    """Return the best region of records that is no part of the site's frame, and others that are nearly as good.

    Others of its kind are kept too: a list a term, a list a letter.
    """
    regions = [region for region in find_listings(page) if not is_frame(region)]
    kinds = [element_place(page.dom, region.node) for region in regions]
    return [
        region
        for region, kind in list(zip(regions, kinds, strict=True))[:MAX_REGIONS]
        if region.score >= KEPT_REGIONS * regions[0].score or kind == kinds[0]
    ]


def _is_chrome(page: PagePlaces, region: Listing, chrome: frozenset[str]) -> bool:
    known = sum(fold(page.texts[record.name]) in chrome for record in region.records)
    return known > CHROME_SHARE * len(region.records)


def region_id(page: PagePlaces, region: Listing) -> int:
    """Return the number of a region of a page."""
    return url_id(f"region {page.url} {region.node}")


def listing_instances(page: PagePlaces, region: Listing, *, domain: int | None, concept: int | None) -> Extracted:
    """Return the records of one region."""
    instances, attributes = [], []
    for record in region.records:
        number = url_id(f"instance {page.url} {record.first} {record.end}")
        url = page.link[record.name] or next(
            (page.link[leaf] for leaf in range(record.first, record.end) if page.link[leaf]), None
        )
        instances.append(
            Instance(
                page=page.url_id,
                instance=number,
                domain=domain,
                concept=concept,
                name=_name(page.texts[record.name]),
                url=url,
                kind="listing",
                template=region_id(page, region),
                node=int(page.node[record.name]),
                same_as=number,
                confidence=LISTING_CONFIDENCE,
            )
        )
        attributes += attribute_rows(page, number, [(label, leaf, leaf) for label, leaf in record.values])
    return Extracted(tuple(instances), tuple(attributes))


def record_pages(listed: Mapping[str, Extracted]) -> set[str]:
    """Return which of some pages, by address and with what they list, are pages of records.

    Another page lists them and says something about them; of others it may be the menu. A section of the site is listed
    too. What a record lists besides (related ones) is listed there as well, what a section lists is mostly not.
    """
    told = {url: _told(found) - {url} for url, found in listed.items()}
    beside: dict[str, set[str]] = defaultdict(set)  # what stands in the same listings
    for url, found in listed.items():
        addresses = {one.url for one in found.instances if one.url}
        for other in told[url] & told.keys():
            beside[other] |= addresses
    return {
        url
        for url, others in beside.items()
        if len(told[url] - others) < max(MIN_RECORDS, len(listed[url].instances) / 2)
    }


def _told(found: Extracted) -> set[str]:
    """Return the addresses of instances of which something is said."""
    told = {attribute.instance for attribute in found.attributes}
    return {one.url for one in found.instances if one.url and one.instance in told}


def listed_concepts(instances: Iterable[Instance], site_of: Mapping[int, int], *, support: int) -> set[int]:
    """Return the concepts of which enough sites list instances; ``site_of`` is by page."""
    sites: dict[int, set[int]] = defaultdict(set)
    for instance in instances:
        if instance.concept is not None:
            sites[instance.concept].add(site_of[instance.page])
    return {concept for concept, some in sites.items() if len(some) >= support}


def _name(text: str) -> str:
    return readable(text)[:MAX_NAME].rstrip(" :") or "?"


def attribute_rows(page: PagePlaces, number: int, values: Sequence[tuple[int | None, int, int]]) -> list[Attribute]:
    """Return the attributes of an instance: leaves that are labels with the first and last leaves of their values.

    A leaf that is both says where something is: its address is the value.
    """
    rows = []
    for ordinal, (label, leaf, last) in enumerate(values):
        text = readable((page.link[leaf] or "") if label == leaf else " ".join(page.texts[leaf : last + 1]))
        value = read_value(text)
        rows.append(
            Attribute(
                page=page.url_id,
                instance=number,
                ordinal=ordinal,
                label=None if label is None else readable(page.texts[label]).strip(" :()[]") or None,
                value=text,
                kind=value.kind,
                number=value.number,
                unit=value.unit,
                url=page.link[leaf],
                path=page.paths[int(page.place[leaf])],
                node=int(page.node[leaf]),
            )
        )
    return rows


def add_details(
    pages: Sequence[PagePlaces],
    *,
    domain: int | None,
    concept_of: Mapping[int, int | None],
    template: DetailTemplate,
    number: int | None,
    name_of: Mapping[int, str] | None = None,
) -> Extracted:
    """Return the records of pages of one kind, one a page, by their template, whose number is ``number``.

    A page on which nothing names the record has its title for a name, or what of it names the record in a listing
    (``name_of``): the rest names the site.
    """
    instances, attributes = [], []
    for page in pages:
        name, values = read_record(page, template)
        if not values:
            continue
        instance = url_id(f"instance {page.url}")
        listed = (name_of or {}).get(page.url_id, "")
        title = listed if fold(listed) and fold(listed) in fold(page.title) else page.title
        text = page.texts[name] if name is not None else title
        instances.append(
            Instance(
                page=page.url_id,
                instance=instance,
                domain=domain,
                concept=concept_of.get(page.url_id),
                name=_name(text),
                url=page.url,
                kind="detail",
                template=number,
                node=0 if name is None else int(page.node[name]),
                same_as=instance,
                confidence=DETAIL_CONFIDENCE,
            )
        )
        attributes += attribute_rows(page, instance, [(found.label, found.value, found.last) for found in values])
    return Extracted(tuple(instances), tuple(attributes))


def template_rows(template: DetailTemplate) -> tuple[TemplateSlot, ...]:
    """Return a template as rows: where labels stand, where values stand, and where the record's name does."""
    rows: list[tuple[str, str | None, str, int]] = []
    for place in sorted(template.label_places):
        rows.append((template.paths[place], None, "label", 0))
    if template.name_place is not None:
        rows.append((template.paths[template.name_place], None, "name", 0))
    for key in sorted(template.slots, key=lambda key: (template.slots[key].path, key[1])):
        slot = template.slots[key]
        rows.append((slot.path, slot.label or None, f"value {slot.chance:.3f}", slot.pages))
    number = url_id("template " + "\n".join(f"{path}\t{label}\t{kind}" for path, label, kind, _ in rows))
    return tuple(TemplateSlot(number, index, *row) for index, row in enumerate(rows))


def mark_same(instances: Sequence[Instance]) -> tuple[Instance, ...]:
    """Mark instances that are one thing: the same address, or the same name under the same concept and site's page.

    An instance found on several pages of a listing, or on a listing and on its own page, points to the first by id.
    """
    by_key: dict[str, list[int]] = defaultdict(list)
    for instance in instances:
        by_key[identity_of(instance)].append(instance.instance)
    first = {key: min(numbers) for key, numbers in by_key.items()}
    return tuple(replace(instance, same_as=first[identity_of(instance)]) for instance in instances)


def identity_of(instance: Instance) -> str:
    """Return what an instance is known by: two of the same are one thing."""
    return f"url {instance.url}" if instance.url else f"name {instance.concept} {instance.page} {fold(instance.name)}"
