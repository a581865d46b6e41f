"""Labels that sites choose between: two names for one thing are offered among the same neighbours, but never together.

Co-hyponyms have the same neighbours too, and are offered together. With many sites the difference shows: if labels that
a and b of n owners print were independent, a * b / n owners would print both. Where that is several and there is none,
the owners choose between them.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence

from sitestrata.taxonomy.lexicon import Lexicon, siblings_of
from sitestrata.taxonomy.words import fold

__all__ = ["chosen_between"]

Stems = tuple[str, ...]
EXPECTED = 2.0  # owners that would print both by chance; 0 has then a chance of .14 (Poisson)
MIN_SHARED = 2  # neighbours
SHARE = 0.5  # of the neighbours of the label that has fewer
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
