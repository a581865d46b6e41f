"""Two hierarchies -> precision and recall over the transitive closure of their parent-child pairs.

A hierarchy is a set of (parent, child) pairs of any hashable names: pages, labels, concepts. A node may have several
parents. Gold is seldom complete, so precision comes in three strengths (the lessons' names): over all found pairs, over
those whose descendant gold knows (*desc*), and over those of which gold knows both ends (*in*).

Paper: OntoMiner 7.1
"""

from collections.abc import Collection, Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from sitestrata.evaluate.precision_recall import PrecisionRecall, f1

__all__ = ["ClosureScores", "ancestors", "closure", "score_closure", "score_parents"]

Node = TypeVar("Node", bound=Hashable)


@dataclass(frozen=True, slots=True)
class ClosureScores:
    """Counts of ancestor-descendant pairs; add two of them up to score several pages together."""

    gold: int  # pairs that should be found
    recalled: int  # of these, found
    right: int  # found pairs that are in gold, wanted or merely accepted
    found: int
    found_desc: int  # found pairs whose descendant gold knows
    found_in: int  # found pairs of which gold knows both ends

    @property
    def recall(self) -> float:
        """Share of gold's pairs that were found."""
        return PrecisionRecall(self.recalled, self.found, self.gold).recall

    @property
    def precision(self) -> float:
        """Share of all found pairs that are right."""
        return PrecisionRecall(self.right, self.found, self.gold).precision

    @property
    def precision_desc(self) -> float:
        """Share that is right among found pairs whose descendant gold knows."""
        return PrecisionRecall(self.right, self.found_desc, self.gold).precision

    @property
    def precision_in(self) -> float:
        """Share that is right among found pairs of which gold knows both ends."""
        return PrecisionRecall(self.right, self.found_in, self.gold).precision

    @property
    def f1(self) -> float:
        """Harmonic mean of recall and of precision over known descendants."""
        return f1(self.precision_desc, self.recall)

    def __add__(self, other: "ClosureScores") -> "ClosureScores":
        return ClosureScores(
            self.gold + other.gold,
            self.recalled + other.recalled,
            self.right + other.right,
            self.found + other.found,
            self.found_desc + other.found_desc,
            self.found_in + other.found_in,
        )


def ancestors(pairs: Iterable[tuple[Node, Node]]) -> dict[Node, set[Node]]:
    """Map each node to everything above it; cycles are allowed, and no node is above itself."""
    parents: dict[Node, set[Node]] = {}
    for parent, child in pairs:
        if parent != child:
            parents.setdefault(child, set()).add(parent)
    above: dict[Node, set[Node]] = {}
    for node in parents:
        reached: set[Node] = set()
        open_nodes = [node]
        while open_nodes:
            for parent in parents.get(open_nodes.pop(), ()):
                if parent in reached:
                    continue
                reached.add(parent)
                if parent in above:  # complete already, but for the parent itself, which was just added
                    reached |= above[parent]
                else:
                    open_nodes.append(parent)
        reached.discard(node)
        above[node] = reached
    return above


def closure(pairs: Iterable[tuple[Node, Node]]) -> set[tuple[Node, Node]]:
    """Return all (ancestor, descendant) pairs that parent-child pairs imply."""
    return {(parent, node) for node, parents in ancestors(pairs).items() for parent in parents}


def score_closure(
    found: Collection[tuple[Node, Node]],
    gold: Collection[tuple[Node, Node]],
    *,
    accepted: Collection[tuple[Node, Node]] = (),
    known: Collection[Node] | None = None,
) -> ClosureScores:
    """Compare ancestor-descendant pairs with gold's (both closed already).

    ``accepted`` are pairs that are right when found but need not be found. ``known`` are the names gold speaks about;
    without it they are those in ``gold`` and ``accepted``.
    """
    wanted, all_found = set(gold), set(found)
    correct = wanted | set(accepted)
    names = {name for pair in correct for name in pair} if known is None else set(known)
    return ClosureScores(
        gold=len(wanted),
        recalled=len(wanted & all_found),
        right=len(correct & all_found),
        found=len(all_found),
        found_desc=sum(child in names for _, child in all_found),
        found_in=sum(parent in names and child in names for parent, child in all_found),
    )


def score_parents(found: Mapping[Node, Node | None], gold: Mapping[Node, Collection[Node]]) -> PrecisionRecall:
    """Count the nodes whose found parent is one of gold's; ``found`` counts the nodes that got any parent."""
    right = sum(found.get(node) in parents for node, parents in gold.items())
    answered = sum(found.get(node) is not None for node in gold)
    return PrecisionRecall(right, answered, len(gold))
