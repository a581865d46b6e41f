"""Everything that is read off a page."""

import pytest

from sitestrata.model import Crumb
from sitestrata.page import Emphasis, PageFacts, PageLimits, UnusablePageError, parse_path, read_page
from sitestrata.urls import url_id

URL = "http://example.org/dir/page.html"


def read(html: str, **options: object) -> PageFacts:
    return read_page(html.encode(), URL, charset="utf-8", **options)  # type: ignore[arg-type]


def test_what_a_page_says_about_itself() -> None:
    facts = read(
        "<html lang=en_GB><head><svg><title>no</title></svg><title> A\n page </title><base href='/b/'><base href='/c/'>"
        "<link rel='Canonical' href='can.html'><meta name=ROBOTS content='noindex'>"
        "<meta http-equiv=Refresh content='5; URL=\"next.html\"'></head><body><h1>The <b>head</b></h1><h1>x</h1>"
    )

    assert ("A page", "en-GB", "The head", "noindex") == (facts.title, facts.language, facts.heading, facts.robots)
    assert "http://example.org/b/" == facts.base
    assert "http://example.org/b/can.html" == facts.canonical_link
    assert "http://example.org/b/next.html" == facts.refresh
    assert url_id(URL) == facts.url_id


def test_links_in_document_order_with_kind_target_and_fragment() -> None:
    facts = read(
        "<link rel='stylesheet' href=s.css><link rel='up contents' href=toc.html>"
        "<meta http-equiv=refresh content='0;url=r.html'>"
        "<body><a href=a.html#part rel=nofollow>A</a><a name=x>no</a><a href='mailto:x@example.org'>no</a>"
        "<a href='javascript:0'>no</a><a href=#top>self</a><map><area href=/area alt=Area></map>"
        "<iframe src=//other.example/frame title=Frame></iframe><iframe></iframe>"
    )

    assert [
        ("link", "http://example.org/dir/toc.html", None, "", "none", "up contents"),
        ("refresh", "http://example.org/dir/r.html", None, "", "none", None),
        ("a", "http://example.org/dir/a.html", "part", "A", "text", "nofollow"),
        ("a", URL, "top", "self", "text", None),
        ("area", "http://example.org/area", None, "Area", "alt", None),
        ("iframe", "http://other.example/frame", None, "Frame", "title", None),
    ] == [
        (link.kind, address, link.fragment, link.label, link.label_source, link.rel)
        for link, address in zip(facts.links.records(facts.url_id), facts.links.address, strict=True)
    ]
    assert [url_id(address) for address in facts.links.address] == facts.links.target.tolist()


def test_gap_is_the_text_between_a_link_and_the_one_before() -> None:
    html = (
        "<p>four</p><a href=a>not <b>it</b></a> | <a href=b>x</a><a href=c>y</a><script>no</script>äé <a href=d>z</a>"
    )

    assert [4, 3, 0, 5] == read(html).links.gap.tolist()


def test_frames_are_edges() -> None:
    facts = read("<frameset><frame src=menu.html><frame src=main.html></frameset>")

    assert ["frame", "frame"] == [link.kind for link in facts.links.records(0)]


@pytest.mark.parametrize(
    ("inner", "label", "source"),
    [
        (" two\n words ", "two words", "text"),
        ("<span>a</span> <span>b</span>", "a b", "text"),
        ("<div>a</div><div>b</div>", "a b", "text"),
        ("a<br>b<b>c</b>", "a bc", "text"),
        ("<img src=x alt='A picture'>", "A picture", "alt"),
        ("<img src=x alt='A picture'>text", "text", "text"),
        ("<svg><title>Icon</title><path/></svg>", "Icon", "alt"),
        ("<span hidden>no</span><script>no</script><img alt=' '>", "Title", "title"),
        ("", "Title", "title"),
    ],
)
def test_label_is_the_visible_text_else_what_stands_for_it(inner: str, label: str, source: str) -> None:
    facts = read(f"<a href=x title=Title aria-label=Name>{inner}</a>")
    link = facts.links.records(0)[0]

    assert (label, source) == (link.label, link.label_source)


def test_label_falls_back_to_aria_label_and_to_nothing() -> None:
    facts = read("<a href=x aria-label=Name></a><a href=y></a><p hidden><a href=z>shown when opened</a>")

    assert [("Name", "aria-label"), ("", "none"), ("shown when opened", "text")] == [
        (link.label, link.label_source) for link in facts.links.records(0)
    ]


def test_landmark_is_the_nearest() -> None:
    facts = read(
        "<header><a href=1></a><nav><a href=2></a></nav></header>"
        "<main><article><header><a href=3></a></header></article>"
        "<aside><a href=4></a></aside></main><div role='navigation'><a href=5></a></div>"
        "<nav role=presentation><a href=6></a></nav><form><a href=7></a></form><form aria-label=F><a href=8></a></form>"
        "<footer><a href=9></a></footer><search><a href=10></a></search>"
    )

    assert [
        "banner",
        "navigation",
        "main",
        "complementary",
        "navigation",
        None,
        None,
        "form",
        "contentinfo",
        "search",
    ] == [link.landmark for link in facts.links.records(0)]


def test_path_names_tag_id_and_classes_and_can_be_taken_apart() -> None:
    facts = read("<p>x</p><div id='a.b' class=' x  w-1/2 '><x#y><a href=1 class=c>")

    assert "html/body/div#a%2Eb.x.w-0%2F0/x%23y/a" == facts.links.records(0)[0].path
    steps = parse_path(facts.links.records(0)[0].path)
    assert ("div", "a.b", ("x", "w-0/0")) == (steps[2].tag, steps[2].id, steps[2].classes)
    assert "x#y" == steps[3].tag


def test_what_tells_pages_or_items_apart_is_no_part_of_a_place() -> None:
    """Systems of blogs write the number of the page on its body and the number of the item on each item."""
    first = read(
        "<html class=js><body id=home class='page-id-7 home'><ul class=m-3><li class=item-31><a href=1>x</a></ul>"
    )
    second = read("<html><body class='page-id-1204'><ul class=m-7><li class=current><a id=z href=1>x</a></ul>")

    assert "html/body/ul.m-0/li/a" == first.links.records(0)[0].path
    assert first.links.records(0)[0].path == second.links.records(0)[0].path
    assert first.template.tolist() == second.template.tolist()


@pytest.mark.parametrize(
    ("before", "behind"),
    [
        ("<div id=%s class='site page-%s'>", ""),
        ("<div id=page><script>x</script><form class=%s><div class='%s'>", "</div></form><div id=dialog></div></div>"),
        ("<a href=#text>Skip to the text</a><x-app class=%s><section id=%s>", ""),
    ],
)
def test_what_is_written_on_a_wrapper_of_the_whole_page_is_no_part_of_a_place(before: str, behind: str) -> None:
    parts = "<div class=bar><a href=1>a</a></div><div class=text><a href=2>b</a></div>"
    first, second = (
        read(f"<body>{before % (name, name)}{parts}{behind}</body>").links.records(0)[-2:]
        for name in ("about", "contact")
    )

    assert [link.path for link in first] == [link.path for link in second]
    assert [True, True] == [
        link.path.endswith(f"/div.{name}/a") for link, name in zip(first, ("bar", "text"), strict=True)
    ]


def test_a_part_of_a_page_keeps_what_it_is_called() -> None:
    facts = read("<div class=bar><a href=1>a</a></div><div class=text>b</div>")
    alone = read("<nav class=bar><a href=1>a</a></nav>")

    assert "html/body/div.bar/a" == facts.links.records(0)[0].path
    assert "html/body/nav.bar/a" == alone.links.records(0)[0].path


def test_equal_paths_are_written_once() -> None:
    facts = read("<ul><li><a href=1></a><li><a href=2></a></ul><p><a href=3></a>")

    assert [0, 0, 1] == facts.links.path.tolist()
    assert 2 == len(facts.links.paths)


def test_leaves_are_visible_texts_and_images_with_their_emphasis_and_link() -> None:
    facts = read(
        "<title>no</title><body>plain <b>bold <i>both</i></b><h2>HEAD<a href=x>link</a></h2><p class='fontBold'>s"
        "<p style='font-weight: 700'>t<img alt='An image'><img alt=''><span hidden>no</span><p>ÄÖ 12<p>A"
    )

    assert [
        ("plain", 0),
        ("bold", Emphasis.BOLD),
        ("both", Emphasis.BOLD | Emphasis.ITALIC),
        ("HEAD", Emphasis.HEADING | Emphasis.CAPITALS),
        ("link", Emphasis.HEADING),
        ("s", Emphasis.STYLED),
        ("t", Emphasis.STYLED),
        ("An image", Emphasis.STYLED),
        ("ÄÖ 12", Emphasis.CAPITALS),
        ("A", 0),
    ] == [(facts.leaf_text(i), int(facts.leaves.emphasis[i])) for i in range(len(facts.leaves))]
    linked = [i for i in range(len(facts.leaves)) if facts.leaves.link[i] >= 0]
    assert ["link"] == [facts.leaf_text(i) for i in linked]
    assert "a" == facts.dom.tag_name(int(facts.leaves.link[linked[0]]))


def test_equal_tag_paths_have_equal_numbers_on_all_pages() -> None:
    one = read("<ul><li>a<li class=x>b</ul><p>c<x-y>d")
    other = read("<p><x-z></x-z>c<x-y>d</x-y></p><ul><li>a</ul>")

    assert one.leaves.path[0] == one.leaves.path[1] == other.leaves.path[2]
    assert one.leaves.path[2:].tolist() == other.leaves.path[:2].tolist()
    assert 3 == len(set(one.leaves.path.tolist()))


def test_text_statistics_count_visible_characters() -> None:
    facts = read("<title>nothing</title>  äöü <a href=x> ab </a><script>nothing</script><table></table>")

    assert (5, 2, 1) == (facts.text_length, facts.linked_text_length, facts.table_count)


def test_template_is_the_set_of_ways_to_links() -> None:
    one = read("<div class=menu><a href=1></a><a href=2></a></div><p id=x><a href=3></a>")
    other = read("<div class=' menu '><a href=4></a></div><p id=y><a href=5></a>")
    third = read("<div class=other><a href=4></a></div>")

    assert 2 == len(one.template)
    assert one.template.tolist() == other.template.tolist() == sorted(one.template.tolist())
    assert not set(one.template.tolist()) & set(third.template.tolist())


TRAIL = (Crumb("Home", "http://example.org/"), Crumb("Books", "http://example.org/books"), Crumb("This", None))


@pytest.mark.parametrize(
    "html",
    [
        """<script type="application/ld+json">{"@graph": [{"@type": "BreadcrumbList", "itemListElement": [
        {"@type": "ListItem", "position": 2, "name": "Books", "item": {"@id": "/books"}},
        {"@type": "ListItem", "position": 1, "item": {"@id": "/", "name": " Home "}},
        {"@type": "ListItem", "position": 3, "name": "This"}]}]}</script>""",
        """<ol itemscope itemtype="https://schema.org/BreadcrumbList">
        <li itemprop=itemListElement itemscope><a itemprop=item href="/"><span itemprop=name>Home</span></a>
        <meta itemprop=position content=1></li>
        <li itemprop=itemListElement itemscope><a itemprop=item href="/books"><span itemprop=name>Books</span></a></li>
        <li itemprop=itemListElement itemscope><span itemprop=name>This</span>
        <meta itemprop=position content=3></ol>""",
        """<ol vocab="https://schema.org/" typeof="BreadcrumbList">
        <li property="itemListElement" typeof="ListItem"><a property=item href="/"><b property=name>Home</b></a></li>
        <li property="itemListElement" typeof="ListItem"><a property=item href="/books"><b property=name>Books</b></a>
        </li><li property="itemListElement" typeof="ListItem"><span property="name">This</span></li></ol>""",
        """<nav aria-label="Breadcrumb"><ol><li><a href="/">Home</a></li><li>/</li><li><a href="/books">Books</a></li>
        <li aria-current=page>This</li></ol></nav>""",
    ],
)
def test_breadcrumb_given_as_markup(html: str) -> None:
    assert TRAIL == read(html).breadcrumb


def test_broken_structured_data_is_no_breadcrumb() -> None:
    assert () == read('<script type="application/ld+json">{"@type": "BreadcrumbList", </script>').breadcrumb
    deep = "[" * 100_000
    assert () == read(f'<script type="application/ld+json">{deep} "BreadcrumbList"</script>').breadcrumb


def test_too_many_links_are_a_reason() -> None:
    with pytest.raises(UnusablePageError) as caught:
        read("<a href=x>" * 11, limits=PageLimits(page_links=10))

    assert "too-many-links" == caught.value.reason


def test_long_base_does_not_multiply() -> None:
    base = "http://example.org/" + "x" * 50_000 + "/"
    with pytest.raises(UnusablePageError) as caught:
        read(f"<base href={base}>" + "".join(f"<a href={i}>" for i in range(5_000)))

    assert "too-much-address-text" == caught.value.reason


def test_links_digest_tells_the_targets_in_order() -> None:
    one, same, other = read("<a href=1><a href=2>"), read("<p><a href=1>x<a href=2#y>"), read("<a href=2><a href=1>")

    assert one.links_digest == same.links_digest != other.links_digest


def test_record_has_all_of_it() -> None:
    page = read("<p>x<a href=1>y</a>").record()

    assert (6, 1, 2) == (page.node_count - 1, page.link_count, page.leaf_count)


def test_resources_are_the_files_that_pages_of_one_make_share() -> None:
    html = (
        b'<head><link rel=stylesheet href=/s.css><link rel="shortcut icon" href=/i.ico><link rel=next href=/2>'
        b"<script src=/a.js></script></head><body><img src=logo.png><img src=logo.png><img src=data:image/gif;base64,A>"
    )
    expected = {url_id(f"http://a.example/{name}") for name in ("s.css", "i.ico", "a.js", "d/logo.png")}

    assert expected == set(read_page(html, "http://a.example/d/").resources.tolist())
