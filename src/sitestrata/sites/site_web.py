"""Tables of one site -> its pages and their links as columns, the form in which its hierarchy is found.

A page is a row: the representative of all the addresses that stand for it. Links keep their document order, their DOM
path and their label, because that is what menus, contents lists and breadcrumbs are recognised by. Ids are taken out of
the paths, and so are classes of single pages (`page_names`): what stands at the same place on two pages should look
alike.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from sitestrata.graph.link_graph import positions_of
from sitestrata.sites.page_names import PageNames, find_page_names, without_names

__all__ = ["SiteLinks", "SiteWeb", "tables_to_site"]

Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]

_ID_OF_STEP = r"#[^./]*"


@dataclass(frozen=True, slots=True)
class SiteLinks:
    """The edges out of the pages of a site, page by page in document order."""

    page: Ints  # row of the page it stands on
    ordinal: Ints
    target: Ints  # row of the page it leads to; -1 = a page that is not of this site, or not captured
    target_id: Ints  # page_id of the target, known or not
    path: Ints  # number of its DOM path without ids
    label: Ints  # number of its label
    node: Ints
    gap: Ints  # bytes of text between the link before and this one
    container: Ints  # number of the DOM path of its segment, without ids; -1 = none
    segment: Ints
    has_fragment: Flags  # leads to a place in a page
    in_head: Flags  # a <link> of the head: no place on the page
    is_frame: Flags  # shows its target inside the page
    is_up: Flags  # declared by rel=up, or the page sends people on to it by itself
    is_picture: Flags  # its label is the text of a picture

    def __len__(self) -> int:
        """Return the number of links."""
        return len(self.page)


@dataclass(frozen=True, slots=True)
class SiteWeb:
    """One site: row ``i`` is page ``page_id[i]``."""

    page_id: Ints  # sorted
    size: int  # pages of the whole site, of which these may be a part
    entry: int  # row of the entry page
    url: list[str]
    title: list[str]
    heading: list[str]
    language: list[str]  # as declared, "" where it is not
    links: SiteLinks
    paths: list[str]
    labels: list[str]
    crumb_page: Ints  # declared breadcrumbs, step by step: row of the page that shows it ...
    crumb_target: Ints  # ... row of the page the step leads to, -1 = unknown or none ...
    crumb_label: list[str]

    def __len__(self) -> int:
        """Return the number of pages."""
        return len(self.page_id)


def tables_to_site(tables: Mapping[str, pa.Table], entry: int) -> SiteWeb:
    """Gather the rows of one site (``pages``, ``links``, ``aliases`` of its pages) around its entry page."""
    aliases = tables["aliases"].sort_by("url_id")
    address, stands_for = _integers(aliases, "url_id"), _integers(aliases, "page_id")
    pages = tables["pages"].sort_by("url_id")
    capture = _integers(pages, "url_id")
    place, known = positions_of(address, capture)
    page_of_capture = np.where(known, stands_for[place], capture) if len(address) else capture
    # The capture under the page's own address stands for the page, else the first by id.
    order = np.lexsort((capture, capture != page_of_capture, page_of_capture))
    page_id, first = np.unique(page_of_capture[order], return_index=True)
    chosen = order[first]
    rows = pages.take(pa.array(chosen))
    canonical = dict(zip(stands_for.tolist(), aliases["canonical"].to_pylist(), strict=True))
    own_url: list[str] = rows["url"].to_pylist()
    at, is_there = positions_of(page_id, [entry])
    crumb_page, crumb_target, crumb_label = _crumbs(rows, aliases, page_id)
    links, paths, labels = _links(tables, capture[chosen], page_id, address, stands_for)
    return SiteWeb(
        page_id=page_id,
        size=len(page_id),
        entry=int(at[0]) if is_there[0] else 0,
        url=[canonical.get(page, url) for page, url in zip(page_id.tolist(), own_url, strict=True)],
        title=[" ".join((text or "").split()) for text in rows["title"].to_pylist()],
        heading=[" ".join((text or "").split()) for text in rows["heading"].to_pylist()],
        language=[text or "" for text in rows["language"].to_pylist()],
        links=links,
        paths=paths,
        labels=labels,
        crumb_page=crumb_page,
        crumb_target=crumb_target,
        crumb_label=crumb_label,
    )


def _links(
    tables: Mapping[str, pa.Table], capture: Ints, page_id: Ints, address: Ints, stands_for: Ints
) -> tuple[SiteLinks, list[str], list[str]]:
    links = tables["links"]
    by_capture = np.argsort(capture, kind="stable")
    place, is_chosen = positions_of(capture[by_capture], _integers(links, "page"))
    row = by_capture[place] if len(by_capture) else place
    kept = np.flatnonzero(is_chosen)
    order = kept[np.lexsort((_integers(links, "ordinal")[kept], row[kept]))]
    links, row = links.take(pa.array(order)), row[order]
    target_id = _integers(links, "target")
    place, has_alias = positions_of(address, target_id)
    if len(address):
        target_id = np.where(has_alias, stands_for[place], target_id)
    place, is_here = positions_of(page_id, target_id)
    path, paths = _numbered(pc.replace_substring_regex(_distinct(links, "path"), _ID_OF_STEP, ""), links, "path")
    names = find_page_names(paths, path, row)
    if names:
        path, paths = _renumbered(path, [without_names(text, names) for text in paths])
    label, labels = _numbered(pc.utf8_trim_whitespace(_distinct(links, "label")), links, "label")
    kind = _codes(links, "kind", "link")
    return (
        SiteLinks(
            page=row,
            ordinal=_integers(links, "ordinal"),
            target=np.where(is_here, place, -1),
            target_id=target_id,
            path=path,
            label=label,
            node=_integers(links, "node"),
            gap=_integers(links, "gap"),
            container=_containers(links, tables["segments"], names),
            segment=_integers(links, "segment"),
            has_fragment=pc.is_valid(links.column("fragment")).to_numpy(),
            in_head=kind,
            is_frame=_codes(links, "kind", "frame") | _codes(links, "kind", "iframe"),
            is_up=_has_word(links, "rel", "up") | _codes(links, "kind", "refresh"),
            is_picture=_codes(links, "label_source", "alt"),
        ),
        paths,
        labels,
    )


def _containers(links: pa.Table, segments: pa.Table, names: PageNames) -> Ints:
    """Number the DOM paths of the segments in which links stand."""
    path, paths = _numbered(pc.replace_substring_regex(_distinct(segments, "path"), _ID_OF_STEP, ""), segments, "path")
    if names:
        path, _ = _renumbered(path, [without_names(text, names) for text in paths])
    page, ordinal = _integers(segments, "page"), _integers(segments, "ordinal")
    order = np.lexsort((ordinal, page))
    pages, first = np.unique(page[order], return_index=True)
    place, known = positions_of(pages, _integers(links, "page"))
    segment = _integers(links, "segment")
    if not len(pages):
        return np.full(len(links), -1, np.int64)
    # Segments are numbered on their page from 0 on, so the place of one is known from the place of the first.
    at = np.minimum(first[place] + segment, len(order) - 1)
    return np.where(known & (segment >= 0), path[order][at], -1)


def _crumbs(rows: pa.Table, aliases: pa.Table, page_id: Ints) -> tuple[Ints, Ints, list[str]]:
    row_of = dict(zip(page_id.tolist(), range(len(page_id)), strict=True))
    page_of_url: dict[str, int] = {}
    pages: list[int] = []
    targets: list[int] = []
    labels: list[str] = []
    for row, trail in enumerate(rows["breadcrumb"].to_pylist()):
        if trail and not page_of_url:
            page_of_url = dict(zip(aliases["url"].to_pylist(), aliases["page_id"].to_pylist(), strict=True))
        for step in trail or ():
            pages.append(row)
            targets.append(row_of.get(page_of_url.get(step["url"] or "", 0), -1))
            labels.append(step["label"])
    return np.array(pages, np.int64), np.array(targets, np.int64), labels


def _integers(table: pa.Table, column: str) -> Ints:
    return table.column(column).to_numpy().astype(np.int64, copy=False)  # type: ignore[no-any-return]


def _encoded(table: pa.Table, column: str) -> pa.DictionaryArray:
    encoded = pc.dictionary_encode(table.column(column).combine_chunks())
    if isinstance(encoded, pa.ChunkedArray):
        encoded = encoded.combine_chunks()
    return encoded


def _distinct(table: pa.Table, column: str) -> pa.Array:
    return _encoded(table, column).dictionary


def _numbered(names: pa.Array, table: pa.Table, column: str) -> tuple[Ints, list[str]]:
    """Number the values of a column by the sorted distinct names that its distinct values have."""
    codes = _encoded(table, column).indices.to_numpy().astype(np.int64)
    values: list[str] = names.to_pylist()
    distinct = sorted(set(values))
    number = {name: place for place, name in enumerate(distinct)}
    return np.array([number[name] for name in values], np.int64)[codes] if values else codes, distinct


def _renumbered(number: Ints, names: list[str]) -> tuple[Ints, list[str]]:
    """Number anew what has other names now, some of them the same."""
    distinct = sorted(set(names))
    place = {name: number for number, name in enumerate(distinct)}
    return np.array([place[name] for name in names], np.int64)[number], distinct


def _codes(table: pa.Table, column: str, value: str) -> Flags:
    return pc.equal(table.column(column), value).to_numpy()  # type: ignore[no-any-return]


def _has_word(table: pa.Table, column: str, word: str) -> Flags:
    found = pc.match_substring_regex(pc.fill_null(table.column(column), ""), rf"(^|\s){word}(\s|$)", ignore_case=True)
    return found.to_numpy()  # type: ignore[no-any-return]
