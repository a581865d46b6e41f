"""The ontology as RDF: a SKOS vocabulary, OWL classes with their individuals, and PROV statements of where it is from.

What Skosmos and Protégé expect is kept: every concept is in a scheme, has one preferred label a language, and says its
place both ways (``broader`` and ``narrower``, ``topConceptOf`` and ``hasTopConcept``); alternative labels differ from
the preferred one; classes, properties and individuals are declared and labelled. Concepts that sites nest either way
(facets) are ``related``, but only where the hierarchy does not join them already (SKOS Reference, S27).

IRIs are made of ids, never of what a page says; addresses are percent-encoded; labels lose the characters that steer a
terminal or reorder text.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, BinaryIO
from urllib.parse import quote

import pyoxigraph as ox

from sitestrata.export.escape import STEERING, file_id, iri
from sitestrata.urls import url_id

__all__ = ["DEFAULT_BASE", "PARTS", "OntologyRows", "ontology_triples", "write_turtle"]

DEFAULT_BASE = "http://ontology.invalid/"  # a name that never resolves (RFC 2606), until the user gives one
PARTS = ("skos", "owl")
PREFIXES = {
    "dct": "http://purl.org/dc/terms/",
    "owl": "http://www.w3.org/2002/07/owl#",
    "prov": "http://www.w3.org/ns/prov#",
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "skos": "http://www.w3.org/2004/02/skos/core#",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
}
MAX_LITERAL = 10_000  # characters
_LANGUAGE = re.compile(r"[a-zA-Z]{2,8}(-[a-zA-Z0-9]{1,8})*")  # well-formed enough for RDF 1.1, section 3.3
_DATE = re.compile(r"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])")

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class OntologyRows:
    """The tables of an ontology, as rows."""

    concepts: Iterable[Row]
    labels: Iterable[Row] = ()
    is_a: Iterable[Row] = ()
    instances: Iterable[Row] = ()
    attributes: Iterable[Row] = ()
    page_urls: Mapping[int, str] = field(default_factory=dict)  # url_id -> address, of the pages of instances
    iris: Mapping[int, str] = field(default_factory=dict)  # of concepts that a vocabulary named before
    preferred: Mapping[int, Iterable[tuple[str, str | None]]] = field(default_factory=dict)  # labels it prefers


def write_turtle(rows: OntologyRows, file: BinaryIO, *, base: str = DEFAULT_BASE, parts: Iterable[str] = PARTS) -> int:
    """Write an ontology as Turtle and return the number of triples."""
    # A set of triples: two rows may say the same thing, a graph says it once.
    triples = dict.fromkeys(ontology_triples(rows, base=base, parts=parts))
    names = _Names(base, rows.iris)
    ox.serialize(triples, file, format=ox.RdfFormat.TURTLE, prefixes={**PREFIXES, "": names.base})
    return len(triples)


def ontology_triples(
    rows: OntologyRows, *, base: str = DEFAULT_BASE, parts: Iterable[str] = PARTS
) -> Iterator[ox.Triple]:
    """Yield the triples of an ontology: its SKOS part, its OWL part, or both."""
    chosen = set(parts)
    names = _Names(base, rows.iris)
    concepts = sorted(rows.concepts, key=lambda row: int(row["concept"]))
    known = {row["concept"] for row in concepts}
    labels: dict[int, list[Row]] = defaultdict(list)
    for row in sorted(rows.labels, key=lambda row: (int(row["concept"]), str(row["label"]))):
        labels[row["concept"]].append(row)
    is_a = sorted(
        (
            row
            for row in rows.is_a
            if row["parent"] in known and row["child"] in known and row["parent"] != row["child"]
        ),
        key=lambda row: (int(row["parent"]), int(row["child"])),
    )
    tree = [row for row in is_a if not row["is_facet"]]
    if "skos" in chosen:
        yield from _vocabulary(names, concepts, labels, tree, rows.preferred)
        yield from _facets(names, tree, [row for row in is_a if row["is_facet"]])
        yield from _evidence(names, tree)
    if "owl" in chosen:
        yield from _classes(names, concepts, tree, with_concepts="skos" in chosen)
        yield from _individuals(names, rows, known)
    yield from _origin(names, concepts, chosen)


class _Names:
    """The IRIs of one ontology."""

    def __init__(self, base: str, given: Mapping[int, str] | None = None) -> None:
        self.base = iri(base if base.endswith(("/", "#", ":")) else base + "/")
        named = {number: _page(name) for number, name in (given or {}).items()}
        self.given = {number: node for number, node in named.items() if node is not None}

    def __call__(self, kind: str, *ids: int) -> ox.NamedNode:
        if kind == "concept" and ids[0] in self.given:
            return self.given[ids[0]]
        return ox.NamedNode(f"{self.base}{kind}-{'-'.join(file_id(number) for number in ids)}")

    def own(self, name: str) -> ox.NamedNode:
        return ox.NamedNode(self.base + name)


def _term(name: str) -> ox.NamedNode:
    prefix, _, local = name.partition(":")
    return ox.NamedNode(PREFIXES[prefix] + local)


TYPE, LABEL = _term("rdf:type"), _term("rdfs:label")


def _text(value: str, language: str | None = None) -> ox.Literal:
    clean = " ".join(STEERING.sub(" ", value).split())[:MAX_LITERAL]
    tag = language if language and _LANGUAGE.fullmatch(language) else None
    return ox.Literal(clean or "-", language=tag) if tag else ox.Literal(clean or "-")


def _page(url: str) -> ox.NamedNode | None:
    # Marks that reorder text have no place in an IRI (RFC 3987, 4.1).
    safe = STEERING.sub(lambda match: quote(match[0], errors="replace"), url)
    try:
        return ox.NamedNode(iri(safe))
    except ValueError:
        return None


def _vocabulary(
    names: _Names,
    concepts: list[Row],
    labels: Mapping[int, list[Row]],
    tree: list[Row],
    known: Mapping[int, Iterable[tuple[str, str | None]]],
) -> Iterator[ox.Triple]:
    skos = {name: _term(f"skos:{name}") for name in ("broader", "narrower", "inScheme", "prefLabel", "altLabel")}
    below = {row["child"] for row in tree}
    for domain in sorted({row["domain"] for row in concepts}):
        scheme = names("scheme", domain)
        tops = [row for row in concepts if row["domain"] == domain and row["concept"] not in below]
        title = ", ".join(row["label"] for row in sorted(tops, key=lambda row: (-row["support"], row["label"]))[:3])
        yield ox.Triple(scheme, TYPE, _term("skos:ConceptScheme"))
        yield ox.Triple(scheme, _term("dct:title"), _text(title))
        yield ox.Triple(scheme, LABEL, _text(title))
        for row in tops:
            yield ox.Triple(scheme, _term("skos:hasTopConcept"), names("concept", row["concept"]))
            yield ox.Triple(names("concept", row["concept"]), _term("skos:topConceptOf"), scheme)
    for row in concepts:
        concept = names("concept", row["concept"])
        yield ox.Triple(concept, TYPE, _term("skos:Concept"))
        yield ox.Triple(concept, skos["inScheme"], names("scheme", row["domain"]))
        preferred = _text(row["label"], row["language"])
        chosen = {preferred.language: preferred}  # one a language: the vocabulary's, or that of most owners
        for name, language in known.get(row["concept"], ()):
            chosen.setdefault((text := _text(name, language)).language, text)
        others = labels.get(row["concept"], ())
        for label in sorted(others, key=lambda label: (-label["support"], str(label["label"]))):
            text = _text(label["label"], label["language"])
            if text.language is not None:
                chosen.setdefault(text.language, text)
        for text in sorted(chosen.values(), key=str):
            yield ox.Triple(concept, skos["prefLabel"], text)
        for other in sorted({_text(one["label"], one["language"]) for one in others} - set(chosen.values()), key=str):
            yield ox.Triple(concept, skos["altLabel"], other)
        for label in labels.get(row["concept"], ()):
            if label["merged_with"] is not None:
                why = f"{label['label']} = {label['merged_with']}: {label['evidence']}, {label['confidence']:.2f}"
                yield ox.Triple(concept, _term("skos:editorialNote"), _text(why))
        for url in row["urls"]:
            if (page := _page(url)) is not None:
                yield ox.Triple(concept, _term("rdfs:seeAlso"), page)
                yield ox.Triple(concept, _term("prov:wasDerivedFrom"), page)
    for row in tree:
        parent, child = names("concept", row["parent"]), names("concept", row["child"])
        yield ox.Triple(parent, skos["narrower"], child)
        yield ox.Triple(child, skos["broader"], parent)


def _facets(names: _Names, tree: list[Row], facets: list[Row]) -> Iterator[ox.Triple]:
    """Relate concepts that nest either way, where the hierarchy does not."""
    parents: dict[int, set[int]] = defaultdict(set)
    for row in tree:
        parents[row["child"]].add(row["parent"])

    def above(concept: int) -> set[int]:
        reached: set[int] = set()
        open_nodes = [concept]
        while open_nodes:
            fresh = parents.get(open_nodes.pop(), set()) - reached
            reached |= fresh
            open_nodes += fresh
        return reached

    for row in facets:
        one, two = row["parent"], row["child"]
        if one not in above(two) and two not in above(one):
            yield ox.Triple(names("concept", one), _term("skos:related"), names("concept", two))
            yield ox.Triple(names("concept", two), _term("skos:related"), names("concept", one))


def _evidence(names: _Names, tree: list[Row]) -> Iterator[ox.Triple]:
    """Say for each relation which pages show it, how many owners do, and how sure it is.

    One that no page shows is from the vocabulary that was extended: it says so of the broader concept.
    """
    for row in tree:
        statement = names("relation", row["parent"], row["child"])
        yield ox.Triple(statement, TYPE, _term("rdf:Statement"))
        yield ox.Triple(statement, TYPE, _term("prov:Entity"))
        yield ox.Triple(statement, _term("rdf:subject"), names("concept", row["child"]))
        yield ox.Triple(statement, _term("rdf:predicate"), _term("skos:broader"))
        yield ox.Triple(statement, _term("rdf:object"), names("concept", row["parent"]))
        support = ox.Literal(str(row["support"]), datatype=_term("xsd:integer"))
        yield ox.Triple(statement, names.own("support"), support)
        sure = ox.Literal(f"{row['confidence']:.3f}", datatype=_term("xsd:decimal"))
        yield ox.Triple(statement, names.own("confidence"), sure)
        pages = [page for url in row["pages"] if (page := _page(url)) is not None]
        for source in pages or [names("concept", row["parent"])]:
            yield ox.Triple(statement, _term("prov:wasDerivedFrom"), source)


def _classes(names: _Names, concepts: list[Row], tree: list[Row], *, with_concepts: bool) -> Iterator[ox.Triple]:
    for row in concepts:
        class_ = names("class", row["concept"])
        yield ox.Triple(class_, TYPE, _term("owl:Class"))
        yield ox.Triple(class_, LABEL, _text(row["label"], row["language"]))
        if with_concepts:
            yield ox.Triple(class_, _term("dct:subject"), names("concept", row["concept"]))
    for row in tree:
        yield ox.Triple(names("class", row["child"]), _term("rdfs:subClassOf"), names("class", row["parent"]))


def _individuals(names: _Names, rows: OntologyRows, known: set[int]) -> Iterator[ox.Triple]:
    instances = sorted(rows.instances, key=lambda row: (int(row["page"]), int(row["instance"])))
    there = {row["instance"] for row in instances}
    for row in instances:
        individual = names("instance", row["instance"])
        yield ox.Triple(individual, TYPE, _term("owl:NamedIndividual"))
        if row["concept"] in known:
            yield ox.Triple(individual, TYPE, names("class", row["concept"]))
        yield ox.Triple(individual, LABEL, _text(row["name"]))
        if row["same_as"] != row["instance"] and row["same_as"] in there:
            yield ox.Triple(individual, _term("owl:sameAs"), names("instance", row["same_as"]))
        if row["url"] and (page := _page(row["url"])) is not None:
            yield ox.Triple(individual, _term("rdfs:seeAlso"), page)
        if row["page"] in rows.page_urls and (page := _page(rows.page_urls[row["page"]])) is not None:
            yield ox.Triple(individual, _term("prov:wasDerivedFrom"), page)
    properties: dict[ox.NamedNode, str] = {}
    for row in rows.attributes:
        if row["instance"] not in there:
            continue
        label = row["label"] or "value"
        name = names("property", _label_id(label))
        properties.setdefault(name, label)
        yield ox.Triple(names("instance", row["instance"]), name, _value(row))
    for name, label in sorted(properties.items(), key=lambda item: str(item[0])):
        yield ox.Triple(name, TYPE, _term("owl:DatatypeProperty"))
        yield ox.Triple(name, LABEL, _text(label))


def _label_id(label: str) -> int:
    return url_id(" ".join(label.casefold().split()).rstrip(" :"))


def _value(row: Row) -> ox.Literal:
    if row["kind"] == "number" and row["number"] is not None:
        return ox.Literal(_decimal(row["number"]), datatype=_term("xsd:decimal"))
    if row["kind"] == "date" and _DATE.fullmatch(row["value"]):
        return ox.Literal(row["value"], datatype=_term("xsd:date"))
    return _text(row["value"])


def _decimal(number: float) -> str:
    text = f"{number:.6f}".rstrip("0").rstrip(".")
    return text if text not in ("", "-0") else "0"


def _origin(names: _Names, concepts: list[Row], parts: set[str]) -> Iterator[ox.Triple]:
    """Declare our own terms and say what made the ontology."""
    maker = names.own("sitestrata")
    yield ox.Triple(maker, TYPE, _term("prov:SoftwareAgent"))
    yield ox.Triple(maker, LABEL, ox.Literal("Sitestrata"))
    if "skos" in parts:
        for name, comment in (
            ("support", "how many owners of sites nest the two concepts so"),
            ("confidence", "how sure the relation is, from 0 to 1"),
        ):
            yield ox.Triple(names.own(name), TYPE, _term("rdf:Property"))
            yield ox.Triple(names.own(name), LABEL, ox.Literal(name))
            yield ox.Triple(names.own(name), _term("rdfs:comment"), ox.Literal(comment))
        for domain in sorted({row["domain"] for row in concepts}):
            yield ox.Triple(names("scheme", domain), _term("prov:wasAttributedTo"), maker)
    if "owl" in parts:
        ontology = ox.NamedNode(names.base.rstrip("#/:"))
        yield ox.Triple(ontology, TYPE, _term("owl:Ontology"))
        yield ox.Triple(ontology, _term("prov:wasAttributedTo"), maker)
