"""``sitestrata ontology`` over a small workspace of three sites."""

import json
from io import BytesIO
from pathlib import Path

import pyoxigraph as ox
import pytest
from click.testing import CliRunner
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from sitestrata.cli import main
from sitestrata.run.mine import mine

HOMES = [f"http://site{n}.example/" for n in (1, 2, 3)]


def _home(number: int) -> str:
    sports = "".join(f"<li><a href='/sport/{name}'>{name}</a></li>" for name in ("Tennis", "Football", "Golf"))
    hostile = f'<li><a href="/x{number}">"&gt;&lt;script&gt;&#x202e;{number}</a></li>'
    return (
        f"<html lang=en><title>Paper {number}</title><ul><li><a href='/sport'>Sport{'s' * (number % 2)}</a>"
        f"<ul>{sports}</ul></li><li><a href='/travel'>Travel</a></li>{hostile}</ul></html>"
    )


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("ontology")
    with (folder / "crawl.warc.gz").open("wb") as file:
        writer = WARCWriter(file, gzip=True)
        for number, home in enumerate(HOMES, start=1):
            rows = "".join(
                f"<div><h3><a href='/s{n}'>Story {number}.{n}</a></h3><p>Told by {n}</p></div>" for n in range(4)
            )
            for url, body in (
                (home, _home(number)),
                (f"{home}sport", f"<html lang=en><nav><a href=/>Front page</a></nav><main>{rows}</main>"),
            ):
                headers = StatusAndHeaders("200 OK", [("Content-Type", "text/html")], protocol="HTTP/1.1")
                payload = BytesIO(body.encode())
                writer.write_record(writer.create_warc_record(url, "response", payload=payload, http_headers=headers))
    mine([folder / "crawl.warc.gz"], folder / "ws", workers=1)
    return folder / "ws"


def _run(*arguments: str) -> bytes:
    result = CliRunner().invoke(main, ["ontology", *arguments], catch_exceptions=False)
    assert 0 == result.exit_code, result.output
    return result.stdout_bytes


def test_json_has_concepts_relations_and_instances_with_their_page(workspace: Path) -> None:
    record = json.loads(_run(*HOMES, "--in", str(workspace), "--no-wordnet", "--json"))

    names = {concept["id"]: concept["label"] for concept in record["concepts"]}
    sport = next(concept for concept in record["concepts"] if "Sport" in concept["labels"])
    assert {"Sport", "Sports"} == set(sport["labels"])
    assert 3 == sport["support"]
    assert "Tennis" in {names[pair["child"]] for pair in record["is_a"] if pair["parent"] == sport["id"]}
    story = next(one for one in record["instances"] if one["name"] == "Story 1.2")
    assert (f"{HOMES[0]}sport", f"{HOMES[0]}s2", sport["id"]) == (story["page"], story["url"], story["concept"])
    assert "Told by 2" in {attribute["value"] for attribute in story["attributes"]}


@pytest.mark.parametrize("form", ["turtle", "skos", "owl"])
def test_rdf_is_well_formed(form: str, workspace: Path) -> None:
    assert list(ox.parse(_run("--in", str(workspace), "--form", form), format=ox.RdfFormat.TURTLE))


def test_tree_indents_what_is_narrower(workspace: Path) -> None:
    lines = _run(*HOMES, "--in", str(workspace), "--form", "tree").decode().splitlines()

    assert any(line.startswith("  Tennis") for line in lines)


def test_a_file_of_synonyms_joins_labels(workspace: Path, tmp_path: Path) -> None:
    (tmp_path / "same.txt").write_text("Travel; Golf\n", "utf-8")

    record = json.loads(_run(*HOMES, "--in", str(workspace), "--synonyms", str(tmp_path / "same.txt"), "--json"))

    assert {"Golf", "Travel"} in [set(concept["labels"]) for concept in record["concepts"]]


@pytest.mark.parametrize(
    ("homes", "support", "why"),
    [
        (HOMES, "9", "they have 3 owners"),
        (HOMES[:1], "2", "they have 1 owner,"),
        (["http://no.example/"], "2", "0 own"),
    ],
)
def test_too_few_owners_are_an_empty_answer_that_says_why(
    homes: list[str], support: str, why: str, workspace: Path
) -> None:
    result = CliRunner().invoke(main, ["ontology", *homes, "--in", str(workspace), "--support", support, "--json"])

    assert 0 == result.exit_code
    record = json.loads(result.stdout)
    assert [] == record["concepts"] == record["is_a"]
    assert why in result.stderr


@pytest.mark.parametrize(
    "arguments", [[], ["--live"], ["nonsense", "--in", "{ws}"], ["--in", "{ws}", "--wordnet", "/"]]
)
def test_wrong_usage_says_what_to_do(arguments: list[str], workspace: Path) -> None:
    result = CliRunner().invoke(main, ["ontology", *(part.replace("{ws}", str(workspace)) for part in arguments)])

    assert 2 == result.exit_code
    assert result.stderr


def test_explain_tells_what_a_page_means_in_the_taxonomy(workspace: Path) -> None:
    told = json.loads(CliRunner().invoke(main, ["explain", str(workspace), HOMES[0], "--json"]).stdout)["taxonomy"]
    about = json.loads(CliRunner().invoke(main, ["explain", str(workspace), f"{HOMES[0]}sport", "--json"]).stdout)

    assert ("Sports", "Tennis") in {(pair["parent"], pair["child"]) for pair in told["shows"]}
    assert "Sports" == about["taxonomy"]["page_of"][0]["label"]
