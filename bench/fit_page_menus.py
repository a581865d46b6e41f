"""Fit the weights by which links of a single page are judged to be menu links, on pages with hand-marked blocks.

    python bench/fit_page_menus.py $CORPORA/blocks

A link is a menu link if gold marks it as part of a menu, a header or a footer. Pages are dealt into five parts; each is
scored with the weights fitted on the other four. The last figure, on all pages with the weights of the product, is no
honest one. Link density (more than half of the text of the nearest element with two links is linked) stands beside.
"""

import argparse
import json
from collections import defaultdict
from difflib import SequenceMatcher
from pathlib import Path

import numpy as np
from gold_pages import captures
from numpy.typing import NDArray
from scipy.optimize import minimize

from sitestrata.evaluate.precision_recall import PrecisionRecall
from sitestrata.menus import one_page
from sitestrata.page import PageFacts, read_page
from sitestrata.segments import Segments, find_segments

MENUS = frozenset({"Menu", "Header", "Footer"})
PARTS = 5
RIDGE = 10.0

Page = tuple[PageFacts, Segments, NDArray[np.bool_]]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path)
    options = parser.parse_args()
    pages = read(options.folder)
    print(f"{len(pages)} pages, {sum(len(truth) for _, _, truth in pages)} links")
    scored = []
    for part in range(PARTS):
        weights = fit([page for number, page in enumerate(pages) if number % PARTS != part])
        scored += [(said(page, weights), page[2]) for number, page in enumerate(pages) if number % PARTS == part]
    show("each fifth, fitted on the others", scored)
    show("link density", [(dense(facts), truth) for facts, _, truth in pages])
    weights = fit(pages)
    show("all, fitted on all", [(said(page, weights), page[2]) for page in pages])
    show("all, weights of the product", [(said(page, np.array(one_page.WEIGHTS)), page[2]) for page in pages])
    for name, weight in zip(one_page.FEATURES, weights, strict=True):
        print(f"    {weight:.2f},  # {name}")


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


def fit(pages: list[Page]) -> NDArray[np.float64]:
    features = np.concatenate([one_page.link_features(facts, segments) for facts, segments, _ in pages])
    truth = np.concatenate([truth for _, _, truth in pages]).astype(float)
    # Every page counts alike, however many links it has.
    weight = np.concatenate([np.full(len(truth), 1 / max(len(truth), 1)) for _, _, truth in pages])
    weight *= len(truth) / weight.sum()

    def loss(weights: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        odds = features @ weights
        chance = 1 / (1 + np.exp(-odds))
        value = float((weight * (np.logaddexp(0, odds) - truth * odds)).sum() + RIDGE * (weights[1:] ** 2).sum())
        slope = features.T @ (weight * (chance - truth))
        slope[1:] += 2 * RIDGE * weights[1:]
        return value, slope

    found = minimize(loss, np.zeros(features.shape[1]), jac=True, method="L-BFGS-B", options={"maxiter": 2000})
    weights: NDArray[np.float64] = found.x
    return weights


def said(page: Page, weights: NDArray[np.float64]) -> NDArray[np.bool_]:
    facts, segments, _ = page
    odds = one_page.link_features(facts, segments) @ weights
    answer: NDArray[np.bool_] = one_page.smooth(1 / (1 + np.exp(-odds)), segments) >= one_page.MENU
    return answer


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
