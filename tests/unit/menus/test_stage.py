"""Menus as people see them, on small webs."""

import pytest

from sitestrata.menus import MenuOptions, find_menus
from sitestrata.model import TABLES
from sitestrata.urls import url_id
from support.html_webs import HtmlWeb, menu
from support.menu_pages import LEGAL, MAIN, SITES, H, menus_by_role, mined, page, sister_site, site


def test_main_menu_and_footer_are_told_by_place_alone() -> None:
    found = menus_by_role(mined(site()))

    assert [list(MAIN.items())] == [row["list"] for row in found["main"]]
    assert [list(LEGAL.items())] == [row["list"] for row in found["footer"]]


def test_every_page_shows_the_menu_the_page_at_hand_without_a_link() -> None:
    found = mined(site())
    (main,) = [row["menu"] for row in found["menus"] if row["role"] == "main"]
    rows = {row["page"]: row for row in found["menu_pages"] if row["menu"] == main}

    assert {url_id(url) for url in site()} == set(rows)
    assert 2 == rows[url_id(MAIN["Team"])]["current"]
    assert rows[url_id(f"{H}/news/1")]["current"] is None
    assert 3 == len(rows[url_id(MAIN["Team"])]["links"])


def test_the_submenu_of_a_section_is_local() -> None:
    pages = site()
    section = {"One": f"{H}/team/1", "Two": f"{H}/team/2", "Three": f"{H}/team/3"}
    for url in [MAIN["Team"], *section.values(), f"{H}/team/1/a", f"{H}/team/1/b"]:
        pages[url] = page(url, f"<div>{menu(section, here=url)}</div>")

    found = menus_by_role(mined(pages))

    assert [list(section.items())] == [row["list"] for row in found["local"]]
    assert len(pages) == found["main"][0]["pages"]


def test_drop_downs_belong_to_their_bar_as_a_tree() -> None:
    tops = {"A": [f"{H}/a1", f"{H}/a2"], "B": [f"{H}/b1", f"{H}/b2", f"{H}/b3"]}
    bar = "".join(
        f'<li><a href="{H}/{top}">{top}</a>{menu({url[-2:]: url for url in below})}</li>' for top, below in tops.items()
    )
    urls = [f"{H}/{top}" for top in tops] + [url for below in tops.values() for url in below]
    found = mined(dict.fromkeys(urls, f"<body><div><ul>{bar}</ul></div><p>text</p></body>"))

    (main,) = found["menus"]
    items = [item for item in found["menu_items"] if item["menu"] == main["menu"]]

    assert ["A", "a1", "a2", "B", "b1", "b2", "b3"] == [item["label"] for item in items]
    assert [0, 1, 1, 0, 1, 1, 1] == [item["level"] for item in items]
    assert [-1, 0, 0, -1, 3, 3, 3] == [item["parent"] for item in items]


def test_headings_that_open_a_drop_down_are_items_without_target() -> None:
    lists = {"A": [f"{H}/a1", f"{H}/a2"], "B": [f"{H}/b1", f"{H}/b2"]}
    bar = "".join(
        f'<li><a href="#">{top}</a>{menu({url[-2:]: url for url in below})}</li>' for top, below in lists.items()
    )
    urls = [url for below in lists.values() for url in below]
    found = mined(dict.fromkeys([*urls, f"{H}/x", f"{H}/y"], f"<body><ul>{bar}</ul><p>text</p></body>"))

    items = [(item["label"], item["url"], item["level"]) for item in found["menu_items"]]

    assert [
        ("A", None, 0),
        ("a1", urls[0], 1),
        ("a2", urls[1], 1),
        ("B", None, 0),
        ("b1", urls[2], 1),
        ("b2", urls[3], 1),
    ] == items


def test_a_link_past_the_menu_is_no_item_of_it() -> None:
    bar = f'<div><div><a href="#text">Past the menu</a></div>{menu(MAIN)}</div>'
    found = mined(dict.fromkeys([*MAIN.values(), f"{H}/x", f"{H}/y"], f"<body>{bar}<p id=text>text</p></body>"))

    assert list(MAIN) == [item["label"] for item in found["menu_items"]]
    assert {0} == {item["level"] for item in found["menu_items"]}


def test_links_that_lead_away_are_other() -> None:
    away = {"One": "https://one.example/s", "Two": "https://two.example/s", "Three": "https://three.example/s"}
    pages = {url: body.replace("<p>About us</p>", menu(away, tag="ol")) for url, body in site().items()}

    found = menus_by_role(mined(pages))

    assert [list(away.items())] == [row["list"] for row in found["other"]]


def test_breadcrumbs_are_told_by_the_pages_above() -> None:
    pages = site()
    tree = {f"{H}/{a}": f"{H}/" for a in ("u", "v", "w")}
    tree |= {f"{H}/{a}/{b}": f"{H}/{a}" for a in ("u", "v", "w") for b in "abc"}
    for url in tree:
        steps, above = [], url
        while above in tree:
            above = tree[above]
            steps.insert(0, f'<a href="{above}">{above[-1]}</a>')
        pages[url] = page(url, f"<div>{' &gt; '.join(steps)} &gt; here</div>")

    found = mined(pages)
    (trail,) = [row["menu"] for row in found["menus"] if row["role"] == "breadcrumb"]

    shown = {row["page"] for row in found["menu_pages"] if row["menu"] == trail}

    assert {url_id(url) for url in tree if url.count("/") == 4} <= shown <= {url_id(url) for url in tree}


@pytest.mark.parametrize("is_titled", [False, True], ids=["previous-next", "titles"])
def test_pagers_are_told_by_their_neighbours(is_titled: bool) -> None:
    chain = [f"{H}/c{number}" for number in range(9)]
    pages = site()
    for number, url in enumerate(chain):
        near = [other for other in (number - 1, number + 1) if 0 <= other < len(chain)]
        links = [f'<a href="{chain[other]}">{other if is_titled else other > number}</a>' for other in near]
        pages[url] = page(url, f'<div>{" ".join(links)} <a href="{H}/news">up</a></div>')

    found = mined(pages)
    (pager,) = [row for row in found["menus"] if row["role"] == "pager"]

    assert len(chain) == pager["pages"]


def test_tables_follow_their_schemas_and_do_not_depend_on_the_order_of_pages() -> None:
    pages = site()
    forth = find_menus(HtmlWeb(pages), MenuOptions())
    back = find_menus(HtmlWeb(dict(reversed(pages.items()))), MenuOptions())

    for name, table in forth.items():
        key = [(column, "ascending") for column in TABLES[name].key]
        assert table.schema == TABLES[name].schema
        assert table.sort_by(key).to_pylist() == back[name].sort_by(key).to_pylist()


def test_an_empty_collection_has_no_menus() -> None:
    assert {"menus": [], "menu_items": [], "menu_pages": []} == mined({})


def test_profile_paper_finds_the_s_menus() -> None:
    tables = find_menus(HtmlWeb(site()), MenuOptions(profile="paper"))
    found = menus_by_role({name: table.to_pylist() for name, table in tables.items()})

    assert [sorted(MAIN.items())] == [sorted(row["list"]) for row in found["main"]]
    assert [len(site())] == [row["pages"] for row in found["main"]]
    assert [sorted(map(url_id, MAIN.values()))] == [row["clique"] for row in found["main"]]


def test_limits_of_the_paper_that_were_hit_are_rejects() -> None:
    tables = find_menus(HtmlWeb(site()), MenuOptions(profile="paper", max_states=1))

    assert ["state-limit"] == [row["reason"] for row in tables["rejects"].to_pylist()]


HOSTILE = {  # page -> the pages that its one list leads to
    "index page": {0: range(1, 5001), **{page: [0] for page in range(1, 5001)}},
    "complete": {page: [other for other in range(150) if other != page] for page in range(150)},
    "Moon-Moser": {page: [other for other in range(99) if other // 3 != page // 3] for page in range(99)},
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_graphs_are_one_menu_each(name: str) -> None:
    pages = {
        f"{H}/{page}": menu({str(target): f"{H}/{target}" for target in targets})
        for page, targets in HOSTILE[name].items()
    }
    found = mined(pages)

    (row,) = found["menus"]
    assert len(found["menu_items"]) == row["items"] <= len(pages)
    assert len(found["menu_pages"]) <= len(pages)


def test_many_cliques_end_the_paper_s_search_and_are_said() -> None:
    """A Moon-Moser graph of 15 pages has 3^5 cliques."""
    lists = {page: [other for other in range(15) if other // 3 != page // 3] for page in range(15)}
    pages = {f"{H}/{page}": menu({str(other): f"{H}/{other}" for other in some}) for page, some in lists.items()}
    tables = find_menus(HtmlWeb(pages), MenuOptions(profile="paper", max_cliques=10, max_states=3))

    assert {"clique-limit", "state-limit"} == {row["reason"] for row in tables["rejects"].to_pylist()}


def test_a_bar_into_sites_that_share_nothing_else_is_the_organisation_s() -> None:
    bar = {f"Site {number}": f"{home}/" for number, home in enumerate(SITES)}
    pages: dict[str, str] = {}
    for home, wrap in zip(SITES, ("div", "section", "article", "center"), strict=True):
        pages |= sister_site(home, bar, wrap=wrap)

    found = menus_by_role(mined(pages))

    assert [list(bar.items())] == [row["list"] for row in found["organisation"]]
    assert len(SITES) == len(found["main"])


def test_a_bar_is_told_by_two_targets_if_its_pages_belong_to_several_sites() -> None:
    bar = {f"Site {number}": f"{home}/" for number, home in enumerate(SITES)}
    pages: dict[str, str] = {}
    for home, wrap in zip(SITES, ("div", "section", "article", "center"), strict=True):
        pages |= sister_site(home, bar, wrap=wrap)
    for home in SITES[2:]:
        del pages[f"{home}/"]

    found = menus_by_role(mined(pages))

    assert [len(pages)] == [row["pages"] for row in found["organisation"]]
    assert all("Site 0" not in dict(row["list"]) for row in found["main"])


def test_a_switch_between_languages_is_told_by_the_pages_it_leads_to() -> None:
    editions = {"English": "en", "Deutsch": "de", "Français": "fr"}
    pages: dict[str, str] = {}
    for language in editions.values():
        home = f"{H}/{language}"
        for url, body in sister_site(home, {}, wrap="div").items():
            switch = menu({label: url.replace(home, f"{H}/{other}") for label, other in editions.items()}, here=url)
            pages[url] = (
                f'<html lang="{language}">{body.replace("<body>", f"<body><section>{switch}</section>")}</html>'
            )

    found = menus_by_role(mined(pages))

    assert {"language"} == {role for role, rows in found.items() if any(row["kind"] == "shape" for row in rows)}
    assert [len(pages)] == [row["pages"] for row in found["language"]]
    assert {"English", "Deutsch", "Français"} == {label for label, _ in found["language"][0]["list"]}


def test_the_contents_of_a_manual_stand_on_its_front_page() -> None:
    chapters = {f"Chapter {number}": f"{H}/c{number}" for number in range(8)}
    pages = {f"{H}/": f"<body><h1>Manual</h1><div>{menu(chapters)}</div></body>"}
    for url in chapters.values():
        pages[url] = f'<body><p>Some long text without any links in it.</p><p><a href="{H}/">up</a></p></body>'

    found = menus_by_role(mined(pages))

    assert [list(chapters.items())] == [row["list"] for row in found["toc"]]


@pytest.mark.parametrize("is_paged", [True, False])
def test_contents_beside_much_text_are_told_by_the_order_of_the_pages(is_paged: bool) -> None:
    chapters = [f"{H}/c{number}" for number in range(6)]
    text = f"<p>{'A text that is much longer than the list below it. ' * 20}</p>"
    listed = menu({f"Chapter {number}": url for number, url in enumerate(chapters)})
    pages = {**site(), f"{H}/book": page(f"{H}/book", f"{text}<div>{listed}</div>")}
    for number, url in enumerate(chapters):
        near = [("up", f"{H}/book")]
        if is_paged:
            steps = (("back", number - 1), ("on", number + 1))
            near += [(label, chapters[other]) for label, other in steps if 0 <= other < len(chapters)]
        pages[url] = page(url, f"{text}<div>{' '.join(f'<a href={to}>{label}</a>' for label, to in near)}</div>")

    found = menus_by_role(mined(pages)).get("toc", [])

    assert [chapters] * is_paged == [[url for _, url in row["list"]] for row in found]


def test_links_in_running_text_are_no_menu_however_often_they_recur() -> None:
    pages = site()
    words = "a sentence that goes on for quite a while before it comes to its end "
    prose = "".join(f'{words}<a href="{H}/news/{number}">news</a> ' for number in range(3))
    for number in range(4):
        pages[f"{H}/text/{number}"] = page(f"{H}/text/{number}", f"<div><p>{prose}{words}</p></div>")

    assert {"main", "footer"} == set(menus_by_role(mined(pages)))


def test_parts_of_a_list_that_changes_are_no_menu() -> None:
    """Three pages recur on five, themselves among these, beside three others on each."""
    pages = site()
    same = {f"News {number}": f"{H}/news/{number}" for number in range(3)}
    urls = [f"{H}/news/{number}" for number in range(5)]
    for url in urls:
        pages[url] = page(url, f"<div>{menu(same | {f'Other {k}': f'{url}/{k}' for k in range(3)}, here=url)}</div>")

    assert {"main", "footer"} == set(menus_by_role(mined(pages)))

    for url in urls:
        pages[url] = page(url, f"<div>{menu(same, here=url)}</div>")

    assert {"main", "footer", "local"} == set(menus_by_role(mined(pages)))
