"""Subsites: parts with a navigation of their own, editions that mirror one another, other makes, other hosts."""

import numpy as np
import pytest

from sitestrata.sites.site_web import SiteWeb
from sitestrata.sites.subsites import Subsites, find_subsites
from support.html_site import BASE, links, site_web

SITE_MENU = links("", "about", "news", "contact")
NAMES = ("start", "install", "use", "change", "extend", "help")


def manual(folder: str, *, title: str = "Manual", menu: str = SITE_MENU, home: str = "") -> dict[str, str]:
    """Make a folder whose pages link one another and its home page."""
    own = links(folder + home, *(folder + name for name in NAMES))
    pages = {folder + home: f"<title>{title}</title>{menu}{own}"}
    return pages | {folder + name: f"<title>{title}: {name}</title>{menu}{own}" for name in NAMES}


def flat() -> dict[str, str]:
    return dict.fromkeys(("", "about", "news", "contact"), SITE_MENU)


def subsites(web: SiteWeb, section: dict[str, int] | None = None, *, url_evidence: bool = True) -> Subsites:
    sections = [(section or {}).get(url.removeprefix(BASE).split("/")[0], 0) for url in web.url]
    return find_subsites(web, np.array(sections, np.int64), url_evidence=url_evidence)


def first_pages(web: SiteWeb, found: Subsites) -> dict[str, str]:
    """Return the first page of the subsite of each page that is in one, by address."""
    return {
        url.removeprefix(BASE): web.url[home].removeprefix(BASE)
        for url, home in zip(web.url, found.home.tolist(), strict=True)
        if home >= 0
    }


def test_a_folder_with_a_home_page_and_a_navigation_of_its_own_is_a_subsite() -> None:
    web = site_web(flat() | manual("studio/"))

    found = subsites(web)

    assert dict.fromkeys(["studio/", *(f"studio/{name}" for name in NAMES)], "studio/") == first_pages(web, found)
    assert ["part"] == list(found.sign.values())
    assert [True] == list(found.shares_navigation.values())


def test_a_folder_without_a_home_page_is_a_section_like_others() -> None:
    tabs = links(*(f"about/{name}" for name in NAMES))
    web = site_web(flat() | {f"about/{name}": SITE_MENU + tabs for name in NAMES})

    assert {} == first_pages(web, subsites(web))


def test_a_folder_that_every_page_of_the_site_links_has_no_navigation_of_its_own() -> None:
    everywhere = SITE_MENU + links("docs/", *(f"docs/{name}" for name in NAMES))
    names = ["", "about", "news", "contact", "docs/", *(f"docs/{name}" for name in NAMES)]
    web = site_web(dict.fromkeys(names, everywhere))

    assert {} == first_pages(web, subsites(web))


def test_a_subsite_that_leaves_out_the_menu_of_the_site_has_its_own() -> None:
    web = site_web(flat() | manual("archive/", menu=links("")))

    assert [False] == list(subsites(web).shares_navigation.values())


def test_folders_that_mirror_each_other_are_editions_though_all_pages_link_them() -> None:
    listed = links(*(f"docs/{version}/{name}" for version in ("1.0", "2.0") for name in ("", *NAMES)))
    pages = {name: text + listed for name, text in flat().items()}
    for version in ("1.0", "2.0"):
        pages |= {name: text + listed for name, text in manual(f"docs/{version}/").items()}
    web = site_web(pages)

    found = subsites(web)

    assert {"docs/1.0/", "docs/2.0/"} == set(first_pages(web, found).values())
    assert {"edition"} == set(found.sign.values())


def test_folders_with_pages_of_the_same_names_that_are_called_otherwise_are_no_editions() -> None:
    listed = links(*(f"{folder}/{name}" for folder in ("lib", "tutorial") for name in ("", *NAMES)))
    pages = {name: text + listed for name, text in flat().items()}
    for folder, title in (("lib/", "Library of everything"), ("tutorial/", "Lessons for beginners")):
        pages |= {name: text + listed for name, text in manual(folder, title=title).items()}
    web = site_web(pages)

    assert {} == first_pages(web, subsites(web))


def test_of_folders_inside_one_another_the_outermost_is_the_subsite() -> None:
    studio = SITE_MENU + links("studio/", *(f"studio/{name}" for name in NAMES))
    web = site_web(flat() | manual("studio/") | manual("studio/guide/", menu=studio))

    assert {"studio/"} == set(first_pages(web, subsites(web)).values())


def test_pages_of_another_make_are_a_subsite_where_no_folder_tells() -> None:
    web = site_web(flat() | {f"{name}.html": links(*(f"{other}.html" for other in NAMES)) for name in NAMES})
    section = {f"{name}.html": 7 for name in NAMES}

    for url_evidence in (True, False):
        found = subsites(web, section, url_evidence=url_evidence)

        assert {f"{name}.html" for name in NAMES} == set(first_pages(web, found))
        assert ["make"] == list(found.sign.values())


def test_without_addresses_folders_say_nothing() -> None:
    web = site_web(flat() | manual("studio/"))

    assert {} == first_pages(web, subsites(web, url_evidence=False))


@pytest.mark.parametrize("pages", [{"": SITE_MENU}, flat()])
def test_a_small_site_is_one_unit(pages: dict[str, str]) -> None:
    web = site_web(pages)

    assert {} == first_pages(web, subsites(web))
