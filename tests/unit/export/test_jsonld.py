"""JSON-LD, expanded by pyld and read into RDF by rdflib, both without a network."""

import io
import json
from typing import Any

from pyld import jsonld
from rdflib import RDF, Dataset, URIRef

from sitestrata.export.jsonld import NavigationItem, write_site
from support.workspaces import PAYLOADS

SCHEMA = "https://schema.org/"
# What schema.org's own context says of the words that we use.
CONTEXT = {"@vocab": SCHEMA}
HOME, SHOES = "http://a.example/", "http://a.example/shoes?x={1}"
MENU = [
    NavigationItem("Shop", HOME, 0),
    NavigationItem("Shoes", SHOES, 1),
    NavigationItem("Hats", None, 1),
    NavigationItem("About", "http://a.example/about", 0),
]
PAGES = [(HOME, "Home", [("Home", HOME)]), (SHOES, "Shoes", [("Home", HOME), ("Shoes", SHOES)])]


def written(menu: list[NavigationItem], pages: list) -> dict[str, Any]:
    file = io.BytesIO()
    assert len(pages) == write_site("A shop", HOME, menu, pages, file)
    content: dict[str, Any] = json.loads(file.getvalue())
    assert "https://schema.org" == content["@context"]
    return {**content, "@context": CONTEXT}


def triples(content: dict[str, Any]) -> Dataset:
    graph = Dataset()
    graph.parse(data=jsonld.to_rdf(content, {"format": "application/n-quads"}), format="nquads")
    return graph


def test_breadcrumbs_name_every_step_in_order() -> None:
    graph = triples(written(MENU, PAGES))

    trail = URIRef("http://a.example/shoes?x=%7B1%7D#breadcrumb")
    assert (trail, RDF.type, URIRef(SCHEMA + "BreadcrumbList")) in graph
    steps = list(graph.objects(trail, URIRef(SCHEMA + "itemListElement")))
    found = sorted(
        (
            graph.value(step, URIRef(SCHEMA + "position")).toPython(),
            str(graph.value(step, URIRef(SCHEMA + "name"))),
            str(graph.value(step, URIRef(SCHEMA + "item"))),
        )
        for step in steps
    )
    assert [(1, "Home", HOME), (2, "Shoes", "http://a.example/shoes?x=%7B1%7D")] == found


def test_navigation_keeps_drop_downs_below_their_item() -> None:
    (list_,) = [node for node in written(MENU, PAGES)["@graph"] if node["@type"] == "ItemList"]
    shop, about = list_["itemListElement"]

    assert ["Shop", "About"] == [shop["name"], about["name"]]
    assert ["Shoes", "Hats"] == [item["name"] for item in shop["hasPart"]]
    assert "url" not in shop["hasPart"][1]
    assert [1, 2] == [shop["position"], about["position"]]


def test_a_site_without_a_menu_has_no_navigation() -> None:
    assert ["WebSite", "WebPage", "WebPage"] == [node["@type"] for node in written([], PAGES)["@graph"]]


def test_any_text_comes_back_and_may_stand_in_a_page() -> None:
    pages = [(f"http://a.example/{number}", text, [(text, HOME)]) for number, text in enumerate(PAYLOADS)]
    file = io.BytesIO()
    write_site("</script>", HOME, [NavigationItem(text, HOME, 0) for text in PAYLOADS], pages, file)

    names = [node["name"] for node in json.loads(file.getvalue())["@graph"] if node["@type"] == "WebPage"]
    assert list(PAYLOADS) == names
    assert b"</" not in file.getvalue()
    assert b"<!" not in file.getvalue()
    assert file.getvalue().isascii()


def test_every_page_belongs_to_the_site() -> None:
    graph = triples(written(MENU, PAGES))

    assert {URIRef(HOME), URIRef("http://a.example/shoes?x=%7B1%7D")} == set(
        graph.subjects(URIRef(SCHEMA + "isPartOf"), URIRef(HOME + "#website"))
    )
