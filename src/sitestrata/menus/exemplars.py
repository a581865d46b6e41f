"""A few pages looked at closely: which strands form one menu on pages that stand for their template."""

from collections.abc import Callable
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from sitestrata._kernels import load
from sitestrata.graph.link_graph import positions_of
from sitestrata.graph.numbering import distinct, number_keys
from sitestrata.menus.assemble import MIN_PAGES
from sitestrata.menus.containers import PageLinks, PageSegments, join_strands
from sitestrata.menus.repeats import Strands
from sitestrata.menus.web import MenuWeb, rows_of_pages, text_buffers
from sitestrata.model import TableReader

__all__ = ["group_strands"]

_kernel = load("texts")
Ints32 = NDArray[np.int32]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]


def group_strands(reader: TableReader, web: MenuWeb, strands: Strands, ignored: Bools) -> list[frozenset[int]]:
    """Return the sets of strands that form one menu, as the first page of each strand shows them.

    ``ignored`` marks links of the web that are accounted for otherwise (breadcrumbs, pagers).
    """
    strand_of = np.full(len(web.page), -1, np.int64)
    strand_of[strands.links] = strands.strand[strands.entry]
    # The page that an entry leads to may show it without a link, so two pages may be three.
    counts = np.zeros(len(web.page), np.bool_)
    counts[strands.links] = True
    counts &= ~ignored
    is_live = (strands.strand_pages >= MIN_PAGES - 1) & (
        np.bincount(strand_of[counts], minlength=strands.strand_count) > 0
    )
    entries = np.bincount(strands.strand, minlength=strands.strand_count)
    is_chosen = is_live & ((entries > 1) | (strands.strand_pages >= MIN_PAGES))
    exemplar = _exemplar_of(web, strands, strand_of, is_chosen)
    is_wanted = np.zeros(web.page_count, np.bool_)
    is_wanted[exemplar[is_chosen]] = True
    rows = np.flatnonzero(is_wanted[web.page] & counts)
    segments = np.flatnonzero(is_wanted[web.segment_page])
    strand = np.where(is_live[strand_of[rows]], strand_of[rows], -1)
    page = web.page[rows].astype(np.int64)
    width = max(strands.strand_count, 1)
    cells = distinct((page * width + strand)[strand >= 0])
    here = np.where(strand >= 0, np.searchsorted(cells, page * width + strand), -1)
    steps = _Steps(reader, web, is_wanted)
    own_step, step = steps.read("segments", segments, web.segment_depth[segments] - 1, _depth_above(web, segments))
    made = PageSegments(_places(segments, web.segment_parent[segments]), own_step, step)
    links = PageLinks(
        segment=np.searchsorted(segments, web.segment[rows]),
        step=steps.read("links", rows, web.segment_depth[web.segment[rows]])[0],
        strand=here,
        pages=strands.strand_pages[np.maximum(strand, 0)],
        home_share=strands.home_share[np.maximum(strand, 0)],
    )
    menu = join_strands(made, links, steps.texts)
    # Of each menu that holds a strand for which this page was chosen, the strands.
    is_its = np.zeros(len(cells), np.bool_)
    is_its[menu[exemplar[cells % width] == cells // width]] = True
    kept = np.flatnonzero(is_its[menu])
    kept = kept[np.argsort(menu[kept], kind="stable")]
    begin = np.flatnonzero(np.diff(menu[kept], prepend=-1)).tolist()
    numbers = (cells % width)[kept].tolist()
    groups = {tuple(numbers[first:end]) for first, end in pairwise([*begin, len(numbers)])}
    return [frozenset(group) for group in sorted(groups)]


def _places(chosen: Ints, rows: Ints32) -> Ints32:
    """Return where rows stand among the chosen ones; -1 stays."""
    return np.where(rows >= 0, np.searchsorted(chosen, rows), -1).astype(np.int32)


def _depth_above(web: MenuWeb, segments: Ints) -> Ints32:
    """Return how many steps the paths of segments have in common with what they stand in."""
    above = web.segment_parent[segments]
    return np.where(above >= 0, web.segment_depth[np.maximum(above, 0)], 0).astype(np.int32)


def _exemplar_of(web: MenuWeb, strands: Strands, strand_of: Ints, is_chosen: Bools) -> Ints:
    """Return the page on which each chosen strand is looked at: few pages show all of them, rare ones first."""
    exemplar = np.full(strands.strand_count, -1, np.int64)
    chosen = np.flatnonzero(is_chosen)
    begin = np.searchsorted(web.page, np.arange(web.page_count + 1))
    for number in chosen[np.argsort(strands.strand_pages[chosen], kind="stable")].tolist():
        if exemplar[number] < 0:
            page = strands.first_page[number]
            here = strand_of[begin[page] : begin[page + 1]]
            here = here[here >= 0]
            exemplar[here[is_chosen[here] & (exemplar[here] < 0)]] = page
    return exemplar


class _Steps:
    """Single steps of the DOM paths of some pages, each text once; no path is kept."""

    def __init__(self, reader: TableReader, web: MenuWeb, is_wanted: Bools) -> None:
        pages = np.flatnonzero(is_wanted)
        order = np.argsort(web.capture[pages])
        self._reader = reader
        self._page = pages[order]
        self._capture = web.capture[pages][order]
        self._place: dict[str, Callable[[Ints], tuple[Ints32, Ints32]]] = {
            "segments": lambda rows: (web.segment_page[rows], web.segment_ordinal[rows]),
            "links": lambda rows: (web.page[rows], web.ordinal[rows]),
        }
        self._known: dict[int, int] = {0: 0}
        self.texts = [""]

    def read(self, table: str, rows: Ints, *depths: Ints32) -> list[Ints]:
        """Return for each depth and row of the web the place in ``texts`` of the step of its path behind ``depth``."""
        page, ordinal = self._place[table](rows)
        width = int(ordinal.max(initial=0)) + 1
        keys = page.astype(np.int64) * width + ordinal
        found = [np.zeros(len(rows), np.int64) for _ in depths]
        for batch in self._reader.batches(table, ["page", "ordinal", "path"]):
            some, at = rows_of_pages(self._capture, batch["page"])
            number = np.asarray(batch["ordinal"], dtype=np.int64)[some]
            place, is_row = positions_of(keys, self._page[at] * width + number)
            is_row &= number < width
            some, place = some[is_row], place[is_row]
            if len(some):
                buffers = text_buffers(batch["path"])
                for column, depth in zip(found, depths, strict=True):
                    column[place] = self._number(*buffers, some, depth[place])
        return found

    def _number(self, offsets: Ints32, data: NDArray[np.uint8], rows: Ints, depth: Ints32) -> Ints:
        hashes, bounds = _kernel.hash_steps(offsets, data, rows, depth)
        which, first = number_keys(hashes)
        places = np.empty(len(first), np.int64)
        for k, (value, row) in enumerate(zip(hashes[first].tolist(), first.tolist(), strict=True)):
            if value not in self._known:
                self._known[value] = len(self.texts)
                self.texts.append(data[bounds[0, row] : bounds[1, row]].tobytes().decode())
            places[k] = self._known[value]
        return places[which]
