"""The report: what it shows, that it runs and loads nothing, that it bears any size and any text."""

import re
from pathlib import Path

import pytest
from lxml import html

from sitestrata.model import DataTable, PagePlace, Site
from sitestrata.report import SECTIONS, write_report
from sitestrata.report.style import STYLE
from sitestrata.urls import url_id
from support.workspaces import PAYLOADS, build_workspace, pages_of, web_of_texts

# Everything the report is built from; whatever else is in it came from a page.
TAGS = {
    "html",
    "head",
    "meta",
    "title",
    "style",
    "body",
    "header",
    "h1",
    "h2",
    "p",
    "div",
    "b",
    "span",
    "nav",
    "a",
    "main",
    "section",
    "svg",
    "g",
    "rect",
    "text",
    "circle",
    "line",
    "details",
    "summary",
    "dl",
    "dt",
    "dd",
    "ul",
    "li",
    "small",
    "code",
    "table",
    "caption",
    "thead",
    "tbody",
    "tr",
    "th",
    "td",
    "bdi",
    "footer",
}
ATTRIBUTES = {
    "lang",
    "charset",
    "http-equiv",
    "content",
    "name",
    "id",
    "class",
    "href",
    "rel",
    "style",
    "scope",
    "open",
    "aria-label",
    "role",
    "viewbox",
    "x",
    "y",
    "x1",
    "y1",
    "x2",
    "y2",
    "width",
    "height",
    "rx",
    "cx",
    "cy",
    "r",
    "text-anchor",
    "stroke-width",
    "stroke-opacity",
}


def parsed(path: Path) -> html.HtmlElement:
    return html.document_fromstring(path.read_bytes())


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_report(web_of_texts(tmp_path_factory.mktemp("hostile") / "ws", PAYLOADS))


def test_no_text_becomes_markup(hostile: Path) -> None:
    elements = [element for element in parsed(hostile).iter() if isinstance(element.tag, str)]

    assert set() == {element.tag for element in elements} - TAGS
    assert set() == {name.lower() for element in elements for name in element.attrib} - ATTRIBUTES
    assert not list(parsed(hostile).iter(html.etree.Comment))


def test_markup_of_our_own_is_not_shown_as_text(hostile: Path) -> None:
    shown = parsed(hostile).text_content()

    assert not re.search(r'<a href="#site-|<div><|<bdi>|rel="noreferrer', shown)


def test_links_lead_to_web_addresses_or_into_the_report(hostile: Path) -> None:
    page = parsed(hostile)
    targets = [element.get("href") for element in page.iter("a")]
    ids = {element.get("id") for element in page.iter() if element.get("id")}

    assert targets
    for target in targets:
        assert target.startswith(("http://", "https://")) or target[1:] in ids


def test_nothing_is_loaded_and_nothing_may_be(hostile: Path) -> None:
    text = hostile.read_text("utf-8")
    (policy,) = parsed(hostile).xpath("//meta[@http-equiv='Content-Security-Policy']/@content")

    assert "default-src 'none'" in policy
    assert text.index("Content-Security-Policy") < text.index("<style>")
    assert not re.search(r"url\(|@import|src=", text[: text.index("</style>")])


def test_texts_are_shown(hostile: Path) -> None:
    shown = " ".join(parsed(hostile).text_content().split())

    for text in PAYLOADS:
        if text.isprintable() and text.strip() and len(text) < 24:
            assert " ".join(text.split()) in shown


def test_controls_that_reorder_text_are_written_out(hostile: Path) -> None:
    text = hostile.read_text("utf-8")

    assert not set("\u202e\u2066\x1b\x00\x9b") & set(text)
    assert "\\u202e" in text


def test_the_style_sheet_is_whole() -> None:
    """A lost brace would silently switch off what follows it."""
    depth = 0
    for char in STYLE:
        depth += {"{": 1, "}": -1}.get(char, 0)
        assert 0 <= depth <= 2
    assert 0 == depth
    names = set(re.findall(r"var\((--\w+)\)", STYLE))
    assert names - {"--share"} <= set(re.findall(r"(--\w+):", STYLE))


def test_every_part_says_something(hostile: Path) -> None:
    titles = [element.text for element in parsed(hostile).iter("h2")]

    # A workspace made in a test was read from nowhere.
    assert [title for title in SECTIONS if title != "Sources"] == titles


def test_a_workspace_with_nothing_in_it_has_a_report(tmp_path: Path) -> None:
    workspace = build_workspace(tmp_path / "ws", {"rejects": []})

    assert ["Stages"] == [element.text for element in parsed(write_report(workspace)).iter("h2")]


@pytest.mark.slow
def test_two_thousand_sites_are_all_there_in_a_file_that_opens(tmp_path: Path) -> None:
    sites = {f"http://s{number}.example/": [f"http://s{number}.example/"] for number in range(2000)}
    tables = pages_of(sites)
    tables["sites"] = [
        Site(site.site, site.entry_url, site.name, site.hosts, 6, 1, None, "links", 0.9) for site in tables["sites"]
    ]
    tables["tree"] = [
        PagePlace(
            url_id(f"{entry}{number or ''}"),
            url_id(entry),
            url_id(entry) if number else None,
            number,
            int(number > 0),
            f"Page {number}",
            (),
            0.0,
            None,
            0.0,
            None,
            None,
        )
        for entry in sites
        for number in range(6)
    ]
    path = write_report(build_workspace(tmp_path / "ws", tables))
    text = path.read_text("utf-8")

    assert 2000 == text.count("<details") == text.count('class="icicle"')
    assert path.stat().st_size < 20_000_000


def test_layout_tables_are_not_counted_as_data_tables(tmp_path: Path) -> None:
    entry = "http://s.example/"
    tables = pages_of({entry: [entry]})
    tables["data_tables"] = [
        DataTable(
            url_id(entry), index, "table", index, -1, index == 0, 1.0, "column", None, 1, 1, (("x",),), (), ("data",)
        )
        for index in range(3)
    ]
    page = parsed(write_report(build_workspace(tmp_path / "ws", tables)))

    assert "1data tables" in {tile.text_content() for tile in page.find_class("tiles")[0]}


def test_the_same_workspace_gives_the_same_report(hostile: Path, tmp_path: Path) -> None:
    again = write_report(web_of_texts(tmp_path / "ws", PAYLOADS))

    assert hostile.read_bytes() == again.read_bytes()
