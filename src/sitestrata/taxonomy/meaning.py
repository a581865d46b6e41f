"""Labels and a sentence model -> labels that mean the same, though they share no word.

*Trousers* and *Pants*, *Careers* and *Jobs*: a sentence model puts them side by side. It also puts side by
side what sites offer together, *Blouses* and *Sweaters*. So a pair is taken only if no owner prints both, and if either
label is the one most like the other among all that the other's owners print. Long labels are alike by the words that
they share, whatever they say of them; they are left out.

Paper: OntoMiner 5.3 (semantic synonyms, which it leaves for later)
"""

from collections.abc import Iterator, Sequence

import numpy as np

from sitestrata.taxonomy.encoder import Encoder
from sitestrata.taxonomy.lexicon import Lexicon
from sitestrata.taxonomy.words import words

__all__ = ["alike_in_meaning"]

ALIKE = 0.7  # cosine; docs/results-ontology.md
MAX_WORDS = 3
BLOCK = 512  # labels compared with all others at a time


def alike_in_meaning(lexicon: Lexicon, labels: Sequence[str], encoder: Encoder) -> Iterator[tuple[str, str]]:
    """Yield the pairs of short labels that mean the same, says a sentence model."""
    chosen = [label for label in labels if _is_short(lexicon, label) and _is_known(lexicon, label, encoder)]
    owners = [lexicon.uses[label].owners for label in chosen]
    alike = _alike(chosen, encoder)

    def is_best(one: int, two: int) -> bool:
        """Tell whether no label of an owner of the second is more like the first."""
        rivals = (other for other, likeness in alike[one].items() if likeness > alike[one][two])
        return not any(owners[two] & owners[other] for other in rivals)

    for one, others in alike.items():
        for two in others:
            if one < two and not owners[one] & owners[two] and is_best(one, two) and is_best(two, one):
                yield chosen[one], chosen[two]


def _alike(labels: Sequence[str], encoder: Encoder) -> dict[int, dict[int, float]]:
    """Return for each label, by its place, the places of those that are alike."""
    vectors = encoder.encode(labels)
    found: dict[int, dict[int, float]] = {}
    for start in range(0, len(labels), BLOCK):
        likeness = vectors[start : start + BLOCK] @ vectors.T
        for row, column in zip(*map(np.ndarray.tolist, np.nonzero(likeness >= ALIKE)), strict=True):
            if start + row != column:
                found.setdefault(start + row, {})[column] = round(float(likeness[row, column]), 4)
    return found


def _is_short(lexicon: Lexicon, label: str) -> bool:
    return 0 < sum(word not in lexicon.link_words for word in words(label)) <= MAX_WORDS


def _is_known(lexicon: Lexicon, label: str, encoder: Encoder) -> bool:
    language = lexicon.uses[label].language or lexicon.language
    return encoder.languages is None or language in encoder.languages
