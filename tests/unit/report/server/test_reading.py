"""Blocks, labels and records of a page are read off the page when they are asked for."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from selectolax.lexbor import LexborHTMLParser

from sitestrata.report.server import make_app, reading
from sitestrata.run.mine import mine

TOWNS = ("Bath", "Leeds", "Truro", "Wells", "York")
PAGE = """<html><head><title>{title}</title></head><body>
<nav><ul><li><a href="/">Home</a><li><a href="/towns.html">Towns</a><li><a href="/about.html">About</a></ul></nav>
<main><h1>{title}</h1><div>{content}</div></main><footer><p>Printed in 1998</p></footer></body></html>"""
RECORDS = "".join(
    f"<div class=town><h3><a href=/{town}.html>{town}</a></h3><p>{n}00 houses</p><p>Market on day {n}</p></div>"
    for n, town in enumerate(TOWNS, 1)
)


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("towns")
    pages = {"index.html": "Welcome", "towns.html": RECORDS, "about.html": "<p>About us</p>"}
    said = "A long sentence that goes on for quite some time before it names"
    pages["prose.html"] = "".join(f"<p>{said} <a href=/{town}.html>{town}</a>, and ends.</p>" for town in TOWNS)
    pages["bare.html"] = f"<ul>{''.join(f'<li><a href=/{town}.html>{town}</a>' for town in TOWNS)}</ul>"
    pages |= {f"{town}.html": f"<p>{town} is a town of some size and much rain</p>" for town in TOWNS}
    (folder / "web").mkdir()
    for name, content in pages.items():
        (folder / "web" / name).write_text(PAGE.format(title=name, content=content))
    mine([folder / "web"], folder / "ws", base_url="https://towns.example/", workers=1)
    return folder / "ws"


@pytest.fixture(scope="module")
def towns(workspace: Path) -> Iterator[TestClient]:
    with TestClient(make_app(workspace), base_url="http://127.0.0.1") as client:
        yield client


@pytest.fixture(scope="module")
def page(towns: TestClient) -> str:
    found: str = towns.get("/api/find", params={"url": "https://towns.example/towns.html"}).json()["page"]
    return found


def layers(client: TestClient, page: str) -> dict[str, Any]:
    return {layer["name"]: layer for layer in client.get(f"/api/pages/{page}").json()["layers"]}


def test_records_of_a_listing_are_drawn_one_by_one(towns: TestClient, page: str) -> None:
    tree = LexborHTMLParser(towns.get(f"/api/pages/{page}/archive").text)

    records = tree.css("[data-ss-records]")
    assert ["town"] * 5 == [node.attributes["class"] for node in records]
    tags = [(tag.text(), tag.attributes["title"]) for tag in tree.css(".ss-t-records")]
    assert [(str(number), town) for number, town in enumerate(TOWNS, 1)] == tags
    assert 5 == layers(towns, page)["records"]["count"]


def test_the_menu_of_a_page_is_no_list_of_records(towns: TestClient) -> None:
    about = towns.get("/api/find", params={"url": "https://towns.example/about.html"}).json()["page"]

    assert 0 == layers(towns, about)["records"]["count"]
    assert layers(towns, about)["menus"]["count"]


@pytest.mark.parametrize("name", ["prose.html", "bare.html"])
def test_neither_paragraphs_nor_bare_labels_are_records(towns: TestClient, name: str) -> None:
    page = towns.get("/api/find", params={"url": f"https://towns.example/{name}"}).json()["page"]

    assert 0 == layers(towns, page)["records"]["count"]


def test_every_label_leads_to_a_place_on_the_page(towns: TestClient, page: str) -> None:
    labels = towns.get(f"/api/pages/{page}/labels").json()

    assert labels["is_ready"]
    assert set(TOWNS) <= {row["label"] for row in labels["rows"]}
    blocks = [row for row in labels["rows"] if row["kind"] == "block"]
    assert len(blocks) == layers(towns, page)["blocks"]["count"] > 1
    bath = next(row for row in labels["rows"] if row["label"] == "Bath" and row["role"] != "navigation")
    tree = LexborHTMLParser(towns.get(f"/api/pages/{page}/archive", params={"focus": bath["node"]}).text)
    (place,) = tree.css("[data-ss-focus]")
    assert "Bath" in place.text()
    assert "ss-focus" in {node.attributes.get("id") for node in tree.css(".ss-here")}


def test_the_tag_of_a_mark_leads_to_the_same_page_with_that_mark_in_focus(towns: TestClient, page: str) -> None:
    tree = LexborHTMLParser(towns.get(f"/api/pages/{page}/archive", params={"view": "abc"}).text)
    tag = next(tag for tag in tree.css("a.ss-tag") if tag.attributes["title"] == "Leeds")
    assert -1 == towns.get("/api/looks/abc").json()["focus"]

    answer = towns.get(f"/api/pages/{page}/archive{(tag.attributes['href'] or '').partition('#')[0]}")

    (place,) = LexborHTMLParser(answer.text).css("[data-ss-focus]")
    assert "Leeds" in place.text()
    rows = towns.get(f"/api/pages/{page}/labels").json()["rows"]
    focus = towns.get("/api/looks/abc").json()["focus"]
    towns.get(f"/api/pages/{page}/archive", params={"view": "abc", "focus": 1})  # shown by the view, picked by nobody
    assert {"focus": focus, "count": 1} == towns.get("/api/looks/abc").json()
    assert "Leeds" == next(row["label"] for row in rows if row["label"] and row["leaf"] >= focus)


def test_a_page_that_is_too_large_is_shown_without_them(
    workspace: Path, page: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "MAX_WORK", 10)
    with TestClient(make_app(workspace), base_url="http://127.0.0.1") as client:
        found = layers(client, page)
        labels = client.get(f"/api/pages/{page}/labels").json()

    assert not found["blocks"]["is_ready"]
    assert "too large" in found["records"]["why"]
    assert found["menus"]["is_ready"]
    assert not labels["is_ready"]


def test_a_page_whose_source_is_gone_says_so(tmp_path: Path) -> None:
    (tmp_path / "web").mkdir()
    (tmp_path / "web" / "a.html").write_text(PAGE.format(title="A", content="<p>x"))
    mine([tmp_path / "web"], tmp_path / "ws", base_url="https://gone.example/", workers=1)
    (tmp_path / "web" / "a.html").unlink()
    with TestClient(make_app(tmp_path / "ws"), base_url="http://127.0.0.1") as client:
        page = client.get("/api/pages").json()["rows"][0]["page"]

        assert not layers(client, page)["blocks"]["is_ready"]
        assert layers(client, page)["blocks"]["why"]
        assert "cannot be shown" in client.get(f"/api/pages/{page}/archive").text
        assert client.get(f"/api/pages/{page}/labels").json()["reason"]


def test_only_so_many_pages_are_kept() -> None:
    made: list[int] = []
    recent = reading._Recent()
    for number in [*range(reading.KEPT + 1), reading.KEPT, 0]:
        recent.get(number, lambda number=number: made.append(number))  # type: ignore[misc]

    assert [*range(reading.KEPT + 1), 0] == made
