"""News sites, blogs without menus, and directories of other sites."""

from sitestrata.sample.build import (
    add_concepts,
    add_frame,
    add_page,
    add_statics,
    fill_listing,
    finish,
    item_title,
    new_site,
    room,
)
from sitestrata.sample.domains import domain
from sitestrata.sample.dress import dress
from sitestrata.sample.vocabulary import interface_labels
from sitestrata.sample.web import Group, Node, Site

__all__ = ["directory", "grow_news", "news", "nomenu"]


def news(group: Group) -> None:
    """Build a news site: sections, archives with pagers, articles, some of them in parts."""
    plan = group.plan
    site = new_site(
        group,
        0,
        kind="news",
        name=f"The {plan.name.title()} Post",
        host=plan.host,
        language=plan.language,
        quota=plan.pages,
        domain_name="news",
    )
    grow_news(site)


def grow_news(site: Site) -> None:
    """Grow a news site inside a new site."""
    rng = site.chance
    topics = domain("news")
    frame = add_frame(site, site.home)
    width = max(5, min(9, site.quota // 10))
    tops = add_concepts(site, topics.concepts, site.home, kind="section", keep=0.8, limit=width)
    listings: list[Node] = []
    for top in tops:
        concept = next(concept for concept in topics.concepts if concept.key == top.concept)
        below = add_concepts(site, concept.children, top, kind="listing", keep=0.6, limit=5) if site.quota > 30 else []
        listings += below or [top]
    for top in tops:
        if top in listings:
            top.kind = "listing"
    keys = ["about", "contact", "privacy", "imprint", "archive", "newsletter", "terms", "press"]
    statics = add_statics(site, rng.sample(keys, min(len(keys), 3 + site.quota // 12)), site.home)
    dress(site, frame, tops, statics, crumbs=0.4, local=0.4)
    site.link_rate *= 0.8
    fill_listing(
        site, listings, item_kind="article", schema=topics.attributes, per_page=rng.choice((10, 15, 20)), share=0.85
    )
    _add_parts(site, [item for listing in listings for item in listing.items])
    fill_listing(site, listings, item_kind="article", schema=topics.attributes, per_page=20)
    site.home.items = [item for listing in listings for item in listing.items[:2]][:12]
    for top in tops:
        if top.kind == "section":
            top.items = [item for child in top.children for item in child.items[:4]][:12]
            top.schema = topics.attributes
    finish(site)


def _add_parts(site: Site, articles: list[Node]) -> None:
    """Continue some articles on further pages: one document of several parts."""
    rng = site.chance
    for article in articles[:: max(1, len(articles) // 6)]:
        count = rng.randint(2, 5)
        if site.quota <= count or not article.captured:
            continue
        article.kind = "part"
        article.series = [article]
        word = interface_labels("part", site.language)[0]
        for number in range(2, count + 2):
            part = add_page(site, "part", f"{word} {number}", article, hole=False)
            part.series, part.rank = article.series, number - 1
            article.series.append(part)
        site.compounds.append((article, list(article.series)))


def nomenu(group: Group) -> None:
    """Build a site of essays without any menu: links in the text, a link home, nothing else."""
    plan = group.plan
    site = new_site(
        group,
        0,
        kind="nomenu",
        name=f"{plan.name.title()} notes",
        host=plan.host,
        language=plan.language,
        quota=plan.pages,
    )
    rng = site.chance
    frame = add_frame(site, site.home, family=rng.choice(("lists", "divs", "html5")))
    frame.theme.distractions = tuple(name for name in frame.theme.distractions if name in ("share", "cookie"))
    site.link_rate *= 1.6
    while room(site):
        add_page(site, "article", item_title(site, rng), site.home)
    site.home.items = [node for node in site.nodes[1:] if node.captured][:12]
    finish(site)


def directory(group: Group) -> None:
    """Build a directory of other sites: a hub that links everywhere."""
    plan = group.plan
    site = new_site(
        group,
        0,
        kind="directory",
        name=f"{plan.name.title()} Guide",
        host=plan.host,
        language=plan.language,
        quota=plan.pages,
    )
    rng = site.chance
    frame = add_frame(site, site.home)
    tops = []
    words = [word for concept in domain("news").concepts for word in concept.labels["en"]]
    for word in rng.sample(words, max(2, min(len(words), site.quota // 3))):
        tops.append(add_page(site, "directory", word, site.home))
    statics = add_statics(site, ("about", "contact", "privacy"), site.home)
    dress(site, frame, tops[:12], statics, crumbs=0.5, local=0.0)
    while room(site):
        add_page(site, "directory", item_title(site, rng), rng.choice(tops))
    finish(site)
