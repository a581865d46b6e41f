"""The parts a sample web is made of: pages, menus, sites, groups of sites, and what a visit to it yields.

A group is what is built in one go: one site, or several that belong together (an organisation, a shared host, sisters).
Groups are built when their turn comes and forgotten afterwards, so memory does not grow with the size of the web.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any
from zlib import crc32

from sitestrata.sample.vocabulary import SYLLABLES, interface_labels

if TYPE_CHECKING:
    from sitestrata.sample.theme import Theme

__all__ = ["Capture", "Entry", "Frame", "Group", "Menu", "Node", "Plan", "Site", "mix", "nonsense"]

_MASK = (1 << 64) - 1


@lru_cache(maxsize=20_000)
def nonsense(label: str) -> str:
    """Return as many meaningless words as the label has, always the same for the same label."""
    state = mix(crc32(label.encode()), len(label))
    words = []
    for _ in label.split():
        state = mix(state)
        words.append(_nonsense_word(state))
    return " ".join(words)


def _nonsense_word(state: int) -> str:
    count = 2 + state % 2
    word = "".join(SYLLABLES[(state >> 8 * (k + 1)) % len(SYLLABLES)] for k in range(count))
    return word.capitalize()


def mix(*numbers: int) -> int:
    """Hash integers to 63 bits (splitmix64 over each), the same on every machine."""
    state = 0x9E3779B97F4A7C15
    for number in numbers:
        state = (state ^ number) & _MASK
        state = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        state = ((state ^ (state >> 27)) * 0x94D049BB133111EB) & _MASK
        state ^= state >> 31
    return state >> 1


@dataclass(frozen=True, slots=True)
class Capture:
    """One answer of the sample web, as a crawler would store it."""

    url: str
    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes


class Node:
    """One page of a site, or one address that the site links and the crawl did not get."""

    __slots__ = (
        "captured",
        "children",
        "concept",
        "folder",
        "frame",
        "host",
        "items",
        "kind",
        "label",
        "language",
        "local",
        "number",
        "parent",
        "path",
        "rank",
        "schema",
        "seed",
        "series",
        "site",
        "slot",
        "status",
        "subsite",
        "toc",
        "url",
    )

    def __init__(self, site: Site, number: int, kind: str, label: str, host: str, path: str, parent: Node | None):
        self.site = site
        self.number = number
        self.kind = kind
        self.label = label
        self.host = host  # with scheme: "https://www.example"
        self.path = path
        self.folder = path[: path.rfind("/", 0, (path.find("?") + 1 or len(path) + 1) - 1) + 1]
        self.url = host + path
        self.parent = parent
        self.children: list[Node] = []
        self.language = site.language
        self.subsite = ""
        self.concept: str | None = None
        self.captured = True
        self.status = 200
        self.seed = mix(site.seed, number)
        self.frame: Frame | None = None
        self.local: Menu | None = None
        self.toc: Menu | None = None
        self.items: list[Node] = []  # what a listing shows
        self.series: list[Node] | None = None  # pages of one listing, parts of one document, or a page chain
        self.rank = 0  # place in the series
        self.slot = ""  # what the page is across versions and languages
        self.schema: tuple[str, ...] = ()  # attributes of the record the page is about


@dataclass(slots=True)
class Entry:
    """One item of a menu, with the items below it."""

    label: str
    target: Node | str | None  # a string is an address outside the site
    children: list[Entry] = field(default_factory=list)
    alias: str | None = None  # another address of the target, printed instead

    @property
    def url(self) -> str | None:
        """Return the address the item leads to."""
        if self.alias is not None:
            return self.alias
        return self.target.url if isinstance(self.target, Node) else self.target


class Menu:
    """One menu with its role; a varying one has other items on every page."""

    __slots__ = ("entries", "heading", "key", "pages", "panels", "role", "site", "style", "targets", "varies")

    def __init__(self, key: str, role: str, entries: list[Entry], *, site: str | None, varies: bool = False):
        self.heading: str | None = None
        self.targets: frozenset[int] | None = None  # identities of the pages it leads to, once it is complete
        self.key = key
        self.role = role
        self.entries = entries
        self.site = site
        self.varies = varies
        self.style = ""  # markup, drawn by the theme when first shown
        self.panels = False  # drop-downs stand in containers of their own behind the bar
        self.pages = 0

    def flat(self) -> Iterator[tuple[Entry, int]]:
        """Yield items with their level in document order."""
        if self.panels:
            for entry in self.entries:
                yield entry, 0
            for entry in self.entries:
                for child in entry.children:
                    yield from _descend(child, 1)
        else:
            for entry in self.entries:
                yield from _descend(entry, 0)


def _descend(entry: Entry, level: int) -> Iterator[tuple[Entry, int]]:
    yield entry, level
    for child in entry.children:
        yield from _descend(child, level + 1)


@dataclass(slots=True)
class Frame:
    """What a set of pages shows around its content."""

    theme: Theme
    home: Node
    main: Menu | None = None
    bar: Menu | None = None
    footers: list[Menu] = field(default_factory=list)
    utility: Menu | None = None
    social: Menu | None = None
    cloud: Menu | None = None
    crumbs: Menu | None = None
    pager: Menu | None = None
    languages: Menu | None = None
    versions: Menu | None = None
    logo: str = ""  # the address the logo leads to, where it is not the plain one
    cache: dict[Any, Any] = field(default_factory=dict)


class Site:
    """One logical website."""

    def __init__(self, group: Group, key: str, kind: str, name: str, language: str, seed: int):
        self.group = group
        self.key = key
        self.kind = kind
        self.name = name
        self.language = language
        self.seed = seed
        self.owner = key
        self.domain: str | None = None
        self.parent: str | None = None
        self.menu_kind = "none"
        self.main: Menu | None = None
        self.nodes: list[Node] = []
        self.frames: list[Frame] = []
        self.menus: list[Menu] = []
        self.variants: dict[tuple[str, str], Node] = {}
        self.subsites: dict[str, str] = {}  # subsite -> shared, own
        self.aliases: list[tuple[str, str, Node]] = []
        self.compounds: list[tuple[Node, list[Node]]] = []
        self.label_cache: dict[tuple[str, str], str] = {}
        self.quota = 0
        self.chance: Any = None  # the site's own random numbers while it is built
        self.concept_labels: dict[str, set[str]] = {}
        self.is_a: set[tuple[str, str]] = set()
        self.out_links: list[tuple[str, str]] = []  # (label, address) on other sites
        self.scheme = "https"
        self.suffix = "dirs"  # how addresses are formed
        self.pool: list[Node] = []  # pages that running text links to
        self.length = 1.0  # how much text its pages carry
        self.link_rate = 1.0  # how many links its text carries
        self.table_rate = 0.15
        self.prefix = "/"
        self.host = ""
        self.addresses: set[str] = set()

    @property
    def home(self) -> Node:
        """Return the entry page."""
        return self.nodes[0]

    def say(self, label: str) -> str:
        """Return a label as this web prints it: in the hard mode a nonsense word, the same for the same label."""
        return nonsense(label) if self.group.hard else label

    def ui(self, key: str) -> str:
        """Return the site's wording of an interface label."""
        return self.word(key, self.language)

    def word(self, key: str, language: str) -> str:
        """Return the site's wording of an interface label in one of its languages."""
        cached = self.label_cache.get((language, key))
        if cached is None:
            wordings = interface_labels(key, language)
            cached = self.say(wordings[mix(self.seed, crc32(key.encode())) % len(wordings)])
            self.label_cache[language, key] = cached
        return cached


@dataclass(frozen=True, slots=True)
class Plan:
    """What is decided about a group before it is built; small, because all plans are held."""

    number: int
    kind: str
    pages: int
    seed: int
    name: str
    host: str  # scheme and host of the main entry page
    language: str
    prefix: str = "/"  # folder of the main site; not "/" on a platform that many share

    @property
    def home(self) -> str:
        """Return the address of the group's main entry page."""
        return f"{self.host}{self.prefix}"


@dataclass(slots=True)
class Group:
    """Sites that are built together."""

    plan: Plan
    hard: bool
    sites: list[Site] = field(default_factory=list)
    bars: list[Menu] = field(default_factory=list)
