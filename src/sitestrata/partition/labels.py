"""The DOM of a page -> its label hierarchy: which label stands over which, as a reader sees it.

The tree is built bottom-up, one DOM element at a time, and only from what stands inside that element: labels never
reach out of their container, but a container that holds a single label *is* that label for its parent, so a heading in
one box heads the list in the next. Inside an element, heads are found by headings, emphasis, a colon, a definition
term, a list that follows, or by rows that repeat one pattern; what is merely first is no head. So "Sign in" before a
menu stays what it is, a label beside others, whatever its words.

Paper: OntoMiner 4.3 (its own dynamic programme, grouping and promotion are in `binary`, `grouping` and `promotion`)
Differences from the paper: in docs/partition.md, with measurements.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from sitestrata.page import TAG_ID, TEXT, Emphasis, PageFacts
from sitestrata.page.vocabulary import ROLES, TAGS, Role
from sitestrata.partition.tables import data_grids
from sitestrata.partition.tables.grids import Grid
from sitestrata.partition.tables.headers import Headers

__all__ = ["Label", "label_forest"]

# Ranks of heads: a head owns what follows it, up to the next head of its rank or a higher one (a smaller number).
LAST_HEADING = 6
TERM = 7  # dt, legend, summary, th, caption
BOLD = 8
CAPITALS = 9
COLON = 10
PICTURE = 11  # an image with a text, before a list
NO_HEAD = 99

MAX_NESTING = 180  # elements that are laid out as blocks, in one another; authors stay far below
BRIEF = 60  # characters of a label; longer texts are sentences
PROSE = 160  # characters of text in one block from which on it is running text
WHOLE = 0.5  # share of the leaves of a page that only its title covers
CELLS = 12  # labels in the rest of a row
ROW = 6  # labels of a row in a group of rows
SEPARATOR = 6  # characters of text between two links that only keeps them apart

OPENERS = "([{–—-|:："
_STANDS_OUT = int(Emphasis.BOLD | Emphasis.STYLED)
_HEADING, _CAPITALS = int(Emphasis.HEADING), int(Emphasis.CAPITALS)
_LISTS = frozenset({"ul", "ol", "dl", "menu", "dir", "select", "nav"})
_ITEMS = frozenset({"li", "td", "dd", "option", "tr"})
_TERMS = frozenset({"dt", "legend", "summary", "th", "caption", "optgroup"})
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_HEADING_TAGS = {TAG_ID[name]: level for name, level in _HEADINGS.items()}
_BREAKS = frozenset({TAG_ID["br"], TAG_ID["hr"]})


@dataclass(slots=True, eq=False)
class Label:
    """A label and what stands under it."""

    text: str
    url: str | None
    node: int
    first: int  # leaves
    end: int
    rank: int = NO_HEAD  # of a head
    is_link: bool = False
    is_picture: bool = False
    is_opened: bool = False  # a bracket or dash behind it opens what it names
    is_local: bool = False  # a link to a place on the same page
    children: list["Label"] = field(default_factory=list)
    kind: str = "leaf"


@dataclass(slots=True, eq=False)
class _Entry:
    """One child of an element: a line of text, or a block with its forest."""

    node: int  # -1 for a line
    tag: str
    forest: list[Label]

    @property
    def single(self) -> Label | None:
        """Return the label that this entry is, if it is nothing else."""
        return self.forest[0] if len(self.forest) == 1 and not self.forest[0].children else None

    def size(self) -> int:
        return sum(1 for label in self.forest for _ in _walk(label))


def label_forest(facts: PageFacts) -> list[Label]:
    """Return the labels of a page as trees, in document order."""
    return _without_titles(_Builder(facts).build(0), len(facts.leaves), _words(facts.title or ""))


def _without_titles(forest: list[Label], leaves: int, title: str) -> list[Label]:
    """Take the names of the page or the site from above everything else: they name the whole, and say nothing of it."""
    out: list[Label] = []
    stack = list(reversed(forest))
    while stack:
        label = stack.pop()
        covered = label.end - label.first
        is_title = (covered > WHOLE * leaves and sum(bool(child.children) for child in label.children) > 1) or (
            label.rank <= 2 and label.children and len(label.text) > 3 and _words(label.text) in title
        )
        if label.children and is_title and covered > 3:
            children, label.children = label.children, []
            label.end = label.first + 1
            out.append(label)
            stack.extend(reversed(children))
        else:
            out.append(label)
    return out


def _words(text: str) -> str:
    return " ".join(text.casefold().split())


def _walk(label: Label) -> Iterator[Label]:
    stack = [label]
    while stack:
        one = stack.pop()
        yield one
        stack.extend(reversed(one.children))


class _Builder:
    """Reads one page; plain lists, because single elements of arrays are slow to get at."""

    def __init__(self, facts: PageFacts) -> None:
        self.facts = facts
        dom = facts.dom
        self.end = dom.end.tolist()
        self.tags = dom.tag.tolist()
        self.parent = dom.parent.tolist()
        self.leaf_nodes = facts.leaves.node.tolist()
        leaf_at = np.zeros(len(dom) + 1, dtype=np.int32)
        leaf_at[facts.leaves.node + 1] = 1
        self.before = np.cumsum(leaf_at).tolist()  # leaves in front of each node
        self.emphasis = facts.leaves.emphasis.tolist()
        self.link_of = facts.link_of.tolist()
        self.starts = dom.text_start[facts.leaves.node].tolist()
        self.ends = dom.text_end[facts.leaves.node].tolist()
        self.text = dom.text
        self.links = facts.leaves.link.tolist()
        self.data = {grid.node: (grid, headers) for grid, headers in data_grids(facts)}
        is_block = (ROLES[np.minimum(dom.tag, len(TAGS))] & Role.BLOCK) != 0
        blocks = np.concatenate([[0], np.cumsum(is_block)])
        # An element is laid out as a block if it is one or holds one.
        self.holds_block = (blocks[dom.end] - blocks[np.arange(len(dom))] > 0).tolist()
        self.addresses = dict(zip(facts.links.node.tolist(), range(len(facts.links)), strict=True))
        self.book = facts.links.book
        self.numbers = facts.links.number.tolist()
        self.fragments = facts.links.fragment
        self.own = (facts.links.target == facts.url_id).tolist()

    # -- elements ------------------------------------------------------------------------------------------------

    def build(self, node: int, level: int = 0) -> list[Label]:
        """Return the forest of an element, ``level`` elements below the root; what lies very deep is one line."""
        if self.links and self.link_of[node] == node:
            return [self.link_label(node)]
        if level > MAX_NESTING:
            return line_forest(list(self.atoms(node)))
        if node in self.data:
            return self.records(*self.data[node], level)
        entries = self.entries(node, level)
        if not entries:
            return []
        tag = self.tag_name(node)
        if len(entries) == 1:
            return self.marked(entries[0].forest, tag)
        return self.marked(combine(entries, tag), tag)

    def entries(self, node: int, level: int) -> list[_Entry]:
        """Split what an element shows into lines and blocks."""
        ends, before, holds_block = self.end, self.before, self.holds_block
        entries: list[_Entry] = []
        run: list[Label] = []
        child, end = node + 1, ends[node]
        while child < end:
            after = ends[child]
            is_shown = before[after] > before[child]
            if is_shown and (not holds_block[child] or self.link_of[child] >= 0):
                if self.tags[child] == TEXT and self.links[before[child]] < 0:
                    run.append(self.text_label(before[child]))
                else:
                    run.extend(self.atoms(child))
            elif is_shown or self.tags[child] in _BREAKS or holds_block[child]:
                if run:
                    _add_line(entries, run)
                    run = []
                if is_shown:
                    forest = self.build(child, level + 1)
                    if forest:
                        entries.append(_Entry(child, self.tag_name(child), forest))
            child = after
        if run:
            _add_line(entries, run)
        return entries

    def marked(self, forest: list[Label], tag: str) -> list[Label]:
        """Give a single label the rank that its element lends it."""
        if len(forest) == 1 and not forest[0].children:
            rank = _HEADINGS.get(tag, TERM if tag in _TERMS else NO_HEAD)
            forest[0].rank = min(forest[0].rank, rank)
        return forest

    # -- data tables ---------------------------------------------------------------------------------------------

    def records(self, grid: Grid, headers: Headers, level: int) -> list[Label]:
        """Return the records of a data table: headers over values, under what names the record (OntoMiner 4.2)."""
        out: list[Label] = []
        section = out
        for row, role in enumerate(headers.roles):
            if role in ("title", "section"):
                head = self.cell_label(grid, row, 0)
                if head is not None:
                    (section if role == "title" else out).append(head)
                    section = head.children
            elif role in ("data", "total"):
                section.extend(self.record(grid, headers, row, level))
        for label in out:
            _cover(label)
        return out

    def record(self, grid: Grid, headers: Headers, row: int, level: int) -> list[Label]:
        """Return one row of a data table as labels."""
        seen: set[int] = set()
        values: list[Label] = []
        for column in range(headers.left, grid.columns):
            cell = int(grid.slots[row, column])
            if cell < 0 or cell in seen or grid.cells[cell].row != row:
                continue  # a cell that reaches here from above was read there
            seen.add(cell)
            value = self.build(grid.cells[cell].node, level + 1)
            head = self.cell_label(grid, headers.titles + headers.top - 1, column) if headers.top else None
            if head is None or not value:
                values.extend(value)
            else:
                head.children = value
                values.append(head)
        names = [label for column in range(headers.left) if (label := self.cell_label(grid, row, column)) is not None]
        if not names:
            return values
        for outer, inner in pairwise(names):
            outer.children = [inner]
        names[-1].children = values
        for name in reversed(names):
            _cover(name)
        return names[:1]

    def cell_label(self, grid: Grid, row: int, column: int) -> Label | None:
        """Return what a header cell says, as one label."""
        number = int(grid.slots[row, column])
        if number < 0 or not grid.cells[number].text:
            return None
        cell = grid.cells[number]
        first, end = self.before[cell.node], self.before[self.end[cell.node]]
        link = self.links[first] if first < end else -1
        at = self.addresses.get(link) if link >= 0 else None
        url = None if at is None else self.book.address(self.numbers[at])
        return Label(cell.text, url, cell.node, first, end, is_link=url is not None)

    # -- lines ---------------------------------------------------------------------------------------------------

    def atoms(self, node: int) -> Iterator[Label]:
        """Yield the pieces of inline content: links, and texts with what makes them stand out."""
        leaf, end = self.before[node], self.before[self.end[node]]
        while leaf < end:
            link = self.links[leaf]
            if link >= 0:
                label = self.link_label(link)
                yield label
                leaf = max(label.end, leaf + 1)
                continue
            yield self.text_label(leaf)
            leaf += 1

    def text_label(self, leaf: int) -> Label:
        """Return the label of a leaf outside links."""
        node = self.leaf_nodes[leaf]
        text = self.leaf_text(leaf)
        rank = self.rank_of(node, self.emphasis[leaf], text)
        return Label(text, None, node, leaf, leaf + 1, rank, is_picture=self.tags[node] != TEXT)

    def link_label(self, node: int) -> Label:
        """Return the label of a link; of a card, its heading or first text with the rest under it."""
        first, end = self.before[node], self.before[self.end[node]]
        number = self.addresses.get(node)
        url = None if number is None else self.book.address(self.numbers[number])
        is_local = number is not None and self.own[number] and bool(self.fragments[number])
        if end == first + 1 and self.tags[at := self.leaf_nodes[first]] == TEXT:  # most links hold one text
            text = self.leaf_text(first)
            rank = self.rank_of(at, self.emphasis[first], text) if text else NO_HEAD
            return Label(text, url, node, first, end, rank, is_link=True, is_local=is_local)
        pieces = [piece for leaf in range(first, end) if (piece := self.text_label(leaf)).text]
        texts = [piece for piece in pieces if not piece.is_picture] or pieces
        if not texts:
            return Label("", url, node, first, end, is_link=True, is_local=is_local)
        if not self.holds_block[node] or len(texts) == 1:
            text = " ".join(piece.text for piece in texts)
            rank = max(piece.rank for piece in texts)
            only_picture = all(piece.is_picture for piece in texts)
            return Label(text, url, node, first, end, rank, is_link=True, is_local=is_local, is_picture=only_picture)
        head = min(texts, key=lambda piece: (piece.rank, piece.first))
        rest = [piece for piece in texts if piece is not head]
        return Label(head.text, url, node, first, end, NO_HEAD, is_link=True, is_local=is_local, children=rest)

    def rank_of(self, node: int, emphasis: int, text: str) -> int:
        if emphasis & _HEADING:
            above = self.parent[node]
            while above >= 0:
                level = _HEADING_TAGS.get(self.tags[above])
                if level:
                    return level
                above = self.parent[above]
        if emphasis & _STANDS_OUT:
            return BOLD
        if text.endswith((":", "：")):
            return COLON
        if emphasis & _CAPITALS:
            return CAPITALS
        return NO_HEAD

    def leaf_text(self, leaf: int) -> str:
        start, end = self.starts[leaf], self.ends[leaf]
        return self.text[start:end].decode().strip() if end > start else self.facts.leaf_text(leaf)

    def tag_name(self, node: int) -> str:
        tag = self.tags[node]
        return TAGS[tag] if tag < len(TAGS) else ""


def _add_line(entries: list[_Entry], run: Sequence[Label]) -> None:
    forest = line_forest(run)
    if forest:
        entries.append(_Entry(-1, "", forest))


def line_forest(pieces: Sequence[Label]) -> list[Label]:
    """Turn the pieces of one line into labels: join what belongs together, find a leading label."""
    items: list[Label] = []
    for piece in pieces:
        if piece.text and not piece.is_link and piece.text[-1] in OPENERS:
            piece.is_opened = True
        if not piece.text or not (piece.text[0].isalnum() or any(char.isalnum() for char in piece.text)):
            if items and piece.is_opened:
                items[-1].is_opened = True
            if items and piece.text and not piece.is_link and piece.text[0] in ":：" and not items[-1].is_link:
                items[-1].rank = min(items[-1].rank, COLON)
            continue
        last = items[-1] if items else None
        if last is not None and _belong_together(last, piece):
            last.text = f"{last.text} {piece.text}"
            last.end = piece.end
            if last.text.endswith((":", "：")):
                last.rank = min(last.rank, COLON)
        else:
            items.append(piece)
    if len(items) > 1:  # a picture beside a text says the same, or decorates it
        words = [_words(item.text) for item in items if not item.is_picture]
        items = [item for item in items if not (item.is_picture and any(_words(item.text) in text for text in words))]
    if len(items) < 2:
        return items
    texts = [item for item in items if not item.is_link]
    if sum(len(item.text) for item in texts) > PROSE:
        return items  # running text: its links stand beside one another
    first, rest = items[0], items[1:]
    if _leads(first, rest):
        first.children = _flat_heads(rest)
        first.end = rest[-1].end
        return [first]
    return _flat_heads(items)


def _belong_together(last: Label, piece: Label) -> bool:
    if last.is_picture or piece.is_picture:
        return False
    if last.is_link != piece.is_link:
        return False
    if last.is_link:
        return last.url is not None and last.url == piece.url
    return (last.rank >= COLON) == (piece.rank >= COLON) and last.rank != COLON


def _leads(first: Label, rest: Sequence[Label]) -> bool:
    """Tell whether the first piece of a line names the others."""
    if len(first.text) > BRIEF or first.is_picture:
        return False
    if first.rank < COLON + 1:
        return all(item.rank > first.rank for item in rest) or first.rank == COLON
    if first.is_link:
        return False
    links = [item for item in rest if item.is_link]
    between = [item for item in rest if not item.is_link]
    return first.is_opened and len(links) >= 1 and all(len(item.text) <= SEPARATOR for item in between)


def _flat_heads(items: Sequence[Label]) -> list[Label]:
    """Let labels inside a line (``Born: 1912 Died: 1954``) own what follows them."""
    out: list[Label] = []
    head: Label | None = None
    for item in items:
        if item.rank <= COLON and not item.is_link and len(item.text) <= BRIEF:
            head = item
            out.append(item)
        elif head is not None and head.rank < item.rank:
            head.children.append(item)
            head.end = item.end
        else:
            out.append(item)
    return out


def combine(entries: list[_Entry], tag: str) -> list[Label]:
    """Find the heads among the entries of one element and hang the others under them."""
    first = entries[0].single
    if first is not None and not first.is_picture:
        if tag == "li":
            return [_own(first, entries[1:])]
        if len(entries) == 2 and _is_list(entries[1]) and tag not in _LISTS:
            return [_own(first, entries[1:])]  # a box that holds nothing but a label and a list
        if tag == "tr" and _is_row(first, entries):
            return [_own(first, entries[1:])]
    _promote_rows(entries)
    heads = _heads(entries, tag)
    if sum(head is not None for head in heads) == 1 and tag not in _ITEMS and _names_region(entries, heads):
        heads = [None] * len(heads)
    out: list[Label] = []
    stack: list[Label] = []
    for entry, head in zip(entries, heads, strict=True):
        if head is None:
            (stack[-1].children if stack else out).extend(entry.forest)
            if stack and stack[-1].rank > PICTURE:  # a plain label owns the one list behind it
                stack.pop()
            continue
        while stack and stack[-1].rank >= head.rank:
            stack.pop()
        (stack[-1].children if stack else out).append(head)
        stack.append(head)
    for label in out:
        _cover(label)
    return out


def _is_row(first: Label, entries: Sequence[_Entry]) -> bool:
    """Tell whether the first cell of a row names the others: words beside links, or a link beside words."""
    rest = [label for entry in entries[1:] for label in entry.forest]
    if len(first.text) > BRIEF or len(entries) > 3 or len(rest) > CELLS:
        return False
    return not (first.is_link and all(label.is_link for label in rest)) and entries[1].tag != ""


def _own(head: Label, entries: Iterable[_Entry]) -> Label:
    for entry in entries:
        head.children.extend(entry.forest)
    _cover(head)
    return head


def _cover(label: Label) -> None:
    if label.children:
        label.end = max(label.end, label.children[-1].end)


def _heads(entries: Sequence[_Entry], tag: str) -> list[Label | None]:
    """Return, entry by entry, the label that is a head there."""
    singles = [entry.single for entry in entries]
    ranks = [single.rank if single is not None and len(single.text) <= 2 * BRIEF else NO_HEAD for single in singles]
    heads: list[Label | None] = []
    pairs = sum(
        single is not None and i + 1 < len(entries) and _is_list(entries[i + 1]) for i, single in enumerate(singles)
    )
    for i, single in enumerate(singles):
        if single is None or i + 1 == len(entries) or (single.is_local and ranks[i] > LAST_HEADING):
            heads.append(None)
            continue
        stands_out = ranks[i] <= COLON and not _in_run(ranks, i) and not _is_item(entries, i)
        if ranks[i] <= TERM or stands_out:
            heads.append(single)
        elif (
            _is_list(entries[i + 1])
            and (not single.is_link or pairs > 1 or tag in _ITEMS)
            and not _same_before(singles, i)
        ):
            single.rank = PICTURE + 1
            heads.append(single)
        else:
            heads.append(None)
    return heads


def _same_before(singles: Sequence[Label | None], i: int) -> bool:
    """Tell whether the entry before is a label of the same sort: then neither names the list that follows."""
    before = singles[i - 1] if i else None
    this = singles[i]
    return before is not None and this is not None and before.is_link == this.is_link


def _in_run(ranks: Sequence[int], i: int) -> bool:
    """Tell whether labels of one rank stand side by side: then they are a list, and none of them heads anything."""
    return (i > 0 and ranks[i - 1] == ranks[i]) or (i + 1 < len(ranks) and ranks[i + 1] == ranks[i])


def _names_region(entries: Sequence[_Entry], heads: Sequence[Label | None]) -> bool:
    """Tell whether the only head of an element stands over heads: then it names the region ("Main menu")."""
    at = next(i for i, head in enumerate(heads) if head is not None)
    owned = [label for entry in entries[at + 1 :] for label in entry.forest]
    return len(owned) > 2 and sum(len(label.children) > 1 for label in owned) >= 0.5 * len(owned)


def _is_item(entries: Sequence[_Entry], i: int) -> bool:
    """Tell whether an entry is one of several list items or cells: the current one of a menu is often bold."""
    label = entries[i].single
    is_first_text = i == 0 and label is not None and not label.is_link and len(entries) > 2
    if is_first_text and all(entry.forest[0].is_link for entry in entries[1:]):
        return False  # a first item that stands out, and alone is no link, names the list
    return entries[i].tag in _ITEMS and entries[i + 1].tag == entries[i].tag and entries[i + 1].single is not None


def _is_list(entry: _Entry) -> bool:
    return entry.tag in _LISTS and (len(entry.forest) > 1 or bool(entry.forest[0].children))


def _promote_rows(entries: Sequence[_Entry]) -> None:
    """In rows that repeat one pattern, let a first label own the rest of its row (outsider promotion, 4.3.3)."""
    rows = [
        entry
        for entry in entries
        if entry.node >= 0
        and entry.tag not in _LISTS
        and entry.tag != "td"
        and 1 < len(entry.forest) <= ROW
        and not entry.forest[0].children
    ]
    if len(rows) < 2 or 2 * len(rows) < len(entries):
        return
    kinds = {row.tag for row in rows}
    if len(kinds) > 1:
        return
    firsts = [row.forest[0] for row in rows]
    # Rows that begin with a link and go on with links are lists of links.
    if sum(row.forest[0].is_link and row.forest[1].is_link for row in rows) > 0.2 * len(rows):
        return
    if any(len(first.text) > BRIEF for first in firsts) or len({first.text for first in firsts}) < len(firsts):
        return
    for row in rows:
        first, *rest = row.forest
        first.children = rest
        _cover(first)
        row.forest[:] = [first]
