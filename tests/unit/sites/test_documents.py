"""Compound documents: parts that one row leads through, and nobody else shows."""

from sitestrata.sites.hierarchy import find_tree
from support.html_site import BASE, links, site_web

MENU = links("", "s", "t")


def documents(pages: dict[str, str]) -> dict[str, set[str]]:
    web = site_web(pages)
    tree = find_tree(web)
    found: dict[str, set[str]] = {}
    for row, first in enumerate(tree.document.tolist()):
        if first >= 0:
            found.setdefault(web.url[first].removeprefix(BASE), set()).add(web.url[row].removeprefix(BASE))
    return found


def article(page: str, *, shown_by: tuple[str, ...] = ()) -> dict[str, str]:
    """Return a site with a section that lists an article in three parts, each of which links the others by number."""
    row = "<div class=parts>" + " ".join(f"<a href=/{part}>{part[-1]}</a>" for part in (page, "x2", "x3")) + "</div>"
    pages = {"": MENU, "s": MENU + f"<main><h3><a href=/{page}>A story</a></h3></main>", "t": MENU}
    pages |= {name: MENU + f"<p>text of {name}</p>" + row for name in (page, "x2", "x3")}
    for name in shown_by:
        pages[name] = pages.get(name, MENU) + row
    return pages


def test_an_article_in_parts_is_a_document() -> None:
    assert {"x1": {"x1", "x2", "x3"}} == documents(article("x1"))


def test_a_row_that_others_show_is_a_menu() -> None:
    assert {} == documents(article("x1", shown_by=("below",)))


def test_the_main_menu_is_no_document() -> None:
    assert {} == documents(dict.fromkeys(("", "s", "t"), MENU))
