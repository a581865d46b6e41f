"""Describe a page set by the words of the links that come in.

Paper: Senellart 4.1 (THESUS keywords); 4.2.2 asks for links from outside only, which is the default here

A word counts once per linking page and target, so a menu that repeats a label on every page weighs as many pages, not
as many links. Words that are as common in the anchor texts of the whole collection say nothing about the set: a word's
count is multiplied with log(share in the set / share in the collection), never below 0.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from math import log

__all__ = ["Keyword", "keywords", "words"]

_WORD = re.compile(r"[^\W\d_][\w'’-]+")
LEAST = 2  # letters of a word

Keyword = tuple[str, int]


def words(text: str) -> list[str]:
    """Split anchor text into words, in lower case.

    >>> words("Release 2.0 – What's new?")
    ['release', "what's", 'new']
    """
    return [word for word in (match.lower() for match in _WORD.findall(text)) if len(word) >= LEAST]


def keywords(
    links: Iterable[tuple[int, int, str]],
    inside: Iterable[int],
    *,
    external_only: bool = True,
    limit: int = 10,
    surroundings: Sequence[str] | None = None,
) -> list[Keyword]:
    """Return the words that describe a set of pages best, with the number of links that carry them.

    Args:
        links: (page, target, anchor text) of the collection.
        inside: the ids of the set's pages.
        external_only: count only links from outside; where none comes in, all links are counted.
        limit: how many words.
        surroundings: text around each link, in the same order, counted like its anchor text.
    """
    members = frozenset(inside)
    every: Counter[str] = Counter()
    within: Counter[str] = Counter()
    outside: Counter[str] = Counter()
    seen: set[tuple[int, int, str]] = set()
    for place, (page, target, text) in enumerate(links):
        around = surroundings[place] if surroundings is not None else ""
        for word in {*words(text), *words(around)}:
            if (page, target, word) in seen:
                continue
            seen.add((page, target, word))
            every[word] += 1
            if target in members:
                within[word] += 1
                if page not in members:
                    outside[word] += 1
    counted = outside if external_only and outside else within
    total, whole = sum(counted.values()), sum(every.values())
    weight = {
        word: count * max(log((count / total) / (every[word] / whole)), 0.0) + count / (total + 1)
        for word, count in counted.items()
    }
    best = sorted(counted, key=lambda word: (-weight[word], -counted[word], word))[:limit]
    return [(word, counted[word]) for word in best]
