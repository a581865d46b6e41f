"""How concepts behave on the sites -> how likely they are concepts of the domain, and which is broader than which.

Nesting alone says little: menus stand under "Menu", everything under the site's name, and legal notes under whatever
comes before them. What tells is behaviour, one vote an owner: does the child lead somewhere, is the parent a thing of
its own (with a page, known to other owners), do other sites set the same children side by side, or is it a mere
container, over much of the site and with no page. No word is on a list: "About" may be a concept.

Utility labels (to sign in, to read the small print) are told from concepts likewise: they stand late on the page, out
of the navigation, and beside nothing that other sites would set beside them.

Each feature counts alike, in units of its spread among the pairs of the domain at hand. Fitted weights did worse on
domains they were not fitted on (docs/results-ontology.md).
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from sitestrata.taxonomy.lexicon import Lexicon
from sitestrata.taxonomy.merge import Group
from sitestrata.taxonomy.trees import ABOUT, SiteTree, label_above, related
from sitestrata.taxonomy.words import fold

__all__ = [
    "CONCEPT_FEATURES",
    "FEATURES",
    "Nesting",
    "PairKey",
    "chances",
    "concept_chances",
    "concept_features",
    "nest_concepts",
    "pair_features",
    "standardised",
]

PairKey = tuple[int, int]  # (parent, child), numbers of concepts

FEATURES = (
    "owners",  # that nest them so, beyond the first
    "menu",  # both in navigation, somewhere
    "child link",
    "child support",  # share of the owners that print it
    "parent support",
    "parent page",  # share of the parent's owners that give it a page of its own
    "coherence",  # share of the parent's other children that stand beside or under the same elsewhere
    "labels",  # how sure the labels mean these concepts
    "container",  # share of the owner's concepts that stand under the parent, if it leads nowhere
    "head",  # share of the parent's owners on which something stands under it
    "child alone",  # share of the owners that do not nest them so on which the child stands under nothing
    "child head",  # concepts that stand under the child
)
SIGNS = (1, 1, 1, 1, 1, 1, 1, 1, -1, 1, -1, -1)  # whether a feature speaks for the pair
CONCEPT_FEATURES = (
    "support",  # share of the owners that print it
    "menu",  # share of its places that are in navigation
    "late",  # how far down the page it stands
    "page",  # share of its owners that give it a page of its own
    "relation",  # the best chance of a pair it is in
)
CONCEPT_SIGNS = (1, 1, -1, 1, 1)
CONCEPT_MEANS = (0.407, 0.428, 0.492, 0.821, 0.426)
CONCEPT_SPREADS = (0.182, 0.296, 0.199, 0.277, 0.359)
CONCEPT_SLOPE, CONCEPT_INTERCEPT = 0.52, 0.5
# How the features are spread in a domain of the development data (bench/taxonomy.py --fit). Domains differ: headings of
# old pages are no links, in shops everything is. What counts is how a pair stands out among the pairs of its domain.
MEANS = (0.166, 0.541, 0.919, 0.487, 0.499, 0.652, 0.349, 0.848, 0.15, 0.553, 0.488, 2.205)
SPREADS = (0.398, 0.417, 0.267, 0.207, 0.206, 0.31, 0.312, 0.166, 0.145, 0.205, 0.356, 5.069)
SLOPE, INTERCEPT = 0.5, -0.73  # from the sum of the features to a chance, fitted alike
REPEATED = 0.5  # the least chance of a pair that two owners show; development data: 91 of 136 are right
OWN_PAGE = 0.5  # share of the owners that give such a parent a page
_OWNERS, _PARENT_PAGE = FEATURES.index("owners"), FEATURES.index("parent page")
ALONE = 0.5  # whether a child stands alone elsewhere, if nobody else prints it
PRIOR_PAIRS = 30  # how many pairs of the domain at hand weigh as much as the development data


@dataclass(slots=True)
class Nesting:
    """Everything seen of one pair."""

    owners: set[str] = field(default_factory=set)
    pages: list[str] = field(default_factory=list)  # that show it, each once
    distance: int = 0  # the least
    # menu: both in navigation; subsite: on a page of the parent; contents: page under page; tree: all else
    kinds: set[str] = field(default_factory=set)
    is_link: bool = False  # the child leads somewhere
    has_page: bool = False  # the parent does, to a page that is no home page
    sure: float = 0.0  # that the labels mean these concepts


@dataclass(slots=True)
class _Sites:
    """What is known about concepts on each owner's pages."""

    concepts: dict[str, set[int]] = field(default_factory=lambda: defaultdict(set))  # owner -> printed there
    below: dict[tuple[str, int], set[int]] = field(default_factory=lambda: defaultdict(set))  # owner, parent
    beside: dict[PairKey, set[str]] = field(default_factory=lambda: defaultdict(set))


def nest_concepts(trees: Sequence[SiteTree], groups: Sequence[Group]) -> tuple[dict[PairKey, Nesting], "_Sites"]:
    """Gather which concepts stand under which, on which owner's pages."""
    concepts_of: dict[str, list[int]] = defaultdict(list)
    sure: dict[tuple[int, str], float] = {}
    for number, group in enumerate(groups):
        for member in group.members:
            concepts_of[member.label].append(number)
            sure[number, member.label] = member.confidence
    homes = {tree.url for tree in trees}
    pairs: dict[PairKey, Nesting] = defaultdict(Nesting)
    sites = _Sites()
    for tree in trees:
        if tree.is_contents:
            continue
        names = [fold(node.label) for node in tree.nodes]
        concepts = [concepts_of.get(name, ()) for name in names]
        children: dict[int, list[int]] = defaultdict(list)
        for ordinal, above in enumerate(label_above(tree)):
            if names[ordinal] and above >= 0:
                children[above].append(ordinal)
        for found in concepts:
            sites.concepts[tree.owner].update(found)
        for members in children.values():
            there = sorted({number for member in members for number in concepts[member]})
            for one in there:
                for two in there:
                    if one != two:
                        sites.beside[one, two].add(tree.owner)
        for above, below, distance in related(tree):
            if not concepts[above] or not concepts[below]:
                continue
            parent, child = tree.nodes[above], tree.nodes[below]
            if parent.url is not None and parent.url == child.url:
                continue  # the parent's own page, under another name
            has_page = parent.url is not None and parent.url not in homes
            is_menu = parent.role == child.role == "navigation"
            kind = "menu" if is_menu else "subsite" if tree.is_about and above == ABOUT else "tree"
            for one in concepts[above]:
                for two in concepts[below]:
                    if one == two:
                        continue
                    nesting = pairs[one, two]
                    nesting.owners.add(tree.owner)
                    if tree.url not in nesting.pages:
                        nesting.pages.append(tree.url)
                    nesting.distance = min(nesting.distance or distance, distance)
                    nesting.kinds.add(kind)
                    nesting.is_link |= child.url is not None
                    nesting.has_page |= has_page
                    nesting.sure = max(nesting.sure, min(sure[one, names[above]], sure[two, names[below]]))
                    sites.below[tree.owner, one].add(two)
    kept = {key: found for key, found in pairs.items() if found.kinds != {"subsite"} or len(found.owners) > 1}
    for tree in trees:
        if tree.is_contents:
            _add_contents(kept, tree, concepts_of)
    return kept, sites


def _add_contents(pairs: Mapping[PairKey, Nesting], tree: SiteTree, concepts_of: Mapping[str, Sequence[int]]) -> None:
    """Add the vote of a site whose pages stand under each other as labels do elsewhere.

    It makes no pairs of its own: a page must stand somewhere, and often stands under what merely links to it.
    """
    concepts = [concepts_of.get(fold(node.label), ()) for node in tree.nodes]
    for above, below, _ in related(tree):
        for one in concepts[above]:
            for two in concepts[below]:
                if (one, two) in pairs:
                    pairs[one, two].owners.add(tree.owner)
                    pairs[one, two].kinds.add("contents")


def pair_features(
    pairs: Mapping[PairKey, Nesting], sites: "_Sites", lexicon: Lexicon, groups: Sequence[Group]
) -> tuple[list[PairKey], npt.NDArray[np.float64]]:
    """Describe each pair by FEATURES."""
    owners = len({tree.owner for tree in lexicon.trees})
    _, _, _, own_page = _concept_columns(lexicon, groups)
    printed: dict[int, set[str]] = defaultdict(set)  # concept -> owners
    for owner, found in sites.concepts.items():
        for number in found:
            printed[number].add(owner)
    over: dict[int, set[str]] = defaultdict(set)  # concept -> owners on which it stands over another
    under: dict[int, set[str]] = defaultdict(set)
    children: Counter[int] = Counter()
    for (parent, child), nesting in pairs.items():
        over[parent] |= nesting.owners
        under[child] |= nesting.owners
        children[parent] += 1
    keys = sorted(pairs)
    table = np.zeros((len(keys), len(FEATURES)))
    for row, (parent, child) in enumerate(keys):
        nesting = pairs[parent, child]
        coherence = []
        for owner in sorted(nesting.owners):
            alike = [
                bool((sites.beside.get((child, other), set()) | _owners(pairs, parent, other)) - {owner})
                for other in sites.below[owner, parent] - {child}
            ]
            coherence += [sum(alike) / len(alike)] if alike else []
        cover = max(len(sites.below[owner, parent]) / len(sites.concepts[owner]) for owner in nesting.owners)
        table[row] = (
            len(nesting.owners) - 1,
            "menu" in nesting.kinds,
            nesting.is_link,
            len(groups[child].owners) / owners,
            len(groups[parent].owners) / owners,
            own_page[parent],
            sum(coherence) / len(coherence) if coherence else 0.0,
            nesting.sure,
            0.0 if nesting.has_page else cover,
            len(over[parent]) / len(printed[parent]),
            len(others - under[child]) / len(others) if (others := printed[child] - nesting.owners) else ALONE,
            children[child],
        )
    return keys, table


def _owners(pairs: Mapping[PairKey, Nesting], parent: int, child: int) -> set[str]:
    return pairs[parent, child].owners if (parent, child) in pairs else set()


def concept_features(
    lexicon: Lexicon, groups: Sequence[Group], chance: Mapping[PairKey, float]
) -> npt.NDArray[np.float64]:
    """Describe each concept by CONCEPT_FEATURES."""
    best = [0.0] * len(groups)
    for pair, share in chance.items():
        for number in pair:
            best[number] = max(best[number], share)
    return np.array([*_concept_columns(lexicon, groups), best]).T.reshape(len(groups), len(CONCEPT_FEATURES))


def _concept_columns(
    lexicon: Lexicon, groups: Sequence[Group]
) -> tuple[list[float], list[float], list[float], list[float]]:
    """Return for each concept: support, places in navigation, how late it stands, owners that give it a page."""
    owners = len({tree.owner for tree in lexicon.trees})
    homes = {tree.url for tree in lexicon.trees}
    support, menu, late, paged = [], [], [], []
    for group in groups:
        uses = [lexicon.uses[label] for label in group.labels]
        places = [(lexicon.trees[tree], ordinal) for use in uses for tree, ordinal in use.places]
        with_page = {owner for use in uses for owner, urls in use.targets.items() if urls - homes}
        support.append(len(group.owners) / owners)
        menu.append(sum(tree.nodes[ordinal].role == "navigation" for tree, ordinal in places) / len(places))
        late.append(sum(ordinal / len(tree.nodes) for tree, ordinal in places) / len(places))
        paged.append(len(with_page) / len(group.owners))
    return support, menu, late, paged


def concept_chances(features: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return how likely each described group of labels is a concept of the domain rather than a utility."""
    units = standardised(features, CONCEPT_MEANS, CONCEPT_SPREADS)
    return _logistic(CONCEPT_SLOPE * (units @ np.array(CONCEPT_SIGNS)) + CONCEPT_INTERCEPT)


def standardised(
    features: npt.NDArray[np.float64], means: Sequence[float] = MEANS, spreads: Sequence[float] = SPREADS
) -> npt.NDArray[np.float64]:
    """Return features in units of their spread in the domain, which few rows cannot tell alone."""
    count = len(features)
    own_mean = features.mean(axis=0) if count else np.zeros(len(means))
    own_variance = features.var(axis=0) if count else np.zeros(len(means))
    mean = (count * own_mean + PRIOR_PAIRS * np.array(means)) / (count + PRIOR_PAIRS)
    variance = (count * own_variance + PRIOR_PAIRS * np.square(spreads)) / (count + PRIOR_PAIRS)
    found: npt.NDArray[np.float64] = (features - mean) / np.sqrt(variance + 1e-6)
    return found


def _logistic(odds: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    found: npt.NDArray[np.float64] = 1 / (1 + np.exp(-odds))
    return found


def chances(features: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return how likely each described pair is a relation."""
    found = _logistic(SLOPE * (standardised(features) @ np.array(SIGNS)) + INTERCEPT)
    if len(features) >= PRIOR_PAIRS:
        return found
    # Too few pairs to tell what stands out: what two owners show is a relation, as in the paper, if the parent is a
    # thing of its own on most sites.
    is_repeated = (features[:, _OWNERS] >= 1) & (features[:, _PARENT_PAGE] >= OWN_PAGE)
    return np.where(is_repeated, np.maximum(found, REPEATED), found)
