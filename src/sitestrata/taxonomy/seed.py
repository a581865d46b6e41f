"""A vocabulary that is there already -> what it says about the labels of a domain, so that mining extends it.

Labels of one concept of the vocabulary mean the same, labels of two do not; what it calls broader is broader. Its
concepts stay, with their names and IRIs, whether or not a site prints them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sitestrata.taxonomy.synonyms import CONFIDENCE, Synonym
from sitestrata.taxonomy.words import fold

__all__ = ["Seed", "SeedConcept", "seed_apart", "seed_label_owners", "seed_synonyms"]

HELD_APART = 1_000  # as many sites as say that two labels differ


@dataclass(frozen=True, slots=True)
class SeedConcept:
    """One concept of the vocabulary: its labels with their languages, the preferred ones first."""

    iri: str
    labels: tuple[tuple[str, str | None], ...]
    preferred: int = 1  # how many are

    def name(self, language: str | None) -> tuple[str, str | None]:
        """Return the label that names the concept in a language, or in the first it has."""
        return next((entry for entry in self.labels[: self.preferred] if entry[1] == language), self.labels[0])


@dataclass(frozen=True, slots=True)
class Seed:
    """The vocabulary to be extended: concepts sorted by IRI, and (broader, narrower) pairs of IRIs."""

    concepts: tuple[SeedConcept, ...] = ()
    broader: tuple[tuple[str, str], ...] = ()


def seed_label_owners(seed: Seed) -> dict[str, str]:
    """Return by folded label the concept it belongs to; a label of several belongs to the first."""
    owner: dict[str, str] = {}
    for concept in seed.concepts:
        for label, _ in concept.labels:
            if fold(label):
                owner.setdefault(fold(label), concept.iri)
    return owner


def seed_synonyms(owner: Mapping[str, str], printed: Sequence[str]) -> list[Synonym]:
    """Return the printed labels that the vocabulary calls the same."""
    members: dict[str, list[str]] = {}
    for label in sorted(set(printed) & set(owner)):
        members.setdefault(owner[label], []).append(label)
    return [Synonym(some[0], other, "seed", CONFIDENCE["seed"]) for some in members.values() for other in some[1:]]


def seed_apart(owner: Mapping[str, str], printed: Sequence[str]) -> dict[tuple[str, str], int]:
    """Return the pairs of printed labels (in order) that the vocabulary holds apart."""
    known = sorted(set(printed) & set(owner))
    return {
        (one, two): HELD_APART
        for index, one in enumerate(known)
        for two in known[index + 1 :]
        if owner[one] != owner[two]
    }
