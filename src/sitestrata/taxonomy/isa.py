"""Concepts and label trees -> is-a relations that enough trees support (TaxMiner).

Two concepts a, b are i-related in a tree if a is an ancestor of b and i steps lead from a down to b. Level by level the
i-related pairs of all trees, a *bag*, join the pairs that were not frequent so far; what reaches the support is a
relation. With support 2, a-b in one tree and a-c-b in another make a-b frequent at level 2.

Paper: OntoMiner 5.4, TaxMiner

A pair counts once per tree and level: i-related is a relation between the concepts of a tree. The paper's result is a
tree; pairs that contradict each other (a cycle) are resolved here in favour of the better supported ones.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from sitestrata.taxonomy.trees import SiteTree, related
from sitestrata.taxonomy.words import fold

__all__ = ["Relation", "acyclic", "choose_relations", "related_concepts", "tax_miner"]

Pair = tuple[int, int]
Bag = Counter[Pair]
UNSEEN = 0.15  # chance of a pair that follows from others and is nested by nobody


@dataclass(frozen=True, slots=True)
class Relation:
    """A frequent pair: how often it stood in the bag, and at which level that was enough."""

    parent: int
    child: int
    support: int
    level: int


def related_concepts(trees: Sequence[SiteTree], concept_of: Mapping[str, int]) -> dict[int, Bag]:
    """Return for each i the bag of i-related pairs of concepts."""
    bags: dict[int, Bag] = {}
    for tree in trees:
        concept = [concept_of.get(fold(node.label)) for node in tree.nodes]
        pairs = {
            (i, parent, child)
            for above, below, i in related(tree)
            if (parent := concept[above]) is not None and (child := concept[below]) is not None and parent != child
        }
        for i, parent, child in pairs:
            bags.setdefault(i, Counter())[parent, child] += 1
    return bags


def tax_miner(bags: Mapping[int, Bag], support: int) -> list[Relation]:
    """Return the union of the frequent pairs of all levels, without those that would close a cycle."""
    found: list[Relation] = []
    known: set[Pair] = set()
    non_frequent: Bag = Counter()  # NFR
    for i in range(1, max(bags, default=0) + 1):
        bag = non_frequent + bags.get(i, Counter())  # R_i = NFR_{i-1} (bag union) i-related
        frequent = {pair for pair, count in bag.items() if count >= support}  # FR_i
        non_frequent = Counter({pair: count for pair, count in bag.items() if pair not in frequent})
        found += [Relation(*pair, support=bag[pair], level=i) for pair in sorted(frequent - known)]
        known |= frequent
    return acyclic(found)


def acyclic(relations: Iterable[Relation]) -> list[Relation]:
    """Keep relations from the best supported down, leaving out each that would close a cycle."""
    below: dict[int, set[int]] = {}
    kept = []
    for relation in sorted(relations, key=lambda r: (-r.support, r.level, r.parent, r.child)):
        if relation.parent != relation.child and not _reaches(below, relation.child, relation.parent):
            below.setdefault(relation.parent, set()).add(relation.child)
            kept.append(relation)
    return sorted(kept, key=lambda r: (r.parent, r.child))


def _reaches(below: Mapping[int, set[int]], start: int, goal: int) -> bool:
    open_nodes, seen = [start], {start}
    while open_nodes:
        at = open_nodes.pop()
        if at == goal:
            return True
        fresh = below.get(at, set()) - seen
        seen |= fresh
        open_nodes += fresh
    return False


def choose_relations(chance: Mapping[Pair, float], *, least: float, given: Sequence[Pair] = ()) -> set[Pair]:
    """Return the pairs that hold: those given, then from the likeliest down.

    Pairs that are likely either way are facets and imply nothing. Each other pair must fit those before it: it closes
    no cycle, and what newly follows from it and them is likely enough on average. One wrong pair high up in a taxonomy
    would make many. What follows is likely because sites nest it so, or because each step on the way is.
    """
    surely = dict.fromkeys(given)
    likely = {pair for pair, share in chance.items() if share >= least and pair not in surely}
    kept = {(parent, child) for parent, child in likely if (child, parent) in likely}
    above: dict[int, set[int]] = {}  # closed
    below: dict[int, dict[int, float]] = {}  # closed, with the chance of each pair
    for parent, child in [*surely, *sorted(likely - kept, key=lambda pair: (-chance[pair], pair))]:
        upper, lower = above.get(parent, set()) | {parent}, {**below.get(child, {}), child: 1.0}
        if not upper.isdisjoint(lower):
            continue
        link = 1.0 if (parent, child) in surely else chance[parent, child]
        implied = {}
        for one in upper:
            first = 1.0 if one == parent else below[one][parent]
            for two in lower.keys() - below.get(one, {}).keys():
                seen = chance.get((one, two), UNSEEN)
                implied[one, two] = 1 - (1 - seen) * (1 - first * link * lower[two])
        implied[parent, child] = link
        if sum(implied.values()) < least * len(implied) and (parent, child) not in surely:
            continue
        kept.add((parent, child))
        for (one, two), share in implied.items():
            below.setdefault(one, {})[two] = share
            above.setdefault(two, set()).add(one)
    return kept
