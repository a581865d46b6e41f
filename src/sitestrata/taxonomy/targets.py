"""Pages behind labels -> labels whose pages say the same: what pages are called, and what they are made of.

Two pages are alike if they share the words of their own labels that few other pages have. Pages of two co-hyponyms are
alike too, so this is never enough alone.
"""

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from sitestrata.taxonomy.lexicon import Lexicon

__all__ = ["similar_targets"]

ALIKE = 0.5  # cosine
MIN_WORDS = 5  # that a page needs to be compared
MAX_PAGES = 50  # that have a word which still tells anything


def similar_targets(
    lexicon: Lexicon, labels: Sequence[str], contents: Mapping[str, frozenset[str]]
) -> Iterator[tuple[str, str]]:
    """Yield labels of different owners whose pages are alike; ``contents`` are stems by address."""
    leading: dict[str, set[tuple[str, str]]] = defaultdict(set)  # address -> (label, owner)
    for label in labels:
        for owner, urls in lexicon.uses[label].targets.items():
            for url in urls:
                if len(contents.get(url, ())) >= MIN_WORDS:
                    leading[url].add((label, owner))
    having: dict[str, list[str]] = defaultdict(list)
    for url in sorted(leading):
        for stem in contents[url]:
            having[stem].append(url)
    weight = {stem: math.log(len(leading) / len(some)) for stem, some in having.items()}
    size = {url: math.sqrt(sum(weight[stem] ** 2 for stem in contents[url])) for url in leading}
    shared: dict[tuple[str, str], float] = defaultdict(float)
    for stem, some in sorted(having.items()):
        if len(some) <= MAX_PAGES:
            for index, one in enumerate(some):
                for two in some[index + 1 :]:
                    shared[one, two] += weight[stem] ** 2
    for (one, two), common in sorted(shared.items()):
        if common >= ALIKE * size[one] * size[two] > 0:
            for label, owner in sorted(leading[one]):
                for other, second in sorted(leading[two]):
                    if owner != second and label != other:
                        yield label, other
