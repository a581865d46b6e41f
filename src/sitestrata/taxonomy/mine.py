"""Label trees of overlapping sites -> the taxonomy of their domain, by what works or by the paper.

Paper: OntoMiner 5
"""

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from sitestrata.model import Concept, ConceptLabel, IsA
from sitestrata.taxonomy.abridge import abridge
from sitestrata.taxonomy.behaviour import (
    Nesting,
    PairKey,
    chances,
    concept_chances,
    concept_features,
    nest_concepts,
    pair_features,
)
from sitestrata.taxonomy.concepts import labels_to_concepts
from sitestrata.taxonomy.encoder import Encoder
from sitestrata.taxonomy.isa import Relation, choose_relations, related_concepts, tax_miner
from sitestrata.taxonomy.joints import joint_labels
from sitestrata.taxonomy.labels import Candidate, find_candidates
from sitestrata.taxonomy.lexicon import LabelUse, Lexicon, build_lexicon
from sitestrata.taxonomy.merge import Group, Member, merge_labels
from sitestrata.taxonomy.seed import Seed, SeedConcept, seed_apart, seed_label_owners, seed_synonyms
from sitestrata.taxonomy.synonyms import Synonym, find_synonyms, near_labels
from sitestrata.taxonomy.trees import SiteTree
from sitestrata.taxonomy.wordnet import WordNet
from sitestrata.urls import url_id

__all__ = [
    "Taxonomy",
    "TaxonomyHints",
    "concept_id",
    "domain_id",
    "group_labels",
    "mine_taxonomy",
    "paper_taxonomy",
    "without_utilities",
]

SUPPORT = 2  # owners
LEAST_MERGE = 0.5  # confidence of a synonym pair
LEAST_RELATION = 0.5  # chance of an is-a pair: more likely than not
LEAST_CONCEPT = 0.45  # chance of a concept; less, and it is a utility, which stands over and under nothing
MAX_PAGES = 5  # addresses kept as evidence
MAX_URLS = 20  # pages of a concept


@dataclass(frozen=True, slots=True)
class TaxonomyHints:
    """What else is known about labels."""

    wordnet: WordNet | None = None
    encoder: Encoder | None = None  # a sentence model
    synonyms: Sequence[Synonym] = ()  # of a file, or of a vocabulary to be extended
    page_names: Mapping[str, Sequence[str]] = field(default_factory=dict)  # address -> what the page calls itself
    page_words: Mapping[str, frozenset[str]] = field(default_factory=dict)  # address -> stems of the page's own labels
    language: str | None = None  # of pages that declare none
    seed: Seed = field(default_factory=Seed)  # a vocabulary to be extended


@dataclass(frozen=True, slots=True)
class Taxonomy:
    """Concepts, their labels and how they nest."""

    domain: int
    concepts: tuple[Concept, ...]
    labels: tuple[ConceptLabel, ...]
    is_a: tuple[IsA, ...]
    known: Mapping[int, SeedConcept] = field(default_factory=dict)  # concepts that a vocabulary named before


def domain_id(sites: Sequence[int]) -> int:
    """Return the id of a domain: a hash of its sites."""
    return url_id("domain " + " ".join(str(site) for site in sorted(set(sites))))


def concept_id(domain: int, labels: Sequence[str]) -> int:
    """Return the id of a concept: a hash of its domain and labels."""
    return url_id(f"concept {domain} " + "\n".join(sorted(labels)))


def mine_taxonomy(
    trees: Sequence[SiteTree],
    *,
    support: int = SUPPORT,
    hints: TaxonomyHints | None = None,
    further: Sequence[SiteTree] = (),
    least: float = LEAST_RELATION,
) -> Taxonomy:
    """Mine the taxonomy of a domain by the behaviour of labels and pairs.

    ``further`` are trees whose labels make no concepts, but show how concepts nest.
    """
    hints = hints or TaxonomyHints()
    trees = sorted(trees, key=lambda tree: (tree.owner, tree.url))
    lexicon = build_lexicon(trees, language=hints.language)
    groups = group_labels(lexicon, hints, support=support)
    pairs, sites = nest_concepts([*trees, *sorted(further, key=lambda tree: (tree.owner, tree.url))], groups)
    keys, features = pair_features(pairs, sites, lexicon, groups)
    chance = dict(zip(keys, chances(features).tolist(), strict=True))
    domain = domain_id([tree.site for tree in trees])
    ids = [concept_id(domain, group.labels) for group in groups]
    known = _Known(hints.seed, domain, groups, ids)
    sure = concept_chances(concept_features(lexicon, groups, chance)).tolist()
    chance = {key: share for key, share in chance.items() if min(sure[number] for number in key) >= LEAST_CONCEPT}
    relations = _relations(domain, known, chance, pairs, least)
    concepts = [_concept(ids[number], domain, lexicon, group, sure[number]) for number, group in enumerate(groups)]
    labels = [row for number, group in enumerate(groups) for row in _labels(ids[number], lexicon, group)]
    concepts = known.named(concepts, lexicon.language)
    return Taxonomy(domain, tuple(concepts), known.labelled(labels), tuple(relations), known.entries)


def without_utilities(taxonomy: Taxonomy, listed: Collection[int] = ()) -> Taxonomy:
    """Leave out what is hardly a concept of the domain, unless sites list instances of it or a vocabulary names it.

    Utilities are in no relation. What sites list records of (``listed``) is none, however late on the page it stands.
    """
    kept = {
        concept.concept
        for concept in taxonomy.concepts
        if concept.confidence >= LEAST_CONCEPT or concept.concept in listed or concept.concept in taxonomy.known
    }
    return replace(
        taxonomy,
        concepts=tuple(concept for concept in taxonomy.concepts if concept.concept in kept),
        labels=tuple(label for label in taxonomy.labels if label.concept in kept),
    )


class _Known:
    """The concepts of a vocabulary among those found: which are the same, and which are only there."""

    def __init__(self, seed: Seed, domain: int, groups: Sequence[Group], ids: Sequence[int]) -> None:
        owner = seed_label_owners(seed)
        self.seed, self.domain, self.ids = seed, domain, list(ids)
        self.number: dict[str, int] = {}  # IRI -> place in ids
        for number, group in enumerate(groups):
            iri = next((owner[label] for label in group.labels if label in owner), None)
            if iri is not None:
                self.number.setdefault(iri, number)
        for concept in seed.concepts:
            if concept.iri not in self.number:
                self.number[concept.iri] = len(self.ids)
                self.ids.append(concept_id(domain, [concept.iri]))
        self.entries = {self.ids[self.number[concept.iri]]: concept for concept in seed.concepts}
        self.broader = [
            (self.number[parent], self.number[child])
            for parent, child in seed.broader
            if parent in self.number and child in self.number
        ]

    def named(self, found: Sequence[Concept], language: str | None) -> list[Concept]:
        """Return the found concepts, called as the vocabulary calls them, and the others of the vocabulary."""
        concepts = list(found)
        for entry in self.seed.concepts:
            number = self.number[entry.iri]
            label, tongue = entry.name(language)
            if number < len(found):
                concepts[number] = replace(concepts[number], label=label, language=tongue)
            else:
                concepts.append(
                    Concept(
                        self.ids[number], self.domain, label, language, 0, (), (), is_frequent=False, confidence=1.0
                    )
                )
        return concepts

    def labelled(self, found: Sequence[ConceptLabel]) -> tuple[ConceptLabel, ...]:
        """Return the labels of the vocabulary's concepts, and those found for them and for others."""
        given = {
            (self.ids[self.number[entry.iri]], label): ConceptLabel(
                self.ids[self.number[entry.iri]], label, language, 0, "seed", None, 1.0
            )
            for entry in self.seed.concepts
            for label, language in entry.labels
        }
        printed = {(row.concept, row.label) for row in found}
        return (*found, *(row for key, row in given.items() if key not in printed))


def group_labels(lexicon: Lexicon, hints: TaxonomyHints, *, support: int) -> list[Group]:
    """Return the concepts that enough owners print."""
    printed = near_labels(lexicon)
    given = [pair for pair in hints.synonyms if pair.first in lexicon.uses and pair.second in lexicon.uses]
    owner = seed_label_owners(hints.seed)
    given += seed_synonyms(owner, list(lexicon.uses))
    near = printed | seed_apart(owner, list(lexicon.uses))
    found = find_synonyms(
        lexicon,
        wordnet=hints.wordnet,
        encoder=hints.encoder,
        page_names=hints.page_names,
        page_words=hints.page_words,
        near=printed,
    )
    joint = joint_labels(lexicon, lexicon.uses, near=printed)
    joint = {label: parts for label, parts in joint.items() if label not in owner}
    groups = merge_labels(lexicon, [*given, *found], near=near, joint=joint, least=LEAST_MERGE)
    return [group for group in groups if len(group.owners) >= support or any(label in owner for label in group.labels)]


def _relations(
    domain: int, known: _Known, chance: Mapping[PairKey, float], pairs: Mapping[PairKey, Nesting], least: float
) -> list[IsA]:
    kept = choose_relations(chance, least=least, given=known.broader)
    ids, given, nowhere = known.ids, set(known.broader), Nesting(distance=1)
    return [
        IsA(
            parent=ids[parent],
            child=ids[child],
            domain=domain,
            support=len(nesting.owners),
            confidence=1.0 if (parent, child) in given else round(chance[parent, child], 3),
            distance=nesting.distance,
            is_facet=(child, parent) in kept,
            evidence=_evidence(nesting, is_given=(parent, child) in given),
            pages=tuple(sorted(nesting.pages)[:MAX_PAGES]),
        )
        for parent, child in sorted(kept, key=lambda key: (ids[key[0]], ids[key[1]]))
        for nesting in [pairs.get((parent, child), nowhere)]
    ]


def _evidence(nesting: Nesting, *, is_given: bool) -> tuple[str, ...]:
    return (*(("seed",) if is_given else ()), *sorted(nesting.kinds))


def _concept(number: int, domain: int, lexicon: Lexicon, group: Group, confidence: float) -> Concept:
    first = lexicon.uses[group.labels[0]]
    return Concept(
        concept=number,
        domain=domain,
        label=first.form,
        language=first.language,
        support=len(group.owners),
        sites=tuple(
            sorted({lexicon.trees[tree].site for label in group.labels for tree, _ in lexicon.uses[label].places})
        ),
        urls=_urls([lexicon.uses[label] for label in group.labels], lexicon),
        is_frequent=True,
        confidence=round(confidence, 3),
    )


def _urls(uses: Sequence[LabelUse], lexicon: Lexicon) -> tuple[str, ...]:
    homes = {tree.url for tree in lexicon.trees}
    count = Counter(
        url for use in uses for tree, ordinal in use.places if (url := lexicon.trees[tree].nodes[ordinal].url)
    )
    pages = [url for url in count if url not in homes]
    return tuple(sorted(pages, key=lambda url: (-count[url], url))[:MAX_URLS])


def _labels(number: int, lexicon: Lexicon, group: Group) -> list[ConceptLabel]:
    def shown(member: Member) -> str:
        return lexicon.uses[member.label].form

    rows: dict[str, ConceptLabel] = {}
    for member in group.members:
        use = lexicon.uses[member.label]
        other = None if member.merged_with is None else lexicon.uses[member.merged_with].form
        rows.setdefault(
            shown(member),
            ConceptLabel(
                number, shown(member), use.language, len(use.owners), member.evidence, other, member.confidence
            ),
        )
    return list(rows.values())


def paper_taxonomy(
    trees: Sequence[SiteTree],
    *,
    support: int = SUPPORT,
    is_inside: Callable[[int, str], bool],
    brings: Callable[[str], bool | None],
) -> Taxonomy:
    """Mine the taxonomy of a domain as the paper does."""
    candidates = abridge(find_candidates(trees, support), is_inside=is_inside, brings=brings)
    groups = labels_to_concepts(candidates)
    concept_of = {label: number for number, labels in enumerate(groups) for label in labels}
    relations = tax_miner(related_concepts(trees, concept_of), support)
    pages = {tree.url: related_concepts([tree], concept_of) for tree in sorted(trees, key=lambda tree: tree.url)}
    domain = domain_id([tree.site for tree in trees])
    ids = [concept_id(domain, labels) for labels in groups]
    return Taxonomy(
        domain,
        tuple(_paper_concept(ids[n], domain, [candidates[x] for x in labels]) for n, labels in enumerate(groups)),
        tuple(
            ConceptLabel(
                ids[n],
                candidates[label].shown,
                candidates[label].language,
                len(candidates[label].owners),
                "first" if label == labels[0] else "stem",
                None if label == labels[0] else candidates[labels[0]].shown,
                1.0,
            )
            for n, labels in enumerate(groups)
            for label in labels
        ),
        tuple(
            _paper_relation(
                relation,
                domain,
                ids,
                [
                    url
                    for url, bags in pages.items()
                    if any((relation.parent, relation.child) in b for b in bags.values())
                ],
            )
            for relation in relations
        ),
    )


def _paper_concept(number: int, domain: int, members: Sequence[Candidate]) -> Concept:
    first = min(members, key=lambda member: (-len(member.owners), member.label))
    places = [place for member in members for place in member.occurrences]
    urls = Counter(place.url for place in places if place.url)
    return Concept(
        concept=number,
        domain=domain,
        label=first.shown,
        language=first.language,
        support=len({place.owner for place in places}),
        sites=tuple(sorted({place.site for place in places})),
        urls=tuple(sorted(urls, key=lambda url: (-urls[url], url))[:MAX_URLS]),
        is_frequent=any(member.is_frequent for member in members),
        confidence=1.0,
    )


def _paper_relation(relation: Relation, domain: int, ids: Sequence[int], pages: Sequence[str]) -> IsA:
    return IsA(
        parent=ids[relation.parent],
        child=ids[relation.child],
        domain=domain,
        support=relation.support,
        confidence=1.0,
        distance=relation.level,
        is_facet=False,
        evidence=("tree",),
        pages=tuple(pages[:MAX_PAGES]),
    )
