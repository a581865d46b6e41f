"""Every task scores a perfect answer 1 and sees what is wrong with a worse one."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from sitestrata.errors import UsageError
from sitestrata.evaluate import evaluate
from sitestrata.evaluate.facts import (
    CutFact,
    Facts,
    InstanceFact,
    ItemFact,
    LabelNode,
    PageSetFact,
    PairFact,
    SiteFact,
    TreeFact,
)
from sitestrata.evaluate.formats import read_facts
from sitestrata.evaluate.outcome import RESULT, Outcome


def value(outcome: Outcome, name: str, system: str = RESULT) -> float:
    return next(score.value for score in outcome.scores if score.name == name and score.system == system)


def pages(**columns: list[Any]) -> pa.Table:
    return pa.table({name: pa.array(cells) for name, cells in columns.items()})


URLS = [f"http://h.example/{name}" for name in ("", "a", "b", "x", "x/1", "x/2")]
GOLD = Facts("gold", pages=pages(url=URLS, site=["s", "s", "s", "t", "t", "t"]))


def test_sites_of_a_perfect_answer() -> None:
    answer = Facts("answer", pages=pages(url=URLS[::-1], canonical=URLS[::-1], site=["2", "2", "2", "1", "1", "1"]))

    outcome = evaluate(answer, GOLD)

    assert 1 == value(outcome, "sites.adjusted_rand")
    assert () == outcome.cases
    assert () == outcome.notes


def test_pages_that_the_answer_lacks_are_counted_and_said() -> None:
    answer = Facts("answer", pages=pages(url=URLS[:4], site=["1", "1", "1", "2"]))

    outcome = evaluate(answer, GOLD)

    assert 4 / 6 == pytest.approx(value(outcome, "coverage.pages"))
    assert {4} == {score.count for score in outcome.scores if score.task == "sites"}
    assert "2 of 6 gold pages are not in the answer" in outcome.notes[0]


def test_addresses_are_matched_as_browsers_write_them_and_through_gold_aliases() -> None:
    gold = Facts(
        "gold",
        pages=pages(
            url=["HTTP://H.example:80/a#top", "http://h.example/old", "http://h.example/c"], site=["s", "s", "t"]
        ),
        aliases={"http://h.example/old": "http://h.example/b"},
    )
    answer = Facts(
        "a", pages=pages(url=["http://h.example/a", "http://h.example/b", "http://h.example/c"], site=["1", "1", "2"])
    )

    assert 1 == value(evaluate(answer, gold), "sites.adjusted_rand")


def test_worst_cases_name_the_pages_that_are_elsewhere() -> None:
    answer = Facts("answer", pages=pages(url=URLS, site=["1", "1", "1", "1", "2", "2"]))

    (case,) = evaluate(answer, GOLD, tasks=["sites"]).worst(5)

    assert "1 pages of t are with the pages of s" in case.what
    assert "http://h.example/x" == case.url


def test_pages_without_a_site_count_as_alone() -> None:
    answer = Facts("answer", pages=pages(url=URLS, site=["1", "1", "1", "2", None, None]))

    outcome = evaluate(answer, GOLD, tasks=["sites"])

    assert 4 == value(outcome, "sites.parts")
    assert any("2 pages have none" in note for note in outcome.notes)


def test_subsites_split_sites_and_the_strict_reading_makes_own_menus_sites() -> None:
    gold = Facts(
        "gold",
        pages=pages(
            url=URLS,
            site=["s"] * 6,
            subsite=[None, None, None, "x", "x", "x"],
            own_site=["s/", "s/", "s/", "s/x", "s/x", "s/x"],
        ),
    )
    answer = Facts("a", pages=pages(url=URLS, site=["1"] * 6, subsite=[None, None, None, "p", "p", "p"]))

    outcome = evaluate(answer, gold)

    assert 1 == value(outcome, "subsites.adjusted_rand")
    assert 0 == value(outcome, "strict-sites.adjusted_rand")


def test_baselines_stand_beside_the_result_and_use_the_links() -> None:
    def edges(urls: list[str]) -> tuple[np.ndarray, np.ndarray]:
        place = {url: i for i, url in enumerate(urls)}
        pairs = [(0, 1), (1, 2), (3, 4), (4, 5)]
        both = [(place[URLS[a]], place[URLS[b]]) for p in pairs for a, b in (p, p[::-1])]
        return np.array([a for a, _ in both]), np.array([b for _, b in both])

    answer = Facts("a", pages=pages(url=URLS, canonical=URLS, site=["1"] * 6))

    outcome = evaluate(answer, GOLD, baselines=["two-way", "host", "alone"], edges_between=edges)

    assert 0 == value(outcome, "sites.adjusted_rand")
    assert 1 == value(outcome, "sites.adjusted_rand", "two-way")
    assert 0 == value(outcome, "sites.adjusted_rand", "host")


def test_a_baseline_without_links_is_said_to_be_impossible() -> None:
    answer = Facts("a", pages=pages(url=URLS, site=["1"] * 6))

    assert any("needs links" in note for note in evaluate(answer, GOLD, baselines=["two-way"]).notes)


def test_judged_pairs_give_the_sample_rand_index() -> None:
    gold = Facts(
        "judged",
        pairs=(
            PairFact(URLS[0], URLS[1], same=True),
            PairFact(URLS[0], URLS[3], same=False),
            PairFact(URLS[1], URLS[2], same=True),
            PairFact(URLS[0], URLS[5], same=None),
            PairFact(URLS[0], "http://h.example/gone", same=True),
        ),
    )
    answer = Facts("a", pages=pages(url=URLS, site=["1", "1", "2", "3", "3", "3"]))

    outcome = evaluate(answer, gold)

    assert 2 / 3 == pytest.approx(value(outcome, "pairs.sample_rand"))
    assert 1 == len(outcome.cases)
    assert any("1 of 4 judged pairs" in note for note in outcome.notes)


def test_confidence_is_right_where_the_matched_site_is() -> None:
    answer = Facts(
        "a",
        pages=pages(url=URLS, site=["1", "1", "1", "1", "2", "2"], confidence=[0.9, 0.9, 0.9, 0.1, 0.9, None]),
    )

    outcome = evaluate(answer, GOLD, tasks=["confidence"])

    assert 0.8 == pytest.approx(value(outcome, "confidence.accuracy"))
    assert 0.1 == pytest.approx(value(outcome, "confidence.expected_error"))


def test_identity_is_the_answers_own() -> None:
    gold = Facts(
        "gold", pages=pages(url=URLS[:2], site=["s", "s"]), aliases={"http://h.example/a/": "http://h.example/a"}
    )
    knows = Facts(
        "a", pages=pages(url=URLS[:2], canonical=URLS[:2]), aliases={"http://h.example/a/": "http://h.example/a"}
    )
    ignorant = Facts("b", pages=pages(url=URLS[:2], canonical=URLS[:2]))

    assert 1 == value(evaluate(knows, gold, tasks=["identity"]), "identity.f1")
    assert 0 == value(evaluate(ignorant, gold, tasks=["identity"]), "identity.recall")


def test_two_pages_taken_for_one_are_a_case() -> None:
    gold = Facts(
        "gold", pages=pages(url=URLS[:2], site=["s", "s"]), aliases={"http://h.example/a/": "http://h.example/a"}
    )
    greedy = Facts(
        "c", pages=pages(url=URLS[:2], canonical=[URLS[0], URLS[0]]), aliases={"http://h.example/a/": URLS[0]}
    )

    outcome = evaluate(greedy, gold, tasks=["identity"])

    assert 1 / 3 == pytest.approx(value(outcome, "identity.precision"))
    assert [URLS[1], "http://h.example/a/"] == sorted(case.url or "" for case in outcome.cases)


def menu(*names: str) -> tuple[ItemFact, ...]:
    return tuple(ItemFact(name.upper(), f"http://h.example/{name}") for name in names)


def test_main_menu_is_that_of_the_site_with_most_pages() -> None:
    gold = Facts(
        "gold",
        pages=GOLD.pages,
        sites=(
            SiteFact("s", URLS[0], menu("a", "b"), kind="global"),
            SiteFact("t", URLS[3], menu("x/1", "x/2")),
            SiteFact("u", None, ()),
        ),
    )
    answer = Facts(
        "a",
        pages=pages(url=URLS, site=["1", "1", "1", "1", "2", "2"]),
        sites=(SiteFact("1", URLS[0], menu("a", "b")), SiteFact("2", URLS[4], menu("x/1", "x/2", "a"))),
    )

    outcome = evaluate(answer, gold, tasks=["menus", "entries"])

    assert (1 + 0.8) / 2 == pytest.approx(value(outcome, "menus.f1_by_target"))
    assert 1 == value(outcome, "menus.f1_by_target_global")
    assert 0.5 == value(outcome, "menus.exact")
    assert 0.5 == value(outcome, "entries.accuracy")
    assert ["http://h.example/x", "http://h.example/x"] == [case.url for case in outcome.worst(1)]
    assert any("1 gold sites have no menu" in note for note in outcome.notes)


def test_hierarchy_counts_pairs_below_the_entry_page_and_parents_with_it() -> None:
    """Gold: / > x > x/1, x/2. Found: / > x > x/1, and x/2 directly below /."""
    home, x, one, two = URLS[0], URLS[3], URLS[4], URLS[5]
    gold = Facts(
        "gold",
        contents=(TreeFact(home, (LabelNode("X", x, (LabelNode("1", one), LabelNode("2", two))),)),),
    )
    answer = Facts(
        "a", pages=pages(url=[home, x, one, two], parent=[None, home, x, home]), sites=(SiteFact("s", home, ()),)
    )

    outcome = evaluate(answer, gold)

    assert 0.5 == value(outcome, "hierarchy.recall")
    assert 1 == value(outcome, "hierarchy.precision_in")
    assert 2 / 3 == pytest.approx(value(outcome, "hierarchy.parent_accuracy"))
    assert [two] == [case.url for case in outcome.cases]


def test_a_cycle_of_parents_does_not_hang() -> None:
    a, b, c = URLS[:3]
    gold = Facts("gold", pages=pages(url=[a, b, c], parent=[None, a, b]))
    answer = Facts("a", pages=pages(url=[a, b, c], parent=[b, a, a]))

    outcome = evaluate(answer, gold, tasks=["hierarchy"])

    assert 1 == value(outcome, "hierarchy.recall")
    assert 3 / 4 == value(outcome, "hierarchy.precision_all")


@pytest.mark.parametrize("seed", range(5))
def test_closure_of_a_forest_is_the_same_by_climbing_and_by_sets(seed: int) -> None:
    rng = np.random.default_rng(seed)
    urls = [f"http://h.example/{i}" for i in range(40)]
    parent = [None if i < 3 else urls[int(rng.integers(0, i))] for i in range(40)]
    other = [None if i < 2 else urls[int(rng.integers(max(0, i - 3), i))] for i in range(40)]
    forest = Facts("a", pages=pages(url=urls, parent=parent))
    single = Facts("g", pages=pages(url=urls, parent=other))
    # A second parent that stands above the first already changes nothing, but forces the way by sets.
    grandparent = other[urls.index(other[39])]
    double = Facts("g", pages=pages(url=[*urls, urls[39]], parent=[*other, grandparent]))

    by_climbing = value(evaluate(forest, single, tasks=["hierarchy"]), "hierarchy.recall")
    by_sets = value(evaluate(forest, double, tasks=["hierarchy"]), "hierarchy.recall")

    assert 0 < by_climbing
    assert by_climbing == by_sets


def test_label_trees_are_averaged_over_pages() -> None:
    def tree(*children: LabelNode) -> tuple[LabelNode, ...]:
        return (LabelNode("News", None, children),)

    gold = Facts(
        "g",
        trees=(
            TreeFact(URLS[0], tree(LabelNode("World"), LabelNode("Maybe", is_certain=False))),
            TreeFact(URLS[1], tree(LabelNode("Sport"))),
            TreeFact(URLS[2], tree(LabelNode("Sport"))),
        ),
    )
    answer = Facts(
        "a",
        trees=(
            TreeFact(URLS[0], tree(LabelNode("world »"))),
            TreeFact(URLS[1], (LabelNode("Sport", None, (LabelNode("News"),)),)),
        ),
    )

    outcome = evaluate(answer, gold)

    assert 0.5 == value(outcome, "partition.macro_f1")
    assert any("1 of 3 gold pages" in note for note in outcome.notes)


def test_cuts_move_to_the_leaves_of_another_parser() -> None:
    gold = Facts("g", cuts=(CutFact(URLS[0], ("a", "b", "c", "d", "e"), (2, 4)),))
    answer = Facts("a", cuts=(CutFact(URLS[0], ("a", "x", "x", "b", "c", "d", "e"), (4, 6)),))

    outcome = evaluate(answer, gold)

    assert 1 == value(outcome, "segments.window_1_f1")
    assert 0 == value(outcome, "segments.window_1_f1", "blind cuts")


def test_page_set_is_compared_with_the_site_of_its_seed() -> None:
    answer = Facts("a", page_sets=(PageSetFact((URLS[3],), (URLS[3], URLS[4]), ((URLS[3], URLS[4], URLS[5]),)),))

    outcome = evaluate(answer, GOLD)

    assert (1, 2 / 3) == (value(outcome, "site.precision"), pytest.approx(value(outcome, "site.recall")))
    assert 1 == value(outcome, "site.f1", "best alternative")


def test_a_task_without_gold_or_answer_is_refused_by_name() -> None:
    answer = Facts("a", pages=pages(url=URLS, site=["1"] * 6))

    with pytest.raises(UsageError, match="the gold has no tables"):
        evaluate(answer, GOLD, tasks=["tables"])
    with pytest.raises(UsageError, match="the answer has nothing"):
        evaluate(Facts("empty"), GOLD, tasks=["sites"])


def truth_folder(folder: Path) -> Path:
    """Write a small truth in the form of docs/sample-web.md."""
    home, listing, item = "http://w.example/", "http://w.example/l", "http://w.example/l/1"
    attribute = {"label": "Size", "value": "9", "label_shown": True}
    files: dict[str, list[Any]] = {
        "sites.jsonl": [
            {"site": "s", "kind": "shop", "name": "S", "entry": home, "menu_kind": "global", "main_menu": "m"}
        ],
        "menus.jsonl": [
            {
                "menu": "m",
                "site": "s",
                "role": "main",
                "varies": False,
                "items": [{"label": "L", "url": listing, "level": 0}],
            },
            {"menu": "p", "site": "s", "role": "pager", "varies": True, "items": []},
        ],
        "page_menus.jsonl": [{"url": home, "menus": ["m"], "varying": []}],
        "homes.jsonl": [
            {
                "domain": "d",
                "site": "s",
                "url": home,
                "page_type": "home",
                "tree": [{"label": "A", "url": None, "children": [{"label": "B", "url": None, "children": []}]}],
            }
        ],
        "ontology.jsonl": [
            {
                "domain": "d",
                "taxonomy": {
                    "concepts": [
                        {"concept": "A", "labels": ["A", "AA"], "sites": ["s"]},
                        {"concept": "B", "labels": ["B"], "sites": ["s"]},
                    ],
                    "is_a": [{"parent": "A", "child": "B", "observed_on": ["s"]}],
                },
            }
        ],
        "instances.jsonl": [
            {
                "domain": "d",
                "site": "s",
                "page": listing,
                "page_kind": "listing",
                "concept": "B",
                "instances": [{"name": "One", "url": item, "attributes": [attribute]}],
            }
        ],
        "tables.jsonl": [
            {
                "url": item,
                "table_index": 0,
                "is_data": True,
                "orientation": "row",
                "header_cells": [[0, 0]],
                "n_rows": 1,
                "n_cols": 2,
            },
            {"url": item, "table_index": 1, "is_data": False, "orientation": "none", "header_cells": []},
        ],
        "compounds.jsonl": [{"site": "s", "root": home, "pages": [listing, item]}],
    }
    folder.mkdir()
    for name, rows in files.items():
        (folder / name).write_text("".join(json.dumps(row) + "\n" for row in rows))
    head = "url\tsite\tsubsite\tsubsite_nav\tkind\tcanonical\tparent\tlabel\tlanguage\tcrumbs\n"
    rows = [(home, "", ""), (listing, "p", home), (item, "p", listing)]
    body = "".join(f"{url}\ts\t{sub}\t\tx\t{url}\t{parent}\tl\ten\t\n" for url, sub, parent in rows)
    (folder / "truth.tsv").write_text(head + body)
    (folder / "aliases.tsv").write_text(f"url\tkind\ttarget\n{home}index.html\tsame\t{home}\n")
    (folder / "manifest.json").write_text(json.dumps({"format": 1, "seed": 1}))
    return folder


def test_the_truth_of_the_sample_web_scored_against_itself_is_perfect(tmp_path: Path) -> None:
    """Whoever answers exactly what the truth files say gets 1 in every task: the files say what a perfect answer is."""
    truth = read_facts([truth_folder(tmp_path / "web.truth")])

    outcome = evaluate(truth, truth)

    headlines = {score.task: score.value for score in outcome.scores if score.is_headline and score.system == RESULT}
    assert {
        "coverage",
        "sites",
        "subsites",
        "identity",
        "menus",
        "entries",
        "roles",
        "compounds",
        "hierarchy",
        "partition",
        "tables",
        "ontology",
        "instances",
    } == set(headlines)
    assert {1.0} == set(headlines.values())


def test_instances_need_no_concept_to_match() -> None:
    gold = Facts("g", instances=(InstanceFact(URLS[0], "N", concept="x"),))
    answer = Facts("a", instances=(InstanceFact(URLS[0], "N"),))

    assert 1 == value(evaluate(answer, gold), "instances.records_f1")
