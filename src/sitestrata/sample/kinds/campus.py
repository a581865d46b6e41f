"""Universities with departments: a main site, departments that keep its menu, and departments that have their own."""

from sitestrata.sample.build import (
    add_concepts,
    add_frame,
    add_menu,
    add_page,
    add_statics,
    entries_of,
    fill_listing,
    finish,
    new_site,
)
from sitestrata.sample.domains import domain
from sitestrata.sample.dress import dress, spread_local
from sitestrata.sample.records import person
from sitestrata.sample.web import Entry, Group, Menu, Node, Site, mix

__all__ = ["university"]

_SUBJECTS = {
    "en": "Mathematics,Physics,History,Chemistry,Law,Computer Science,Biology,Economics,Music,Philosophy,Geography",
    "de": "Mathematik,Physik,Geschichte,Chemie,Recht,Informatik,Biologie,Wirtschaft,Musik,Philosophie,Erdkunde",
    "fr": "Mathématiques,Physique,Histoire,Chimie,Droit,Informatique,Biologie,Économie,Musique,Philosophie,Géographie",
    "es": "Matemáticas,Física,Historia,Química,Derecho,Informática,Biología,Economía,Música,Filosofía,Geografía",
}


def university(group: Group) -> None:
    """Build a university."""
    plan = group.plan
    outline = domain("university")
    count = max(1, min(9, plan.pages // 40))
    quota = max(12, plan.pages // 2) if plan.pages > 24 else plan.pages
    own = (plan.pages - quota) if plan.pages > 24 else 0
    main = new_site(
        group,
        0,
        kind="university",
        name=f"University of {plan.name.title()}",
        host=plan.host,
        language=plan.language,
        quota=quota,
        domain_name="university",
    )
    rng = main.chance
    frame = add_frame(main, main.home)
    tops = add_concepts(main, outline.concepts, main.home, kind="section", keep=0.9, limit=max(4, min(6, quota // 8)))
    listings: list[Node] = []
    for top in tops:
        concept = next(concept for concept in outline.concepts if concept.key == top.concept)
        listings += add_concepts(main, concept.children, top, kind="listing", keep=0.8, limit=5)
    statics = add_statics(main, ("about", "contact", "news", "events", "imprint", "privacy"), main.home)
    dress(main, frame, tops, statics, crumbs=0.7, local=0.7)
    subjects = rng.sample(_SUBJECTS[plan.language].split(","), min(11, 2 * count))
    hub = add_page(
        main, "section", "Departments" if plan.language == "en" else subjects[0] + " ...", main.home, key="departments"
    )
    for subject in subjects[count:]:
        _subsite(main, hub, subject)
    fill_listing(main, listings, item_kind="item", schema=("credits", "lecturer", "term", "room", "code"), per_page=15)
    _name_people(listings)
    bar = _bar(group, main, rng.random() < 0.6)
    sites = [main]
    for number in range(count if own else 0):
        share = own // count + (1 if number < own % count else 0)
        if share:
            sites.append(_department(group, number + 1, subjects[number], main, share, bar))
    hub.toc = add_menu(main, "toc", [Entry(site.name, site.home) for site in sites[1:]] + entries_of(hub.children))
    if bar is not None:
        bar.entries = [Entry(main.home.label, main.home)] + [Entry(site.name, site.home) for site in sites[1:6]]
        if len(bar.entries) >= 3:
            for site in sites:
                for shown in site.frames:
                    shown.bar = bar
        else:
            group.bars.remove(bar)
    for site in sites:
        finish(site)


def _bar(group: Group, main: Site, wanted: bool) -> Menu | None:
    if not wanted:
        return None
    bar = Menu(f"{main.key}/bar", "organisation", [], site=None)
    group.bars.append(bar)
    return bar


def _name_people(listings: list[Node]) -> None:
    for listing in listings:
        if listing.concept in ("professors", "administration"):
            for node in [listing, *(listing.series or [])[1:]]:
                node.schema = ("office", "phone", "email", "field", "position")
                for item in node.items:
                    item.schema = node.schema
                    item.label = item.site.say(person(mix(item.seed, 3)))


def _subsite(main: Site, hub: Node, subject: str) -> None:
    """Add a department that keeps the university's main menu and has a local menu."""
    head = add_page(main, "section", subject, hub)
    head.subsite = f"{main.key}:{head.number}"
    main.subsites[head.subsite] = "shared"
    pages = add_statics(main, ("about", "team", "research", "events"), head)
    spread_local(head, add_menu(main, "local", [Entry(head.label, head), *entries_of(pages)]))


def _department(group: Group, number: int, subject: str, main: Site, quota: int, bar: Menu | None) -> Site:
    """Build a department with a host or a folder of its own, and a main menu of its own."""
    plan = group.plan
    own_host = plan.seed % 3 > 0
    host = plan.host.replace("//www.", "//").replace("//", f"//d{number}.", 1) if own_host else plan.host
    site = new_site(
        group,
        number,
        kind="department",
        name=subject,
        host=host,
        language=plan.language,
        quota=quota,
        prefix="/" if own_host else f"/dept{number}/",
        domain_name="university",
    )
    site.parent = main.key
    rng = site.chance
    outline = domain("university")
    frame = add_frame(site, site.home, like=main.frames[0] if rng.random() < 0.5 else None)
    chosen = [concept for concept in outline.concepts if concept.key in ("study", "research", "people")]
    tops = add_concepts(site, chosen, site.home, kind="section", keep=0.9, limit=3)
    listings: list[Node] = []
    for top in tops:
        concept = next(concept for concept in chosen if concept.key == top.concept)
        listings += add_concepts(site, concept.children, top, kind="listing", keep=0.7, limit=4)
    statics = add_statics(site, ("about", "contact", "events"), site.home)
    dress(site, frame, tops, statics, crumbs=0.5, local=0.5)
    if bar is None and rng.random() < 0.6:
        frame.utility = add_menu(
            site, "other", [Entry(main.name, main.home), Entry(main.ui("contact"), main.nodes[-1])]
        )
    fill_listing(site, listings or tops, item_kind="item", schema=("credits", "lecturer", "term", "room"), per_page=15)
    _name_people(listings)
    site.pool = site.nodes + main.nodes[:6]
    return site
