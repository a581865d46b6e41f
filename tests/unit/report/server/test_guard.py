"""Only our own pages may ask, only with the token may anything change, and answers cannot reach out."""

from fastapi.testclient import TestClient


def test_another_host_name_is_refused_so_that_rebinding_a_name_gains_nothing(client: TestClient) -> None:
    for host in ("evil.example", "evil.example:8737", "127.0.0.1.evil.example", "", "localhost@evil.example"):
        assert 421 == client.get("/api/overview", headers={"host": host}).status_code, host
    for host in ("127.0.0.1:8737", "localhost:9", "[::1]:8737"):
        assert 200 == client.get("/api/overview", headers={"host": host}).status_code, host


def test_another_origin_is_refused_even_for_reading(client: TestClient) -> None:
    for origin in ("http://evil.example", "null", "https://127.0.0.1:8737", "http://127.0.0.1:1"):
        assert 403 == client.get("/api/overview", headers={"origin": origin}).status_code, origin

    assert 200 == client.get("/api/overview", headers={"origin": "http://127.0.0.1:8737"}).status_code


def test_a_request_that_another_site_made_the_browser_send_is_refused(client: TestClient) -> None:
    crossing = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors", "sec-fetch-dest": "image"}
    following = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document"}

    assert 403 == client.get("/api/overview", headers=crossing).status_code
    assert 403 != client.get("/", headers=following).status_code


def test_only_the_frame_of_an_archived_page_may_be_led_on_by_a_page_of_no_origin(client: TestClient) -> None:
    framed = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "iframe"}

    for path in ("/", "/api/overview", "/api/pages/1/archive/x", "/api/looks/a"):
        assert 403 == client.get(path, headers=framed).status_code, path
    assert 404 == client.get("/api/pages/1/archive", headers=framed).status_code
    assert 403 == client.get("/api/pages/1/archive", headers={**framed, "sec-fetch-mode": "cors"}).status_code


def test_changes_need_the_token(client: TestClient) -> None:
    body = {"kind": "name", "subject": "https://example.org/", "object": "x"}
    for headers in ({}, {"x-sitestrata-token": ""}, {"x-sitestrata-token": "test-tokem"}):
        assert 401 == client.post("/api/decisions", json=body, headers=headers).status_code
    for path in ("/api/runs", "/api/runs/1/cancel", "/api/decisions/x/withdraw", "/api/pairs"):
        assert 401 == client.post(path, json={}).status_code


def test_changes_must_be_json_and_small(client: TestClient) -> None:
    token = {"x-sitestrata-token": "test-token"}
    form = {**token, "content-type": "application/x-www-form-urlencoded"}

    assert 415 == client.post("/api/decisions", content=b"kind=name", headers=form).status_code
    assert 413 == client.post("/api/decisions", json={"kind": "x" * 70_000}, headers=token).status_code


def test_every_answer_forbids_loading_from_elsewhere(client: TestClient) -> None:
    for path in ("/", "/api/overview", "/api/nothing", "/assets/none.js", "/api/pages/1/archive"):
        headers = client.get(path).headers

        assert "default-src 'none'" in headers["content-security-policy"], path
        assert "unsafe-eval" not in headers["content-security-policy"]
        assert "script-src 'self' 'unsafe" not in headers["content-security-policy"]
        assert "nosniff" == headers["x-content-type-options"]
        assert "no-referrer" == headers["referrer-policy"]


def test_an_endless_address_is_refused(client: TestClient) -> None:
    assert 414 == client.get("/api/pages", params={"q": "x" * 9000}).status_code


def test_a_file_outside_the_bundle_cannot_be_named(client: TestClient) -> None:
    for path in ("/assets/../index.html", "/assets/..%2f..%2fapp.py", "/assets/%2e%2e/server/app.py"):
        assert "import" not in client.get(path).text
