"""Pieces of HTML in which crawled text is text: everything a page may have said goes through `escaped`."""

from collections.abc import Iterable, Sequence

from sitestrata.export.escape import html_text, iri

__all__ = ["Markup", "address", "bar", "escaped", "isolated", "shortened", "table", "thousands"]

SHOWN_ADDRESS = 80  # characters of an address that are shown; the link has all of them
SHOWN_TEXT = 300  # characters of any other text


class Markup(str):
    """HTML of our own making, which is not escaped again."""

    __slots__ = ()


def escaped(value: object) -> str:
    """Return text that is text, whatever it contains."""
    return html_text(value)


def shortened(value: object, limit: int = SHOWN_TEXT) -> str:
    """Return a text of bounded length, white space folded."""
    text = " ".join(str(value).split())
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "…"


def isolated(value: object, limit: int = SHOWN_TEXT) -> Markup:
    """Return crawled text as HTML that cannot reorder what stands around it."""
    return Markup(f"<bdi>{escaped(shortened(value, limit))}</bdi>")


def address(url: str) -> Markup:
    """Return an address as a link, shown without its scheme; what is no web address is not linked."""
    shown = escaped(shortened(url.partition("://")[2] or url, SHOWN_ADDRESS))
    if not url.startswith(("http://", "https://")):
        return Markup(f"<bdi>{shown}</bdi>")
    return Markup(f'<a href="{escaped(iri(url))}" rel="noreferrer nofollow"><bdi>{shown}</bdi></a>')


def bar(share: float, text: str) -> Markup:
    """Return a text with a bar of its value, from 0 to 1, behind it."""
    width = round(100 * min(max(share, 0.0), 1.0))
    return Markup(f'<span class="bar" style="--share:{width}%">{escaped(text)}</span>')


def thousands(count: float) -> str:
    """Return a number as people read it."""
    return f"{count:,}"


def table(columns: Sequence[str], rows: Iterable[Sequence[object]], *, caption: str = "") -> Markup:
    """Return an HTML table, or nothing for no rows; numbers are set right."""
    cells = [list(row) for row in rows]
    if not cells:
        return Markup("")
    numeric = [all(_is_number(row[place]) or row[place] is None for row in cells) for place in range(len(columns))]
    head = "".join(
        f'<th scope="col"{_number(is_number)}>{escaped(column)}</th>'
        for column, is_number in zip(columns, numeric, strict=True)
    )
    lines = "\n".join("<tr>" + "".join(_cell(value) for value in row) + "</tr>" for row in cells)
    title = f"<caption>{escaped(caption)}</caption>" if caption else ""
    return Markup(
        f'<div class="wide"><table>{title}<thead><tr>{head}</tr></thead>\n<tbody>\n{lines}\n</tbody></table></div>'
    )


def _cell(value: object) -> str:
    if isinstance(value, Markup):
        return f"<td>{value}</td>"
    if _is_number(value):
        return f'<td class="number">{value:,}</td>'
    return f"<td>{isolated('' if value is None else value)}</td>"


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _number(is_number: bool) -> str:
    return ' class="number"' if is_number else ""
