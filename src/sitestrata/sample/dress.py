"""Menus of a site from its sections: main menu, local menus, footers, switches and the lists that are none of these."""

from sitestrata.sample.build import add_menu, entries_of
from sitestrata.sample.theme import NESTABLE
from sitestrata.sample.vocabulary import interface_labels
from sitestrata.sample.web import Entry, Frame, Menu, Node, Site

__all__ = ["add_extras", "add_footers", "add_locals", "add_main", "add_paths", "dress", "spread_local"]

_LEGAL = ("privacy", "terms", "imprint", "access", "contact", "sitemap")
_NETWORKS = ("chirper", "facepage", "pixgram", "tubes", "linkup", "mastodont")


def dress(
    site: Site, frame: Frame, tops: list[Node], statics: list[Node], *, crumbs: float = 0.55, local: float = 0.6
) -> None:
    """Give a frame its menus: the main menu from ``tops``, footers from both, and random extras."""
    add_main(site, frame, tops, statics)
    add_footers(site, frame, tops, statics)
    add_extras(site, frame)
    add_paths(site, frame, crumbs=crumbs)
    rng = site.chance
    if frame.theme.dropdown == "section" or rng.random() < local:
        add_locals(site, tops)


def add_main(site: Site, frame: Frame, tops: list[Node], statics: list[Node]) -> None:
    """Add the main menu: a bar, with drop-downs of one or two levels if the theme has them."""
    rng = site.chance
    theme = frame.theme
    depth = {"nested": rng.choice((1, 1, 2)), "panels": rng.choice((1, 1, 2))}.get(theme.dropdown, 0)
    entries = entries_of(tops, depth, limit=rng.choice((6, 9, 14)))
    if depth and rng.random() < 0.15:  # headings that only open a drop-down
        for entry in entries:
            if entry.children:
                entry.target = None
    if rng.random() < 0.6:
        entries.insert(0, Entry(frame.home.label, frame.home))
    if rng.random() < 0.5:
        entries += entries_of(statics[: rng.randint(1, 3)])
    menu = add_menu(site, "main", entries)
    menu.panels = theme.dropdown == "panels" and any(entry.children for entry in entries)
    if menu.panels and theme.styles["main"] in NESTABLE:
        # A bar whose drop-downs stand elsewhere must not nest them as well.
        menu.style = "spans"
    frame.main = menu
    if site.main is None:
        site.main = menu
        site.menu_kind = "global"


def add_footers(site: Site, frame: Frame, tops: list[Node], statics: list[Node]) -> None:
    """Add one to three footer lists; they overlap with the main menu as they do on the web."""
    rng = site.chance
    named = {id(entry.target) for entry in frame.main.entries} if frame.main is not None else set()
    legal = [page for page in statics if page.slot in _LEGAL or id(page) not in named]
    if legal:
        frame.footers.append(add_menu(site, "footer", entries_of(legal)))
    company = [page for page in statics if page.slot not in _LEGAL]
    if len(company) > 2 and rng.random() < 0.5:
        menu = add_menu(site, "footer", entries_of(company))
        menu.heading = site.say(rng.choice(interface_labels("about", site.language)))
        frame.footers.insert(0, menu)
    if len(tops) > 2 and rng.random() < 0.35:
        menu = add_menu(site, "footer", entries_of(tops[: rng.randint(3, 8)]))
        menu.heading = site.say(rng.choice(interface_labels("products", site.language)))
        frame.footers.insert(0, menu)


def add_extras(site: Site, frame: Frame) -> None:
    """Add lists that stand on every page and are no menu of the site: account row, social links, tags."""
    rng = site.chance
    home = frame.home
    base = home.host + site.prefix
    modern = frame.theme.family in ("divs", "html5")
    if rng.random() < (0.5 if modern else 0.1):
        keys = rng.sample(("signin", "register", "cart", "newsletter"), rng.randint(2, 4))
        frame.utility = add_menu(site, "other", [Entry(site.ui(key), f"{base}{key}") for key in keys])
    if rng.random() < (0.45 if modern else 0.0):
        names = rng.sample(_NETWORKS, rng.randint(3, 5))
        word = site.key.replace("-", "")
        frame.social = add_menu(
            site, "other", [Entry(site.say(name.title()), f"https://{name}.example/{word}") for name in names]
        )
    if rng.random() < 0.15:
        tags = [site.say(word) for word in rng.sample(_TAG_WORDS, 12)]
        frame.cloud = add_menu(site, "other", [Entry(tag, f"{base}tag/{k}") for k, tag in enumerate(tags)])


_TAG_WORDS = [
    "autumn",
    "bicycles",
    "budget",
    "coast",
    "design",
    "energy",
    "festival",
    "garden",
    "harbour",
    "heritage",
    "ideas",
    "islands",
    "language",
    "maps",
    "market",
    "memory",
    "night",
    "paper",
    "rail",
    "repair",
    "rivers",
    "school",
    "sound",
    "street",
    "summer",
    "textile",
    "timber",
    "walks",
    "water",
    "winter",
    "wool",
    "youth",
]


def add_paths(site: Site, frame: Frame, *, crumbs: float) -> None:
    """Add the varying menus: path and pager."""
    if site.chance.random() < crumbs:
        frame.crumbs = add_menu(site, "breadcrumb", [], varies=True)
    frame.pager = add_menu(site, "pager", [], varies=True)


def add_locals(site: Site, tops: list[Node], *, depth: int = 0) -> None:
    """Add a local menu to each section that has pages below it."""
    for top in tops:
        below = [child for child in top.children if child.kind in ("section", "listing", "static", "directory")]
        if len(below) < 2:
            continue
        first = [Entry(top.label, top)] if site.seed % 2 else []
        spread_local(top, add_menu(site, "local", first + entries_of(below[:20], depth)))


def spread_local(top: Node, menu: Menu) -> None:
    """Show a local menu on a section and everything below it."""
    stack = [top]
    while stack:
        node = stack.pop()
        node.local = menu
        if node.rank == 0:
            for more in node.series or ():  # further pages of a listing are nobody's children
                more.local = menu
        stack.extend(node.children)
