"""Taking away the evidence that decided a role changes the role (`explain` names it as the reason)."""

from support.html_webs import menu
from support.menu_pages import LEGAL, MAIN, SITES, H, menus_by_role, mined, page, sister_site, site


def reason_of(pages: dict[str, str], label: str) -> tuple[str, str] | None:
    """Return role and reason of the menu that begins with a label; None = there is none."""
    for role, rows in menus_by_role(mined(pages)).items():
        for row in rows:
            if row["list"] and row["list"][0][0] == label:
                return role, row["reason"]
    return None


def test_a_footer_alone_is_no_footer() -> None:
    foot = {"Law": f"{H}/law", "Press": f"{H}/press", "Jobs": f"{H}/jobs"}
    urls = [*site(), *foot.values()]

    assert ("footer", "last-behind-others") == reason_of({url: page(url, foot=foot) for url in urls}, "Law")

    alone = {url: page(url, main={}, foot=foot) for url in urls}

    assert ("main", "widest") == reason_of(alone, "Law")


def test_a_local_menu_without_the_wider_one_is_the_main_menu() -> None:
    section = {"One": f"{H}/team/1", "Two": f"{H}/team/2", "Three": f"{H}/team/3"}
    urls = [*section.values(), f"{H}/team/1/a", f"{H}/team/1/b"]
    pages = site() | {url: page(url, f"<div>{menu(section, here=url)}</div>") for url in urls}

    assert ("local", "wider-menu") == reason_of(pages, "One")
    assert ("main", "widest") == reason_of(
        {url: page(url, menu(section, here=url), main={}, foot={}) for url in urls}, "One"
    )


def test_other_links_that_are_shown_by_their_targets_are_no_longer_other() -> None:
    away = {f"Away {number}": f"https://away.example/{number}" for number in range(4)}
    pages = {url: body.replace("<p>About us</p>", menu(away, tag="ol")) for url, body in site().items()}

    assert ("other", "targets-do-not-show-it") == reason_of(pages, "Away 0")

    pages |= {url: page(url).replace("<p>About us</p>", menu(away, tag="ol", here=url)) for url in away.values()}

    assert ("other", "targets-do-not-show-it") != reason_of(pages, "Away 0")


def test_a_bar_into_pages_that_share_a_menu_is_no_organisation_s() -> None:
    bar = {f"Site {number}": f"{home}/" for number, home in enumerate(SITES)}
    wraps = ("div", "section", "article", "center")
    apart, together = {}, {}
    for home, wrap in zip(SITES, wraps, strict=True):
        apart |= sister_site(home, bar, wrap=wrap)
        for url, body in sister_site(home, bar, wrap=wrap).items():
            together[url] = body.replace("<body>", f"<body><nav>{menu(MAIN | LEGAL)}</nav>")

    assert ("organisation", "targets-share-nothing-else") == reason_of(apart, "Site 0")
    assert ("organisation", "targets-share-nothing-else") != reason_of(together, "Site 0")


def test_a_pager_whose_neighbours_do_not_answer_is_none() -> None:
    chain = [f"{H}/c{number}" for number in range(9)]

    def pages(*, is_answered: bool) -> dict[str, str]:
        made = site()
        for number, url in enumerate(chain):
            near = [number + 1, number - 1] if is_answered else [number + 1]
            links = [f'<a href="{chain[other]}">{other}</a>' for other in near if 0 <= other < len(chain)]
            made[url] = page(url, f'<div>{" ".join(links)} <a href="{H}/news">up</a></div>')
        return made

    roles = {row["role"]: row["reason"] for row in mined(pages(is_answered=True))["menus"]}

    assert "neighbours-answer" == roles["pager"]
    assert "pager" not in {row["role"] for row in mined(pages(is_answered=False))["menus"]}
