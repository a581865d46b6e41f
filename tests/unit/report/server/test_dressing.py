"""An archived page is dressed with the style sheets and images that were captured with it, and with nothing else."""

import base64
import io
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from selectolax.lexbor import LexborHTMLParser
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from sitestrata.report.server import dressing, make_app
from sitestrata.run.mine import mine

PIXEL = base64.b64decode("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7")
PAGE = """<html><head><title>Dressed</title><base href="/sub/">
<link rel="stylesheet" href="../main.css" media="screen and (min-width: 10px)">
<link rel="stylesheet" href="//away.example/x.css">
<style>h1{background:url(/dot.gif)} h2{background:url(missing.gif)}</style></head>
<body><h1 style="border-image:url('../dot.gif')">Dressed</h1>
<img src="../dot.gif" alt="dot"><img src="gone.gif" alt="gone">
<img src="../page.html" alt="page"><img src="../run.svg"><img src="data:image/gif;base64,R0lG">
<img src="data:text/html,x">
<a href="page.html">page</a></body></html>"""
FILES = {
    "/": ("text/html", PAGE.encode()),
    "/page.html": ("text/html", b"<html><title>p</title><body><a href=/>home</a>"),
    "/main.css": ("text/css", b"@import 'more.css' print; p{color:red;background:url(dot.gif)}"),
    "/more.css": ("text/css", b"@import url(main.css); b{background:url(https://away.example/b.gif)}"),
    "/dot.gif": ("image/gif", PIXEL),
    "/run.svg": ("image/svg+xml", b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>"),
}


def write_web(path: Path, files: Mapping[str, tuple[str, bytes]]) -> None:
    with path.open("wb") as file:
        writer = WARCWriter(file, gzip=True)
        for place, (kind, body) in files.items():
            headers = StatusAndHeaders("200 OK", [("Content-Type", kind)], protocol="HTTP/1.1")
            uri = f"https://dressed.example{place}"
            record = writer.create_warc_record(uri, "response", payload=io.BytesIO(body), http_headers=headers)
            writer.write_record(record)


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dressed")
    write_web(folder / "web.warc.gz", FILES)
    mine([folder / "web.warc.gz"], folder / "ws", workers=1)
    return folder / "ws"


@pytest.fixture
def shown(workspace: Path) -> Iterator[LexborHTMLParser]:
    with TestClient(make_app(workspace), base_url="http://127.0.0.1") as client:
        page = client.get("/api/find", params={"url": "https://dressed.example/"}).json()["page"]
        yield LexborHTMLParser(client.get(f"/api/pages/{page}/archive").text)


DOT = f"data:image/gif;base64,{base64.b64encode(PIXEL).decode()}"


def test_captured_images_are_shown_and_others_stay_blank(shown: LexborHTMLParser) -> None:
    sources = [node.attributes.get("src") for node in shown.css("img")]

    assert [DOT, None, None] == sources[:3]
    assert (sources[3] or "").startswith("data:image/svg+xml;base64,")
    assert ["data:image/gif;base64,R0lG", None] == sources[4:]


def test_captured_sheets_count_with_what_they_import_and_their_images_once(shown: LexborHTMLParser) -> None:
    style = "".join(node.text() for node in shown.css("style"))

    assert "@media screen and (min-width: 10px) {" in style
    assert "@media print {" in style
    assert 1 == style.count(DOT)
    assert 2 == style.count("background:var(--ss-image-")
    assert "away.example/x.css" not in style
    assert 3 == style.count("x-none(")  # missing.gif, what is elsewhere, the import
    assert "var(--ss-image-" in (shown.css("h1")[0].attributes["style"] or "")


def test_nothing_in_the_answer_names_an_address_that_a_browser_would_ask_for(shown: LexborHTMLParser) -> None:
    style = "".join(node.text() for node in shown.css("style"))

    assert style.lower().count("url(") == style.count(f"url({DOT})") + style.count("url(data:image/svg+xml")
    for node in shown.css("*"):
        assert (node.attributes.get("src") or "data:image/").startswith("data:image/")
        assert not {"href", "srcset", "background", "poster"} & set(node.attributes) or node.tag == "a"


def test_a_page_of_too_many_or_too_large_images_shows_those_that_fit(
    workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dressing, "MAX_IMAGE", len(PIXEL))
    monkeypatch.setattr(dressing, "MAX_PICTURES", 2 * len(PIXEL))
    with TestClient(make_app(workspace), base_url="http://127.0.0.1") as client:
        page = client.get("/api/find", params={"url": "https://dressed.example/"}).json()["page"]

        answer = client.get(f"/api/pages/{page}/archive").text

    assert DOT not in answer
    assert "data:image/svg" not in answer
    assert "Dressed" in answer
