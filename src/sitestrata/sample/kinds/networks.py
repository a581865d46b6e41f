"""Sites that belong together: an organisation with a bar, one site over two hosts, a large site with small sisters."""

from sitestrata.sample.build import (
    add_frame,
    add_menu,
    add_page,
    add_statics,
    fill_listing,
    finish,
    item_title,
    new_site,
    room,
)
from sitestrata.sample.dress import add_main, add_paths, dress
from sitestrata.sample.kinds.books import grow_manual
from sitestrata.sample.kinds.commerce import grow_shop
from sitestrata.sample.kinds.press import grow_news
from sitestrata.sample.kinds.small import grow_club
from sitestrata.sample.vocabulary import LANGUAGES, interface_labels, language_name
from sitestrata.sample.web import Entry, Group, Menu, Site, mix

__all__ = ["organisation", "sisters", "twohosts"]

_QUARTERS = ("North", "South", "East", "West", "New", "Old")
_TOWNS = ("vale", "ford", "haven", "bridge", "moor")
SISTERS = 30  # how many small sister sites stand beside the large one


def organisation(group: Group) -> None:
    """Build an organisation: sites of several kinds, each with its own menu, and one bar on all of them."""
    plan = group.plan
    count = max(3, min(9, plan.pages // 25))
    base = plan.host.replace("//www.", "//")
    scheme, _, domain = base.partition("://")
    folders = plan.seed % 3 == 0  # some organisations keep all their sites on one host
    rest = plan.pages
    sites: list[Site] = []
    for number in range(count):
        quota = rest if number == count - 1 else max(2, rest // (count - number) // (1 if number else 2))
        rest -= quota
        seed = mix(plan.seed, number, 17)
        kind = ("club", "shop", "news", "manual", "club")[seed % 5] if number else "club"
        word = ("store", "press", "learn", "labs", "club", "jobs", "ideas", "care")[(seed >> 8) % 8] + str(number)
        host = plan.host if folders or number == 0 else f"{scheme}://{word}.{domain}"
        prefix = f"/{word}/" if folders and number else "/"
        topic = {"shop": "electronics", "news": "news"}.get(kind)
        name = plan.name.title() if number == 0 else f"{plan.name.title()} {word.rstrip('0123456789').title()}"
        site = new_site(
            group,
            number,
            kind="organisation",
            name=name,
            host=host,
            language=plan.language,
            quota=quota,
            prefix=prefix,
            domain_name=topic,
        )
        site.owner = plan.name
        {"shop": grow_shop, "news": grow_news, "manual": grow_manual}.get(kind, grow_club)(site)
        sites.append(site)
    for site in sites[1:]:
        site.parent = sites[0].key
    shown = sites[: max(3, min(6, count))]
    bar = Menu(f"{plan.name}/bar", "organisation", [Entry(site.name, site.home) for site in shown], site=None)
    group.bars.append(bar)
    for site in sites:
        for frame in site.frames:
            frame.bar = bar


def twohosts(group: Group) -> None:
    """Build one site over two hosts of one domain and a second domain; its menu is the same everywhere."""
    plan = group.plan
    site = new_site(
        group, 0, kind="twohosts", name=plan.name.title(), host=plan.host, language=plan.language, quota=plan.pages
    )
    rng = site.chance
    frame = add_frame(site, site.home)
    base = plan.host.replace("//www.", "//")
    scheme, _, domain = base.partition("://")
    stem, _, zone = domain.rpartition(".")
    hosts = (
        plan.host,
        f"{scheme}://{rng.choice(('help', 'docs', 'my'))}.{domain}",
        f"{scheme}://{stem}-{rng.choice(('online', 'world', 'app'))}.{zone}",
    )
    tops = []
    keys = rng.sample(
        ("products", "services", "projects", "support", "docs", "blog", "resources", "community"),
        max(3, min(7, plan.pages // 8)),
    )
    for number, key in enumerate(keys):
        host = hosts[(0, 1, 2, 0, 1, 2, 0)[number % 7]]
        wordings = interface_labels(key, plan.language)
        path = "/" if number in (1, 2) else f"/{key}/"
        top = add_page(site, "section", rng.choice(wordings), site.home, host=host, path=path)
        tops.append(top)
        if host != site.host:
            top.subsite = f"{site.key}:{host.partition('//')[2]}"
            site.subsites[top.subsite] = "shared"
        for _ in range(rng.randint(2, 5)):
            add_page(site, "listing", item_title(site, rng), top, path=f"{top.path}{len(site.nodes)}/")
    statics = add_statics(site, ("about", "contact", "privacy", "terms", "careers"), site.home)
    dress(site, frame, tops, statics, crumbs=0.5, local=0.7)
    listings = [child for top in tops for child in top.children]
    fill_listing(site, listings, item_kind="article", schema=("author", "date"), per_page=rng.choice((10, 20)))
    finish(site)


def sisters(group: Group) -> None:
    """Build a large site and thirty small ones: one host, one template, mostly one-way links to the large one."""
    plan = group.plan
    count = SISTERS if plan.pages >= 4 * SISTERS else max(3, plan.pages // 5)
    small = max(1, min(24, plan.pages * 2 // 5 // count))
    sizes = [max(1, small // 2 + mix(plan.seed, k, 23) % (small + 1)) for k in range(count)]
    large = new_site(
        group,
        0,
        kind="sisters-large",
        name=plan.name.title(),
        host=plan.host,
        language=plan.language,
        quota=max(3, plan.pages - sum(sizes)),
    )
    rng = large.chance
    large.suffix = "dirs"
    frame = add_frame(large, large.home)
    frame.theme.links = "root"
    tops = []
    for key in rng.sample(("news", "events", "resources", "projects", "volunteer", "give", "history", "members"), 6):
        tops.append(add_page(large, "section", rng.choice(interface_labels(key, plan.language)), large.home, key=key))
    for top in tops:
        for _ in range(rng.randint(2, 4)):
            add_page(large, "listing", item_title(large, rng), top)
    statics = add_statics(large, ("about", "contact", "privacy", "press"), large.home)
    dress(large, frame, tops, statics, crumbs=0.5, local=0.6)
    fill_listing(
        large,
        [child for top in tops for child in top.children],
        item_kind="article",
        schema=("author", "date"),
        per_page=15,
    )
    finish(large)
    translations = plan.seed % 3 == 0
    family = [_sister(group, number + 1, size, large, translations) for number, size in enumerate(sizes)]
    # The large site names its sisters on one page only, and not all of them.
    listed = tops[0] if not statics[0].captured else statics[0]
    listed.toc = add_menu(large, "toc", [Entry(site.name, site.home) for site in family if mix(site.seed, 3) % 4])


def _sister(group: Group, number: int, quota: int, large: Site, translation: bool) -> Site:
    plan = group.plan
    language = LANGUAGES[1 + number % 5] if translation else plan.language
    place = f"{_QUARTERS[number % len(_QUARTERS)]} {_TOWNS[number % len(_TOWNS)]}"
    code = f"{language}{number}" if translation else place.lower().replace(" ", "") + str(number)
    prefix = f"/{('groups/', '')[plan.seed % 4 // 2]}{code}/"  # in half of the cases their folders share a folder
    name = f"{large.name} {language_name(language, 0) if translation else place.title()}"
    site = new_site(
        group,
        number,
        kind="sisters-small",
        name=name,
        host=plan.host,
        language=language,
        quota=quota,
        prefix=prefix,
    )
    site.suffix = "dirs"
    site.parent = large.key
    site.owner = large.key
    rng = site.chance
    frame = add_frame(site, site.home, like=large.frames[0])
    keys = rng.sample(("news", "events", "meet", "team", "contact", "about", "gallery", "give"), max(4, min(6, quota)))
    tops = add_statics(site, keys, site.home)
    add_main(site, frame, tops, [])
    add_paths(site, frame, crumbs=0.3)
    # Header and footer lead to the large site; it does not answer.
    frame.utility = large.frames[0].utility
    frame.footers = [*large.frames[0].footers]
    frame.social = large.frames[0].social
    while room(site):
        top = rng.choice(tops)
        top.kind = "section"
        add_page(site, "static", item_title(site, rng), top)
    site.pool = site.nodes + large.nodes[: max(4, 2 * len(site.nodes))]
    site.table_rate = 0.05
    finish(site)
    return site
