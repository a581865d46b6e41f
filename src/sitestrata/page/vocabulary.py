"""The tags and attributes that the page model knows by number, and what a tag means for reading a page.

A tag's number is its index in `TAGS`; 0 is text. Elements outside the list (custom elements, typos) get numbers from
``len(TAGS)`` on in the order of their first occurrence on the page; their names stand in `Dom.extra_tags`. Attributes
outside `ATTRIBUTES` are not kept at all: nothing of ours reads them.

The sets below follow the HTML Standard's rendering section and ARIA in HTML; none of them knows a site.
"""

from enum import IntFlag

import numpy as np
import numpy.typing as npt

__all__ = ["ATTRIBUTES", "ATTRIBUTE_ID", "LANDMARKS", "ROLES", "TAGS", "TAG_ID", "TEXT", "Role"]

TEXT = 0

# fmt: off
TAGS: tuple[str, ...] = (
    "#text",
    "a", "abbr", "acronym", "address", "applet", "area", "article", "aside", "audio", "b", "base", "basefont", "bdi",
    "bdo", "bgsound", "big", "blink", "blockquote", "body", "br", "button", "canvas", "caption", "center", "cite",
    "code", "col", "colgroup", "data", "datalist", "dd", "del", "details", "dfn", "dialog", "dir", "div", "dl", "dt",
    "em", "embed", "fieldset", "figcaption", "figure", "font", "footer", "form", "frame", "frameset", "h1", "h2", "h3",
    "h4", "h5", "h6", "head", "header", "hgroup", "hr", "html", "i", "iframe", "image", "img", "input", "ins",
    "isindex", "kbd", "keygen", "label", "legend", "li", "link", "listing", "main", "map", "mark", "marquee", "math",
    "menu", "menuitem", "meta", "meter", "nav", "nobr", "noembed", "noframes", "noscript", "object", "ol", "optgroup",
    "option", "output", "p", "param", "picture", "plaintext", "pre", "progress", "q", "rb", "rp", "rt", "rtc", "ruby",
    "s", "samp", "script", "search", "section", "select", "slot", "small", "source", "spacer", "span", "strike",
    "strong", "style", "sub", "summary", "sup", "svg", "table", "tbody", "td", "template", "textarea", "tfoot", "th",
    "thead", "time", "title", "tr", "track", "tt", "u", "ul", "var", "video", "wbr", "xmp",
    "desc", "g", "path", "use", "text", "foreignobject", "metadata",
)

ATTRIBUTES: tuple[str, ...] = (
    "id", "class", "href", "src", "alt", "title", "rel", "role", "aria-label", "hidden", "name", "content",
    "http-equiv", "charset", "lang", "xml:lang", "type", "style", "rowspan", "colspan", "scope", "headers", "border",
    "abbr", "itemscope", "itemtype", "itemprop", "typeof", "property", "resource", "open",
    "aria-rowspan", "aria-colspan", "hreflang", "aria-colindex", "aria-labelledby",
)
# fmt: on

TAG_ID = {name: number for number, name in enumerate(TAGS)}
ATTRIBUTE_ID = {name: number for number, name in enumerate(ATTRIBUTES)}

# Numbers of a node's nearest landmark: index in this tuple (model.Link.landmark); "" = none.
LANDMARKS = ("", "banner", "navigation", "main", "complementary", "contentinfo", "search", "form")


class Role(IntFlag):
    """What a tag means for reading a page."""

    HIDDEN = 1  # its text is never shown
    BLOCK = 2  # starts on a line of its own, so words on both sides do not run together
    BOLD = 4
    ITALIC = 8
    HEADING = 16
    SECTIONING = 32  # a header or footer inside it belongs to it, not to the page
    RAW = 64  # its content is text that nobody reads: not kept, save structured data in a script
    ITEM = 128  # one of several: its id and classes tell it from the others, not where they stand
    BOX = 256  # may be a mere wrapper around the parts of a page


def _roles() -> dict[str, Role]:
    members = {
        # Fallback content of audio, video, canvas is only shown where the element itself cannot be; data lists and
        # parenthesis of ruby never are.
        Role.HIDDEN: "head title script style template noembed noframes iframe datalist audio video canvas rp metadata "
        "desc",
        Role.RAW: "script style noembed noframes iframe",
        Role.BLOCK: "address article aside blockquote body br button caption center col colgroup dd details dialog dir "
        "div dl dt fieldset figcaption figure footer form frameset h1 h2 h3 h4 h5 h6 header hgroup hr html legend li "
        "listing main menu nav ol optgroup option p plaintext pre search section select summary table tbody td "
        "textarea tfoot th thead tr ul xmp",
        Role.BOLD: "b strong",
        Role.ITALIC: "i em cite dfn var address",
        Role.HEADING: "h1 h2 h3 h4 h5 h6",
        Role.SECTIONING: "article aside main nav section",
        Role.ITEM: "a area dd dt li option tr",
        Role.BOX: "article body center div form main section table tbody td tr",
    }
    roles = dict.fromkeys(TAGS, Role(0))
    for role, names in members.items():
        for name in names.split():
            roles[name] |= role
    return roles


# ROLES[tag]: the bits of Role, for indexing with an array of tags that has been clipped to len(TAGS) (= no role).
ROLES: npt.NDArray[np.int32] = np.array([*(int(_roles()[name]) for name in TAGS), 0], dtype=np.int32)
