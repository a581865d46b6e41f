"""The XML of an ontology is valid by its schema, whatever labels say."""

from io import BytesIO
from pathlib import Path

import pytest
from lxml import etree

import sitestrata.export
from sitestrata.export.ontology_xml import NAMESPACE, write_xml
from sitestrata.export.rdf import OntologyRows
from support.ontologies import hostile_ontology, small_ontology

SCHEMA = etree.XMLSchema(etree.parse(Path(sitestrata.export.__file__).with_name("ontology.xsd")))


def _xml(rows: OntologyRows) -> etree._Element:
    file = BytesIO()
    write_xml(rows, file)
    return etree.fromstring(file.getvalue())


@pytest.mark.parametrize("rows", [small_ontology, hostile_ontology, lambda: OntologyRows([])])
def test_document_is_valid(rows: object) -> None:
    found = rows()  # type: ignore[operator]
    known = {row["concept"] for row in found.concepts}
    kept = OntologyRows(
        found.concepts,
        found.labels,
        [row for row in found.is_a if row["child"] in known],
        found.instances,
        found.attributes,
        found.page_urls,
    )

    SCHEMA.assertValid(_xml(kept))


def test_seven_tuple_is_there() -> None:
    root = _xml(small_ontology())
    ns = {"o": NAMESPACE}

    assert ["News", "Sport", "Tennis", "Travel"] == sorted(root.xpath("o:concept/@label", namespaces=ns))
    assert ["Deporte", "Sport", "Sports"] == root.xpath("o:concept[@label='Sport']/o:label/text()", namespaces=ns)
    assert ["12.50"] == root.xpath("o:instance/o:attribute[@label='Price:']/text()", namespaces=ns)
    assert ["http://example.org/tennis"] == sorted(set(root.xpath("o:instance/@page", namespaces=ns)))
