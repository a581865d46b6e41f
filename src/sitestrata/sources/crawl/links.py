"""What a crawl wants to know of a fetched page: where it leads, what it says, whether robots may follow."""

from dataclasses import dataclass

from selectolax.lexbor import LexborHTMLParser

from sitestrata import urls

__all__ = ["PageLinks", "read_links"]


@dataclass(frozen=True, slots=True)
class PageLinks:
    """The links of one page and the pieces of text it is made of."""

    links: tuple[str, ...]  # absolute, without fragment, in document order, each once
    pieces: tuple[str, ...]  # visible text, one piece a text node
    robots: str  # meta robots


def read_links(body: bytes, url: str, charset: str | None) -> PageLinks:
    """Parse one page."""
    tree = LexborHTMLParser(body.decode(charset or "utf-8", "replace"))
    base = url
    node = tree.css_first("base[href]")
    if node is not None:
        base = urls.normalise(node.attributes.get("href") or "", url) or url
    found: dict[str, None] = {}
    for node in tree.css("a[href], area[href], frame[src], iframe[src]"):
        if "nofollow" in (node.attributes.get("rel") or "").lower():
            continue
        target = urls.normalise(node.attributes.get("href") or node.attributes.get("src") or "", base)
        if target:
            found[target] = None
    for node in tree.css("meta[http-equiv]"):
        if (node.attributes.get("http-equiv") or "").lower() == "refresh":
            _, _, text = (node.attributes.get("content") or "").partition("=")
            target = urls.normalise(text.strip("'\" "), base)
            if target:
                found[target] = None
    robots = ",".join(
        node.attributes.get("content") or ""
        for node in tree.css("meta[name]")
        if (node.attributes.get("name") or "").lower() == "robots"
    )
    body_node = tree.body
    text = body_node.text(deep=True, separator="\x00") if body_node is not None else ""
    return PageLinks(tuple(found), tuple(piece for each in text.split("\x00") if (piece := each.strip())), robots)
