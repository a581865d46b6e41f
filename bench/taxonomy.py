"""Score taxonomies mined from home pages against gold, and fit what `sitestrata.taxonomy.behaviour` has to fit.

    python bench/taxonomy.py FOLDER... [--wordnet FOLDER] [--sentence-model FOLDER] [--support 2] [--fit] [--list]
                             [--paper] [--perfect]

Each FOLDER holds ``gold.json`` (homes, taxonomy) and ``pages.warc.gz``. With ``--fit``, slope and intercept are
fitted on all domains but one and tested on that one, then on all; so are weights of each feature, for comparison. With
``--paper``, the paper's own method is scored beside, over label trees by its own partitioner and by ours. With
``--perfect``, labels of gold's concepts are joined as gold joins them: what is then missed is not for want of synonyms.
"""

import argparse
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from sitestrata.evaluate.closure import closure
from sitestrata.evaluate.facts import ConceptFact, IsAFact, TaxonomyFact
from sitestrata.evaluate.formats import read_facts
from sitestrata.evaluate.ontology import TaxonomyScores, meanings, score_taxonomy
from sitestrata.evaluate.text import plain
from sitestrata.model import Capture
from sitestrata.page import read_page
from sitestrata.partition.tree import TreeOptions, find_tree
from sitestrata.sources import find_sources, index_source, read_bodies
from sitestrata.taxonomy import behaviour, mine
from sitestrata.taxonomy.encoder import find_encoder
from sitestrata.taxonomy.isa import choose_relations
from sitestrata.taxonomy.lexicon import Lexicon, build_lexicon
from sitestrata.taxonomy.merge import Group, Member
from sitestrata.taxonomy.owners import assign_owners
from sitestrata.taxonomy.trees import SiteTree
from sitestrata.taxonomy.wordnet import find_wordnet
from sitestrata.urls import normalise, registered_domain, url_id


def home_trees(folder: Path, *, profile: str = "default") -> list[SiteTree]:
    """Return the label trees of the home pages of one domain."""
    gold = json.loads((folder / "gold.json").read_text("utf-8"))
    wanted = {normalise(home["url"]) for home in gold["homes"]}
    trees: dict[str, SiteTree] = {}
    for source in find_sources([str(folder / "pages.warc.gz")]):
        captures = [
            item
            for item in index_source(source)
            if isinstance(item, Capture) and item.is_html and item.status == 200 and item.url in wanted
        ]
        for found in read_bodies(source, captures):
            if isinstance(found, tuple):
                facts = read_page(found[1], found[0].url, charset=found[0].charset)
                nodes = find_tree(facts, options=TreeOptions(profile))
                trees[facts.url] = SiteTree(url_id(facts.url), facts.url, facts.url, facts.language, nodes, facts.title)
    return assign_owners([trees[url] for url in sorted(trees)])


@dataclass
class Domain:
    """One domain: its trees, its gold, its pairs with their features."""

    name: str
    trees: list[SiteTree]
    gold: TaxonomyFact
    groups: list[Group]
    labels: list[tuple[str, ...]]  # of each group, as shown
    keys: list[tuple[int, int]]
    features: np.ndarray
    right: np.ndarray
    concepts: np.ndarray  # features
    is_concept: np.ndarray  # whether gold knows one of its labels

    def score(self, chance: np.ndarray, least: float) -> TaxonomyScores:
        """Score the pairs with at least some chance."""
        concepts = tuple(ConceptFact(str(n), some) for n, some in enumerate(self.labels))
        sure = behaviour.concept_chances(self.concepts)
        shares = {
            (a, b): share
            for (a, b), share in zip(self.keys, chance.tolist(), strict=True)
            if min(sure[a], sure[b]) >= mine.LEAST_CONCEPT
        }
        pairs = tuple(IsAFact(str(a), str(b)) for a, b in sorted(choose_relations(shares, least=least)))
        return score_taxonomy([TaxonomyFact(self.name, concepts, pairs)], self.gold)


def perfect_groups(lexicon: Lexicon, gold: TaxonomyFact, found: Sequence[Group], support: int) -> list[Group]:
    """Return gold's concepts with the labels that are printed for them, and what was found besides."""
    meant: dict[str, list[str]] = {}
    known = {label: {plain(label), *map(plain, use.shown)} for label, use in lexicon.uses.items()}
    for concept in gold.concepts:
        names = set(map(plain, concept.labels))
        meant[concept.concept] = sorted(label for label, forms in known.items() if forms & names)
    told = {label for labels in meant.values() for label in labels}
    members = [
        tuple(
            Member(label, "gold" if number else "first", labels[0] if number else None, 1.0)
            for number, label in enumerate(labels)
        )
        for labels in meant.values()
    ]
    members += [tuple(member for member in group.members if member.label not in told) for group in found]
    groups = [
        Group(some, frozenset(owner for member in some for owner in lexicon.uses[member.label].owners))
        for some in members
    ]
    return [group for group in groups if len(group.owners) >= support]


def read_domain(folder: Path, hints: mine.TaxonomyHints, support: int, *, is_perfect: bool = False) -> Domain:
    """Read and describe one domain."""
    trees = sorted(home_trees(folder), key=lambda tree: (tree.owner, tree.url))
    gold = read_facts([folder / "gold.json"]).taxonomies[0]
    lexicon = build_lexicon(trees)
    groups = mine.group_labels(lexicon, hints, support=support)
    if is_perfect:
        groups = perfect_groups(lexicon, gold, groups, support)
    pairs, sites = behaviour.nest_concepts(trees, groups)
    keys, features = behaviour.pair_features(pairs, sites, lexicon, groups)
    labels = [tuple(lexicon.uses[label].form for label in group.labels) for group in groups]
    wanted = [frozenset(plain(label) for label in concept.labels) for concept in gold.concepts]
    known = frozenset().union(*wanted)
    found = {str(n): frozenset(plain(label) for label in some) for n, some in enumerate(labels)}
    meaning = meanings(found, {concept.concept: some for concept, some in zip(gold.concepts, wanted, strict=True)})
    accepted = closure({(pair.parent, pair.child) for pair in gold.is_a})
    right = np.array([(meaning.get(str(a)), meaning.get(str(b))) in accepted for a, b in keys], dtype=float)
    shares = dict(zip(keys, behaviour.chances(features).tolist(), strict=True))
    return Domain(
        folder.name,
        trees,
        gold,
        list(groups),
        labels,
        keys,
        features,
        right,
        behaviour.concept_features(lexicon, groups, shares),
        np.array([bool(some & known) for some in found.values()], dtype=float),
    )


def fit(
    rows: list[tuple[np.ndarray, np.ndarray]], signs: tuple[int, ...], *, is_weighted: bool = False
) -> tuple[np.ndarray, float]:
    """Fit logistic weights to (features, right) of domains that count alike: one for all features, or one for each."""
    from sklearn.linear_model import LogisticRegression

    features = np.vstack([found * np.array(signs) for found, _ in rows])
    features = features if is_weighted else features.sum(axis=1, keepdims=True)
    right = np.concatenate([right for _, right in rows])
    weight = np.concatenate([np.full(len(right), 1 / len(right)) for _, right in rows]) * len(features) / len(rows)
    model = LogisticRegression(C=0.03 if is_weighted else 10, max_iter=5000).fit(features, right, sample_weight=weight)
    return np.broadcast_to(model.coef_[0], len(signs)) * np.array(signs), float(model.intercept_[0])


def fit_pairs(domains: list[Domain], *, is_weighted: bool = False) -> tuple[np.ndarray, float]:
    """Fit what turns the features of pairs into chances."""
    rows = [(behaviour.standardised(domain.features), domain.right) for domain in domains]
    return fit(rows, behaviour.SIGNS, is_weighted=is_weighted)


def fit_concepts(domains: list[Domain]) -> None:
    """Print what turns the features of concepts into chances, and how well these rank on each domain."""
    from sklearn.metrics import roc_auc_score

    means = np.mean([domain.concepts.mean(axis=0) for domain in domains], axis=0).round(3)
    spreads = np.mean([domain.concepts.std(axis=0) for domain in domains], axis=0).round(3)
    units = [(behaviour.standardised(d.concepts, means.tolist(), spreads.tolist()), d.is_concept) for d in domains]
    weights, intercept = fit(units, behaviour.CONCEPT_SIGNS)
    print("CONCEPT_SLOPE, CONCEPT_INTERCEPT =", round(abs(float(weights[0])), 2), round(intercept, 2))
    print("CONCEPT_MEANS =", tuple(means.tolist()))
    print("CONCEPT_SPREADS =", tuple(spreads.tolist()))
    for domain in domains:
        chance = behaviour.concept_chances(domain.concepts)
        likely = chance >= np.median(chance)
        print(
            f"concepts of {domain.name} by behaviour: AUC {roc_auc_score(domain.is_concept, chance):.2f}; "
            f"the likelier half P {domain.is_concept[likely].mean():.2f} (all: {domain.is_concept.mean():.2f}) "
            f"R {domain.is_concept[likely].sum() / domain.is_concept.sum():.2f}"
        )


def show(name: str, domain: Domain, chance: np.ndarray, thresholds: tuple[float, ...]) -> None:
    """Print precision and recall."""
    for least in thresholds:
        scores = domain.score(chance, least)
        print(
            f"{name} {domain.name:13} least {least:.2f}: is-a strict P {scores.is_a.precision:.2f} "
            f"R {scores.is_a.recall:.2f}, of the listed {scores.is_a_direct.recall:.2f} "
            f"({scores.is_a.found} found), concepts P {scores.concepts.precision:.2f} "
            f"R {scores.concepts.recall:.2f}, synonyms P {scores.synonyms.precision:.2f} R {scores.synonyms.recall:.2f}"
        )


def show_paper(folder: Path, support: int) -> None:
    """Print precision and recall of the paper's method, over its own label trees and over ours."""
    gold = read_facts([folder / "gold.json"]).taxonomies[0]
    for profile in ("paper", "default"):
        trees = home_trees(folder, profile=profile)
        home = {tree.site: registered_domain(tree.url) for tree in trees}
        found = mine.paper_taxonomy(
            trees,
            support=support,
            is_inside=lambda site, url, home=home: registered_domain(url) == home[site],  # type: ignore[misc]
            brings=lambda _: None,
        )
        labels: dict[int, list[str]] = {}
        for row in found.labels:
            labels.setdefault(row.concept, []).append(row.label)
        concepts = tuple(ConceptFact(str(number), tuple(some)) for number, some in labels.items())
        pairs = tuple(IsAFact(str(pair.parent), str(pair.child)) for pair in found.is_a)
        scores = score_taxonomy([TaxonomyFact(folder.name, concepts, pairs)], gold)
        print(
            f"the paper, label trees of profile {profile}: {folder.name}: is-a strict P {scores.is_a.precision:.2f} "
            f"R {scores.is_a.recall:.2f}, of the listed {scores.is_a_direct.recall:.2f} "
            f"({scores.is_a.found} found), concepts P {scores.concepts.precision:.2f} "
            f"R {scores.concepts.recall:.2f}"
        )


def main() -> None:
    """Read, fit if asked, and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--wordnet")
    parser.add_argument("--sentence-model")
    parser.add_argument("--support", type=int, default=2)
    parser.add_argument("--fit", action="store_true")
    parser.add_argument("--paper", action="store_true")
    parser.add_argument("--perfect", action="store_true")
    parser.add_argument("--list", action="store_true", help="list the pairs, the likeliest first")
    arguments = parser.parse_args()
    hints = mine.TaxonomyHints(
        wordnet=find_wordnet(arguments.wordnet) if arguments.wordnet else None,
        encoder=find_encoder(arguments.sentence_model) if arguments.sentence_model else None,
    )
    domains = [
        read_domain(folder, hints, arguments.support, is_perfect=arguments.perfect) for folder in arguments.folders
    ]

    def chance(domain: Domain, weights: np.ndarray, intercept: float) -> np.ndarray:
        return np.asarray(1 / (1 + np.exp(-(behaviour.standardised(domain.features) @ weights + intercept))))

    if arguments.fit:
        for domain in domains:
            others = [other for other in domains if other is not domain]
            show("slope from the others:", domain, chance(domain, *fit_pairs(others)), (0.3, 0.35, 0.4, 0.5))
            show(
                "weights from the others:",
                domain,
                chance(domain, *fit_pairs(others, is_weighted=True)),
                (0.3, 0.4, 0.5),
            )
        weights, intercept = fit_pairs(domains)
        print("SLOPE, INTERCEPT =", round(abs(float(weights[0])), 2), round(intercept, 2))
        print("MEANS =", tuple(np.mean([d.features.mean(axis=0) for d in domains], axis=0).round(3).tolist()))
        print("SPREADS =", tuple(np.mean([d.features.std(axis=0) for d in domains], axis=0).round(3).tolist()))
        fit_concepts(domains)
    for folder in arguments.folders if arguments.paper else ():
        show_paper(folder, arguments.support)
    for domain in domains:
        shipped = behaviour.chances(domain.features)
        show("as shipped:", domain, shipped, (0.0, 0.25, 0.3, 0.35, 0.4, 0.5))
        if arguments.list:
            for n in np.argsort(-shipped, kind="stable")[:150]:
                a, b = domain.keys[n]
                names = [domain.labels[x][0] for x in (a, b)]
                print(f"    {shipped[n]:.2f} {'+' if domain.right[n] else '-'} {names[0]} > {names[1]}")


if __name__ == "__main__":
    main()
