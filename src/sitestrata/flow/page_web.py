"""A collection as flow sees it: pages, their addresses and titles, and which targets each page links to.

Targets that were never captured are kept: they are no nodes of a cut, but two pages that link the same ones show the
same navigation. Positions of pages follow the sorted page ids, so nothing depends on the order of the tables.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sitestrata.graph.link_graph import LinkGraph, pairs_to_graph, positions_of
from sitestrata.model import TableReader
from sitestrata.urls import normalise, url_id

__all__ = ["PageWeb", "columns_to_web", "page_graph", "page_of_url", "tables_to_web"]

Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class PageWeb:
    """Pages 0..n-1 and the distinct (page, target) pairs of their links, sorted; a page's link to itself included."""

    ids: Ints
    urls: tuple[str, ...]
    titles: tuple[str, ...]
    indptr: Ints  # of the pairs, by page
    targets: Ints  # positions in target_ids
    target_ids: Ints
    page_of_target: Ints  # -1 where the target was not captured

    @property
    def page_count(self) -> int:
        """Return the number of pages."""
        return len(self.ids)

    def position(self, page_id: int) -> int | None:
        """Return the position of a page id, or None."""
        place, known = positions_of(self.ids, [page_id])
        return int(place[0]) if known[0] else None


def columns_to_web(
    ids: ArrayLike, urls: Sequence[str], source: ArrayLike, target: ArrayLike, *, titles: Sequence[str] | None = None
) -> PageWeb:
    """Build a web from page ids with their addresses and columns of (page, target) ids."""
    page_ids = np.asarray(ids, np.int64)
    order = np.argsort(page_ids, kind="stable")
    page_ids = page_ids[order]
    ordered_urls = tuple(urls[i] for i in order.tolist())
    ordered_titles = tuple(titles[i] for i in order.tolist()) if titles is not None else ("",) * len(urls)
    u, known = positions_of(page_ids, source)
    heads = np.asarray(target, np.int64)[known]
    target_ids, t = np.unique(heads, return_inverse=True)
    keys = np.unique(u[known] * max(len(target_ids), 1) + t)
    rows = keys // max(len(target_ids), 1)
    indptr = np.zeros(len(page_ids) + 1, np.int64)
    np.cumsum(np.bincount(rows, minlength=len(page_ids)), out=indptr[1:])
    places, captured = positions_of(page_ids, target_ids)
    return PageWeb(
        page_ids,
        ordered_urls,
        ordered_titles,
        indptr,
        keys - rows * max(len(target_ids), 1),
        target_ids,
        np.where(captured, places, -1).astype(np.int64),
    )


def tables_to_web(reader: TableReader, *, has_aliases: bool) -> PageWeb:
    """Build a web from the tables of a workspace; URLs that stand for one page (``aliases``) become that page."""
    pages = reader.read("pages", ["url_id", "url", "title"])
    links = reader.read("links", ["page", "target"])
    page_ids = pages["url_id"].to_numpy()
    urls: list[str] = pages["url"].to_pylist()
    titles = [title or "" for title in pages["title"].to_pylist()]
    source, target = links["page"].to_numpy(), links["target"].to_numpy()
    if has_aliases:
        aliases = reader.read("aliases", ["url_id", "page_id", "canonical"])
        known = aliases["url_id"].to_numpy()
        order = np.argsort(known, kind="stable")
        known, meant = known[order], aliases["page_id"].to_numpy()[order]
        page_ids, source, target = (_resolve(known, meant, column) for column in (page_ids, source, target))
        # Several captured addresses of one page: the page keeps one row, under its canonical address if captured so.
        names = dict(zip(aliases["page_id"].to_pylist(), aliases["canonical"].to_pylist(), strict=True))
        kept, first = np.unique(page_ids, return_index=True)
        page_ids = kept
        titles = [titles[i] for i in first.tolist()]
        urls = [names.get(page, urls[i]) for page, i in zip(kept.tolist(), first.tolist(), strict=True)]
    return columns_to_web(page_ids, urls, source, target, titles=titles)


def _resolve(known: Ints, meant: Ints, column: Ints) -> Ints:
    places, found = positions_of(known, column)
    return np.where(found, meant[places], column) if len(known) else column


def page_graph(web: PageWeb) -> LinkGraph:
    """Return the directed graph among the pages."""
    rows = np.repeat(np.arange(web.page_count, dtype=np.int64), np.diff(web.indptr))
    heads = web.page_of_target[web.targets]
    inner = heads >= 0
    return pairs_to_graph(web.ids, rows[inner], heads[inner], np.ones(int(inner.sum())))


def page_of_url(reader: TableReader, web: PageWeb, url: str, *, has_aliases: bool) -> int | None:
    """Return the position of the page that an address stands for, or None where it was not captured."""
    normal = normalise(url)
    if normal is None:
        return None
    wanted = url_id(normal)
    if has_aliases:
        aliases = reader.read("aliases", ["url_id", "page_id"])
        meant = aliases["page_id"].to_numpy()[aliases["url_id"].to_numpy() == wanted]
        wanted = int(meant[0]) if len(meant) else wanted
    return web.position(wanted)
