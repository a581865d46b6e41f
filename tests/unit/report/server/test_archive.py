"""An archived page is shown and can do nothing."""

import re

from selectolax.lexbor import LexborHTMLParser

from sitestrata.page import parse
from sitestrata.report.server.archive import LAYERS, Mark, archived_html, css_addresses, harmless_css

HOSTILE = """<!doctype html><html onload="x()"><head><title>T</title><base href="https://evil.example/">
<meta http-equiv="refresh" content="0;url=https://evil.example/"><link rel="stylesheet" href="https://evil.example/s.css">
<script>x()</script><style>body{background:url(https://evil.example/b.png)}</style></head>
<body onclick="x()" background="https://evil.example/i.png">
<img src="https://evil.example/i.png" srcset="https://evil.example/2.png 2x" onerror="x()" alt="a picture">
<a href="javascript:x()" ping="https://evil.example/p">one</a><a href="https://evil.example/">two</a>
<form action="https://evil.example/f"><input name="q" autofocus onfocus="x()">
<button formaction="javascript:x()">go</button>
</form><iframe src="https://evil.example/" srcdoc="<script>x()</script>"></iframe><object data="x.swf"></object>
<svg onload="x()"><script>x()</script><a xlink:href="javascript:x()">s</a></svg><math><mtext></mtext></math>
<video src="https://evil.example/v.mp4" autoplay></video><template><img src=x onerror=x()></template>
<div id="ss-3" class="a&quot; onmouseover=x() &quot;" style="background:url(&quot;https://evil.example/c.png&quot;)">
&lt;script&gt;x()&lt;/script&gt;</div><plaintext><script>x()</script><b>end
"""


def shown(html: str, **options: object) -> str:
    return archived_html(parse(html.encode()), url="https://page.example/", **options)  # type: ignore[arg-type]


def test_nothing_that_loads_runs_submits_or_leads_away_is_written() -> None:
    tree = LexborHTMLParser(shown(HOSTILE))

    names = {node.tag for node in tree.css("*")}
    assert not names & {"script", "iframe", "object", "embed", "svg", "math", "form", "input", "button", "base", "link"}
    attributes = {name for node in tree.css("*") for name in node.attributes}
    assert not [name for name in attributes if name.startswith("on")]
    assert not attributes & {
        "href",
        "src",
        "srcset",
        "action",
        "formaction",
        "ping",
        "background",
        "http-equiv",
        "data",
    }
    assert [] == [node for node in tree.css("meta") if "http-equiv" in node.attributes]
    assert not re.search(r"url\s*\(", "".join(node.attributes.get("style") or "" for node in tree.css("*")))


def test_texts_stay_texts_and_links_still_say_where_they_led() -> None:
    html = shown(HOSTILE)

    assert "&lt;script&gt;x()&lt;/script&gt;" in html
    assert 'data-href="https://evil.example/"' in html
    assert 'alt="a picture"' in html


def test_a_page_cannot_take_an_id_of_ours() -> None:
    tree = LexborHTMLParser(shown(HOSTILE))

    assert 1 == len(tree.css("#ss-3"))


def test_marks_stand_on_the_elements_that_the_tables_speak_of() -> None:
    source = "<html><body><nav><a href=/>Home</a></nav><table><tr><td>1</table></body></html>"
    dom = parse(source.encode())
    nav, table = dom.find("nav")[0], dom.find("table")[0]
    marks = [Mark("menus", nav, 'main <menu> "x"'), Mark("tables", table, "column table"), Mark("blocks", nav, "b")]

    html = archived_html(dom, url="https://page.example/", marks=marks, focus=table, address="?focus=")
    tree = LexborHTMLParser(html)

    (found,) = tree.css("nav")
    assert {"data-ss-menus", "data-ss-blocks"} <= set(found.attributes)
    assert ['main <menu> "x"', "b"] == [tag.text() for tag in tree.css("nav .ss-tags > a.ss-tag")]
    assert f"?focus={nav}#ss-focus" == tree.css("nav .ss-tags > a.ss-tag")[0].attributes["href"]
    assert "data-ss-focus" in tree.css("table")[0].attributes
    # In a table only cells can hold a tag; anywhere else it would be thrown out of the table.
    assert ["column table"] == [tag.text() for tag in tree.css("td > .ss-tags > a.ss-tag")]
    assert 1 == len(tree.css("td > #ss-focus"))


def test_the_tag_of_a_link_stands_in_front_of_it_and_inside_a_link_leads_nowhere() -> None:
    dom = parse(b"<html><body><p>x <a href=1>y<b>z</b></a></body></html>")
    link, bold = dom.find("a")[0], dom.find("b")[0]
    marks = [Mark("menus", link, "menu"), Mark("blocks", bold, "block")]

    tree = LexborHTMLParser(archived_html(dom, url="u", marks=marks, address="?focus="))

    assert ["menu"] == [tag.text() for tag in tree.css("p > .ss-tags > a.ss-tag")]
    assert ["block"] == [tag.text() for tag in tree.css("a > b > .ss-tags > span.ss-tag")]


def test_a_text_can_be_marked_by_itself() -> None:
    dom = parse(b"<html><body><p>one<br>two</p></body></html>")
    two = next(node for node in range(len(dom)) if dom.is_text(node) and dom.own_text(node) == "two")

    tree = LexborHTMLParser(archived_html(dom, url="u", marks=[Mark("records", two, "")], focus=two))

    assert ["two"] == [node.text() for node in tree.css("span[data-ss-records][data-ss-focus]")]


def test_two_things_at_one_node_are_both_named() -> None:
    dom = parse(b"<html><body><ul><li>x</ul></body></html>")
    marks = [Mark("menus", dom.find("ul")[0], "main"), Mark("menus", dom.find("ul")[0], "local")]

    assert ">main; local</span>" in archived_html(dom, url="u", marks=marks)


def test_tags_of_what_begins_at_one_place_stand_side_by_side_and_an_empty_thing_has_its_own() -> None:
    dom = parse(b"<html><body><div> <ul><li>x</ul></div><p></p><table><tr><td>y</table></body></html>")
    marks = [
        Mark("blocks" if name in ("div", "table") else "menus", dom.find(name)[0], name)
        for name in ("div", "ul", "p", "table")
    ]

    tree = LexborHTMLParser(archived_html(dom, url="u", marks=marks))

    assert [["div", "ul"], ["p"], ["table"]] == [
        [tag.text() for tag in tags.css(".ss-tag")] for tags in tree.css(".ss-tags")
    ]
    assert ["li", "p", "td"] == [tags.parent.tag for tags in tree.css(".ss-tags") if tags.parent]


def test_every_set_of_layers_has_a_flag_to_switch_it() -> None:
    tree = LexborHTMLParser(shown("<p>x"))

    assert [f"ss-{bits}" for bits in range(2 ** len(LAYERS))] == [
        node.attributes["id"] for node in tree.css(".ss-flag")
    ]
    assert 2 ** (len(LAYERS) - 1) == len(tree.css(".ss-on-menus"))


def test_a_style_sheet_cannot_end_its_element_or_name_an_address() -> None:
    css = harmless_css("</style><script>x()</script>@import 'a';@IMPORT url(b);p{background: URL (c) image-set('d')}")

    css += harmless_css(
        r"p{a:\75rl(x);b:u\r\6c (x);c:\000055\52\4C(x);d:i\6d age-set('x')} @\69mport 'x'; @i\mport 'y'"
    )

    assert "<" not in css
    assert "import" not in css.lower()
    assert "url" not in css.lower()
    assert "image-set" not in css


def test_a_deep_page_and_a_page_without_a_body_are_written() -> None:
    assert "deep" in shown("<div>" * 600 + "deep")
    assert "<body" in shown("")
    assert "<body" in shown("<frameset><frame src=a></frameset>")


def test_addresses_in_style_become_images_that_are_there_and_nothing_else() -> None:
    known = {"a.png": "var(--a)", "b c.png": "var(--b)"}
    css = "p{background:url(a.png) URL( 'b c.png' ) url(\"x.png\") \\75rl(a.png) url(a.png url(a.png)}"

    made = harmless_css(css, image=lambda address: known.get(address, ""))

    assert 3 == made.count("var(--a)")
    assert 1 == made.count("var(--b)")
    assert "url(" not in made.lower()
    assert ["a.png", "b c.png", "x.png", "a.png", "a.png"] == css_addresses(css)


def test_images_are_written_as_data_or_not_at_all() -> None:
    html = "<img src=a.png><img src=b.png><p style='background:url(a.png)'>x"
    data = {"a.png": "data:image/png;base64,AA==", "b.png": "https://evil.example/b.png"}

    tree = LexborHTMLParser(shown(html, image=lambda address: data[address], css_image=lambda _: "var(--a)"))

    assert ["data:image/png;base64,AA==", None] == [node.attributes.get("src") for node in tree.css("img")]
    assert "background:var(--a)" == tree.css("p")[0].attributes["style"]
