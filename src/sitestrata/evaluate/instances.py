"""Found records against gold records, and their attributes.

Only pages that gold describes count. A found record is a gold record if it stands on the same page and has its name or
its address; one that gold is not certain of does not count. Where gold leaves the name open (a page about one thing)
the found records of that page are taken together.
Attribute values are compared in plain form, with their label where the page prints one.

Paper: OntoMiner 7.7
"""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sitestrata.evaluate.facts import AttributeFact, InstanceFact
from sitestrata.evaluate.precision_recall import PrecisionRecall
from sitestrata.evaluate.text import plain

__all__ = ["InstanceScores", "PageInstances", "score_instances"]

Resolve = Callable[[str], str]
Pair = tuple[frozenset[str], str]


@dataclass(frozen=True, slots=True)
class PageInstances:
    """The scores of one page, to find the worst."""

    page: str
    records: PrecisionRecall
    pairs: PrecisionRecall


@dataclass(frozen=True, slots=True)
class InstanceScores:
    """Records, their attribute-value pairs, and their values alone."""

    records: PrecisionRecall
    pairs: PrecisionRecall  # label and value, where the page prints the label
    values: PrecisionRecall  # value only; precision over records whose gold is complete
    pages: tuple[PageInstances, ...]


def score_instances(found: Sequence[InstanceFact], gold: Sequence[InstanceFact], resolve: Resolve) -> InstanceScores:
    """Compare the records of the pages that gold describes."""
    found_on, gold_on = _by_page(found, resolve), _by_page(gold, resolve)
    records = pairs = values = PrecisionRecall(0, 0, 0)
    pages = []
    for page, listed in sorted(gold_on.items()):
        true = [instance for instance in listed if instance.is_certain]
        doubtful = [instance for instance in listed if not instance.is_certain]
        page_records, matches = _match(_without(found_on.get(page, []), true, doubtful, resolve), true, resolve)
        page_pairs = PrecisionRecall(0, 0, 0)
        for attributes, instance in matches:
            page_pairs += _score_pairs(attributes, instance)
            values += _score_values(attributes, instance)
        records += page_records
        pairs += page_pairs
        pages.append(PageInstances(page, page_records, page_pairs))
    return InstanceScores(records, pairs, values, tuple(pages))


def _by_page(instances: Sequence[InstanceFact], resolve: Resolve) -> dict[str, list[InstanceFact]]:
    pages = defaultdict(list)
    for instance in instances:
        pages[resolve(instance.page)].append(instance)
    return dict(pages)


def _without(
    found: list[InstanceFact], true: list[InstanceFact], doubtful: list[InstanceFact], resolve: Resolve
) -> list[InstanceFact]:
    """Leave out found records that gold is not certain of, unless they are others too."""
    known, unsure = _names(true, resolve), _names(doubtful, resolve)
    return [one for one in found if (names := _names([one], resolve)).isdisjoint(unsure) or names & known]


def _names(instances: Sequence[InstanceFact], resolve: Resolve) -> set[str]:
    """Return names and addresses of records."""
    names = {f"name {plain(one.name)}" for one in instances if one.name}
    return names | {f"url {resolve(one.url)}" for one in instances if one.url}


def _match(
    found: list[InstanceFact], gold: list[InstanceFact], resolve: Resolve
) -> tuple[PrecisionRecall, list[tuple[list[AttributeFact], InstanceFact]]]:
    """Pair each gold record with the attributes found for it; count the records."""
    named = [instance for instance in gold if instance.name is not None]
    matches: list[tuple[list[AttributeFact], InstanceFact]] = []
    for instance in gold:
        if instance.name is None:
            matches.append(([attribute for other in found for attribute in other.attributes], instance))
    if not named:
        return PrecisionRecall(0, 0, 0), matches
    by_name: dict[str, list[int]] = defaultdict(list)
    by_url: dict[str, list[int]] = defaultdict(list)
    for i, other in enumerate(found):
        if other.name:
            by_name[plain(other.name)].append(i)
        if other.url:
            by_url[resolve(other.url)].append(i)
    taken: set[int] = set()
    for instance in named:
        candidates = by_name.get(plain(instance.name or ""), []) + by_url.get(resolve(instance.url or ""), [])
        chosen = next((i for i in candidates if i not in taken), None)
        if chosen is not None:
            taken.add(chosen)
        matches.append(([] if chosen is None else list(found[chosen].attributes), instance))
    return PrecisionRecall(len(taken), len(found), len(named)), matches


def _score_pairs(found: list[AttributeFact], gold: InstanceFact) -> PrecisionRecall:
    wanted = [(_labels(a), plain(a.value)) for a in gold.attributes if a.labels]
    shown_nowhere = {plain(a.value) for a in gold.attributes if not a.labels}
    got = {(_labels(a), plain(a.value)) for a in found}
    right = sum(any(value == v and labels & names for names, v in got) for labels, value in wanted)
    judged = {(names, value) for names, value in got if names and value not in shown_nowhere}
    if not gold.is_complete:
        # Labels that gold does not know may be right; those it knows must carry its values.
        known = frozenset().union(*(labels for labels, _ in wanted)) if wanted else frozenset()
        judged = {(names, value) for names, value in judged if names & known}
    wrong = sum(not any(value == v and labels & names for labels, v in wanted) for names, value in judged)
    return PrecisionRecall(right, right + wrong, len(wanted))


def _score_values(found: list[AttributeFact], gold: InstanceFact) -> PrecisionRecall:
    wanted = {plain(a.value) for a in gold.attributes}
    got = {plain(a.value) for a in found}
    right = len(wanted & got)
    return PrecisionRecall(right, len(got) if gold.is_complete else right, len(wanted))


def _labels(attribute: AttributeFact) -> frozenset[str]:
    return frozenset(plain(label) for label in attribute.labels) - {""}
