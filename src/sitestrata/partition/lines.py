"""A line of a page -> its labels: pieces that belong together are joined, and a leading one stands over the others.

Paper: OntoMiner 4.3.3
"""

__all__ = ["Label", "cover", "cover_all", "is_abbreviation", "line_forest", "make_label", "words"]

# Ranks of heads: a head owns what follows it, up to the next head of its rank or a higher one (a smaller number).
LAST_HEADING = 6
TERM = 7  # dt, legend, summary, th, caption
BOLD = 8
CAPITALS = 9
COLON = 10
PICTURE = 11  # an image with a text, before a list
NO_HEAD = 99

WORD = 4  # letters; fewer in capitals are an abbreviation
BRIEF = 60  # characters of a label; longer texts are sentences
PROSE = 160  # characters of text in one block from which on it is running text
SEPARATOR = 6  # characters of text between two links that only keeps them apart

COLONS = (":", "：")
OPENERS = "([{–—-|:："


class Label:
    """A label and what stands under it."""

    __slots__ = (
        "children",
        "end",
        "first",
        "fragment",
        "is_link",
        "is_local",
        "is_opened",
        "is_picture",
        "kind",
        "node",
        "rank",
        "text",
        "url",
    )

    text: str
    url: str | None
    node: int
    first: int  # leaves
    end: int
    rank: int  # of a head
    is_link: bool
    is_picture: bool
    is_opened: bool  # a bracket or dash behind it opens what it names
    is_local: bool  # a link to a place on the same page
    fragment: str  # of the link: its place on the page, which ``url`` leaves out
    children: list["Label"]
    kind: str


def make_label(text: str, url: str | None, node: int, first: int, end: int, rank: int) -> Label:
    """Return a label with nothing under it; a function, since compiled it takes half the time of a constructor."""
    label = Label.__new__(Label)
    label.text = text
    label.url = url
    label.node = node
    label.first = first
    label.end = end
    label.rank = rank
    label.is_link = label.is_picture = label.is_opened = label.is_local = False
    label.fragment = ""
    label.children = []
    label.kind = "leaf"
    return label


def cover(label: Label) -> None:
    """Let a label reach to the end of what stands under it."""
    if label.children:
        label.end = max(label.end, label.children[-1].end)


def cover_all(label: Label) -> None:
    """Let a label, and all that stand under it, reach to the end of what stands under them."""
    below = [label]
    for one in below:
        below.extend(one.children)
    for one in reversed(below):
        cover(one)


def words(text: str) -> str:
    """Return a text for comparison: white space and case do not count."""
    return " ".join(text.casefold().split())


def line_forest(pieces: list[Label]) -> list[Label]:
    """Turn the pieces of one line into labels: join what belongs together, find a leading label."""
    items: list[Label] = []
    for piece in pieces:
        if piece.text and not piece.is_link and piece.text[-1] in OPENERS:
            piece.is_opened = True
        if not _says_something(piece.text):
            if items and piece.is_opened:
                items[-1].is_opened = True
            if items and piece.text and not piece.is_link and piece.text[0] in ":：" and not items[-1].is_link:
                items[-1].rank = min(items[-1].rank, COLON)
            continue
        last = items[-1] if items else None
        if last is not None and _belong_together(last, piece):
            last.text = f"{last.text} {piece.text}"
            last.end = piece.end
            if last.text.endswith(COLONS):
                last.rank = min(last.rank, COLON)
        else:
            items.append(piece)
    if len(items) > 1 and _has_picture(items):  # beside a text it says the same, or decorates it
        shown = "\n".join([words(item.text) for item in items if not item.is_picture])
        items = [item for item in items if not (item.is_picture and words(item.text) in shown)]
    if len(items) < 2:
        return items
    texts = [item for item in items if not item.is_link]
    first, rest = items[0], items[1:]
    if sum([len(item.text) for item in texts]) > PROSE:
        if first.text.endswith(COLONS) and len(first.text) <= BRIEF:  # a label is set before it
            return _flat_heads(items)
        return _free_text(items, not pieces[-1].is_link)
    if _leads(first, rest):
        first.children = _flat_heads(rest)
        first.end = rest[-1].end
        return [first]
    return _flat_heads(items)


def is_abbreviation(label: Label, behind: Label) -> bool:
    """Tell whether a label in capitals does not stand out: a link before a link, or short or with digits ("OR", "MTB").

    Before a value such a one names it ("EUR 73.67").
    """
    if label.rank != CAPITALS:
        return False
    if label.is_link and behind.is_link:
        return True
    return (len(label.text) < WORD or _has_digit(label.text)) and not _has_digit(behind.text)


def _has_digit(text: str) -> bool:
    for char in text:  # noqa: SIM110  (compiled functions hold no generators)
        if char.isdecimal():
            return True
    return False


def _free_text(items: list[Label], goes_on: bool) -> list[Label]:
    """Return running text as one label (free text is not analysed further, OntoMiner 4.1).

    A link or a word that stands out before it stays a label, and so does a link behind its end ("Read more").
    """
    begin, end = 0, len(items)
    while begin < end and (items[begin].is_link or items[begin].rank <= COLON or items[begin].is_picture):
        begin += 1
    if items[-1].is_link and not goes_on:
        end -= 1
    if end - begin < 2:
        return items
    text = " ".join([item.text for item in items[begin:end]])
    whole = make_label(text, None, items[begin].node, items[begin].first, items[end - 1].end, NO_HEAD)
    return [*items[:begin], whole, *items[end:]]


def _has_picture(items: list[Label]) -> bool:
    for item in items:  # noqa: SIM110  (compiled functions hold no generators)
        if item.is_picture:
            return True
    return False


def _says_something(text: str) -> bool:
    for char in text:  # noqa: SIM110  (compiled functions hold no generators)
        if char.isalnum():
            return True
    return False


def _belong_together(last: Label, piece: Label) -> bool:
    if last.is_picture or piece.is_picture:
        return False
    if last.is_link != piece.is_link:
        return False
    if last.is_link:
        return last.url is not None and last.url == piece.url and last.fragment == piece.fragment
    return (last.rank >= COLON) == (piece.rank >= COLON) and last.rank != COLON


def _leads(first: Label, rest: list[Label]) -> bool:
    """Tell whether the first piece of a line names the others."""
    if len(first.text) > BRIEF or first.is_picture:
        return False
    if is_abbreviation(first, rest[0]):
        return False
    if first.rank < COLON + 1:
        return min([item.rank for item in rest]) > first.rank or first.rank == COLON
    if first.is_link:
        return False
    between = [len(item.text) for item in rest if not item.is_link]
    return first.is_opened and len(between) < len(rest) and max(between, default=0) <= SEPARATOR


def _flat_heads(items: list[Label]) -> list[Label]:
    """Let labels inside a line (``Born: 1912 Died: 1954``) own what follows them.

    Where the line begins with other words, a word that stands out without a colon is part of a sentence.
    """
    out: list[Label] = []
    head: Label | None = None
    is_text = items[0].rank > COLON and not items[0].is_link
    for item in items:
        is_label = item.rank <= COLON and not (is_text and not item.text.endswith(COLONS) and item.rank != COLON)
        if is_label and not item.is_link and len(item.text) <= BRIEF:
            head = item
            out.append(item)
        elif head is not None and head.rank < item.rank:
            head.children.append(item)
            head.end = item.end
        else:
            out.append(item)
    return out
