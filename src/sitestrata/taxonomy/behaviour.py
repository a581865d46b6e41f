"""How a pair of concepts behaves on the sites -> how likely one is broader than the other.

Nesting alone says little: menus stand under "Menu", everything under the site's name, and legal notes under whatever
comes before them. What tells is behaviour, one vote an owner: does the child lead somewhere, is the parent a thing of
its own (one page a site, not the home page, not the site's name), do other sites set the same children side by side,
how much of the site stands under it, is it in a footer. No word is on a list: "About" may be a concept.
"""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import urlsplit

import numpy as np
import numpy.typing as npt

from sitestrata.model import TreeNode
from sitestrata.taxonomy.lexicon import Lexicon
from sitestrata.taxonomy.merge import Group
from sitestrata.taxonomy.trees import SiteTree, label_above, related
from sitestrata.taxonomy.words import fold

__all__ = ["FEATURES", "Nesting", "PairKey", "chances", "nest_concepts", "pair_features", "standardised"]

PairKey = tuple[int, int]  # (parent, child), numbers of concepts
MIN_SHARED = 4  # letters of a URL part that can be a word

FEATURES = (
    "owners",  # that nest them so, beyond the first
    "direct",  # with no label between
    "menu",  # both in navigation, somewhere
    "child link",
    "parent link",  # to a page of its own
    "address",  # a part of the child's address repeats the parent's address or label
    "parent support",  # share of the owners that print it
    "child support",
    "parent page",  # share of the parent's owners that give it a page of its own
    "cover",  # share of the owner's concepts that stand under the parent
    "coherence",  # share of the parent's other children that stand beside or under the same elsewhere
    "replication",  # share of the parent's children that a second owner nests so
    "footer",
    "density",  # share of the parent's children that are concepts
    "labels",  # how sure the labels mean these concepts
    "own name",  # share of the parent's owners that are called so
    "targets",  # different pages a site that the parent's label leads to, logarithm
)
# How the features are spread in a domain of the development data, and logistic weights over the features in units of
# their spread in the domain at hand (bench/taxonomy.py --fit). Domains differ: headings of old pages are no links, in
# shops everything is. What counts is how a pair stands out among the pairs of its domain.
MEANS = (
    *(0.153, 0.86, 0.441, 0.925, 0.288, 0.331, 0.507, 0.499, 0.645),
    *(0.231, 0.335, 0.135, 0.044, 0.611, 0.799, 0.11, 0.347),
)
SPREADS = (
    *(0.398, 0.332, 0.47, 0.261, 0.278, 0.399, 0.201, 0.208, 0.29),
    *(0.163, 0.297, 0.18, 0.174, 0.272, 0.178, 0.17, 0.351),
)
WEIGHTS = (
    *(0.24, -0.07, 0.17, 0.34, 0.27, 0.08, 0.22, 0.17, 0.45),
    *(0.15, 0.36, 0.15, -0.22, 0.28, 0.24, -0.31, 0.0),
)
INTERCEPT = -1.3
REPEATED = 0.5  # the least chance of a pair that two owners show; development data: 91 of 136 are right
OWN_PAGE = 0.5  # share of the owners that give such a parent a page
_OWNERS, _PARENT_PAGE = 0, 8  # of FEATURES
PRIOR_PAIRS = 30  # how many pairs of the domain at hand weigh as much as the development data


@dataclass(slots=True)
class Nesting:
    """Everything seen of one pair."""

    owners: set[str] = field(default_factory=set)
    pages: list[str] = field(default_factory=list)  # that show it, each once
    distance: int = 0  # the least
    seen: list[tuple[str, bool, bool, bool, bool, bool, float, float]] = field(default_factory=list)


@dataclass(slots=True)
class _Sites:
    """What is known about concepts on each owner's pages."""

    concepts: dict[str, set[int]] = field(default_factory=lambda: defaultdict(set))  # owner -> printed there
    below: dict[tuple[str, int], set[int]] = field(default_factory=lambda: defaultdict(set))  # owner, parent
    beside: dict[PairKey, set[str]] = field(default_factory=lambda: defaultdict(set))


def nest_concepts(
    trees: Sequence[SiteTree], lexicon: Lexicon, groups: Sequence[Group]
) -> tuple[dict[PairKey, Nesting], "_Sites"]:
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
            density = sum(bool(concepts[member]) for member in children[above]) / len(children[above])
            has_page = parent.url is not None and parent.url not in homes
            shared = _shares_address(lexicon, parent, child, names[above])
            for one in concepts[above]:
                for two in concepts[below]:
                    if one == two:
                        continue
                    nesting = pairs[one, two]
                    nesting.owners.add(tree.owner)
                    if tree.url not in nesting.pages:
                        nesting.pages.append(tree.url)
                    nesting.distance = min(nesting.distance or distance, distance)
                    nesting.seen.append(
                        (
                            tree.owner,
                            parent.role == child.role == "navigation",
                            child.url is not None,
                            has_page,
                            shared,
                            "footer" in (parent.role, child.role),
                            density,
                            min(sure[one, names[above]], sure[two, names[below]]),
                        )
                    )
                    sites.below[tree.owner, one].add(two)
    return dict(pairs), sites


def _shares_address(lexicon: Lexicon, parent: TreeNode, child: TreeNode, label: str) -> bool:
    if child.url is None:
        return False
    ours = {part for part in _parts(parent.url) if len(part) >= MIN_SHARED}
    if label in lexicon.uses:
        ours |= {stem for stem in lexicon.stems(label) if len(stem) >= MIN_SHARED}
    return any(part.startswith(word) for part in _parts(child.url)[:-1] for word in ours)


def _parts(url: str | None) -> list[str]:
    return [part for part in re.split(r"[/._-]+", urlsplit(url or "").path.lower()) if part]


def pair_features(
    pairs: Mapping[PairKey, Nesting], sites: "_Sites", lexicon: Lexicon, groups: Sequence[Group]
) -> tuple[list[PairKey], npt.NDArray[np.float64]]:
    """Describe each pair by FEATURES."""
    owners = len({tree.owner for tree in lexicon.trees})
    own_page, own_name, targets = _concept_behaviour(lexicon, groups)
    keys = sorted(pairs)
    table = np.zeros((len(keys), len(FEATURES)))
    for row, (parent, child) in enumerate(keys):
        nesting = pairs[parent, child]
        below = {other for owner in nesting.owners for other in sites.below[owner, parent]}
        replicated = [len(pairs[parent, other].owners) > 1 for other in below]
        coherence = []
        for owner in sorted(nesting.owners):
            others = sites.below[owner, parent] - {child}
            alike = [
                bool((sites.beside.get((child, other), set()) | pairs[parent, other].owners) - {owner})
                for other in others
            ]
            coherence += [sum(alike) / len(alike)] if alike else []
        _, menu, linked, has_page, shared, footer, density, labels = zip(*nesting.seen, strict=True)
        table[row] = (
            len(nesting.owners) - 1,
            nesting.distance == 1,
            any(menu),
            any(linked),
            any(has_page),
            any(shared),
            len(groups[parent].owners) / owners,
            len(groups[child].owners) / owners,
            own_page[parent],
            max(len(sites.below[owner, parent]) / len(sites.concepts[owner]) for owner in nesting.owners),
            sum(coherence) / len(coherence) if coherence else 0.0,
            sum(replicated) / len(replicated),
            all(footer),
            max(density),
            max(labels),
            own_name[parent],
            np.log(targets[parent]),
        )
    return keys, table


def _concept_behaviour(lexicon: Lexicon, groups: Sequence[Group]) -> tuple[list[float], list[float], list[float]]:
    """Return for each concept: owners that give it a page, owners that are named so, and its targets a site."""
    homes = {tree.url for tree in lexicon.trees}
    own_page, own_name, targets = [], [], []
    for group in groups:
        paged, named = set(), set()
        leading: dict[str, set[str]] = defaultdict(set)
        for label in group.labels:
            use = lexicon.uses[label]
            for owner in use.owners:
                pages = use.targets.get(owner, set())
                leading[owner] |= pages
                if pages - homes:
                    paged.add(owner)
                is_home = bool(pages) and pages <= homes
                if is_home or set(lexicon.stems(label)) <= lexicon.own_words.get(owner, frozenset()):
                    named.add(owner)
        own_page.append(len(paged) / len(group.owners))
        own_name.append(len(named) / len(group.owners))
        targets.append(max(1.0, sum(map(len, leading.values())) / len(leading)))
    return own_page, own_name, targets


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
    found: npt.NDArray[np.float64] = 1 / (1 + np.exp(-(standardised(features) @ np.array(WEIGHTS) + INTERCEPT)))
    if len(features) >= PRIOR_PAIRS:
        return found
    # Too few pairs to tell what stands out: what two owners show is a relation, as in the paper, if the parent is a
    # thing of its own on most sites.
    is_repeated = (features[:, _OWNERS] >= 1) & (features[:, _PARENT_PAGE] >= OWN_PAGE)
    return np.where(is_repeated, np.maximum(found, REPEATED), found)
