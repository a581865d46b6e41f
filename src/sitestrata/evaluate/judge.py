"""Random pairs of pages for a person to judge, and what was answered so far.

The paper had 845 random pairs of 10,000 pages judged: "do both belong to one site?" is easier to answer, and less prone
to error, than grouping pages. Pairs are drawn without replacement in an order that the seed alone decides, so a session
that was broken off goes on where it was.

Paper: MenuMiner 6.2.1
"""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from sitestrata.evaluate.facts import PairFact

__all__ = ["draw_pairs", "open_pairs", "read_judged", "write_judged"]


def draw_pairs(urls: Sequence[str], *, seed: int = 0) -> Iterator[tuple[str, str]]:
    """Yield distinct pairs of distinct pages at random until all were drawn; the order of ``urls`` does not matter."""
    pages = sorted(set(urls))
    everything = len(pages) * (len(pages) - 1) // 2
    rng = np.random.default_rng(seed)
    drawn: set[tuple[int, int]] = set()
    while len(drawn) < everything:
        first, second = sorted(int(i) for i in rng.integers(0, len(pages), 2))
        if first != second and (first, second) not in drawn:
            drawn.add((first, second))
            yield pages[first], pages[second]


def open_pairs(urls: Sequence[str], count: int, judged: Sequence[PairFact], *, seed: int = 0) -> list[tuple[str, str]]:
    """Return those of the first ``count`` pairs that nobody has judged yet."""
    done = {frozenset((pair.first, pair.second)) for pair in judged}
    pairs = (pair for pair, _ in zip(draw_pairs(urls, seed=seed), range(count), strict=False))
    return [pair for pair in pairs if frozenset(pair) not in done]


def read_judged(path: Path) -> list[PairFact]:
    """Read the answers given so far; a last line that was cut off by a crash is left out."""
    if not path.exists():
        return []
    pairs = []
    for line in path.read_text(encoding="utf-8").splitlines():
        try:
            row = json.loads(line)
        except json.JSONDecodeError:
            continue
        pairs.append(PairFact(row["first"], row["second"], row["same"]))
    return pairs


def write_judged(path: Path, pair: PairFact) -> None:
    """Append one answer."""
    row = {"first": pair.first, "second": pair.second, "same": pair.same}
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    start = "" if text.endswith("\n") or not text else "\n"  # a line that a crash cut off ends here
    with path.open("a", encoding="utf-8") as file:
        file.write(start + json.dumps(row) + "\n")
