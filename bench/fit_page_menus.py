"""Fit the trees by which links of a single page are judged to be menu links, on pages with hand-marked blocks.

    python bench/fit_page_menus.py $CORPORA/blocks [--write src/sitestrata/menus/page_menu_trees.py]

A link is a menu link if gold marks it as part of a menu, a header or a footer. Pages are dealt into five parts, in four
ways; each part is scored with trees fitted on the other four. The last figure, on all pages with the trees of the
product, is no honest one. Link density (more than half of the text of the nearest element with two links is linked)
stands beside.
"""

import argparse
import json
from collections import defaultdict
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

import numpy as np
from gold_pages import captures
from numpy.typing import NDArray
from sklearn.ensemble import GradientBoostingClassifier

from sitestrata.evaluate.precision_recall import PrecisionRecall
from sitestrata.menus import one_page
from sitestrata.menus import page_menu_trees as product
from sitestrata.page import PageFacts, read_page
from sitestrata.segments import Segments, find_segments

MENUS = frozenset({"Menu", "Header", "Footer"})
PARTS = 5
DEALINGS = 4
TREES = 60
SHRINKAGE = 0.1
MIN_LINKS = 30  # in a leaf

Trees = tuple[tuple[float, ...], ...]
Page = tuple[PageFacts, Segments, NDArray[np.bool_]]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--write", type=Path)
    options = parser.parse_args()
    pages = read(options.folder)
    print(f"{len(pages)} pages, {sum(len(truth) for _, _, truth in pages)} links")
    for seed in range(DEALINGS):
        order = np.random.default_rng(seed).permutation(len(pages)) if seed else np.arange(len(pages))
        scored = []
        for part in range(PARTS):
            base, trees = fit([pages[number] for place, number in enumerate(order) if place % PARTS != part])
            held_out = [pages[number] for place, number in enumerate(order) if place % PARTS == part]
            scored += [(said(page, base, trees), page[2]) for page in held_out]
        show(f"each fifth, fitted on the others, dealing {seed}", scored)
    show("link density", [(dense(facts), truth) for facts, _, truth in pages])
    base, trees = fit(pages)
    show("all, fitted on all", [(said(page, base, trees), page[2]) for page in pages])
    show("all, trees of the product", [(said(page, product.BASE, product.TREES), page[2]) for page in pages])
    if options.write:
        options.write.write_text(spell(base, trees), "utf-8")


def read(folder: Path) -> list[Page]:
    marked: dict[str, list[tuple[str, str]]] = defaultdict(list)
    with (folder / "labels.jsonl").open(encoding="utf-8") as file:
        for row in map(json.loads, file):
            marked[row["url"]].append((row["xpath"], row["type"]))
    pages = []
    for url, body in captures(folder / "pages.warc.gz"):
        if url in marked:
            facts = read_page(body, url)
            pages.append((facts, find_segments(facts), link_truth(body, marked.pop(url), facts)))
    return pages


def link_truth(body: bytes, blocks: list[tuple[str, str]], facts: PageFacts) -> NDArray[np.bool_]:
    """Return of each link of ours whether gold marks it; links are matched by where they lead, in order."""
    from lxml import html

    from sitestrata.urls import resolve

    root = html.document_fromstring(body.decode("utf-8", "replace").encode(), parser=html.HTMLParser(encoding="utf-8"))
    tree = root.getroottree()
    inside = {
        link
        for xpath, kind in blocks
        if MENUS & set(kind.split())
        for block in tree.xpath(xpath)[:1]
        for link in block.iter("a", "area")
    }
    theirs = [link for link in root.iter("a", "area") if link.get("href") is not None]
    targets = [resolve(link.get("href"), facts.base) for link in theirs]
    ours = facts.links.address
    truth = np.zeros(len(ours), np.bool_)
    plain = ["" if target is None else target[0] for target in targets]
    for a, b, size in SequenceMatcher(None, plain, ours, autojunk=False).get_matching_blocks():
        for i in range(size):
            truth[b + i] = theirs[a + i] in inside
    return truth


def fit(pages: list[Page]) -> tuple[float, Trees]:
    """Boost trees of two questions each; return where odds begin, and the trees as `page_menu_trees` has them."""
    features = np.concatenate([one_page.link_features(facts, segments) for facts, segments, _ in pages])
    truth = np.concatenate([truth for _, _, truth in pages])
    # Every page counts alike, however many links it has.
    weight = np.concatenate([np.full(len(truth), 1 / max(len(truth), 1)) for _, _, truth in pages])
    model = GradientBoostingClassifier(
        n_estimators=TREES, max_depth=2, learning_rate=SHRINKAGE, min_samples_leaf=MIN_LINKS, random_state=0
    ).fit(features, truth, weight / weight.mean())
    share = float((weight * truth).sum() / weight.sum())
    return round(float(np.log(share / (1 - share))), 4), tuple(flat(one.tree_) for one in model.estimators_[:, 0])


def flat(tree: Any) -> tuple[float, ...]:
    """Return three questions (a feature, and the limit above which it goes right) and four leaves, left to right."""

    def question(node: int) -> tuple[float, float]:
        is_leaf = tree.children_left[node] < 0
        return (0, 0.0) if is_leaf else (int(tree.feature[node]), round(float(tree.threshold[node]), 4))

    def leaves(node: int) -> tuple[float, float]:
        ends = [node, node] if tree.children_left[node] < 0 else [tree.children_left[node], tree.children_right[node]]
        left, right = (round(SHRINKAGE * float(tree.value[end].item()), 4) for end in ends)
        return left, right

    left, right = int(tree.children_left[0]), int(tree.children_right[0])
    return (*question(0), *question(left), *question(right), *leaves(left), *leaves(right))


def said(page: Page, base: float, trees: Trees) -> NDArray[np.bool_]:
    facts, segments, _ = page
    chance = one_page.judge(one_page.link_features(facts, segments), base, trees)
    answer: NDArray[np.bool_] = one_page.smooth(chance, segments) >= one_page.MENU
    return answer


def spell(base: float, trees: Trees) -> str:
    """Write a module."""
    rows = "\n".join(f"    {row}," for row in trees)
    return (
        '"""What tells menu links of a single page, as ``bench/fit_page_menus.py`` has fitted it.\n\n'
        "A row is a tree: three questions, each a feature (its place in `sitestrata.menus.one_page.FEATURES`) and the\n"
        "limit above which one goes right - the first one, then those to its left and right - and what the\n"
        'four ends add to the odds, left to right.\n"""\n\n__all__ = ["BASE", "TREES"]\n\n'
        f"BASE = {base}  # odds before any question is asked: the logarithm\n\n"
        f"TREES: tuple[tuple[float, ...], ...] = (\n{rows}\n)\n"
    )


def dense(facts: PageFacts) -> NDArray[np.bool_]:
    text, linked = one_page.text_before(facts)
    end = facts.dom.end
    answer = np.zeros(len(facts.links), np.bool_)
    nodes = np.sort(facts.links.node)
    for number, node in enumerate(facts.links.node.tolist()):
        for holder in facts.dom.ancestors(node):
            if np.searchsorted(nodes, end[holder]) - np.searchsorted(nodes, holder) > 1:
                shown = text[end[holder]] - text[holder]
                answer[number] = linked[end[holder]] - linked[holder] > shown / 2
                break
    return answer


def show(name: str, pages: list[tuple[NDArray[np.bool_], NDArray[np.bool_]]]) -> None:
    score = PrecisionRecall(
        sum(int((said & truth).sum()) for said, truth in pages),
        sum(int(said.sum()) for said, _ in pages),
        sum(int(truth.sum()) for _, truth in pages),
    )
    print(f"{name}: P {score.precision:.3f} R {score.recall:.3f} F {score.f1:.3f}")


if __name__ == "__main__":
    main()
