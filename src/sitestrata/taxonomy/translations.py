"""A page and its translation -> labels that mean the same in two languages.

A site that speaks several languages builds its pages by one template: the lists of a page and of its translation stand
in the same order and have as many members. Lists are aligned by their lengths and what they hold; members of aligned
lists are translations of each other.
"""

import re
from collections.abc import Iterator
from difflib import SequenceMatcher
from urllib.parse import urlsplit

from sitestrata.taxonomy.lexicon import siblings_of
from sitestrata.taxonomy.synonyms import CONFIDENCE, Synonym
from sitestrata.taxonomy.trees import SiteTree
from sitestrata.taxonomy.words import fold

__all__ = ["is_translated_address", "translated_labels"]

MIN_MEMBERS = 2  # of a list that tells anything
MIN_ALIGNED = 0.6  # of the lists of the shorter page: less, and it is another page rather than a translation
_TAG = re.compile(r"[a-z]{2}(?:[-_][a-z]{2})?")  # of a language in an address, as in /de/ or pt-br.example.org
_PARTS = re.compile(r"[/.?&=]+")


def is_translated_address(first: str, second: str) -> bool:
    """Tell whether two addresses differ in one part that can be a language, or one has such a part more.

    >>> is_translated_address("http://example.org/en/", "http://example.org/de/")
    True
    >>> is_translated_address("http://example.org/", "http://example.org/news/")
    False
    """
    one, two = (_PARTS.split(urlsplit(url)._replace(scheme="").geturl().lower().strip("/")) for url in (first, second))
    if len(one) > len(two):
        one, two = two, one
    same = SequenceMatcher(None, one, two, autojunk=False)
    changed = [code for code in same.get_opcodes() if code[0] != "equal"]
    if len(changed) != 1:
        return False
    _, i, j, k, m = changed[0]
    parts = [*one[i:j], *two[k:m]]
    return j - i <= 1 and m - k == 1 and all(_TAG.fullmatch(part) for part in parts)


def translated_labels(page: SiteTree, other: SiteTree) -> Iterator[Synonym]:
    """Yield the labels of a page with those at the same place of its translation."""
    ours, theirs = _lists(page), _lists(other)
    if not ours or not theirs or _language(page) == _language(other):
        return
    matcher = SequenceMatcher(None, [key for key, _ in ours], [key for key, _ in theirs], autojunk=False)
    blocks = matcher.get_matching_blocks()
    if sum(block.size for block in blocks) < MIN_ALIGNED * min(len(ours), len(theirs)):
        return
    for block in blocks:
        for (_, row), (_, translated) in zip(
            ours[block.a : block.a + block.size], theirs[block.b : block.b + block.size], strict=True
        ):
            for one, two in zip(row, translated, strict=True):
                if one != two:
                    first, second = sorted((one, two))
                    yield Synonym(first, second, "switch", CONFIDENCE["switch"])


def _language(tree: SiteTree) -> str:
    return (tree.language or "").partition("-")[0].lower()


def _lists(tree: SiteTree) -> list[tuple[tuple[int, str, tuple[bool, ...]], list[str]]]:
    """Return the lists of a page in document order: what they look like, and their folded labels."""
    found = []
    for _, members in sorted(siblings_of(tree).items()):
        if len(members) >= MIN_MEMBERS:
            key = (len(members), members[0].role, tuple(member.url is not None for member in members))
            found.append((key, [fold(member.label) for member in members]))
    return found
