"""The ontology as XML, in our own schema (``ontology.xsd`` beside this module).

Paper: OntoMiner 3

The seven-tuple in one document: labels (L, Syn) stand in their concepts (C), the hierarchy (T) as pairs, instances (I)
with their concept (Member) and their attributes (A).
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any, BinaryIO

from sitestrata.export.escape import STEERING, file_id, xml_text
from sitestrata.export.rdf import OntologyRows

__all__ = ["NAMESPACE", "write_xml"]

NAMESPACE = "urn:sitestrata:ontology:1"

Row = Mapping[str, Any]


def write_xml(rows: OntologyRows, file: BinaryIO) -> int:
    """Write an ontology as XML and return the number of concepts, relations and instances."""
    count = 0
    for line in _lines(rows):
        file.write(line.encode())
        count += line.startswith(("  <concept ", "  <is-a ", "  <instance "))
    return count


def _lines(rows: OntologyRows) -> Iterator[str]:
    labels: dict[int, list[Row]] = defaultdict(list)
    for row in rows.labels:
        labels[row["concept"]].append(row)
    attributes: dict[int, list[Row]] = defaultdict(list)
    for row in rows.attributes:
        attributes[row["instance"]].append(row)
    yield f'<?xml version="1.0" encoding="UTF-8"?>\n<ontology xmlns="{NAMESPACE}">\n'
    for row in sorted(rows.concepts, key=lambda row: int(row["concept"])):
        head = _attributes(
            id=file_id(row["concept"]),
            domain=file_id(row["domain"]),
            label=row["label"],
            language=row["language"],
            support=row["support"],
            confidence=f"{row['confidence']:.3f}",
        )
        yield f"  <concept {head}>\n"
        for label in sorted(labels.get(row["concept"], ()), key=lambda label: str(label["label"])):
            parts = _attributes(
                language=label["language"],
                support=label["support"],
                evidence=label["evidence"],
                with_=label["merged_with"],
                confidence=f"{label['confidence']:.3f}",
            )
            yield f"    <label {parts}>{_clean(label['label'])}</label>\n"
        for url in row["urls"]:
            yield f"    <page>{_clean(url)}</page>\n"
        yield "  </concept>\n"
    for row in sorted(rows.is_a, key=lambda row: (int(row["parent"]), int(row["child"]))):
        parts = _attributes(
            parent=file_id(row["parent"]),
            child=file_id(row["child"]),
            support=row["support"],
            confidence=f"{row['confidence']:.3f}",
            facet="true" if row["is_facet"] else "false",
        )
        yield f"  <is-a {parts}/>\n"
    for row in sorted(rows.instances, key=lambda row: (int(row["page"]), int(row["instance"]))):
        parts = _attributes(
            id=file_id(row["instance"]),
            concept=None if row["concept"] is None else file_id(row["concept"]),
            kind=row["kind"],
            page=rows.page_urls.get(row["page"]),
            url=row["url"],
            same_as=None if row["same_as"] == row["instance"] else file_id(row["same_as"]),
        )
        yield f"  <instance {parts}>\n    <name>{_clean(row['name'])}</name>\n"
        for found in sorted(attributes.get(row["instance"], ()), key=lambda found: int(found["ordinal"])):
            parts = _attributes(label=found["label"], kind=found["kind"], unit=found["unit"], url=found["url"])
            yield f"    <attribute {parts}>{_clean(found['value'])}</attribute>\n"
        yield "  </instance>\n"
    yield "</ontology>\n"


def _attributes(**values: object) -> str:
    """Return the attributes that have a value; ``same_as`` is written ``same-as``, a last underscore is dropped."""
    return " ".join(
        f'{name.rstrip("_").replace("_", "-")}="{_clean(str(value))}"'
        for name, value in values.items()
        if value is not None
    )


def _clean(text: str) -> str:
    return xml_text(STEERING.sub(" ", text))
