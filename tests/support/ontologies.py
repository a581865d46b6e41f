"""A small ontology as rows, also with labels and addresses that mean harm."""

from typing import Any

from sitestrata.export.rdf import OntologyRows

HOSTILE = (
    'quote " backslash \\ and newline \n tab \t',
    "<script>alert(1)</script>",
    "> . <http://evil.example/> a <http://evil.example/X",
    "bidi \u202e reversed \u2066 isolate",
    "nul \x00 escape \x1b[31m bell \x07",
    "lone \ud800 surrogate",
    "\u0000",
    "x" * 10_500,
    "]]> &amp; &#0; <![CDATA[",
    "=HYPERLINK(1)",
    "ends with backslash \\",
    '"""',
    "emoji \U0001f600 and ﷽",
)
HOSTILE_URLS = (
    'http://example.org/<>"{}|^`\\ %zz',
    "http://example.org/\u202eevil",
    "javascript:alert(1)",
    "not an address",
    "",
    "http://[bad",
)


def concept(number: int, label: str, **other: Any) -> dict[str, Any]:
    return {
        "concept": number,
        "domain": 1,
        "label": label,
        "language": "en",
        "support": 2,
        "sites": [],
        "urls": [f"http://example.org/{number}"],
        "is_frequent": True,
        "confidence": 0.5,
        **other,
    }


def label(number: int, text: str, **other: Any) -> dict[str, Any]:
    return {
        "concept": number,
        "label": text,
        "language": "en",
        "support": 1,
        "evidence": "stem",
        "merged_with": None,
        "confidence": 0.9,
        **other,
    }


def is_a(parent: int, child: int, **other: Any) -> dict[str, Any]:
    return {
        "parent": parent,
        "child": child,
        "domain": 1,
        "support": 2,
        "confidence": 0.7,
        "distance": 1,
        "is_facet": False,
        "evidence": ["tree"],
        "pages": ["http://example.org/"],
        **other,
    }


def instance(number: int, concept_: int | None, name: str, **other: Any) -> dict[str, Any]:
    return {
        "page": 7,
        "instance": number,
        "domain": 1,
        "concept": concept_,
        "name": name,
        "url": f"http://example.org/item/{number}",
        "kind": "listing",
        "template": None,
        "node": 3,
        "same_as": number,
        "confidence": 0.8,
        **other,
    }


def attribute(owner: int, ordinal: int, label_: str | None, value: str, **other: Any) -> dict[str, Any]:
    return {
        "page": 7,
        "instance": owner,
        "ordinal": ordinal,
        "label": label_,
        "value": value,
        "kind": "text",
        "number": None,
        "unit": None,
        "url": None,
        "path": "html/body",
        "node": 4,
        **other,
    }


def small_ontology() -> OntologyRows:
    """News over Sport over Tennis, Sport and Travel as facets, two individuals."""
    return OntologyRows(
        concepts=[concept(1, "News"), concept(2, "Sport"), concept(3, "Tennis"), concept(-4, "Travel", language=None)],
        labels=[
            label(1, "News", evidence="first"),
            label(2, "Sport", evidence="first"),
            label(2, "Sports", merged_with="Sport"),
            label(2, "Deporte", language="es", evidence="switch", merged_with="Sport"),
        ],
        is_a=[is_a(1, 2), is_a(2, 3), is_a(2, -4, is_facet=True), is_a(-4, 2, is_facet=True), is_a(3, 3), is_a(1, 99)],
        instances=[instance(10, 3, "Cup final"), instance(11, 3, "Cup final", same_as=10), instance(12, None, "?")],
        attributes=[
            attribute(10, 0, "Price:", "12.50", kind="number", number=12.5),
            attribute(10, 1, None, "In the end"),
            attribute(10, 2, "Date", "2024-02-29", kind="date"),
            attribute(77, 0, "Lost", "nobody's"),
        ],
        page_urls={7: "http://example.org/tennis"},
    )


def hostile_ontology() -> OntologyRows:
    """Every hostile text in every place that can hold one, under one concept."""
    texts = list(enumerate(HOSTILE, start=2))
    return OntologyRows(
        concepts=[concept(1, "Top")]
        + [concept(n, text, language="en\n" if n % 2 else "x" * 20, urls=list(HOSTILE_URLS)) for n, text in texts],
        labels=[label(n, text, language="<>", merged_with=text) for n, text in texts],
        is_a=[is_a(1, n, pages=[*HOSTILE_URLS, "http://example.org/"]) for n, _ in texts],
        instances=[instance(100 + n, n, text, url=HOSTILE_URLS[n % len(HOSTILE_URLS)]) for n, text in texts],
        attributes=[attribute(100 + n, 0, text, text) for n, text in texts],
        page_urls={7: HOSTILE_URLS[0]},
    )
