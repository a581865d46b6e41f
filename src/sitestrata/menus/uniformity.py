"""DOM paths of segments -> the path they have in common, with wildcards where they differ: a menu's signature.

Paths are aligned step by step. A tag, an id or a class attribute that is not the same in all of them becomes a
wildcard; a step that some of them lack becomes an optional step. The fewer wildcards, the more uniform the segments,
and the likelier it is that they belong to one template. A path *fits* a signature if it is one of those that the
wildcards allow.

As text a signature is a path (`sitestrata.page.paths`) in which ``*`` stands for any tag, ``#*`` for any id or none,
``.*`` for any classes or none, and a step that may be missing ends with ``?``.

Paper: MenuMiner 5.2

Differences from the paper: it does not say how paths of different lengths are aligned, nor what a missing step costs;
here they are aligned with the fewest wildcards, and a missing step costs the three of one that has nothing in common.

Cost: linear for paths of one length that differ in names only, else the product of the lengths.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from sitestrata.page.paths import parse_path

__all__ = ["Signature", "SignatureStep", "align", "align_all", "fits", "parse", "spell"]

ANY = "*"
MISSING_STEP = 3  # wildcards: tag, id and class


@dataclass(frozen=True, slots=True)
class SignatureStep:
    """One step: ``*`` stands for anything; an id or class that no path has is empty."""

    tag: str
    id: str
    classes: str
    is_optional: bool = False

    @property
    def wildcards(self) -> int:
        """Return how many wildcards the step has."""
        if self.is_optional:
            return MISSING_STEP
        return (self.tag == ANY) + (self.id == ANY) + (self.classes == ANY)


@dataclass(frozen=True, slots=True)
class Signature:
    """The aligned path of several segments."""

    steps: tuple[SignatureStep, ...]

    @property
    def wildcards(self) -> int:
        """Return the number of wildcards: 0 = all paths are equal."""
        return sum(step.wildcards for step in self.steps)


@lru_cache(maxsize=65_536)
def parse(path: str) -> Signature:
    """Return the signature of a single DOM path.

    >>> parse("html/div#top.a").wildcards
    0
    """
    return Signature(
        tuple(SignatureStep(step.tag, step.id or "", ".".join(sorted(step.classes))) for step in parse_path(path))
    )


def align(first: Signature, second: Signature) -> Signature:
    """Return the signature with the fewest wildcards that both fit.

    >>> spell(align(parse("html/div#a/ul.x"), parse("html/div#b/ul.x")))
    'html/div#*/ul.x'
    """
    if first == second:
        return first
    if len(first.steps) == len(second.steps):
        merged = [_merge(a, b) for a, b in zip(first.steps, second.steps, strict=True)]
        # Steps that only differ in names cannot be aligned better.
        if all(
            step.tag != ANY or ANY in (a.tag, b.tag)
            for step, a, b in zip(merged, first.steps, second.steps, strict=True)
        ):
            return Signature(tuple(merged))
    return _align_steps(first.steps, second.steps)


def align_all(paths: Iterable[str]) -> Signature:
    """Align several DOM paths; the order in which they come does not matter."""
    distinct = sorted(set(paths), key=lambda path: (path.count("/"), path))
    signature = parse(distinct[0]) if distinct else Signature(())
    for path in distinct[1:]:
        signature = align(signature, parse(path))
    return signature


def fits(path: str, signature: Signature) -> bool:
    """Tell whether a DOM path is one that a signature allows."""
    steps = parse(path).steps
    # reach: how many steps of the path may be used up so far.
    reach = {0}
    for wanted in signature.steps:
        moved = {at + 1 for at in reach if at < len(steps) and _step_fits(steps[at], wanted)}
        reach = moved | reach if wanted.is_optional else moved
    return len(steps) in reach


def spell(signature: Signature) -> str:
    """Write a signature as text."""
    return "/".join(
        step.tag
        + (f"#{step.id}" if step.id else "")
        + (f".{step.classes}" if step.classes else "")
        + ("?" if step.is_optional else "")
        for step in signature.steps
    )


def _step_fits(step: SignatureStep, wanted: SignatureStep) -> bool:
    return wanted.tag in (ANY, step.tag) and wanted.id in (ANY, step.id) and wanted.classes in (ANY, step.classes)


def _merge(a: SignatureStep, b: SignatureStep) -> SignatureStep:
    return SignatureStep(
        a.tag if a.tag == b.tag else ANY,
        a.id if a.id == b.id else ANY,
        a.classes if a.classes == b.classes else ANY,
        a.is_optional or b.is_optional,
    )


def _align_steps(first: tuple[SignatureStep, ...], second: tuple[SignatureStep, ...]) -> Signature:
    """Align with the fewest wildcards; of equal alignments the one that matches steps as late as possible."""
    n, m = len(first), len(second)
    cost = [[MISSING_STEP * (i + j) for j in range(m + 1)] for i in range(n + 1)]
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            cost[i][j] = min(
                cost[i - 1][j - 1] + _merge(first[i - 1], second[j - 1]).wildcards,
                cost[i - 1][j] + MISSING_STEP,
                cost[i][j - 1] + MISSING_STEP,
            )
    steps: list[SignatureStep] = []
    i, j = n, m
    while i or j:
        if i and j and cost[i][j] == cost[i - 1][j - 1] + (merged := _merge(first[i - 1], second[j - 1])).wildcards:
            steps.append(merged)
            i, j = i - 1, j - 1
        else:
            takes_first = i > 0 and cost[i][j] == cost[i - 1][j] + MISSING_STEP
            step = first[i - 1] if takes_first else second[j - 1]
            steps.append(SignatureStep(step.tag, step.id, step.classes, is_optional=True))
            i, j = (i - 1, j) if takes_first else (i, j - 1)
    return Signature(tuple(reversed(steps)))
