"""Instance segments of several groups -> the instance template, and what it extracts from a page.

The root-to-leaf paths of the leaves in the instance segments characterise the instances of a group. The path set whose
paths occur most often among all groups of the concept page is the *instance template*; every leaf on one of its paths,
on every page that a group links to, is instance information.

Paper: OntoMiner 6.2
"""

from collections import Counter
from collections.abc import Iterable, Sequence

from sitestrata.instances.align import FlatSegment

__all__ = ["extract", "group_paths", "instance_template"]


def group_paths(pages: Iterable[tuple[Sequence[FlatSegment], Sequence[int]]]) -> frozenset[int]:
    """Return the paths of the leaves in the given segments of some pages."""
    return frozenset(path for segments, chosen in pages for index in chosen for path in segments[index].paths)


def instance_template(groups: Sequence[frozenset[int]]) -> frozenset[int]:
    """Return the path set with the most frequently occurring paths; ties go to the smaller set, then to the first.

    How often a path set's paths occur is their mean over the groups: a large set is not better for being large.
    """
    occurs = Counter(path for paths in groups for path in paths)
    candidates = [(paths, index) for index, paths in enumerate(groups) if paths]
    if not candidates:
        return frozenset()
    best = min(candidates, key=lambda item: (-sum(occurs[p] for p in item[0]) / len(item[0]), len(item[0]), item[1]))
    return best[0]


def extract(segments: Sequence[FlatSegment], template: frozenset[int]) -> list[tuple[int, list[int]]]:
    """Return the segments of a page that hold leaves on the template's paths, with these leaves (counted in each)."""
    found = []
    for index, segment in enumerate(segments):
        leaves = [leaf for leaf, path in enumerate(segment.paths) if path in template]
        if leaves:
            found.append((index, leaves))
    return found
