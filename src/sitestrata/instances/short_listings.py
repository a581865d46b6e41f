"""Listings that are too short to be told by themselves -> listings, by the form of longer ones on pages of the site.

One or two records on a page repeat nothing. But a site shows all its listings alike: where another page of it holds
many records, this one holds one or two, cut where the same tag begins and called by what stands at the same place.

Paper: OntoMiner 6.2

Difference from the paper: its templates are of the pages behind a listing; these are of the listing itself.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from sitestrata.instances.listings import MIN_RECORDS, Listing, Record, cut_children, cut_records
from sitestrata.instances.places import PagePlaces, element_place

__all__ = ["ListingForm", "find_short_listings", "listing_forms"]


@dataclass(frozen=True, slots=True)
class ListingForm:
    """How a site shows its listings."""

    place: str  # of the element around the records
    tag: str  # that begins a record
    names: frozenset[int]  # places of the names
    labels: frozenset[str]  # texts that the records repeat


def listing_forms(found: Iterable[tuple[PagePlaces, Listing]]) -> dict[str, ListingForm]:
    """Return the forms of some listings of one site by the places of their elements."""
    forms: dict[str, ListingForm] = {}
    for page, listing in found:
        tags = Counter(_tag_of(page, listing.node, record.first) for record in listing.records)
        tag, times = tags.most_common(1)[0]
        leading = sum(page.link[record.name] is not None for record in listing.records)
        if not tag or 2 * min(times, leading) <= len(listing.records):
            continue  # parted by line breaks, rows of a grid; sections of the page itself
        place = element_place(page.dom, listing.node)
        names = frozenset(int(page.place[record.name]) for record in listing.records)
        labels = frozenset(
            page.texts[label] for record in listing.records for label, _ in record.values if label is not None
        )
        before = forms.get(place)
        if before is not None and before.tag == tag:
            names, labels = names | before.names, labels | before.labels
        if before is None or before.tag == tag:
            forms[place] = ListingForm(place, tag, names, labels)
    return forms


def find_short_listings(page: PagePlaces, forms: Mapping[str, ListingForm]) -> list[Listing]:
    """Return the listings of a page that have a known form, in the order of the page."""
    names = {place for form in forms.values() for place in form.names}
    written: dict[int, str] = {}  # element -> place
    around: dict[int, ListingForm] = {}
    for leaf in np.flatnonzero(np.isin(page.place, list(names))).tolist():
        at = int(page.dom.parent[int(page.node[leaf])])
        while at >= 0 and at not in around:
            if at not in written:
                written[at] = element_place(page.dom, at)
            form = forms.get(written[at])
            if form is not None and int(page.place[leaf]) in form.names:
                around[at] = form
                break
            at = int(page.dom.parent[at])
    found = []
    for node, form in sorted(around.items()):
        cuts = cut_children(page, node, form.tag)
        if len(cuts) >= MIN_RECORDS:
            continue  # such a listing is told by itself
        records = cut_records(page, cuts, labels=form.labels)
        if len(records) == len(cuts) and all(_has_form(page, record, form) for record in records):
            found.append(Listing(node, 0.0, tuple(records), None))
    return found


def _has_form(page: PagePlaces, record: Record, form: ListingForm) -> bool:
    return int(page.place[record.name]) in form.names and page.link[record.name] is not None


def _tag_of(page: PagePlaces, node: int, leaf: int) -> str:
    """Return the tag of the child of an element that holds a leaf; "" if that is the text itself or elsewhere."""
    at = int(page.node[leaf])
    while at >= 0 and int(page.dom.parent[at]) != node:
        at = int(page.dom.parent[at])
    return "" if at < 0 or page.dom.is_text(at) else page.dom.tag_name(at)
