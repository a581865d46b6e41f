"""Label trees -> the lexicon of a domain: every label with where it is printed, by whom, and what it links to.

Everything the collection itself can tell about a label is gathered here once: its owners, its targets, its neighbours,
the words it is made of, and which of these words only tie others together or only repeat the name of the site.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import unquote, urlsplit

from sitestrata.model import TreeNode
from sitestrata.taxonomy.trees import SiteTree, naming
from sitestrata.taxonomy.words import common_language, fold, readable, stems, words

__all__ = ["JOINTS", "LabelUse", "Lexicon", "build_lexicon", "joining_words", "link_words"]

# A word that stands between others is set in small letters in most of the labels that have another word in capitals
# ("Calendar of Events", "Museos y galerías"): typography tells it without a list of words.
SMALL_SHARE = 0.8
SMALL_TIMES = 3
LONGEST_LINK_WORD = 4
JOINTS = re.compile(r"\s*[&/,+]\s*")  # between the things that a label names at once
UNDECLARED = "en"  # the language of a collection in which no page declares one
LONGEST_TITLE = 7  # words; what is longer is a sentence
_BRACKETS = re.compile(r"\s+[(\[].*$")  # a remark behind the label
_TOKEN = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")


@dataclass(slots=True)
class LabelUse:
    """One label and its uses."""

    label: str  # folded
    shown: Counter[str] = field(default_factory=Counter)
    languages: Counter[str] = field(default_factory=Counter)
    owners: set[str] = field(default_factory=set)
    targets: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))  # by owner
    places: list[tuple[int, int]] = field(default_factory=list)  # (tree, node)

    @property
    def language(self) -> str | None:
        """The language of most pages that print it."""
        return min(self.languages, key=lambda name: (-self.languages[name], name)) if self.languages else None

    @property
    def form(self) -> str:
        """How it is most often printed; mixed case rather than capitals."""
        return min(self.shown, key=lambda text: (text.isupper(), -self.shown[text], text))


@dataclass(slots=True)
class Lexicon:
    """All labels of some trees."""

    trees: Sequence[SiteTree]
    uses: dict[str, LabelUse]
    link_words: frozenset[str]  # words that only tie others together
    own_words: dict[str, frozenset[str]]  # owner -> stems of its own name
    language: str | None  # of pages that declare none
    _stems: dict[str, tuple[str, ...]] = field(default_factory=dict, repr=False)  # every evidence asks for them

    def stems(self, label: str) -> tuple[str, ...]:
        """Return the stems of a label without the words that only tie others together."""
        found = self._stems.get(label)
        if found is None:
            found = self._stems[label] = self._find_stems(label)
        return found

    def _find_stems(self, label: str) -> tuple[str, ...]:
        language = self.uses[label].language if label in self.uses else None
        found = stems(label, language or self.language)
        kept = tuple(stem for stem, word in zip(found, words(label), strict=True) if word not in self.link_words)
        return kept or found

    def own_stems(self, label: str) -> tuple[str, ...]:
        """Return the stems that are left without remarks in brackets and without the name of the site."""
        found = self.stems(_BRACKETS.sub("", label) or label)
        owners = self.uses[label].owners
        kept = tuple(stem for stem in found if not all(stem in self.own_words.get(owner, ()) for owner in owners))
        return kept or found


def build_lexicon(trees: Sequence[SiteTree], *, language: str | None = None) -> Lexicon:
    """Gather the labels of some trees."""
    uses: dict[str, LabelUse] = {}
    forms: Counter[str] = Counter()
    default = language or common_language([tree.language for tree in trees]) or UNDECLARED
    for index, tree in enumerate(trees):
        for node, label in naming(tree):
            use = uses.setdefault(label, LabelUse(label))
            shown = readable(node.label).strip(" :»›>•·|")
            use.shown[shown] += 1
            forms[shown] += 1
            if tree.language or default:
                use.languages[(tree.language or default or "").partition("-")[0].lower()] += 1
            use.owners.add(tree.owner)
            if node.url:
                use.targets[tree.owner].add(node.url)
            use.places.append((index, node.ordinal))
    ties = link_words(forms) | joining_words(set(uses))
    own: dict[str, set[str]] = defaultdict(set)
    common = {  # words that are labels by themselves name things, not a site
        found[0]
        for use in uses.values()
        if len(use.owners) >= 2 and len(found := stems(use.label, use.language or default)) == 1
    }
    for tree in trees:
        own[tree.owner] |= _name_stems(tree, default) - _stems_of(ties, default) - common
    return Lexicon(trees, uses, ties, {owner: frozenset(found) for owner, found in own.items()}, default)


def link_words(forms: Iterable[str]) -> frozenset[str]:
    """Return the short words that labels set in small letters between words in capitals."""
    small: Counter[str] = Counter()
    large: Counter[str] = Counter()
    for form in sorted(set(forms)):
        tokens = [token for token in _TOKEN.findall(form) if token[0].isalpha()]
        capital = sum(token[0].isupper() for token in tokens)
        if not 2 <= len(tokens) <= LONGEST_TITLE or form.isupper() or capital < max(2, len(tokens) / 2):
            continue
        for token in tokens[1:]:
            (large if token[0].isupper() else small)[token.casefold()] += 1
    return frozenset(
        word
        for word, times in small.items()
        if len(word) <= LONGEST_LINK_WORD and times >= SMALL_TIMES and times >= SMALL_SHARE * (times + large[word])
    )


def joining_words(labels: Collection[str]) -> frozenset[str]:
    """Return the words that stand where ``&`` stands in another label: "coats and jackets", "coats & jackets"."""
    signed = {tuple(parts) for label in labels if len(parts := JOINTS.split(label)) == 2}
    found = set()
    for label in labels:
        tokens = label.split(" ")
        for i in range(1, len(tokens) - 1):
            ends = " ".join(tokens[:i]), " ".join(tokens[i + 1 :])
            if len(tokens[i]) <= LONGEST_LINK_WORD and (ends in signed or ends[::-1] in signed):
                found.add(tokens[i])
    return frozenset(found)


def _name_stems(tree: SiteTree, language: str | None) -> set[str]:
    """Return the stems of a page's title and of its host's names."""
    host = urlsplit(tree.url).hostname or ""
    names = " ".join(unquote(host).split("."))
    return {stem for text in (tree.title or "", names) for stem in stems(fold(text), tree.language or language)}


def _stems_of(found: Iterable[str], language: str | None) -> set[str]:
    return {stem for word in found for stem in stems(word, language)}


def siblings_of(tree: SiteTree) -> Mapping[int, list[TreeNode]]:
    """Return the labelled children of each node's nearest labelled or root node, in order."""
    holder: list[int] = []
    children: dict[int, list[TreeNode]] = defaultdict(list)
    for node in tree.nodes:
        above = holder[node.parent] if node.parent >= 0 else -1
        has_label = bool(fold(node.label)) and node.label != ""
        if has_label:
            children[above].append(node)
        holder.append(node.ordinal if has_label or node.kind in ("group", "block", "root") else above)
    return children
