"""What gold and an answer are made of: the same plain records for both, so that either can be scored against the other.

A `Facts` holds what one source says about a collection: gold files say what is true, a workspace or another tool's file
says what was found. Every part is optional; a task is scored where both sides have its part. URLs are as the source
writes them; `sitestrata.evaluate.matching` brings them together.
"""

from dataclasses import dataclass, field, fields
from typing import Any

import pyarrow as pa

__all__ = [
    "PAGE_COLUMNS",
    "AttributeFact",
    "CompoundFact",
    "ConceptFact",
    "CutFact",
    "Facts",
    "InstanceFact",
    "IsAFact",
    "ItemFact",
    "LabelNode",
    "MenuFact",
    "PageSetFact",
    "PairFact",
    "SiteFact",
    "TableFact",
    "TaxonomyFact",
    "TreeFact",
    "combine",
]

# Columns a table of pages may have; `url` and at least one other are there. All are text but the confidence;
# `trail` is the breadcrumb as a reader sees it.
PAGE_COLUMNS = ("url", "canonical", "site", "subsite", "own_site", "parent", "title", "trail", "confidence")


@dataclass(frozen=True, slots=True)
class ItemFact:
    """One item of a menu."""

    label: str
    url: str | None


@dataclass(frozen=True, slots=True)
class SiteFact:
    """One site: where it begins and its main menu."""

    site: str
    entry: str | None
    main_menu: tuple[ItemFact, ...]
    kind: str = ""  # of the main menu: global, partial, index-only, frames, none
    name: str = ""


@dataclass(frozen=True, slots=True)
class MenuFact:
    """One menu of any role."""

    menu: str
    site: str | None
    role: str
    items: tuple[ItemFact, ...]
    # (page, target) as shown, targets other than the page itself: of menus whose items differ from page to page
    shown: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class CompoundFact:
    """Pages that are the parts of one document."""

    pages: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LabelNode:
    """A label and what stands under it."""

    label: str
    url: str | None = None
    children: tuple["LabelNode", ...] = ()
    is_certain: bool = True


@dataclass(frozen=True, slots=True)
class TreeFact:
    """A tree about one address: the label hierarchy of a page, or the contents of the site that is entered there."""

    url: str
    roots: tuple[LabelNode, ...]


@dataclass(frozen=True, slots=True)
class CutFact:
    """Where one page is cut into segments: each cut is the number of the first leaf behind it."""

    url: str
    leaves: tuple[str, ...]
    cuts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class TableFact:
    """One table of a page."""

    url: str
    index: int  # among all tables of the page, in document order
    is_data: bool
    orientations: tuple[str, ...] = ()  # all that are acceptable; empty = not judged
    header_cells: tuple[tuple[int, int], ...] | None = None  # None = not judged
    kind: str = ""


@dataclass(frozen=True, slots=True)
class ConceptFact:
    """A concept and the labels that sites print for it."""

    concept: str
    labels: tuple[str, ...]
    alike: int | None = None  # sites that print one and the same of these labels, where gold says so


@dataclass(frozen=True, slots=True)
class IsAFact:
    """A broader and a narrower concept."""

    parent: str
    child: str
    is_observed: bool = True  # False: right if found, but no page shows it, so it need not be found
    is_facet: bool = False  # seen in both directions; such pairs imply no others


@dataclass(frozen=True, slots=True)
class TaxonomyFact:
    """The concepts of one domain and how they nest."""

    domain: str
    concepts: tuple[ConceptFact, ...]
    is_a: tuple[IsAFact, ...]
    sites: int | None = None  # that print its concepts, where gold says so: one alone overlaps with nothing


@dataclass(frozen=True, slots=True)
class AttributeFact:
    """A value with the labels under which it may appear; none where the page prints no label."""

    value: str
    labels: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class InstanceFact:
    """A record on a page."""

    page: str
    name: str | None  # None: the page's only record, whose name is not judged
    url: str | None = None
    concept: str | None = None
    attributes: tuple[AttributeFact, ...] = ()
    is_complete: bool = True  # False: attributes beyond those listed may be right too
    is_certain: bool = True  # False: it counts neither if it is found nor if it is not


@dataclass(frozen=True, slots=True)
class PageSetFact:
    """The pages of the one site that seeds belong to, as the flow method finds it."""

    seeds: tuple[str, ...]
    pages: tuple[str, ...]
    alternatives: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class PairFact:
    """Two pages of which a person said whether they belong to one site; None if the person could not tell."""

    first: str
    second: str
    same: bool | None


@dataclass(frozen=True, slots=True)
class Facts:
    """What one source says; empty parts say nothing."""

    name: str
    pages: pa.Table | None = None  # some of PAGE_COLUMNS
    aliases: dict[str, str] = field(default_factory=dict)  # address -> address of the page it stands for
    sites: tuple[SiteFact, ...] = ()
    menus: tuple[MenuFact, ...] = ()
    compounds: tuple[CompoundFact, ...] = ()
    contents: tuple[TreeFact, ...] = ()  # of sites, page by page
    trees: tuple[TreeFact, ...] = ()  # of labels, within a page
    cuts: tuple[CutFact, ...] = ()
    tables: tuple[TableFact, ...] = ()
    taxonomies: tuple[TaxonomyFact, ...] = ()
    instances: tuple[InstanceFact, ...] = ()
    page_sets: tuple[PageSetFact, ...] = ()
    pairs: tuple[PairFact, ...] = ()

    def parts(self) -> list[str]:
        """Name the parts that say something."""
        return [part.name for part in fields(self) if part.name != "name" and _says(getattr(self, part.name))]


def combine(facts: list[Facts], *, name: str | None = None) -> Facts:
    """Join what several files of one source say."""
    if not facts:
        return Facts(name or "nothing")
    tables = [fact.pages for fact in facts if fact.pages is not None]
    merged: dict[str, Any] = {
        part.name: tuple(row for fact in facts for row in getattr(fact, part.name))
        for part in fields(Facts)
        if part.name not in ("name", "pages", "aliases")
    }
    return Facts(
        name or ", ".join(dict.fromkeys(fact.name for fact in facts)),
        pages=pa.concat_tables(tables, promote_options="default") if tables else None,
        aliases={url: target for fact in facts for url, target in fact.aliases.items()},
        **merged,
    )


def _says(part: object) -> bool:
    return part is not None and (not hasattr(part, "__len__") or len(part) > 0)
