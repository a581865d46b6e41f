"""What stands around the content of a page: bars, menus, paths, switches, pagers, footers, and distractions.

Menus that are the same on many pages are rendered once per place they are linked from; the rest is made for each page.
"""

from collections.abc import Sequence
from typing import Any

from sitestrata.sample.content import Out
from sitestrata.sample.markup import escape, href, link, render_entries
from sitestrata.sample.theme import NESTABLE, Theme
from sitestrata.sample.vocabulary import language_name
from sitestrata.sample.web import Entry, Frame, Menu, Node

__all__ = ["active_entry", "show_crumbs", "show_fixed", "show_languages", "show_main", "show_pager", "show_versions"]

CACHE_LIMIT = 4000  # rendered menus kept per frame


def _targets(menu: Menu) -> frozenset[int]:
    if menu.targets is None:
        menu.targets = frozenset(id(entry.target) for entry, _ in menu.flat() if isinstance(entry.target, Node))
    return menu.targets


def _place(node: Node, theme: Theme) -> str:
    """Return where a page's links are written from: two pages of one place print a menu alike."""
    return node.host + node.folder if theme.links == "relative" else node.host


def active_entry(menu: Menu, node: Node) -> Node | None:
    """Return the target of the menu's entry that leads to the page or to a page above it."""
    targets = _targets(menu)
    step: Node | None = node
    while step is not None:
        if id(step) in targets:
            return step
        step = step.parent
    return None


def show_fixed(out: Out, menu: Menu, region: str) -> None:
    """Append a menu whose items do not depend on the page."""
    node = out.node
    frame = node.frame
    assert frame is not None
    theme = frame.theme
    on_menu = node.number if id(node) in _targets(menu) else -1
    key = (menu.key, _place(node, theme), on_menu)
    cached: tuple[str, int] | None = frame.cache.get(key)
    if cached is None:
        style = _style(menu, theme, region)
        html, tables = render_entries(node, menu.entries, style, theme, region=region, active=active_entry(menu, node))
        heading = ""
        if menu.heading:
            tag = "h4" if theme.family != "tables" else "b"
            heading = f"<{tag}>{escape(menu.heading)}</{tag}>"
        cached = (f"{theme.open(region)}{heading}{html}{theme.close(region)}\n", tables)
        _remember(frame, key, cached)
    out.add(*cached)
    _shown(out, menu)


def _style(menu: Menu, theme: Theme, region: str) -> str:
    """Return the markup of a menu; one with drop-downs inside it needs a list that can nest."""
    style = menu.style or theme.styles.get(region) or theme.styles.get(menu.role, "ul")
    nested = not menu.panels and any(entry.children for entry in menu.entries)
    return theme.styles["local"] if nested and style not in NESTABLE else style


def _remember(frame: Frame, key: Any, value: Any) -> None:
    if len(frame.cache) > CACHE_LIMIT:
        frame.cache.clear()
    frame.cache[key] = value


def _shown(out: Out, menu: Menu) -> None:
    if menu.key not in out.menus:  # a pager may stand above and below the text
        out.menus.append(menu.key)
        menu.pages += 1


def show_main(out: Out) -> None:
    """Append the main menu, with its drop-downs, or with the submenu of the current section inside it."""
    node = out.node
    frame = node.frame
    assert frame is not None
    menu, theme = frame.main, frame.theme
    if menu is None:
        return
    inside = theme.dropdown == "section" and node.local is not None and theme.styles["main"] in NESTABLE
    local = node.local if inside else None
    active = active_entry(menu, node)
    here = node.number if id(node) in _targets(menu) or (local is not None and id(node) in _targets(local)) else -1
    key = ("main", menu.key, _place(node, theme), active.number if active else -1, here, local.key if local else "")
    cached: tuple[str, int, bool] | None = frame.cache.get(key)
    if cached is None:
        style = _style(menu, theme, "main")
        inner = None
        tables = 0
        if local is not None:
            top = _top_entry(menu, node)
            if top is not None:
                text, tables = render_entries(
                    node, local.entries, style, theme, region="sub", active=active_entry(local, node)
                )
                inner = (top, text)
        html, more = render_entries(node, menu.entries, style, theme, region="main", active=active, inner=inner)
        panels, extra = _panels(node, menu, theme) if menu.panels else ("", 0)
        cached = (
            f"{theme.open('main')}{html}{panels}{theme.close('main')}\n",
            tables + more + extra,
            inner is not None,
        )
        _remember(frame, key, cached)
    out.add(cached[0], cached[1])
    _shown(out, menu)
    if cached[2] and local is not None:
        _shown(out, local)


def _top_entry(menu: Menu, node: Node) -> Node | None:
    tops = {id(entry.target) for entry in menu.entries}
    step: Node | None = node
    while step is not None:
        if id(step) in tops and step is not node.site.home:
            return step
        step = step.parent
    return None


def _panels(node: Node, menu: Menu, theme: Theme) -> tuple[str, int]:
    """Return the drop-downs of a bar as containers of their own, headed by the bar's labels or not."""
    parts = []
    tables = 0
    headed = theme.number_style % 2 == 0
    for entry in menu.entries:
        if not entry.children:
            continue
        html, more = render_entries(node, entry.children, "ul", theme, region="sub")
        tables += more
        heading = f"<div{theme.c('label')}>{escape(entry.label)}</div>" if headed else ""
        parts.append(f"<div{theme.c('panel')}>{heading}{html}</div>\n")
    return "".join(parts), tables


def show_varying(
    out: Out, menu: Menu, region: str, items: Sequence[tuple[str, str | None]], html: str, tables: int = 0
) -> None:
    """Append a menu whose items are the page's own, as (label, address)."""
    node = out.node
    assert node.frame is not None
    theme = node.frame.theme
    out.add(f"{theme.open(region)}{html}{theme.close(region)}\n", tables)
    out.varying.append({"menu": menu.key, "items": [[label, url] for label, url in items]})
    _shown(out, menu)


def show_crumbs(out: Out) -> str:
    """Append the page's path from the entry page down; return how it is marked up."""
    node = out.node
    frame = node.frame
    assert frame is not None
    menu, theme = frame.crumbs, frame.theme
    if menu is None or node.parent is None:
        return ""
    chain: list[Node] = []
    step: Node | None = node
    while step is not None:
        chain.append(step)
        step = step.parent
    chain.reverse()
    items = [(step.label, step.url) for step in chain]
    separator = theme.crumb_separator
    listed = separator == ""
    schema = theme.crumb_markup == "schema"
    prop = ' itemprop="item"' if schema else ""
    parts = [link(node, step, step.label, prop) for step in chain[:-1]]
    if theme.number_style != 2:
        parts.append(escape(node.label) if not listed else f"<span>{escape(node.label)}</span>")
    else:
        items.pop()
    if schema:
        parts = [
            f'<li itemprop="itemListElement" itemscope itemtype="https://schema.org/ListItem">{part}'
            f'<meta itemprop="position" content="{k}"></li>'
            for k, part in enumerate(parts, 1)
        ]
        html = f'<ol itemscope itemtype="https://schema.org/BreadcrumbList">{"".join(parts)}</ol>'
    elif listed:
        html = "<ul>" + "".join(f"<li>{part}</li>" for part in parts) + "</ul>"
    else:
        html = separator.join(parts)
    if theme.crumb_markup == "aria":
        html = f'<div aria-label="breadcrumb">{html}</div>'
    show_varying(out, menu, "crumbs", items, html)
    if theme.crumb_markup == "jsonld":
        out.add(_json_ld(chain))
    return "markup" if theme.crumb_markup else "visible"


def _json_ld(chain: list[Node]) -> str:
    elements = ",".join(
        f'{{"@type":"ListItem","position":{k},"name":"{_json_text(step.label)}","item":"{step.url}"}}'
        for k, step in enumerate(chain, 1)
    )
    return (
        '<script type="application/ld+json">{"@context":"https://schema.org","@type":"BreadcrumbList",'
        f'"itemListElement":[{elements}]}}</script>\n'
    )


def _json_text(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("<", "\\u003c")


def show_languages(out: Out) -> None:
    """Append the language switch; it leads to the same page in another language, or to that language's front page."""
    node = out.node
    frame = node.frame
    assert frame is not None
    if frame.languages is None:
        return
    if not frame.languages.varies:
        show_fixed(out, frame.languages, "languages")
        return
    entries = []
    version = node.subsite.rpartition("@")[0]
    for entry in frame.languages.entries:
        subsite = f"{version}@{entry.label}" if version else entry.label
        twin = node.site.variants.get((subsite, node.slot)) or node.site.variants.get((subsite, "home"))
        if twin is not None:
            entries.append(Entry(node.site.say(language_name(entry.label, frame.theme.number_style % 3)), twin))
    _switch(out, frame.languages, "languages", entries)


def show_versions(out: Out) -> None:
    """Append the version switch; it leads to the same page of another version, or to that version's front page."""
    node = out.node
    frame = node.frame
    assert frame is not None
    if frame.versions is None:
        return
    entries = []
    _, mark, language = node.subsite.rpartition("@")
    for entry in frame.versions.entries:
        subsite = f"{entry.label}@{language}" if mark else entry.label
        twin = node.site.variants.get((subsite, node.slot)) or node.site.variants.get((subsite, "home"))
        if twin is not None:
            entries.append(Entry(node.site.say(entry.label), twin))
    _switch(out, frame.versions, "versions", entries)


def _switch(out: Out, menu: Menu, region: str, entries: list[Entry]) -> None:
    node = out.node
    assert node.frame is not None
    theme = node.frame.theme
    if len(entries) < 2:
        return
    html, tables = render_entries(node, entries, theme.styles[region], theme, region=region, active=node)
    show_varying(out, menu, region, [(entry.label, entry.url) for entry in entries], html, tables)


def show_pager(out: Out) -> None:
    """Append the pager: page numbers for a listing or a document in parts, previous-up-next for a page chain."""
    node = out.node
    frame = node.frame
    assert frame is not None
    menu, series = frame.pager, node.series
    if menu is None or series is None or len(series) < 2:
        return
    theme, site = frame.theme, node.site
    before = series[node.rank - 1] if node.rank else None
    after = series[node.rank + 1] if node.rank + 1 < len(series) else None
    entries: list[Entry] = []
    if before is not None:
        entries.append(Entry(site.word("prev", node.language), before))
    if node.kind in ("listing", "part"):
        first, last = max(0, node.rank - 4), min(len(series), node.rank + 5)
        entries += [Entry(site.say(str(k + 1)), series[k]) for k in range(first, last)]
    elif node.parent is not None:
        entries.append(Entry(site.word("up", node.language), node.parent))
    if after is not None:
        entries.append(Entry(site.word("next", node.language), after))
    if theme.number_style == 3 and node.kind not in (
        "listing",
        "part",
    ):  # previous and next carry the titles of those pages
        entries = [
            entry if entry.target is node.parent else Entry(entry.target.label, entry.target)
            for entry in entries
            if isinstance(entry.target, Node)
        ]
    html, tables = render_entries(node, entries, theme.styles["pager"], theme, region="pager", active=node)
    show_varying(out, menu, "pager", [(entry.label, entry.url) for entry in entries], html, tables)


def distraction(out: Out, name: str) -> None:
    """Append something that is on many pages and belongs to no menu."""
    _DISTRACTIONS[name](out)


def _word(out: Out, key: str) -> str:
    return escape(out.node.site.word(key, out.node.language))


def _skip(out: Out) -> None:
    out.add(f'<a{_theme(out).c("skip")} href="#c">{_word(out, "skip")}</a>\n')


def _cookie(out: Out) -> None:
    node, theme = out.node, _theme(out)
    frame = node.frame
    assert frame is not None
    policy = frame.cache.get("policy")
    if policy is None:
        policy = next((page for page in node.site.nodes if page.slot == "privacy"), node.site.home)
        frame.cache["policy"] = policy
    text = f"<span>{_word(out, 'cookies')}.</span> {link(node, policy, node.site.word('more', node.language))}"
    out.add(f"{theme.open('cookie')}{text} <button>{_word(out, 'accept')}</button>{theme.close('cookie')}\n")


def _search(out: Out) -> None:
    assert out.node.frame is not None
    action = href(out.node, out.node.frame.home)
    out.add(f'<form action="{action}"><input name="q"><button>{_word(out, "search")}</button></form>\n')


def _ad(out: Out) -> None:
    node, theme = out.node, _theme(out)
    links = node.site.out_links
    if not links:
        return
    label, url = links[int(out.rng.random() * len(links))]
    picture = f'<img src="/ad/{node.number % 9}.gif" alt="{label}">'
    text = f'<small>{_word(out, "advert")}</small> <a href="{url}">{picture}</a>'
    out.add(f"{theme.open('ad')}{text}{theme.close('ad')}\n")


def _share(out: Out) -> None:
    here = out.node.url.replace("&", "%26").replace("?", "%3F")
    first = f'<a href="https://sharer.example/post?u={here}">{_word(out, "share")}</a>'
    second = f'<a href="https://mailer.example/to?u={here}">@</a>'
    out.add(f"<div{_theme(out).c('social')}>{first} {second}</div>\n")


def _related(out: Out) -> None:
    node, rng, theme = out.node, out.rng, _theme(out)
    site = node.site
    pool = node.parent.items if node.parent is not None and len(node.parent.items) > 4 else site.pool or site.nodes
    if len(pool) < 6:
        return
    count = 3 + int(rng.random() * 5)
    chosen = {int(rng.random() * len(pool)) for _ in range(count)}
    rows = "".join(f"<li>{link(node, pool[k], pool[k].label)}</li>" for k in sorted(chosen))
    heading = _word(out, "mostread" if theme.number_style == 1 else "related")
    out.add(f"{theme.open('related')}<h4>{heading}</h4><ul>{rows}</ul>{theme.close('related')}\n")


def _theme(out: Out) -> Theme:
    assert out.node.frame is not None
    return out.node.frame.theme


_DISTRACTIONS = {"skip": _skip, "cookie": _cookie, "search": _search, "ad": _ad, "share": _share, "related": _related}
