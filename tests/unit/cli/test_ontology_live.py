"""``sitestrata ontology --live``: home pages, translations, concept pages and records fetched as they are wanted."""

import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

pytestmark = [pytest.mark.network, pytest.mark.slow]

MENU = {"en": ("Pots", "Knives", "Lamps"), "de": ("Töpfe", "Messer", "Lampen")}
ADDRESSES = ("pots", "knives", "lamps")


def _page(path: str) -> str | None:
    if path in ("/", "/de/"):
        language = "de" if path == "/de/" else "en"
        items = "".join(
            f"<li><a href='/{a}'>{name}</a></li>" for a, name in zip(ADDRESSES, MENU[language], strict=True)
        )
        return f"<html lang={language}><title>Shop</title><ul>{items}</ul><p><a href='/de/' hreflang=de>Deutsch</a></p>"
    if path == "/pots":
        rows = "".join(f"<div><h3><a href='/item{n}'>Pan {n}</a></h3><p>Sturdy {n}</p></div>" for n in range(1, 5))
        return f"<html lang=en><title>Pots</title><main>{rows}</main>"
    if path.startswith("/item"):
        number = path.removeprefix("/item")
        return f"<title>Pan {number}</title><h1>Pan {number}</h1><dl><dt>Weight</dt><dd>{number}50 g</dd></dl>"
    return None


class _Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        body = _page(self.path)
        self.send_response(200 if body else 404)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.end_headers()
        self.wfile.write((body or "").encode())

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    with ThreadingHTTPServer(("127.0.0.1", 0), _Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_address[1]
        server.shutdown()


def test_an_ontology_is_built_while_pages_are_fetched(port: int) -> None:
    homes = [f"http://{host}:{port}/" for host in ("127.0.0.1", "localhost")]
    command = [sys.executable, "-m", "sitestrata", "ontology", *homes, "--live", "--allow-private", "--delay", "0"]
    done = subprocess.run([*command, "--no-wordnet", "--json"], capture_output=True, timeout=120, check=False)

    assert 0 == done.returncode, done.stderr
    record = json.loads(done.stdout)
    pots = next(concept for concept in record["concepts"] if "Pots" in concept["labels"])
    assert "Töpfe" in pots["labels"]
    assert 2 == pots["support"]
    pan = next(one for one in record["instances"] if one["page"] == f"{homes[0]}item3")
    assert ("Weight", "350 g") in {(attribute["label"], attribute["value"]) for attribute in pan["attributes"]}
