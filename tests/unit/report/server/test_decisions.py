"""Corrections and judgements through the HTTP interface."""

import json
from pathlib import Path
from typing import Any

from fastapi.testclient import TestClient

from sitestrata.evaluate.formats import read_facts
from sitestrata.evaluate.judge import read_judged
from sitestrata.model import Decision
from sitestrata.run.decisions import add_decision, read_decisions

Served = tuple[TestClient, Path]


def two_sites(client: TestClient) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = client.get("/api/sites", params={"limit": 2}).json()["rows"]
    return rows


def test_a_merge_is_kept_listed_withdrawn_and_given_out_as_gold(private: Served, tmp_path: Path) -> None:
    client, folder = private
    first, second = two_sites(client)
    body = {"kind": "merge", "subject": first["entry_url"], "object": second["entry_url"], "note": "<b>same</b>"}

    made = client.post("/api/decisions", json=body)

    assert 201 == made.status_code
    assert client.get("/api/overview").json()["pending"]
    assert ["<b>same</b>"] == [entry["note"] for entry in client.get("/api/decisions").json()]
    (tmp_path / "gold.jsonl").write_text(client.get("/api/gold").text)
    assert 1 == len(read_facts([tmp_path / "gold.jsonl"]).pairs)
    assert 200 == client.post(f"/api/decisions/{made.json()['id']}/withdraw", json={}).status_code
    assert 404 == client.post(f"/api/decisions/{made.json()['id']}/withdraw", json={}).status_code
    assert () == read_decisions(folder)
    assert not client.get("/api/overview").json()["pending"]


def test_decisions_that_make_no_sense_are_refused(private: Served) -> None:
    client, folder = private
    site = two_sites(client)[0]["entry_url"]
    for body in (
        {"kind": "merge", "subject": site, "object": site},
        {"kind": "merge", "subject": site, "object": "https://nowhere.example/"},
        {"kind": "name", "subject": site, "object": "   "},
        {"kind": "menu-role", "subject": "12", "object": "main"},
        {"kind": "menu-role", "subject": "x' OR 1=1 --", "object": "main"},
        {"kind": "reject-concept", "subject": "1"},
        {"kind": "explode", "subject": site},
        {"kind": "name", "subject": site, "object": "x", "extra": 1},
        {},
    ):
        assert client.post("/api/decisions", json=body).status_code in (400, 404, 422), body
    assert () == read_decisions(folder)


def test_a_menu_goes_by_its_items_and_what_is_gone_is_said_to_have_no_effect(private: Served) -> None:
    client, folder = private
    site = two_sites(client)[0]
    menu = client.get(f"/api/sites/{site['site']}/menus").json()["rows"][0]

    client.post("/api/decisions", json={"kind": "menu-role", "subject": menu["menu"], "object": "toc"})
    decided = read_decisions(folder)[0]
    fewer = Decision("menu-role", "1", "footer", decided.place, decided.targets[:-1])
    for decision in (
        fewer,
        Decision("menu-role", "2", "footer", decided.place, ("https://gone.example/",)),
        Decision("name", "https://gone.example/", "Gone"),
        Decision("name", site["entry_url"], "Here"),
    ):
        add_decision(folder, decision)

    assert {item["url"] for item in menu["items"]} >= set(decided.targets) > set()
    listed = client.get("/api/decisions").json()
    assert [False, False, True, True, False] == [entry["is_lapsed"] for entry in reversed(listed)]


def test_pairs_are_judged_once_and_kept_where_eval_finds_them(private: Served) -> None:
    client, folder = private
    pairs = client.get("/api/pairs", params={"count": 3, "seed": 5}).json()["rows"]
    first, second = pairs[0]

    answer = client.post("/api/pairs", json={"first": first["url"], "second": second["url"], "same": False})

    assert {"judged": 1} == answer.json()
    assert [(first["url"], second["url"], False)] == [
        (pair.first, pair.second, pair.same) for pair in read_judged(folder / "judged.jsonl")
    ]
    assert pairs[0] not in client.get("/api/pairs", params={"count": 3, "seed": 5}).json()["rows"]
    assert {"first": first["url"], "second": second["url"], "same": False} == json.loads(client.get("/api/gold").text)
