"""What stands inside a page of the sample web: text, listings, records, tables, and the links that are no menu."""

from dataclasses import dataclass, field
from random import Random
from typing import Any

from sitestrata.sample.datatables import ORIENTATIONS, TableTruth, layout_table, make_table
from sitestrata.sample.domains import concept_name
from sitestrata.sample.markup import escape, href, link, render_entries
from sitestrata.sample.prose import phrase, sentences
from sitestrata.sample.records import attributes, render_listing, render_pairs
from sitestrata.sample.theme import Theme
from sitestrata.sample.web import Menu, Node, mix

__all__ = ["Out", "render_content"]

MEDIAN_TEXT = 23_000  # bytes of running text on a page; with the chrome this gives pages of about 19 KB
SPREAD = 0.85  # of the logarithm
MAX_TEXT = 160_000
LINK_RATE = 0.32  # links a paragraph of running text, before a site's own factor, beside every second paragraph's one
ARIA_SITES = 8  # one site in so many builds its tables of other elements with roles
ARIA_DRAW = 0xA1A  # tells this draw from others of the same site
MAX_LIST = 1500  # links of one contents list; real index pages have as many


@dataclass(slots=True)
class Out:
    """A page in the making: HTML in document order, and what is true about it in the same order."""

    node: Node
    rng: Random
    nested: bool = False  # everything stands inside a layout table
    parts: list[str] = field(default_factory=list)
    final: set[int] = field(default_factory=set)  # parts that are already in the theme's manner
    tables: list[TableTruth] = field(default_factory=list)
    menus: list[str] = field(default_factory=list)
    varying: list[dict[str, Any]] = field(default_factory=list)
    instances: list[dict[str, Any]] = field(default_factory=list)
    home_tree: list[dict[str, Any]] = field(default_factory=list)
    begins: list[tuple[int, str]] = field(default_factory=list)  # parts with which blocks begin, and their roles

    def begin(self, role: str) -> None:
        """Say that what comes next is another block for the reader."""
        self.begins.append((len(self.parts), role))

    def add(self, html: str, tables: int = 0) -> None:
        """Append HTML that holds so many layout tables."""
        self.parts.append(html)
        if tables:
            self.tables.extend([layout_table(nested=self.nested)] * tables)


def render_content(out: Out) -> None:
    """Append the content of the page."""
    node = out.node
    theme = _theme(node)
    tag = theme.tags["title"]
    # A home page is headed by the site's name, or by the label its menu has for it.
    heading = node.site.name if node is node.site.home and theme.title_order != 2 else node.label
    out.begin("article")
    out.add(f"<{tag}{theme.c('title')}>{escape(heading)}</{tag}>\n")
    _CONTENT[node.kind](out)
    if node.toc is not None:
        _toc(out, node.toc)


def _theme(node: Node) -> Theme:
    assert node.frame is not None
    return node.frame.theme


# ------------------------------------------------------------------ text


def _prose(out: Out, scale: float) -> None:
    """Append paragraphs of text with links in them.

    This is most of a page, so it is kept cheap: one random number a paragraph, cut into what is to be decided, and the
    theme's bad habits are written as such instead of being made afterwards.
    """
    node, rng = out.node, out.rng
    site = node.site
    theme = _theme(node)
    pool = sentences(node.language, site.group.plan.seed & 7)
    span = len(pool) - 7 * 64  # so that seven sentences 64 apart fit
    budget = min(MAX_TEXT, MEDIAN_TEXT * scale * site.length * 2.718281828 ** (SPREAD * rng.gauss(0, 1)))
    opening, closing, before, between, after = _paragraph_tags(theme)
    heading = theme.tags["sub"]
    limit = int(site.link_rate * LINK_RATE * 2 * 65536)
    pages, others = site.pool or site.nodes, site.out_links
    parts = []
    size = 0
    weight = {"ja": 3, "ru": 2}.get(node.language, 1)  # bytes a character
    bits_of, style = rng.getrandbits, theme.links
    while size < budget:
        bits = bits_of(62)
        start = (bits & 0xFFFF) % span
        step = 1 + (bits >> 16 & 63)
        chosen = pool[start : start + (3 + (bits >> 22 & 3)) * step : step]
        draw = bits >> 24 & 1023
        if draw < 200:
            text = between.join(chosen)
            parts.append(f"{before}{text}{after}")
        else:
            text = " ".join(chosen)
            for _ in range((limit * (bits >> 34 & 0xFFFF) >> 32) + (draw & 1)):
                text += _inline_link(node, pages, others, rng.random, style)
            if draw > 870 and size:
                parts.append(f"<{heading}>{escape(phrase(node.language, rng))}</{heading}>\n")
            parts.append(f"{opening}{text}{closing}")
        size += len(text) * weight
    out.final.add(len(out.parts))
    out.add("".join(parts))


def _paragraph_tags(theme: Theme) -> tuple[str, str, str, str, str]:
    """Return what stands before and after a paragraph, and before, between and after the items of a list."""
    opening, closing = {
        "p": ("<p>", "</p>\n"),
        "div": (f"<div{theme.c('meta')}>", "</div>\n"),
        "br": ("", "<br><br>\n"),
    }[theme.prose_style]
    tags = (opening, closing, "<ul><li>", "</li>\n<li>", "</li></ul>\n")
    if "unclosed" in theme.mess:
        tags = (opening, closing.replace("</p>", ""), "<ul><li>", "\n<li>", "</ul>\n")
    if "upper" in theme.mess:
        return tuple(tag if "class" in tag else tag.upper() for tag in tags)  # type: ignore[return-value]
    return tags


def _inline_link(node: Node, pages: list[Node], others: list[tuple[str, str]], random: Any, style: str) -> str:
    if others and random() < 0.16:
        label, url = others[int(random() * len(others))]
        return f' <a href="{url}">{label}</a>.'
    target = pages[int(random() * len(pages))]
    if style == "root" and target.host == node.host and "&" not in target.path:
        return f' <a href="{target.path}">{escape(target.label)}</a>.'
    return f' <a href="{href(node, target)}">{escape(target.label)}</a>.'


def _words(out: Out, count: int) -> list[str]:
    site, language = out.node.site, out.node.language
    return [escape(site.say(phrase(language, out.rng))) for _ in range(count)]


def _maybe_table(out: Out, chance: float) -> None:
    rng = out.rng
    if rng.random() >= chance:
        return
    theme = _theme(out.node)
    orientation = ORIENTATIONS[int(rng.random() * len(ORIENTATIONS))]
    attributes = theme.c("table") + (' border="1"' if rng.random() < 0.4 else "")
    use_th = rng.random() < 0.55
    # Not in the hard mode, which has no roles.
    site = out.node.site
    aria = theme.family in ("divs", "html5") and not site.group.hard and mix(site.seed, ARIA_DRAW) % ARIA_SITES == 0
    html, truth = make_table(
        rng,
        _words(out, 10),
        orientation=orientation,
        use_th=use_th,
        attributes=theme.c("table") if aria else attributes,
        nested=out.nested,
        aria=aria,
    )
    out.parts.append(html + "\n")
    out.tables.append(truth)


def _toc(out: Out, menu: Menu) -> None:
    theme = _theme(out.node)
    out.begin("navigation")
    html, tables = render_entries(out.node, menu.entries, theme.styles["toc"], theme, region="toc")
    out.add(theme.open("toc") + html + theme.close("toc") + "\n", tables)
    out.menus.append(menu.key)
    menu.pages += 1


# ------------------------------------------------------------------ kinds of page


def _home(out: Out) -> None:
    node = out.node
    theme = _theme(node)
    _prose(out, 0.3)
    sub = theme.tags["sub"]
    sections = [child for child in node.children if child.kind in ("section", "listing")]
    for section in sections[:14]:
        children = section.children[:8]
        labels = []
        rows = []
        for child in children:
            rows.append(f"<li>{link(node, child, child.label)}</li>")
            if child.kind in ("section", "listing"):
                labels.append({"label": child.label, "url": child.url, "children": []})
        body = f"<ul>{''.join(rows)}</ul>" if rows else f"<p>{_teaser(section)}</p>"
        out.begin("listing")
        out.add(f"<div{theme.c('col')}><{sub}>{link(node, section, section.label)}</{sub}>{body}</div>\n")
        out.home_tree.append({"label": section.label, "url": section.url, "children": labels, "region": "content"})
    latest = [child for child in node.items if child.kind in ("article", "item")]
    if latest:
        rows = [f"<li>{link(node, child, child.label)} <small>{_teaser(child)}</small></li>" for child in latest[:12]]
        out.begin("listing")
        out.add(f"<{sub}>{escape(node.site.ui('news'))}</{sub}><ul{theme.c('list')}>{''.join(rows)}</ul>\n")
    if not sections and not latest:
        rows = [f"<li>{link(node, child, child.label)}</li>" for child in node.children[:30] if node.toc is None]
        out.begin("listing")
        out.add(f"<ul>{''.join(rows)}</ul>\n" if rows else "")
    _maybe_table(out, 0.25 * node.site.table_rate)


def _section(out: Out) -> None:
    node = out.node
    theme = _theme(node)
    _prose(out, 0.45)
    # What is listed as records below is not listed twice; long lists carry no teasers.
    leaves = ("article", "item") if node.items else ()
    below = [child for child in node.children if child.kind not in leaves][:MAX_LIST] if node.toc is None else []
    if below:
        rows = [
            f"<li>{link(node, child, child.label)} {_teaser(child) if number < 20 else ''}</li>"
            for number, child in enumerate(below)
        ]
        out.begin("listing")
        out.add(f"<ul{theme.c('list')}>{''.join(rows)}</ul>\n")
    if node.items:
        _records(out)
    _maybe_table(out, node.site.table_rate)


def _listing(out: Out) -> None:
    node = out.node
    _prose(out, 0.12)
    below = [child for child in node.children if child.kind in ("section", "listing")]
    if below:
        out.begin("listing")
        out.add(f"<ul>{''.join(f'<li>{link(node, child, child.label)}</li>' for child in below)}</ul>\n")
    _records(out)


def _records(out: Out) -> None:
    node = out.node
    if not node.items:
        return
    html, records, tables = render_listing(node, node.items, node.schema, _teaser)
    out.begin("listing")
    out.parts.append(html + "\n")
    for role, rows, columns in tables:
        if role == "layout":
            out.tables.append(layout_table(nested=out.nested))
        else:
            heads = tuple((0, c) for c in range(columns))
            out.tables.append(
                TableTruth(
                    is_data=True,
                    orientation="column",
                    header_cells=heads,
                    n_rows=rows,
                    n_cols=columns,
                    nested=out.nested,
                )
            )
    if node.site.domain and node.concept:
        out.instances.append(_instance_row(node, "listing", records))


def _instance_row(node: Node, page_kind: str, records: list[dict[str, Any]]) -> dict[str, Any]:
    domain = node.site.domain
    assert domain is not None and node.concept is not None
    return {
        "domain": domain,
        "site": node.site.key,
        "page": node.url,
        "page_kind": page_kind,
        "concept": concept_name(domain, node.concept),
        "instances": records,
    }


def _item(out: Out) -> None:
    node = out.node
    theme = _theme(node)
    facts = attributes(node, node.schema)
    pairs = [(label, value) for _, label, value in facts]
    if pairs:
        html = render_pairs(pairs, theme.record_style, node)
        out.begin("record")
        out.parts.append(html + "\n")
        if theme.record_style == "table":
            heads = tuple((r, 0) for r in range(len(pairs)))
            out.tables.append(
                TableTruth(
                    is_data=True, orientation="row", header_cells=heads, n_rows=len(pairs), n_cols=2, nested=out.nested
                )
            )
    if node.site.domain and node.concept:
        record = {
            "name": node.label,
            "url": node.url,
            "attributes": [{"label": label, "value": value, "label_shown": True} for label, value in pairs],
        }
        out.instances.append(_instance_row(node, "item", [record]))
    out.begin("article")
    _prose(out, 0.6)
    _maybe_table(out, node.site.table_rate)


def _article(out: Out) -> None:
    node = out.node
    theme = _theme(node)
    facts = attributes(node, node.schema)
    if facts:
        labelled = theme.number_style % 2 == 0
        if labelled:
            html = " ".join(
                f"<span{theme.c('pair')}><b>{escape(label)}</b> {escape(value)}</span>" for _, label, value in facts
            )
        else:
            html = " ".join(f"<span{theme.c('value')}>{escape(value)}</span>" for _, _, value in facts)
        out.add(f"<div{theme.c('meta')}>{html}</div>\n")
        if node.site.domain and node.concept:
            record = {
                "name": node.label,
                "url": node.url,
                "attributes": [
                    {"label": label if labelled else key, "value": value, "label_shown": labelled}
                    for key, label, value in facts
                ],
            }
            out.instances.append(_instance_row(node, "item", [record]))
    _prose(out, 1.4)
    _maybe_table(out, node.site.table_rate)


def _static(out: Out) -> None:
    _prose(out, 0.7)
    _maybe_table(out, _table_chance(out.node))


def _table_chance(node: Node) -> float:
    # Sizes, delivery costs and histories are mostly given as a table.
    return 0.9 if node.slot in ("sizes", "delivery", "fees", "history") else node.site.table_rate


def _directory(out: Out) -> None:
    """Append a long list of links to other sites under headings."""
    node, rng = out.node, out.rng
    theme = _theme(node)
    _prose(out, 0.15)
    links = node.site.out_links
    if node.children:
        out.add(
            f"<ul>{''.join(f'<li>{link(node, child, child.label)}</li>' for child in node.children[:MAX_LIST])}</ul>\n"
        )
    if not links:
        return
    count = min(len(links), 20 + int(rng.random() * 60))
    start = int(rng.random() * len(links))
    rows = []
    for k in range(count):
        label, url = links[(start + k) % len(links)]
        rows.append(f'<li><a href="{url}">{label}</a> {_sentence(node, k)}</li>\n')
    out.add(f"<ul{theme.c('list')}>{''.join(rows)}</ul>\n")


def _sentence(node: Node, k: int) -> str:
    pool = sentences(node.language, node.site.group.plan.seed & 7)
    return pool[(node.seed + k * 7919) % len(pool)]


def _teaser(node: Node) -> str:
    return _sentence(node, 0)


def _stub(out: Out) -> None:
    out.add(f"<p>{_teaser(out.node)}</p>\n")


_CONTENT = {
    "home": _home,
    "section": _section,
    "listing": _listing,
    "item": _item,
    "article": _article,
    "part": _article,
    "static": _static,
    "directory": _directory,
    "refresh": _stub,
}
