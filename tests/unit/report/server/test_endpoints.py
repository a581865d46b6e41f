"""What the HTTP interface tells about the sample web agrees with the tables and the command line."""

from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from sitestrata.report.server import make_app
from sitestrata.run.listing import list_sites
from sitestrata.run.workspace import open_workspace


def test_overview_counts_the_rows_of_the_tables(client: TestClient, sample_workspace: Path) -> None:
    answer = client.get("/api/overview").json()
    workspace = open_workspace(sample_workspace)

    assert workspace.count("pages") == answer["counts"]["pages"]
    assert answer["is_finished"]
    assert not answer["pending"]


def test_sites_are_those_of_the_command_line(client: TestClient, sample_workspace: Path) -> None:
    rows = client.get("/api/sites", params={"limit": 200}).json()["rows"]

    expected = [(row["entry_url"], row["name"], row["pages"]) for row in list_sites(open_workspace(sample_workspace))]
    assert sorted(expected) == sorted((row["entry_url"], row["name"], row["pages"]) for row in rows)
    assert all(isinstance(row["site"], str) for row in rows)


@pytest.mark.parametrize("sort", ["url", "title", "links", "confidence", "language"])
@pytest.mark.parametrize("is_falling", [False, True])
def test_screens_of_pages_hold_every_page_once_in_order(client: TestClient, sort: str, is_falling: bool) -> None:
    whole = client.get("/api/pages", params={"sort": sort, "descending": is_falling, "limit": 200}).json()
    seen: list[str] = []
    back: list[str | None] = []
    cursor = None
    while True:
        given = {"sort": sort, "descending": is_falling, "limit": 7, **({"cursor": cursor} if cursor else {})}
        screen = client.get("/api/pages", params=given).json()
        seen += [row["page"] for row in screen["rows"]]
        back.append(screen["previous"])
        cursor = screen["next"]
        if cursor is None:
            break

    assert [row["page"] for row in whole["rows"]] == seen
    assert whole["total"] == len(seen)
    assert back[0] is None
    given = {"sort": sort, "descending": is_falling, "limit": 7, "cursor": back[2]}
    assert seen[7:14] == [row["page"] for row in client.get("/api/pages", params=given).json()["rows"]]


def test_a_made_up_place_in_a_list_is_refused(client: TestClient) -> None:
    for cursor in ("x", "bnVsbA", "WzEsMiwzXQ", "W1tdLCIxIixmYWxzZV0", "💥"):
        assert client.get("/api/pages", params={"cursor": cursor}).status_code in (400, 422), cursor


def test_searching_finds_by_title_and_address_in_any_case(client: TestClient, some_page: dict[str, str]) -> None:
    word = some_page["url"][8:24].upper()

    rows = client.get("/api/pages", params={"q": word, "limit": 200}).json()["rows"]

    assert some_page["page"] in [row["page"] for row in rows]
    assert all(word.lower() in (row["url"] + " " + row["title"]).lower() for row in rows)


def test_a_page_tells_its_reasons_and_its_layers(client: TestClient, some_page: dict[str, str]) -> None:
    answer = client.get(f"/api/pages/{some_page['page']}").json()

    assert some_page["url"] == answer["url"]
    assert client.get(f"/api/pages/{some_page['page']}/known").json()["site"]["why"]
    segments = next(layer for layer in answer["layers"] if layer["name"] == "segments")
    assert segments["is_ready"]
    assert segments["count"] > 0


def test_an_archived_page_is_sandboxed_and_shows_its_text(client: TestClient, some_page: dict[str, str]) -> None:
    answer = client.get(f"/api/pages/{some_page['page']}/archive", params={"show": "segments"})

    assert answer.headers["content-security-policy"].startswith("sandbox;")
    assert "frame-ancestors 'self'" in answer.headers["content-security-policy"]
    assert "data-ss-segments" in answer.text
    assert "<script" not in answer.text


def test_an_address_leads_to_its_page(client: TestClient, some_page: dict[str, str]) -> None:
    assert some_page["page"] == client.get("/api/find", params={"url": some_page["url"]}).json()["page"]
    assert 404 == client.get("/api/find", params={"url": "https://nowhere.example/"}).status_code
    assert 404 == client.get("/api/find", params={"url": "no address"}).status_code


def test_the_map_joins_sites_by_their_links(client: TestClient) -> None:
    answer = client.get("/api/map").json()

    count = len(answer["site"])
    assert count == answer["total"]
    assert {count} == {len(answer[name]) for name in ("name", "host", "domain", "method", "pages", "confidence")}
    assert answer["source"]
    assert all(a != b and max(a, b) < count for a, b in zip(answer["source"], answer["target"], strict=True))


def test_a_site_knows_its_hosts_and_neighbours(client: TestClient) -> None:
    largest = client.get("/api/sites", params={"limit": 1}).json()["rows"][0]

    answer = client.get(f"/api/sites/{largest['site']}").json()

    assert answer["pages"] == sum(row["pages"] for row in answer["host_pages"])
    for part in ("tree", "menus", "scales"):
        assert 200 == client.get(f"/api/sites/{largest['site']}/{part}").status_code, part


def test_a_site_lists_its_subsites_and_each_its_pages(client: TestClient) -> None:
    sites = client.get("/api/sites", params={"limit": 200}).json()["rows"]
    parts = [part for row in sites for part in client.get(f"/api/sites/{row['site']}").json()["subsites"]]

    assert parts
    for part in parts:
        listed = client.get("/api/pages", params={"subsite": part["subsite"], "limit": 1}).json()
        assert part["pages"] == listed["total"]


def test_scales_are_nested_around_the_entry_page(client: TestClient) -> None:
    largest = client.get("/api/sites", params={"limit": 1}).json()["rows"][0]

    chain = client.get(f"/api/sites/{largest['site']}/scales").json()["chain"]

    sizes = [step["size"] for step in chain]
    assert sizes == sorted(sizes, reverse=True)
    assert all(step["sites"] for step in chain)


def test_what_does_not_exist_is_not_found(client: TestClient) -> None:
    for path in ("sites/1", "pages/1", "taxonomy/1", "runs/1", "compare/x", "pages/99999999999999999999", "nothing"):
        assert client.get(f"/api/{path}").status_code in (404, 422), path


def test_a_folder_without_a_workspace_says_so_and_offers_to_mine(tmp_path: Path) -> None:
    with TestClient(make_app(tmp_path / "new"), base_url="http://127.0.0.1") as client:
        answer = client.get("/api/overview")

        assert 503 == answer.status_code
        assert "no workspace" in answer.json()["error"]
        assert [] == client.get("/api/runs").json()


def test_a_question_that_takes_too_long_is_broken_off(sample_workspace: Path) -> None:
    from sitestrata.report.server.catalogue import Snapshot, TooSlowError

    snapshot = Snapshot(open_workspace(sample_workspace), seconds=0.2)

    with pytest.raises(TooSlowError):
        snapshot.rows("SELECT count(*) FROM range(100000) a, range(100000) b, range(1000) c WHERE a.range > b.range")


def test_concepts_are_opened_from_the_top_with_labels_ties_and_instances(taught_workspace: Path) -> None:
    with TestClient(make_app(taught_workspace), base_url="http://127.0.0.1") as client:
        (top,) = client.get("/api/taxonomy").json()["rows"]
        (below,) = client.get("/api/taxonomy", params={"parent": top["concept"]}).json()["rows"]
        (by_label,) = client.get("/api/taxonomy", params={"q": "rugger"}).json()["rows"]
        rugby = client.get("/api/taxonomy/7").json()
        found = client.get("/api/taxonomy/7/instances", params={"limit": 2}).json()
        in_bath = client.get("/api/taxonomy/7/instances", params={"facet": "Town", "value": "Bath"}).json()

    assert ("Sports", "Rugby", "Rugby") == (top["label"], below["label"], by_label["label"])
    assert (1, 3) == (top["children"], below["instances"])
    assert ["Rugby", "Rugger"] == sorted(label["label"] for label in rugby["labels"])
    assert ["Sports"] == [tie["parent_label"] for tie in rugby["broader"]]
    assert (2, 3) == (len(found["rows"]), found["total"])
    assert [{"label": "Town", "values": [{"value": "Bath", "count": 2}, {"value": "Leeds", "count": 1}]}] == found[
        "facets"
    ]
    assert ["Match 0", "Match 1"] == [row["name"] for row in in_bath["rows"]]


def test_the_tree_opens_a_level_at_a_time_and_is_searched_with_the_way_down(client: TestClient) -> None:
    largest = client.get("/api/sites", params={"limit": 1}).json()["rows"][0]
    path = f"/api/sites/{largest['site']}/tree"

    (root,) = client.get(path).json()["rows"]
    below = client.get(path, params={"parent": root["page"]}).json()["rows"]
    hits = client.get(path, params={"q": below[0]["label"]}).json()["rows"]

    assert largest["pages"] == root["pages"] == 1 + sum(row["pages"] for row in below)
    assert root["children"] == len(below)
    hit = next(row for row in hits if row["page"] == below[0]["page"])
    assert [root["page"]] == [step["page"] for step in hit["trail"]]


def test_menus_of_a_site_have_items_that_lead_to_pages(client: TestClient) -> None:
    largest = client.get("/api/sites", params={"limit": 1}).json()["rows"][0]

    menus = client.get(f"/api/sites/{largest['site']}/menus").json()

    assert menus["is_ready"]
    assert menus["rows"]
    item = next(item for menu in menus["rows"] for item in menu["items"] if item["page"])
    assert client.get("/api/find", params={"url": item["url"]}).status_code in (200, 404)


def test_two_workspaces_are_compared_page_by_page(sample_workspace: Path, taught_workspace: Path) -> None:
    app = make_app(sample_workspace, compare_with={"same": taught_workspace})
    with TestClient(app, base_url="http://127.0.0.1") as client:
        answer = client.get("/api/compare/same").json()
        moved = client.get("/api/compare/same/pages", params={"kind": "moved"}).json()
        total = client.get("/api/pages", params={"limit": 1}).json()["total"]

    assert {"new": 0, "lost": 0, "moved": 0, "kept": total} == answer["counts"]
    assert all(row["before"]["pages"] == row["after"]["pages"] == row["shared"] for row in answer["sites"])
    assert [] == moved["rows"]
    assert [] == answer["menus"]
