"""Label trees of home pages -> candidate concepts: frequent labels and their group siblings.

Sites of one domain repeat its important labels: a label that is printed on at least ``support`` sites is a candidate.
A label that stands in one group with a frequent one is a candidate too: on a news site *Entertainment* brings *Civil
war* and *Culture*.

Paper: OntoMiner 5.1
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from sitestrata.taxonomy.trees import SiteTree, group_siblings, labelled
from sitestrata.taxonomy.words import fold, readable

__all__ = ["Candidate", "Occurrence", "find_candidates", "frequent_labels"]


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A label at one place of one tree."""

    site: int
    owner: str
    page: str
    url: str | None
    ordinal: int


@dataclass(frozen=True, slots=True)
class Candidate:
    """A label that may name a concept, and where it stands."""

    label: str  # folded
    shown: str  # as most often printed
    language: str | None
    is_frequent: bool
    occurrences: tuple[Occurrence, ...]

    @property
    def owners(self) -> frozenset[str]:
        """The owners whose pages print it."""
        return frozenset(place.owner for place in self.occurrences)


def frequent_labels(trees: Sequence[SiteTree], support: int) -> frozenset[str]:
    """Return the folded labels that at least ``support`` owners print."""
    printed = {(label, tree.owner) for tree in trees for _, label in labelled(tree)}
    count = Counter(label for label, _ in printed)
    return frozenset(label for label, owners in count.items() if owners >= support)


def find_candidates(trees: Sequence[SiteTree], support: int) -> dict[str, Candidate]:
    """Return the frequent labels and their group siblings, sorted by label."""
    frequent = frequent_labels(trees, support)
    chosen = frequent | _siblings(trees, frequent)
    places: dict[str, list[Occurrence]] = {label: [] for label in sorted(chosen)}
    shown: dict[str, Counter[tuple[str, str | None]]] = {label: Counter() for label in places}
    for tree in trees:
        for node, label in labelled(tree):
            if label in places:
                places[label].append(Occurrence(tree.site, tree.owner, tree.url, node.url, node.ordinal))
                shown[label][readable(node.label), tree.language] += 1
    return {
        label: Candidate(label, *_commonest(shown[label]), label in frequent, tuple(found))
        for label, found in places.items()
    }


def _siblings(trees: Sequence[SiteTree], frequent: frozenset[str]) -> frozenset[str]:
    brought: set[str] = set()
    for tree in trees:
        for members in group_siblings(tree).values():
            labels = {fold(tree.nodes[member].label) for member in members} - {""}
            if labels & frequent:
                brought |= labels
    return frozenset(brought)


def _commonest(shown: Counter[tuple[str, str | None]]) -> tuple[str, str | None]:
    return min(shown, key=lambda form: (-shown[form], form[0], form[1] or ""))
