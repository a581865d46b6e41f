"""What stands in one element, entry by entry -> labels with what they head.

Heads are found by headings, emphasis, a colon, a definition term, a list that follows, or by rows that repeat one
pattern; what is merely first is no head.

Paper: OntoMiner 4.3.3
"""

from collections import Counter
from collections.abc import Callable

from sitestrata.partition.lines import BRIEF, COLON, LAST_HEADING, NO_HEAD, PICTURE, TERM, Label, cover, is_abbreviation

__all__ = ["Entry", "combine", "make_entry"]

CELLS = 12  # labels in the rest of a row
ROW = 6  # labels of a row in a group of rows; a longer one is a name and pairs of label and value
SUBMENU = 3  # links
MOST = 0.75  # share of a submenu's links in the folder of the item over it; of the labels that are links, or pairs
REPEATED = 3  # entries; two pairs are the least that repeats
ROOT_SLASHES = 3  # of https://example.org/

_LISTS = frozenset({"ul", "ol", "dl", "menu", "dir", "select", "nav"})
_ITEMS = frozenset({"li", "td", "dd", "option", "tr"})


class Entry:
    """One child of an element: a line of text, or a block with its forest."""

    __slots__ = ("forest", "node", "tag")

    node: int  # -1 for a line
    tag: str
    forest: list[Label]


FindRepeated = Callable[[list[Entry]], list[Label | None] | None]


def make_entry(node: int, tag: str, forest: list[Label]) -> Entry:
    """Return an entry."""
    entry = Entry.__new__(Entry)
    entry.node = node
    entry.tag = tag
    entry.forest = forest
    return entry


def _single(entry: Entry) -> Label | None:
    """Return the label that an entry is, if it is nothing else."""
    label = entry.forest[0]
    return label if len(entry.forest) == 1 and not label.children else None


def _section_head(entries: list[Entry], i: int) -> Label | None:
    """Return the heading of a box that holds nothing else but some words, before a plain list: it is its head."""
    forest = entries[i].forest
    label = forest[0]
    if len(forest) > 1 or label.rank > LAST_HEADING or label.is_link or i + 1 == len(entries):
        return None
    for child in [*label.children, *entries[i + 1].forest]:
        if child.children:
            return None
    words = sum([BRIEF + 1 if child.is_link else len(child.text) for child in label.children])
    return label if words <= BRIEF else None


def combine(entries: list[Entry], tag: str, find_repeated: FindRepeated) -> list[Label]:
    """Find the heads among the entries of one element and hang the others under them.

    Where none stands out, ``find_repeated`` is asked for those that repeat.
    """
    first = _single(entries[0])
    if first is not None and not first.is_picture and len(first.text) <= 2 * BRIEF:
        if tag == "li":
            return [_own(first, entries[1:])]
        is_pair = len(entries) == 2 and _is_list(entries[1]) and tag not in _LISTS
        if is_pair and (first.is_link or not _are_menus(entries[1].forest)):
            return [_own(first, entries[1:])]  # a box that holds nothing but a label and a list
        if tag == "tr" and _is_row(first, entries):
            return [_own(first, entries[1:])]
    _promote_rows(entries)
    entries = _nest_submenus(entries)
    heads = _heads(entries, tag)
    if len(entries) > REPEATED and tag not in _LISTS and heads.count(None) == len(heads):
        heads = find_repeated(entries) or heads
    if len(heads) - heads.count(None) == 1 and tag not in _ITEMS and _names_region(entries, heads):
        heads = [None] * len(heads)
    out: list[Label] = []
    stack: list[Label] = []
    for entry, head in zip(entries, heads, strict=True):
        if head is None:
            # A box that opens with a heading ends the sections of its rank before it (HTML Standard 4.3.11).
            # A term that nothing follows is not what the term before it names.
            opening = entry.forest[0].rank
            last = LAST_HEADING if _single(entry) is None else TERM
            while stack and opening <= stack[-1].rank <= last:
                stack.pop()
            (stack[-1].children if stack else out).extend(entry.forest)
            if stack and stack[-1].rank > PICTURE:  # a plain label owns the one list behind it
                stack.pop()
            continue
        while stack and stack[-1].rank >= head.rank:
            stack.pop()
        (stack[-1].children if stack else out).append(head)
        stack.append(head)
    for label in out:
        cover(label)
    return out


def _is_menu(entry: Entry) -> bool:
    for label in entry.forest:
        if not label.is_link or not label.url or label.children or len(label.text) > BRIEF:
            return False
    return True


def _nest_submenus(entries: list[Entry]) -> list[Entry]:
    """Hang a list of links under the link of a list before it that leads to the folder where all of them lie.

    So pages show the second level of a menu: in a box of its own behind the first, only for the current item.
    """
    menus = 0
    for entry in entries:
        menus += len(entry.forest) >= SUBMENU
    if menus < 2:
        return entries
    out: list[Entry] = []
    folders: dict[str, Label] = {}  # of the links in the lists just before
    for entry in entries:
        if not _is_menu(entry):
            folders.clear()  # what stands between, a heading for one, names what follows
            out.append(entry)
            continue
        holder = _holder(entry.forest, folders) if len(entry.forest) >= SUBMENU else None
        if holder is not None and not holder.children:
            holder.children = list(entry.forest)
            cover(holder)
        else:
            out.append(entry)
        for label in entry.forest:
            folders.setdefault((label.url or "").partition("?")[0], label)
    return out


def _holder(labels: list[Label], folders: dict[str, Label]) -> Label | None:
    """Return the link to the lowest folder, below the root of a host, that holds most of some links' addresses."""
    counts: Counter[str] = Counter()
    for label in labels:
        folder = (label.url or "").partition("?")[0]
        while folder.count("/") > ROOT_SLASHES:
            folder = folder[: folder.rstrip("/").rfind("/") + 1]
            if folder in folders or folder.rstrip("/") in folders:
                counts[folder] += 1
    found = [folder for folder, count in counts.items() if count >= MOST * len(labels)]
    if not found:
        return None
    lowest = max(found, key=len)
    if lowest.count("/") <= ROOT_SLASHES:
        return None
    return folders.get(lowest) or folders.get(lowest.rstrip("/"))


def _is_row(first: Label, entries: list[Entry]) -> bool:
    """Tell whether the first cell of a row names the others: words beside links, or a link beside words."""
    rest = [label for entry in entries[1:] for label in entry.forest]
    if len(first.text) > BRIEF or len(entries) > 3 or len(rest) > CELLS:
        return False
    return not (first.is_link and all(label.is_link for label in rest)) and entries[1].tag != ""


def _own(head: Label, entries: list[Entry]) -> Label:
    for entry in entries:
        head.children.extend(entry.forest)
    cover(head)
    return head


def _heads(entries: list[Entry], tag: str) -> list[Label | None]:
    """Return, entry by entry, the label that is a head there."""
    singles: list[Label | None] = []
    ranks: list[int] = []
    pairs = 0
    for i, entry in enumerate(entries):
        single = _single(entry) or _section_head(entries, i)
        singles.append(single)
        ranks.append(single.rank if single is not None and len(single.text) <= 2 * BRIEF else NO_HEAD)
        pairs += i > 0 and singles[i - 1] is not None and _is_list(entry)
    heads: list[Label | None] = []
    for i, single in enumerate(singles):
        if single is None or i + 1 == len(entries) or (single.is_local and ranks[i] > LAST_HEADING):
            heads.append(None)
            continue
        stands_out = ranks[i] <= COLON and not _in_run(ranks, i) and not _is_item(entries, i)
        behind = singles[i + 1]
        if stands_out and behind is not None and is_abbreviation(single, behind):
            stands_out = False
        if ranks[i] <= TERM or stands_out:
            heads.append(single)
        elif (
            _is_list(entries[i + 1])
            and len(single.text) <= 2 * BRIEF
            and (not single.is_link or pairs > 1 or tag in _ITEMS)
            and not _same_before(singles, i)
        ):
            single.rank = PICTURE + 1
            heads.append(single)
        else:
            heads.append(None)
    return heads


def _same_before(singles: list[Label | None], i: int) -> bool:
    """Tell whether the entry before is a label of the same sort: then neither names the list that follows."""
    before = singles[i - 1] if i else None
    this = singles[i]
    return before is not None and this is not None and before.is_link == this.is_link


def _in_run(ranks: list[int], i: int) -> bool:
    """Tell whether labels of one rank stand side by side: then they are a list, and none of them heads anything."""
    return (i > 0 and ranks[i - 1] == ranks[i]) or (i + 1 < len(ranks) and ranks[i + 1] == ranks[i])


def _names_region(entries: list[Entry], heads: list[Label | None]) -> bool:
    """Tell whether the only head of an element stands over heads: then it names the region ("Main menu")."""
    at = next(i for i, head in enumerate(heads) if head is not None)
    owned = [label for entry in entries[at + 1 :] for label in entry.forest]
    return len(owned) > 2 and sum(len(label.children) > 1 for label in owned) >= 0.5 * len(owned)


def _are_menus(labels: list[Label]) -> bool:
    """Tell whether labels have lists of links, most of them: what stands over all is the name of the menu."""
    lists = [label.children for label in labels if len(label.children) > 1]
    are_links = all(
        sum(child.is_link or bool(child.children) for child in children) >= MOST * len(children) for children in lists
    )
    return len(labels) > 2 and len(lists) >= 0.5 * len(labels) and are_links


def _is_item(entries: list[Entry], i: int) -> bool:
    """Tell whether an entry is one of several list items or cells: the current one of a menu is often bold."""
    label = _single(entries[i])
    is_first_text = i == 0 and label is not None and not label.is_link and len(entries) > 2
    if is_first_text and all(entry.forest[0].is_link for entry in entries[1:]):
        return False  # a first item that stands out, and alone is no link, names the list
    return entries[i].tag in _ITEMS and entries[i + 1].tag == entries[i].tag and _single(entries[i + 1]) is not None


def _is_list(entry: Entry) -> bool:
    return entry.tag in _LISTS and (len(entry.forest) > 1 or bool(entry.forest[0].children))


def _are_pairs(labels: list[Label]) -> bool:
    """Tell whether labels are pairs of label and value, most of them."""
    pairs = sum(len(label.children) == 1 and not label.children[0].children for label in labels)
    return pairs >= MOST * len(labels)


def _is_row_of_group(entry: Entry) -> bool:
    is_long = len(entry.forest) > ROW
    if entry.tag in _LISTS or entry.tag == "td" or entry.forest[0].children:
        return False
    return not is_long or _are_pairs(entry.forest[1:])


def _promote_rows(entries: list[Entry]) -> None:
    """In rows that repeat one pattern, let a first label own the rest of its row (outsider promotion, 4.3.3)."""
    rows: list[Entry] = []
    for entry in entries:
        if entry.node >= 0 and len(entry.forest) > 1 and _is_row_of_group(entry):
            rows.append(entry)
    if len(rows) < 2 or 2 * len(rows) < len(entries):
        return
    if len({row.tag for row in rows}) > 1:
        return
    firsts = [row.forest[0] for row in rows]
    # Rows that begin with a link and go on with links are lists of links.
    if sum([row.forest[0].is_link and row.forest[1].is_link for row in rows]) > 0.2 * len(rows):
        return
    if max([len(first.text) for first in firsts]) > BRIEF or len({first.text for first in firsts}) < len(firsts):
        return
    for row in rows:
        first, *rest = row.forest
        first.children = rest
        cover(first)
        row.forest[:] = [first]
