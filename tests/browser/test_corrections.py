"""Every kind of correction is made where a person sees what is wrong, and holds when the workspace is mined again."""

import io
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from sitestrata.run.mine import mine

# Four sites of one domain; "Course" and "Courses" are taken for one concept.
SITES = {
    "alpha": ("News", "Courses", "Sports", "Weather", "Maps"),
    "beta": ("News", "Course", "Sports", "Weather", "Jobs"),
    "gamma": ("News", "Courses", "Sports", "Weather", "Books"),
    "delta": ("News", "Course", "Sports", "Maps", "Books"),
}
FOOTER = ("About", "Contact", "Terms")


def write_web(path: Path) -> None:
    with path.open("wb") as file:
        writer = WARCWriter(file, gzip=True)
        for name, labels in SITES.items():
            items = [[f"<li><a href=/{label.lower()}.html>{label}</a>" for label in some] for some in (labels, FOOTER)]
            nav = f"<nav><ul><li><a href=/>Home</a>{''.join(items[0])}</ul></nav>"
            footer = f"<footer><ul>{''.join(items[1])}</ul></footer>"
            for page in ("", *(f"{label.lower()}.html" for label in (*labels, *FOOTER))):
                title = f"{page.removesuffix('.html') or 'Home'} of {name}"
                html = f"<html><head><title>{title}</title></head><body>{nav}<h1>{title}</h1>{footer}</body></html>"
                headers = StatusAndHeaders("200 OK", [("Content-Type", "text/html")], protocol="HTTP/1.1")
                body = io.BytesIO(html.encode())
                uri = f"https://{name}.example/{page}"
                writer.write_record(writer.create_warc_record(uri, "response", payload=body, http_headers=headers))


@pytest.fixture
def browser(tmp_path: Path, serve: Callable[..., Any], watch: Callable[..., Any]) -> Any:
    write_web(tmp_path / "web.warc.gz")
    mine([tmp_path / "web.warc.gz"], tmp_path / "ws", workers=1)
    return watch(serve(tmp_path / "ws"))


def test_each_kind_of_correction_holds_when_mined_again(browser: Any) -> None:
    page = browser.page

    def ask(path: str) -> Any:
        return page.evaluate("path => fetch(path).then(r => r.json())", path)

    def page_of(url: str) -> Any:
        return ask(f"/api/pages/{ask(f'/api/find?url={url}')['page']}")

    def kept() -> None:
        page.get_by_text("Kept. Mine again").first.wait_for()

    def mine_again() -> None:
        browser.open("/correct")
        page.get_by_role("button", name="Mine again").click()
        page.locator(".badge.done").wait_for(timeout=120_000)

    entries = {row["entry_url"]: row["site"] for row in ask("/api/sites")["rows"]}
    assert {f"https://{name}.example/" for name in SITES} == set(entries)

    # A site is renamed, another becomes part of a third.
    browser.open(f"/site/{entries['https://alpha.example/']}")
    page.get_by_role("button", name="Rename").click()
    page.get_by_role("dialog").get_by_label("Name").fill("Alpha Town")
    page.get_by_role("dialog").get_by_role("button", name="Keep").click()
    kept()
    browser.open("/correct")
    page.get_by_placeholder("The site that is a part").fill("delta.example")
    page.locator(".picker li button", has_text="delta.example").click()
    page.get_by_placeholder("The site that it is a part of").fill("gamma.example")
    page.locator(".picker li button", has_text="gamma.example").click()
    kept()

    # A page is moved.
    terms = page_of("https://alpha.example/terms.html")
    browser.open(f"/page/{terms['page']}")
    page.get_by_role("button", name="Move to another site").click()
    page.get_by_role("dialog").get_by_placeholder("Find a site").fill("beta.example")
    page.get_by_role("dialog").locator(".picker li button", has_text="beta.example").click()
    kept()

    # A menu gets another role.
    browser.open(f"/site/{entries['https://beta.example/']}/menus")
    page.locator(".card", has_text="Contact").get_by_label("Role").select_option("toc")
    kept()

    # A concept and a synonym are rejected.
    concepts = {row["label"]: row["concept"] for row in ask("/api/taxonomy")["rows"]}
    browser.open(f"/taxonomy/{concepts['Weather']}")
    page.get_by_role("button", name="This is no concept").click()
    kept()
    browser.open(f"/taxonomy/{concepts['Course']}")
    page.locator(".card li", has_text="Courses").get_by_role("button", name="Reject").click()
    kept()

    browser.open("/correct")
    said = page.locator(".decisions").inner_text()
    for words in (
        "“Courses” does not mean “Course”", "“Weather” is no concept",
        "A menu is: List of contents (it was footer: About, Contact",
        "alpha.example/terms.html belongs to the site of", "is called “Alpha Town”", "is a part of the site of",
    ):  # fmt: skip
        assert words in said
    mine_again()

    sites = {row["entry_url"]: row for row in ask("/api/sites")["rows"]}
    assert {f"https://{name}.example/" for name in ("alpha", "beta", "gamma")} == set(sites)
    assert "Alpha Town" == sites["https://alpha.example/"]["name"]
    assert 18 == sites["https://gamma.example/"]["pages"]
    assert "https://beta.example/" == page_of("https://alpha.example/terms.html")["entry_url"]
    menus = ask(f"/api/sites/{entries['https://beta.example/']}/menus")["rows"]
    about = "https://beta.example/about.html"
    assert ["toc"] == [menu["role"] for menu in menus if about in [item["url"] for item in menu["items"]]]
    # The merged site made other concepts of the domain; what was said about two of them by name still holds.
    now = {row["label"]: row["concept"] for row in ask("/api/taxonomy")["rows"]}
    assert "News" in now
    assert "Weather" not in now
    (course,) = now.keys() & {"Course", "Courses"}
    assert [course] == [label["label"] for label in ask(f"/api/taxonomy/{now[course]}")["labels"]]
    browser.open("/correct")
    assert 0 == page.locator(".banner").count()
    assert 0 == page.get_by_text("no effect").count()

    # What was joined is a subsite; it is separated where the subsites are listed.
    browser.open(f"/site/{sites['https://gamma.example/']['site']}")
    joined = page.locator(".card li").filter(has=page.locator("[title*='delta.example']"))
    joined.get_by_role("button", name="Separate").click()
    kept()
    mine_again()

    sizes = {row["entry_url"]: row["pages"] for row in ask("/api/sites")["rows"]}
    assert 9 == sizes["https://gamma.example/"]
    assert 27 == sum(sizes.values()) - sizes["https://gamma.example/"]
    separate = page_of("https://delta.example/")
    assert separate["site"] == page_of("https://delta.example/maps.html")["site"]
    assert "https://gamma.example/" != separate["entry_url"]
    assert "decision" == separate["method"]
    assert [] == browser.errors


def test_pairs_are_judged_by_buttons_and_keys_and_become_gold(browser: Any) -> None:
    page = browser.page
    browser.open("/correct/judge")
    shown = page.locator("figcaption").all_inner_texts()
    assert 2 == len(shown)
    page.get_by_role("button", name="Yes, one site").click()
    page.get_by_text("1 pair judged").wait_for()
    page.wait_for_function("old => document.querySelector('figcaption').innerText !== old", arg=shown[0])
    page.get_by_role("button", name="Skip").focus()
    page.keyboard.press("n")
    page.get_by_text("2 pairs judged").wait_for()
    page.get_by_role("button", name="Skip").click()
    page.get_by_text("3 pairs judged").wait_for()

    lines = page.evaluate("fetch('/api/gold').then(r => r.text())").splitlines()
    pairs = [json.loads(line) for line in lines]
    assert [True, False] == [pair["same"] for pair in pairs]
    assert all(re.match(r"https://\w+\.example/", pair[side]) for pair in pairs for side in ("first", "second"))
    assert [] == browser.errors
