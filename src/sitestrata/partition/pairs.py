"""The label hierarchy of a page -> its label-value pairs, each with what it is said of: the page, or another thing.

What stands under a label is its value, unless it is a head itself (a heading, a term, bold, before a colon, a header of
a table) and stands over something; an actor over a role is a value. What stands over the label are sections.
A page also says things of others: under a link to a page of its own kind ("You may also like"), and in the rows of a
table that holds several records. Such pairs are true, but said of those.

Paper: OntoMiner 6.3 (which labels values of one page by the promoted labels over them)
"""

from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urlsplit

from sitestrata.page import PageFacts
from sitestrata.partition.labels import label_forest
from sitestrata.partition.lines import COLON, Label
from sitestrata.partition.styles import with_styles
from sitestrata.partition.tables import data_grids
from sitestrata.partition.tables.grids import Grid
from sitestrata.partition.tables.headers import Headers

__all__ = ["LabelValue", "find_pairs", "is_page_alike"]

TOP, LEFT = "top", "left"


@dataclass(frozen=True, slots=True)
class LabelValue:
    """A label and its value."""

    sections: tuple[str, ...]  # labels over the label, outermost first
    label: str
    value: str
    subject: str | None  # what it is said of; None = what the page is about, "" = a row without a name


def find_pairs(facts: PageFacts) -> Iterator[LabelValue]:
    """Yield the label-value pairs of a page in document order."""
    tables = [
        (grid.node, int(facts.dom.end[grid.node]), _several_records(grid, headers))
        for grid, headers in data_grids(facts)
    ]
    stack: list[tuple[Label, tuple[str, ...], str | None]] = [
        (label, (), None) for label in reversed(label_forest(with_styles(facts)))
    ]
    while stack:
        label, above, subject = stack.pop()
        is_head = bool(label.children)
        around = [several for start, end, several in tables if start <= label.node < end][-1:] if is_head else []
        if above and label.text and not (is_head and (label.rank <= COLON or around)):
            yield LabelValue(above[:-1], above[-1], label.text, subject)
        is_thing = (
            label.is_link and any(child.children for child in label.children) and is_page_alike(label.url, facts.url)
        )
        if is_thing or (subject is None and around == [TOP]):
            subject = label.text
        elif subject is None and around == [LEFT]:
            subject = ""  # a column
        above = (*above, label.text) if label.text else above
        stack += [(child, above, subject) for child in reversed(label.children)]


def _several_records(grid: Grid, headers: Headers) -> str | None:
    """Tell where the headers are of a data table with several records: rows below them, or columns beside them."""
    if headers.top:
        return TOP if sum(role in ("data", "total") for role in headers.roles) > 1 else None
    return LEFT if not headers.again and grid.columns > headers.left + 1 else None


def is_page_alike(url: str | None, page: str) -> bool:
    """Tell whether an address is that of another page in the folder of a page: a thing of the same kind.

    Pages of one query ("overview?car=7", "engine?car=7") are of one thing.
    """
    if not url:
        return False
    other, own = urlsplit(url), urlsplit(page)
    place, own_place = other.path.rstrip("/"), own.path.rstrip("/")
    if other.netloc != own.netloc or (other.query == own.query and (own.query or place == own_place)):
        return False
    return place.rpartition("/")[0] == own_place.rpartition("/")[0]
