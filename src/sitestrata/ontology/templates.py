"""Templates of record pages as a file, and records of pages seen later by such a file.

A template is learned from some pages of one kind. Its places are written as DOM paths, so that it finds the same places
on a page of that kind seen tomorrow. A page is read by the template of which it has most places, if it has enough.

Paper: OntoMiner 6.2
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sitestrata.errors import UsageError
from sitestrata.instances.detail import DetailTemplate, Slot
from sitestrata.instances.places import PagePlaces, read_places
from sitestrata.model import Concept, TemplateSlot, Want
from sitestrata.ontology.expand import Ontology, Seen
from sitestrata.ontology.records import add_details, join_extracted
from sitestrata.taxonomy.mine import Taxonomy, concept_id
from sitestrata.urls import url_id

__all__ = ["KnownTemplate", "TemplateReading", "read_templates", "template_from_rows", "write_templates"]

FORMAT = "sitestrata-templates"
VERSION = 1
MIN_FIT = 0.5  # of a template's places: the share that a page needs to be of its kind


@dataclass(frozen=True, slots=True)
class KnownTemplate:
    """A template, and what its pages are about."""

    number: int
    concept: str | None  # label
    template: DetailTemplate

    def fit(self, page: PagePlaces) -> float:
        """Return the share of the template's usual places that a page has."""
        usual = {slot.place for slot in self.template.slots.values()} | self.template.label_places
        return len(usual & set(page.place.tolist())) / len(usual) if usual else 0.0


def template_from_rows(rows: Sequence[TemplateSlot]) -> DetailTemplate:
    """Return the template that some rows describe."""
    labels, slots, name, paths = set(), {}, None, {}
    for row in rows:
        place = url_id(row.path)
        paths[place] = row.path
        kind, _, chance = row.kind.partition(" ")
        if kind == "label":
            labels.add(place)
        elif kind == "name":
            name = place
        else:
            slots[place, row.label or ""] = Slot(place, row.path, row.label or "", float(chance), row.pages)
    return DetailTemplate(frozenset(labels), slots, name, paths)


def write_templates(rows: Iterable[TemplateSlot], concepts: Mapping[int, str | None]) -> str:
    """Return templates as JSON; ``concepts`` says by template what its pages are about."""
    by_number: dict[int, list[TemplateSlot]] = {}
    for row in rows:
        by_number.setdefault(row.template, []).append(row)
    templates = [
        {
            "id": str(number),
            "concept": concepts.get(number),
            "slots": [
                {"path": row.path, "label": row.label, "kind": row.kind, "pages": row.pages}
                for row in sorted(some, key=lambda row: row.ordinal)
            ],
        }
        for number, some in sorted(by_number.items())
    ]
    return json.dumps({"format": FORMAT, "version": VERSION, "templates": templates}, ensure_ascii=False, indent=1)


def read_templates(text: str) -> list[KnownTemplate]:
    """Read what `write_templates` wrote."""
    try:
        record = json.loads(text)
        if record["format"] != FORMAT or record["version"] != VERSION:
            raise UsageError(f"Not a file of templates that this version reads: {record['format']} {record['version']}")
        return [_known(entry) for entry in record["templates"]]
    except (ValueError, KeyError, TypeError) as error:
        raise UsageError(
            f"Not a file of templates ({type(error).__name__}: {error}); `ontology --save-templates FILE` writes one."
        ) from error


def _known(entry: Mapping[str, Any]) -> KnownTemplate:
    number = int(entry["id"])
    rows = [
        TemplateSlot(number, ordinal, str(slot["path"]), slot["label"], str(slot["kind"]), int(slot["pages"]))
        for ordinal, slot in enumerate(entry["slots"])
    ]
    concept = entry["concept"]
    return KnownTemplate(number, None if concept is None else str(concept), template_from_rows(rows))


class TemplateReading:
    """Reads the records of given pages by templates; an asker of `sitestrata.run.rounds`."""

    def __init__(self, urls: Sequence[str], templates: Sequence[KnownTemplate]) -> None:
        self.urls = tuple(dict.fromkeys(urls))
        self.templates = tuple(sorted(templates, key=lambda known: known.number))
        self._new = [Want(url, "page to be read by a template", 0.0) for url in self.urls]
        self._found: dict[str, tuple[PagePlaces, KnownTemplate]] = {}
        self._missing: set[str] = set()

    def wanted(self) -> list[Want]:
        """Return the pages to fetch: all at once."""
        batch, self._new = self._new, []
        return batch

    def observe(self, page: Seen) -> None:
        """Take what became of a wanted page."""
        if page.facts is None:
            self._missing.add(page.url)
            return
        places = read_places(page.facts)
        fits = [(known.fit(places), known) for known in self.templates]
        share, best = max(fits, key=lambda fit: fit[0], default=(0.0, None))
        if best is not None and share >= MIN_FIT:
            self._found[page.url] = (places, best)

    def result(self) -> Ontology:
        """Return the records of the pages that a template fits."""
        parts, addresses = [], {}
        concepts: dict[int, Concept] = {}
        for _, (page, known) in sorted(self._found.items()):
            number = None if known.concept is None else concept_id(0, [known.concept])
            if number is not None and known.concept is not None:
                concepts[number] = Concept(number, 0, known.concept, None, 1, (), (), is_frequent=False, confidence=1.0)
            found = add_details(
                [page], domain=0, concept_of={page.url_id: number}, template=known.template, number=known.number
            )
            parts.append(replace(found, templates=()))
            addresses[page.url_id] = page.url
        missing = tuple(url for url in self.urls if url in self._missing)
        return Ontology(Taxonomy(0, tuple(concepts.values()), (), ()), join_extracted(parts), addresses, missing)
