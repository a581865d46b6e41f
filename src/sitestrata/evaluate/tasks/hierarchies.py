"""Tasks about hierarchies: pages of a site above one another, and labels of a page above one another.

Pairs with a site's entry page above are left out of the closure: every method gets those right. They count in the
parent accuracy.

Paper: MenuMiner 6.3, OntoMiner 7.5
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from sitestrata.evaluate.closure import ClosureScores, closure, score_closure, score_parents
from sitestrata.evaluate.facts import Facts, LabelNode, TreeFact
from sitestrata.evaluate.outcome import RESULT, Case, Outcome, Score, closure_scores
from sitestrata.evaluate.tasks.context import Context
from sitestrata.evaluate.text import plain

__all__ = ["gold_labels", "label_pairs", "score_hierarchy", "score_label_trees"]

Numbers = NDArray[np.int64]
Resolve = Callable[[str], str]


def score_hierarchy(context: Context) -> Outcome:
    """Compare which pages stand above which, over the transitive closure, and the direct parents."""
    resolve = context.matching.resolve
    gold, entries = _page_parents(context.gold, resolve)
    found, _ = _page_parents(context.answer, resolve)
    if not gold or not found:
        return Outcome()
    closed = _score_pages(found, gold, entries)
    parents = score_parents({page: min(above) for page, above in found.items()}, gold)
    wrong = [(page, above) for page, above in gold.items() if not (page in found and min(found[page]) in above)]
    cases = tuple(
        Case("hierarchy", 1.0, f"should stand below {min(above)}, found below {_first(found.get(page))}", page)
        for page, above in wrong
    )
    return Outcome(
        (
            *closure_scores("hierarchy", RESULT, "", closed, is_headline=True),
            Score("hierarchy", RESULT, "parent_accuracy", parents.recall, parents.gold),
        ),
        cases,
    )


def score_label_trees(context: Context) -> Outcome:
    """Compare the label hierarchies of pages; the headline is the mean over pages (macro F1)."""
    resolve = context.matching.resolve
    found_on = {resolve(tree.url): tree for tree in context.answer.trees}
    gold_on = {resolve(tree.url): tree for tree in context.gold.trees}
    if len(gold_on) == 1 and len(context.answer.trees) == 1 and not context.answer.trees[0].url:
        found_on = dict.fromkeys(gold_on, context.answer.trees[0])  # a page from a file, which has no address
    judged = sorted(page for page in gold_on if page in found_on)
    missing = len(gold_on) - len(judged)
    if not judged:
        return Outcome()
    parts: list[ClosureScores] = []
    cases = []
    for page in judged:
        wanted, accepted = label_pairs(gold_on[page].roots)
        found, _ = label_pairs(found_on[page].roots)
        one = score_closure(found, wanted, accepted=accepted, known=gold_labels(gold_on[page].roots))
        parts.append(one)
        what = f"precision {one.precision_desc:.2f}, recall {one.recall:.2f} of {one.gold} pairs"
        cases.append(Case("partition", 1 - one.f1, what, page))
    micro = sum(parts[1:], start=parts[0])
    macro = sum(one.f1 for one in parts) / len(parts)
    notes = (f"partition: {missing:,} of {len(gold_on):,} gold pages have no tree in the answer.",) if missing else ()
    figures = (
        Score("partition", RESULT, "macro_f1", macro, len(parts), is_headline=True),
        *closure_scores("partition", RESULT, "", micro),
    )
    return Outcome(figures, tuple(cases), notes)


def _page_parents(facts: Facts, resolve: Resolve) -> tuple[dict[str, set[str]], set[str]]:
    """Return the pages above each page, and the entry pages, which are above everything in their site."""
    above: dict[str, set[str]] = defaultdict(set)
    entries = {resolve(tree.url) for tree in facts.contents if tree.url}
    entries |= {resolve(site.entry) for site in facts.sites if site.entry}
    for tree in facts.contents:
        for parent, child in _page_pairs(tree, resolve):
            above[child].add(parent)
    if facts.pages is not None and "parent" in facts.pages.column_names:
        columns = (facts.pages[name].to_pylist() for name in ("url", "parent"))
        for url, parent in zip(*columns, strict=True):
            if parent:
                page, parent = resolve(url), resolve(parent)
                if page != parent:
                    above[page].add(parent)
    return dict(above), entries


def _page_pairs(tree: TreeFact, resolve: Resolve) -> Iterator[tuple[str, str]]:
    # A label without address passes what stands under it on to the page above.
    stack = [(resolve(tree.url), node) for node in reversed(tree.roots)]
    while stack:
        parent, node = stack.pop()
        page = resolve(node.url) if node.url else parent
        if page != parent and parent:
            yield parent, page
        stack += [(page or parent, child) for child in reversed(node.children)]


def _score_pages(found: dict[str, set[str]], gold: dict[str, set[str]], entries: set[str]) -> ClosureScores:
    """Compare closures as numbers: a pair (a, b) of n pages is a * n + b, so that millions of pairs fit memory."""
    names = sorted({*found, *gold, *entries}.union(*found.values(), *gold.values()))
    number = {name: i for i, name in enumerate(names)}
    entry = np.array(sorted(number[name] for name in entries), dtype=np.int64)
    known = np.zeros(len(names), dtype=bool)
    known[[number[name] for name in {*gold, *entries}.union(*gold.values())]] = True
    found_pairs, gold_pairs = (_pair_numbers(side, number, entry) for side in (found, gold))
    right = int(np.isin(found_pairs, gold_pairs, assume_unique=True).sum())
    size = len(names)
    below = known[found_pairs % size]
    return ClosureScores(
        gold=len(gold_pairs),
        recalled=right,
        right=right,
        found=len(found_pairs),
        found_desc=int(below.sum()),
        found_in=int((below & known[found_pairs // size]).sum()),
    )


def _pair_numbers(above: dict[str, set[str]], number: dict[str, int], entry: Numbers) -> Numbers:
    size = max(len(number), 1)
    parent = np.full(size, -1, dtype=np.int64)
    for page, parents in above.items():
        parent[number[page]] = number[min(parents)]
    if all(len(parents) == 1 for parents in above.values()) and not _has_cycle(parent):
        codes = _climb(parent)
    else:
        pairs = closure((number[up], number[page]) for page, parents in above.items() for up in parents)
        codes = np.unique(np.array([up * size + page for up, page in pairs], dtype=np.int64))
    return codes[~np.isin(codes // size, entry)]


def _has_cycle(parent: Numbers) -> bool:
    # After doubling the step often enough only pages that never reach a top still have somebody above.
    at = parent
    for _ in range(len(parent).bit_length() + 1):
        at = np.where(at >= 0, at[at], -1)
    return bool((at >= 0).any())


def _climb(parent: Numbers) -> Numbers:
    page = np.flatnonzero(parent >= 0)
    at = parent[page]
    levels = [np.zeros(0, dtype=np.int64)]
    while len(page):
        levels.append(at * len(parent) + page)
        at = parent[at]
        page, at = page[at >= 0], at[at >= 0]
    return np.unique(np.concatenate(levels))


def label_pairs(roots: Sequence[LabelNode]) -> tuple[set[tuple[str, str]], set[tuple[str, str]]]:
    """Return the (ancestor, descendant) labels that are certain, and those that are not."""
    certain: set[tuple[str, str]] = set()
    doubtful: set[tuple[str, str]] = set()
    stack: list[tuple[LabelNode, tuple[str, ...], bool]] = [(node, (), True) for node in roots]
    while stack:
        node, above, is_certain = stack.pop()
        label = plain(node.label)
        is_certain = is_certain and node.is_certain
        if label:
            (certain if is_certain else doubtful).update((parent, label) for parent in above if parent != label)
            above = (*above, label)
        stack += [(child, above, is_certain) for child in node.children]
    return certain, doubtful - certain


def gold_labels(roots: Sequence[LabelNode]) -> set[str]:
    """Return the labels of trees in plain form."""
    labels = set()
    stack = list(roots)
    while stack:
        node = stack.pop()
        labels.add(plain(node.label))
        stack += node.children
    return labels - {""}


def _first(parents: set[str] | None) -> str:
    return min(parents) if parents else "nothing"
