"""The RDF of an ontology is read back by two parsers, is valid by our shapes, and pleases skosify."""

from io import BytesIO
from pathlib import Path

import pyoxigraph as ox
import pyshacl
import pytest
import rdflib
import skosify
from rdflib.namespace import OWL, RDF, RDFS, SKOS

import sitestrata.export
from sitestrata.export.rdf import DEFAULT_BASE, PREFIXES, OntologyRows, write_turtle
from support.ontologies import hostile_ontology, small_ontology

SHAPES = Path(sitestrata.export.__file__).with_name("shapes.ttl")
BASE = rdflib.Namespace(DEFAULT_BASE)


def _turtle(rows: OntologyRows, **options: object) -> tuple[bytes, int]:
    file = BytesIO()
    count = write_turtle(rows, file, **options)  # type: ignore[arg-type]
    return file.getvalue(), count


def _graph(rows: OntologyRows, **options: object) -> rdflib.Graph:
    return rdflib.Graph().parse(data=_turtle(rows, **options)[0], format="turtle")


def _id(kind: str, number: int) -> rdflib.URIRef:
    return BASE[f"{kind}-{number % 2**64:016x}"]


@pytest.mark.parametrize("rows", [small_ontology, hostile_ontology, lambda: OntologyRows([])])
def test_two_parsers_read_the_same_number_of_triples(rows: object) -> None:
    data, count = _turtle(rows())  # type: ignore[operator]

    assert count == len(rdflib.Graph().parse(data=data, format="turtle"))
    assert count == len(set(ox.parse(data, format=ox.RdfFormat.TURTLE)))


@pytest.mark.parametrize("rows", [small_ontology, hostile_ontology])
def test_shapes_hold(rows: object) -> None:
    conforms, _, text = pyshacl.validate(
        _graph(rows()),  # type: ignore[operator]
        shacl_graph=rdflib.Graph().parse(SHAPES, format="turtle"),
    )

    assert conforms, text


def test_shapes_find_a_concept_that_is_wrong() -> None:
    graph = _graph(small_ontology())
    graph.remove((_id("concept", 3), SKOS.broader, None))
    graph.add((_id("concept", 2), SKOS.altLabel, rdflib.Literal("Sport", lang="en")))

    conforms, _, text = pyshacl.validate(graph, shacl_graph=rdflib.Graph().parse(SHAPES, format="turtle"))

    assert not conforms
    assert "skos:altLabel" in text
    assert "skos:narrower" in text


@pytest.mark.parametrize("rows", [small_ontology, hostile_ontology])
def test_skosify_has_nothing_to_mend(rows: object, caplog: pytest.LogCaptureFixture) -> None:
    """Skosify checks what Skosmos expects and warns of what it repairs."""
    graph = _graph(rows(), parts=("skos",))  # type: ignore[operator]
    before = set(graph)

    with caplog.at_level("WARNING"):
        mended = skosify.skosify(graph, label="Sample")

    assert [] == [record.message for record in caplog.records if record.levelname in ("WARNING", "ERROR")]
    kept = {triple for triple in before if str(triple[1]).startswith(PREFIXES["skos"])}
    assert kept <= set(mended)


def test_hierarchy_is_said_both_ways() -> None:
    graph = _graph(small_ontology())
    news, sport, tennis = (_id("concept", n) for n in (1, 2, 3))

    assert {(news, sport), (sport, tennis)} == set(graph.subject_objects(SKOS.narrower))
    assert {(sport, news), (tennis, sport)} == set(graph.subject_objects(SKOS.broader))
    assert {news, _id("concept", -4)} == set(graph.objects(None, SKOS.hasTopConcept))


def test_labels_carry_their_language_and_alternatives_differ_from_the_preferred_one() -> None:
    graph = _graph(small_ontology())
    sport = _id("concept", 2)

    preferred = {rdflib.Literal("Sport", lang="en"), rdflib.Literal("Deporte", lang="es")}  # one a language
    assert preferred == set(graph.objects(sport, SKOS.prefLabel))
    assert [rdflib.Literal("Sports", lang="en")] == list(graph.objects(sport, SKOS.altLabel))


def test_facets_are_related_unless_the_hierarchy_joins_them() -> None:
    graph = _graph(small_ontology())
    sport, travel = _id("concept", 2), _id("concept", -4)

    assert {(sport, travel), (travel, sport)} == set(graph.subject_objects(SKOS.related))


def test_individuals_have_classes_typed_values_and_a_source() -> None:
    graph = _graph(small_ontology())
    final = _id("instance", 10)

    assert {OWL.NamedIndividual, _id("class", 3)} == set(graph.objects(final, RDF.type))
    assert rdflib.URIRef("http://example.org/tennis") in set(
        graph.objects(final, rdflib.URIRef(PREFIXES["prov"] + "wasDerivedFrom"))
    )
    price = next(p for p in graph.subjects(RDFS.label, rdflib.Literal("Price:")))
    assert [rdflib.Literal("12.5", datatype=rdflib.XSD.decimal)] == list(graph.objects(final, price))
    assert (_id("instance", 11), OWL.sameAs, final) in graph


def test_no_address_or_label_becomes_part_of_our_iris() -> None:
    graph = _graph(hostile_ontology())

    own = {str(term) for triple in graph for term in triple if str(term).startswith(DEFAULT_BASE)}
    assert all(set(name.removeprefix(DEFAULT_BASE)) <= set("abcdefghijklmnopqrstuvwxyz0123456789-") for name in own)


def test_steering_characters_are_gone() -> None:
    text = _turtle(hostile_ontology())[0].decode()

    assert not set("\x00\x1b\u202e\u2066\x07") & set(text)
    assert "\\u202E" not in text


def test_parts_can_be_written_alone() -> None:
    skos, owl = _graph(small_ontology(), parts=("skos",)), _graph(small_ontology(), parts=("owl",))

    assert not list(skos.subjects(RDF.type, OWL.Class))
    assert not list(owl.subjects(RDF.type, SKOS.Concept))
    assert list(owl.subjects(RDF.type, OWL.Ontology))


def test_same_rows_in_another_order_give_the_same_bytes() -> None:
    rows = small_ontology()
    turned = OntologyRows(
        list(rows.concepts)[::-1],
        list(rows.labels)[::-1],
        list(rows.is_a)[::-1],
        list(rows.instances)[::-1],
        list(rows.attributes),
        rows.page_urls,
    )

    assert _turtle(rows)[0] == _turtle(turned)[0]
