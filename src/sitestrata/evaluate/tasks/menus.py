"""Tasks about menus: main menus and entry pages of sites, roles of menus, documents of several pages.

Paper: MenuMiner 6.4
"""

from collections import Counter, defaultdict
from collections.abc import Mapping

from sitestrata.evaluate.facts import SiteFact
from sitestrata.evaluate.menus import MenuScores, confusion_table, score_menu, score_page_sets, score_roles
from sitestrata.evaluate.outcome import RESULT, Case, Outcome, Score, precision_recall_scores
from sitestrata.evaluate.precision_recall import total
from sitestrata.evaluate.tasks.context import Context

__all__ = ["score_compounds", "score_entries", "score_main_menus", "score_menu_roles"]


def score_main_menus(context: Context) -> Outcome:
    """Compare the main menu of each gold site with that of the found site that holds most of its pages.

    F1 is averaged over menus, so that a menu of two hundred items does not drown the others.
    """
    wanted = [site for site in context.gold.sites if any(item.url for item in site.main_menu)]
    if not wanted or not any(site.main_menu for site in context.answer.sites):
        return Outcome()
    match = _matched_sites(context)
    scores: list[tuple[SiteFact, MenuScores]] = []
    cases: list[Case] = []
    for site in wanted:
        found = match.get(site.site)
        one = score_menu(found.main_menu if found else (), site.main_menu, context.matching.resolve)
        scores.append((site, one))
        if not one.is_exact:
            cases.append(Case("menus", 1 - one.by_target.f1, _describe(site, found, one), site.entry))
    figures = _mean_scores("menus", scores)
    kinds = sorted({site.kind for site, _ in scores if site.kind})
    for kind in kinds:
        figures += _mean_scores("menus", [(s, one) for s, one in scores if s.kind == kind], suffix=f"_{kind}")[:1]
    without = len(context.gold.sites) - len(wanted)
    notes = (f"menus: {without:,} gold sites have no menu and are not judged.",) if without else ()
    return Outcome(figures, tuple(cases), notes)


def score_entries(context: Context) -> Outcome:
    """Compare the entry page of each gold site with that of the found site that holds most of its pages."""
    wanted = [site for site in context.gold.sites if site.entry]
    if not wanted or not context.answer.sites:
        return Outcome()
    match, resolve = _matched_sites(context), context.matching.resolve
    right = 0
    cases = []
    for site in wanted:
        found = match.get(site.site)
        is_right = found is not None and bool(found.entry) and resolve(found.entry or "") == resolve(site.entry or "")
        right += is_right
        if not is_right:
            said = found.entry if found else "no site at all"
            cases.append(Case("entries", 1.0, f"{site.site}: found {said}", site.entry))
    return Outcome(
        (Score("entries", RESULT, "accuracy", right / len(wanted), len(wanted), is_headline=True),), tuple(cases)
    )


def score_menu_roles(context: Context) -> Outcome:
    """Compare which menus there are, and what each is for."""
    if not context.gold.menus or not context.answer.menus:
        return Outcome()
    scores = score_roles(context.answer.menus, context.gold.menus, context.matching.resolve)
    figures = (
        Score("roles", RESULT, "accuracy", scores.accuracy, scores.detection.right, is_headline=True),
        *precision_recall_scores("roles", RESULT, "found", scores.detection),
    )
    return Outcome(figures, tables={"roles: gold against found": confusion_table(scores.confusion)})


def score_compounds(context: Context) -> Outcome:
    """Compare documents that consist of several pages."""
    if not context.gold.compounds or not context.answer.compounds:
        return Outcome()
    found, gold = (
        [{context.matching.resolve(url) for url in document.pages} for document in facts.compounds]
        for facts in (context.answer, context.gold)
    )
    return Outcome(precision_recall_scores("compounds", RESULT, "", score_page_sets(found, gold), is_headline=True))


def _matched_sites(context: Context) -> Mapping[str, SiteFact]:
    """Map each gold site to the found site with most of its pages; without pages, to that of its entry page."""
    by_id = {site.site: site for site in context.answer.sites}
    match: dict[str, SiteFact] = {}
    if context.gold.pages is not None:
        gold, found = context.gold_column("site"), context.answer_column("site")
        if gold is not None and found is not None:
            counts: dict[str, Counter[str]] = defaultdict(Counter)
            for (site, other), count in Counter(zip(gold.to_pylist(), found.to_pylist(), strict=True)).items():
                if other in by_id:
                    counts[site][other] += count
            for site, shared in counts.items():
                match[site] = by_id[min(shared, key=lambda other: (-shared[other], other))]
    by_entry = {context.matching.resolve(site.entry): site for site in by_id.values() if site.entry}
    for site in context.gold.sites:
        if site.site not in match and site.entry and context.matching.resolve(site.entry) in by_entry:
            match[site.site] = by_entry[context.matching.resolve(site.entry)]
    return match


def _mean_scores(task: str, scores: list[tuple[SiteFact, MenuScores]], suffix: str = "") -> tuple[Score, ...]:
    count = len(scores)
    menus = [one for _, one in scores]
    targets = total(one.by_target for one in menus)
    means = {
        "f1_by_target": sum(one.by_target.f1 for one in menus) / count,
        "f1_by_label": sum(one.by_label.f1 for one in menus) / count,
        "f1_by_both": sum(one.by_both.f1 for one in menus) / count,
        "f1_in_order": sum(one.in_order.f1 for one in menus) / count,
        "exact": sum(one.is_exact for one in menus) / count,
        "item_precision": targets.precision,
        "item_recall": targets.recall,
    }
    return tuple(
        Score(task, RESULT, metric + suffix, value, count, metric + suffix == "f1_by_target")
        for metric, value in means.items()
    )


def _describe(site: SiteFact, found: SiteFact | None, scores: MenuScores) -> str:
    if found is None:
        return f"{site.site}: no found site holds its pages"
    missed = scores.by_target.gold - scores.by_target.right
    extra = scores.by_target.found - scores.by_target.right
    return (
        f"{site.site} (found as {found.site}): {scores.by_target.right} items right, {missed} missed, {extra} too many"
    )
