"""Tasks about what pages hold: tables, segment borders, taxonomies, records, and the one site around seed pages.

Paper: OntoMiner 7.2-7.7, Senellart 4
"""

from collections.abc import Sequence
from difflib import SequenceMatcher

import numpy as np

from sitestrata.evaluate.cuts import HEADLINE_WINDOW, PAPER_WINDOW, blind_cuts, score_cuts
from sitestrata.evaluate.facts import CutFact, TableFact, TaxonomyFact
from sitestrata.evaluate.instances import score_instances
from sitestrata.evaluate.menus import confusion_table
from sitestrata.evaluate.ontology import score_taxonomy
from sitestrata.evaluate.outcome import RESULT, Case, Outcome, Score, closure_scores, precision_recall_scores
from sitestrata.evaluate.precision_recall import PrecisionRecall, compare_sets, total
from sitestrata.evaluate.tables import TableScores, everything_is_data, score_tables
from sitestrata.evaluate.tasks.context import Context

__all__ = ["score_data_tables", "score_ontology", "score_page_set", "score_records", "score_segments", "transfer_cuts"]


def score_data_tables(context: Context) -> Outcome:
    """Compare which tables are data, their orientation and their header cells; "everything is data" stands beside."""
    found, gold = (
        {(context.matching.resolve(table.url), table.index): table for table in facts.tables}
        for facts in (context.answer, context.gold)
    )
    pages = {page for page, _ in found}
    judged = {key: table for key, table in gold.items() if key[0] in pages}
    if not judged:
        return Outcome()
    result = score_tables(found, judged)
    notes = []
    if len(judged) < len(gold):
        notes.append(
            f"tables: {len(gold) - len(judged):,} of {len(gold):,} gold tables are on pages without an answer."
        )
    if result.unlisted:
        notes.append(f"tables: {result.unlisted:,} judged tables are not in the answer and count as no data.")
    figures = _table_figures(RESULT, result)
    figures += _table_figures("everything is data, headers on top", score_tables(everything_is_data(judged), judged))
    confusion = [
        {("gold orientation" if name == "gold role" else name): value for name, value in row.items()}
        for row in confusion_table(result.confusion)
    ]
    cases = tuple(case for key, table in sorted(judged.items()) if (case := _table_case(found.get(key), table)))
    return Outcome(figures, cases, tuple(notes), {"tables: gold orientation against found": confusion})


def score_segments(context: Context) -> Outcome:
    """Compare segment borders in windows of one leaf and of five, with blind cuts beside."""
    resolve = context.matching.resolve
    found_on = {resolve(fact.url): fact for fact in context.answer.cuts}
    pairs = [(found_on[resolve(fact.url)], fact) for fact in context.gold.cuts if resolve(fact.url) in found_on]
    if not pairs:
        return Outcome()
    figures: tuple[Score, ...] = ()
    cases = []
    for window in (HEADLINE_WINDOW, PAPER_WINDOW):
        parts, blind = [], []
        for found, gold in pairs:
            moved = transfer_cuts(gold, found.leaves)
            parts.append(score_cuts(found.cuts, moved, window=window))
            blind.append(score_cuts(blind_cuts(len(found.leaves)), moved, window=window))
            if window == HEADLINE_WINDOW:
                what = f"{parts[-1].right} of {parts[-1].gold} borders found, {parts[-1].found} cuts made"
                cases.append(Case("segments", 1 - parts[-1].f1, what, gold.url))
        prefix = f"window_{window}"
        is_headline = window == HEADLINE_WINDOW
        figures += precision_recall_scores("segments", RESULT, prefix, total(parts), is_headline=is_headline)
        figures += precision_recall_scores("segments", "blind cuts", prefix, total(blind), is_headline=is_headline)
    missing = len(context.gold.cuts) - len(pairs)
    notes = (f"segments: {missing:,} gold pages have no answer.",) if missing else ()
    return Outcome(figures, tuple(cases), notes)


def score_ontology(context: Context) -> Outcome:
    """Compare concepts, synonyms and is-a pairs, domain by domain.

    An answer about a domain need not know its name: the gold domain with most concepts in common is meant. Parts of one
    gold domain answer together; what shares no concept with any is about something that gold does not speak of.
    """
    gold, found = {one.domain: one for one in context.gold.taxonomies}, context.answer.taxonomies
    if not gold or not found:
        return Outcome()
    parts: dict[str, list[TaxonomyFact]] = {}
    unknown = 0
    for one in found:
        shared = {domain: score_taxonomy([one], other).concepts.right for domain, other in sorted(gold.items())}
        meant = one.domain if one.domain in gold else max(shared, key=lambda domain: shared[domain])
        if meant == one.domain or shared[meant] or len(found) == 1:
            parts.setdefault(meant, []).append(one)
        else:
            unknown += 1
    figures: tuple[Score, ...] = ()
    notes: tuple[str, ...] = ()
    asked = list(parts) if len(found) == 1 else [name for name, one in gold.items() if name in parts or one.sites != 1]
    for domain in sorted(asked):
        scores = score_taxonomy(parts.get(domain, ()), gold[domain])
        task = "ontology" if len(found) == 1 else f"ontology-{domain}"
        figures += closure_scores(task, RESULT, "is_a", scores.is_a, is_headline=True)
        if (alike := scores.is_a_shared) is not None and alike.gold:
            figures += (Score(task, RESULT, "is_a_shared_f1", alike.f1, alike.gold),)
            figures += (Score(task, RESULT, "is_a_shared_recall", alike.recall, alike.gold),)
        figures += (Score(task, RESULT, "is_a_recall_direct", scores.is_a_direct.recall, scores.is_a_direct.gold),)
        figures += precision_recall_scores(task, RESULT, "concepts", scores.concepts)
        figures += precision_recall_scores(task, RESULT, "synonyms", scores.synonyms)
        names = ", ".join(one.domain for one in parts.get(domain, ()))
        if names != domain and len(gold) > 1:
            notes += (f"{task}: {names or 'nothing'} was scored against the gold domain {domain}.",)
    if unknown:
        notes += (f"ontology: {unknown} found domains share no concept with gold and were not scored.",)
    if len(found) > 1:
        figures += _means("ontology", figures)
    return Outcome(figures, notes=notes)


def score_records(context: Context) -> Outcome:
    """Compare records and attribute-value pairs on the pages that gold describes."""
    if not context.gold.instances or not context.answer.instances:
        return Outcome()
    scores = score_instances(context.answer.instances, context.gold.instances, context.matching.resolve)
    figures: tuple[Score, ...] = ()
    for prefix, counts in (("records", scores.records), ("pairs", scores.pairs), ("values", scores.values)):
        if counts.gold:  # the first of them that gold judges counts most
            figures += precision_recall_scores("instances", RESULT, prefix, counts, is_headline=not figures)
    cases = tuple(
        Case(
            "instances",
            1 - (page.records.f1 + page.pairs.f1) / 2,
            f"{page.records.right} of {page.records.gold} records, {page.pairs.right} of {page.pairs.gold} pairs",
            page.page,
        )
        for page in scores.pages
    )
    return Outcome(figures, cases)


def score_page_set(context: Context) -> Outcome:
    """Compare the page set found around seeds with the gold site of the first seed; the best alternative beside it."""
    gold, sets = context.gold.pages, context.answer.page_sets
    if not sets or gold is None or "site" not in gold.column_names:
        return Outcome()
    resolve = context.matching.resolve
    members: dict[str, set[str]] = {}
    site_of: dict[str, str] = {}
    for url, site in zip(gold["url"].to_pylist(), gold["site"].to_pylist(), strict=True):
        page = resolve(url)
        site_of[page] = site
        members.setdefault(site, set()).add(page)
    chosen: list[PrecisionRecall] = []
    best: list[PrecisionRecall] = []
    cases = []
    notes = []
    for one in sets:
        site = next((site_of[resolve(seed)] for seed in one.seeds if resolve(seed) in site_of), None)
        if site is None:
            notes.append(f"site: no seed of {', '.join(one.seeds[:3])} is in gold.")
            continue
        scores = [
            compare_sets({resolve(url) for url in pages}, members[site]) for pages in (one.pages, *one.alternatives)
        ]
        chosen.append(scores[0])
        best.append(max(scores, key=lambda counts: counts.f1))
        what = f"{site}: precision {scores[0].precision:.2f}, recall {scores[0].recall:.2f}"
        cases.append(Case("site", 1 - scores[0].f1, what, one.seeds[0] if one.seeds else None))
    if not chosen:
        return Outcome(notes=tuple(notes))
    figures = tuple(
        Score("site", system, metric, float(np.mean([getattr(c, metric) for c in parts])), len(parts), metric == "f1")
        for system, parts in ((RESULT, chosen), ("best alternative", best))
        for metric in ("f1", "precision", "recall")
    )
    return Outcome(figures, tuple(cases), tuple(notes))


def _means(task: str, scores: Sequence[Score]) -> tuple[Score, ...]:
    by_metric: dict[str, list[Score]] = {}
    for score in scores:
        by_metric.setdefault(score.metric, []).append(score)
    return tuple(
        Score(task, RESULT, metric, sum(s.value for s in same) / len(same), len(same), same[0].is_headline)
        for metric, same in by_metric.items()
    )


def _table_figures(system: str, result: TableScores) -> tuple[Score, ...]:
    figures = precision_recall_scores("tables", system, "detection", result.detection, is_headline=True)
    if result.orientation_judged:
        judged = result.orientation_judged
        figures += (
            Score("tables", system, "orientation", result.orientation_accuracy, judged),
            Score("tables", system, "orientation_of_found", result.orientation_of_found, judged),
        )
    if result.header_cells.gold:
        figures += precision_recall_scores("tables", system, "header_cells", result.header_cells)
    return figures


def _table_case(found: TableFact | None, gold: TableFact) -> Case | None:
    where = f"table {gold.index}" + (f" ({gold.kind})" if gold.kind else "")
    said = found is not None and found.is_data
    if said != gold.is_data:
        claim = "is data, was missed" if gold.is_data else "is no data, was called data"
        return Case("tables", 2.0, f"{where} {claim}", gold.url)
    if found is not None and gold.orientations and found.orientations[:1] != gold.orientations[:1]:
        if found.orientations and found.orientations[0] in gold.orientations:
            return None
        return Case("tables", 1.0, f"{where} is {gold.orientations[0]}, found {found.orientations[:1]}", gold.url)
    return None


def transfer_cuts(gold: CutFact, leaves: Sequence[str]) -> list[int]:
    """Move gold's cuts to another list of the same page's leaves, which another parser may have split otherwise."""
    if tuple(leaves) == gold.leaves:
        return list(gold.cuts)
    place: dict[int, int] = {}
    for a, b, size in SequenceMatcher(None, gold.leaves, leaves, autojunk=False).get_matching_blocks():
        place.update({a + i: b + i for i in range(size)})
    moved = []
    for cut in gold.cuts:
        ahead = next((i for i in range(cut, len(gold.leaves)) if i in place), None)
        moved.append(len(leaves) if ahead is None else place[ahead])
    return sorted(set(moved))
