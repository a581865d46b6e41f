"""Found menus against gold menus: items by target, label, both and in order; roles; documents of several pages.

Items are compared as readers meet them: a target that is listed twice counts once, at its first place. The headline is
the F1 by target.

Paper: MenuMiner 6.4
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sitestrata.evaluate.facts import ItemFact, MenuFact
from sitestrata.evaluate.precision_recall import PrecisionRecall, compare_sets
from sitestrata.evaluate.text import plain

__all__ = [
    "MenuScores",
    "RoleScores",
    "confusion_table",
    "match_by_overlap",
    "score_menu",
    "score_page_sets",
    "score_roles",
]

Resolve = Callable[[str], str]
SAME_MENU = 0.5  # share of common targets (Jaccard) from which two menus are taken for one
SAME_DOCUMENT = 0.5  # likewise for page sets of compound documents


@dataclass(frozen=True, slots=True)
class MenuScores:
    """One found menu beside one gold menu."""

    by_target: PrecisionRecall
    by_label: PrecisionRecall
    by_both: PrecisionRecall
    in_order: PrecisionRecall  # right = longest common subsequence of the targets
    is_exact: bool  # same targets, same order


@dataclass(frozen=True, slots=True)
class RoleScores:
    """Menus found at all, and of these, whose role is right."""

    detection: PrecisionRecall
    accuracy: float  # of the matched menus
    confusion: dict[tuple[str, str], int]  # (gold role, found role) -> menus


def score_menu(found: Sequence[ItemFact], gold: Sequence[ItemFact], resolve: Resolve) -> MenuScores:
    """Compare the items of two menus; ``resolve`` says which page an address stands for.

    Items that are no links count by label only.
    """
    found_targets, gold_targets = _targets(found, resolve), _targets(gold, resolve)
    common = _common_subsequence(found_targets, gold_targets)
    return MenuScores(
        by_target=compare_sets(found_targets, gold_targets),
        by_label=compare_sets({plain(item.label) for item in found}, {plain(item.label) for item in gold}),
        by_both=compare_sets(_pairs(found, resolve), _pairs(gold, resolve)),
        in_order=PrecisionRecall(common, len(found_targets), len(gold_targets)),
        is_exact=found_targets == gold_targets,
    )


def score_roles(found: Sequence[MenuFact], gold: Sequence[MenuFact], resolve: Resolve) -> RoleScores:
    """Match found menus with gold menus by their targets and compare the roles of those that match."""
    # Menus that are the same on all pages go by their items, those that vary by what each page shows.
    by_items = _similarities(
        [frozenset(_targets(menu.items, resolve)) for menu in found],
        [frozenset(_targets(menu.items, resolve)) for menu in gold],
        least=SAME_MENU,
    )
    by_pages = _similarities(
        [_shown(menu, resolve) for menu in found],
        [_shown(menu, resolve) if not menu.items else frozenset() for menu in gold],
        least=SAME_MENU,
    )
    # A page may list the same items twice, in the text and beside it: of equals those of one role are one menu.
    pairs = _one_to_one([*by_items, *by_pages], lambda j, i: gold[j].role == found[i].role)
    confusion = Counter((gold[j].role, found[i].role) for i, j in pairs)
    right = sum(count for (true, said), count in confusion.items() if true == said)
    return RoleScores(
        detection=PrecisionRecall(len(pairs), len(found), len(gold)),
        accuracy=right / len(pairs) if pairs else 0.0,
        confusion=dict(sorted(confusion.items())),
    )


def score_page_sets(found: Sequence[Collection[str]], gold: Sequence[Collection[str]]) -> PrecisionRecall:
    """Count the sets of pages (compound documents) that were found, at least half of them in common."""
    pairs = match_by_overlap([frozenset(s) for s in found], [frozenset(s) for s in gold], least=SAME_DOCUMENT)
    return PrecisionRecall(len(pairs), len(found), len(gold))


def match_by_overlap(
    found: Sequence[frozenset[Hashable]] | Sequence[frozenset[str]],
    gold: Sequence[frozenset[Hashable]] | Sequence[frozenset[str]],
    *,
    least: float,
) -> list[tuple[int, int]]:
    """Match sets one to one, most similar (Jaccard) first; only sets that share a member are ever compared."""
    return _one_to_one(_similarities(found, gold, least=least))


def _similarities(
    found: Sequence[frozenset[Any]], gold: Sequence[frozenset[Any]], *, least: float
) -> list[tuple[float, int, int]]:
    """Return the pairs of sets that are similar enough, as (-similarity, place in gold, place in found)."""
    holders: dict[Hashable, list[int]] = {}
    for j, members in enumerate(gold):
        for member in members:
            holders.setdefault(member, []).append(j)
    candidates: list[tuple[float, int, int]] = []
    for i, members in enumerate(found):
        shared = Counter(j for member in members for j in holders.get(member, ()))
        for j, common in shared.items():
            similarity = common / (len(members) + len(gold[j]) - common)
            if similarity >= least:
                candidates.append((-similarity, j, i))
    return candidates


def _one_to_one(
    candidates: list[tuple[float, int, int]],
    prefers: Callable[[int, int], bool] = lambda j, i: True,  # noqa: ARG005
) -> list[tuple[int, int]]:
    taken_found: set[int] = set()
    taken_gold: set[int] = set()
    pairs = []
    for _, _, j, i in sorted((distance, not prefers(j, i), j, i) for distance, j, i in candidates):
        if i not in taken_found and j not in taken_gold:
            taken_found.add(i)
            taken_gold.add(j)
            pairs.append((i, j))
    return pairs


def confusion_table(confusion: Mapping[tuple[str, str], int]) -> list[dict[str, str | int]]:
    """Return the confusion counts as rows: one a gold role, one column a found role."""
    roles = sorted({role for pair in confusion for role in pair})
    return [
        {"gold role": true, **{said: confusion.get((true, said), 0) for said in roles}}
        for true in roles
        if any(confusion.get((true, said)) for said in roles)
    ]


def _targets(items: Sequence[ItemFact], resolve: Resolve) -> list[str]:
    return list(dict.fromkeys(resolve(item.url) for item in items if item.url))


def _shown(menu: MenuFact, resolve: Resolve) -> frozenset[tuple[str, str]]:
    pairs = ((resolve(page), resolve(target)) for page, target in menu.shown)
    return frozenset((page, target) for page, target in pairs if page != target)


def _pairs(items: Sequence[ItemFact], resolve: Resolve) -> set[tuple[str, str]]:
    return {(plain(item.label), resolve(item.url) if item.url else "") for item in items}


def _common_subsequence(first: Sequence[str], second: Sequence[str]) -> int:
    # Both lists hold each target once, so the longest common subsequence is the longest increasing run of places.
    place = {target: i for i, target in enumerate(second)}
    tails: list[int] = []
    for target in first:
        if target in place:
            i = bisect_left(tails, place[target])
            tails[i : i + 1] = [place[target]]
    return len(tails)
