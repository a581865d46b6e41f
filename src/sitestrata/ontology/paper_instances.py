"""Instances as the paper finds them: two pages of a group aligned, a template from what differs, extraction by it.

Paper: OntoMiner 6

From each group of a concept page two links are fetched and cut into flat segments; aligned segments with unlike content
are instance information, and the paths of their leaves characterise the group. The most frequent path set of all groups
is the template, by which every page of every group is read. Texts that the instances repeat are promoted to labels.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sitestrata.instances.align import FlatSegment, instance_segments
from sitestrata.instances.labelling import frequent_texts, label_values, promote_frequent
from sitestrata.instances.places import PagePlaces
from sitestrata.instances.template import extract, group_paths, instance_template
from sitestrata.model import Attribute, Instance, TreeNode
from sitestrata.ontology.records import Extracted, attribute_rows
from sitestrata.page import PageFacts
from sitestrata.partition.flat import flat_segments
from sitestrata.taxonomy.trees import SiteTree
from sitestrata.taxonomy.words import readable
from sitestrata.urls import url_id

__all__ = ["FlatPage", "group_links", "paper_instances", "read_flat"]

MAX_GROUPS = 12  # of a concept page
MAX_SEGMENTS = 400  # of a page; alignment is quadratic


@dataclass(frozen=True, slots=True)
class FlatPage:
    """A page as flat segments, and its leaves."""

    segments: tuple[FlatSegment, ...]
    places: PagePlaces
    nodes: tuple[TreeNode, ...]  # its label hierarchy


def read_flat(facts: PageFacts, places: PagePlaces, nodes: tuple[TreeNode, ...]) -> FlatPage:
    """Cut a page into flat segments."""
    paths = facts.leaves.path
    segments = [
        FlatSegment(tuple(paths[first:end].tolist()), tuple(places.texts[first:end]), first)
        for first, end in flat_segments(paths)
    ]
    return FlatPage(tuple(segments[:MAX_SEGMENTS]), places, nodes)


def group_links(tree: SiteTree, frame: frozenset[str]) -> list[list[str]]:
    """Return the links of each group of a concept page, by address, without those of the site's frame.

    A group is an outermost Group of the partition; links that no Group holds belong to their block.
    """
    holder: list[int] = []  # of each node: the group or block that holds it
    groups: dict[int, list[str]] = {}
    for node in tree.nodes:
        above = holder[node.parent] if node.parent >= 0 else 0
        is_outermost = node.kind == "group" and tree.nodes[above].kind != "group"
        holder.append(node.ordinal if is_outermost or node.kind == "block" else above)
        if node.url and node.kind != "root" and node.url not in frame:
            found = groups.setdefault(holder[-1], [])
            if node.url not in found:
                found.append(node.url)
    return [urls for _, urls in sorted(groups.items()) if len(urls) >= 2][:MAX_GROUPS]


def paper_instances(
    groups: Sequence[Sequence[str]], pages: Mapping[str, FlatPage], *, domain: int, concept: int | None
) -> Extracted:
    """Find, extract and label the instances behind the groups of one concept page."""
    path_sets = []
    for urls in groups:
        two = [pages[url] for url in urls if url in pages][:2]
        if len(two) == 2:
            ours, theirs = instance_segments(two[0].segments, two[1].segments)
            path_sets.append(group_paths([(two[0].segments, ours), (two[1].segments, theirs)]))
    template = instance_template(path_sets)
    if not template:
        return Extracted()
    found: list[tuple[FlatPage, list[int]]] = []
    for url in dict.fromkeys(url for urls in groups for url in urls):
        if url in pages:
            page = pages[url]
            leaves = [
                page.segments[index].first_leaf + leaf
                for index, some in extract(page.segments, template)
                for leaf in some
            ]
            if leaves:
                found.append((page, leaves))
    frequent = frequent_texts([[(0, page.places.texts[leaf]) for leaf in leaves] for page, leaves in found])
    instances: list[Instance] = []
    attributes: list[Attribute] = []
    for page, leaves in found:
        texts = page.places.texts
        is_frequent = {leaf: (0, texts[leaf]) in frequent for leaf in leaves}
        values = _values(page.nodes, leaves, is_frequent)
        if not values:
            continue
        number = url_id(f"instance {page.places.url}")
        name = readable(page.places.title or texts[values[0][1]])[:200] or "?"
        instances.append(
            Instance(
                page=page.places.url_id,
                instance=number,
                domain=domain,
                concept=concept,
                name=name,
                url=page.places.url,
                kind="detail",
                template=url_id("paths " + " ".join(str(path) for path in sorted(template))),
                node=0,
                same_as=number,
                confidence=1.0,
            )
        )
        attributes += attribute_rows(page.places, number, values)
    return Extracted(tuple(instances), tuple(attributes))


def _values(
    nodes: Sequence[TreeNode], leaves: Sequence[int], is_frequent: Mapping[int, bool]
) -> list[tuple[int | None, int, int]]:
    """Return the values among an instance's leaves with their labels (6.3): by the hierarchy, else as they follow."""
    inside = set(leaves)
    label_of = {found.value: found.label for found in label_values(nodes, is_frequent) if found.value in inside}
    for label, some in promote_frequent([leaf for leaf in leaves if leaf not in label_of], is_frequent):
        label_of |= dict.fromkeys(some, label)
    return [(label_of[leaf], leaf, leaf) for leaf in leaves if leaf in label_of and not is_frequent.get(leaf, False)]
