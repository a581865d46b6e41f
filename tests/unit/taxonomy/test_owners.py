"""Owners of sites: who has one vote."""

import random

from sitestrata.model import TreeNode
from sitestrata.taxonomy import owners
from sitestrata.taxonomy.owners import assign_owners
from sitestrata.taxonomy.trees import SiteTree


def tree(site: int, url: str, labels: list[str]) -> SiteTree:
    nodes = [TreeNode(site, 0, -1, "root", "other", "", None, 0, 0, len(labels))]
    for n, label in enumerate(labels, 1):
        nodes.append(TreeNode(site, n, 0, "leaf", "other", label, f"{url}{n}", n, n - 1, n))
    return SiteTree(site, "", url, None, tuple(nodes))


def test_owners_are_those_that_comparing_all_sites_finds() -> None:
    """The index of rare labels leaves out no pair that is alike enough."""
    choice = random.Random(7)
    words = [f"{a}{b}" for a in "bcdfghjklm" for b in ("ar", "el", "in", "or", "us")]
    trees = []
    for site in range(60):
        base = words[:24] if site % 3 else words[10:36]
        labels = [label for label in base if choice.random() < 0.85] + choice.sample(words, choice.randrange(6))
        host = choice.choice(["one.com", "one.net", "two.org", f"site{site}.com"])
        trees.append(tree(site, f"http://w{site}.{host}/", list(dict.fromkeys(labels))))

    found = assign_owners(trees)

    assert owners_by_comparing_all(trees) == {tree.site: int(tree.owner.split(" ")[1]) for tree in found}
    assert 5 < len({tree.owner for tree in found}) < 55


def owners_by_comparing_all(trees: list[SiteTree]) -> dict[int, int]:
    labels = {tree.site: frozenset(node.label for node in tree.nodes[1:]) for tree in trees}
    names = {tree.site: owners._name(tree.url.split("/")[2]) for tree in trees}
    order = [tree.site for tree in sorted(trees, key=lambda tree: (tree.url.split("/")[2], tree.site))]
    owner: dict[int, int] = {}
    for site in order:
        first = (other for other in order if owner.get(other) == other and owners._is_one(names, labels, site, other))
        owner[site] = next(first, site)
    return owner
