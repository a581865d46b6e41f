"""Fit the weights by which tables are judged, on tables whose truth is known.

    python bench/gold_pages.py $CORPORA/homepages/tables.jsonl -o $SCRATCH/fragments.warc.gz
    python bench/fit_tables.py $SCRATCH/fragments.warc.gz=$CORPORA/homepages/tables.jsonl=4 \
        $CORPORA/records/pages.warc.gz=$CORPORA/records/tables.jsonl=0.5 \
        $CORPORA/wikipedia-tables/pages.warc.gz=$CORPORA/wikipedia-tables/table_labels.jsonl=0.5/0.2 \
        $SCRATCH/web.warc.gz=$SCRATCH/web.truth/tables.jsonl=1 --write

Each argument is WARC=GOLD=WEIGHT, or WARC=GOLD=WEIGHT/WEIGHT with another weight for header columns: where gold was
made of markup, authors left most of those unmarked. Every page is read twice: as it is, and without class, id, role,
style and with th as td. Pages (of record sites: hosts) are dealt into two halves by a hash; the fit on the first half
is scored on the second, then all are used. Kinds of tables named by ``--unjudged`` (infoboxes: data to some, layout to
others) and orientations that gold leaves open are left out. A fixed sign a feature keeps accidents of these tables out
of the weights.
"""

import argparse
import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import numpy as np
from gold_pages import captures, strip
from scipy.optimize import minimize

from sitestrata.evaluate.facts import TableFact
from sitestrata.evaluate.formats.recognise import read_facts
from sitestrata.page import UnusablePageError, read_page
from sitestrata.partition.tables import weights as weights_module
from sitestrata.partition.tables.detect import TABLE_FEATURES, table_features
from sitestrata.partition.tables.grids import Grid, page_grids
from sitestrata.partition.tables.headers import EXTRA_FEATURES, MAX_LEFT, MAX_TOP, left_features, title_rows
from sitestrata.partition.tables.look import LINE_FEATURES, Look, line_features, look_at
from sitestrata.urls import normalise

RIDGE = 1.0
BOUND = 6.0  # no single feature decides alone

# The sign that a feature's meaning gives its weight; 0 leaves it out, "?" leaves it open.
TOP_SIGNS = list("+++++++-+-++--?-+??+-++")
LEFT_SIGNS = list("+++0+++-+-++--?-0??+-++-+?-+")
TABLE_SIGNS = list("++++++------")
STEP = 0.5  # to which the weights of tables are rounded; finer ones say nothing about other sites
FOLDS = 5


@dataclass
class Sample:
    source: int
    weight: float
    column_weight: float
    half: int
    grid: Grid
    look: Look
    fact: TableFact
    is_stripped: bool


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("sources", nargs="+", help="WARC=GOLD=WEIGHT")
    parser.add_argument("--unjudged", nargs="*", default=["infobox"])
    parser.add_argument("--write", action="store_true", help="write the weights into the package")
    options = parser.parse_args()
    samples = [
        sample
        for number, source in enumerate(options.sources)
        for sample in read(number, *source.split("="), options.unjudged)
    ]
    print(f"{len(samples):,} tables")
    fitted = {}
    for part in ("half", "all"):
        chosen = [sample for sample in samples if part == "all" or sample.half == 0]
        top = fit(*rows_of(chosen), TOP_SIGNS)
        left = fit(*columns_of(chosen), LEFT_SIGNS)
        table = rounded(fit(*tables_of(chosen), TABLE_SIGNS))
        fitted = {"TOP": top, "LEFT": left, "TABLE": table}
        for number, source in enumerate(options.sources):
            for is_stripped in (False, True):
                for half in (0, 1):
                    some = [s for s in samples if (s.source, s.is_stripped, s.half) == (number, is_stripped, half)]
                    if some:
                        parts = (
                            f"{name} {score(weights, *data)}"
                            for name, weights, data in (
                                ("rows", top, rows_of(some)),
                                ("columns", left, columns_of(some)),
                                ("tables", table, tables_of(some)),
                            )
                        )
                        name = Path(source.split("=")[1]).parent.name
                        form = "stripped" if is_stripped else "as is"
                        print(f"fit on {part}, {name} {form}, half {half}:", "; ".join(parts))
    left_out(samples, options.sources)
    names = {"TOP": LINE_FEATURES, "LEFT": (*LINE_FEATURES, *EXTRA_FEATURES), "TABLE": TABLE_FEATURES}
    for which, weights in fitted.items():
        print(which, {n: round(float(w), 2) for n, w in zip((*names[which], "constant"), weights, strict=True)})
    if options.write:
        write({which: (names[which], weights) for which, weights in fitted.items()})


def left_out(samples: list[Sample], sources: list[str]) -> None:
    """Judge the tables of each record site, and of each fifth of the other pages, by a fit on all others."""
    features, truth, weights = (part[1:] for part in tables_of(samples))
    group = np.array([fold_of(sample) for sample in samples])
    found = np.zeros(len(samples), dtype=bool)
    for one in sorted(set(group.tolist())):
        inside = group == one
        table = rounded(fit(features[~inside], truth[~inside], weights[~inside], TABLE_SIGNS))
        found[inside] = features[inside] @ table[:-1] + table[-1] > 0
    for number, source in enumerate(sources):
        some = np.array([sample.source == number for sample in samples])
        right, said, true = (found & truth & some).sum(), (found & some).sum(), (truth & some).sum()
        print(f"left out, {Path(source.split('=')[1]).parent.name}: tables F {2 * right / max(said + true, 1):.3f}")


def fold_of(sample: Sample) -> str:
    key = group_key(normalise(sample.fact.url) or sample.fact.url)
    is_site = "/" not in key
    return key if is_site else f"{sample.source}/{hashlib.blake2b(key.encode()).digest()[0] % FOLDS}"


def rounded(weights: np.ndarray) -> np.ndarray:
    return np.round(weights / STEP) * STEP


def read(number: int, warc: str, gold: str, weight: str, unjudged: list[str]) -> Iterator[Sample]:
    facts: dict[str, list[TableFact]] = {}
    for fact in read_facts([Path(gold)]).tables:
        if fact.kind not in unjudged:
            facts.setdefault(normalise(fact.url) or fact.url, []).append(fact)
    seen = set()
    for url, body in captures(Path(warc)):
        page = normalise(url) or url
        if page not in facts or page in seen:
            continue
        seen.add(page)
        for is_stripped in (False, True):
            try:
                grids = page_grids(read_page(strip(body) if is_stripped else body, url))
            except UnusablePageError:
                continue
            for fact in facts[page]:
                if fact.index < len(grids) and min(grids[fact.index].slots.shape, default=0) > 1:
                    grid = grids[fact.index]
                    of_all, _, of_columns = weight.partition("/")
                    both = float(of_all), float(of_columns or of_all)
                    yield Sample(number, *both, half_of(page), grid, look_at(grid), fact, is_stripped)


def half_of(page: str) -> int:
    return hashlib.blake2b(group_key(page).encode(), digest_size=1).digest()[0] % 2


def group_key(page: str) -> str:
    """Return what is dealt as one: pages of one record site look alike, so they stay together."""
    parts = urlsplit(page)
    # Fragments and articles have one host each for all.
    return page if parts.path.count("/") < 2 or "wiki" in parts.netloc else parts.netloc


def line_truth(sample: Sample) -> tuple[int, int] | None:
    """Return how many header rows and columns gold says; None if it does not say."""
    fact, grid = sample.fact, sample.grid
    if not fact.is_data:
        return None
    titles = title_rows(sample.look)
    if fact.header_cells is not None:
        cells = set(fact.header_cells)
        top = titles
        while top < grid.rows and all((top, column) in cells for column in range(grid.columns)):
            top += 1
        rows = [row for row in range(top, grid.rows) if len(set(grid.slots[row].tolist())) > 1]
        left = 0
        while left < grid.columns and rows and sum((row, left) in cells for row in rows) > 0.8 * len(rows):
            left += 1
        return top - titles, left
    if not fact.orientations:
        return None
    said = fact.orientations[0].removeprefix("multi-header-")
    return int("column" in said), int("row" in said)


def rows_of(samples: list[Sample]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    features, truth, weights = [np.zeros(len(TOP_SIGNS))], [False], [0.0]
    for sample in samples:
        lines = line_truth(sample)
        look = sample.look.without(title_rows(sample.look), 0)
        if lines is None or not look.cell.size:
            continue
        known = lines[0] + 1 if sample.fact.header_cells is not None else 1
        for row in range(min(known, MAX_TOP, look.cell.shape[0] - 1)):
            features.append(line_features(look, row))
            truth.append(row < lines[0])
            weights.append(sample.weight)
    return np.array(features), np.array(truth), np.array(weights)


def columns_of(samples: list[Sample]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    features, truth, weights = [np.zeros(len(LEFT_SIGNS))], [False], [0.0]
    for sample in samples:
        lines = line_truth(sample)
        look = sample.look.without(title_rows(sample.look), 0)
        if lines is None or not look.cell.size or lines[0] >= look.cell.shape[0]:
            continue
        known = lines[1] + 1 if sample.fact.header_cells is not None else 1
        for column in range(min(known, MAX_LEFT, look.cell.shape[1] - 1)):
            features.append(left_features(look, lines[0], column))
            truth.append(column < lines[1])
            weights.append(sample.column_weight)
    return np.array(features), np.array(truth), np.array(weights)


def tables_of(samples: list[Sample]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    features, truth, weights = [np.zeros(len(TABLE_SIGNS))], [False], [0.0]
    for sample in samples:
        features.append(table_features(sample.grid, sample.look))
        truth.append(sample.fact.is_data)
        # Nested navigation boxes repeat what their parents are: many, and much alike.
        weights.append(sample.weight * (0.3 if sample.grid.parent >= 0 and not sample.fact.is_data else 1.0))
    return np.array(features), np.array(truth), np.array(weights)


def fit(features: np.ndarray, truth: np.ndarray, weights: np.ndarray, signs: list[str]) -> np.ndarray:
    design = np.hstack([features, np.ones((len(features), 1))])
    target = np.where(truth, 1.0, -1.0)
    limits = {"+": (0.0, BOUND), "-": (-BOUND, 0.0), "0": (0.0, 0.0), "?": (-BOUND, BOUND)}

    def loss(w: np.ndarray) -> tuple[float, np.ndarray]:
        margin = target * (design @ w)
        value = float(weights @ np.logaddexp(0.0, -margin)) + 0.5 * RIDGE * float(w[:-1] @ w[:-1])
        slope = -design.T @ (weights * target / (1.0 + np.exp(np.clip(margin, -500, 500))))
        slope[:-1] += RIDGE * w[:-1]
        return value, slope

    bounds = [*(limits[sign] for sign in signs), (-50.0, 50.0)]
    return minimize(loss, np.zeros(design.shape[1]), jac=True, bounds=bounds, method="L-BFGS-B").x


def score(weights: np.ndarray, features: np.ndarray, truth: np.ndarray, counted: np.ndarray) -> str:
    found = features @ weights[:-1] + weights[-1] > 0
    some = counted > 0
    right, said, true = (found & truth & some).sum(), (found & some).sum(), (truth & some).sum()
    return f"F {2 * right / max(said + true, 1):.3f} accuracy {(found == truth)[some].mean():.3f} of {some.sum()}"


def write(fitted: dict[str, tuple[tuple[str, ...], np.ndarray]]) -> None:
    path = Path(weights_module.__file__)
    text = path.read_text(encoding="utf-8")
    for which, (names, values) in fitted.items():
        lines = "".join(f"    {v:.2f},  # {n}\n" for n, v in zip((*names, "constant"), values, strict=True))
        text = re.sub(
            rf"^{which}: .*?\)(?: \* \d+)?\n(?=\n|\Z|[A-Z])",
            f"{which}: tuple[float, ...] = (\n{lines})\n",
            text,
            flags=re.S | re.M,
        )
    path.write_text(text, encoding="utf-8")
    print(f"written: {path.name}")


if __name__ == "__main__":
    main()
