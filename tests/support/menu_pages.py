"""Small sites with menus, and what is found on them."""

from typing import Any

from sitestrata.menus import MenuOptions, find_menus
from support.html_webs import HtmlWeb, menu

H = "https://s.example"
MAIN = {"Home": f"{H}/", "News": f"{H}/news", "Team": f"{H}/team", "Help": f"{H}/help"}
LEGAL = {"Privacy": f"{H}/privacy", "Terms": f"{H}/terms"}


def page(url: str, body: str = "", *, main: dict[str, str] = MAIN, foot: dict[str, str] = LEGAL) -> str:
    return (
        f"<body><div><div>{menu(main, here=url)}</div><p>Some text.</p>{body}</div>"
        f"<div><p>About us</p>{menu(foot, here=url)}</div></body>"
    )


def site(count: int = 8) -> dict[str, str]:
    urls = [*MAIN.values(), *LEGAL.values(), *(f"{H}/news/{number}" for number in range(count))]
    return {url: page(url, f'<p><a href="{H}/news/{len(url)}">x</a></p>') for url in urls}


def mined(pages: dict[str, str]) -> dict[str, list[dict[str, Any]]]:
    return {name: table.to_pylist() for name, table in find_menus(HtmlWeb(pages), MenuOptions()).items()}


def menus_by_role(found: dict[str, list[dict[str, Any]]]) -> dict[str, list[dict[str, Any]]]:
    by_role: dict[str, list[dict[str, Any]]] = {}
    for row in found["menus"]:
        items = [item for item in found["menu_items"] if item["menu"] == row["menu"]]
        by_role.setdefault(row["role"], []).append({**row, "list": [(item["label"], item["url"]) for item in items]})
    return by_role


SITES = [f"https://s{number}.example" for number in range(4)]


def sister_site(home: str, bar: dict[str, str], *, wrap: str) -> dict[str, str]:
    """A site with a bar above its own menu and footer, in a template of its own."""
    main = {"Start": f"{home}/", "One": f"{home}/1", "Two": f"{home}/2", "Three": f"{home}/3"}
    foot = {"Law": f"{home}/law", "Press": f"{home}/press"}
    urls = [*main.values(), *foot.values(), *(f"{home}/x{number}" for number in range(5))]
    return {
        url: f"<body>{menu(bar)}<{wrap}><{wrap}>{menu(main, here=url)}</{wrap}><p>text</p></{wrap}>"
        f"<{wrap}><p>more</p>{menu(foot, here=url)}</{wrap}></body>"
        for url in urls
    }
