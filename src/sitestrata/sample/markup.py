"""Links and lists of links in HTML, in the manner of a theme."""

from functools import lru_cache
from html import escape as _escape

from sitestrata.sample.theme import NESTABLE, Theme
from sitestrata.sample.web import Entry, Node

__all__ = ["CONTAINERS", "escape", "href", "link", "render_entries"]

escape = lru_cache(maxsize=20_000)(_escape)

# style: (start of the list, start of an item, end of an item, between items, end of the list, layout tables used)
CONTAINERS = {
    "ul": ("<ul{c}>\n", "<li{i}>", "</li>\n", "", "</ul>", 0),
    "ol": ("<ol{c}>\n", "<li{i}>", "</li>\n", "", "</ol>", 0),
    "div": ("<div{c}>", "", "", "\n", "</div>", 0),
    "divs": ("<div{c}>\n", "<div{i}>", "</div>\n", "", "</div>", 0),
    "spans": ("<div{c}>", "<span{i}>", "</span>", " ", "</div>", 0),
    "bar": ("<div{c}>", "<span{i}>", "</span>", " <span>|</span> ", "</div>", 0),
    "pipe": ("<p{c}>", "", "", " | \n", "</p>", 0),
    "bracket": ("<p{c}>", "[", "]", "\n", "</p>", 0),
    "br": ("<div{c}>", "", "", "<br>\n", "</div>", 0),
    "p": ("<div{c}>", "<p>", "</p>\n", "", "</div>", 0),
    "dl": ("<dl{c}>\n", "<dt>", "</dt>\n", "", "</dl>", 0),
    "trow": ('<table{c} cellpadding="4"><tr>', "<td>", "</td>\n", "", "</tr></table>", 1),
    "tcol": ('<table{c} width="140">', "<tr><td>", "</td></tr>\n", "", "</table>", 1),
}


@lru_cache(maxsize=20_000)
def _relative(folder: str, path: str) -> str:
    """Return a reference that leads from a page in ``folder`` to ``path`` on the same host."""
    common = folder
    climbs = 0
    while not path.startswith(common):
        common = common[: common.rfind("/", 0, len(common) - 1) + 1]
        climbs += 1
    rest = path[len(common) :]
    if climbs:
        return "../" * climbs + rest
    return rest if rest and rest[0] != "?" else f"./{rest}"


def href(page: Node, target: Node) -> str:
    """Return the reference from a page to a page of the same site or group, ready for an attribute."""
    assert page.frame is not None
    style = page.frame.theme.links
    if style == "absolute" or target.host != page.host:
        reference = target.url
    elif style == "root":
        reference = target.path
    elif style == "relative":
        reference = _relative(page.folder, target.path)
    elif style == "base":
        reference = _relative("/", target.path)
    else:
        reference = target.url[target.url.index(":") + 1 :]
    return reference.replace("&", "&amp;") if "&" in reference else reference


def link(page: Node, target: Node | str, label: str, attributes: str = "") -> str:
    """Return a hyperlink with a text label."""
    reference = href(page, target) if isinstance(target, Node) else target.replace("&", "&amp;")
    return f'<a href="{reference}"{attributes}>{escape(label)}</a>'


def render_entries(
    page: Node,
    entries: list[Entry],
    style: str,
    theme: Theme,
    *,
    region: str,
    active: Node | None = None,
    inner: tuple[Node, str] | None = None,
) -> tuple[str, int]:
    """Return a list of entries as HTML, and how many layout tables it is made of.

    Args:
        active: the entry that leads to the page or to its section.
        inner: HTML to print inside the entry of a node (the submenu of the current section).
    """
    start, before, after, between, end, tables = CONTAINERS[style]
    item = theme.c("item")
    current = theme.c("current") if theme.c("current") else item
    parts = []
    nest = style in NESTABLE
    for entry in entries:
        target = entry.target
        label = escape(entry.label)
        if theme.image_labels and region == "main":
            label = f'<img src="/img/b{len(label)}.gif" border="0" alt="{label}">'
        elif theme.icon and region in ("main", "local"):
            label = theme.icon + label
        if target is page and theme.current != "link":
            text = f"<strong>{label}</strong>" if theme.current == "strong" else f"<span>{label}</span>"
        elif isinstance(target, Node) and entry.alias is None:
            text = f'<a href="{href(page, target)}">{label}</a>'
        elif entry.url is not None:
            text = '<a href="{}">{}</a>'.format(entry.url.replace("&", "&amp;"), label)
        else:
            text = f"<span>{label}</span>" if not theme.image_labels else label
        sub = ""
        if nest and entry.children:
            sub, more = render_entries(page, entry.children, style, theme, region="sub", active=active)
            tables += more
        if inner is not None and target is inner[0]:
            sub += inner[1]
        mark = current if active is not None and target is active else item
        if style == "dl":
            parts.append(f"<dt>{text}</dt>\n")
            if sub:
                parts.append(f"<dd>{sub}</dd>\n")
            continue
        head = before.replace("{i}", mark) if before else ""
        parts.append(f"{head}{text}{sub}{after}")
    return start.replace("{c}", theme.c("list") if region == "sub" else "") + between.join(parts) + end, tables
