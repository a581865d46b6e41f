"""Fit the weights by which elements are judged to be blocks, on pages with hand-marked blocks.

    python bench/fit_blocks.py $CORPORA/blocks/pages.warc.gz $CORPORA/blocks/labels.jsonl

An element is a block if gold cuts the page where it begins and where it ends. Pages are dealt into two halves; the fit
on one is scored on the other (borders within one leaf), then all are used. Prints the weights for
``partition/cutting.py``.
"""

import argparse
from pathlib import Path

import numpy as np
from gold_pages import captures
from scipy.optimize import minimize

from sitestrata.evaluate.cuts import blind_cuts, score_cuts
from sitestrata.evaluate.formats.recognise import read_facts
from sitestrata.evaluate.precision_recall import PrecisionRecall, total
from sitestrata.evaluate.tasks.content import transfer_cuts
from sitestrata.page import read_page
from sitestrata.partition.cutting import BLOCK_FEATURES, Candidate, block_candidates

RIDGE = 3.0
LIKELY = 0.35  # probability from which on an element is a block: precision and recall are then about equal

Page = tuple[int, list[int], list[Candidate]]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("warc", type=Path)
    parser.add_argument("gold", type=Path)
    options = parser.parse_args()
    pages = read(options.warc, options.gold)
    for half in (0, 1):
        fitted = fit([page for number, page in enumerate(pages) if number % 2 == half])
        print(
            f"fit on half {half}, scored on the other:",
            score([p for i, p in enumerate(pages) if i % 2 != half], fitted),
        )
    blind = total(score_cuts(blind_cuts(count), gold) for count, gold, _ in pages)
    print("blind cuts:", show(blind))
    fitted = fit(pages)
    print("fit on all, scored on all:", score(pages, fitted))
    for name, weight in zip((*BLOCK_FEATURES, "constant"), fitted, strict=True):
        print(f"    {weight:.2f},  # {name}")


def read(warc: Path, gold: Path) -> list[Page]:
    cuts = {fact.url: fact for fact in read_facts([gold]).cuts}
    pages = []
    for url, body in captures(warc):
        fact = cuts.pop(url, None)
        if fact is not None:
            facts = read_page(body, url)
            leaves = [facts.leaf_text(leaf) for leaf in range(len(facts.leaves))]
            pages.append((len(leaves), transfer_cuts(fact, leaves), block_candidates(facts)))
    return pages


def fit(pages: list[Page]) -> np.ndarray:
    features, truth = [], []
    for count, gold, candidates in pages:
        borders = {0, count, *gold}
        for one in candidates:
            features.append(one.features)
            truth.append(one.first in borders and one.end in borders and (one.first, one.end) != (0, count))
    table = np.array(features)
    mean, spread = table.mean(axis=0), table.std(axis=0) + 1e-9
    design = np.hstack([(table - mean) / spread, np.ones((len(table), 1))])
    target = np.where(truth, 1.0, -1.0)

    def loss(w: np.ndarray) -> tuple[float, np.ndarray]:
        margin = target * (design @ w)
        slope = -design.T @ (target / (1.0 + np.exp(np.clip(margin, -500, 500))))
        slope[:-1] += RIDGE * w[:-1]
        return float(np.logaddexp(0.0, -margin).sum() + 0.5 * RIDGE * w[:-1] @ w[:-1]), slope

    w = minimize(loss, np.zeros(design.shape[1]), jac=True, method="L-BFGS-B").x
    scaled = w[:-1] / spread
    return np.append(scaled, w[-1] - scaled @ mean - np.log(LIKELY / (1 - LIKELY)))


def score(pages: list[Page], weights: np.ndarray) -> str:
    parts = []
    for count, gold, candidates in pages:
        cuts = {
            border for one in candidates if np.dot(weights, (*one.features, 1.0)) > 0 for border in (one.first, one.end)
        }
        parts.append(score_cuts(sorted(cuts - {0, count}), gold))
    return show(total(parts))


def show(counts: PrecisionRecall) -> str:
    return f"P {counts.precision:.3f} R {counts.recall:.3f} F {counts.f1:.3f}"


if __name__ == "__main__":
    main()
