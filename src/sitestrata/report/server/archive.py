"""A parsed page -> HTML that shows it and can do nothing: written anew from the tree, by what is allowed.

The text of a page was never markup here: elements, texts and a few attributes come from `Dom`, tags that are not on
the list become ``div`` or ``span``, and whatever could load, run, submit or lead away (scripts, frames, forms,
addresses of links, meta) is not written at all. Images are written as data or not at all. The answer also carries a
policy that forbids the rest (`guard.ARCHIVE_POLICY`): two walls, each enough.

Because the nodes are those that the tables speak of, what was found is marked on the elements themselves
(``data-ss-<layer>``), with a tag that leads to the same page with that node in focus. Layers are switched without a
script: the frame's address ends in ``#ss-<bits>`` (``#ss-f-<bits>`` scrolls to the node in focus), and style rules
follow the target.
"""

import html
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from sitestrata.page import ATTRIBUTES, TEXT, Dom

__all__ = ["LAYERS", "Layer", "Mark", "archived_html", "css_addresses", "harmless_css"]


@dataclass(frozen=True, slots=True)
class Layer:
    """A kind of thing that is drawn over a page."""

    name: str
    colour: str  # on white at least 4.5:1, as its label is written white on it
    width: int  # pixels of its line: an element of several layers shows a line of each, the narrow ones inside


LAYERS: tuple[Layer, ...] = (
    Layer("menus", "#b3261e", 2),
    Layer("segments", "#7a5c00", 3),
    Layer("blocks", "#1a5fb4", 5),
    Layer("tables", "#1b6b3a", 4),
    Layer("records", "#7b3fa0", 3),
)


@dataclass(frozen=True, slots=True)
class Mark:
    """Something found at a node of the page."""

    layer: str
    node: int
    label: str  # "" for a further piece of what another mark names
    detail: str = ""  # said when the label is pointed at


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
# Of a table: what may hold cells alone, so that a tag has to wait for the first cell.
_TABLE_PARTS = frozenset(("table", "thead", "tbody", "tfoot", "tr", "colgroup"))
_BASE_CSS = (
    ".ss-flag{position:fixed!important;top:0;left:0;width:0;height:0;overflow:hidden}"
    ".ss-here{position:absolute!important;width:0;height:0;overflow:hidden;scroll-margin:6rem}"
    ".ss-tag{display:none!important}"
    ".ss-tags{all:initial!important;position:absolute!important;z-index:2147483647!important;"
    "transform:translateY(-100%)!important;white-space:nowrap!important;line-height:0!important}"
    "html{background:#fff;color:#111;padding-top:16px}"
    ".ss-control{border:1px solid #767676;padding:0 .5em;display:inline-block}"
    "a{color:#0645ad;text-decoration:underline}"
)
_OWN = "ss-"  # ids of ours begin so; those of the page do not
_MAX_VALUE = 10_000  # characters of an attribute
_MAX_LABEL = 200
_ADDRESS = re.compile(r"""url\(\s*(?:"([^"\n]*)"|'([^'\n]*)'|([^"'()\s]*))\s*\)""", re.IGNORECASE)
_URL = re.compile(r"(?:url|image-set|image|src)\s*\(", re.IGNORECASE)
_ESCAPE = re.compile(r"\\(?:([0-9a-f]{1,6})\s?|([g-z]))", re.IGNORECASE)
_IMPORT = re.compile(r"@\s*(?:import|charset|namespace)\b", re.IGNORECASE)


def archived_html(
    dom: Dom,
    *,
    url: str,
    style: str = "",
    marks: Iterable[Mark] = (),
    shown: Sequence[str] = (),
    focus: int = -1,
    address: str = "",
    image: Callable[[str], str] = lambda _: "",
    css_image: Callable[[str], str] = lambda _: "",
) -> str:
    """Write a page so that it can be looked at and nothing else.

    Args:
        dom: the page
        url: its address; only ever shown
        style: style sheets, made harmless (`harmless_css`)
        marks: what was found on it
        shown: the layers that are drawn at first
        focus: a node that stands out and is scrolled to, by ``#ss-focus``
        address: where the tag of a mark leads to, up to the number of its node; "" for nowhere
        image: returns an image, as a ``data:`` address, by the address that the page has for it
        css_image: the same for a style attribute, as a value
    """
    by_node: dict[int, dict[str, list[Mark]]] = {}
    for mark in marks:
        by_node.setdefault(mark.node, {}).setdefault(mark.layer, []).append(mark)
    language = _escaped(dom.attribute(0, "lang") or "")
    body = _Body(dom, by_node, focus, address, image, css_image)
    return (
        f'<!doctype html>\n<html lang="{language}">\n<head><meta charset="utf-8"><title>{_escaped(url)}</title>'
        f'<meta name="viewport" content="width=device-width"><style>{style}</style>'
        f"<style>{_overlay_css(shown)}</style></head>\n{body.write()}\n</html>\n"
    )


def harmless_css(text: str, *, image: Callable[[str], str] = lambda _: "") -> str:
    """Return a style sheet that cannot end its element and names no address but those that ``image`` has a value for.

    Letters that are written as escapes are written out first. What this overlooks the policy of the answer forbids.
    """
    text = _plain_css(text)
    values: list[str] = []

    def keep(match: re.Match[str]) -> str:
        value = image(_address(match))
        values.append(value)
        return f"\0{len(values) - 1}\0" if value else match[0]

    text = _ADDRESS.sub(keep, text)
    text = _IMPORT.sub("@x-", text)
    text = _URL.sub("x-none(", text)
    text = text.replace("<", "\\3c ")
    return re.sub("\0([0-9]+)\0", lambda match: values[int(match[1])], text)


def css_addresses(text: str) -> list[str]:
    """Return the addresses that a style sheet names."""
    return [_address(match) for match in _ADDRESS.finditer(_plain_css(text))]


def _address(match: re.Match[str]) -> str:
    return (match[1] or match[2] or match[3] or "").strip()


def _plain_css(text: str) -> str:
    return _ESCAPE.sub(_letter, text.replace("\0", ""))


def _letter(escape: re.Match[str]) -> str:
    """Return the ASCII letter that an escape stands for; any other escape as it is."""
    char = chr(int(escape[1], 16)) if escape[1] and int(escape[1], 16) < 0x80 else escape[2] or ""
    return char if char.isalpha() or char in "-@" else escape[0]


def _overlay_css(shown: Sequence[str]) -> str:
    # The lines around an element are shadows, of which there can be many, each in a variable that one layer sets.
    names = [f"--ss-{layer.name}" for layer in sorted(LAYERS, key=lambda layer: layer.width)]
    nothing = "0 0 #0000"
    rules = [_BASE_CSS]
    rules.append(
        f"[data-ss]{{{''.join(f'{name}:{nothing};' for name in names)}--ss-focus:{nothing};"
        f"box-shadow:{','.join(f'var({name})' for name in names)},var(--ss-focus)!important}}"
        "[data-ss-focus]{--ss-focus:0 0 0 7px #fff,0 0 0 11px #d00}"
    )
    for layer in LAYERS:
        where = f":root:has(.ss-on-{layer.name}:target)"
        if layer.name in shown:
            where = f":is({where},:root:not(:has(.ss-flag:target)))"
        rules.append(
            f"{where} [data-ss-{layer.name}]{{--ss-{layer.name}:0 0 0 {layer.width}px {layer.colour};"
            f"background-image:linear-gradient({layer.colour}14,{layer.colour}14)!important}}"
            f"{where} .ss-t-{layer.name}{{all:initial!important;display:inline-block!important;"
            f"font:600 11px/1.3 sans-serif!important;color:#fff!important;background:{layer.colour}!important;"
            f"padding:0 5px!important;border-radius:4px 4px 0 0!important;opacity:.92!important;"
            f"white-space:nowrap!important;cursor:pointer!important}}"
        )
    return "".join(rules)


def _flags(stem: str, place: str) -> str:
    """Write an element to be the target of the frame's address for every set of layers."""
    flags = []
    for bits in range(1 << len(LAYERS)):
        on = "".join(f" ss-on-{layer.name}" for place, layer in enumerate(LAYERS) if bits >> place & 1)
        flags.append(f'<i class="ss-flag {place}{on}" id="{stem}{bits}"></i>')
    return "".join(flags)


class _Body:
    """Writes the body; invariant: ``open_ends`` holds the elements that are open, with the node at which each ends."""

    def __init__(
        self,
        dom: Dom,
        marks: Mapping[int, Mapping[str, Sequence[Mark]]],
        focus: int,
        address: str,
        image: Callable[[str], str],
        css_image: Callable[[str], str],
    ) -> None:
        self.dom = dom
        self.marks = marks
        self.focus = focus
        self.address = address
        self.image = image
        self.css_image = css_image
        self.open_ends: list[tuple[int, str]] = []
        self.open_links = 0
        self.waiting: list[int] = []  # nodes whose tags are not written yet
        self.pieces: list[str] = []

    def write(self) -> str:
        dom = self.dom
        flags = _flags("ss-", "")
        body = next((node for node in dom.children(0) if dom.tag_name(node) in ("body", "frameset")), -1)
        if body < 0:
            return f"<body>{flags}</body>"
        tags, ends = dom.tag.tolist(), dom.end.tolist()
        self._wait(body)
        self.pieces.append(f"<body{self._attributes(body, 'body')}>{flags}")
        node, end = body + 1, ends[body]
        while node < end:
            self._close(node)
            if tags[node] == TEXT:
                self._text(node)
                node += 1
            elif (name := dom.tag_name(node)) in _DROPPED or self._open(node, name) in _VOID:
                node = ends[node]
            else:
                node += 1
        self._close(end)
        self.pieces.append(f"{self._tags()}</body>")
        return "".join(self.pieces)

    def _close(self, node: int) -> None:
        while self.open_ends and self.open_ends[-1][0] <= node:
            name = self.open_ends.pop()[1]
            tags = "" if name in _TABLE_PARTS else self._tags()  # of what holds nothing
            self.open_links -= name == "a"
            self.pieces.append(f"{tags}</{name}>")

    def _text(self, node: int) -> None:
        dom = self.dom
        text = _escaped(dom.text[dom.text_start[node] : dom.text_end[node]].decode())
        is_marked = self._wait(node)
        tags = self._tags() if text.strip() or is_marked else ""
        self.pieces.append(f"<span{self._attributes(node, '')}>{tags}{text}</span>" if is_marked else f"{tags}{text}")

    def _wait(self, node: int) -> bool:
        """Note a node that has tags; tell whether it has."""
        is_marked = node in self.marks or node == self.focus
        if is_marked:
            self.waiting.append(node)
        return is_marked

    def _open(self, node: int, name: str) -> str:
        """Write the start of an element; the tags of its marks come with the first thing to be seen in it."""
        written = _written(name)
        self._wait(node)
        tags = self._tags() if written == "a" or written in _VOID - {"col"} else ""
        self.pieces.append(f"{tags}<{written}{self._attributes(node, name)}>")
        if written not in _VOID:
            self.open_links += written == "a"
            self.open_ends.append((int(self.dom.end[node]), written))
        return written

    def _tags(self) -> str:
        """Write the tags that wait, side by side as they begin at one place, and what the focus is found by."""
        nodes, self.waiting = self.waiting, []
        here = '<i class="ss-here" id="ss-focus"></i>' + _flags("ss-f-", "ss-here") if self.focus in nodes else ""
        tags = "".join(self._tags_of(node) for node in nodes)
        return f'{here}<span class="ss-tags">{tags}</span>' if tags else here

    def _tags_of(self, node: int) -> str:
        made = ""
        for layer, marks in self.marks.get(node, {}).items():
            label = "; ".join(dict.fromkeys(mark.label for mark in marks if mark.label))
            if label:
                detail = "; ".join(dict.fromkeys(mark.detail for mark in marks if mark.detail))
                name = f'class="ss-tag ss-t-{layer}" title="{_escaped(detail[:_MAX_LABEL])}"'
                text = _escaped(label[:_MAX_LABEL])
                if self.address and not self.open_links:  # a link in a link would end it
                    made += f'<a {name} href="{_escaped(self.address)}{node}#ss-focus">{text}</a>'
                else:
                    made += f"<span {name}>{text}</span>"
        return made

    def _attributes(self, node: int, tag: str) -> str:
        kept = self._kept(node, tag)
        if node in self.marks or node == self.focus:
            kept["data-ss"] = ""
        if node == self.focus:
            kept["data-ss-focus"] = ""
        for layer in self.marks.get(node, ()):
            kept[f"data-ss-{layer}"] = ""
        return "".join(f' {name}="{_escaped(value)}"' for name, value in kept.items())

    def _kept(self, node: int, tag: str) -> dict[str, str]:
        dom = self.dom
        kept: dict[str, str] = {}
        for place in range(int(dom.attribute_first[node]), int(dom.attribute_first[node + 1])):
            name = ATTRIBUTES[dom.attribute_name[place]]
            whole = dom.text[dom.attribute_start[place] : dom.attribute_end[place]].decode()
            value = whole[:_MAX_VALUE]
            if name == "href" and tag == "a":
                # A link without an address still looks like one, and the tip tells where it led.
                kept["data-href"] = value
            elif name in _ATTRIBUTES and not (name == "id" and value.lower().startswith(_OWN)):
                kept[name] = harmless_css(value, image=self.css_image) if name == "style" else value
            elif name == "src" and tag == "img" and (data := self.image(whole)).startswith("data:image/"):
                kept["src"] = data
        if "data-href" in kept:
            kept["role"] = "link"
            kept.setdefault("title", kept["data-href"])
        if tag in _CONTROLS:
            kept["class"] = f"ss-control {kept.get('class', '')}"
        return kept


def _written(name: str) -> str:
    if name in _KEPT:
        return name
    return "div" if name in _BLOCKS else "span"


def _escaped(text: str) -> str:
    return html.escape(text.replace("\0", "\ufffd"))
