"""What sites and pages call themselves, and how sites give access to their pages."""

import pytest

from sitestrata.sites.access import access_kind, access_signs
from sitestrata.sites.hierarchy import find_tree, tree_to_places
from sitestrata.sites.names import shared_title_parts, site_keywords, site_name, title_parts
from support.html_site import BASE, links, site_web


def titled(title: str, body: str) -> str:
    return f"<title>{title}</title>{body}"


NAMES = ("", "a", "b", "c")
MENU = links(*NAMES)


@pytest.mark.parametrize(
    ("title", "parts"),
    [
        ("Installing - Acme", ["Installing", "Acme"]),
        ("Acme | Guide » Installing", ["Acme", "Guide", "Installing"]),
        ("インストール – アクメ", ["インストール", "アクメ"]),
        ("Well-known", ["Well-known"]),
        ("Acme::Rocket :: Guide", ["Acme::Rocket", "Guide"]),
        ("", []),
    ],
)
def test_titles_are_cut_at_signs(title: str, parts: list[str]) -> None:
    assert parts == title_parts(title)


def test_the_part_that_the_titles_share_names_the_site() -> None:
    pages = {name: titled(f"Page {name} — Acme", MENU) for name in NAMES}

    assert ("Acme", "titles") == site_name(site_web(pages))
    assert ["Acme"] == list(shared_title_parts([f"Page {name} — Acme" for name in NAMES]))


def test_of_a_name_and_a_motto_the_address_says_the_name() -> None:
    """The site is on the host a.example."""
    for motto in ("Alpha of all examples", "Zeta of all examples"):
        assert (
            "Example" == site_name(site_web({name: titled(f"{name} - Example - {motto}", MENU) for name in NAMES}))[0]
        )
        assert (
            "Example" == site_name(site_web({name: titled(f"{name} - {motto} - Example", MENU) for name in NAMES}))[0]
        )


def test_of_two_names_that_the_address_does_not_say_the_first_is_taken() -> None:
    for other in ("Aardvarks of all sizes", "Zebras of all sizes"):
        assert "Acme" == site_name(site_web({name: titled(f"Acme - {other} - {name}", MENU) for name in NAMES}))[0]


def test_the_whole_title_of_some_pages_is_no_name_of_the_site() -> None:
    pages = {"": titled("Acme handbook", f"<h1>Acme handbook</h1>{MENU}"), "a": titled("Fuel", MENU)}
    pages |= {name: titled("Long description", MENU) for name in ("b", "c", "d")}

    assert ("Acme handbook", "heading") == site_name(site_web(pages))


def test_name_ends_with_the_bracket_that_closes_it() -> None:
    pages = {name: titled(f"Page {name} (Acme Rocket (version 7))", MENU) for name in NAMES}

    assert ("Acme Rocket (version 7)", "titles") == site_name(site_web(pages))


def test_words_that_the_entry_page_and_the_others_say_name_the_site() -> None:
    """The part that most titles share is that of a section."""
    pages = {
        "": titled("Welcome to the Acme Rocket project", MENU),
        "a": titled("Fuel | Acme Rocket Manual", MENU),
        "b": titled("Tanks | Acme Rocket Manual", MENU),
        "c": titled("Acme Rocket Downloads", MENU),
        "d": titled("Acme Rocket News", MENU),
        "e": titled("Valves | Acme Rocket Manual", MENU),
    }

    assert ("Acme Rocket", "titles") == site_name(site_web(pages))


def test_one_word_that_all_titles_say_is_no_name() -> None:
    pages = {name: titled(f"{name} page", "<h1>Acme</h1>" + MENU) for name in NAMES}

    assert ("Acme", "heading") == site_name(site_web(pages))


def test_a_logo_names_the_site_where_titles_do_not() -> None:
    logo = "<a href=/><img alt='Acme Ltd' src=x.png></a>"
    pages = {name: titled(f"Page {name}", logo + "<h1>Welcome to Acme</h1>" + MENU) for name in NAMES}

    assert ("Acme Ltd", "logo") == site_name(site_web(pages))


def test_a_picture_of_a_house_is_no_name() -> None:
    house = "<a href=/><img alt='Home' src=x.png></a>"
    pages = {name: titled(f"Page {name}", house + "<h1>Acme</h1>" + MENU) for name in NAMES}

    assert ("Acme", "heading") == site_name(site_web(pages))


def test_a_site_that_says_nothing_goes_by_its_host_and_folder() -> None:
    assert ("a.example", "address") == site_name(site_web({"": "<p>x</p>"}))
    assert ("a.example/acme", "address") == site_name(site_web({"acme/": "<p>x</p>"}))


def test_a_kind_of_pages_is_no_name_of_the_site() -> None:
    """It stands on many pages between what names them, or on fewer than half."""
    pages = {"": titled("Acme reference", f"<h1>Acme reference</h1>{MENU}")}
    pages |= {name: titled(f"Module {name} - function - f_{name}", MENU) for name in "abc"}
    pages |= {name: titled(f"Types - {name}", MENU) for name in "de"}

    assert ("Acme reference", "heading") == site_name(site_web(pages))


def test_the_word_of_the_address_that_all_titles_say_names_a_site_whose_own_title_says_nothing() -> None:
    pages = {"acme/": titled("Overview", MENU)}
    pages |= {f"acme/{name}": titled(f"Acme.{name}", MENU) for name in "abcd"}

    assert ("Acme", "titles") == site_name(site_web(pages))


def test_a_page_is_called_what_the_page_above_calls_it() -> None:
    pages = {
        "": titled(
            "Acme",
            "<ul><li><a href=/a>Alpha</a></li><li><a href=/b>more</a></li><li><a href=/c>more</a></li>"
            "<li><a href=/d>more</a></li></ul>",
        ),
        "a": titled("A - Acme", "<a href=/>Home</a>"),
        "b": titled("Beta - Acme", "<a href=/>Home</a>"),
        "c": titled("Gamma - Acme", "<a href=/>Home</a>"),
        "d": titled("Delta - Acme", "<a href=/>Home</a>"),
    }
    web = site_web(pages)

    labels = {place.page_id: place.label for place in tree_to_places(web, find_tree(web))}

    named = {url.removeprefix(BASE): labels[page] for url, page in zip(web.url, web.page_id.tolist(), strict=True)}
    assert {"": "Acme", "a": "Alpha", "b": "Beta", "c": "Gamma", "d": "Delta"} == named


def test_keywords_count_labels_not_links() -> None:
    pages = {
        "": "<a href=/a>red apples</a> <a href=/b>green apples</a>",
        "a": "<a href=/b>next</a> <a href=/>next</a>",
        "b": "<a href=/a>next</a> <a href=/>next</a>",
    }

    assert "apples" == site_keywords(site_web(pages))[0]


def test_words_that_only_join_others_are_the_last_keywords() -> None:
    pages = {
        "": "<a href=/a>Apples and Pears</a> <a href=/b>Pears and Apples</a>",
        "a": "<a href=/b>Plums and Apples</a> <a href=/>The Plums</a>",
        "b": "<a href=/>Home</a>",
    }

    assert ("apples", "pears", "plums", "home", "and", "the") == site_keywords(site_web(pages))


def test_joining_word_that_ends_a_label_now_and_then_is_no_keyword_yet() -> None:
    """Texts are cut, and "The" may be a band: one label in many proves nothing."""
    labels = [f"Apples with {name}" for name in ("jam", "honey", "cream", "salt", "nuts", "oats", "milk", "rum")]
    labels += [f"Pears with {name}" for name in ("jam", "honey", "cream", "salt", "nuts", "oats", "milk", "what with")]
    pages = {"": " ".join(f"<a href=/{number}>{label}</a>" for number, label in enumerate(labels))}
    pages |= {str(number): "<a href=/>Home</a>" for number in range(len(labels))}

    assert "with" not in site_keywords(site_web(pages))[:8]


def access_of(pages: dict[str, str]) -> str:
    web = site_web(pages)
    return access_kind(access_signs(web, find_tree(web)))


def test_one_page_is_single() -> None:
    assert "single" == access_of({"": "<p>Hello</p>"})


def test_pages_that_follow_one_another_are_a_document() -> None:
    names = ["", *(f"p{number}" for number in range(1, 12))]
    pages = {
        name: f"<div><a href=/{names[max(place - 1, 0)]}>ant</a> <a href=/{names[(place + 1) % 12]}>sig</a></div>"
        for place, name in enumerate(names)
    }

    assert "document" == access_of(pages)


def test_items_shown_on_list_pages_in_one_dress_are_products() -> None:
    menu = links("", "s1", "s2", "s3")
    pages = {"": menu}
    for section in ("s1", "s2", "s3"):
        items = [f"{section}-{number}" for number in range(6)]
        cards = "".join(f"<article><h3><a href=/{item}>{item}</a></h3><p>nice</p></article>" for item in items)
        pages[section] = menu + f"<main>{cards}</main>"
        pages |= dict.fromkeys(items, menu)

    assert "products" == access_of(pages)


def test_a_menu_and_nothing_else_is_a_hierarchy() -> None:
    assert "hierarchy" == access_of(dict.fromkeys(NAMES, MENU))
