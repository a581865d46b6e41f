"""WordNet's index of nouns -> which labels mean the same, if it is installed.

Only ``index.noun`` is read (lemma to synsets, the most common sense first), by our own reader of the format that
wndb(5WN) documents: two lemmas that share a synset are synonyms. Debian's ``wordnet-base`` installs it.
"""

import os
from functools import lru_cache
from pathlib import Path

__all__ = ["FOLDERS", "WordNet", "find_wordnet"]

FOLDERS = ("/usr/share/wordnet", "/usr/share/wordnet/dict", "/usr/local/WordNet-3.0/dict", "/usr/local/share/wordnet")
VARIABLE = "WNSEARCHDIR"  # WordNet's own


class WordNet:
    """Noun synsets by lemma."""

    def __init__(self, folder: Path) -> None:
        self._senses = _read_index(folder / "index.noun")

    def senses(self, phrase: str) -> tuple[int, ...]:
        """Return the synsets of a phrase (also of its singular), the most common first."""
        lemma = phrase.replace(" ", "_")
        for form in (lemma, *_singulars(lemma)):
            if form in self._senses:
                return self._senses[form]
        return ()


@lru_cache(maxsize=2)
def find_wordnet(folder: str | None = None) -> WordNet | None:
    """Open WordNet in a folder, or where it is usually installed; None if it is not there."""
    places = [folder] if folder else [os.environ.get(VARIABLE, ""), *FOLDERS]
    for place in places:
        path = Path(place) if place else None
        if path and (path / "index.noun").is_file():
            return WordNet(path)
    return None


def _read_index(path: Path) -> dict[str, tuple[int, ...]]:
    senses: dict[str, tuple[int, ...]] = {}
    with path.open(encoding="utf-8", errors="replace") as file:
        for line in file:
            if line.startswith("  "):  # the licence
                continue
            fields = line.split()
            # wndb: lemma pos synset_cnt p_cnt ptr_symbol... sense_cnt tagsense_cnt synset_offset...
            count = int(fields[2])
            senses[fields[0]] = tuple(int(offset) for offset in fields[-count:])
    return senses


def _singulars(lemma: str) -> tuple[str, ...]:
    # morphy(7WN), rules of detachment for nouns
    rules = (
        ("ses", "s"),
        ("xes", "x"),
        ("zes", "z"),
        ("ches", "ch"),
        ("shes", "sh"),
        ("men", "man"),
        ("ies", "y"),
        ("s", ""),
    )
    return tuple(lemma[: -len(end)] + new for end, new in rules if lemma.endswith(end))
