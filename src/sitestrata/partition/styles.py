"""The style sheets of a page -> which of its texts stand out by them: bold, or larger than the rest.

Read are the rules that the page itself carries and those of sheets that were captured with it, and of these only
selectors of tags, classes and ids, one inside another. Rules apply in the order of their specificity, then of the
sheets (CSS Cascading 6.1); what they say of an element holds for what is inside, down to the next element of which a
rule says something. Where rules would set off more than half of the page, they set off nothing.

Paper: OntoMiner 4.3.3 (emphasis by a bold class)
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain, islice

import numpy as np
import numpy.typing as npt

from sitestrata.page import TAG_ID, Dom, Emphasis, PageFacts

__all__ = ["is_for_screens", "with_styles"]

MAX_CSS = 400_000  # characters that are read
MAX_SHEETS = 64  # of which the rules are kept
MAX_RULES = 2_000  # selectors with something to say about weight or size
MAX_STEPS = 6  # compounds in a selector
MAX_TRIES = 1_000_000  # comparisons of an element with a compound; beyond, nothing fits
LARGE = 1.2  # times the size of the text around it
ROOT_SIZE = 16.0  # pixels: what browsers take for 1rem
BOLD = 600  # weight
WHOLE = 0.5  # share of the leaves of a page

_SIGN = b"font-"
_MEDIA = re.compile(r"""\bmedia\s*=\s*["']?([^"'>]*)""")
_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_COMPOUND = re.compile(r"(\*|[a-z][a-z0-9]*)?((?:[.#][\w-]+)*)", re.ASCII)
_PART = re.compile(r"([.#])([\w-]+)")
_WEIGHT = re.compile(r"(?:^|;)\s*font-weight\s*:\s*(\w+)")
_SIZE = re.compile(r"(?:^|;)\s*font-size\s*:\s*(?:([\d.]+)\s*(px|pt|em|rem|%)|(\w[\w-]*))")
_SIZES = {"px": ROOT_SIZE, "pt": 12.0, "em": 1.0, "rem": 1.0, "%": 100.0}  # of ordinary text
_LARGE_WORDS = frozenset({"large", "larger", "x-large", "xx-large", "xxx-large"})
_PLAIN_WORDS = frozenset({"medium", "small", "smaller", "x-small", "xx-small", "initial"})


@dataclass(frozen=True, slots=True)
class _Step:
    """One compound of a selector: what an element must be."""

    tag: str  # "" = any
    names: frozenset[str]  # classes and ids, with their sign
    is_parent: bool  # the element of the step before is its parent, not just above it


@dataclass(frozen=True, slots=True)
class _Rule:
    steps: tuple[_Step, ...]
    specificity: tuple[int, int, int]
    is_bold: bool | None
    is_large: bool | None


def with_styles(facts: PageFacts, linked: Sequence[str] = ()) -> PageFacts:
    """Return the page with its leaves emphasised that its style elements and the sheets it links to set off."""
    found = chain.from_iterable(_sheet_rules(sheet) for sheet in (*linked, _css(facts)))
    rules = sorted(islice(found, MAX_RULES), key=lambda rule: rule.specificity)
    if not any(rule.is_bold or rule.is_large for rule in rules):
        return facts
    matcher = _Matcher(facts.dom)
    set_off = np.zeros(len(facts.leaves), dtype=bool)
    for claim in ("is_bold", "is_large"):
        said = np.full(len(facts.dom), -1, dtype=np.int64)  # what the last rule says; -1 = none says anything
        for rule in rules:
            value = getattr(rule, claim)
            if value is not None:
                said[matcher.elements(rule.steps)] = value
        leaves = _inherited(facts.dom, said)[facts.leaves.node] == 1
        if leaves.sum() <= WHOLE * len(leaves):
            set_off |= leaves
    if not set_off.any():
        return facts
    emphasis = facts.leaves.emphasis | np.where(set_off, int(Emphasis.STYLED), 0).astype(np.int32)
    return replace(facts, leaves=replace(facts.leaves, emphasis=emphasis))


def _css(facts: PageFacts) -> str:
    """Return the text of the style elements for screens."""
    left = int(np.count_nonzero(facts.dom.tag == TAG_ID["style"]))
    sheets = []
    at = 0
    source = facts.source
    while left and (at := _find_tag(source, at)) >= 0:
        left -= 1
        opened = source.find(b">", at)
        end = source.find(b"</", opened)
        while end >= 0 and source[end + 2 : end + 7].lower() != b"style":
            end = source.find(b"</", end + 2)
        end = len(source) if end < 0 else end
        sheet = source[opened + 1 : end].lower()
        media = _MEDIA.search(source[at:opened].decode(errors="replace").lower())
        if opened > 0 and _SIGN in sheet and is_for_screens(media[1] if media else ""):
            sheets.append(sheet.decode(errors="replace"))
        at = end
    return "\n".join(sheets)


def _find_tag(source: bytes, at: int) -> int:
    """Return the place of the next style element; those of a page are few, and written in one way."""
    found = source.find(b"<style", at)
    return found if found >= 0 else source.find(b"<STYLE", at)


def is_for_screens(media: str) -> bool:
    """Tell whether a sheet for some media (the attribute) counts when a page is looked at."""
    media = media.strip().lower()
    return not media or "screen" in media or "all" in media


@lru_cache(maxsize=MAX_SHEETS)
def _sheet_rules(css: str) -> tuple[_Rule, ...]:
    """Read a sheet once, however many pages of a site link to it."""
    # Class names are told apart by case, but hardly a page has two that differ in nothing else.
    return tuple(islice(_rules(_COMMENT.sub(" ", css[:MAX_CSS].lower())), MAX_RULES))


def _rules(css: str) -> Iterator[_Rule]:
    """Yield what a style sheet says of weight and size; blocks of @media for screens are opened, others left out."""
    at = 0
    while (brace := css.find("{", at)) >= 0:
        prelude = css[at:brace].rpartition("}")[2].rpartition(";")[2].strip()
        if prelude.startswith("@"):
            is_opened = prelude.startswith(("@media", "@layer", "@supports")) and "print" not in prelude
            at = brace + 1 if is_opened else _behind(css, brace)
            continue
        end = css.find("}", brace)
        end = len(css) if end < 0 else end
        body = css[brace + 1 : end]
        at = end + 1
        if "font-" not in body:
            continue
        is_bold, is_large = _bold(body), _large(body)
        if is_bold is None and is_large is None:
            continue
        for selector in prelude.split(","):
            steps = _steps(selector)
            if steps:
                ids = sum(name[0] == "#" for step in steps for name in step.names)
                classes = sum(len(step.names) for step in steps) - ids
                yield _Rule(steps, (ids, classes, sum(step.tag != "" for step in steps)), is_bold, is_large)


def _behind(css: str, brace: int) -> int:
    """Return the place behind the block that opens at a brace."""
    depth = 0
    for match in re.finditer(r"[{}]", css[brace:]):
        depth += 1 if match[0] == "{" else -1
        if depth == 0:
            return brace + match.end()
    return len(css)


def _bold(body: str) -> bool | None:
    words = _WEIGHT.findall(body)
    if not words:
        return None
    word = words[-1]  # the last one counts
    if word.isdecimal():
        return int(word) >= BOLD
    return {"bold": True, "bolder": True, "normal": False, "lighter": False}.get(word)


def _large(body: str) -> bool | None:
    sizes = _SIZE.findall(body)
    if not sizes:
        return None
    number, unit, word = sizes[-1]
    if word:
        return True if word in _LARGE_WORDS else False if word in _PLAIN_WORDS else None
    try:
        return float(number) >= LARGE * _SIZES[unit]
    except ValueError:
        return None


def _steps(selector: str) -> tuple[_Step, ...]:
    """Read a selector; () if it asks for more than tags, classes and ids."""
    steps: list[_Step] = []
    is_parent = False
    for word in selector.replace(">", " > ").split():
        if word == ">":
            is_parent = True
            continue
        match = _COMPOUND.fullmatch(word)
        if match is None or len(steps) == MAX_STEPS:
            return ()
        names = frozenset(sign + name for sign, name in _PART.findall(match[2]))
        steps.append(_Step("" if match[1] in (None, "*") else match[1], names, is_parent))
        is_parent = False
    return tuple(steps)


class _Matcher:
    """Finds the elements that a selector means."""

    def __init__(self, dom: Dom) -> None:
        self.dom = dom
        self.parent = dom.parent.tolist()
        self.left = MAX_TRIES
        self.names: dict[int, set[str]] = {}
        self.bearers: dict[str, list[int]] = {}
        for attribute, sign in (("class", "."), ("id", "#")):
            for node in dom.having(attribute):
                for word in set((dom.attribute(node, attribute) or "").lower().split()):
                    self.names.setdefault(node, set()).add(sign + word)
                    self.bearers.setdefault(sign + word, []).append(node)

    def elements(self, steps: tuple[_Step, ...]) -> list[int]:
        """Return the elements that the last step means, inside those of the others."""
        last = steps[-1]
        if last.names:
            rarest = min(sorted(last.names), key=lambda name: len(self.bearers.get(name, ())))
            nodes = self.bearers.get(rarest, [])
        else:
            nodes = self.tagged(last.tag)
        return [node for node in nodes if self.fits(node, last) and self.stands_inside(node, steps)]

    def tagged(self, tag: str) -> list[int]:
        """Return the elements of a tag."""
        return self.dom.find(tag) if tag in TAG_ID else []

    def fits(self, node: int, step: _Step) -> bool:
        """Tell whether an element is what a step asks for."""
        self.left -= 1
        if self.left < 0:
            return False
        if step.tag and self.dom.tag_name(node) != step.tag:
            return False
        return step.names <= self.names.get(node, set())

    def stands_inside(self, node: int, steps: tuple[_Step, ...]) -> bool:
        """Tell whether elements above a node fit the steps before the last, the nearest taken first."""
        must_be_parent = steps[-1].is_parent
        above = self.parent[node]
        for step in reversed(steps[:-1]):
            while above >= 0 and not self.fits(above, step):
                if must_be_parent:
                    return False
                above = self.parent[above]
            if above < 0:
                return False
            above, must_be_parent = self.parent[above], step.is_parent
        return True


def _inherited(dom: Dom, said: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Hand what is said of an element down to what is inside it, up to the next of which something is said."""
    for node in np.flatnonzero(said >= 0).tolist():  # in document order: the inner one comes later
        inside = said[node + 1 : int(dom.end[node])]
        inside[inside < 0] = -2 - said[node]
    return np.where(said <= -2, -2 - said, said)
