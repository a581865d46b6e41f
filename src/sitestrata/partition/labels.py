"""The DOM of a page -> its label hierarchy: which label stands over which, as a reader sees it.

The tree is built bottom-up, one DOM element at a time, and only from what stands inside that element: labels never
reach out of their container, but a container that holds a single label *is* that label for its parent, so a heading in
one box heads the list in the next. Inside an element, heads are found by headings, emphasis, a colon, a definition
term, a list that follows, or by rows that repeat one pattern; what is merely first is no head. So "Sign in" before a
menu stays what it is, a label beside others, whatever its words.

Paper: OntoMiner 4.3 (its own dynamic programme, grouping and promotion are in `binary`, `grouping` and `promotion`)
Differences from the paper: in docs/partition.md, with measurements.
"""

from collections.abc import Sequence
from functools import partial

import numpy as np

from sitestrata.page import TAG_ID, TEXT, Emphasis, PageFacts
from sitestrata.page.vocabulary import ROLES, TAGS, Role
from sitestrata.partition.heads import Entry, combine, make_entry
from sitestrata.partition.lines import (
    BOLD,
    CAPITALS,
    COLON,
    LAST_HEADING,
    NO_HEAD,
    TERM,
    Label,
    line_forest,
    make_label,
    words,
)
from sitestrata.partition.repeats import repeated_heads
from sitestrata.partition.table_labels import table_labels
from sitestrata.partition.tables import data_grids
from sitestrata.partition.tables.grids import Grid, GridCell, hidden_by_style
from sitestrata.partition.titles import are_fields, free, headings, is_notice, without_titles

__all__ = ["label_forest"]

MAX_NESTING = 180  # elements that are laid out as blocks, in one another; authors stay far below
ROOT_SLASHES = 3  # of https://example.org/

_STANDS_OUT = int(Emphasis.BOLD | Emphasis.STYLED)
_HEADING, _CAPITALS = int(Emphasis.HEADING), int(Emphasis.CAPITALS)
_TERMS = frozenset({"dt", "legend", "summary", "th", "caption", "optgroup"})
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_HEADING_TAGS = {TAG_ID[name]: level for name, level in _HEADINGS.items()}
_TERM_TAGS = frozenset(TAG_ID[name] for name in _TERMS)
_IS_BLOCK = ((ROLES & Role.BLOCK) != 0).astype(np.uint8)  # by tag
_KNOWN = len(TAGS)
_PRE, _ITEM = TAG_ID["pre"], TAG_ID["li"]
_ITEM_TAGS = frozenset(TAG_ID[name] for name in ("li", "dt", "dd"))
_CURRENT = (BOLD, NO_HEAD)  # what the current item of a menu looks like: a colon or capitals name the others
_LABEL = TAG_ID["label"]
_FIELDS = frozenset(TAG_ID[name] for name in ("input", "select", "textarea"))
_CHOICES = frozenset({"radio", "checkbox", "hidden"})
_BREAKS = frozenset({TAG_ID["br"], TAG_ID["hr"]})


def label_forest(facts: PageFacts) -> list[Label]:
    """Return the labels of a page as trees, in document order."""
    if not len(facts.leaves):
        return []
    builder = _Builder(facts)
    forest = builder.without_places(builder.build(0))
    said = headings(forest, facts.url) | builder.own_names()
    return without_titles(forest, len(facts.leaves), words(facts.title or ""), said)


class _Builder:
    """Reads one page; arrays are seen as memoryviews: compiled that is C, and in Python they give plain integers."""

    def __init__(self, facts: PageFacts) -> None:
        self.facts = facts
        dom, leaves, links = facts.dom, facts.leaves, facts.links
        self.end = dom.end.data
        self.tags = dom.tag.data
        self.parent = dom.parent.data
        self.leaf_nodes = leaves.node.data
        self.emphasis = leaves.emphasis.data
        self.link_of = facts.link_of.data
        self.starts = dom.text_start.data
        self.ends = dom.text_end.data
        self.text = dom.text
        self.links = leaves.link.data
        self.find_repeated = partial(repeated_heads, facts=facts)
        self.data = {grid.node: (grid, headers) for grid, headers in data_grids(facts)}
        self.is_block = _IS_BLOCK.data
        counts = np.empty((2, len(dom) + 1), dtype=np.int32)
        self.before, self.blocks = counts[0].data, counts[1].data  # leaves and blocks in front of each node
        self.count()
        self.hidden = {
            leaf
            for node in hidden_by_style(dom)
            if not self.holds_block(node)
            for leaf in range(self.before[node], self.before[self.end[node]])
        }
        self.addresses = dict(zip(links.node.tolist(), range(len(links)), strict=True))
        self.book = links.book
        self.link_nodes = links.node.data
        self.numbers = links.number.data
        self.fragments = links.fragment
        self.own = (links.target == facts.url_id).view(np.uint8).data

    def count(self) -> None:
        """Count the leaves and blocks in front of each node, and in front of the end."""
        leaf = blocks = 0
        nodes, leaves = len(self.tags), len(self.leaf_nodes)
        for node in range(nodes):
            self.before[node] = leaf
            self.blocks[node] = blocks
            if leaf < leaves and self.leaf_nodes[leaf] == node:
                leaf += 1
            tag = self.tags[node]
            blocks += tag < _KNOWN and self.is_block[tag]
        self.before[nodes] = leaf
        self.blocks[nodes] = blocks

    def holds_block(self, node: int) -> bool:
        """Tell whether an element is laid out as a block: it is one or holds one."""
        return bool(self.blocks[self.end[node]] > self.blocks[node])

    # -- elements ------------------------------------------------------------------------------------------------

    def build(self, node: int, level: int = 0) -> list[Label]:
        """Return the forest of an element, ``level`` elements below the root; what lies very deep is one line."""
        if self.link_of[node] == node:
            return [self.link_label(node)]
        if level > MAX_NESTING:
            return line_forest(self.atoms(node))
        if self.tags[node] == _PRE and self.has_no_link(node):
            return self.as_written(node)
        if node in self.data:
            return table_labels(*self.data[node], _Cells(self, level + 1))
        entries = self.entries(node, level)
        if not entries:
            return []
        tag = self.tag_name(node)
        if len(entries) == 1:
            return self.marked(entries[0].forest, tag)
        return self.marked(combine(entries, tag, self.find_repeated), tag)

    def has_no_link(self, node: int) -> bool:
        """Tell whether there is no link in an element."""
        for leaf in range(self.before[node], self.before[self.end[node]]):  # noqa: SIM110  (compiled: no generators)
            if self.links[leaf] >= 0:
                return False
        return True

    def as_written(self, node: int) -> list[Label]:
        """Return preformatted text as one label: what stands out in it is a word of a program, and heads nothing."""
        first, end = self.before[node], self.before[self.end[node]]
        text = " ".join([self.leaf_text(leaf) for leaf in range(first, end)])
        return [make_label(text, None, node, first, end, NO_HEAD)]

    def entries(self, node: int, level: int) -> list[Entry]:
        """Split what an element shows into lines and blocks."""
        entries: list[Entry] = []
        run: list[Label] = []
        child, end = node + 1, self.end[node]
        while child < end:
            after = self.end[child]
            first = self.before[child]
            shown = self.before[after] - first
            if shown and (not self.holds_block(child) or self.link_of[child] >= 0):
                if self.tags[child] == TEXT and self.links[first] < 0:
                    run.append(self.text_label(first))
                else:
                    run.extend(self.atoms(child))
            elif shown or self.tags[child] in _BREAKS or self.holds_block(child):
                if run:
                    self.add_line(entries, run)
                    run = []
                if shown:
                    forest = self.single(child) if shown == 1 else self.build(child, level + 1)
                    if forest:
                        entries.append(make_entry(child, self.tag_name(child), forest))
            child = after
        if run:
            self.add_line(entries, run)
        return entries

    def add_line(self, entries: list[Entry], run: list[Label]) -> None:
        """Add a line, without what a style hides beside what it shows: the rest of a text, before a click on "more"."""
        if self.hidden:
            run = [piece for piece in run if piece.first not in self.hidden] or run
        forest = line_forest(run)
        if forest:
            entries.append(make_entry(-1, "", forest))

    def single(self, node: int) -> list[Label]:
        """Return the forest of an element with one leaf: what `build` would, without a look at each element inside."""
        leaf = self.before[node]
        link = self.links[leaf]
        forest = line_forest([self.text_label(leaf) if link < 0 else self.link_label(link)])
        if forest:
            above = self.leaf_nodes[leaf]
            while above >= node:
                if self.tags[above] in _TERM_TAGS:
                    forest[0].rank = min(forest[0].rank, TERM)
                above = self.parent[above]
        return forest

    def marked(self, forest: list[Label], tag: str) -> list[Label]:
        """Give a single label the rank that its element lends it."""
        if len(forest) == 1 and not forest[0].children:
            rank = _HEADINGS.get(tag, TERM if tag in _TERMS else NO_HEAD)
            forest[0].rank = min(forest[0].rank, rank)
        return forest

    def without_places(self, forest: list[Label]) -> list[Label]:
        """Let labels that say where the reader is head nothing: the logo, and the current item of a menu.

        Nor does the label of a field to fill in name the fields behind it, nor a notice of copyright the links there.
        An item that stands over the others of its list is the current one if it is the only such on the page: lists
        that have their name as the first item come in numbers.
        """
        found: list[Label] = []
        holders: list[list[Label]] = []
        stack = [forest]
        while stack:
            labels = stack.pop()
            at = 0
            while at < len(labels):
                label = labels[at]
                if label.children and (
                    self.is_logo(label)
                    or (label.rank == COLON and are_fields(label.children))
                    or (label.rank > LAST_HEADING and (is_notice(label.text) or self.names_field(label)))
                ):
                    free(labels, at)
                elif label.children:
                    stack.append(label.children)
                    if len(label.children) > 1 and not label.is_link and label.rank in _CURRENT and self.is_item(label):
                        found.append(label)
                        holders.append(labels)
                at += 1
        if len(found) == 1:
            free(holders[0], holders[0].index(found[0]))
        return forest

    def own_names(self) -> set[str]:
        """Return what links to this page say, those in running text too."""
        said: set[str] = set()
        for link in range(len(self.own)):
            if self.own[link]:
                node = self.link_nodes[link]
                leaf = self.before[node]
                if leaf < self.before[self.end[node]]:
                    said.add(words(self.leaf_text(leaf)))
        return said

    def is_logo(self, label: Label) -> bool:
        """Tell whether a label links this page or the root of its host, and is not in an item, nor a heading but h1."""
        if not label.is_link or not label.url or 1 < label.rank <= TERM:
            return False
        place, page = label.url.rstrip("/"), self.facts.url
        if place != page.rstrip("/") and (place.count("/") >= ROOT_SLASHES or not page.startswith(f"{place}/")):
            return False
        if (self.facts.dom.attribute(label.node, "href") or "#").lstrip().startswith("#"):
            return False  # it is there for a script, to open a menu
        above = label.node
        final = label.children[len(label.children) - 1]
        last = final.node
        while above >= 0 and self.end[above] <= last:
            if self.tags[above] in _ITEM_TAGS:
                return False
            above = self.parent[above]
        return above < 0 or self.tags[above] not in _ITEM_TAGS

    def names_field(self, label: Label) -> bool:
        """Tell whether a label is that of a field, and a control to fill in stands before what would be under it."""
        node = label.node
        above = self.parent[node]
        while above >= 0 and self.tags[above] != _LABEL and not self.holds_block(above):
            above = self.parent[above]
        if above < 0 or self.tags[above] != _LABEL:
            return False
        first = label.children[0]
        for inner in range(node, first.node):
            if self.tags[inner] in _FIELDS and self.end[inner] <= first.node:
                kind = (self.facts.dom.attribute(inner, "type") or "").lower()
                return kind not in _CHOICES
        return False

    def is_item(self, label: Label) -> bool:
        """Tell whether a label and all below it stand in elements of one sort, side by side."""
        item = label.node
        second = label.children[0].node
        while self.parent[item] >= 0 and self.end[self.parent[item]] <= second:
            item = self.parent[item]
        above = self.parent[item]
        last = item
        for child in label.children:
            node = child.node
            if above < 0 or not self.end[item] <= node < self.end[above] or not (child.is_link or child.children):
                return False
            while self.parent[node] != above:
                node = self.parent[node]
            if node == last or self.tags[node] != self.tags[item]:
                return False
            last = node
        tag = self.tags[item]
        return tag == _ITEM or (tag != TEXT and not (tag < _KNOWN and self.is_block[tag]))

    # -- data tables ---------------------------------------------------------------------------------------------

    def caption(self, grid: Grid, level: int) -> list[Label]:
        """Return the caption of a table as the one label over it; an empty list where there is none."""
        node = grid.caption_node
        if node < 0 or self.before[self.end[node]] == self.before[node]:
            return []
        found = self.build(node, level)
        if len(found) > 1 or found[0].children:
            found = [make_label(grid.caption or "", None, node, found[0].first, found[-1].end, TERM)]
        return found

    def cell_value(self, cell: GridCell, level: int) -> list[Label]:
        """Return what a cell says, signs as well ("$$", a dash); where it hides something, as one label."""
        first, end = self.before[cell.node], self.before[self.end[cell.node]]
        if cell.leaves == end - first or cell.holds_table:
            found = self.build(cell.node, level)
            if found:
                return found
        return [make_label(cell.text, None, cell.node, first, end, NO_HEAD)] if cell.text else []

    def cell_label(self, cell: GridCell) -> Label:
        """Return what a header cell says, as one label."""
        first, end = self.before[cell.node], self.before[self.end[cell.node]]
        link = self.links[first] if first < end else -1
        at = self.addresses.get(link) if link >= 0 else None
        url = None if at is None else self.book.address(self.numbers[at])
        label = make_label(cell.text, url, cell.node, first, end, NO_HEAD)
        label.is_link = url is not None
        return label

    def row_label(self, cell: GridCell) -> Label:
        """Return a label without a text for the row of a cell."""
        node = self.parent[cell.node]
        return make_label("", None, node, self.before[node], self.before[self.end[node]], NO_HEAD)

    # -- lines ---------------------------------------------------------------------------------------------------

    def atoms(self, node: int) -> list[Label]:
        """Return the pieces of inline content: links, and texts with what makes them stand out."""
        pieces: list[Label] = []
        leaf, end = self.before[node], self.before[self.end[node]]
        while leaf < end:
            link = self.links[leaf]
            piece = self.text_label(leaf) if link < 0 else self.link_label(link)
            pieces.append(piece)
            leaf = max(piece.end, leaf + 1)
        return pieces

    def text_label(self, leaf: int) -> Label:
        """Return the label of a leaf outside links."""
        node = self.leaf_nodes[leaf]
        text = self.leaf_text(leaf)
        is_picture = self.tags[node] != TEXT
        # Weight and size are of texts: only a heading makes a picture a head.
        rank = self.rank_of(node, self.emphasis[leaf] & _HEADING if is_picture else self.emphasis[leaf], text)
        label = make_label(text, None, node, leaf, leaf + 1, rank)
        label.is_picture = is_picture
        return label

    def link_label(self, node: int) -> Label:
        """Return the label of a link; of a card, its heading or first text with the rest under it."""
        first, end = self.before[node], self.before[self.end[node]]
        number = self.addresses.get(node)
        url = None if number is None else self.book.address(self.numbers[number])
        label = make_label("", url, node, first, end, NO_HEAD)
        label.is_link = True
        if number is not None:
            label.fragment = self.fragments[number] or ""
            label.is_local = self.own[number] != 0 and label.fragment != ""
        at = self.leaf_nodes[first] if first < end else node
        if end == first + 1 and self.tags[at] == TEXT:  # most links hold one text
            label.text = self.leaf_text(first)
            label.rank = self.rank_of(at, self.emphasis[first], label.text) if label.text else NO_HEAD
            return label
        pieces = [self.text_label(leaf) for leaf in range(first, end)]
        pieces = [piece for piece in pieces if piece.text]
        texts = [piece for piece in pieces if not piece.is_picture] or pieces
        if self.holds_block(node) and len(texts) > 1:
            texts = self.joined_lines(texts, node)
        if not texts:
            return label
        if not self.holds_block(node) or len(texts) == 1:
            label.text = " ".join(_once([piece.text for piece in texts]))
            label.rank = max([piece.rank for piece in texts])
            label.is_picture = texts[0].is_picture  # all of them are, or none
            return label
        head = texts[min([(piece.rank, at) for at, piece in enumerate(texts)])[1]]
        label.text = head.text
        label.children = [piece for piece in texts if piece is not head]
        return label

    def joined_lines(self, pieces: Sequence[Label], link: int) -> list[Label]:
        """Join the pieces of a card that stand in one block: a heading is one label, however it is marked up inside."""
        out: list[Label] = []
        last = -1
        for piece in pieces:
            block = piece.node
            while block != link and not (self.tags[block] < _KNOWN and self.is_block[self.tags[block]]):
                block = self.parent[block]
            if out and block == last:
                out[-1].text = f"{out[-1].text} {piece.text}"
                out[-1].rank = max(out[-1].rank, piece.rank)
                out[-1].end = piece.end
            else:
                out.append(piece)
            last = block
        return out

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
        node = self.leaf_nodes[leaf]
        start, end = self.starts[node], self.ends[node]
        return self.text[start:end].decode("utf-8").strip() if end > start else self.facts.leaf_text(leaf)

    def tag_name(self, node: int) -> str:
        tag = self.tags[node]
        return TAGS[tag] if tag < len(TAGS) else ""


class _Cells:
    """Reads the cells of one table, ``level`` elements below the root (`table_labels.ReadCells`)."""

    def __init__(self, builder: _Builder, level: int) -> None:
        self.builder = builder
        self.level = level
        self.head = builder.cell_label
        self.whole_row = builder.row_label

    def caption(self, grid: Grid) -> list[Label]:
        return self.builder.caption(grid, self.level)

    def value(self, cell: GridCell) -> list[Label]:
        return self.builder.cell_value(cell, self.level)


def _once(texts: list[str]) -> list[str]:
    """Return texts without those that say the same as the one before: a link shows them in turn."""
    return [text for at, text in enumerate(texts) if not at or words(text) != words(texts[at - 1])]
