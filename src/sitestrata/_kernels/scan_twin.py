"""Read links, leaves, landmarks and page-wide marks off a page's arrays: specification and fallback of ``scan.pyx``.

``Scanner`` is made once with the vocabulary. ``scan`` makes one pass in document order, in which every node inherits
what its parent passes on; ``labels`` and ``paths`` then write texts for the nodes that are asked for.
The arrays are those of `sitestrata.page.dom.Dom`; what comes out is described at `sitestrata.page.facts`.
"""

import re
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

__all__ = ["FINDS", "MAX_LABEL", "MAX_PATH", "PathTable", "Scan", "Scanner"]

Ints = npt.NDArray[np.int32]

MAX_LABEL = 4096  # bytes; nested links around a long text would multiply it
MAX_PATH = 4096  # bytes, beside the tags; the same for long classes above many links
# What makes a box a part of a page and no mere notice.
PART_LINKS = 3  # a list of links
PART_BYTES = 300  # of text: longer than what a notice says
_PARTS = ("h1", "main", "nav", "header", "footer")
# What is found once a page, by position: nodes, indices of attributes (-1 = none), or counts.
FINDS = (
    "title",  # node of the first title outside SVG
    "heading",  # node of the first h1
    "base",  # attribute: href of the first <base href>
    "canonical",  # attribute: href of the first <link rel=canonical>
    "robots",  # attribute: content of the first <meta name=robots>
    "refresh",  # attribute: content of the first <meta http-equiv=refresh>
    "language",  # attribute: lang of <html>, else its xml:lang
    "content_language",  # attribute: content of <meta http-equiv=content-language>
    "text_length",
    "linked_text_length",
    "table_count",
    "crumbs",  # bits: what may be a breadcrumb given as 1 JSON-LD, 2 microdata, 4 RDFa, 8 aria-label
)

# Bits of the flags of a node; the landmark stands above them.
HIDDEN, SECTIONING = 1, 2
BOLD, ITALIC, HEADING, STYLED, CAPITALS = 4, 8, 16, 32, 64
LANDMARK_SHIFT = 8
_EMPHASIS = BOLD | ITALIC | HEADING | STYLED
# Bits of the tags' roles that matter here (sitestrata.page.vocabulary.Role).
_ROLE_HIDDEN, _ROLE_BLOCK, _ROLE_BOLD, _ROLE_ITALIC, _ROLE_HEADING, _ROLE_SECTIONING = 1, 2, 4, 8, 16, 32
_ROLE_ITEM, _ROLE_BOX = 128, 256

_FOREIGN = _ROLE_BLOCK | _ROLE_BOX  # of an element that HTML does not know

_LANDMARK_ROLES = ("banner", "navigation", "main", "complementary", "contentinfo", "search", "form")
_LANDMARK_TAGS = {
    "nav": "navigation",
    "main": "main",
    "aside": "complementary",
    "search": "search",
    "header": "banner",
    "footer": "contentinfo",
    "form": "form",
}
# Link types of HTML 4.01 (6.12) and their common synonyms that lead to another page of the same work.
_NAVIGATION = frozenset(
    b"next prev previous up parent contents toc index start first begin last end top home chapter section subsection "
    b"appendix glossary help search copyright".split()
)
_BOLD_STYLE = re.compile(rb"font-weight[ \t\r\n\f]*:[ \t\r\n\f]*(?:bold|[6-9]00)", re.IGNORECASE)
_SPACES = b" \t\r\n\f"

# Hashes of names: eight bytes at a time, multiplied and folded. Tags go by their names, so that a path has one hash on
# every page.
_FACTOR, _MASK = 0x9E3779B97F4A7C15, 0xFFFFFFFFFFFFFFFF

Longs = npt.NDArray[np.int64]
# Per node: enclosing hyperlink, flags, hash of the tag path, hash of the path with classes.
# Then edges (node, kind, attribute with the address, attribute rel, landmark), leaves (node, emphasis, enclosing
# hyperlink), the hashes of their tag paths, resources (attributes), finds.
Scan = tuple[Ints, npt.NDArray[np.uint16], Longs, Longs, Ints, Ints, Longs, Ints, Longs]


class Scanner:
    """Reads pages with one vocabulary."""

    def __init__(self, tags: Sequence[str], attributes: Sequence[str], roles: Ints) -> None:
        self._tags = tuple(tags)
        self._tag = {name: number for number, name in enumerate(tags)}
        self._attribute = {name: number for number, name in enumerate(attributes)}
        self._roles = [int(role) for role in roles]
        self._tag_hash = [_hash(name.encode()) for name in tags]
        self._landmark = {self._tag[name]: _LANDMARK_ROLES.index(role) + 1 for name, role in _LANDMARK_TAGS.items()}

    def scan(self, nodes: Ints, attributes: Ints, text: bytes, extra_tags: Sequence[str]) -> Scan:
        """Make one pass over a page."""
        count = nodes.shape[1] - 1
        parents, after, _, tags, starts, ends, _ = (row.tolist() for row in nodes)
        tag = self._tag
        name = self._attribute
        roles = [*self._roles[:-1], *(0 for _ in extra_tags)]
        hashes = [*self._tag_hash, *(_hash(extra.encode()) for extra in extra_tags)]
        hyperlink = (tag["a"], tag["area"])
        link = np.full(count, -1, dtype=np.int32)
        flags = np.zeros(count, dtype=np.uint16)
        tag_path = [0] * count
        class_path = [0] * count
        edges: list[tuple[int, int, int, int]] = []  # node, kind, attribute with the address, attribute rel
        leaves: list[tuple[int, int]] = []
        resources: list[int] = []  # attributes with the address of a file that is part of the page
        finds = dict.fromkeys(FINDS, -1)
        finds.update(text_length=0, linked_text_length=0, table_count=0, crumbs=0)
        found = _Attributes(nodes, attributes, text)
        whole = self.whole(nodes)

        def find(what: str, value: int) -> None:
            if finds[what] < 0 <= value:
                finds[what] = value

        for node in range(count):
            parent, number = parents[node], tags[node]
            inherited = int(flags[parent]) if parent >= 0 else 0
            inside = int(link[parent]) if parent >= 0 else -1
            tag_path[node] = _mix(tag_path[parent] if parent >= 0 else 0, hashes[number])
            class_path[node] = _mix(class_path[parent] if parent >= 0 else 0, hashes[number])
            if number == 0:
                flags[node], link[node] = inherited, inside
                if not inherited & HIDDEN:
                    shown = text[starts[node] : ends[node]].decode().strip()
                    leaves.append((node, (inherited & _EMPHASIS) | _capitals(shown)))
                    finds["text_length"] += len(shown)
                    if inside >= 0:
                        finds["linked_text_length"] += len(shown)
                continue

            role = roles[number]
            own = found.of(node)
            state = inherited
            if role & _ROLE_HIDDEN or name["hidden"] in own or (number == tag["dialog"] and name["open"] not in own):
                state |= HIDDEN
            if role & _ROLE_BOLD:
                state |= BOLD
            if role & _ROLE_ITALIC:
                state |= ITALIC
            if role & _ROLE_HEADING:
                state |= HEADING
            if name["class"] in own:
                words = found.value(own[name["class"]]).split()
                if words and not role & _ROLE_ITEM and not _is_page(parents, after, node, whole):
                    class_path[node] = _mix(class_path[node], _hash(b" ".join(map(_fold_numbers, words))))
                if any(b"bold" in word.lower() for word in words):
                    state |= STYLED
            if name["style"] in own and _BOLD_STYLE.search(found.value(own[name["style"]])):
                state |= STYLED
            state = self._land(number, own, found, state)
            if role & _ROLE_SECTIONING:
                state |= SECTIONING
            if number in hyperlink and name["href"] in own:
                if inside < 0:
                    inside = node
                edges.append((node, int(number == tag["area"]), own[name["href"]], own.get(name["rel"], -1)))
            elif number in (tag["frame"], tag["iframe"]) and name["src"] in own:
                edges.append((node, 2 + (number == tag["iframe"]), own[name["src"]], -1))
            elif number == tag["img"] and not state & HIDDEN and name["alt"] in own:
                shown = found.value(own[name["alt"]]).decode().strip()
                if shown:
                    leaves.append((node, (state & _EMPHASIS) | _capitals(shown)))
            elif number == tag["link"] and name["href"] in own and name["rel"] in own:
                words = found.value(own[name["rel"]]).lower().split()
                if any(b"stylesheet" in word or b"icon" in word for word in words):
                    resources.append(own[name["href"]])
                if b"canonical" in words:
                    find("canonical", own[name["href"]])
                if any(word in _NAVIGATION for word in words):
                    edges.append((node, 5, own[name["href"]], own[name["rel"]]))
            elif number == tag["meta"] and name["content"] in own:
                content = own[name["content"]]
                meta = found.value(own[name["name"]]).lower().strip(_SPACES) if name["name"] in own else b""
                if meta == b"robots":
                    find("robots", content)
                meta = found.value(own[name["http-equiv"]]).lower().strip(_SPACES) if name["http-equiv"] in own else b""
                if meta == b"refresh" and finds["refresh"] < 0:
                    find("refresh", content)
                    edges.append((node, 4, content, -1))
                if meta == b"content-language":
                    find("content_language", content)
            elif number == tag["base"] and name["href"] in own:
                find("base", own[name["href"]])
            elif number == tag["title"]:
                if not any(tags[above] == tag["svg"] for above in _ancestors(parents, node)):
                    find("title", node)
            elif number == tag["h1"]:
                find("heading", node)
            elif number == tag["table"]:
                finds["table_count"] += 1
            elif number == tag["html"] and node == 0:
                find("language", own.get(name["lang"], own.get(name["xml:lang"], -1)))
            for hint, where, bit in (
                (b"breadcrumb", "aria-label", 8),
                (b"breadcrumblist", "itemtype", 2),
                (b"breadcrumblist", "typeof", 4),
            ):
                if name[where] in own and hint in found.value(own[name[where]]).lower():
                    finds["crumbs"] |= bit
            if (
                number == tag["script"]
                and node + 1 < count
                and parents[node + 1] == node
                and b"BreadcrumbList" in text[starts[node + 1] : ends[node + 1]]
            ):
                finds["crumbs"] |= 1
            if number in (tag["img"], tag["script"]) and name["src"] in own:
                resources.append(own[name["src"]])
            flags[node], link[node] = state, inside
        tag_paths = np.array(tag_path, dtype=np.uint64).view(np.int64)
        edge_nodes = [edge[0] for edge in edges]
        leaf_nodes = [leaf[0] for leaf in leaves]
        return (
            link,
            flags,
            tag_paths,
            np.array(class_path, dtype=np.uint64).view(np.int64),
            _rows(*np.array(edges, dtype=np.int32).reshape(-1, 4).T, flags[edge_nodes] >> LANDMARK_SHIFT),
            _rows(*np.array(leaves, dtype=np.int32).reshape(-1, 2).T, link[leaf_nodes]),
            tag_paths[leaf_nodes],
            np.array([index for index in resources if found.is_address(index)], dtype=np.int32),
            np.array([finds[name] for name in FINDS], dtype=np.int64),
        )

    def whole(self, nodes: Ints) -> int:
        """Return the innermost element that holds all of a page: a wrapper around its parts, or the document itself.

        What lies beside it is no part of a page: a notice, a way past the menu, a box that a script fills. On a page
        that has next to nothing everything that is shown counts.
        """
        _, ends, _, tags, starts, stops, _ = (row.tolist() for row in nodes)
        roles = [self._roles[tag] if tag < len(self._tags) else _FOREIGN for tag in tags]
        a, img = self._tag["a"], self._tag["img"]
        landmarks = tuple(self._tag[name] for name in _PARTS)

        def weigh(node: int) -> int:
            """Return 2 for a part of the page, 1 for what shows something, 0 for what does not."""
            links = size = found = 0
            inner = node
            while inner < ends[node]:
                tag = tags[inner]
                if roles[inner] & _ROLE_HIDDEN:
                    inner = ends[inner]
                    continue
                links += tag == a
                size += stops[inner] - starts[inner] if tag == 0 else 0
                if links >= PART_LINKS or size >= PART_BYTES or tag in landmarks:
                    return 2
                if tag in (0, a, img):
                    found = 1
                inner += 1
            return found

        whole = 0
        while True:
            box = [-1, -1, -1]  # the last child of each weight
            count = [0, 0, 0]
            child = whole + 1
            while child < ends[whole] and count[2] < 2:
                if tags[child] == 0 or (roles[child] & _ROLE_BLOCK and not roles[child] & _ROLE_HIDDEN):
                    weight = weigh(child)
                    count[weight] += 1
                    box[weight] = child
                child = ends[child]
            weight = 2 if count[2] else 1
            only = box[weight]
            if count[weight] != 1 or not roles[only] & _ROLE_BOX:
                return whole
            whole = only

    def _land(self, tag: int, own: dict[int, int], found: "_Attributes", state: int) -> int:
        """Return the state with the landmark that an element is, if it is one (ARIA in HTML)."""
        name = self._attribute
        landmark = 0
        if name["role"] in own:
            words = found.value(own[name["role"]]).lower().split()
            word = words[0].decode(errors="replace") if words else ""
            if word in _LANDMARK_ROLES:
                landmark = _LANDMARK_ROLES.index(word) + 1
            elif not word:
                landmark = self._implicit(tag, own, state)
        else:
            landmark = self._implicit(tag, own, state)
        return state if not landmark else (state & ((1 << LANDMARK_SHIFT) - 1)) | landmark << LANDMARK_SHIFT

    def _implicit(self, tag: int, own: dict[int, int], state: int) -> int:
        if tag in (self._tag["header"], self._tag["footer"]) and state & SECTIONING:
            return 0
        if tag == self._tag["form"] and not (self._attribute["aria-label"] in own or self._attribute["title"] in own):
            return 0
        return self._landmark.get(tag, 0)

    def labels(
        self, nodes: Ints, attributes: Ints, text: bytes, wanted: Ints
    ) -> tuple[Ints, bytes, npt.NDArray[np.uint8]]:
        """Return offsets and bytes of the labels of some elements, and where each label was found."""
        found = _Attributes(nodes, attributes, text)
        buffer = bytearray()
        offsets = [0]
        sources = []
        for node in wanted.tolist():
            label, source = self._label(nodes, text, found, node)
            buffer += label
            offsets.append(len(buffer))
            sources.append(source)
        return np.array(offsets, dtype=np.int32), bytes(buffer), np.array(sources, dtype=np.uint8)

    def _label(self, nodes: Ints, text: bytes, found: "_Attributes", node: int) -> tuple[bytes, int]:
        end = int(nodes[1, node])
        name, tag = self._attribute, self._tag
        # What is shown; beside it the texts that stand for pictures.
        shown: list[bytes] = []
        alternatives: list[bytes] = []
        titles: list[bytes] = []
        names: list[bytes] = []
        current = node
        closing: list[int] = []  # ends of open blocks
        while current < end:
            while closing and closing[-1] <= current:
                closing.pop()
                shown.append(b" ")
            number = int(nodes[3, current])
            if number == 0:
                shown.append(text[nodes[4, current] : nodes[5, current]])
                current += 1
                continue
            own = found.of(current)
            for where, values in (("title", titles), ("aria-label", names)):
                if name[where] in own:
                    values.append(found.value(own[name[where]]))
            if number in (tag["img"], tag["area"], tag["image"]) and name["alt"] in own:
                alternatives.append(found.value(own[name["alt"]]))
            role = self._roles[min(number, len(self._tags))]
            is_hidden = role & _ROLE_HIDDEN or name["hidden"] in own
            if current != node and is_hidden:
                if number == tag["title"]:  # of an SVG picture
                    inner = range(current + 1, int(nodes[1, current]))
                    alternatives.extend(text[nodes[4, i] : nodes[5, i]] for i in inner)
                current = int(nodes[1, current])
                continue
            if role & _ROLE_BLOCK:
                shown.append(b" ")
                closing.append(int(nodes[1, current]))
            current += 1
        for source, pieces in ((1, [b"".join(shown)]), (2, alternatives), (3, titles), (4, names)):
            label = " ".join(b" ".join(pieces).decode().split()).encode()
            if label:
                return label[:MAX_LABEL].decode(errors="ignore").rstrip().encode(), source
            if source == 2:
                # Only the first title and the first name: those of the link itself if it has any.
                del titles[1:], names[1:]
        return b"", 0

    def label(self, nodes: Ints, attributes: Ints, text: bytes, node: int) -> str | None:
        """Return the label of an element; None for -1, and where it has none."""
        if node < 0:
            return None
        return self._label(nodes, text, _Attributes(nodes, attributes, text), node)[0].decode() or None

    def value(self, attributes: Ints, text: bytes, index: int) -> str | None:
        """Return the value of an attribute by its index; None for -1."""
        return None if index < 0 else text[attributes[1, index] : attributes[2, index]].decode()

    def texts(self, attributes: Ints, text: bytes, wanted: Ints) -> list[str | None]:
        """Return the values of some attributes, by index; None for -1."""
        _, starts, ends = attributes
        return [None if i < 0 else text[starts[i] : ends[i]].decode() for i in wanted.tolist()]

    def lead(self, edges: Ints, numbers: Ints, fragments: list[str | None]) -> tuple[Ints, Ints, list[str | None]]:
        """Return the edges that lead somewhere: those whose answer has a number of 0 or more."""
        kept = numbers >= 0
        return (
            np.ascontiguousarray(edges[:, kept]),
            numbers[kept],
            [fragment for fragment, number in zip(fragments, numbers.tolist(), strict=True) if number >= 0],
        )

    def gaps(self, nodes: Ints, leaves: Ints, wanted: Ints) -> Ints:
        """Return how much text that is in no hyperlink stands before each of some nodes, after the one before."""
        leaf, _, inside = leaves
        free = leaf[inside < 0]
        length = np.zeros(len(free) + 1, np.int32)
        np.cumsum(nodes[5, free] - nodes[4, free], out=length[1:])
        gap: Ints = np.diff(length[free.searchsorted(wanted)], prepend=np.int32(0))
        return gap

    def distinct(self, hashes: npt.NDArray[np.int64], wanted: Ints) -> npt.NDArray[np.int64]:
        """Return the different hashes of some nodes, sorted."""
        return np.unique(hashes[wanted])

    def path_table(self, nodes: Ints, attributes: Ints, text: bytes, extra_tags: Sequence[str]) -> "PathTable":
        """Return the (still empty) table of the DOM paths of a page."""
        names = [_escape(name.encode()) for name in self._tags]
        names += [_escape(_fold_numbers(name.encode())) for name in extra_tags]
        items = {number for number, role in enumerate(self._roles[:-1]) if role & _ROLE_ITEM}
        found = _Attributes(nodes, attributes, text)
        return PathTable(nodes, found, names, items, self._attribute["id"], self._attribute["class"], self.whole(nodes))


class PathTable:
    """The distinct DOM paths of the nodes that were asked for, numbered in the order of asking.

    Ids and classes count as long as a path has at most MAX_PATH bytes of them; below that only tags are written. Those
    of the document, its body and the wrappers of all the page tell one page from the next, those of items and links one
    from another (the current one, an odd one), and not one place from another: they are left out.
    """

    def __init__(
        self, nodes: Ints, found: "_Attributes", names: list[bytes], items: set[int], id_: int, class_: int, whole: int
    ) -> None:
        self._parents, self._ends, self._tags = nodes[0].tolist(), nodes[1].tolist(), nodes[3].tolist()
        self._whole = whole
        self._found, self._names, self._items, self._id, self._class = found, names, items, id_, class_
        self._known: dict[bytes, int] = {}
        self._of_node: dict[int, tuple[bytes, int]] = {}  # path, and how much of it is ids and classes

    def number(self, wanted: Ints) -> Ints:
        """Return the number of each node's path, entering new ones."""
        return np.array(
            [self._known.setdefault(self._path(node)[0], len(self._known)) for node in wanted.tolist()], dtype=np.int32
        )

    def _path(self, node: int) -> tuple[bytes, int]:
        missing = []
        while node >= 0 and node not in self._of_node:
            missing.append(node)
            node = self._parents[node]
        path, size = (b"", 0) if node < 0 else self._of_node[node]
        for node in reversed(missing):
            marks = b""
            is_bare = self._tags[node] in self._items or _is_page(self._parents, self._ends, node, self._whole)
            own = {} if is_bare else self._found.of(node)
            if self._id in own:
                marks += b"#" + _escape(_fold_numbers(self._found.value(own[self._id])))
            if self._class in own:
                words = self._found.value(own[self._class]).split()
                marks += b"".join(b"." + _escape(_fold_numbers(word)) for word in words)
            if size + len(marks) > MAX_PATH:
                marks = b""
            size += len(marks)
            path += (b"/" if path else b"") + self._names[self._tags[node]] + marks
            self._of_node[node] = path, size
        return path, size

    def __len__(self) -> int:
        """Return the number of distinct paths so far."""
        return len(self._known)

    def __getitem__(self, number: int) -> str:
        """Return a path."""
        return list(self._known)[number].decode()

    def spell(self, wanted: Ints) -> tuple[Longs, bytes]:
        """Return the paths of some numbers: offsets and UTF-8 text."""
        known = list(self._known)
        texts = [known[number] for number in wanted.tolist()]
        return np.cumsum([0, *map(len, texts)], dtype=np.int64), b"".join(texts)


def _is_page(parents: Sequence[int], ends: Sequence[int], node: int, whole: int) -> bool:
    """Tell whether a node stands for the page as a whole: the document element, its body, a wrapper of all parts."""
    return parents[node] < 0 or parents[parents[node]] < 0 or node <= whole < ends[node]


class _Attributes:
    """The attributes of a page's nodes, by number."""

    def __init__(self, nodes: Ints, attributes: Ints, text: bytes) -> None:
        self._first = nodes[6].tolist()
        self._names, self._starts, self._ends = (row.tolist() for row in attributes)
        self._text = text

    def of(self, node: int) -> dict[int, int]:
        """Return name -> index of the attributes of a node."""
        return {self._names[i]: i for i in range(self._first[node], self._first[node + 1])}

    def value(self, index: int) -> bytes:
        return self._text[self._starts[index] : self._ends[index]]

    def is_address(self, index: int) -> bool:
        """Tell whether a value names a file; one that holds it ("data:") is no file that pages share."""
        value = self.value(index)
        return bool(value) and value[:5].lower() != b"data:"


def _rows(*rows: npt.NDArray[np.generic]) -> Ints:
    return np.ascontiguousarray(np.vstack(rows).astype(np.int32))


def _ancestors(parents: list[int], node: int) -> list[int]:
    found = []
    node = parents[node]
    while node >= 0:
        found.append(node)
        node = parents[node]
    return found


def _hash(data: bytes) -> int:
    value = len(data)
    for start in range(0, len(data), 8):
        value = _mix(value, int.from_bytes(data[start : start + 8], "little"))
    return value


def _mix(value: int, step: int) -> int:
    value = ((value ^ step) * _FACTOR) & _MASK
    return value ^ (value >> 32)


def _capitals(shown: str) -> int:
    """Tell whether a text is written in capitals: two or more, and no small letter."""
    if any(char.islower() for char in shown):
        return 0
    return CAPITALS if sum(char.isupper() for char in shown) >= 2 else 0


_ESCAPED = re.compile(rb"[\x00-\x20#%./\x7f]")
_NUMBERS = re.compile(rb"[0-9]+")


def _escape(word: bytes) -> bytes:
    """Percent-encode what would be mistaken for a part of a path."""
    return _ESCAPED.sub(lambda match: b"%%%02X" % match[0][0], word)


def _fold_numbers(word: bytes) -> bytes:
    """Write any number as 0: it tells one thing from another of its kind, and not one kind of place from another."""
    return _NUMBERS.sub(b"0", word)
