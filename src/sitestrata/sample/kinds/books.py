"""Documentation with versions and languages, manuals with nothing but prev/next, and a wiki."""

from sitestrata.sample.build import (
    add_frame,
    add_menu,
    add_page,
    add_statics,
    entries_of,
    fill_listing,
    finish,
    item_title,
    label_of,
    new_site,
    note_concept,
    room,
)
from sitestrata.sample.domains import Concept, domain
from sitestrata.sample.dress import add_footers, add_main, add_paths, dress, spread_local
from sitestrata.sample.prose import phrase
from sitestrata.sample.vocabulary import interface_labels
from sitestrata.sample.web import Entry, Frame, Group, Menu, Node, Site

__all__ = ["documentation", "manual", "wiki"]


def documentation(group: Group) -> None:
    """Build a documentation site: a front site, and a tree of chapters per version and language."""
    plan = group.plan
    site = new_site(
        group,
        0,
        kind="documentation",
        name=f"{plan.name.title()}",
        host=plan.host,
        language="en",
        quota=plan.pages,
        domain_name="software",
    )
    rng = site.chance
    site.suffix = rng.choice(("html", "dirs", "html", "htm"))
    frame = add_frame(site, site.home, family=rng.choice(("html5", "divs", "lists")))
    versions = [f"{major}.{rng.randrange(9)}" for major in range(rng.randint(1, 4), 0, -1)]
    extra = rng.sample(("de", "fr", "es", "ru", "ja"), rng.randint(0, 2))
    languages = ["en", *extra] if plan.pages > 60 else ["en"]
    statics = add_statics(site, ("downloads", "community", "blog", "about", "privacy", "contact"), site.home)
    trees = len(versions) * len(languages)
    while trees > 1 and site.quota // trees < 14:
        if len(versions) > 1:
            versions.pop()
        else:
            languages.pop()
        trees = len(versions) * len(languages)
    shared = trees == 1 or rng.random() < 0.6  # the site's bar is shown inside the versions, too
    roots: list[Node] = []
    share = site.quota // trees
    for version in versions:
        for language in languages:
            last = len(roots) == trees - 1
            budget = site.quota if last else share
            roots.append(
                _tree(site, frame, version, language, budget, shared, many=(len(versions) > 1, len(languages) > 1))
            )
    add_main(site, frame, [roots[0]], statics[:4])
    add_footers(site, frame, [], statics)
    add_paths(site, frame, crumbs=0.3)
    for root in roots:
        assert root.frame is not None
        if shared:
            root.frame.main = frame.main
        root.frame.footers = frame.footers
    if not shared and trees > 1:
        site.menu_kind = "partial"
    finish(site)


def _tree(
    site: Site, outer: Frame, version: str, language: str, budget: int, shared: bool, many: tuple[bool, bool]
) -> Node:
    """Grow one version in one language; pages of all trees share their slots."""
    rng = site.chance
    parts = [part for part, wanted in ((version, many[0]), (language, many[1])) if wanted]
    subsite = "@".join(parts)
    folder = "/".join(["docs", *parts]) if parts else "docs"
    title = f"{site.name} {version}"
    root = add_page(site, "section", title, site.home, path=f"{site.prefix}{folder}/")
    root.language = language
    root.subsite = subsite
    root.slot = "home"
    frame = add_frame(site, site.home, like=outer)
    root.frame = frame
    if subsite:
        site.subsites[subsite] = "shared" if shared else "own"
        site.variants[subsite, "home"] = root
    outline = domain("software")
    start = site.quota
    chapters = []
    for concept in outline.concepts:
        chapters.append(_chapter(site, root, concept, language, subsite))
    for chapter, concept in zip(chapters, outline.concepts, strict=True):
        for child in concept.children:
            _chapter(site, chapter, child, language, subsite)
    sections = [child for chapter in chapters for child in chapter.children]
    number = 0
    while start - site.quota < budget and room(site):
        parent = sections[number % len(sections)]
        page = add_page(site, "article", phrase(language, rng) + f" {number}", parent, hole=False)
        page.slot = f"{parent.slot}/{number}"
        page.schema = ("type", "default", "since") if parent.concept in ("commands", "functions") else ()
        page.concept = parent.concept
        if page.schema:
            page.kind = "item"
        if subsite:
            site.variants[subsite, page.slot] = page
        number += 1
    chain: list[Node] = []
    _walk(root, chain)
    for rank, page in enumerate(chain):
        page.series, page.rank = chain, rank
    frame.pager = add_menu(site, "pager", [], varies=True)
    if rng.random() < 0.5:
        frame.crumbs = outer.crumbs or add_menu(site, "breadcrumb", [], varies=True)
        outer.crumbs = outer.crumbs or frame.crumbs
    if shared or rng.random() < 0.5:
        spread_local(root, add_menu(site, "local" if shared else "main", entries_of(chapters, 1)))
    else:
        frame.main = add_menu(site, "main", entries_of(chapters, 1))
    root.toc = add_menu(site, "toc", entries_of(chapters, 1))
    if many[0]:
        frame.versions = _switch(site, "version", subsite, 0)
    if many[1]:
        frame.languages = _switch(site, "language", subsite, -1)
    return root


def _switch(site: Site, role: str, subsite: str, part: int) -> Menu:
    """Return the site's switch and note one more value of it."""
    menu = next((menu for menu in site.menus if menu.role == role), None) or add_menu(site, role, [], varies=True)
    value = subsite.split("@")[part]
    if value not in (entry.label for entry in menu.entries):
        menu.entries.append(Entry(value, None))
    return menu


def _chapter(site: Site, parent: Node, concept: Concept, language: str, subsite: str) -> Node:
    node = add_page(site, "section", label_of(site, concept, language), parent, concept=concept.key, key=concept.key)
    note_concept(site, node)
    node.slot = concept.key
    if subsite:
        site.variants[subsite, concept.key] = node
    return node


def _walk(node: Node, chain: list[Node]) -> None:
    """Collect a tree in reading order."""
    stack = [node]
    while stack:
        page = stack.pop()
        chain.append(page)
        stack.extend(reversed(page.children))


def manual(group: Group) -> None:
    """Build a manual: a contents list on the front page, previous-up-next on the others, no menu."""
    plan = group.plan
    site = new_site(
        group,
        0,
        kind="manual",
        name=f"{plan.name.title()} manual",
        host=plan.host,
        language=plan.language,
        quota=plan.pages,
    )
    grow_manual(site)


def grow_manual(site: Site) -> None:
    """Grow a manual inside a new site."""
    rng = site.chance
    site.suffix = rng.choice(("html", "htm", "flat"))
    frame = add_frame(site, site.home, family=rng.choice(("lists", "lists", "divs", "tables")))
    frame.theme.distractions = ()
    frame.pager = add_menu(site, "pager", [], varies=True)
    site.link_rate *= 0.5
    word = interface_labels("part", site.language)[0]
    chapters: list[Node] = []
    while room(site):
        chapter = add_page(
            site,
            "section",
            f"{len(chapters) + 1}. {item_title(site, rng)}",
            site.home,
            key=f"{word} {len(chapters) + 1}",
        )
        chapters.append(chapter)
        for number in range(rng.randint(3, 12)):
            if room(site):
                add_page(
                    site, "article", f"{len(chapters)}.{number + 1} {phrase(site.language, rng)}", chapter, hole=False
                )
    deep = rng.random() < 0.5
    entries = [
        Entry(chapter.label, chapter, [Entry(page.label, page) for page in chapter.children] if deep else [])
        for chapter in chapters
    ]
    site.home.toc = add_menu(site, "toc", entries)
    for chapter in chapters:
        if len(chapter.children) > 2:
            chapter.toc = add_menu(site, "toc", [Entry(page.label, page) for page in chapter.children])
    site.main = site.home.toc
    site.menu_kind = "index-only"
    chain: list[Node] = []
    _walk(site.home, chain)
    for rank, page in enumerate(chain):
        page.series, page.rank = chain, rank
    finish(site)


def wiki(group: Group) -> None:
    """Build a wiki: many links in the text, categories, a short side menu on every page."""
    plan = group.plan
    site = new_site(
        group,
        0,
        kind="wiki",
        name=f"{plan.name.title()} Wiki",
        host=plan.host,
        language=plan.language,
        quota=plan.pages,
    )
    rng = site.chance
    site.suffix = rng.choice(("flat", "query", "dirs"))
    frame = add_frame(site, site.home, family=rng.choice(("divs", "html5")))
    site.link_rate *= 2.0
    site.table_rate = 0.4
    statics = add_statics(site, ("recent", "random", "help", "community", "about", "privacy"), site.home)
    categories = [
        add_page(site, "listing", item_title(site, rng), site.home) for _ in range(max(2, min(12, site.quota // 10)))
    ]
    dress(site, frame, statics[:4], statics[4:], crumbs=0.2, local=0.0)
    fill_listing(site, categories, item_kind="item", schema=(), per_page=60)
    for node in site.nodes:
        if node.kind == "item" and node.seed % 3 == 0:  # a box of facts
            node.schema = ("population", "area", "founded", "height")
    finish(site)
