"""``sitestrata ontology`` with files: a vocabulary to extend, templates for later pages, examples for training."""

import json
from io import BytesIO
from pathlib import Path

import pyoxigraph as ox
import pyshacl
import pytest
import rdflib
from click.testing import CliRunner
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

import sitestrata.export
from sitestrata.cli import main
from sitestrata.run.mine import mine

HOMES = [f"http://shop{n}.example/" for n in (1, 2)]
SKOS = "http://www.w3.org/2004/02/skos/core#"
VOCABULARY = """
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
<http://voc.example/pans> skos:prefLabel "Cookware"@en, "Kochgeschirr"@de ; skos:altLabel "Pots"@en .
<http://voc.example/all> skos:prefLabel "Household"@en ; skos:narrower <http://voc.example/pans> .
<http://voc.example/loop> skos:prefLabel "Loop"@en ; skos:broader <http://voc.example/loop> .
"""


def _item(shop: int, number: int) -> str:
    return (
        f"<html lang=en><title>Pan {number} - Shop {shop}</title><nav><a href=/>Front</a><a href=/pots>Pots</a></nav>"
        f"<h1>Pan {number}</h1><table><tr><td>Weight</td><td>{number}50 g</td></tr>"
        f"<tr><td>Colour</td><td>{['red', 'blue', 'green', 'black'][number % 4]}</td></tr></table></html>"
    )


def _pages() -> dict[str, str]:
    pages = {}
    for shop, home in enumerate(HOMES, start=1):
        menu = "".join(f"<li><a href='/{name.lower()}'>{name}</a></li>" for name in ("Pots", "Knives", "Lamps"))
        pages[home] = f"<html lang=en><title>Shop {shop}</title><ul>{menu}</ul></html>"
        rows = "".join(f"<div><h3><a href='/item{n}'>Pan {n}</a></h3><p>Sturdy {n}</p></div>" for n in range(1, 6))
        pages[f"{home}pots"] = f"<html lang=en><title>Pots</title><nav><a href=/>Front</a></nav><main>{rows}</main>"
        pages |= {f"{home}item{n}": _item(shop, n) for n in range(1, 7)}  # the sixth is in no listing
    return pages


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("files")
    with (folder / "crawl.warc.gz").open("wb") as file:
        writer = WARCWriter(file, gzip=True)
        for url, body in _pages().items():
            headers = StatusAndHeaders("200 OK", [("Content-Type", "text/html")], protocol="HTTP/1.1")
            payload = BytesIO(body.encode())
            writer.write_record(writer.create_warc_record(url, "response", payload=payload, http_headers=headers))
    mine([folder / "crawl.warc.gz"], folder / "ws", workers=1, only=["read", "captures", "pages", "aliases"])
    return folder / "ws"


def _run(*arguments: str) -> str:
    result = CliRunner().invoke(main, ["ontology", "--no-wordnet", *arguments], catch_exceptions=False)
    assert 0 == result.exit_code, result.output
    return result.stdout


def test_a_template_reads_a_page_that_nobody_had_seen(workspace: Path, tmp_path: Path) -> None:
    saved = tmp_path / "templates.json"
    _run(*HOMES, "--in", str(workspace), "--save-templates", str(saved), "--json")

    found = json.loads(_run(f"{HOMES[0]}item6", HOMES[1], "--in", str(workspace), "--template", str(saved), "--json"))

    (record,) = found["instances"]  # the home page is of another kind
    assert ("Pan 6", f"{HOMES[0]}item6") == (record["name"], record["page"])
    assert {("Weight", "650 g"), ("Colour", "green")} <= {(a["label"], a["value"]) for a in record["attributes"]}
    assert record["concept"] in {concept["id"] for concept in found["concepts"]}


def test_every_text_of_a_record_page_is_an_example(workspace: Path, tmp_path: Path) -> None:
    file = tmp_path / "examples.jsonl"
    _run(*HOMES, "--in", str(workspace), "--examples", str(file), "--json")

    rows = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    page = {row["text"]: row for row in rows if row["page"] == f"{HOMES[0]}item3"}
    assert ("value", "Weight", "Pots") == tuple(page["350 g"][key] for key in ("role", "attribute", "concept"))
    assert ["name", "label", "none"] == [page[text]["role"] for text in ("Pan 3", "Weight", "Front")]


def test_a_vocabulary_is_extended_and_keeps_its_names(workspace: Path, tmp_path: Path) -> None:
    file = tmp_path / "voc.ttl"
    file.write_text(VOCABULARY, "utf-8")
    triples = list(
        ox.parse(
            _run(*HOMES, "--in", str(workspace), "--extend", str(file), "--form", "skos"), format=ox.RdfFormat.TURTLE
        )
    )

    pans = ox.NamedNode("http://voc.example/pans")
    of_pans = {(t.predicate.value.removeprefix(SKOS), t.object) for t in triples if t.subject == pans}
    assert {
        ("prefLabel", ox.Literal("Cookware", language="en")),
        ("prefLabel", ox.Literal("Kochgeschirr", language="de")),
        ("altLabel", ox.Literal("Pots", language="en")),
        ("broader", ox.NamedNode("http://voc.example/all")),
    } <= of_pans
    labels = {t.object.value for t in triples if t.predicate.value == f"{SKOS}prefLabel"}  # type: ignore[union-attr]
    assert {"Knives", "Lamps", "Household", "Loop"} <= labels
    assert "Pots" not in labels


def test_an_extended_vocabulary_is_valid_where_no_page_shows_its_relations(workspace: Path, tmp_path: Path) -> None:
    file = tmp_path / "voc.ttl"
    file.write_text(VOCABULARY, "utf-8")
    written = _run(*HOMES, "--in", str(workspace), "--extend", str(file), "--form", "turtle")
    shapes = Path(sitestrata.export.__file__).with_name("shapes.ttl")

    conforms, _, text = pyshacl.validate(
        rdflib.Graph().parse(data=written, format="turtle"), shacl_graph=rdflib.Graph().parse(shapes, format="turtle")
    )

    assert conforms, text


@pytest.mark.parametrize(
    ("option", "content"),
    [("--extend", "no turtle"), ("--extend", "<a:a> <b:b> <c:c> ."), ("--template", "[]"), ("--template", "{")],
)
def test_a_file_that_is_none_is_refused(option: str, content: str, workspace: Path, tmp_path: Path) -> None:
    (tmp_path / "bad.ttl").write_text(content, "utf-8")
    result = CliRunner().invoke(main, ["ontology", *HOMES, "--in", str(workspace), option, str(tmp_path / "bad.ttl")])

    assert 2 == result.exit_code
    assert "bad.ttl" in result.stderr or "templates" in result.stderr
