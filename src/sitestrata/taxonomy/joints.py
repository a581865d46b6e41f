"""Labels that name several things at once: "Science & Environment" belongs to both and joins neither to the other."""

from collections import defaultdict
from collections.abc import Collection, Iterable

from sitestrata.taxonomy.lexicon import JOINTS, Lexicon, joining_words

__all__ = ["joint_labels"]

JOINTS_BUT_COMMAS = frozenset("&/+")


def joint_labels(
    lexicon: Lexicon, labels: Iterable[str], *, near: Collection[tuple[str, str]]
) -> dict[str, tuple[str, ...]]:
    """Return the labels that name several things at once, with the labels of these things.

    Parts are found at signs that join (``&``, ``/``, a comma) and at words that do what these signs do. A part must be
    a label that several owners print, and not be offered apart by an owner of the whole: ``near`` are such pairs.
    """
    chosen = set(labels)
    joints = joining_words(chosen)
    parts_of = {label: _split(label, joints) for label in sorted(chosen)}
    by_stems: dict[tuple[str, ...], str] = {}
    named_by: dict[tuple[str, ...], set[str]] = defaultdict(set)  # owners that name a thing, alone or with others
    for label, parts in parts_of.items():
        if len(parts) > 1 and not _is_joined(label, joints):
            continue  # commas alone: a headline
        for part in parts:
            named_by[lexicon.stems(part)] |= lexicon.uses[label].owners
    for label, parts in parts_of.items():
        if len(parts) == 1 and len(named_by[lexicon.stems(label)]) >= 2:
            by_stems.setdefault(lexicon.stems(label), label)
    found = {}
    for label, parts in parts_of.items():
        wholes = [by_stems.get(lexicon.stems(part)) for part in parts]
        named = tuple(
            dict.fromkeys(
                whole for whole in wholes if whole is not None and (min(label, whole), max(label, whole)) not in near
            )
        )
        if len(parts) >= 2 and named:
            found[label] = named
    return found


def _is_joined(label: str, joints: frozenset[str]) -> bool:
    """Tell whether a label joins things by more than commas."""
    return any(token in joints or not JOINTS_BUT_COMMAS.isdisjoint(token) for token in label.split(" "))


def _split(label: str, joints: frozenset[str]) -> list[str]:
    parts = []
    for part in JOINTS.split(label):
        words_of: list[str] = []
        for token in part.split(" "):
            if token in joints:
                parts.append(" ".join(words_of))
                words_of = []
            else:
                words_of.append(token)
        parts.append(" ".join(words_of))
    return [part for part in parts if part]
