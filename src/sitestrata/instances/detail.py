"""Pages of one kind -> what differs between them: the values of a record, with the labels they stand under.

A *label place* holds texts that most pages repeat; everything else is a value place. A value belongs to the label
before it if both stand in one container, and all values of a label stand at the same kind of place: so "Cast" takes the
names and not the roles behind them. What a value place looks like over many pages (how often, how long, how varied, how
early on the page) tells record values from reviews, advertisements and lists of other records.

Paper: OntoMiner 6.1-6.3

Difference from the paper: it aligns two pages (`sitestrata.instances.align`); here the template grows from many.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from sitestrata.instances.places import PagePlaces, common_ancestor
from sitestrata.partition.pairs import is_page_alike

__all__ = [
    "FEATURES",
    "DetailTemplate",
    "Found",
    "Slot",
    "SlotKey",
    "learn_template",
    "read_record",
    "slot_chances",
    "slot_features",
]

LABEL_SHARE = 0.7  # of the pages that have a place: how many repeat its texts, on average, if it holds labels
MAX_LABEL = 80  # characters
MAX_VALUE = 400  # characters; longer texts are prose
MIN_PAGES = 2
KEPT = 0.05  # the least chance of being a record's value; see WEIGHTS
CROWD = 5  # values a page without a label that make a list of other things (docs/results-ontology.md)
MOST = 0.5  # share of the pages that print a text which says nothing of one of them; of values that link other records

_DIGIT = re.compile(r"\d")
_CLASSES = re.compile(r"\.[^\[]*")

SlotKey = tuple[int, str]  # place of the value, label in front of it or ""

FEATURES = (
    "support",  # share of the pages that have the slot
    "crowd",  # values a page, logarithm
    "label",  # share of values with a label
    "length",  # characters, in hundreds
    "distinct",  # share of different values
    "link",
    "digits",
    "order",  # how far behind the first varying text of the page
    "heading",
    "again",  # share that stand on the page more than once
    "shared",  # share that stand on other pages too
    "place crowd",  # texts a page at the place, whatever the label; logarithm
    "title",  # share that are part of the page's title
    "constant",  # share that are values on most pages
    "alike",  # share that link another page of the page's own kind
)
# Logistic weights over FEATURES and an intercept, by bench/fit_slots.py on pages of eight kinds of records; what the
# last two tell is told by rule.
WEIGHTS = (2.57, -0.9, 0.39, -2.13, 0.3, -0.1, -0.95, -3.04, 0.26, 0.43, -2.44, -0.1, 1.84, 0.0, 0.0)
INTERCEPT = -1.46
_CROWD, _LABEL, _PLACE_CROWD, _CONSTANT, _ALIKE = map(
    FEATURES.index, ("crowd", "label", "place crowd", "constant", "alike")
)


@dataclass(frozen=True, slots=True)
class Slot:
    """One place of a record, and how likely it holds values of the record."""

    place: int
    path: str
    label: str
    chance: float
    pages: int


@dataclass(frozen=True, slots=True)
class DetailTemplate:
    """What pages of one kind have in common, and where they differ."""

    label_places: frozenset[int]
    slots: dict[SlotKey, Slot]
    name_place: int | None  # where the record's name stands
    paths: dict[int, str]


@dataclass(frozen=True, slots=True)
class Found:
    """A value on a page: leaves by their number."""

    label: int | None
    value: int
    last: int  # the value is printed in leaves ``value`` to ``last``

    def text(self, page: PagePlaces) -> str:
        """Return the value as it is printed."""
        return " ".join(page.texts[self.value : self.last + 1])


def learn_template(pages: Sequence[PagePlaces]) -> DetailTemplate:
    """Learn the template of some pages of one kind."""
    labels = label_places(pages)
    keys, features = slot_features(pages, labels)
    chance = slot_chances(features)
    counts = np.rint(features[:, 0] * len(pages)).astype(int).tolist()  # of the pages, by slot
    paths = {place: path for page in pages for place, path in page.paths.items()}
    slots = {
        key: Slot(key[0], paths[key[0]], key[1], share, count)
        for key, share, count in zip(keys, chance.tolist(), counts, strict=True)
    }
    return DetailTemplate(labels, slots, _name_place(pages, labels), paths)


def label_places(pages: Sequence[PagePlaces]) -> frozenset[int]:
    """Return the places whose texts the pages repeat."""
    having: Counter[tuple[int, str]] = Counter()
    on: Counter[int] = Counter()
    for page in pages:
        having.update(set(zip(page.place.tolist(), page.texts, strict=True)))
        on.update(set(page.place.tolist()))
    repeated: Counter[int] = Counter()
    total: Counter[int] = Counter()
    for page in pages:
        for place, text in zip(page.place.tolist(), page.texts, strict=True):
            repeated[place] += having[place, text]
            total[place] += 1
    return frozenset(
        place
        for place, count in total.items()
        if on[place] >= MIN_PAGES and repeated[place] / count / on[place] >= LABEL_SHARE
    )


def read_values(page: PagePlaces, labels: frozenset[int]) -> Iterator[Found]:
    """Yield the values of a page in document order, each with the label that governs it."""
    dom = page.dom
    places, lasts, headers, nodes = (c.tolist() for c in (page.place, page.last, page.header, page.node))
    label: int | None = None
    container = -1  # holds the label and its first value
    kind = ""  # of the place of its first value
    done = -1  # the last leaf of a value
    for leaf, text in enumerate(page.texts):
        if leaf <= done or not any(char.isalnum() for char in text) or _is_caption(page, leaf):
            continue
        place, last, header, node = places[leaf], lasts[leaf], headers[leaf], nodes[leaf]
        if header == leaf or (place in labels and (last == leaf or labels.issuperset(places[leaf : last + 1]))):
            if len(text) <= MAX_LABEL and any(char.isalpha() for char in text):
                label, container = leaf, -1
            continue
        if len(text) > MAX_VALUE:
            continue
        done = last
        if header >= 0:
            yield Found(header, leaf, last)
            continue
        if label is not None and container < 0:
            container, kind = common_ancestor(dom, nodes[label], node), kind_of_place(page.paths[place])
        governed = label is not None and node < int(dom.end[container]) and kind_of_place(page.paths[place]) == kind
        yield Found(label if governed else None, leaf, last)


@lru_cache(maxsize=1 << 14)
def kind_of_place(path: str) -> str:
    """Return a place without all classes but the last: rows are often classed odd and even."""
    *above, last = path.split("/")
    return "/".join([_CLASSES.sub("", step) for step in above] + [last])


def _is_caption(page: PagePlaces, leaf: int) -> bool:
    """Tell whether a leaf is a picture whose text the next leaf says again."""
    is_picture = not page.dom.is_text(int(page.node[leaf]))
    return is_picture and leaf + 1 < len(page.texts) and page.texts[leaf + 1] == page.texts[leaf]


def _slots(page: PagePlaces, labels: frozenset[int]) -> Iterator[tuple[SlotKey, Found]]:
    for found in read_values(page, labels):
        label = "" if found.label is None else page.texts[found.label]
        yield (int(page.place[found.value]), label), found


def slot_features(pages: Sequence[PagePlaces], labels: frozenset[int]) -> tuple[list[SlotKey], npt.NDArray[np.float64]]:
    """Describe the slots of some pages: one row of FEATURES each."""
    rows: dict[SlotKey, list[tuple[int, int]]] = defaultdict(list)  # (page, leaf)
    crowd: Counter[int] = Counter()
    at: dict[int, set[int]] = defaultdict(set)
    printed: Counter[str] = Counter()  # pages
    said: Counter[str] = Counter()  # pages that have it for a value
    first = []
    for number, page in enumerate(pages):
        leaves = list(_slots(page, labels))
        first.append(leaves[0][1].value if leaves else 0)
        for key, found in leaves:
            rows[key].append((number, found.value))
            crowd[key[0]] += 1
            at[key[0]].add(number)
        printed.update(set(page.texts))
        said.update({page.texts[found.value] for _, found in leaves})
    again = [Counter(page.texts) for page in pages]
    keys = sorted(rows)
    table = np.zeros((len(keys), len(FEATURES)))
    for index, key in enumerate(keys):
        places = rows[key]
        texts = [pages[page].texts[leaf] for page, leaf in places]
        having = len({page for page, _ in places})
        table[index] = (
            having / len(pages),
            np.log1p(len(places) / having),
            float(key[1] != ""),
            np.mean([min(len(text), MAX_VALUE) for text in texts]) / 100,
            len(set(texts)) / len(texts),
            np.mean([pages[page].link[leaf] is not None for page, leaf in places]),
            np.mean([len(_DIGIT.findall(text)) / len(text) for text in texts]),
            np.mean([(leaf - first[page]) / len(pages[page]) for page, leaf in places]),
            np.mean([pages[page].is_heading[leaf] for page, leaf in places]),
            np.mean([again[page][text] > 1 for (page, _), text in zip(places, texts, strict=True)]),
            np.mean([printed[text] > 1 for text in texts]),
            np.log1p(crowd[key[0]] / len(at[key[0]])),
            np.mean([text in pages[page].title for (page, _), text in zip(places, texts, strict=True)]),
            np.mean([said[text] > MOST * len(pages) for text in texts]),
            np.mean([is_page_alike(pages[page].link[leaf], pages[page].url) for page, leaf in places]),
        )
    return keys, table


def slot_chances(features: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return how likely each described slot holds values of the record.

    Without a label, lists and what most pages print hold none; nor do lists of links to other records, and without a
    label two such links are a list.
    """
    chance: npt.NDArray[np.float64] = 1 / (1 + np.exp(-(features @ np.array(WEIGHTS) + INTERCEPT)))
    has_label = features[:, _LABEL] > 0
    is_list = ~has_label & (features[:, _CROWD] >= np.log1p(CROWD))
    is_frame = ~has_label & (features[:, _CONSTANT] >= MOST)
    are_others = (features[:, _ALIKE] >= MOST) & (
        features[:, _PLACE_CROWD] >= np.where(has_label, np.log1p(CROWD), np.log1p(2))
    )
    return np.where(is_list | is_frame | are_others, 0.0, chance)


def _name_place(pages: Sequence[PagePlaces], labels: frozenset[int]) -> int | None:
    """Return the place whose texts are most often part of the title, differ from page to page, and stand alone."""
    having: dict[int, list[tuple[str, bool]]] = defaultdict(list)
    for page in pages:
        alone = Counter(page.place.tolist())
        for place, text in zip(page.place.tolist(), page.texts, strict=True):
            if place not in labels and alone[place] == 1 and any(char.isalpha() for char in text):
                having[place].append((text, text in page.title))
    best: tuple[float, int] | None = None
    for place, texts in having.items():
        if len(texts) < MIN_PAGES:
            continue
        distinct = len({text for text, _ in texts}) / len(pages)
        titled = sum(is_in * len(text) for text, is_in in texts) / sum(len(text) for text, _ in texts)
        score = distinct * titled
        if score > 0 and (best is None or (score, -place) > (best[0], -best[1])):
            best = (score, place)
    return best[1] if best else None


def read_record(page: PagePlaces, template: DetailTemplate, *, least: float = KEPT) -> tuple[int | None, list[Found]]:
    """Return the leaf that names a page's record, and the record's values, by a template that may be older."""
    name = next((leaf for leaf, place in enumerate(page.place.tolist()) if place == template.name_place), None)
    usual = _usual(template.slots)
    kept = [
        found
        for key, found in _slots(page, template.label_places)
        if (template.slots[key].chance if key in template.slots else usual.get(key[0], 0.0)) >= least
    ]
    return name, kept


def _usual(slots: Mapping[SlotKey, Slot]) -> dict[int, float]:
    """Return for each place the mean chance of its slots: for labels that no learning page had."""
    chances: dict[int, list[float]] = defaultdict(list)
    for slot in slots.values():
        chances[slot.place].append(slot.chance)
    return {place: sum(some) / len(some) for place, some in chances.items()}
