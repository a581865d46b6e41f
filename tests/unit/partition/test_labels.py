"""Which label stands over which."""

import json
import time

import pytest

from sitestrata.cli.escape import json_text
from sitestrata.page import read_page
from sitestrata.partition.labels import label_forest
from sitestrata.partition.lines import Label
from sitestrata.partition.tree import TreeOptions, find_tree, tree_to_json


def forest(html: str, *, title: str = "") -> list[object]:
    """Return the labels of a page as nested lists: a label, or [label, what is under it...]."""
    page = f"<!doctype html><title>{title}</title><body>{html}"
    return [_plain(label) for label in label_forest(read_page(page.encode(), "https://example.org/"))]


def _plain(label: Label) -> object:
    return [label.text, *(_plain(child) for child in label.children)] if label.children else label.text


def links(*labels: str, sep: str = " ") -> str:
    return sep.join(f"<a href='/{label}'>{label}</a>" for label in labels)


def items(*labels: str) -> str:
    return "<ul>" + "".join(f"<li>{links(label)}" for label in labels) + "</ul>"


def test_nested_list_stands_under_its_item() -> None:
    assert [["Products", "Nuts", "Bolts"], "Contact"] == forest(
        f"<ul><li>{links('Products')}{items('Nuts', 'Bolts')}<li>{links('Contact')}</ul>"
    )


def test_heading_owns_what_follows_up_to_the_next() -> None:
    assert [["News", "Today", "Archive"], ["Sports", "Tennis", "Chess"]] == forest(
        f"<h2>News</h2>{items('Today', 'Archive')}<h2>Sports</h2>{items('Tennis', 'Chess')}"
    )


def test_heading_in_one_box_heads_the_list_in_the_next() -> None:
    assert [["News", "Today", "Archive"]] == forest(
        f"<section><div><span><h3>News</h3></span></div><div><div>{items('Today', 'Archive')}</div></div></section>"
    )


def test_box_that_opens_with_a_heading_ends_the_section_before_it() -> None:
    assert [["News", "Today", "Archive"], ["Sports", "Tennis", "Chess"], "Imprint"] == forest(
        f"<h2>News</h2>{items('Today', 'Archive')}<div><h2>Sports</h2>{items('Tennis', 'Chess')}</div>Imprint"
    )


def test_box_of_a_heading_and_some_words_heads_the_list_in_the_next() -> None:
    head = "<div><h2>More</h2><p>all you need</p></div>"

    assert [["More", "all you need", "a", "b", "c"]] == forest(f"{head}<div>{items('a', 'b', 'c')}</div>")


def test_box_of_a_heading_and_some_words_heads_no_menu() -> None:
    head = "<div><h2>Gift cards</h2><p>from ten up</p></div>"
    menu = f"<ul><li>{links('Hats')}{items('Caps', 'Hoods')}<li>{links('Coats')}{items('Long', 'Short')}</ul>"

    assert [["Gift cards", "from ten up"], ["Hats", "Caps", "Hoods"], ["Coats", "Long", "Short"]] == forest(
        f"{head}<div>{menu}</div>"
    )


def test_second_level_of_a_menu_stands_under_the_item_whose_folder_it_lies_in() -> None:
    first = "<ul><li><a href=/>Home</a><li><a href=/world/>World</a><li><a href=/sport/>Sport</a></ul>"
    second = (
        "<ul><li><a href=/world/asia/>Asia</a><li><a href=/world/africa/>Africa</a><li><a href=/world/us>US</a></ul>"
    )

    assert ["Home", ["World", "Asia", "Africa", "US"], "Sport"] == forest(f"<div>{first}</div><div>{second}</div>")


def test_links_under_a_heading_stay_there_wherever_they_lead() -> None:
    first = "<ul><li><a href=/>Home</a><li><a href=/world/>World</a><li><a href=/sport/>Sport</a></ul>"
    second = (
        "<ul><li><a href=/world/asia/>Asia</a><li><a href=/world/africa/>Africa</a><li><a href=/world/us>US</a></ul>"
    )

    assert ["Home", "World", "Sport", ["Latest", "Asia", "Africa", "US"]] == forest(f"{first}<h2>Latest</h2>{second}")


def test_links_below_the_root_of_the_site_are_no_submenu_of_its_home_page() -> None:
    first = "<ul><li><a href=/>Home</a><li><a href=/help>Help</a><li><a href=/jobs>Jobs</a></ul>"

    assert ["Home", "Help", "Jobs", "a", "b", "c"] == forest(f"<div>{first}</div><div>{items('a', 'b', 'c')}</div>")


def test_name_of_a_whole_menu_stands_over_nothing() -> None:
    menu = "".join(f"<li>{links(name)}{items(name + '1', name + '2')}" for name in "abc")

    assert ["Categories", *([name, f"{name}1", f"{name}2"] for name in "abc")] == forest(
        f"<div><span>Categories</span><ul>{menu}</ul></div>"
    )


def test_name_of_a_list_of_records_stands_over_them() -> None:
    cast = "".join(f"<li>{links(name)}<ul><li>as {name}1<li>{name}2 years</ul>" for name in "abc")

    found = forest(f"<div><div><span>Cast</span><ul>{cast}</ul></div>{items(*'defghijklmnopqrs')}</div>")

    assert ["Cast", *([name, f"as {name}1", f"{name}2 years"] for name in "abc")] == found[0]


def test_links_to_two_places_on_the_page_are_two_labels() -> None:
    assert ["Download", "More"] == forest("<div><a href='#download'>Download</a> <a href='#more'>More</a></div>")


def test_heading_of_a_card_is_one_label_whatever_its_markup() -> None:
    assert [["Sites certified as secure", "Seals are not worth it"]] == forest(
        "<a href=/1><h3><b>Sites</b> certified as <i>secure</i></h3><p>Seals are not worth it</p></a>"
    )


def test_bold_line_owns_the_lines_below_it() -> None:
    assert [["People", "Staff", "Students"], ["Places", "Rooms", "Maps"]] == forest(
        f"<b>People</b><br>{links('Staff', 'Students', sep='<br>')}<br>"
        f"<b>Places</b><br>{links('Rooms', 'Maps', sep='<br>')}"
    )


def test_utility_link_before_a_menu_is_no_parent() -> None:
    assert ["Sign in", "Help", "Home", "News"] == forest(
        f"<header><div>{links('Sign in', 'Help')}</div>{items('Home', 'News')}</header>"
    )
    assert ["Skip", "Home", "News", "About"] == forest(
        f"<div><a href='#main'>Skip</a>{items('Home', 'News')}<p>{links('About')}</div>"
    )


def test_current_item_of_a_menu_in_bold_is_no_parent() -> None:
    assert ["Home", "News", "Sport", "About"] == forest(
        f"<ul><li>{links('Home')}<li><b>News</b><li>{links('Sport')}<li>{links('About')}</ul>"
    )


def test_first_item_that_alone_is_no_link_names_the_list() -> None:
    assert [["DEPARTMENTS", "Bags", "Balls", "Caps"]] == forest(
        f"<ul><li>DEPARTMENTS<li>{links('Bags')}<li>{links('Balls')}<li>{links('Caps')}</ul>"
    )


def test_colon_and_bracket_open_what_they_name() -> None:
    assert [["Author:", "A. Smith"]] == forest("<p>Author: <a href=/s>A. Smith</a></p>")
    assert [["Staff (", "by name", "by group"]] == forest(f"<p>Staff ({links('by name', 'by group')})")


def test_rows_that_repeat_label_and_value() -> None:
    html = "".join(
        f"<div><p>{name}</p><p>{value}</p></div>" for name, value in (("Height", "324 m"), ("Built", "1889"))
    )

    assert [["Height", "324 m"], ["Built", "1889"]] == forest(html)


def test_names_of_alike_boxes_stand_over_their_pairs_however_many() -> None:
    def box(name: str) -> str:
        pairs = "".join(f"<li><b>Trait {n}:</b> {n}{name}</li>" for n in range(8))
        return f"<div><a href='/{name}'>{name}</a><ul>{pairs}</ul></div>"

    found = forest("<section>" + box("Elm") + box("Oak") + "</section>")

    assert [["Elm", *([f"Trait {n}:", f"{n}Elm"] for n in range(8))]] == found[:1]
    assert "Oak" == found[1][0]  # type: ignore[index]


def test_data_table_gives_headers_over_values() -> None:
    rows = "".join(f"<tr><td>{city}<td>{people}" for city, people in (("Oslo", "709,037"), ("Bergen", "289,330")))
    found = forest(f"<table><tr><th>City<th>People{rows}</table>")

    assert ["", ["City", "Oslo"], ["People", "709,037"]] == found[0]


def test_page_title_stands_over_nothing() -> None:
    assert ["Acme Widgets", ["News", "Today", "Archive"], ["Sports", "Tennis", "Chess"]] == forest(
        f"<h1>Acme Widgets</h1><h2>News</h2>{items('Today', 'Archive')}<h2>Sports</h2>{items('Tennis', 'Chess')}",
        title="Acme Widgets - Home",
    )


def test_picture_heads_a_list_and_split_link_is_one_label() -> None:
    assert [["Shop now", "Hats"]] == forest(f"<ul><li><a href=/s>Shop</a><a href=/s> now</a>{items('Hats')}</ul>")


def test_label_with_a_colon_stands_over_the_running_text_behind_it() -> None:
    text = "words that go on and on, " * 9 + "to the end"

    assert [["Summary:", text], ["Verdict:", text]] == forest(
        f"<p><b>Summary:</b> {text}<br><span>Verdict:</span> {text}</p>"
    )


@pytest.mark.parametrize("box", ["<div><p>{}</p>{}</div>", "<ul><li>{}{}</ul>", "<div><p>{}</p>{}<p>end</p></div>"])
def test_running_text_stands_over_no_list(box: str) -> None:
    text = "words that go on and on, " * 9 + "to the end"

    assert [text, "a", "b", "c"] == forest(box.format(text, items("a", "b", "c")))[:4]


def test_text_that_a_style_hides_beside_what_it_shows_is_left_out() -> None:
    html = (
        "<p><b>Plot:</b> <span>Short…</span> <span style='display: none'>Long and whole.</span> <a href=/m>More</a></p>"
    )

    assert [["Plot:", "Short…", "More"]] == forest(html)


def test_hidden_menu_is_read() -> None:
    assert [["Shop", "Hats", "Caps"]] == forest(
        f"<ul><li>{links('Shop')}<div style='display:none'>{items('Hats', 'Caps')}</div></ul>"
    )


def test_link_that_says_the_same_twice_is_one_label() -> None:
    assert ["Sports", "Games"] == forest("<p><a href=/s><i>Sports</i> <span>SPORTS</span></a> <a href=/g>Games</a></p>")


def test_bold_word_in_a_sentence_is_no_label() -> None:
    assert ["We carry the", "second", "floor to you."] == forest("<p>We carry the <b>second</b> floor to you.</p>")
    assert [["Born", "1912"], ["Died", "1954"]] == forest("<p><b>Born</b> 1912 <b>Died</b> 1954</p>")


def test_running_text_is_one_label_with_the_links_in_it() -> None:
    """Free text is kept and not analysed further (OntoMiner 4.1): its words are no items of a menu."""
    words = "words that go on and on, " * 6

    (label,) = forest(f"<p>{words}{links('one')} {words}{links('two')} {words}.</p>")

    assert f"{words}one {words}two {words}." == label


def test_links_before_and_behind_running_text_stay_labels() -> None:
    words = "words that go on and on, " * 7

    assert ["Title", words.strip(), "more"] == forest(f"<p>{links('Title')} {words}{links('more')}</p>")


def test_term_that_nothing_follows_is_not_under_the_term_before() -> None:
    assert ["One", "Two", "Three"] == forest("<dl><dt>One<dt>Two<dt>Three</dl>")


def test_current_item_that_heads_the_text_too_names_no_menu() -> None:
    menu = f"<ul><li><b>Home</b><li>{links('a')}<li>{links('b')}<li>{links('c')}</ul>"
    other = f"<ul><li><b>Others</b><li>{links('d')}<li>{links('e')}</ul>"
    text = "<h1>{}</h1><p>What we do and why, in a few words</p>"

    assert ["Home", "a", "b", "c"] == forest(f"<div>{menu}</div>{other}<div>{text.format('Home')}</div>")[:4]
    assert [["Home", "a", "b", "c"]] == forest(f"<div>{menu}</div>{other}<div>{text.format('Welcome')}</div>")[:1]


def test_current_item_that_is_a_link_to_the_page_elsewhere_names_no_menu() -> None:
    menu = "<ul><li><b>Start</b>" + "".join(f"<li>{links(name)}" for name in ("Team", "Jobs", "Press")) + "</ul>"
    other = f"<p>{'Some words that stand between. ' * 3}</p><ul><li><a href='https://example.org/'>Start</a><li>{links('Map')}"

    assert ["Start", "Team", "Jobs", "Press"] == forest(menu + other)[:4]


def test_preformatted_text_without_links_is_one_label() -> None:
    code = "<pre><b>class</b> Tea:\n    <b>def</b> brew(self)</pre>"

    assert [["Example", "class Tea: def brew(self)"]] == forest(f"<h2>Example</h2>{code}")
    assert "a" in forest(f"<pre>{links('a')}\n{links('b')}</pre>")


@pytest.mark.parametrize("address", ["/", "https://example.org", "./"])
def test_link_to_the_root_stands_over_no_menu(address: str) -> None:
    menu = f"<nav>{items('Home', 'Nuts', 'Bolts')}</nav>"

    assert ["Acme", "Home", "Nuts", "Bolts"] == forest(
        f"<header><div><a href='{address}'>Acme</a></div>{menu}</header>"
    )


@pytest.mark.parametrize("address", ["#", ""])
def test_link_that_opens_a_menu_stands_over_it(address: str) -> None:
    assert [["Tools", "Nuts", "Bolts"]] == forest(f"<div><a href='{address}'>Tools</a>{items('Nuts', 'Bolts')}</div>")


@pytest.mark.parametrize(
    "html",
    [
        f"<ul><li><b>Home</b><li>{links('Nuts')}<li>{links('Bolts')}</ul>",
        f"<p><span><b>Home</b></span> <span>{links('Nuts')}</span> <span>{links('Bolts')}</span>",
    ],
)
def test_current_item_heads_nothing_where_it_is_the_only_one_of_its_kind(html: str) -> None:
    assert ["Home", "Nuts", "Bolts"] == forest(html)


def test_labels_of_fields_stand_side_by_side() -> None:
    fields = "".join(f"<div><label>{name}:</label> <input></div>" for name in ("Name", "Phone", "Email"))

    assert ["Login:", "Name:", "Phone:", "Email:"] == forest(
        f"<div><label>Login:</label> <input></div><div>{fields}</div>"
    )


def test_first_items_of_several_lists_are_their_names() -> None:
    lists = "".join(f"<ul><li><b>{name}</b><li>{links(*of)}</ul>" for name, of in (("Shop", "ab"), ("Help", "cd")))

    assert [["Shop", "a", "b"], ["Help", "c", "d"]] == forest(lists)


def test_logo_stands_over_no_menu() -> None:
    """Though it leads to the folder in which all pages of the menu lie."""
    logo = "<div><a href=/tools/><img src=l.gif alt='Acme Tools'></a></div>"
    menu = items("tools/saws", "tools/files", "tools/nails", "tools/planes")

    found = forest(f"<div>{logo}{menu}<p>.{items('a', 'b', 'c')}</div>", title="Acme Tools")

    assert ["Acme Tools", "tools/saws"] == found[:2]


@pytest.mark.parametrize(
    "html",
    [
        "",
        "just one text",
        "<p>",
        "<div>" * 1500 + "x",
        "<div>a" * 120,
        "<ul><li>x" * 120,
        "<table><tr><td>" * 200 + "x",
        "<table>" + "<tr><td>a<td>1<table>" * 80,
        "<b>" * 300 + "x",
    ],
    ids=range(9),
)
def test_odd_pages_are_read(html: str) -> None:
    facts = read_page(html.encode(), "https://example.org/")

    for profile in ("default", "paper"):
        nodes = find_tree(facts, options=TreeOptions(profile=profile))
        assert json.loads(json_text(tree_to_json(nodes)))["kind"] == "root"


def test_labels_on_every_level_of_a_deep_page_are_kept() -> None:
    facts = read_page(b"<div>a" * 600, "https://example.org/")

    assert 600 == sum(node.label.count("a") for node in find_tree(facts))


@pytest.mark.parametrize("count", [2_400, pytest.param(100_000, marks=pytest.mark.slow)])
def test_time_grows_with_the_number_of_leaves(count: int) -> None:
    page = "".join(f"<li><a href=/{n}>{n}</a>" for n in range(count))
    facts = read_page(f"<ul>{page}</ul>".encode(), "https://example.org/")
    began = time.process_time()

    found = label_forest(facts)

    assert count == len(found)
    assert time.process_time() - began < 2 + count / 5_000


def test_abbreviation_among_links_heads_none_of_them() -> None:
    for html in (links("FAQ", "Forum", "Contact"), "<div>" + links("FAQ", "Forum", sep="</div><div>") + "</div>"):
        assert "FAQ" in forest(html)
    assert [["HELP", "Guide", "Forum"]] == forest(f"<div>HELP</div>{items('Guide', 'Forum')}")


def test_short_capitals_and_codes_name_values_only() -> None:
    def lines(*texts: str) -> str:
        return "".join(f"<p>{text}</p>" for text in texts)

    assert ["OR", "Forgot your password"] == forest(lines("OR", "Forgot your password"))
    assert ["BA1 1BE", "United Kingdom"] == forest(lines("BA1 1BE", "United Kingdom"))
    assert [["EUR", "73.67"], ["USD", "65.01"]] == forest(lines("EUR", "73.67", "USD", "65.01"))
    assert [["DIRECTIONS", "Turn left."]] == forest(lines("DIRECTIONS", "Turn left."))


def test_current_item_that_only_running_text_links_heads_no_menu() -> None:
    words = "The survey keeps the second floor even when it rains, and a local firm has replaced the tower. " * 3
    html = f"<nav><strong>Start</strong> {links('Jobs', 'Team', 'Press', 'Contact')}</nav>"

    assert ["Start", "Jobs", "Team", "Press", "Contact"] == forest(
        f"{html}<p>{words}<a href='https://example.org/'>Start</a> again, or not.</p>"
    )[:5]
    assert ["Start", "Jobs", "Team", "Press", "Contact"] == forest(f"{html}<p>{words}</p>")[0]


def test_label_of_a_field_does_not_name_the_next_field() -> None:
    def field(name: str, control: str = "<input>") -> str:
        return f"<div><label>{name}</label> {control}</div>"

    assert ["Name", "Town", "Phone"] == forest("".join(map(field, ("Name", "Town", "Phone"))))
    assert ["Name", "Town"] == forest(f"<table><tr><td>{field('Name')}<td>{field('Town')}</table>")
    options = "<select><option>red<option>blue</select>"
    assert [["Colour", "red", "blue"], "Size"] == forest(f"{field('Colour', options)}{field('Size')}")


def test_notice_of_copyright_names_no_links() -> None:
    html = f"<p>Some words.</p><footer><p>© 2020 Example Ltd</p>{items('Privacy', 'Contact')}</footer>"
    assert ["Some words.", "© 2020 Example Ltd", "Privacy", "Contact"] == forest(html)


def test_first_heading_that_links_the_root_is_the_logo() -> None:
    html = f"<div><h1><a href='/'>Example Ltd</a></h1>{items('Shop', 'Help', 'Press')}</div><p>Words.</p><p>More.</p>"
    assert ["Example Ltd", "Shop", "Help", "Press"] == forest(html)[:4]
