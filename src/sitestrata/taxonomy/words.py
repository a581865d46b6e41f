"""A label -> the form in which it is compared, its words and its stems.

Words are found by script, not by a dictionary: runs of letters and digits, and for scripts that are written without
spaces the overlapping pairs of characters that search engines use. Stems are Snowball's for the language of the page,
or Porter's in the paper's profile.

Paper: OntoMiner 5.3
"""

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

import Stemmer

__all__ = [
    "MAX_LABEL",
    "PORTER",
    "common_language",
    "fold",
    "has_word",
    "jaccard",
    "readable",
    "stem_set",
    "stems",
    "words",
]

MAX_LABEL = 120  # characters; what is longer is a sentence, not a label
PORTER = "porter"

# ISO 639-1 -> Snowball algorithm.
_ALGORITHMS = {
    "ar": "arabic",
    "ca": "catalan",
    "cs": "czech",
    "da": "danish",
    "de": "german",
    "el": "greek",
    "en": "english",
    "es": "spanish",
    "et": "estonian",
    "eu": "basque",
    "fa": "persian",
    "fi": "finnish",
    "fr": "french",
    "ga": "irish",
    "hi": "hindi",
    "hu": "hungarian",
    "hy": "armenian",
    "id": "indonesian",
    "it": "italian",
    "lt": "lithuanian",
    "nb": "norwegian",
    "ne": "nepali",
    "nl": "dutch",
    "nn": "norwegian",
    "no": "norwegian",
    "pl": "polish",
    "pt": "portuguese",
    "ro": "romanian",
    "ru": "russian",
    "sr": "serbian",
    "sv": "swedish",
    "ta": "tamil",
    "tr": "turkish",
    "yi": "yiddish",
}
_INSTALLED = frozenset(Stemmer.algorithms())  # older versions know fewer
# Scripts without spaces between words: kana, Han, Thai, Lao, Myanmar, Khmer.
_UNSPACED = re.compile("[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]+")
_OUTER = " \t:;,.!?|/\\·•»«›‹→←▸▾▼►…-–—*\"'’‘“”()[]{}<>"
_SPACES = re.compile(r"\s+")
_INITIALS = re.compile(r"(?<!\w)(?:[^\W\d_]\.)+[^\W\d_](?!\w)")  # U.S.


def readable(label: str) -> str:
    """Return a label as it may be shown: one line, without control, bidi and other invisible characters."""
    if label.isprintable():  # most are: no control, invisible or unassigned character, no space but the plain one
        return _SPACES.sub(" ", label).strip()
    kept = "".join(" " if unicodedata.category(char) in _CONTROL else char for char in label if not _is_invisible(char))
    return _SPACES.sub(" ", kept).strip()


_CONTROL = ("Cc", "Zl", "Zp", "Zs")


def _is_invisible(char: str) -> bool:
    return unicodedata.category(char) in ("Cf", "Cs", "Co", "Cn")


@lru_cache(maxsize=1 << 16)
def fold(label: str) -> str:
    """Return the form in which labels are compared: case, width, spacing and outer punctuation do not count.

    >>> fold("  Terms &  Conditions: »")
    'terms & conditions'
    """
    folded = unicodedata.normalize("NFKC", readable(label)).casefold()
    return _SPACES.sub(" ", folded).strip(_OUTER)


def has_word(label: str) -> bool:
    """Tell whether a label says anything: it has a letter."""
    return any(char.isalpha() for char in label)


@lru_cache(maxsize=1 << 16)
def words(label: str) -> tuple[str, ...]:
    """Split a label into words, in order.

    An apostrophe belongs to the longer part: "women's" and "l'actualité" are one word each; so are initials.

    >>> words("Women's Shoes & l'actualité")
    ('women', 'shoes', 'actualité')
    >>> words("U.S. & Canada")
    ('us', 'canada')
    >>> words("製品情報")
    ('製品', '品情', '情報')
    """
    found: list[str] = []
    for token in _tokens(_INITIALS.sub(lambda found: found.group().replace(".", ""), fold(label))):
        text = max(re.split("['’]", token), key=len)
        at = 0
        for run in _UNSPACED.finditer(text):
            if run.start() > at:
                found.append(text[at : run.start()])
            pairs = [run.group()[i : i + 2] for i in range(len(run.group()) - 1)]
            found += pairs or [run.group()]
            at = run.end()
        if at < len(text):
            found.append(text[at:])
    return tuple(found)


def _tokens(text: str) -> list[str]:
    """Return runs of letters, digits and the marks that belong to them (vowel signs are no letters to Unicode)."""
    kept = "".join(
        char if char.isalnum() or char in "'’" or unicodedata.category(char).startswith("M") else " " for char in text
    )
    return [token for part in kept.split() if (token := part.strip("'’"))]


@lru_cache(maxsize=1 << 16)
def stems(label: str, language: str | None = None, *, algorithm: str | None = None) -> tuple[str, ...]:
    """Return the stems of a label's words, in order; without a known language the words themselves.

    >>> stems("Sports", "en")
    ('sport',)
    """
    found = words(label)
    name = algorithm or _ALGORITHMS.get((language or "").partition("-")[0].lower())
    return tuple(_stemmer(name).stemWords(list(found))) if name in _INSTALLED else found


def stem_set(label: str, language: str | None = None, *, algorithm: str | None = None) -> frozenset[str]:
    """Return the stems of a label as the set that Jaccard's coefficient compares."""
    return frozenset(stems(label, language, algorithm=algorithm))


@lru_cache(maxsize=64)
def _stemmer(name: str) -> Stemmer.Stemmer:
    return Stemmer.Stemmer(name)


def jaccard(first: frozenset[str], second: frozenset[str]) -> float:
    """Return the share of common members, 0 if there is none."""
    union = len(first | second)
    return len(first & second) / union if union else 0.0


def common_language(languages: Sequence[str | None]) -> str | None:
    """Return the language that most of some pages declare, ties by name."""
    known = [language.partition("-")[0].lower() for language in languages if language]
    return min(set(known), key=lambda name: (-known.count(name), name)) if known else None
