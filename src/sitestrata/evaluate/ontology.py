"""Found concepts, synonyms and is-a pairs against a gold taxonomy.

A label is compared in its plain form. Concepts are compared one to one: of those that share labels with a gold concept,
the one that shares most of them is found, so that splitting a concept in two does not count as finding it twice.

Pairs are compared by what they say: either end stands for the gold concept with which it shares most labels, also
where gold has one concept (Hoodies & Sweatshirts) and two were found. Pairs that say the same count once; one that sets
a gold concept under itself is wrong. Compared is the transitive closure (OntoMiner 7.1) of what was found, taken before
the translation: nothing follows from two concepts being one that nobody found to be one. Facets, pairs that nest either
way on different sites, are right in both directions and imply nothing further.

A domain may be found in parts, as sites in different languages are: each part is translated for itself, and together
they answer for the domain.

Paper: OntoMiner 7.1, 7.6
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from sitestrata.evaluate.closure import ClosureScores, closure, score_closure
from sitestrata.evaluate.facts import IsAFact, TaxonomyFact
from sitestrata.evaluate.menus import match_by_overlap
from sitestrata.evaluate.precision_recall import PrecisionRecall
from sitestrata.evaluate.text import plain

__all__ = ["TaxonomyScores", "meanings", "score_taxonomy"]

Name = tuple[bool, str]  # (is it one of gold's concepts, its name)
Pair = tuple[Name, Name]
SHARED_BY = 2  # sites: what one alone prints overlaps with nothing


@dataclass(frozen=True, slots=True)
class TaxonomyScores:
    """One found taxonomy beside gold."""

    concepts: PrecisionRecall
    synonyms: PrecisionRecall  # pairs of labels of one concept; precision among labels that gold knows
    is_a: ClosureScores
    is_a_shared: ClosureScores | None  # asked for only where two sites print a label of either end, if gold knows
    is_a_direct: PrecisionRecall  # of the pairs that gold lists, without those that follow from them: recall only


def score_taxonomy(found: Sequence[TaxonomyFact], gold: TaxonomyFact) -> TaxonomyScores:
    """Compare concepts, synonym pairs and is-a pairs of the parts in which a domain was found."""
    gold_labels = {c.concept: _labels(c.concept, c.labels) for c in gold.concepts}
    listed_pairs = {_known(pair) for pair in gold.is_a}
    facets = {_known(pair) for pair in gold.is_a if pair.is_facet} | _either_way(listed_pairs)
    found_pairs: set[Pair] = set()
    named: set[Name] = set()
    synonyms: set[tuple[str, str]] = set()
    for number, part in enumerate(found):
        labels = {c.concept: _labels(c.concept, c.labels) for c in part.concepts}
        matched = _matched(labels, gold_labels)
        named |= {_name(concept, matched, number) for concept in labels}
        found_pairs |= _said(part.is_a, meanings(labels, gold_labels), number, facets)
        synonyms |= _synonyms(labels)
    listed = {_known(pair) for pair in gold.is_a if pair.is_observed}
    return TaxonomyScores(
        concepts=PrecisionRecall(sum(is_known for is_known, _ in named), len(named), len(gold_labels)),
        synonyms=_score_synonyms(synonyms, gold_labels),
        is_a=_is_a(found_pairs, gold, facets),
        is_a_shared=_is_a_shared(found_pairs, gold, facets),
        is_a_direct=PrecisionRecall(len(listed & found_pairs), len(found_pairs), len(listed)),
    )


def meanings(found: Mapping[str, frozenset[str]], gold: Mapping[str, frozenset[str]]) -> dict[str, str]:
    """Return which gold concept each found one stands for, by plain labels: its match, or that with most of them."""
    by_label: dict[str, list[str]] = {}
    for concept in sorted(gold):
        for label in gold[concept]:
            by_label.setdefault(label, []).append(concept)
    shared = {
        name: Counter(one for label in labels for one in by_label.get(label, ())) for name, labels in found.items()
    }
    most = {name: min(count, key=lambda one: (-count[one], one)) for name, count in shared.items() if count}
    return most | _matched(found, gold)


def _name(concept: str, meaning: Mapping[str, str], part: int) -> Name:
    """Return gold's name of a concept; one that gold lacks keeps its own, which cannot collide with one of gold's."""
    return (True, meaning[concept]) if concept in meaning else (False, f"{part} {concept}")


def _matched(found: Mapping[str, frozenset[str]], gold: Mapping[str, frozenset[str]]) -> dict[str, str]:
    """Return which found concept is which gold concept, one to one."""
    known = frozenset().union(*gold.values()) if gold else frozenset()
    names = {plain(concept) for concept in gold}
    # Those that carry a name come first: the match breaks ties by place.
    found_names, gold_names = sorted(found, key=lambda name: (not names & found[name], name)), sorted(gold)
    pairs = match_by_overlap([found[n] & known for n in found_names], [gold[n] for n in gold_names], least=0.0)
    return {found_names[i]: gold_names[j] for i, j in pairs}


def _said(pairs: Iterable[IsAFact], meaning: Mapping[str, str], part: int, facets: set[Pair]) -> set[Pair]:
    """Return what the pairs of a part and all that follows from them say in terms of gold's concepts."""
    said = {(pair.parent, pair.child) for pair in pairs}
    names = {one: _name(one, meaning, part) for pair in said for one in pair}
    turned = {(parent, child) for parent, child in said if (child, parent) in said}
    implying = {pair for pair in said - turned if (names[pair[0]], names[pair[1]]) not in facets}
    return {
        (names[parent], names[child] if names[parent] != names[child] else (False, f"{part} {child}"))
        for parent, child in closure(implying) | said
        if parent != child
    }


def _labels(concept: str, labels: tuple[str, ...]) -> frozenset[str]:
    plain_labels = {plain(label) for label in labels} - {""}
    return frozenset(plain_labels or {plain(concept)})


def _synonyms(labels: Mapping[str, frozenset[str]]) -> set[tuple[str, str]]:
    return {pair for some in labels.values() for pair in combinations(sorted(some), 2)}


def _score_synonyms(found: set[tuple[str, str]], gold: Mapping[str, frozenset[str]]) -> PrecisionRecall:
    known = frozenset().union(*gold.values()) if gold else frozenset()
    judged = {(one, two) for one, two in found if one in known and two in known}
    wanted = _synonyms(gold)
    return PrecisionRecall(len(judged & wanted), len(judged), len(wanted))


def _is_a_shared(found: set[Pair], gold: TaxonomyFact, facets: set[Pair]) -> ClosureScores | None:
    """Score what sites can know of each other: a concept that each names in its own words is known to none."""
    if any(concept.alike is None for concept in gold.concepts):
        return None
    shared = {(True, concept.concept) for concept in gold.concepts if (concept.alike or 0) >= SHARED_BY}
    return _is_a(found, gold, facets, shared)


def _is_a(
    found: set[Pair], gold: TaxonomyFact, facets: set[Pair], asked: Collection[Name] | None = None
) -> ClosureScores:
    wanted = _closed({_known(pair) for pair in gold.is_a if pair.is_observed}, facets)
    return score_closure(
        found,
        wanted if asked is None else {pair for pair in wanted if set(pair) <= set(asked)},
        accepted=_closed({_known(pair) for pair in gold.is_a}, facets),
        known=[(True, concept.concept) for concept in gold.concepts],
    )


def _known(pair: IsAFact) -> Pair:
    return (True, pair.parent), (True, pair.child)


def _either_way(pairs: set[Pair]) -> set[Pair]:
    return {(parent, child) for parent, child in pairs if (child, parent) in pairs}


def _closed(pairs: set[Pair], facets: set[Pair]) -> set[Pair]:
    chained = closure(pairs - _either_way(pairs) - facets)
    return chained | {(parent, child) for parent, child in pairs if parent != child}
