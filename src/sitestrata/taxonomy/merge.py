"""Synonym pairs -> concepts: labels are joined from the surest pair down, unless a site holds them apart.

One wrong merge makes many wrong relations, so a veto counts more than another vote: two groups of labels are not joined
if some owner sets a label of one beside or above a label of the other. A label that names two things at once
("Science & Environment") belongs to both concepts and joins neither to the other.

Evidence that may be wrong does not chain: *alumni*, *alumni relations*, *related majors* would soon be one. Labels that
are surely the same are the core of a concept. Other evidence joins cores only, and the labels of the lesser core become
the rim of the greater, to which nothing is joined.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from sitestrata.taxonomy.lexicon import Lexicon
from sitestrata.taxonomy.synonyms import CONFIDENCE, SURE, WELL_FOUNDED, Synonym

__all__ = ["Group", "Member", "merge_labels"]


@dataclass(frozen=True, slots=True)
class Member:
    """A label in a concept: the evidence that put it there, and the label it was joined to."""

    label: str
    evidence: str  # first = it began the concept
    merged_with: str | None
    confidence: float


@dataclass(frozen=True, slots=True)
class Group:
    """One concept: its labels, the preferred one first."""

    members: tuple[Member, ...]
    owners: frozenset[str]

    @property
    def labels(self) -> tuple[str, ...]:
        """The folded labels, the preferred one first."""
        return tuple(member.label for member in self.members)


def merge_labels(
    lexicon: Lexicon,
    synonyms: Iterable[Synonym],
    *,
    near: Mapping[tuple[str, str], int],
    joint: Mapping[str, tuple[str, ...]] | None = None,
    least: float = 0.0,
) -> list[Group]:
    """Join labels into concepts; each label is in one of them, a joint label in each of its parts'.

    ``near`` are the pairs that sites hold apart, ``least`` the confidence below which a pair joins nothing.
    """
    joint = joint or {}
    apart: dict[str, dict[str, int]] = {}
    for (one, two), owners in near.items():
        apart.setdefault(one, {})[two] = owners
        apart.setdefault(two, {})[one] = owners
    group_of = {label: label for label in lexicon.uses if label not in joint}
    members: dict[str, set[str]] = {label: {label} for label in group_of}
    core = {label: {label} for label in group_of}
    why: dict[str, list[Synonym]] = {label: [] for label in group_of}
    # Among equals, joining well-known labels first makes them the core of the concept.
    weight = {label: len(use.owners) for label, use in lexicon.uses.items()}
    ranked = sorted(
        (pair for pair in synonyms if pair.confidence >= least and pair.first in group_of and pair.second in group_of),
        key=lambda p: (-p.confidence, -weight[p.first] - weight[p.second], p.first, p.second),
    )
    for pair in ranked:
        one, two = group_of[pair.first], group_of[pair.second]
        if one == two:
            continue
        is_sure = pair.confidence >= WELL_FOUNDED
        if pair.evidence not in SURE and _are_apart(apart, members[one], members[two], pair):
            continue
        if not is_sure and (pair.first not in core[one] or pair.second not in core[two]):
            continue
        if (_printed(lexicon, core[one]), two) < (_printed(lexicon, core[two]), one):
            one, two = two, one
        for label in members[two]:
            group_of[label] = one
        members[one] |= members.pop(two)
        lesser = core.pop(two)
        if is_sure:
            core[one] |= lesser
        why[one] += [*why.pop(two), pair]
    extra: dict[str, list[Member]] = {}
    for label, parts in sorted(joint.items()):
        for part in parts:
            if part in group_of:
                found = Member(label, "joint", part, CONFIDENCE["joint"])
                extra.setdefault(group_of[part], []).append(found)
    return [_group(lexicon, members[name], why[name], extra.get(name, [])) for name in sorted(members)]


def _printed(lexicon: Lexicon, labels: set[str]) -> int:
    """Return how many owners print one of some labels."""
    return len({owner for label in labels for owner in lexicon.uses[label].owners})


def _are_apart(apart: Mapping[str, Mapping[str, int]], first: set[str], second: set[str], pair: Synonym) -> bool:
    """Tell whether sites hold a label of one group apart from a label of the other."""
    least = 2 if pair.confidence >= WELL_FOUNDED else 1
    small, large = sorted((first, second), key=len)
    return any(owners >= least for label in small for other, owners in apart.get(label, {}).items() if other in large)


def _group(lexicon: Lexicon, labels: set[str], why: list[Synonym], extra: list[Member]) -> Group:
    """Order the labels of a concept from its preferred one outwards, each with the pair that brought it."""

    def rank(label: str) -> tuple[int, bool, int, str]:
        use = lexicon.uses[label]
        return -len(use.owners), use.language != lexicon.language, len(label), label

    first = min(labels, key=rank)
    linked: dict[str, list[Synonym]] = {}
    for pair in why:
        linked.setdefault(pair.first, []).append(pair)
        linked.setdefault(pair.second, []).append(pair)
    members = [Member(first, "first", None, 1.0)]
    reached, open_labels = {first}, [first]
    while open_labels:
        at = open_labels.pop(0)
        for pair in sorted(linked.get(at, ()), key=lambda p: (-p.confidence, p.first, p.second)):
            other = pair.second if pair.first == at else pair.first
            if other not in reached:
                reached.add(other)
                open_labels.append(other)
                members.append(Member(other, pair.evidence, at, pair.confidence))
    known = {member.label for member in members}
    members += [member for member in extra if member.label not in known]
    owners = frozenset(owner for member in members for owner in lexicon.uses[member.label].owners)
    return Group(tuple(members), owners)
