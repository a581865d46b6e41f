"""Records of the sample web: attribute values, and how listings and detail pages print them.

A value depends only on the seed of the page the record is about, so a listing and the detail page agree.
"""

from collections.abc import Callable
from typing import Any

from sitestrata.sample.markup import escape, link
from sitestrata.sample.vocabulary import FIRST_NAMES, LAST_NAMES, attribute_labels
from sitestrata.sample.web import Node, Site, mix

__all__ = ["attribute_label", "attributes", "person", "render_listing", "render_pairs"]

_BRANDS = [
    "Velora",
    "Nordkap",
    "Tamsin",
    "Orbex",
    "Kestrel",
    "Aldo",
    "Marin",
    "Quill",
    "Sorrel",
    "Pico",
    "Ferrum",
    "Lumo",
    "Hadley",
    "Brint",
    "Castor",
    "Wexford",
    "Ilara",
    "Mond",
]
_COLOURS = {
    "en": "black white navy olive sand rust teal grey plum ivory",
    "de": "schwarz weiß blau oliv sandfarben rostrot grau violett elfenbein",
    "fr": "noir blanc marine olive sable rouille gris prune ivoire",
    "es": "negro blanco azul oliva arena teja gris ciruela marfil",
    "ru": "чёрный белый синий песочный серый бордовый",
    "ja": "黒 白 紺 灰色 緑 茶色",
}
_MATERIALS = {
    "en": "cotton wool linen leather silk polyester suede canvas",
    "de": "Baumwolle Wolle Leinen Leder Seide Filz",
    "fr": "coton laine lin cuir soie toile",
    "es": "algodón lana lino cuero seda lona",
    "ru": "хлопок шерсть лён кожа шёлк",
    "ja": "綿 毛 麻 革 絹",
}
_PLACES = [
    "Arnholm",
    "Belmare",
    "Corvin",
    "Dunstad",
    "Elvira",
    "Fenwick",
    "Galdor",
    "Harrow",
    "Istral",
    "Kelmond",
    "Lorient-sur-Mer",
    "Morava",
    "Nyvik",
    "Ostrand",
    "Pellworm",
]
_STREETS = [
    "Mill Lane",
    "Harbour Road",
    "Station Street",
    "Church Walk",
    "Old Market",
    "Bridge Street",
    "Lindenweg",
    "Rue du Port",
    "Calle Mayor",
]
_TERMS = {
    "en": ("autumn", "spring"),
    "de": ("Winter", "Sommer"),
    "fr": ("automne", "printemps"),
    "es": ("otoño", "primavera"),
}
_FIELDS = [
    "graph theory",
    "soil physics",
    "labour history",
    "phonetics",
    "marine biology",
    "optics",
    "tax law",
    "urban planning",
    "logic",
    "ceramics",
]
_POSITIONS = ["Professor", "Lecturer", "Reader", "Research fellow", "Technician", "Secretary", "Head of office"]
_TYPES = ["integer", "string", "boolean", "path", "list", "duration", "size", "enumeration"]
_LICENCES = ["GPL", "MIT", "BSD", "Apache", "public domain"]
_STOCK = {
    "en": ("in stock", "2-3 days", "sold out"),
    "de": ("lieferbar", "2-3 Tage", "ausverkauft"),
    "fr": ("en stock", "2-3 jours", "épuisé"),
    "es": ("en existencias", "2-3 días", "agotado"),
    "ru": ("есть", "2-3 дня", "нет"),
    "ja": ("在庫あり", "2〜3日", "売り切れ"),
}
_CURRENCIES = ("€ {}", "{} EUR", "${}", "£{}")


def person(number: int) -> str:
    """Return a made-up name."""
    return f"{FIRST_NAMES[number % len(FIRST_NAMES)]} {LAST_NAMES[number // 64 % len(LAST_NAMES)]}"


def _pick(words: Any, number: int) -> str:
    chosen = words.split() if isinstance(words, str) else words
    return str(chosen[number % len(chosen)])


def _money(site: Site, number: int) -> str:
    amount = f"{5 + number % 900}.{(0, 50, 90, 95, 99)[number % 5]:02d}"
    style = site.frames[0].theme.number_style if site.frames else 0
    if style in (0, 1) and site.language != "en":
        amount = amount.replace(".", ",")
    return _CURRENCIES[style].format(amount)


def _date(site: Site, number: int) -> str:
    day, month, year = 1 + number % 28, 1 + number // 28 % 12, 1996 + number // 400 % 28
    style = site.frames[0].theme.number_style if site.frames else 0
    return (
        f"{year}-{month:02d}-{day:02d}",
        f"{day}.{month}.{year}",
        f"{month}/{day}/{year}",
        f"{day:02d}/{month:02d}/{year}",
    )[style]


_VALUES: dict[str, Callable[[Site, int], str]] = {
    "price": _money,
    "rate": _money,
    "brand": lambda _, n: _pick(_BRANDS, n),
    "colour": lambda s, n: _pick(_COLOURS[s.language], n),
    "material": lambda s, n: _pick(_MATERIALS[s.language], n),
    "weight": lambda _, n: f"{1 + n % 40}.{n // 7 % 10} kg",
    "size": lambda _, n: f"{10 + n % 80} x {5 + n // 80 % 60} cm",
    "code": lambda _, n: f"{'ABCDEFGHKLMNPRSTUVWXYZ'[n % 22]}{n // 22 % 90000 + 10000}",
    "stock": lambda s, n: _pick(_STOCK[s.language], n),
    "warranty": lambda _, n: f"{1 + n % 5} y",
    "author": lambda _, n: person(n),
    "lecturer": lambda _, n: person(n),
    "date": _date,
    "place": lambda _, n: _pick(_PLACES, n),
    "address": lambda _, n: f"{_pick(_STREETS, n)} {1 + n // 9 % 120}, {_pick(_PLACES, n // 5)}",
    "phone": lambda _, n: f"+{30 + n % 60} {100 + n // 60 % 900} {1000 + n // 50 % 9000}",
    "rooms": lambda _, n: str(8 + n % 240),
    "stars": lambda _, n: "*" * (1 + n % 5),
    "checkin": lambda _, n: f"{12 + n % 6}:00",
    "distance": lambda _, n: f"{n % 12}.{n // 12 % 10} km",
    "credits": lambda _, n: str((2, 3, 4, 5, 6, 8, 10, 12)[n % 8]),
    "term": lambda s, n: _pick(_TERMS.get(s.language, _TERMS["en"]), n),
    "room": lambda _, n: f"{'ABCDE'[n % 5]} {100 + n // 5 % 300}",
    "office": lambda _, n: f"{'NSEW'[n % 4]}-{10 + n // 4 % 400}",
    "email": lambda s, n: f"{_pick(FIRST_NAMES, n).lower()}@{s.home.host.rpartition('/')[2]}",
    "field": lambda _, n: _pick(_FIELDS, n),
    "position": lambda _, n: _pick(_POSITIONS, n),
    "licence": lambda _, n: _pick(_LICENCES, n),
    "since": lambda _, n: f"{1 + n % 6}.{n // 6 % 12}",
    "default": lambda _, n: str((0, 1, 8, 16, 64, 256, 1024)[n % 7]),
    "type": lambda _, n: _pick(_TYPES, n),
    "population": lambda _, n: f"{1 + n % 900},{n // 900 % 1000:03d}",
    "area": lambda _, n: f"{5 + n % 800} km²",
    "founded": lambda _, n: str(1100 + n % 850),
    "height": lambda _, n: f"{n % 2600} m",
}
_SALT = {key: mix(number + 1) for number, key in enumerate(sorted(_VALUES))}


def attribute_label(site: Site, key: str) -> str:
    """Return what a site calls an attribute; it says the same everywhere."""
    cached = site.label_cache.get(("attribute", key))
    if cached is None:
        wordings = attribute_labels(key, site.language)
        cached = site.say(wordings[mix(site.seed, _SALT[key]) % len(wordings)])
        site.label_cache["attribute", key] = cached
    return cached


def attributes(node: Node, keys: tuple[str, ...]) -> list[tuple[str, str, str]]:
    """Return (key, label, value) of the record a page is about; some records lack some attributes."""
    site = node.site
    found = []
    seed = node.seed
    for position, key in enumerate(keys):
        number = (seed ^ _SALT[key]) * 0x9E3779B97F4A7C15 >> 17 & 0xFFFFFFFF
        if position and number % 11 == 0:
            continue
        found.append((key, attribute_label(site, key), _VALUES[key](site, number)))
    return found


def render_pairs(pairs: list[tuple[str, str]], style: str, node: Node) -> str:
    """Return label-value pairs as HTML in one of five styles; the table style is one table of orientation row."""
    assert node.frame is not None
    theme = node.frame.theme
    colon = ":" if theme.number_style % 2 else ""
    label, value = theme.c("label"), theme.c("value")
    shown = [(escape(name) + colon, escape(text)) for name, text in pairs]
    if style == "table":
        cell = "th" if theme.number_style < 2 else "td"
        rows = "".join(f"<tr><{cell}{label}>{a}</{cell}><td>{b}</td></tr>\n" for a, b in shown)
        return f"<table{theme.c('table')}>{rows}</table>"
    if style == "dl":
        return (
            f"<dl{theme.c('meta')}>" + "".join(f"<dt{label}>{a}</dt><dd{value}>{b}</dd>\n" for a, b in shown) + "</dl>"
        )
    if style == "divs":
        return "".join(
            f"<div{theme.c('pair')}><span{label}>{a}</span> <span{value}>{b}</span></div>\n" for a, b in shown
        )
    if style == "list":
        return "<ul>" + "".join(f"<li><b>{a}</b> {b}</li>\n" for a, b in shown) + "</ul>"
    return "<p>" + "<br>\n".join(f"<b>{a}</b> {b}" for a, b in shown) + "</p>"


def render_listing(
    page: Node, items: list[Node], keys: tuple[str, ...], teaser: Callable[[Node], str]
) -> tuple[str, list[dict[str, Any]], list[tuple[str, int, int]]]:
    """Return a listing as HTML, its records for the truth, and its tables as (role, rows, columns)."""
    assert page.frame is not None
    theme = page.frame.theme
    style = theme.listing_style
    rows: list[str] = []
    truth: list[dict[str, Any]] = []
    card, title, meta = theme.c("card"), theme.c("teaser"), theme.c("value")
    labelled = theme.number_style % 2 == 0 or style == "table"
    if style == "table":
        header = "th" if theme.number_style < 2 else "td"
        shown_keys = keys[:4]
        heads = "".join(f"<{header}>{escape(attribute_label(page.site, key))}</{header}>" for key in shown_keys)
        rows.append(f"<tr><{header}>{escape(page.label)}</{header}>{heads}</tr>\n")
    for item in items:
        facts = attributes(item, keys[:4] if style == "table" else keys[:2])
        truth.append(
            {
                "name": item.label,
                "url": item.url,
                "attributes": [
                    {"label": label if labelled else key, "value": value, "label_shown": labelled}
                    for key, label, value in facts
                ],
            }
        )
        anchor = link(page, item, item.label)
        if style == "table":
            values = {key: value for key, _, value in facts}
            cells = "".join(f"<td>{escape(values.get(key, ''))}</td>" for key in shown_keys)
            rows.append(f"<tr><td>{anchor}</td>{cells}</tr>\n")
            continue
        if labelled:
            text = " ".join(f"<span{meta}><b>{escape(label)}</b> {escape(value)}</span>" for _, label, value in facts)
        else:
            text = " ".join(f"<span{meta}>{escape(value)}</span>" for _, _, value in facts)
        if style == "cards":
            tag = theme.tags["card"]
            rows.append(f"<{tag}{card}><h3{title}>{anchor}</h3><p>{teaser(item)}</p><div>{text}</div></{tag}>\n")
        elif style == "list":
            rows.append(f"<li{card}>{anchor} {text}</li>\n")
        elif style == "divs":
            rows.append(f"<div{card}><div{title}>{anchor}</div><div>{text}</div></div>\n")
        elif style == "rows":
            picture = f'<img src="/img/s{item.number % 7}.gif" alt="">'
            rows.append(f"<tr><td>{picture}</td><td>{anchor}<br>{teaser(item)} {text}</td></tr>\n")
        else:
            rows.append(f"<p>{anchor}<br>{teaser(item)} {text}</p>\n")
    body = "".join(rows)
    if style == "table":
        return (
            f'<table{theme.c("table")} border="1">{body}</table>',
            truth,
            [("column", len(items) + 1, 1 + len(shown_keys))],
        )
    if style == "rows":
        return f'<table width="100%" border="0">{body}</table>', truth, [("layout", len(items), 2)]
    if style == "list":
        return f"<ul{theme.c('list')}>{body}</ul>", truth, []
    return f"<div{theme.c('list')}>{body}</div>", truth, []
