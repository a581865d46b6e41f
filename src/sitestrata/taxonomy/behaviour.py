"""How a pair of concepts behaves on the sites -> how likely one is broader than the other.

Nesting alone says little: menus stand under "Menu", everything under the site's name, and legal notes under whatever
comes before them. What tells is behaviour, one vote an owner: does the child lead somewhere, is the parent a thing of
its own (with a page, known to other owners), do other sites set the same children side by side, or is it a mere
container, over much of the site and with no page. No word is on a list: "About" may be a concept.

Each feature counts alike, in units of its spread among the pairs of the domain at hand. Fitted weights did worse on
domains they were not fitted on (docs/results-ontology.md).
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from sitestrata.taxonomy.lexicon import Lexicon
from sitestrata.taxonomy.merge import Group
from sitestrata.taxonomy.trees import ABOUT, SiteTree, label_above, related
from sitestrata.taxonomy.words import fold

__all__ = ["FEATURES", "Nesting", "PairKey", "chances", "nest_concepts", "pair_features", "standardised"]

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
)
SIGNS = (1, 1, 1, 1, 1, 1, 1, 1, -1)  # whether a feature speaks for the pair
# How the features are spread in a domain of the development data (bench/taxonomy.py --fit). Domains differ: headings of
# old pages are no links, in shops everything is. What counts is how a pair stands out among the pairs of its domain.
MEANS = (0.16, 0.516, 0.917, 0.462, 0.488, 0.623, 0.305, 0.85, 0.133)
SPREADS = (0.395, 0.398, 0.274, 0.202, 0.209, 0.318, 0.274, 0.166, 0.131)
SLOPE, INTERCEPT = 0.45, -1.16  # from the sum of the features to a chance, fitted alike
REPEATED = 0.5  # the least chance of a pair that two owners show; development data: 91 of 136 are right
OWN_PAGE = 0.5  # share of the owners that give such a parent a page
_OWNERS, _PARENT_PAGE = FEATURES.index("owners"), FEATURES.index("parent page")
PRIOR_PAIRS = 30  # how many pairs of the domain at hand weigh as much as the development data


@dataclass(slots=True)
class Nesting:
    """Everything seen of one pair."""

    owners: set[str] = field(default_factory=set)
    pages: list[str] = field(default_factory=list)  # that show it, each once
    distance: int = 0  # the least
    kinds: set[str] = field(default_factory=set)  # menu: both in navigation; subsite: on a page of the parent; tree
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
    return {key: found for key, found in pairs.items() if found.kinds != {"subsite"} or len(found.owners) > 1}, sites


def pair_features(
    pairs: Mapping[PairKey, Nesting], sites: "_Sites", lexicon: Lexicon, groups: Sequence[Group]
) -> tuple[list[PairKey], npt.NDArray[np.float64]]:
    """Describe each pair by FEATURES."""
    owners = len({tree.owner for tree in lexicon.trees})
    own_page = _own_pages(lexicon, groups)
    keys = sorted(pairs)
    table = np.zeros((len(keys), len(FEATURES)))
    for row, (parent, child) in enumerate(keys):
        nesting = pairs[parent, child]
        coherence = []
        for owner in sorted(nesting.owners):
            others = sites.below[owner, parent] - {child}
            alike = [
                bool((sites.beside.get((child, other), set()) | _owners(pairs, parent, other)) - {owner})
                for other in others
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
        )
    return keys, table


def _owners(pairs: Mapping[PairKey, Nesting], parent: int, child: int) -> set[str]:
    return pairs[parent, child].owners if (parent, child) in pairs else set()


def _own_pages(lexicon: Lexicon, groups: Sequence[Group]) -> list[float]:
    """Return for each concept the share of its owners that give it a page of its own."""
    homes = {tree.url for tree in lexicon.trees}
    shares = []
    for group in groups:
        paged = {owner for label in group.labels for owner, urls in lexicon.uses[label].targets.items() if urls - homes}
        shares.append(len(paged) / len(group.owners))
    return shares


def standardised(features: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return features in units of their spread in the domain, which few pairs cannot tell alone."""
    count = len(features)
    own_mean = features.mean(axis=0) if count else np.zeros(len(FEATURES))
    own_variance = features.var(axis=0) if count else np.zeros(len(FEATURES))
    mean = (count * own_mean + PRIOR_PAIRS * np.array(MEANS)) / (count + PRIOR_PAIRS)
    variance = (count * own_variance + PRIOR_PAIRS * np.square(SPREADS)) / (count + PRIOR_PAIRS)
    found: npt.NDArray[np.float64] = (features - mean) / np.sqrt(variance + 1e-6)
    return found


def chances(features: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return how likely each described pair is a relation."""
    found: npt.NDArray[np.float64] = 1 / (1 + np.exp(-(SLOPE * (standardised(features) @ np.array(SIGNS)) + INTERCEPT)))
    if len(features) >= PRIOR_PAIRS:
        return found
    # Too few pairs to tell what stands out: what two owners show is a relation, as in the paper, if the parent is a
    # thing of its own on most sites.
    is_repeated = (features[:, _OWNERS] >= 1) & (features[:, _PARENT_PAGE] >= OWN_PAGE)
    return np.where(is_repeated, np.maximum(found, REPEATED), found)
