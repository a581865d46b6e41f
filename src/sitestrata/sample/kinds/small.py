"""Small and old sites: members of a shared host, framesets, table layouts of 1997, single pages."""

from sitestrata.sample.build import (
    add_frame,
    add_menu,
    add_page,
    add_statics,
    entries_of,
    finish,
    item_title,
    new_site,
    room,
)
from sitestrata.sample.dress import add_extras, add_footers, add_locals, add_main, add_paths
from sitestrata.sample.kinds.books import grow_manual
from sitestrata.sample.records import person
from sitestrata.sample.web import Entry, Group, Site, mix

__all__ = ["frames", "personal", "single", "tables97"]

_CLUB = (
    "about",
    "history",
    "events",
    "members",
    "gallery",
    "links",
    "contact",
    "meet",
    "news",
    "team",
    "projects",
    "resources",
)


def grow_club(site: Site, *, family: str | None = None, crumbs: float = 0.2) -> None:
    """Grow a small site of fixed pages with a short menu and some pages below it."""
    rng = site.chance
    frame = add_frame(site, site.home, family=family)
    count = max(1, min(len(_CLUB), site.quota, rng.randint(4, 9)))
    tops = add_statics(site, rng.sample(_CLUB, count), site.home)
    if len(tops) > 1:
        add_main(site, frame, tops, [])
    add_extras(site, frame)
    add_paths(site, frame, crumbs=crumbs)
    if rng.random() < 0.4:
        add_footers(site, frame, tops, tops)
    while room(site):
        top = rng.choice(tops or [site.home])
        top.kind = "section" if top is not site.home else "home"
        add_page(site, "static", item_title(site, rng), top)
    if rng.random() < 0.5:
        add_locals(site, tops)
    finish(site)


def personal(group: Group) -> None:
    """Build a shared host: a front page that lists the members, and a site of its own for each member."""
    plan = group.plan
    rest = plan.pages - 1
    front = new_site(
        group, 0, kind="hosting", name=f"{plan.name.title()} pages", host=plan.host, language=plan.language, quota=1
    )
    frame = add_frame(front, front.home)
    frame.theme.distractions = ()
    members: list[Site] = []
    number = 1
    while rest > 0:
        seed = mix(plan.seed, number, 11)
        size = min(rest, 1 + int(2 ** (seed % 1000 / 170)) if number % 5 else 1)
        size = min(size, max(4, plan.pages // 4))
        name = person(seed)
        member = new_site(
            group,
            number,
            kind="personal",
            name=name,
            host=plan.host,
            language=plan.language,
            quota=size,
            prefix=f"/~{name.split()[1].lower()}{number}/",
        )
        if size > 12 and seed % 4 == 0:
            grow_manual(member)
        else:
            grow_club(member, family=("lists", "tables", "divs", "html5", "lists")[seed % 5])
        member.out_links += [(front.name, front.home.url)]
        members.append(member)
        rest -= size
        number += 1
    front.home.toc = add_menu(front, "toc", [Entry(member.name, member.home) for member in members])
    front.main = front.home.toc
    front.menu_kind = "index-only"
    finish(front)


def frames(group: Group) -> None:
    """Build a site in frames: the menu is a page of its own, the other pages carry none."""
    plan = group.plan
    site = new_site(
        group,
        0,
        kind="frames",
        name=f"{plan.name.title()} Online",
        host=plan.host,
        language=plan.language,
        quota=plan.pages,
    )
    rng = site.chance
    site.suffix = "htm"
    site.home.kind = "frameset"
    frame = add_frame(site, site.home, family=rng.choice(("lists", "tables")))
    frame.theme.distractions = ()
    frame.theme.links = "relative"
    bare = add_frame(site, site.home, like=frame)
    menu_page = add_page(site, "frame", "Menu", site.home, path=f"{site.prefix}menu.htm", hole=False)
    menu_page.frame = frame
    welcome = add_page(site, "static", "Welcome", site.home, path=f"{site.prefix}welcome.htm", hole=False)
    tops = add_statics(site, rng.sample(_CLUB, max(2, min(9, site.quota // 2))), site.home)
    while room(site):
        top = rng.choice(tops)
        top.kind = "section"
        add_page(site, "static", item_title(site, rng), top)
    frame.main = add_menu(site, "main", [Entry(welcome.label, welcome), *entries_of(tops)])
    site.main = frame.main
    site.menu_kind = "frames"
    for node in site.nodes:
        if node is not menu_page:
            node.frame = bare
    finish(site)


def tables97(group: Group) -> None:
    """Build a site laid out in tables, as in 1997."""
    plan = group.plan
    site = new_site(
        group,
        0,
        kind="tables97",
        name=f"{plan.name.title()} & Sons",
        host=plan.host,
        language=plan.language,
        quota=plan.pages,
    )
    site.suffix = "htm"
    site.table_rate = 0.4
    grow_club(site, family="tables")


def single(group: Group) -> None:
    """Build sites of one page each."""
    plan = group.plan
    for number in range(plan.pages):
        host = plan.host if number == 0 else plan.host.replace("//www.", "//").replace("//", f"//s{number}-", 1)
        site = new_site(
            group,
            number,
            kind="single",
            name=person(mix(plan.seed, number, 5)),
            host=host,
            language=plan.language,
            quota=1,
        )
        add_frame(site, site.home)
        finish(site)
