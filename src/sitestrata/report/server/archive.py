"""A parsed page -> HTML that shows it and can do nothing: written anew from the tree, by what is allowed.

The text of a page was never markup here: elements, texts and a few attributes come from `Dom`, tags that are not on
the list become ``div`` or ``span``, and whatever could load, run, submit or lead away (scripts, frames, forms, images'
addresses, links' addresses, meta) is not written at all. The answer also carries a policy that forbids the rest
(`guard.ARCHIVE_POLICY`): two walls, each enough.

Because the nodes are those that the tables speak of, what was found is marked on the elements themselves
(``data-ss-<layer>``). Layers are switched without a script: the frame's address ends in ``#ss-<bits>``, and style rules
follow the target.
"""

import html
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from sitestrata.page import ATTRIBUTES, TEXT, Dom

__all__ = ["LAYERS", "Layer", "Mark", "archived_html", "harmless_css", "layer_bits"]


@dataclass(frozen=True, slots=True)
class Layer:
    """A kind of thing that is drawn over a page."""

    name: str
    colour: str  # on white at least 4.5:1, as its label is written white on it


LAYERS: tuple[Layer, ...] = (
    Layer("menus", "#b3261e"),
    Layer("segments", "#7a5c00"),
    Layer("blocks", "#1a5fb4"),
    Layer("tables", "#1b6b3a"),
    Layer("records", "#7b3fa0"),
)


@dataclass(frozen=True, slots=True)
class Mark:
    """Something found at a node of the page."""

    layer: str
    node: int
    label: str


# fmt: off
_KEPT = frozenset((
    "a", "abbr", "acronym", "address", "article", "aside", "b", "bdi", "bdo", "big", "blockquote", "br", "caption",
    "center", "cite", "code", "col", "colgroup", "dd", "del", "details", "dfn", "dir", "div", "dl", "dt", "em",
    "fieldset", "figcaption", "figure", "font", "footer", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hgroup", "hr",
    "i", "img", "ins", "kbd", "label", "legend", "li", "main", "mark", "menu", "nav", "ol", "p", "pre", "q", "rp", "rt",
    "ruby", "s", "samp", "section", "small", "span", "strike", "strong", "sub", "summary", "sup", "table", "tbody",
    "td", "tfoot", "th", "thead", "time", "tr", "tt", "u", "ul", "var", "wbr",
))
_BLOCKS = frozenset((
    "form", "frameset", "noscript", "noframes", "dialog", "listing", "xmp", "plaintext", "optgroup", "option", "search",
    "object", "marquee",
))
_VOID = frozenset(("br", "col", "hr", "img", "wbr"))
# Nothing of these is shown, nor of what they hold.
_DROPPED = frozenset((
    "head", "script", "style", "link", "meta", "base", "template", "iframe", "frame", "embed", "applet", "audio",
    "video", "canvas", "svg", "math", "noembed", "param", "source", "track", "title", "bgsound", "metadata", "datalist",
))
_CONTROLS = frozenset(("input", "button", "select", "textarea", "keygen", "isindex", "progress", "meter"))
_ATTRIBUTES = frozenset(("class", "id", "title", "lang", "style", "rowspan", "colspan", "border", "alt", "open"))
# fmt: on
_BASE_CSS = (
    ".ss-flag{position:fixed!important;top:0;left:0;width:0;height:0;overflow:hidden}"
    "html{background:#fff;color:#111;padding-top:16px}"
    ".ss-control{border:1px solid #767676;padding:0 .5em;display:inline-block}"
    "a{color:#0645ad;text-decoration:underline}"
    "#ss-focus{outline:4px solid #d00!important;outline-offset:2px!important;scroll-margin:6rem}"
)
_OWN = "ss-"  # ids of ours begin so; those of the page do not
_MAX_VALUE = 10_000  # characters of an attribute
_MAX_LABEL = 200
_URL = re.compile(r"(?:url|image-set|image|src)\s*\(", re.IGNORECASE)
_ESCAPE = re.compile(r"\\(?:([0-9a-f]{1,6})\s?|([g-z]))", re.IGNORECASE)
_IMPORT = re.compile(r"@\s*(?:import|charset|namespace)\b", re.IGNORECASE)


def archived_html(
    dom: Dom, *, url: str, style: str = "", marks: Iterable[Mark] = (), shown: Sequence[str] = (), focus: int = -1
) -> str:
    """Write a page so that it can be looked at and nothing else.

    Args:
        dom: the page
        url: its address; only ever shown
        style: style sheets, made harmless (`harmless_css`)
        marks: what was found on it
        shown: the layers that are drawn at first
        focus: a node that stands out and is scrolled to, by ``#ss-focus``
    """
    by_node: dict[int, dict[str, str]] = {}
    for mark in marks:
        labels = by_node.setdefault(mark.node, {})
        before = labels.get(mark.layer)
        labels[mark.layer] = mark.label if before is None or before == mark.label else f"{before}; {mark.label}"
    language = _escaped(dom.attribute(0, "lang") or "")
    flags = "".join(f'<i class="ss-flag" id="ss-{bits}"></i>' for bits in range(1 << len(LAYERS)))
    return (
        f'<!doctype html>\n<html lang="{language}">\n<head><meta charset="utf-8"><title>{_escaped(url)}</title>'
        f'<meta name="viewport" content="width=device-width"><style>{style}</style>'
        f"<style>{_overlay_css(shown)}</style></head>\n{_body(dom, by_node, focus, flags)}\n</html>\n"
    )


def layer_bits(names: Sequence[str]) -> int:
    """Return the number by which a set of layers goes in the frame's address."""
    return sum(1 << place for place, layer in enumerate(LAYERS) if layer.name in names)


def harmless_css(text: str) -> str:
    """Return a style sheet that cannot end its element and names no address.

    Letters that are written as escapes are written out first. What this overlooks the policy of the answer forbids.
    """
    text = _ESCAPE.sub(_letter, text.replace("\0", ""))
    text = _IMPORT.sub("@x-", text)
    text = _URL.sub("x-none(", text)
    return text.replace("<", "\\3c ")


def _letter(escape: re.Match[str]) -> str:
    """Return the ASCII letter that an escape stands for; any other escape as it is."""
    char = chr(int(escape[1], 16)) if escape[1] and int(escape[1], 16) < 0x80 else escape[2] or ""
    return char if char.isalpha() or char in "-@" else escape[0]


def _overlay_css(shown: Sequence[str]) -> str:
    start = layer_bits(shown)
    rules = [_BASE_CSS]
    for place, layer in enumerate(LAYERS):
        on = [f":root:has(#ss-{bits}:target)" for bits in range(1 << len(LAYERS)) if bits >> place & 1]
        if start >> place & 1:
            on.append(":root:not(:has(.ss-flag:target))")
        where = f":is({','.join(on)})" if on else ":root:has(x)"
        name = f"[data-ss-{layer.name}]"
        rules.append(
            f"{where} {name}{{outline:2px solid {layer.colour}!important;outline-offset:-{place}px!important;"
            f"background-image:linear-gradient({layer.colour}14,{layer.colour}14)!important}}"
            f"{where} {name}::before{{content:attr(data-ss-{layer.name})!important;position:absolute!important;"
            f"z-index:2147483647!important;font:600 11px/1.3 sans-serif!important;color:#fff!important;"
            f"background:{layer.colour}!important;padding:0 5px!important;border-radius:4px 4px 0 0!important;"
            f"transform:translateY(-100%)!important;"
            f"opacity:.92!important;text-transform:none!important;letter-spacing:0!important;"
            f"pointer-events:none!important}}"
        )
    return "".join(rules)


def _body(dom: Dom, marks: Mapping[int, Mapping[str, str]], focus: int, flags: str) -> str:
    """Write the body; invariant: ``open_ends`` holds the elements that are open, with the node at which each ends."""
    body = next((node for node in dom.children(0) if dom.tag_name(node) in ("body", "frameset")), -1)
    if body < 0:
        return f"<body>{flags}</body>"
    tags, ends = dom.tag.tolist(), dom.end.tolist()
    open_ends: list[tuple[int, str]] = []
    pieces = [f"<body{_attributes(dom, body, 'body', marks.get(body), is_focus=body == focus)}>{flags}"]
    node, end = body + 1, ends[body]
    while node < end:
        while open_ends and open_ends[-1][0] <= node:
            pieces.append(f"</{open_ends.pop()[1]}>")
        if tags[node] == TEXT:
            pieces.append(_escaped(dom.text[dom.text_start[node] : dom.text_end[node]].decode()))
            node += 1
            continue
        name = dom.tag_name(node)
        if name in _DROPPED:
            node = ends[node]
            continue
        written = _written(name)
        pieces.append(f"<{written}{_attributes(dom, node, name, marks.get(node), is_focus=node == focus)}>")
        if written in _VOID:
            node = ends[node]
        else:
            open_ends.append((ends[node], written))
            node += 1
    while open_ends:
        pieces.append(f"</{open_ends.pop()[1]}>")
    pieces.append("</body>")
    return "".join(pieces)


def _written(name: str) -> str:
    if name in _KEPT:
        return name
    return "div" if name in _BLOCKS else "span"


def _attributes(dom: Dom, node: int, tag: str, labels: Mapping[str, str] | None, *, is_focus: bool) -> str:
    kept: dict[str, str] = {}
    for place in range(int(dom.attribute_first[node]), int(dom.attribute_first[node + 1])):
        name = ATTRIBUTES[dom.attribute_name[place]]
        value = dom.text[dom.attribute_start[place] : dom.attribute_end[place]].decode()[:_MAX_VALUE]
        if name == "href" and tag == "a":
            # A link without an address still looks like one, and the tip tells where it led.
            kept["data-href"] = value
        elif name in _ATTRIBUTES and not (name == "id" and value.lower().startswith(_OWN)):
            kept[name] = harmless_css(value) if name == "style" else value
    if "data-href" in kept:
        kept["role"] = "link"
        kept.setdefault("title", kept["data-href"])
    if tag in _CONTROLS:
        kept["class"] = f"ss-control {kept.get('class', '')}"
    if is_focus:
        kept["id"] = "ss-focus"
    for layer, label in (labels or {}).items():
        kept[f"data-ss-{layer}"] = label[:_MAX_LABEL]
    return "".join(f' {name}="{_escaped(value)}"' for name, value in kept.items())


def _escaped(text: str) -> str:
    return html.escape(text.replace("\0", "\ufffd"))
