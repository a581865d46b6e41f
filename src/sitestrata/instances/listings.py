"""A page -> its listings: regions in which records are repeated, each record with its name, address and values.

The children of one element are cut into records where a tag that recurs begins (or, like a line break, ends) one:
``li`` by ``li``, ``dt`` with its ``dd``, a heading with what follows, a link with the text behind it. A cut makes a
listing if the records look alike (same tags inside) and each has something to be called by. Choosing the one right
region of a page is the weak step of such methods, so several are kept, the best first.

Paper: OntoMiner 6.1

Difference from the paper: it follows links of a concept page only; records are listed on the concept page itself too.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sitestrata.instances.places import PagePlaces, block_of, element_place
from sitestrata.page import Dom

__all__ = ["MIN_RECORDS", "Listing", "Record", "cut_children", "cut_records", "find_listings"]

MIN_RECORDS = 3
MAX_CHILDREN = 2_000  # of one element
ALIKE = 0.5  # Jaccard of the tags inside a record and of those in most records
LABEL_SHARE = 0.5  # of the records: a text that so many print is a label, or decoration
MAX_NAME = 200  # characters
MAX_REGIONS = 40  # a page
MIN_PROSE = 3  # words in front of a text that is a part of theirs; fewer number or date it
_MARKS = (":", "-", "–", "—", "|", "•", ")", "]")  # that part a text from what follows
_STOPS = (".", "!", "?", "。", "！", "？", "…")  # that end a sentence
_ENDS = frozenset({"br", "hr"})  # tags that end a record; all others begin one
_CHOICES = frozenset({"select", "optgroup", "datalist"})  # of a form: countries, sizes; no records
_CHROME = frozenset({"navigation", "contentinfo", "banner", "search", "form"})


@dataclass(frozen=True, slots=True)
class Record:
    """One record: its leaves by number, the one that names it, and labels with the values behind them."""

    first: int
    end: int
    name: int
    values: tuple[tuple[int | None, int], ...]  # (label, value); the same leaf twice = its address is the value


@dataclass(frozen=True, slots=True)
class Listing:
    """One region of records."""

    node: int
    score: float
    records: tuple[Record, ...]
    heading: int | None  # the leaf in front of the region, if it is emphasised


def find_listings(page: PagePlaces) -> list[Listing]:
    """Return the listings of a page, the best first; none of them lies inside a record of a better one."""
    dom = page.dom
    starts = _first_leaves(page)
    candidates: list[tuple[float, int, list[tuple[int, int]]]] = []
    for node in range(len(dom)):
        lo, hi = int(starts[node]), int(starts[int(dom.end[node])] if int(dom.end[node]) < len(starts) else len(page))
        if hi - lo < MIN_RECORDS or dom.is_text(node) or dom.tag_name(node) in _CHOICES:
            continue
        best = _best_cut(page, node, starts)
        if best is not None:
            candidates.append((best[0], node, best[1]))
    joined = list(_joined(page, candidates))
    rows = _grids(page, joined)
    candidates = [*(item for item in candidates if not _is_rows(item[2], rows)), *joined]
    candidates.sort(key=lambda item: (-item[0], item[1]))
    kept: list[Listing] = []
    taken = np.zeros(len(page), dtype=bool)
    for score, node, cuts in candidates:
        if len(kept) == MAX_REGIONS:
            break
        lo, hi = cuts[0][0], cuts[-1][1]
        if taken[lo:hi].any():
            continue
        records = cut_records(page, cuts)
        if len(records) >= MIN_RECORDS:
            taken[lo:hi] = True
            kept.append(Listing(node, score, tuple(records), _heading(page, lo)))
    return kept


def _joined(
    page: PagePlaces, candidates: Sequence[tuple[float, int, list[tuple[int, int]]]]
) -> Iterator[tuple[float, int, list[tuple[int, int]]]]:
    """Yield regions made of neighbours of one kind with nothing between them: rows of a grid, columns of a list."""
    by_kind: dict[str, list[tuple[float, int, list[tuple[int, int]]]]] = {}
    for candidate in sorted(candidates, key=lambda item: item[1]):
        by_kind.setdefault(element_place(page.dom, candidate[1]), []).append(candidate)
    for some in by_kind.values():
        runs = [[some[0]]]
        for candidate in some[1:]:
            if candidate[2][0][0] == runs[-1][-1][2][-1][1]:
                runs[-1].append(candidate)
            else:
                runs.append([candidate])
        for run in runs:
            if len(run) > 1:
                yield sum(item[0] for item in run), run[0][1], [cut for item in run for cut in item[2]]


def _grids(
    page: PagePlaces, joined: Sequence[tuple[float, int, list[tuple[int, int]]]]
) -> dict[tuple[int, int], frozenset[int]]:
    """Return where the cells of grids begin, by the leaves that a grid covers; each leads somewhere of its own."""
    grids = {}
    for _, _, cuts in joined:
        links = [next((url for url in page.link[lo:hi] if url), None) for lo, hi in cuts]
        if None not in links and len(set(links)) == len(links):
            grids[cuts[0][0], cuts[-1][1]] = frozenset(lo for lo, _ in cuts)
    return grids


def _is_rows(cuts: Sequence[tuple[int, int]], grids: Mapping[tuple[int, int], frozenset[int]]) -> bool:
    """Tell whether records are the rows of a grid, whose cells are the records."""
    cells = grids.get((cuts[0][0], cuts[-1][1]), frozenset())
    return len(cells) > len(cuts) and cells.issuperset(lo for lo, _ in cuts)


def _first_leaves(page: PagePlaces) -> npt.NDArray[np.int64]:
    """Return for each node the number of leaves before it."""
    return np.searchsorted(page.node, np.arange(len(page.dom) + 1), side="left")


def _best_cut(page: PagePlaces, node: int, starts: npt.NDArray[np.int64]) -> tuple[float, list[tuple[int, int]]] | None:
    dom = page.dom
    children = list(dom.children(node))[:MAX_CHILDREN]
    if len(children) < MIN_RECORDS:
        return None
    names = ["" if dom.is_text(child) else dom.tag_name(child) for child in children]
    best: tuple[float, list[tuple[int, int]]] | None = None
    for tag, times in sorted(Counter(name for name in names if name).items()):
        if times < MIN_RECORDS:
            continue
        chunks = list(_chunks(names, tag))
        scored = _score(page, starts, [[children[i] for i in chunk] for chunk in chunks])
        if scored is not None and (best is None or scored[0] > best[0]):
            best = scored
    return best


def _chunks(names: Sequence[str], tag: str) -> Iterator[list[int]]:
    """Cut the children of an element where ``tag`` begins a record, or ends one."""
    chunk: list[int] = []
    is_open = tag in _ENDS
    for index, name in enumerate(names):
        if name == tag:
            if chunk:
                yield chunk
            chunk = [] if tag in _ENDS else [index]
            is_open = True
        elif is_open:
            chunk.append(index)
    if chunk:
        yield chunk


def _score(
    page: PagePlaces, starts: npt.NDArray[np.int64], chunks: list[list[int]]
) -> tuple[float, list[tuple[int, int]]] | None:
    """Rate a cut: how many records look alike, have a name, and say more than their name."""
    dom = page.dom
    cuts, shapes = [], []
    for chunk in chunks:
        lo, hi = int(starts[chunk[0]]), int(starts[int(dom.end[chunk[-1]])])
        if lo < hi:
            cuts.append((lo, hi))
            shapes.append(frozenset(_shape(dom, chunk)))
    if len(cuts) < MIN_RECORDS:
        return None
    usual = Counter(tag for shape in shapes for tag in shape)
    core = frozenset(tag for tag, times in usual.items() if 2 * times >= len(shapes))
    alike = [len(shape & core) / len(shape | core) if shape | core else 0.0 for shape in shapes]
    good = [(cut, likeness) for cut, likeness in zip(cuts, alike, strict=True) if likeness >= ALIKE]
    if len(good) < MIN_RECORDS or 2 * len(good) < len(cuts):
        return None
    kept = [cut for cut, _ in good]
    printed = _printed(page, kept)
    names = [name for lo, hi in kept if (name := _name_leaf(page, lo, hi, printed, len(kept))) is not None]
    share = len(names) / len(kept)
    if share < ALIKE:
        return None
    length = np.array([sum(len(page.texts[leaf]) for leaf in range(lo, hi)) for lo, hi in kept])
    leaves = np.array([hi - lo for lo, hi in kept])
    # A list of bare labels is a menu: what else its members say counts more than how many they are.
    extra = float(np.mean(leaves > 1))
    chrome = np.mean([page.landmark[lo] in _CHROME for lo, _ in kept])
    linked = float(np.mean([page.link[name] is not None for name in names]))
    text = float(np.sum(np.minimum(length, MAX_NAME)))
    score = text * float(np.mean([likeness for _, likeness in good])) * share * (0.4 + 0.6 * extra) * (1 - 0.7 * chrome)
    # Headings that lead nowhere are mostly sections of the page itself.
    return float(score * (0.3 + 0.7 * linked)), kept


def _shape(dom: Dom, chunk: Sequence[int]) -> Iterator[str]:
    """Yield the tags of a record with the tag above each, as far as they make its look."""
    for node in chunk:
        top = int(dom.parent[node])
        for at in range(node, int(dom.end[node])):
            if not dom.is_text(at):
                parent = int(dom.parent[at])
                yield f"{dom.tag_name(parent) if parent != top else ''}/{dom.tag_name(at)}"


def _name_leaf(page: PagePlaces, lo: int, hi: int, printed: Counter[str], times: int) -> int | None:
    """Return the leaf that names a record: a heading, a link or a strong text that other records do not print too.

    A strong text in front of the first link is the name, and the link is what can be had of it. A part of a sentence
    and a sentence name nothing.
    """
    leaves = [
        leaf
        for leaf in range(lo, hi)
        if len(text := page.texts[leaf]) <= MAX_NAME
        and any(char.isalpha() for char in text)
        and printed[text] <= max(2, LABEL_SHARE * times)
    ]
    for leaf in leaves:
        if page.is_heading[leaf]:
            return leaf
    for leaf in leaves:
        if (page.link[leaf] is not None or page.is_strong[leaf]) and not _is_in_sentence(page, leaf, lo, hi):
            return leaf
    first = leaves[0] if leaves else None
    return None if first is None or _is_sentence(_block_text(page, first, lo, hi)) else first


def _is_in_sentence(page: PagePlaces, leaf: int, lo: int, hi: int) -> bool:
    """Tell whether a text is set off within running text: words without a mark stand before it in the same line."""
    before = leaf - 1
    if before < lo or page.link[before] is not None or page.is_strong[before] or not _are_one_line(page, before, leaf):
        return False
    text = page.texts[before]
    if text.endswith(_MARKS) or not any(char.isalpha() for char in text):
        return False  # "3 May:", "12."
    return len(text.split()) >= MIN_PROSE or _is_sentence(_block_text(page, leaf, lo, hi))


def _is_sentence(text: str) -> bool:
    return text.endswith(_STOPS) and len(text.split()) > MIN_PROSE


def _block_text(page: PagePlaces, leaf: int, lo: int, hi: int) -> str:
    """Return the line of a record that a text stands in."""
    first, last = leaf, leaf
    while first > lo and _are_one_line(page, first - 1, first):
        first -= 1
    while last + 1 < hi and _are_one_line(page, last, last + 1):
        last += 1
    return " ".join(page.texts[first : last + 1])


def _are_one_line(page: PagePlaces, leaf: int, other: int) -> bool:
    """Tell whether two neighbouring texts stand in one block with no line break between them."""
    dom, first, last = page.dom, int(page.node[leaf]), int(page.node[other])
    return block_of(dom, first) == block_of(dom, last) and not any(
        not dom.is_text(node) and dom.tag_name(node) in _ENDS for node in range(first, last)
    )


def _printed(page: PagePlaces, cuts: Sequence[tuple[int, int]]) -> Counter[str]:
    """Count in how many records each text is printed."""
    return Counter(text for lo, hi in cuts for text in set(page.texts[lo:hi]))


def cut_children(page: PagePlaces, node: int, tag: str) -> list[tuple[int, int]]:
    """Cut the children of an element into leaves (first, end) where a tag begins a record."""
    dom, starts = page.dom, _first_leaves(page)
    children = list(dom.children(node))[:MAX_CHILDREN]
    names = ["" if dom.is_text(child) else dom.tag_name(child) for child in children]
    cuts = [
        (int(starts[children[chunk[0]]]), int(starts[int(dom.end[children[chunk[-1]]])]))
        for chunk in _chunks(names, tag)
    ]
    return [(lo, hi) for lo, hi in cuts if lo < hi]


def cut_records(
    page: PagePlaces, cuts: Sequence[tuple[int, int]], *, labels: frozenset[str] = frozenset()
) -> list[Record]:
    """Return the records that some cuts (first leaf, end) make: those that have a name.

    ``labels`` are texts that are known to be labels, however few records repeat them.
    """
    printed = _printed(page, cuts)
    linked = Counter(url for lo, hi in cuts for url in set(page.link[lo:hi]))
    records = []
    for lo, hi in cuts:
        name = _name_leaf(page, lo, hi, printed, len(cuts))
        if name is None:
            continue
        values: list[tuple[int | None, int]] = []
        label: int | None = None
        for leaf in range(lo, hi):
            if leaf == name or not any(char.isalnum() for char in page.texts[leaf]):
                continue
            text = page.texts[leaf]
            is_repeated = text in labels or printed[text] > max(2, LABEL_SHARE * len(cuts))
            if is_repeated and page.link[leaf] is None:
                label = leaf
            elif not is_repeated:
                values.append((label, leaf))
            elif page.link[leaf] != page.link[name] and linked[page.link[leaf]] == 1:
                values.append((leaf, leaf))  # a link that each record has: where it leads is the value
                label = None
        records.append(Record(lo, hi, name, tuple(values)))
    return records


def _heading(page: PagePlaces, lo: int) -> int | None:
    """Return the emphasised leaf right in front of a region."""
    for leaf in range(lo - 1, max(-1, lo - 3), -1):
        if page.is_heading[leaf] or page.is_strong[leaf]:
            return leaf
    return None
