"""Fit the weights of `sitestrata.instances.detail`, and score record values, pairs and templates on record pages.

    python bench/fit_slots.py PAGES.warc.gz GOLD.jsonl [GOLD_PAIRS.jsonl] [--fit]

Gold as in docs/evaluation.md (records). Prints, over kinds of records that the weights were and were not fitted on:
value recall and the share of true values; pairs; and F1 of attributes by templates learned from five pages.
"""

import argparse
import json
from collections import Counter, defaultdict
from pathlib import Path

import numpy as np

from sitestrata.evaluate.text import plain
from sitestrata.instances import detail
from sitestrata.instances.places import PagePlaces, read_places
from sitestrata.page import read_page
from sitestrata.sources import find_sources

Row = dict[str, object]
LEARNING = 5


def pages_of(path: Path) -> dict[str, PagePlaces]:
    """Read all pages of an archive."""
    from sitestrata.model import Capture
    from sitestrata.sources import index_source, read_bodies

    found = {}
    for source in find_sources([str(path)]):
        captures = [item for item in index_source(source) if isinstance(item, Capture) and item.is_html]
        for item in read_bodies(source, captures):
            if isinstance(item, tuple):
                capture, body = item
                found[capture.url] = read_places(read_page(body, capture.url, charset=capture.charset))
    return found


def _rows(path: Path) -> list[Row]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def _key(url: str) -> str:
    from sitestrata.urls import normalise

    return normalise(url) or url


def _values(row: Row) -> set[str]:
    attrs = row["attrs"]
    assert isinstance(attrs, dict)
    return {plain(value) for values in attrs.values() for value in values}


class Site:
    """The pages of one site with their gold."""

    def __init__(self, rows: list[Row], pages: dict[str, PagePlaces]) -> None:
        self.rows = [row for row in rows if _key(str(row["url"])) in pages]
        self.pages = [pages[_key(str(row["url"]))] for row in self.rows]
        self.labels = detail.label_places(self.pages)
        self.keys, self.features = detail.slot_features(self.pages, self.labels)
        self.on = [
            [(key, plain(found.text(page))) for key, found in detail._slots(page, self.labels)] for page in self.pages
        ]

    def truth(self) -> tuple[np.ndarray, np.ndarray]:
        """Return how many values of each slot are true, and how many there are."""
        index = {key: number for number, key in enumerate(self.keys)}
        right, total = np.zeros(len(self.keys)), np.zeros(len(self.keys))
        for row, leaves in zip(self.rows, self.on, strict=True):
            want = _values(row)
            for key, value in leaves:
                total[index[key]] += 1
                right[index[key]] += value in want
        return right, total

    def score(self, chance: np.ndarray, least: float) -> list[tuple[int, int, int]]:
        """Return for each page how many gold values there are, how many were found, and how many values in all."""
        kept = {key for key, share in zip(self.keys, chance, strict=True) if share >= least}
        counts = []
        for row, leaves in zip(self.rows, self.on, strict=True):
            want, got = _values(row), {value for key, value in leaves if key in kept}
            counts.append((len(want), len(want & got), len(got)))
        return counts


def fit(sites: list[Site]) -> tuple[np.ndarray, float]:
    """Fit logistic weights, every site counting alike."""
    from sklearn.linear_model import LogisticRegression

    x, y, w = [], [], []
    for site in sites:
        right, total = site.truth()
        scale = 1 / max(total.sum(), 1)
        x += [site.features, site.features]
        y += [np.ones(len(right)), np.zeros(len(right))]
        w += [right * scale, (total - right) * scale]
    features = np.vstack(x)
    spread = features.std(axis=0) + 1e-9
    model = LogisticRegression(C=1.0, max_iter=5000)
    weights = np.concatenate(w)
    model.fit(features / spread, np.concatenate(y), sample_weight=weights * len(weights) / weights.sum())
    return model.coef_[0] / spread, float(model.intercept_[0])


def show_values(name: str, sites: list[Site], weights: np.ndarray | None = None, intercept: float = 0.0) -> None:
    """Print recall and share of true values at several thresholds, by given weights or as shipped."""
    for least in (0.02, 0.03, 0.05, 0.08, 0.1, 0.15, 0.2, 0.3):
        counts = [
            count
            for site in sites
            for count in site.score(
                detail.slot_chances(site.features)
                if weights is None
                else 1 / (1 + np.exp(-(site.features @ weights + intercept))),
                least,
            )
        ]
        gold, right, found = (sum(column) for column in zip(*counts, strict=True))
        by_page = np.mean([right / found if found else 0.0 for gold, right, found in counts if gold])
        print(
            f"{name} least {least}: recall {right / gold:.3f}, share of true values {right / found:.3f}, "
            f"mean over pages {by_page:.3f}, {found / len(counts):.1f} values a page"
        )


def show_pairs(path: Path, pages: dict[str, PagePlaces]) -> None:
    """Print recall and precision of label-value pairs, as `sitestrata eval` counts them."""
    from sitestrata.evaluate.facts import AttributeFact, InstanceFact
    from sitestrata.evaluate.formats import read_facts
    from sitestrata.evaluate.instances import score_instances

    sites: dict[tuple[object, object], list[PagePlaces]] = defaultdict(list)
    for row in _rows(path):
        sites[row["vertical"], row["site"]].append(pages[_key(str(row["url"]))])
    found = []
    for some in sites.values():
        template = detail.learn_template(some)
        for page in some:
            _, values = detail.read_record(page, template, least=0.0)
            attributes = tuple(
                AttributeFact(v.text(page), () if v.label is None else (page.texts[v.label],)) for v in values
            )
            found.append(InstanceFact(page.url, None, attributes=attributes))
    scores = score_instances(found, read_facts([path]).instances, _key).pairs
    print(f"pairs: recall {scores.recall:.3f}, precision {scores.precision:.3f}, {scores.gold} in gold")
    show_share(path, sites)


def show_share(path: Path, sites: dict[tuple[object, object], list[PagePlaces]]) -> None:
    """Print how many of the values kept as shipped the expanded labels know: they name nearly all of a page."""
    known = {
        _key(str(row["url"])): {plain(value) for some in row["predicates"].values() for value in some}  # type: ignore[attr-defined]
        for row in _rows(path)
    }
    right = found = 0
    for some in sites.values():
        template = detail.learn_template(some)
        for page in some:
            got = {plain(v.text(page)) for v in detail.read_record(page, template)[1]}
            right += len(got & known[_key(page.url)])
            found += len(got)
    print(f"values kept, against expanded labels: share of true values {right / found:.3f}, {found} found")


def show_templates(sites: list[Site]) -> None:
    """Print F1 of attributes by templates learned from five pages, the slot of each attribute chosen on these."""
    scores = []
    for site in sites:
        template = detail.learn_template(site.pages[:LEARNING])
        records = []
        for page in site.pages:
            _, values = detail.read_record(page, template, least=0.0)
            slots = defaultdict(set)
            for v in values:
                label = "" if v.label is None else page.texts[v.label]
                slots[int(page.place[v.value]), label].add(plain(v.text(page)))
            records.append(slots)
        attrs = site.rows[0]["attrs"]
        assert isinstance(attrs, dict)
        for name in sorted(attrs):
            gold = [{plain(value) for value in row["attrs"][name]} for row in site.rows]  # type: ignore[index]
            if not any(gold[LEARNING:]) or not any(gold[:LEARNING]):
                continue
            keys = sorted({key for record in records[:LEARNING] for key in record})
            best = max(keys, key=lambda key: _f1(gold[:LEARNING], records[:LEARNING], key), default=None)
            scores.append(0.0 if best is None else _f1(gold[LEARNING:], records[LEARNING:], best))
    print(f"templates of {LEARNING} pages: mean attribute F1 {np.mean(scores):.3f} over {len(scores)} attributes")


def _f1(gold: list[set[str]], records: list[dict[object, set[str]]], key: object) -> float:
    right = sum(len(want & record.get(key, set())) for want, record in zip(gold, records, strict=True))
    total = sum(len(want) + len(record.get(key, set())) for want, record in zip(gold, records, strict=True))
    return 2 * right / total if total else 0.0


def main() -> None:
    """Read, fit if asked, and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pages", type=Path)
    parser.add_argument("gold", type=Path)
    parser.add_argument("pairs", type=Path, nargs="?")
    parser.add_argument("--fit", action="store_true", help="fit on half of the kinds, test on the other; then on all")
    arguments = parser.parse_args()
    pages = {_key(url): page for url, page in pages_of(arguments.pages).items()}
    by_site: dict[tuple[str, str], list[Row]] = defaultdict(list)
    for row in _rows(arguments.gold):
        by_site[str(row["vertical"]), str(row["site"])].append(row)
    sites = {name: Site(rows, pages) for name, rows in sorted(by_site.items())}
    kinds = sorted({kind for kind, _ in sites})
    if arguments.fit:
        for half in (kinds[::2], kinds[1::2]):
            weights, intercept = fit([site for (kind, _), site in sites.items() if kind in half])
            others = [site for (kind, _), site in sites.items() if kind not in half]
            show_values(f"fitted on {', '.join(half)}, tested on the others,", others, weights, intercept)
        weights, intercept = fit(list(sites.values()))
        print("WEIGHTS =", tuple(round(float(weight), 2) for weight in weights))
        print("INTERCEPT =", round(intercept, 2), Counter(kind for kind, _ in sites))
    show_values("as shipped,", list(sites.values()))
    show_templates(list(sites.values()))
    if arguments.pairs:
        show_pairs(arguments.pairs, pages)


if __name__ == "__main__":
    main()
