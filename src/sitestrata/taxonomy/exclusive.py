"""Labels that sites choose between: two names for one thing are offered among the same neighbours, but never together.

Co-hyponyms have the same neighbours too, and are offered together. With many sites the difference shows: if labels that
a and b of n owners print were independent, a * b / n owners would print both. Where that is several and there is none,
the owners choose between them.

What stands under a label tells more than what stands beside it: *World* on one site and *International* on another,
both over Asia and Europe, are one thing if no owner prints both. Where an owner sets two labels over the same, as shops
do with Men and Women and manuals with their versions, what stands below does not tell what a label means.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from sitestrata.taxonomy.lexicon import Lexicon, siblings_of
from sitestrata.taxonomy.trees import label_above
from sitestrata.taxonomy.words import fold

__all__ = ["chosen_between", "heads_of_the_same"]

Stems = tuple[str, ...]
EXPECTED = 2.0  # owners that would print both by chance; 0 has then a chance of .14 (Poisson)
MIN_SHARED = 2  # neighbours, or labels below
SHARE = 0.5  # of the neighbours, or of the labels below, of the label that has fewer
MIN_OWNERS = 2


def chosen_between(lexicon: Lexicon, labels: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield labels with the same neighbours that no owner prints together, though several would by chance."""
    name: dict[Stems, str] = {}
    owners: dict[Stems, set[str]] = defaultdict(set)
    for label in labels:
        key = tuple(sorted(lexicon.stems(label)))
        name.setdefault(key, label)
        owners[key] |= lexicon.uses[label].owners
    beside: dict[Stems, dict[Stems, set[str]]] = defaultdict(lambda: defaultdict(set))
    for tree in lexicon.trees:
        for members in siblings_of(tree).values():
            row = {tuple(sorted(lexicon.stems(label))) for m in members if (label := fold(m.label)) in lexicon.uses}
            for key in row:
                for other in row - {key}:
                    beside[key][other].add(tree.owner)
    known = {
        key: {other for other in beside[key] if len(owners[other]) >= MIN_OWNERS}
        for key in sorted(owners)
        if len(owners[key]) >= MIN_OWNERS
    }
    total = len({tree.owner for tree in lexicon.trees})
    keys = sorted(known)
    for index, one in enumerate(keys):
        for two in keys[index + 1 :]:
            if len(owners[one]) * len(owners[two]) < EXPECTED * total or owners[one] & owners[two]:
                continue
            shared = len(known[one] & known[two])
            if shared >= MIN_SHARED and shared >= SHARE * min(len(known[one]), len(known[two])):
                yield name[one], name[two]


def heads_of_the_same(lexicon: Lexicon, labels: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield labels with a page of their own that owners set over the same labels, and of which no owner prints both."""
    homes = {tree.url for tree in lexicon.trees}
    below = _told_by_below(_labels_below(lexicon))
    heads = [
        label
        for label in sorted(set(labels) & below.keys())
        if any(urls - homes for urls in lexicon.uses[label].targets.values())
    ]
    standing: dict[Stems, list[str]] = defaultdict(list)  # what stands below -> heads
    for head in heads:
        for key in frozenset().union(*below[head].values()):
            standing[key].append(head)
    candidates = {
        (one, two)
        for some in standing.values()
        for index, one in enumerate(some)
        for two in some[index + 1 :]
        if not lexicon.uses[one].owners & lexicon.uses[two].owners
    }
    for one, two in sorted(candidates):
        if any(_are_the_same(first, second) for first in below[one].values() for second in below[two].values()):
            yield one, two


def _are_the_same(first: set[Stems], second: set[Stems]) -> bool:
    return len(first & second) >= max(MIN_SHARED, SHARE * min(len(first), len(second)))


def _told_by_below(below: Mapping[str, Mapping[str, set[Stems]]]) -> dict[str, dict[str, set[Stems]]]:
    """Keep what stands below a label on the sites of owners that set no other label over the same."""
    by_owner: dict[str, list[str]] = defaultdict(list)
    for label in sorted(below):
        for owner, some in below[label].items():
            if len(some) >= MIN_SHARED:
                by_owner[owner].append(label)
    told: dict[str, dict[str, set[Stems]]] = defaultdict(dict)
    for owner, heads in by_owner.items():
        for head in heads:
            own = below[head][owner]
            if not any(_are_the_same(own, below[other][owner]) for other in heads if other != head):
                told[head][owner] = own
    return told


def _labels_below(lexicon: Lexicon) -> Mapping[str, Mapping[str, set[Stems]]]:
    """Return for each label, by owner, the labels that stand directly under it."""
    below: dict[str, dict[str, set[Stems]]] = defaultdict(lambda: defaultdict(set))
    for tree in lexicon.trees:
        names = [fold(node.label) for node in tree.nodes]
        for ordinal, above in enumerate(label_above(tree)):
            if above >= 0 and names[ordinal] in lexicon.uses and names[above] in lexicon.uses:
                below[names[above]][tree.owner].add(tuple(sorted(lexicon.stems(names[ordinal]))))
    return below
