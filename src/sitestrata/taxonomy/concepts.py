"""Candidate labels -> concepts: labels whose stems are alike name one concept.

Paper: OntoMiner 5.3

The threshold of Jaccard's coefficient is not given in the paper. Groups are the connected sets of labels that reach it.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping

from sitestrata.taxonomy.labels import Candidate
from sitestrata.taxonomy.words import PORTER, jaccard, stem_set

__all__ = ["JACCARD", "labels_to_concepts"]

JACCARD = 0.67  # two of three stems in common, or more; open in the paper


def labels_to_concepts(candidates: Mapping[str, Candidate], *, threshold: float = JACCARD) -> list[tuple[str, ...]]:
    """Group labels by the similarity of their Porter stems; each group is a concept, its labels sorted.

    Groups come in the order of their first labels.
    """
    stems = {label: stem_set(label, algorithm=PORTER) or frozenset({label}) for label in sorted(candidates)}
    by_stem: dict[str, list[str]] = defaultdict(list)
    for label, found in stems.items():
        for stem in found:
            by_stem[stem].append(label)
    group = {label: label for label in stems}
    for label, found in stems.items():
        # Only labels with a stem in common can be similar.
        for other in sorted({other for stem in found for other in by_stem[stem]}):
            if other > label and jaccard(found, stems[other]) >= threshold:
                _join(group, label, other)
    return _groups(group, stems)


def _find(group: dict[str, str], label: str) -> str:
    while group[label] != label:
        group[label] = group[group[label]]
        label = group[label]
    return label


def _join(group: dict[str, str], first: str, second: str) -> None:
    one, two = sorted((_find(group, first), _find(group, second)))
    group[two] = one


def _groups(group: dict[str, str], labels: Iterable[str]) -> list[tuple[str, ...]]:
    members: dict[str, list[str]] = defaultdict(list)
    for label in labels:
        members[_find(group, label)].append(label)
    return [tuple(sorted(found)) for _, found in sorted(members.items())]
