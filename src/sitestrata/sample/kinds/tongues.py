"""One site in several languages."""

from sitestrata.sample.build import add_frame, add_menu, add_page, add_statics, finish, new_site
from sitestrata.sample.dress import dress
from sitestrata.sample.prose import phrase
from sitestrata.sample.vocabulary import LANGUAGES, interface_labels, language_name
from sitestrata.sample.web import Entry, Group, Node, Site

__all__ = ["languages"]


def languages(group: Group) -> None:
    """Build one site in several languages: the same pages with menus of their own, and a switch between them."""
    plan = group.plan
    codes = [plan.language, *(code for code in LANGUAGES if code != plan.language)]
    count = max(1, min(2 + plan.seed // 2 % 3, plan.pages // 8))
    site = new_site(
        group, 0, kind="languages", name=plan.name.title(), host=plan.host, language=plan.language, quota=plan.pages
    )
    rng = site.chance
    site.suffix = rng.choice(("dirs", "html", "ids"))
    keys = rng.sample(("about", "products", "services", "projects", "team", "events", "partners", "careers"), 6)
    keys = keys[: max(2, plan.pages // count // 2)]
    switch = add_menu(site, "language", [], varies=rng.random() < 0.6)
    share = plan.pages // count
    for number, code in enumerate(codes[:count]):
        front = site.home if number == 0 else _front(site, code)
        front.language, front.subsite, front.slot = code, code, "home"
        site.subsites[code] = "own" if number else "shared"
        frame = add_frame(site, front, like=site.frames[0] if site.frames else None)
        front.frame = frame
        _grow(site, front, keys, share if number < count - 1 else site.quota)
        if count > 1:
            frame.languages = switch
            switch.entries.append(Entry(code if switch.varies else site.say(language_name(code, 0)), front))
    site.menu_kind = "partial" if count > 1 else "global"
    finish(site)


def _front(site: Site, code: str) -> Node:
    return add_page(site, "section", interface_labels("home", code)[0], site.home, path=f"/{code}/", hole=False)


def _grow(site: Site, front: Node, keys: list[str], budget: int) -> None:
    """Grow the pages of one language; pages of one slot are translations of one another."""
    rng = site.chance
    end = max(0, site.quota - budget)
    tops = add_statics(site, keys, front)
    legal = add_statics(site, ("contact", "privacy", "imprint"), front)
    assert front.frame is not None
    dress(site, front.frame, tops, legal, crumbs=0.5, local=0.4)
    for page in (front, *tops, *legal):
        site.variants[front.language, page.slot] = page
    number = 0
    while site.quota > end:
        top = tops[number % len(tops)]
        top.kind = "section"
        page = add_page(site, "article", f"{phrase(front.language, rng)} {number}", top)
        page.slot = f"{top.slot}/{number}"
        site.variants[front.language, page.slot] = page
        number += 1
