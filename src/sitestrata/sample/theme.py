"""Templates of the sample web: how a site's pages are marked up, drawn at random once a site.

Families differ in structure (div soup, HTML5 landmarks, layout tables, plain lists); inside a family the class names,
the wrappers, the order of the regions and the markup of every list are drawn as well, so that no rule can know them.
"""

from dataclasses import dataclass, field
from random import Random

__all__ = ["FAMILIES", "Theme", "draw_theme"]

FAMILIES = ("divs", "html5", "tables", "lists")

_REGIONS = [
    "page",
    "header",
    "logo",
    "bar",
    "main",
    "local",
    "crumbs",
    "content",
    "aside",
    "footer",
    "utility",
    "social",
    "cloud",
    "languages",
    "versions",
    "pager",
    "toc",
    "cookie",
    "skip",
    "search",
    "list",
    "item",
    "card",
    "current",
    "sub",
    "panel",
    "related",
    "ad",
    "title",
    "teaser",
    "record",
    "pair",
    "label",
    "value",
    "table",
    "meta",
    "tabs",
    "banner",
    "col",
]

# Words that designers use for a region; several are deliberately vague or misleading, as on the web.
_WORDS = {
    "main": "nav menu mainnav navbar topnav primary gnav site-menu tabs bar1 navigation hauptnavi rubrik links",
    "local": "sidebar subnav side leftcol secondary sub menu2 section-nav tree navi rail toc col-l",
    "footer": "footer foot bottom colophon fine-print base lower end fuss legal nav-bottom",
    "header": "header head top masthead banner hd kopf upper brandbar",
    "bar": "network global topbar family umbrella strip above portal-bar sites group",
    "crumbs": "breadcrumb crumbs path trail you-are-here location pfad where",
    "languages": "lang languages locale switch i18n sprachen choose",
    "versions": "versions releases switcher edition picker ver",
    "pager": "pager pagination pages prevnext paging seq nav-links browse",
    "content": "content main body text article-body inhalt middle copy center",
    "utility": "tools utility user-links account quick meta-nav top-links",
    "social": "social follow share-links icons connect",
    "cloud": "tags topics cloud keywords stichworte",
    "related": "related more also teasers nav-list recommended",
}
_SCHEMES = ("words", "bem", "utility", "hashed", "none", "short")
_UTILITY = [
    "flex",
    "px-4",
    "py-2",
    "mt-3",
    "text-sm",
    "grid",
    "gap-2",
    "w-full",
    "items-center",
    "border-b",
    "rounded",
    "mx-auto",
    "font-bold",
    "hidden",
    "md-block",
]

_LIST_STYLES = {
    "divs": ("ul", "ul", "div", "divs", "spans", "ol", "bar"),
    "html5": ("ul", "ul", "ul", "ol", "div", "spans"),
    "tables": ("pipe", "br", "trow", "tcol", "bracket", "ul", "p"),
    "lists": ("ul", "ul", "pipe", "dl", "br", "p", "ol"),
}
_NESTED_STYLES = {
    "divs": ("ul", "ul", "divs", "dl"),
    "html5": ("ul", "ul", "ol", "divs"),
    "tables": ("ul", "tcol", "dl", "divs"),
    "lists": ("ul", "ul", "dl", "ol"),
}
_FLAT_ROLES = ("utility", "social", "cloud", "languages", "versions", "pager", "crumbs", "bar")

NESTABLE = ("ul", "ol", "divs", "dl", "tcol")


@dataclass(slots=True)
class Theme:
    """Everything about markup that the pages of a site have in common."""

    family: str
    hard: bool
    attributes: dict[str, str]  # region -> ' class="..."', or ''
    tags: dict[str, str]  # region -> element name
    wrappers: dict[str, tuple[str, str]]
    styles: dict[str, str]  # role -> list markup
    links: str  # root, absolute, relative, base, schemeless
    current: str  # how the item of the page at hand is printed: link, strong, span
    dropdown: str  # none, nested, panels, section
    main_place: str  # header, top, left, after
    local_place: str  # left, right, above, below
    crumb_separator: str
    crumb_markup: str  # "", aria, schema, jsonld
    pager_place: str  # above, below, both
    record_style: str
    listing_style: str
    prose_style: str
    title_order: int
    charset: str
    charset_from: str  # header, meta, both, none
    doctype: str
    mess: tuple[str, ...]
    distractions: tuple[str, ...]
    image_labels: bool
    icon: str
    style_block: str
    script_block: str
    number_style: int  # how numbers, dates and prices are written, and other small habits
    canonical: str  # "", self, home (a common mistake)
    aria: bool  # landmarks are also given as role attributes
    open_tags: dict[str, str] = field(default_factory=dict)
    close_tags: dict[str, str] = field(default_factory=dict)

    def c(self, region: str) -> str:
        """Return the class attribute of a region, with a space before it, or nothing."""
        return self.attributes[region]

    def open(self, region: str) -> str:
        """Return the start tags of a region."""
        return self.open_tags[region]

    def close(self, region: str) -> str:
        """Return the end tags of a region."""
        return self.close_tags[region]


_LANDMARKS = {
    "header": "header",
    "main": "nav",
    "local": "nav",
    "footer": "footer",
    "content": "main",
    "aside": "aside",
    "crumbs": "nav",
    "bar": "nav",
    "pager": "nav",
    "related": "section",
    "card": "article",
    "toc": "nav",
}
_ARIA = {"main": "navigation", "header": "banner", "footer": "contentinfo", "content": "main", "aside": "complementary"}

_DOCTYPES = {
    "divs": (
        "<!DOCTYPE html>",
        '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">',
    ),
    "html5": ("<!DOCTYPE html>", "<!doctype html>"),
    "tables": ('<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 3.2 Final//EN">', ""),
    "lists": (
        '<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01//EN" "http://www.w3.org/TR/html4/strict.dtd">',
        "<!DOCTYPE html>",
        "",
    ),
}


def draw_theme(rng: Random, *, family: str, hard: bool, language: str) -> Theme:
    """Draw a theme of a family; the hard one differs only in what is taken away."""
    modern = family in ("divs", "html5")
    scheme = rng.choice(_SCHEMES) if family != "tables" else rng.choice(("none", "none", "short", "words"))
    theme = Theme(
        family=family,
        hard=hard,
        attributes=_draw_attributes(rng, scheme),
        tags=_draw_tags(rng, family),
        wrappers=_draw_wrappers(rng, family, scheme),
        styles={},
        links=rng.choice(
            ("root", "root", "absolute", "relative", "schemeless")
            if modern
            else ("relative", "relative", "root", "base", "absolute")
        ),
        current=rng.choice(("link", "link", "strong", "span")),
        dropdown=rng.choice(
            ("none", "nested", "panels", "section") if modern else ("none", "none", "section", "nested")
        ),
        main_place=rng.choice(
            ("header", "header", "top", "left", "after") if modern else ("left", "left", "top", "after")
        ),
        local_place=rng.choice(("left", "left", "right", "above", "below")),
        crumb_separator=rng.choice((" &gt; ", " / ", " &raquo; ", " : ", "", " &middot; ", " | ")),
        crumb_markup=rng.choice(("", "", "aria", "schema", "jsonld") if modern else ("",)),
        pager_place=rng.choice(("above", "below", "both")),
        record_style=rng.choice(("table", "dl", "divs", "list", "bold") if modern else ("table", "bold", "dl", "list")),
        listing_style=rng.choice(
            ("cards", "list", "divs", "table", "cards") if modern else ("table", "list", "rows", "paragraphs")
        ),
        prose_style=rng.choice(("p", "p", "div", "br") if not modern else ("p", "p", "p", "div")),
        title_order=rng.randrange(4),
        charset=_draw_charset(rng, family, language),
        charset_from=rng.choice(("both", "meta", "header", "both", "meta")),
        doctype=rng.choice(_DOCTYPES[family]),
        mess=(),
        distractions=(),
        image_labels=family == "tables" and rng.random() < 0.3,
        icon=rng.choice(("", "", '<i class="ic"></i>', '<img src="/dot.gif" alt="">', "&#8250; ")) if modern else "",
        style_block=_style_block(rng, modern),
        script_block=_script_block(rng, modern),
        number_style=rng.randrange(4),
        canonical=rng.choices(("", "self", "home"), (60, 36, 4))[0] if modern else "",
        aria=modern and rng.random() < 0.25,
    )
    for role in ("main", "local", "footer", "toc", "related", *_FLAT_ROLES):
        theme.styles[role] = rng.choice(_LIST_STYLES[family])
    if theme.dropdown in ("nested", "section"):
        theme.styles["main"] = rng.choice(_NESTED_STYLES[family])
    theme.styles["local"] = rng.choice(_NESTED_STYLES[family])
    theme.styles["toc"] = rng.choice(_NESTED_STYLES[family])
    theme.mess = _draw_mess(rng, family)
    theme.distractions = tuple(
        name
        for name, chance in (
            ("skip", 0.5),
            ("cookie", 0.4),
            ("ad", 0.4),
            ("related", 0.7),
            ("search", 0.5),
            ("share", 0.3),
        )
        if rng.random() < (chance if modern or name in ("ad", "related") else 0.1)
    )
    if theme.charset != "utf-8" and rng.random() < 0.15:
        theme.charset_from = "none"
    if hard:
        _strip(theme)
    _freeze(theme)
    return theme


def _draw_charset(rng: Random, family: str, language: str) -> str:
    legacy = {"ru": "windows-1251", "ja": "shift_jis"}.get(
        language, "iso-8859-1" if rng.random() < 0.6 else "windows-1252"
    )
    return legacy if rng.random() < (0.6 if family in ("tables", "lists") else 0.12) else "utf-8"


def _token(rng: Random, low: int, high: int) -> str:
    return "".join(rng.choices("abcdefghijklmnopqrstuvwxyz", k=rng.randint(low, high)))


def _draw_attributes(rng: Random, scheme: str) -> dict[str, str]:
    block = _token(rng, 1, 4)
    attributes = {}
    for region in _REGIONS:
        word = rng.choice(_WORDS[region].split()) if region in _WORDS else region
        name = {
            "words": word,
            "bem": f"{block}-{word}__{_token(rng, 3, 6)} {block}-{word}",
            "utility": " ".join(rng.sample(_UTILITY, 3)),
            "hashed": f"{_token(rng, 2, 3)}_{_token(rng, 5, 7)}",
            "short": _token(rng, 1, 2),
            "none": "",
        }[scheme]
        as_id = (
            scheme in ("words", "short")
            and region in ("header", "main", "footer", "content", "local")
            and rng.random() < 0.5
        )
        attributes[region] = "" if not name else f' id="{name}"' if as_id else f' class="{name}"'
    return attributes


def _draw_tags(rng: Random, family: str) -> dict[str, str]:
    tags = dict.fromkeys(_REGIONS, "div")
    if family == "html5":
        for region, tag in _LANDMARKS.items():
            if rng.random() < 0.8:
                tags[region] = tag
        if rng.random() < 0.2:  # some designers put everything that is a list of links into nav
            for region in ("social", "cloud", "related", "utility", "languages", "footer"):
                tags[region] = "nav"
    tags["title"] = rng.choice(("h1", "h1", "h2", "div")) if family != "tables" else rng.choice(("h1", "h2", "h3"))
    tags["sub"] = rng.choice(("h2", "h3", "h2"))
    return tags


def _draw_wrappers(rng: Random, family: str, scheme: str) -> dict[str, tuple[str, str]]:
    """Draw up to three bare containers around each region; they carry nothing but depth."""
    wrappers = {}
    for region in _REGIONS:
        depth = (
            rng.choice((0, 0, 1, 1, 2, 3))
            if family in ("divs", "html5") and region in ("header", "main", "content", "footer", "local")
            else 0
        )
        names = [f' class="{_token(rng, 2, 6)}"' if scheme != "none" else "" for _ in range(depth)]
        wrappers[region] = ("".join(f"<div{name}>" for name in names), "</div>" * depth)
    return wrappers


def _draw_mess(rng: Random, family: str) -> tuple[str, ...]:
    chances = {"unclosed": 0.45, "upper": 0.3, "unquoted": 0.3, "stray": 0.2, "comments": 0.3, "nohead": 0.1}
    scale = 1.0 if family in ("tables", "lists") else 0.15
    return tuple(name for name, chance in chances.items() if rng.random() < chance * scale)


def _style_block(rng: Random, modern: bool) -> str:
    if not modern:
        return ""
    rules = "".join(
        f".{_token(rng, 2, 6)}{{margin:{rng.randrange(40)}px;padding:{rng.randrange(20)}px;float:left}}"
        for _ in range(rng.choice((0, 0, 8, 20, 40)))
    )
    return f"<style>{rules}</style>" if rules else ""


def _script_block(rng: Random, modern: bool) -> str:
    if not modern or rng.random() < 0.3:
        return ""
    name = _token(rng, 4, 8)
    # A link inside a script is text, not a link; careless readers take it for one.
    lure = 'document.write("<a href=\\"/track\\">x</a>");' if rng.random() < 0.3 else ""
    lines = "".join(
        f"{name}.push({{k:{rng.randrange(9999)},v:'{_token(rng, 6, 18)}'}});" for _ in range(rng.choice((3, 10, 25)))
    )
    return f"<script>var {name}=[];{lines}{lure}</script>"


def _strip(theme: Theme) -> None:
    theme.attributes = dict.fromkeys(theme.attributes, "")
    theme.tags = {region: tag if tag in ("h1", "h2", "h3") else "div" for region, tag in theme.tags.items()}
    theme.wrappers = {region: ("<div>" * start.count("<"), end) for region, (start, end) in theme.wrappers.items()}
    theme.crumb_markup = ""
    theme.icon = theme.icon if "class" not in theme.icon else ""


def _freeze(theme: Theme) -> None:
    roles = theme.aria and not theme.hard
    for region in _REGIONS:
        before, after = theme.wrappers[region]
        tag = theme.tags[region]
        role = f' role="{_ARIA[region]}"' if roles and region in _ARIA else ""
        theme.open_tags[region] = f"{before}<{tag}{theme.attributes[region]}{role}>"
        theme.close_tags[region] = f"</{tag}>{after}"
