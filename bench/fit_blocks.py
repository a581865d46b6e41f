"""Fit the weights by which elements are judged to be blocks, on pages with hand-marked blocks.

    python bench/fit_blocks.py $CORPORA/blocks/pages.warc.gz $CORPORA/blocks/labels.jsonl

An element is a block if gold cuts the page where it begins and where it ends. Pages are dealt into parts; each is
scored by the fit on the others (borders within one leaf), then all are used. Prints the weights for
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
from sitestrata.partition.cutting import BLOCK_FEATURES, describe_elements

RIDGE = 3.0
LIKELY = 0.33  # probability from which on an element is a block: precision and recall are then about equal
FOLDS = 5

Page = tuple[int, list[int], np.ndarray, np.ndarray]  # leaves, gold cuts, places and features of the elements


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("warc", type=Path)
    parser.add_argument("gold", type=Path)
    options = parser.parse_args()
    pages = read(options.warc, options.gold)
    for folds in (2, FOLDS):
        left_out = []
        for fold in range(folds):
            fitted = fit([page for number, page in enumerate(pages) if number % folds != fold])
            left_out += score([page for number, page in enumerate(pages) if number % folds == fold], fitted)
        print(f"each of {folds} parts scored by the fit on the others:", show(total(left_out)))
    blind = total(score_cuts(blind_cuts(count), gold) for count, gold, *_ in pages)
    print("blind cuts:", show(blind))
    fitted = fit(pages)
    print("fit on all, scored on all:", show(total(score(pages, fitted))))
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
            pages.append((len(leaves), transfer_cuts(fact, leaves), *describe_elements(facts)))
    return pages


def fit(pages: list[Page]) -> np.ndarray:
    table = np.vstack([features for *_, features in pages])
    truth = np.concatenate([are_blocks(*page) for page in pages])
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


def are_blocks(count: int, gold: list[int], places: np.ndarray, _: np.ndarray) -> np.ndarray:
    is_border = np.isin(places[:, :2], [0, count, *gold]).all(axis=1)
    return is_border & (places[:, 1] - places[:, 0] < count)


def score(pages: list[Page], weights: np.ndarray) -> list[PrecisionRecall]:
    parts = []
    for count, gold, places, features in pages:
        cuts = set(places[features @ weights[:-1] + weights[-1] > 0, :2].ravel().tolist())
        parts.append(score_cuts(sorted(cuts - {0, count}), gold))
    return parts


def show(counts: PrecisionRecall) -> str:
    return f"P {counts.precision:.3f} R {counts.recall:.3f} F {counts.f1:.3f}"


if __name__ == "__main__":
    main()
