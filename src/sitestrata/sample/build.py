"""Growing a site of the sample web: pages with addresses, menus, frames; what every kind of site shares.

Structure comes first, then pages until the site has as many as planned. Where a plan is too small for the structure the
last pages become addresses that were never crawled, as in any partial crawl.
"""

from collections.abc import Iterable
from random import Random
from zlib import crc32

from sitestrata.sample.domains import Concept, concept_name
from sitestrata.sample.markup import escape
from sitestrata.sample.prose import phrase
from sitestrata.sample.theme import FAMILIES, draw_theme
from sitestrata.sample.vocabulary import interface_labels
from sitestrata.sample.web import Entry, Frame, Group, Menu, Node, Site, mix

__all__ = [
    "add_concept",
    "add_concepts",
    "add_frame",
    "add_menu",
    "add_page",
    "add_statics",
    "entries_of",
    "fill_listing",
    "finish",
    "item_title",
    "label_of",
    "new_site",
    "note_concept",
    "room",
    "slug",
]

HOLE_RATE = 0.03  # share of leaf pages that the crawl did not get
STUB_RATE = 0.15  # share of sites with a page that only refreshes to another
DEAD_RATE = 0.3  # share of those that answered 404


def new_site(
    group: Group,
    number: int,
    *,
    kind: str,
    name: str,
    host: str,
    language: str,
    quota: int,
    prefix: str | None = None,
    domain_name: str | None = None,
) -> Site:
    """Start a site with its home page."""
    site = Site(
        group,
        f"{group.plan.name}-{number}" if number else group.plan.name,
        kind,
        name,
        language,
        mix(group.plan.seed, number + 1),
    )
    rng = Random(site.seed)  # noqa: S311 - structure, not secrets
    site.chance = rng
    site.quota = quota
    site.domain = domain_name
    site.scheme = host.partition(":")[0]
    site.prefix = prefix or (group.plan.prefix if number == 0 else "/")
    site.host = host
    site.suffix = rng.choice(("dirs", "html", "dirs", "flat", "query", "htm", "ids"))
    site.length = 2.0 ** rng.gauss(0, 0.5)
    site.link_rate = 2.0 ** rng.gauss(0, 0.7)
    group.sites.append(site)
    home = add_page(site, "home", interface_labels("home", language)[0], None, path=site.prefix)
    home.slot = "home"
    home.label = site.ui("home")
    return site


def room(site: Site) -> bool:
    """Tell whether the site still lacks pages."""
    return site.quota > 0


def slug(text: str, number: int) -> str:
    """Return an address part for a label: its letters if they are plain ones, else its number."""
    plain = "".join(c if c.isalnum() and c.isascii() else "-" for c in text.lower()).strip("-")
    while "--" in plain:
        plain = plain.replace("--", "-")
    return plain if len(plain) > 1 else f"n{number}"


def _address(site: Site, kind: str, text: str, parent: Node | None, number: int) -> str:
    """Return the path of a new page in the site's manner."""
    base = site.prefix
    leaf = kind in ("article", "item", "part", "static")
    word = slug(text, number)
    style = site.suffix
    if style == "query":
        return (
            f"{base}index.php?id={number}"
            if number % 3
            else f"{base}index.php?cat={parent.number if parent else 0}&id={number}"
        )
    if style == "ids":
        return f"{base}{'p' if leaf else 'c'}/{10_000 + site.seed % 80_000 + number}"
    if style == "flat":
        return f"{base}{word}-{number}.html" if leaf else f"{base}{word}.html"
    inside = parent.path if parent is not None and parent.kind != "frame" else base
    if "?" in inside:
        inside = base
    if style == "dirs":
        folder = inside if inside.endswith("/") else inside[: inside.rfind("/") + 1]
        return f"{folder}{word}-{number}/" if leaf else f"{folder}{word}/"
    suffix = ".htm" if style == "htm" else ".html"
    folder = (
        inside
        if inside.endswith("/")
        else inside[: inside.rfind(".")] + "/"
        if "." in inside.rpartition("/")[2]
        else f"{inside}/"
    )
    return f"{folder}{word}-{number}{suffix}" if leaf else f"{folder}{word}{suffix}"


def add_page(
    site: Site,
    kind: str,
    text: str,
    parent: Node | None,
    *,
    path: str | None = None,
    host: str | None = None,
    concept: str | None = None,
    key: str | None = None,
    hole: bool = True,
    raw: bool = False,
) -> Node:
    """Add a page; the crawl gets it if there is room, and now and then misses a leaf."""
    number = len(site.nodes)
    where = host or (parent.host if parent is not None else site.host)
    if path is None:
        path = _address(site, kind, key or text, parent, number)
    if where + path in site.addresses:
        head, dot, tail = path.rpartition(".")
        path = (
            f"{head}-{number}{dot}{tail}"
            if dot and "/" not in tail
            else f"{path.rstrip('/')}-{number}{'/' if path.endswith('/') else ''}"
        )
    site.addresses.add(where + path)
    node = Node(site, number, kind, text if raw else site.say(text), where, path, parent)
    node.concept = concept
    if parent is not None:
        node.language = parent.language
        node.subsite = parent.subsite
        node.frame = parent.frame
        node.local = parent.local
        parent.children.append(node)
    if site.quota <= 0:
        node.captured = False
    elif hole and kind in ("article", "item", "static") and number > 8 and mix(node.seed) % 1000 < HOLE_RATE * 1000:
        node.captured = False
        node.status = 404 if mix(node.seed, 1) % 1000 < DEAD_RATE * 1000 else 0
    else:
        site.quota -= 1
    site.nodes.append(node)
    return node


def label_of(site: Site, concept: Concept, language: str | None = None) -> str:
    """Return the site's wording of a concept: always the same one."""
    wordings = concept.labels.get(language or site.language) or concept.labels["en"]
    return wordings[mix(site.seed, crc32(concept.key.encode())) % len(wordings)]


def add_concepts(
    site: Site, concepts: Iterable[Concept], parent: Node, *, kind: str, keep: float, limit: int
) -> list[Node]:
    """Add a section for a random part of some concepts and note what the site thereby says about them."""
    rng = site.chance
    chosen = [concept for concept in concepts if rng.random() < keep][:limit]
    if not chosen:
        chosen = list(concepts)[:1]
    rng.shuffle(chosen)
    return [add_concept(site, concept, parent, kind=kind) for concept in chosen]


def add_concept(site: Site, concept: Concept, parent: Node, *, kind: str) -> Node:
    """Add a section about one concept."""
    node = add_page(
        site,
        kind,
        label_of(site, concept),
        parent,
        concept=concept.key,
        key=concept.key if site.chance.random() < 0.5 else None,
    )
    note_concept(site, node)
    return node


def note_concept(site: Site, node: Node) -> None:
    """Note that the site prints a label for a concept, and below which other concept."""
    assert site.domain is not None and node.concept is not None
    name = concept_name(site.domain, node.concept)
    site.concept_labels.setdefault(name, set()).add(node.label)
    above = node.parent
    while above is not None:
        if above.concept is not None and above.concept != node.concept:
            site.is_a.add((concept_name(site.domain, above.concept), name))
            break
        above = above.parent


def add_statics(site: Site, keys: Iterable[str], parent: Node) -> list[Node]:
    """Add pages of fixed text (about, contact, privacy, ...)."""
    pages = []
    for key in keys:
        wordings = interface_labels(key, parent.language)
        text = wordings[mix(site.seed, crc32(key.encode())) % len(wordings)]
        page = add_page(site, "static", text, parent, key=key, hole=False)
        page.slot = key
        pages.append(page)
    return pages


def fill_listing(
    site: Site, listings: list[Node], *, item_kind: str, schema: tuple[str, ...], per_page: int, share: float = 1.0
) -> None:
    """Add items to listings in turn until the site is full; long listings get further pages, linked by a pager."""
    rng = site.chance
    stop = site.quota * (1 - share)
    weights = [rng.random() ** 2 + 0.05 for _ in listings]
    heads = list(listings)
    tails = {id(listing): listing for listing in listings}
    for listing in listings:
        listing.schema = schema
    while site.quota > stop and site.quota > 0:
        head = rng.choices(heads, weights)[0]
        tail = tails[id(head)]
        if len(tail.items) >= per_page:
            if head.series is None:
                head.series = [head]
            more = add_page(site, "listing", head.label, head, path=_next_page(site, head), raw=True)
            head.children.pop()
            more.concept, more.schema = head.concept, schema
            more.series, more.rank = head.series, len(head.series)
            more.local = head.local
            head.series.append(more)
            tails[id(head)] = tail = more
            continue
        title = item_title(site, rng)
        item = add_page(site, item_kind, title, head)
        item.concept = head.concept
        item.schema = schema
        tail.items.append(item)


def _next_page(site: Site, head: Node) -> str:
    number = len(head.series or [head]) + 1
    path = head.path
    if "?" in path:
        return f"{path}&page={number}"
    if path.endswith("/"):
        return f"{path}page/{number}/" if site.seed % 2 else f"{path}?page={number}"
    stem, dot, suffix = path.rpartition(".")
    return f"{stem}-p{number}.{suffix}" if dot and "/" not in suffix else f"{path}?p={number}"


def item_title(site: Site, rng: Random) -> str:
    """Return a made-up title that is long enough to be told from others."""
    first = phrase(site.language, rng)
    second = phrase(site.language, rng)
    style = site.seed % 3
    if style == 0:
        return f"{first}, {second[0].lower()}{second[1:]}"
    if style == 1:
        return f"{first} {1 + int(rng.random() * 990)}"
    return f"{first}: {second}"


# ------------------------------------------------------------------ menus and frames


def entries_of(nodes: Iterable[Node], depth: int = 0, limit: int = 12) -> list[Entry]:
    """Return menu entries for pages, with so many levels of their children below them."""
    entries = []
    for node in nodes:
        below = [child for child in node.children if child.kind in ("section", "listing", "static", "directory")]
        children = entries_of(below[:limit], depth - 1, limit) if depth > 0 else []
        entries.append(Entry(node.label, node, children))
    return entries


def add_menu(site: Site, role: str, entries: list[Entry], *, varies: bool = False) -> Menu:
    """Add a menu to a site."""
    menu = Menu(f"{site.key}/{role}-{len(site.menus)}", role, entries, site=site.key, varies=varies)
    site.menus.append(menu)
    return menu


def add_frame(
    site: Site, home: Node, *, family: str | None = None, language: str | None = None, like: Frame | None = None
) -> Frame:
    """Add a frame, with a theme of its own or that of another frame."""
    rng = site.chance
    chosen = family or rng.choices(FAMILIES, (4, 4, 1, 2))[0]
    theme = (
        like.theme
        if like is not None
        else draw_theme(rng, family=chosen, hard=site.group.hard, language=language or site.language)
    )
    frame = Frame(theme, home)
    site.frames.append(frame)
    return frame


def finish(site: Site) -> None:
    """Give every page a frame, and add the addresses that stand for another page."""
    frame = site.frames[0]
    for node in site.nodes:
        if node.frame is None:
            node.frame = frame
    _add_stub(site)
    if not site.pool:
        site.pool = site.nodes
    _add_aliases(site)


def _add_stub(site: Site) -> None:
    """Add, on some sites, an old address that refreshes to a page; it comes on top of the pages planned."""
    rng = site.chance
    targets = [
        node for node in site.nodes[1:200] if node.captured and node.kind in ("static", "section", "article", "item")
    ]
    if not targets or rng.random() >= STUB_RATE:
        return
    target = rng.choice(targets)
    site.quota = 1
    stub = add_page(site, "refresh", target.label, target, path=f"{site.prefix}old{len(site.nodes)}.html", raw=True)
    target.children.pop()
    stub.items = [target]
    stub.concept = None


def _add_aliases(site: Site) -> None:
    rng = site.chance
    home = site.home
    style = rng.randrange(5)
    if home.path.endswith("/") and style in (0, 1):
        site.aliases.append((f"{home.url}index.html", "same" if style else "301", home))
    if home.path != "/" and home.path.endswith("/") and rng.random() < 0.6:
        site.aliases.append((home.url.rstrip("/"), "301", home))
    if site.scheme == "https" and rng.random() < 0.4:
        site.aliases.append(("http" + home.url[5:], "301", home))
    if "//www." in site.host and site.prefix == "/" and rng.random() < 0.5:
        site.aliases.append((home.url.replace("//www.", "//", 1), "301", home))
    folders = [node for node in site.nodes[1:40] if node.captured and node.path.endswith("/") and "?" not in node.path]
    for node in folders[:: max(1, len(folders) // 4)]:
        site.aliases.append((node.url[:-1], "301" if rng.random() < 0.8 else "302", node))
    others = [
        node
        for node in site.nodes[1:400]
        if node.captured and "?" not in node.path and node.kind in ("article", "item")
    ]
    for node in others[:: max(1, len(others) // 3)] if rng.random() < 0.4 else []:
        site.aliases.append((f"{node.url}?ref={rng.choice(('home', 'mail', 'feed'))}", "same", node))
    site.aliases = [alias for alias in dict.fromkeys(site.aliases) if alias[0] not in site.addresses]
    # Links use the other addresses, too: the logo that of the home page, running text any of them.
    for frame in site.frames:
        if frame.home is home and site.aliases and site.aliases[0][2] is home and rng.random() < 0.5:
            frame.logo = site.aliases[0][0]
    site.out_links += [(escape(node.label), address.replace("&", "&amp;")) for address, _, node in site.aliases]
