"""What titles say about a site: the part that its pages share.

Many sites name themselves in the title of every page, beside the page's own name: "Sorting - The Manual". A title is
cut where punctuation stands between words; a part that most pages of a set carry is the set's own name, whatever its
language. Sets whose pages share no part say nothing.
"""

import re
from collections import Counter
from collections.abc import Iterable

__all__ = ["common_parts", "title_parts"]

# Punctuation beside white space; and the signs of East Asian titles, which take no space (an underscore between Latin
# letters is part of a name: ssl_session).
_BETWEEN = re.compile(
    r"\s+[-–—|:·•»›/~]+\s*|\s*[-–—|:·•»›~]+\s+|[：｜・＿]+|(?<=[^\x00-\x7f])_+|_+(?=[^\x00-\x7f])|\s+_+\s+"
    r"|\s+\(|\)\s*$"  # Sorting (The Manual)
)
COMMON = 0.5  # share of a set's pages from which on a part is the set's own name


def title_parts(title: str) -> frozenset[str]:
    """Return the parts of a title, folded.

    >>> sorted(title_parts("std::set -  Reference | The Manual"))
    ['reference', 'std::set', 'the manual']
    """
    parts = (" ".join(part.split()).casefold() for part in _BETWEEN.split(title))
    return frozenset(part for part in parts if part)


def common_parts(parts: Iterable[frozenset[str]], *, share: float = COMMON) -> frozenset[str]:
    """Return the parts that at least a share of some titles carry."""
    titles = list(parts)
    counts = Counter(part for title in titles for part in title)
    return frozenset(part for part, count in counts.items() if count >= share * len(titles) and count > 1)
