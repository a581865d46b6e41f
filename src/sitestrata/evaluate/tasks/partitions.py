"""Tasks that compare partitions of pages: sites, subsites, the strict reading, judged pairs, identity, confidence.

Paper: MenuMiner 6.2.1
"""

from collections.abc import Callable

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from sitestrata.evaluate.baselines import partitions
from sitestrata.evaluate.calibration import score_calibration
from sitestrata.evaluate.outcome import RESULT, Case, Outcome, Score, partition_scores
from sitestrata.evaluate.rand import codes, contingency, score_partition, score_sample
from sitestrata.evaluate.tasks.context import Context

__all__ = [
    "score_confidence",
    "score_coverage",
    "score_identity",
    "score_pairs",
    "score_sites",
    "score_strict_sites",
    "score_subsites",
]

Numbers = NDArray[np.int64]


def score_coverage(context: Context) -> Outcome:
    """Count the pages of gold that the answer knows: those it lacks count nowhere else."""
    if context.answer.pages is None:
        return Outcome()
    known = len(context.gold_rows) / len(context.rows)
    return Outcome((Score("coverage", RESULT, "pages", known, len(context.rows), is_headline=True),))


def score_sites(context: Context) -> Outcome:
    """Compare the partition of pages into sites with gold."""
    return _score(context, "sites", context.gold_column("site"), context.answer_column("site"))


def score_strict_sites(context: Context) -> Outcome:
    """Compare sites with the strict reading of gold: a subsite that replaces the menu is a site of its own."""
    gold, strict = context.gold_column("site"), context.gold_column("own_site")
    if gold is None or strict is None or score_partition(codes(gold), codes(strict)).adjusted_rand == 1:
        return Outcome()
    own = context.answer_column("own_site")
    return _score(context, "strict-sites", strict, context.answer_column("site") if own is None else own)


def score_subsites(context: Context) -> Outcome:
    """Compare the finer partition into subsites, and pages outside any subsite, with gold."""
    gold, found = (_finer(column) for column in (context.gold_column, context.answer_column))
    return _score(context, "subsites", gold, found)


def score_identity(context: Context) -> Outcome:
    """Compare which addresses are taken for one page with gold's aliases."""
    gold, answer, resolve = context.gold, context.answer, context.matching
    targets = dict(gold.aliases)
    if gold.pages is not None:
        captured = gold.pages["url"].to_pylist()
        same = gold.pages["canonical"].to_pylist() if "canonical" in gold.pages.column_names else captured
        targets = {**dict(zip(captured, (s or c for s, c in zip(same, captured, strict=True)), strict=True)), **targets}
    if not gold.aliases or answer.pages is None or "canonical" not in answer.pages.column_names:
        return Outcome()
    # Gold's aliases must not help the answer here.
    alone = type(resolve)(answer, type(gold)(gold.name))
    urls = sorted(targets)
    true = [_end(targets, url) for url in urls]
    found = [alone.resolve(url) for url in urls]
    scores = score_partition(codes(true), codes(found))
    wrong = [i for i, (a, b) in enumerate(zip(true, found, strict=True)) if alone.resolve(a) != b]
    cases = [Case("identity", 1.0, f"should be the same page as {true[i]}, is {found[i]}", urls[i]) for i in wrong]
    first: dict[str, int] = {}
    for i, page in enumerate(found):
        other = first.setdefault(page, i)
        if true[i] != true[other]:
            cases.append(Case("identity", 1.0, f"is another page than {urls[other]}, was taken for the same", urls[i]))
    figures = tuple(
        Score("identity", RESULT, metric, getattr(scores, f"pair_{metric}"), len(urls), metric == "f1")
        for metric in ("f1", "precision", "recall")
    )
    return Outcome(figures, tuple(cases))


def score_pairs(context: Context) -> Outcome:
    """Compare the partition with pairs of pages that a person judged: the paper's sample Rand index."""
    pairs = [pair for pair in context.gold.pairs if pair.same is not None]
    first, second = (context.matching.rows([getattr(pair, end) for pair in pairs]) for end in ("first", "second"))
    known = (first >= 0) & (second >= 0)
    same = np.array([pair.same for pair in pairs], dtype=bool)[known]
    missing = len(pairs) - len(same)
    notes = (
        [f"{missing:,} of {len(pairs):,} judged pairs have a page that the answer does not know."] if missing else []
    )
    pages = context.answer.pages
    assert pages is not None
    scores: list[Score] = []
    cases: list[Case] = []
    if "site" in pages.column_names:
        part = codes(pages["site"])
        found = part[first[known]] == part[second[known]]
        scores += _sample_scores(RESULT, same, found)
        for i in np.flatnonzero(found != same):
            pair = pairs[int(np.flatnonzero(known)[i])]
            claim = "one site" if pair.same else "two sites"
            cases.append(Case("pairs", 1.0, f"judged {claim} with {pair.second}, answered otherwise", pair.first))
    return Outcome(tuple(scores), tuple(cases), tuple(notes))


def score_confidence(context: Context) -> Outcome:
    """Compare the stated confidence of each page with whether its site is right.

    A page is right if its found site is the one matched with its gold site; matches are one to one, most common pages
    first.
    """
    gold, found, stated = (
        context.gold_column("site"),
        context.answer_column("site"),
        context.answer_column("confidence"),
    )
    if gold is None or found is None or stated is None or stated.null_count == len(stated):
        return Outcome()
    has_value = np.asarray(pc.is_valid(stated))
    gold_codes, found_codes = codes(gold), codes(found)
    partner = _partners(gold_codes, found_codes)
    is_right = partner[gold_codes] == found_codes
    result = score_calibration(np.asarray(stated.drop_null(), dtype=np.float64), is_right[has_value])
    rows = [
        {"from": b.low, "to": b.high, "pages": b.count, "stated": b.confidence, "right": b.accuracy}
        for b in result.bins
    ]
    figures = {
        "expected_error": result.expected_error,
        "largest_error": result.largest_error,
        "brier": result.brier,
        "accuracy": result.accuracy,
    }
    scores = tuple(
        Score("confidence", RESULT, metric, value, result.count, metric == "expected_error")
        for metric, value in figures.items()
    )
    return Outcome(scores, tables={"confidence: stated and observed": rows})


def _score(context: Context, task: str, gold: pa.Array | None, found: pa.Array | None) -> Outcome:
    if gold is None or gold.null_count == len(gold):
        return Outcome()
    gold_codes = codes(gold)
    scores: list[Score] = []
    cases: list[Case] = []
    usable, notes = context.usable_baselines()
    if found is not None and found.null_count < len(found):
        found_codes = codes(found)
        scores += partition_scores(task, RESULT, score_partition(gold_codes, found_codes))
        cases += _misplaced(context, task, gold, found, gold_codes, found_codes)
        pages_without = found.null_count
        if pages_without:
            notes.append(f"{task}: {pages_without:,} pages have none in the answer and count as alone.")
    for name in usable:
        # Where a baseline leaves the number of clusters open it gets the best: what a rival could reach at most.
        tried = [(label, score_partition(gold_codes, part)) for label, part in partitions(name, context.graph)]
        if tried:
            label, best = max(tried, key=lambda pair: pair[1].adjusted_rand)
            scores += partition_scores(task, label, best)
    return Outcome(tuple(scores), tuple(cases), (*context.unmatched, *notes))


def _finer(column: Callable[[str], pa.Array | None]) -> pa.Array | None:
    site, subsite = column("site"), column("subsite")
    if site is None or subsite is None or subsite.null_count == len(subsite):
        return None
    return pc.binary_join_element_wise(site, pc.fill_null(subsite, ""), "\x1f")


def _partners(gold: Numbers, found: Numbers) -> Numbers:
    """Match parts one to one, most common pages first; the lowest codes win ties, -1 is nobody."""
    _, gold_number = np.unique(gold, return_inverse=True)
    _, found_number = np.unique(found, return_inverse=True)
    table = contingency(gold_number, found_number)
    partner = np.full(int(gold.max(initial=-1)) + 1, -1, dtype=np.int64)
    gold_values, found_values = np.unique(gold), np.unique(found)
    taken: set[int] = set()
    for cell in np.lexsort((table.found, table.gold, -table.count)):
        g, f = int(gold_values[table.gold[cell]]), int(found_values[table.found[cell]])
        if partner[g] < 0 and f not in taken:
            partner[g] = f
            taken.add(f)
    return partner


def _misplaced(
    context: Context, task: str, gold: pa.Array, found: pa.Array, gold_codes: Numbers, found_codes: Numbers
) -> list[Case]:
    """Describe every group of pages that lies in another found part than most of its gold part, largest first."""
    partner = _partners(gold_codes, found_codes)
    wrong = np.flatnonzero(partner[gold_codes] != found_codes)
    if not len(wrong):
        return []
    width = int(found_codes.max()) + 1
    _, first, counts = np.unique(gold_codes[wrong] * width + found_codes[wrong], return_index=True, return_counts=True)
    # The gold part that a found part was matched with says what the pages were mixed with.
    owner = {int(f): g for g, f in enumerate(partner) if f >= 0}
    name_of: dict[int, str] = {}
    for i in np.unique(gold_codes, return_index=True)[1]:
        name_of[int(gold_codes[i])] = _shown(gold[int(i)].as_py())
    urls = context.gold_column("url")
    assert urls is not None
    cases = []
    for place, count in zip(first, counts, strict=True):
        row = int(wrong[place])
        with_whom = owner.get(int(found_codes[row]))
        where = "apart from the rest" if with_whom is None else f"with the pages of {name_of[with_whom]}"
        label = _shown(found[row].as_py())
        what = f"{count:,} pages of {name_of[int(gold_codes[row])]} are {where} (found as {label})"
        cases.append(Case(task, float(count), what, urls[row].as_py()))
    return cases


def _shown(label: str | None) -> str:
    return "nothing" if label is None else label.replace("\x1f", "/").rstrip("/")


def _sample_scores(system: str, same: NDArray[np.bool_], found: NDArray[np.bool_]) -> list[Score]:
    result = score_sample(same, found)
    figures = {
        "sample_rand": result.rand,
        "sample_rand_low": result.rand_low,
        "sample_rand_high": result.rand_high,
        "pair_precision": result.pair_precision,
        "pair_recall": result.pair_recall,
        "pair_f1": result.pair_f1,
    }
    return [
        Score("pairs", system, metric, value, result.pairs, metric == "sample_rand")
        for metric, value in figures.items()
    ]


def _end(aliases: dict[str, str], url: str) -> str:
    for _ in range(len(aliases)):
        step = aliases.get(url, url)
        if step == url:
            break
        url = step
    return url
