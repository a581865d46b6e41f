"""How good are label trees, label-value pairs, block borders and tables on real pages?

    python bench/partition_quality.py labels $CORPORA/homepages
    python bench/partition_quality.py labels $SCRATCH/web.warc.gz $SCRATCH/web.truth/homes.jsonl
    python bench/partition_quality.py pairs $CORPORA/records
    python bench/partition_quality.py blocks $CORPORA/blocks
    python bench/partition_quality.py blocks web.warc.gz web.truth/blocks.jsonl
    python bench/partition_quality.py tables $SCRATCH/fragments.warc.gz $CORPORA/homepages/tables.jsonl
    python bench/partition_quality.py tables $CORPORA/records/pages.warc.gz $CORPORA/records/tables.jsonl
    python bench/partition_quality.py tables $CORPORA/wikipedia-tables/pages.warc.gz \
        $CORPORA/wikipedia-tables/table_labels.jsonl --strip

``--profile paper`` judges with the paper's methods; ``--strip`` takes class, id, role and style away and turns th into
td (``--no-class`` keeps th). ``--half 0`` or ``1`` scores every second page only.
"""

import argparse
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import astuple, dataclass
from html import unescape
from itertools import pairwise
from pathlib import Path

import numpy as np
from gold_pages import captures, strip

from sitestrata.errors import Error
from sitestrata.evaluate.closure import ClosureScores, score_closure
from sitestrata.evaluate.cuts import blind_cuts, score_cuts
from sitestrata.evaluate.facts import LabelNode, TableFact
from sitestrata.evaluate.formats.recognise import read_facts
from sitestrata.evaluate.precision_recall import PrecisionRecall, total
from sitestrata.evaluate.tables import everything_is_data, score_tables
from sitestrata.evaluate.tasks.content import transfer_cuts
from sitestrata.evaluate.tasks.hierarchies import gold_labels, label_pairs
from sitestrata.evaluate.text import plain
from sitestrata.page import PageFacts, read_page
from sitestrata.partition.blocks import find_blocks
from sitestrata.partition.labels import label_forest
from sitestrata.partition.lines import Label
from sitestrata.partition.pairs import find_pairs
from sitestrata.partition.paper import paper_blocks, paper_forest
from sitestrata.partition.styles import with_styles
from sitestrata.partition.tables import TableOptions, find_tables
from sitestrata.urls import normalise

ALTERNATIVE = "&&&"
SECTION = " | "
TOPIC = "topic_entity_name"
UNPRINTED = "*"  # begins a label that the page does not print


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("task", choices=["labels", "pairs", "blocks", "tables"])
    parser.add_argument("paths", nargs="+", type=Path)
    parser.add_argument("--profile", choices=["default", "paper"], default="default")
    parser.add_argument("--strip", action="store_true")
    parser.add_argument("--no-class", action="store_true")
    parser.add_argument("--half", type=int, choices=[0, 1])
    parser.add_argument("--worst", type=int, default=0, help="name so many of the worst pages")
    options = parser.parse_args()
    {"labels": labels, "pairs": pairs, "blocks": blocks, "tables": tables}[options.task](options)


def forest_of(options: argparse.Namespace) -> Callable[[PageFacts], list[Label]]:
    def forest(facts: PageFacts) -> list[Label]:
        try:
            return paper_forest(facts) if options.profile == "paper" else label_forest(with_styles(facts))
        except Error:
            return []

    return forest


def chosen(warc: Path, wanted: dict[str, object], half: int | None) -> Iterator[tuple[str, bytes]]:
    """Yield the first capture of each wanted page; every second one if a half is asked for."""
    left = dict.fromkeys(wanted)
    number = 0
    for url, body in captures(warc):
        key = url if url in left else normalise(url) or url
        if key in left:
            del left[key]
            if half is None or number % 2 == half:
                yield key, body
            number += 1


def labels(options: argparse.Namespace) -> None:
    forest = forest_of(options)
    rows: list[tuple[ClosureScores, str]] = []
    domains = sorted(path.parent for path in options.paths[0].glob("*/gold.json"))
    sources = [(domain / "pages.warc.gz", domain / "gold.json") for domain in domains] or [tuple(options.paths)]
    for warc, gold in sources:
        trees = {normalise(tree.url) or tree.url: tree for tree in read_facts([gold]).trees}
        for url, body in chosen(warc, trees, options.half):
            found, _ = label_pairs([node_of(label) for label in forest(read_page(body, url))])
            wanted, accepted = label_pairs(trees[url].roots)
            known = gold_labels(trees[url].roots)
            rows.append((score_closure(found, wanted, accepted=accepted, known=known), url))
    micro = sum((score for score, _ in rows[1:]), start=rows[0][0])
    judged = [score for score, _ in rows if score.gold]
    print(
        f"{len(rows)} pages: P-in {micro.precision_in:.3f} P-desc {micro.precision_desc:.3f} R {micro.recall:.3f}, "
        f"macro F {sum(score.f1 for score in judged) / len(judged):.3f} over {len(judged)} pages with pairs, "
        f"{sum(score.f1 for score, _ in rows) / len(rows):.3f} over all"
    )
    for score, url in sorted(rows, key=lambda row: row[0].f1)[: options.worst]:
        print(f"  {score.f1:.2f} P-desc {score.precision_desc:.2f} R {score.recall:.2f} of {score.gold} {url}")


def node_of(label: Label) -> LabelNode:
    return LabelNode(label.text, None, tuple(node_of(child) for child in label.children))


def pairs(options: argparse.Namespace) -> None:
    folder = options.paths[0]
    with (folder / "gold_pairs.jsonl").open(encoding="utf-8") as file:
        gold = {row["url"]: row for row in map(json.loads, file)}
    if options.half is not None:  # by site, since the pages of one look alike
        sites = sorted({row["site"] for row in gold.values()})
        gold = {url: row for url, row in gold.items() if sites.index(row["site"]) % 2 == options.half}
    sites: dict[str, list[list[Pairs]]] = {}
    printed: dict[str, list[list[list[int]]]] = {}
    for url, body in chosen(folder / "pages.warc.gz", gold, None):
        facts = read_page(body, url)
        pairs = list(find_pairs(facts))
        wanted = {unescape(key): list(map(unescape, values)) for key, values in gold[url]["predicates"].items()}
        leaves = [text for leaf in range(len(facts.leaves)) if (text := facts.leaf_text(leaf).strip())]
        ways: list[list[Found]] = [
            [((*pair.sections, pair.label), pair.value) for pair in pairs if pair.subject is None],
            [((*pair.sections, pair.label), pair.value) for pair in pairs],
            [((one,), two) for one, two in pairwise(leaves)],
        ]
        site = gold[url]["site"]
        sites.setdefault(site, []).append([score_pairs(wanted, found) for found in ways])
        printed.setdefault(site, []).append([score_printed(wanted, found, set(leaves)) for found in ways])
    counts = np.array([np.sum(rows, axis=0) for rows in printed.values()])
    shares = (counts[..., ::2] / np.maximum(counts[..., 1::2], 1)).mean(axis=0)
    for way, name in enumerate(("said of the page", "of other things too", "the leaf before as the label")):
        whole = sum((page[way] for pages in sites.values() for page in pages), start=Pairs())
        print(f"{name}, {whole.wanted} in gold: {whole}")
        print("  texts as printed, whole leaves, mean over sites: R {:.3f} P {:.3f}".format(*shares[way]))
    for site, pages in sorted(sites.items()):
        print(f"  {site}: {sum((page[0] for page in pages), start=Pairs())}")


Found = tuple[tuple[str, ...], str]  # the labels above, outermost first, and a label


@dataclass(frozen=True)
class Pairs:
    """Counts over the pairs of some pages."""

    wanted: int = 0
    recalled: int = 0  # the label stands over the value
    strict: int = 0  # children of labels that gold knows
    strict_right: int = 0
    judged: int = 0  # those of labels that gold does not know as sections too
    right: int = 0
    first: int = 0  # labels of gold that have a value
    first_right: int = 0  # the first value under the first of them
    sections: int = 0
    sections_found: int = 0

    def __add__(self, other: "Pairs") -> "Pairs":
        return Pairs(*(a + b for a, b in zip(astuple(self), astuple(other), strict=True)))

    def __str__(self) -> str:
        figures = (
            (self.recalled, self.wanted),
            (self.strict_right, self.strict),
            (self.right, self.judged),
            (self.first_right, self.first),
            (self.sections_found, self.sections),
        )
        shares = (part / max(whole, 1) for part, whole in figures)
        return (
            "R {:.3f} P {:.3f}, sections apart {:.3f}, of first values {:.3f}, sections R {:.3f}".format(*shares)
            + f"; {self.strict - self.strict_right} wrong"
        )


def score_pairs(predicates: dict[str, list[str]], found: Sequence[Found]) -> Pairs:
    """Count pairs: a value is found if its label stands over it; a pair is right if the value is the label's child."""
    found = [(tuple(map(plain, names)), plain(value)) for names, value in found]
    above = {(name, value) for names, value in found for name in names}
    values: dict[str, set[str]] = {}
    sections_in_gold: set[str] = set()
    recalled = wanted = sections_found = sections = 0
    for key, some in predicates.items():
        *outer, label = key.split(SECTION)
        if key == TOPIC or label.startswith(UNPRINTED):
            continue
        names = {plain(name) for name in label.split(ALTERNATIVE)}
        holders = {plain(name) for name in outer[-1].split(ALTERNATIVE)} if outer else set()
        sections_in_gold |= names & {plain(name) for part in outer for name in part.split(ALTERNATIVE)}
        for value in map(plain, some):
            wanted += 1
            recalled += any((name, value) in above for name in names)
            for name in names:
                values.setdefault(name, set()).add(value)
            if holders:
                sections += 1
                sections_found += any((holder, below) in above for holder in holders for below in (value, *names))
    counts = []
    known = {(names[-1], value) for names, value in found if value and names[-1] in values}
    # What stands under a section is more than the values of one label.
    for judged in (known, {(name, value) for name, value in known if name not in sections_in_gold}):
        counts += [len(judged), sum(value in values[name] for name, value in judged)]
    first: dict[str, str] = {}
    for above_it, value in found:
        if value and above_it[-1] in values:
            first.setdefault(above_it[-1], value)
    counts += [len(first), sum(value in values[name] for name, value in first.items())]
    return Pairs(wanted, recalled, *counts, sections, sections_found)


def score_printed(predicates: dict[str, list[str]], found: Sequence[Found], leaves: set[str]) -> list[int]:
    """Count pairs as the trial before the product seems to have done, whose measure is not kept.

    Texts are equal as they are printed, and values are looked for whose label and themselves are whole leaves of the
    page. Of about a thousand combinations that were tried it gives the leaf before the figures reported for it.
    Returns the values found under their label, those looked for, the pairs that are right, and all pairs.
    """
    pairs = {(" ".join(names[-1].split()), " ".join(value.split())) for names, value in found}
    leaves = {" ".join(leaf.split()) for leaf in leaves}
    values: dict[str, set[str]] = {}
    recalled = wanted = 0
    for key, some in predicates.items():
        label = key.split(SECTION)[-1]
        if key == TOPIC or label.startswith(UNPRINTED):
            continue
        names = {" ".join(name.split()) for name in label.split(ALTERNATIVE)}
        for value in (" ".join(value.split()) for value in some):
            for name in names:
                values.setdefault(name, set()).add(value)
            if value in leaves and names & leaves:
                wanted += 1
                recalled += any((name, value) in pairs for name in names)
    known = [(name, value) for name, value in pairs if name in values and value]
    return [recalled, wanted, sum(value in values[name] for name, value in known), len(known)]


def blocks(options: argparse.Namespace) -> None:
    folder = options.paths[0]
    own = (folder / "pages.warc.gz", folder / "labels.jsonl")
    warc, labelled = options.paths if len(options.paths) == 2 else own
    gold = {fact.url: fact for fact in read_facts([labelled]).cuts}
    find = paper_blocks if options.profile == "paper" else find_blocks
    for window in (1, 5):
        parts, blind = [], []
        for url, body in chosen(warc, gold, options.half):
            facts = read_page(body, url)
            leaves = [facts.leaf_text(leaf) for leaf in range(len(facts.leaves))]
            cuts = transfer_cuts(gold[url], leaves)
            parts.append(score_cuts([block.first for block in find(facts)][1:], cuts, window=window))
            blind.append(score_cuts(blind_cuts(len(leaves)), cuts, window=window))
        print(f"{len(parts)} pages, window {window}: {shown(total(parts))}; blind cuts {shown(total(blind))}")


def tables(options: argparse.Namespace) -> None:
    warc, gold_path = options.paths
    facts_of: dict[str, dict[int, TableFact]] = {}
    for fact in read_facts([gold_path]).tables:
        if fact.kind != "infobox":  # data to some, layout to others
            facts_of.setdefault(normalise(fact.url) or fact.url, {})[fact.index] = fact
    found: dict[tuple[str, int], TableFact] = {}
    gold: dict[tuple[str, int], TableFact] = {}
    navboxes = called = 0
    for url, body in chosen(warc, facts_of, options.half):
        if options.strip or options.no_class:
            body = strip(body, keep_th=options.no_class)
        judged = facts_of[url]
        gold |= {(url, index): fact for index, fact in judged.items()}
        for table in find_tables(read_page(body, url), options=TableOptions(profile=options.profile)):
            if table.source == "table":
                key = (url, table.index)
                found[key] = TableFact(url, table.index, table.is_data, (table.orientation,), table.header_cells)
                if table.index in judged and judged[table.index].kind == "navbox" and table.parent < 0:
                    navboxes += 1
                    called += table.is_data
    for name, answer in (("found", found), ("everything is data, headers on top", everything_is_data(gold))):
        scores = score_tables(answer, gold)
        print(
            f"{name}: {len(gold)} tables, data {shown(scores.detection)}, "
            f"orientation {scores.orientation_accuracy:.3f} of {scores.orientation_judged}, "
            f"header cells {shown(scores.header_cells)}"
        )
    if navboxes:
        print(f"navigation boxes called data: {called} of {navboxes} that are not nested")


def shown(counts: PrecisionRecall) -> str:
    return f"P {counts.precision:.3f} R {counts.recall:.3f} F {counts.f1:.3f}"


if __name__ == "__main__":
    main()
