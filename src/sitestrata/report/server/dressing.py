"""A page of the workspace -> its look: style sheets and images, as far as they were captured too.

Nothing is ever fetched for a page. What the collection holds is written into the page itself, images as ``data:``
addresses, so the frame that shows it asks for nothing at all and its policy may forbid everything else.
"""

import base64
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import pyarrow as pa
import pyarrow.compute as pc

from sitestrata.page import PageFacts
from sitestrata.page.style_sheets import style_sheets
from sitestrata.partition.styles import is_for_screens
from sitestrata.report.server.archive import css_addresses, harmless_css
from sitestrata.report.server.bodies import read_captures
from sitestrata.report.server.catalogue import Snapshot
from sitestrata.urls import normalise, url_id

__all__ = ["Dress", "dress_of", "screen_sheets"]

MAX_SHEETS = 30
MAX_IMPORTS = 3  # sheets that import sheets
MAX_STYLE = 2_000_000  # characters, all sheets of a page together
MAX_IMAGES = 300
MAX_IMAGE = 1_000_000  # bytes
MAX_PICTURES = 6_000_000  # bytes, all images of a page together
# What browsers draw; none of them runs a script or loads anything when it is an image.
IMAGE_TYPES = frozenset((
    "image/png", "image/jpeg", "image/gif", "image/webp", "image/avif", "image/bmp", "image/svg+xml", "image/x-icon",
    "image/vnd.microsoft.icon",
))  # fmt: skip
# An image that is in its own address; nothing in it can end the text that it is written in.
_DATA = re.compile(r"data:image/[a-z.+-]+[;,][^\"\\<\n\r]*", re.IGNORECASE)
_IMPORTS = re.compile(r"""@import\s+(?:url\(\s*)?["']?([^"'()\s;]+)["']?\s*\)?\s*([^;]*);""", re.IGNORECASE)
_CAPTURES = """
    SELECT * FROM captures
    WHERE url_id IN (SELECT unnest(?)) AND size BETWEEN 1 AND ? AND status BETWEEN 200 AND 299 AND NOT is_html
    QUALIFY row_number() OVER (PARTITION BY url_id ORDER BY fetched_at DESC NULLS LAST, source, "offset") = 1
    ORDER BY source, "offset"
"""


@dataclass(frozen=True, slots=True)
class Dress:
    """The style of a page as one harmless sheet, and its images by their absolute addresses."""

    style: str
    images: Mapping[str, str]  # as data: addresses
    base: str

    def image(self, address: str) -> str:
        """Return an image that the page names by an address, "" if there is none."""
        if _DATA.fullmatch(address):
            return address
        url = normalise(address, self.base)
        return self.images.get(url, "") if url else ""

    def css_image(self, address: str) -> str:
        """Return what stands for an image in a style attribute."""
        return _css_value(address, self.base, self.images)


@dataclass(frozen=True, slots=True)
class _Sheet:
    text: str
    base: str
    media: str


def dress_of(snapshot: Snapshot, facts: PageFacts, text: bytes) -> Dress:
    """Find the style sheets and images of a page among the captures."""
    sheets = _sheets(snapshot, facts, text)
    wanted = [address for sheet in sheets for address in _absolute(css_addresses(sheet.text), sheet.base)]
    wanted += _absolute(_named_by(facts), facts.base)
    images = _images(snapshot, wanted)
    pieces = [f":root{{{''.join(f'{_variable(url)}:url({image});' for url, image in images.items())}}}"]
    for sheet in sheets:
        content = harmless_css(sheet.text, image=partial(_css_value, base=sheet.base, images=images))
        media = harmless_css(sheet.media)
        is_plain = bool(re.fullmatch(r"[\w\s,:().-]+", media)) and media.count("(") == media.count(")")
        pieces.append(f"@media {media} {{{content}}}" if is_plain else content)
    return Dress("\n".join(pieces), images, facts.base)


def _css_value(address: str, base: str, images: Mapping[str, str]) -> str:
    if _DATA.fullmatch(address):
        return f'url("{address}")'
    url = normalise(address, base)
    return f"var({_variable(url)})" if url in images else ""


def _variable(url: str | None) -> str:
    return f"--ss-image-{url_id(url or '') & (2**64 - 1):x}"


def _named_by(facts: PageFacts) -> list[str]:
    """Return the addresses of the images in a page's markup."""
    dom = facts.dom
    named = [dom.attribute(node, "src") or "" for node in dom.find("img")]
    for node in dom.having("style", 0, len(dom)):
        named += css_addresses(dom.attribute(node, "style") or "")
    return [address for address in named if address]


def _absolute(addresses: Iterable[str], base: str) -> list[str]:
    return [url for address in addresses if (url := normalise(address, base)) is not None]


def _sheets(snapshot: Snapshot, facts: PageFacts, text: bytes) -> list[_Sheet]:
    """Return the sheets that count, each after those that it imports."""
    found = style_sheets(text, facts.base)[:MAX_SHEETS]
    known = _texts(snapshot, [sheet.url for sheet in found if sheet.url is not None])
    sheets = []
    for one in found:
        content = one.text if one.url is None else known.get(one.url)
        if content is not None:
            sheets.append(_Sheet(content, one.url or facts.base, one.media))
    for _ in range(MAX_IMPORTS):
        imports = [_imports(sheet) for sheet in sheets]
        new = [url for some in imports for url, _ in some if url not in known]
        if not new:
            break
        known |= dict.fromkeys(new, "") | _texts(snapshot, new)
        sheets = [
            each
            for sheet, some in zip(sheets, imports, strict=True)
            for each in (
                *(_Sheet(known[url], url, media or sheet.media) for url, media in some if url in new and known[url]),
                sheet,
            )
        ][:MAX_SHEETS]
    size = 0
    kept = []
    for sheet in sheets:
        size += len(sheet.text)
        if size <= MAX_STYLE:
            kept.append(sheet)
    return kept


def screen_sheets(snapshot: Snapshot, facts: PageFacts, text: bytes) -> list[str]:
    """Return the texts of the sheets that count on screens, for what they set off."""
    return [sheet.text for sheet in _sheets(snapshot, facts, text) if is_for_screens(sheet.media)]


def _imports(sheet: _Sheet) -> list[tuple[str, str]]:
    found = ((normalise(match[1], sheet.base), match[2].strip()) for match in _IMPORTS.finditer(sheet.text))
    return [(url, media) for url, media in found if url is not None][:MAX_SHEETS]


def _texts(snapshot: Snapshot, urls: Sequence[str]) -> dict[str, str]:
    return {
        url: body.decode("utf-8-sig", "replace") for url, _, body in _captured(snapshot, urls[:MAX_SHEETS], MAX_STYLE)
    }


def _images(snapshot: Snapshot, urls: Sequence[str]) -> dict[str, str]:
    images: dict[str, str] = {}
    size = 0
    times = Counter(urls)
    for url, kind, body in _captured(snapshot, list(times)[:MAX_IMAGES], MAX_IMAGE, IMAGE_TYPES):
        size += len(body) * times[url]  # an image of the page's markup is written wherever it is shown
        if size <= MAX_PICTURES:
            images[url] = f"data:{kind};base64,{base64.b64encode(body).decode()}"
    return images


def _captured(
    snapshot: Snapshot, urls: Sequence[str], size: int, kinds: Iterable[str] = ()
) -> Iterable[tuple[str, str, bytes]]:
    """Yield address, media type and body of what was captured under some addresses."""
    if not urls or not snapshot.has("captures"):
        return
    by_id = {url_id(url): url for url in urls}
    with snapshot.asking() as cursor:
        rows = cursor.sql(_CAPTURES, params=[list(by_id), size]).to_arrow_table()
    if kinds:
        rows = rows.filter(pc.is_in(rows["media_type"], value_set=pa.array(sorted(kinds))))
    for capture, body in read_captures(snapshot, rows):
        yield by_id[capture.url_id], capture.media_type, body
