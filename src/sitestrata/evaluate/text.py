"""Labels and values as two readers would call them equal: case, spacing and outer punctuation do not count."""

import re
import unicodedata

__all__ = ["plain"]

_SPACES = re.compile(r"\s+")
# Arrows, bullets, colons and bars that pages print around labels; signs that carry meaning (%, $, +, #, brackets) stay.
_OUTER = " \t:;,.!?|/\\·•»«›‹→←▸▾▼►…-–—*\"'’‘“”\u00a0\u200b"


def plain(text: str) -> str:
    """Return the form in which two texts are compared.

    >>> plain("  Terms &  Conditions: »")
    'terms & conditions'
    """
    folded = _SPACES.sub(" ", unicodedata.normalize("NFKC", text)).casefold()
    return folded.strip(_OUTER) or folded.strip()
