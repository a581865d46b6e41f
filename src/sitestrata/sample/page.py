"""One page of the sample web as bytes, with what is true about it."""

import re
from dataclasses import dataclass
from random import Random
from typing import Any

from sitestrata.sample.blocks import block_truth
from sitestrata.sample.chrome import (
    distraction,
    show_crumbs,
    show_fixed,
    show_languages,
    show_main,
    show_pager,
    show_versions,
)
from sitestrata.sample.content import Out, render_content
from sitestrata.sample.datatables import TableTruth
from sitestrata.sample.markup import escape, href, link
from sitestrata.sample.web import Menu, Node, mix

__all__ = ["Rendered", "render"]

BLOCKS_EVERY = 25  # of pages other than home pages, one in so many has its blocks written down
BLOCKS_DRAW = 0xB10C  # tells this draw from others of the same page
# What a reader takes the things around the content for.
_ROLES = {
    "skip": "navigation",
    "cookie": "other",
    "search": "form",
    "share": "other",
    "related": "listing",
    "ad": "other",
}


@dataclass(frozen=True, slots=True)
class Rendered:
    """A page's body and headers, and the truth that only its making tells."""

    body: bytes
    content_type: str
    menus: list[str]
    varying: list[dict[str, Any]]
    tables: list[TableTruth]
    instances: list[dict[str, Any]]
    home_tree: list[dict[str, Any]]
    crumbs: str
    blocks: dict[str, Any] | None  # leaves, cuts and roles; None where the page is not among those looked at


def render(node: Node) -> Rendered:
    """Make a page; it depends on the site and the page's number only."""
    frame = node.frame
    assert frame is not None
    theme = frame.theme
    out = Out(node, Random(node.seed))  # noqa: S311 - pages, not secrets
    out.nested = theme.family == "tables" and node.kind not in ("frame", "frameset")
    if node.kind == "frameset":
        crumbs = _frameset(out)
    elif node.kind == "frame":
        crumbs = ""
        if frame.main is not None:
            _head(out)
            show_main(out)
            out.add("</body></html>")
    elif node.kind == "refresh":
        crumbs = _refresh(out)
    else:
        _head(out)
        crumbs = _table_body(out) if theme.family == "tables" else _body(out)
        if theme.script_block:
            out.add(theme.script_block)
        out.add("</body></html>\n")
    parts = out.parts
    if theme.mess:
        parts = [part if k in out.final else _make_messy(part, theme.mess) for k, part in enumerate(parts)]
    html = "".join(parts)
    blocks = block_truth(parts, out.begins) if _shows_blocks(node) else None
    charset = theme.charset
    body = html.encode("cp932" if charset == "shift_jis" else charset, "xmlcharrefreplace")
    content_type = f"text/html; charset={charset}" if theme.charset_from in ("both", "header") else "text/html"
    return Rendered(
        body, content_type, out.menus, out.varying, out.tables, out.instances, out.home_tree, crumbs, blocks
    )


def _shows_blocks(node: Node) -> bool:
    """Tell whether a page's blocks are written down: those of home pages, and of some others."""
    if node.kind in ("frame", "frameset", "refresh"):
        return False
    return node is node.site.home or mix(node.seed, BLOCKS_DRAW) % BLOCKS_EVERY == 0


def _head(out: Out, extra: str = "") -> None:
    node = out.node
    frame = node.frame
    assert frame is not None
    theme, site = frame.theme, node.site
    label, name = escape(node.label), escape(site.name)
    title = (
        (f"{label} - {name}", f"{name}: {label}", label, f"{label} | {name}")[theme.title_order]
        if node.parent
        else name
    )
    meta = (
        f'<meta charset="{theme.charset}">'
        if theme.family in ("html5", "divs")
        else f'<meta http-equiv="Content-Type" content="text/html; charset={theme.charset}">'
    )
    if theme.charset_from not in ("both", "meta"):
        meta = ""
    base = f'<base href="{node.host}/">' if theme.links == "base" else ""
    if node.kind == "frame":
        base = '<base target="main">'
    canonical = _canonical(node, theme.canonical)
    head = f"{meta}<title>{title}</title>{base}{canonical}{extra}{theme.style_block}"
    language = f' lang="{node.language}"' if theme.family in ("html5", "divs") else ""
    if "nohead" in theme.mess:
        out.add(f"{theme.doctype}\n{head}\n")
    else:
        colours = ' bgcolor="#ffffff" text="#000000"' if theme.family == "tables" else ""
        out.add(f"{theme.doctype}\n<html{language}><head>{head}</head>\n<body{colours}>\n")


def _canonical(node: Node, habit: str) -> str:
    """Return the link element that names the page's own address; some sites name their home page everywhere."""
    if not habit:
        return ""
    target = node if habit == "self" else node.site.home
    return '<link rel="canonical" href="{}">'.format(target.url.replace("&", "&amp;"))


def _logo(out: Out) -> None:
    node = out.node
    frame = node.frame
    assert frame is not None
    theme = frame.theme
    name = escape(node.site.name)
    picture = f'<img src="/img/logo.png" alt="{name}">' if theme.number_style % 2 else name
    reference = frame.logo.replace("&", "&amp;") or href(node, frame.home)
    out.begin("other")
    out.add(f'<div{theme.c("logo")}><a href="{reference}">{picture}</a></div>\n')


def _region(out: Out, menu: Menu | None, region: str) -> None:
    if menu is not None:
        out.begin("navigation")
        show_fixed(out, menu, region)


def _local(out: Out) -> None:
    """Append the section's own menu unless the main menu already holds it."""
    node = out.node
    if node.local is not None and node.local.key not in out.menus:
        out.begin("navigation")
        show_fixed(out, node.local, "local")


def _main(out: Out) -> None:
    out.begin("navigation")
    show_main(out)


def _languages(out: Out) -> None:
    out.begin("navigation")
    show_languages(out)


def _pager(out: Out) -> None:
    out.begin("navigation")
    show_pager(out)


def _distraction(out: Out, name: str) -> None:
    out.begin(_ROLES[name])
    distraction(out, name)


def _header(out: Out) -> None:
    node = out.node
    frame = node.frame
    assert frame is not None
    theme = frame.theme
    out.add(theme.open("header"))
    early = theme.number_style % 2 == 0
    if early:
        _region(out, frame.utility, "utility")
        _languages(out)
    _logo(out)
    if "search" in theme.distractions:
        _distraction(out, "search")
    if theme.main_place == "header":
        _main(out)
    if not early:
        _region(out, frame.utility, "utility")
        _languages(out)
    out.add(theme.close("header") + "\n")


def _middle(out: Out) -> str:
    """Append path, pagers and content."""
    node = out.node
    assert node.frame is not None
    theme = node.frame.theme
    out.begin("navigation")
    crumbs = show_crumbs(out)
    out.begin("navigation")
    show_versions(out)
    if theme.local_place == "above":
        _local(out)
    if theme.pager_place in ("above", "both"):
        _pager(out)
    out.add(theme.open("content"))
    render_content(out)
    if "share" in theme.distractions:
        _distraction(out, "share")
    out.add(theme.close("content") + "\n")
    if theme.pager_place in ("below", "both"):
        _pager(out)
    return crumbs


def _footer(out: Out) -> None:
    frame = out.node.frame
    assert frame is not None
    theme = frame.theme
    if frame.footers or frame.social is not None:
        out.begin("footer")
        out.add(theme.open("footer"))
        for menu in frame.footers:
            show_fixed(out, menu, "col")
        if frame.social is not None:
            show_fixed(out, frame.social, "social")
        out.add(f"<p>&copy; {escape(out.node.site.name)}</p>{theme.close('footer')}\n")


def _aside(out: Out) -> None:
    frame = out.node.frame
    assert frame is not None
    for name in ("related", "ad"):
        if name in frame.theme.distractions:
            _distraction(out, name)
    _region(out, frame.cloud, "cloud")


def _body(out: Out) -> str:
    frame = out.node.frame
    assert frame is not None
    theme = frame.theme
    shown = theme.distractions
    if "skip" in shown:
        _distraction(out, "skip")
    if "cookie" in shown and theme.title_order % 2:
        _distraction(out, "cookie")
    out.add(theme.open("page"))
    _region(out, frame.bar, "bar")
    _header(out)
    if theme.main_place in ("top", "left"):
        _main(out)
    out.add(theme.open("banner"))
    if theme.local_place == "left":
        _local(out)
    crumbs = _middle(out)
    if theme.main_place == "after":
        _main(out)
    if theme.local_place in ("right", "below"):
        _local(out)
    out.add(theme.open("aside"))
    _aside(out)
    out.add(theme.close("aside") + theme.close("banner") + "\n")
    _footer(out)
    out.add(theme.close("page"))
    if "cookie" in shown and theme.title_order % 2 == 0:
        _distraction(out, "cookie")
    return crumbs


def _table_body(out: Out) -> str:
    """Append the page as one big layout table: a head row, a row of columns, a foot row."""
    frame = out.node.frame
    assert frame is not None
    theme = frame.theme
    out.nested = False
    out.add('<table width="100%" border="0" cellpadding="4" cellspacing="0"><tr><td colspan="2">\n', 1)
    out.nested = True
    _region(out, frame.bar, "bar")
    _header(out)
    if theme.main_place == "top":
        _main(out)
    out.add('</td></tr>\n<tr><td width="150" valign="top">')
    if theme.main_place == "left":
        _main(out)
    if theme.local_place in ("left", "above"):
        _local(out)
    out.add('</td>\n<td valign="top">')
    crumbs = _middle(out)
    _aside(out)
    if theme.main_place == "after":
        _main(out)
    if theme.local_place in ("right", "below"):
        _local(out)
    out.add('</td></tr>\n<tr><td colspan="2" align="center"><hr>\n')
    _footer(out)
    out.add("</td></tr></table>\n")
    return crumbs


def _frameset(out: Out) -> str:
    """Append a frameset: the menu's page and the first content page side by side."""
    node = out.node
    frame = node.frame
    assert frame is not None
    site = node.site
    menu = next(page for page in site.nodes if page.kind == "frame")
    first = next(page for page in site.nodes if page.kind not in ("frame", "frameset"))
    title = escape(site.name)
    meta = (
        f'<meta http-equiv="Content-Type" content="text/html; charset={frame.theme.charset}">'
        if frame.theme.charset_from != "none"
        else ""
    )
    hint = (
        f"<noframes><body><p>{link(node, menu, menu.label)}</p></body></noframes>"
        if frame.theme.number_style % 2
        else ""
    )
    out.add(
        f'<html><head>{meta}<title>{title}</title></head>\n<frameset cols="180,*">'
        f'<frame src="{href(node, menu)}" name="left"><frame src="{href(node, first)}" name="main">'
        f"{hint}</frameset></html>\n"
    )
    return ""


def _refresh(out: Out) -> str:
    node = out.node
    target = node.items[0]
    address = href(node, target)
    _head(out, f'<meta http-equiv="refresh" content="0; url={address}">')
    out.add(f"<p>{link(node, target, target.label)}</p></body></html>\n")
    return ""


# The commonest tags: replacing a few one by one is much faster than a pattern over the page.
_UPPER = [(f"<{tag}>", f"<{tag.upper()}>") for tag in ("p", "li", "/li", "ul", "/ul", "td", "tr", "br", "/a")]
_UPPER.append(("<a href=", "<A HREF="))
_QUOTED = re.compile(r'(\s[a-z]+)="([A-Za-z0-9_./%-]+)"')


def _make_messy(html: str, mess: tuple[str, ...]) -> str:
    """Write the page as people did before validators; what it means to a browser stays the same."""
    if "unclosed" in mess:
        for tag in ("</li>", "</p>", "</td>", "</tr>", "</dt>", "</dd>"):
            html = html.replace(tag, "")
    if "unquoted" in mess:
        html = _QUOTED.sub(r"\1=\2", html)
    if "upper" in mess:
        for small, large in _UPPER:
            html = html.replace(small, large)
    if "stray" in mess:
        html = html.replace("<br><br>\n", "<br></font><br>\n").replace("</h2>", "</h2></center>", 2)
    if "comments" in mess:
        html = html.replace("</h1>", '</h1><!-- <a href="/old.html">old</a> -->', 1)
    return html
