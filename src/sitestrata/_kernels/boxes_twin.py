"""Python twin of the ``boxes`` kernel: describes every element that holds leaves, as a block a page may have."""

from collections import Counter
from math import log

import numpy as np
import numpy.typing as npt

__all__ = ["BOX", "FEATURES", "INLINE", "describe_boxes"]

Ints = npt.NDArray[np.int32]

INLINE, BOX = 1, 2  # bits of the kind of a tag
FEATURES = 9
LEAST = 2  # leaves; a single one is a block of its own only between two others
MAX_DEPTH = 2.0
LONG = 40.0  # bytes of a text
HEADING_WITHIN = 2  # leaves


def describe_boxes(
    end: Ints,
    tag: Ints,
    path: npt.NDArray[np.int64],
    lengths: Ints,
    leaf_node: Ints,
    leaf_link: Ints,
    leaf_heading: Ints,
    kinds: npt.NDArray[np.uint8],
) -> tuple[Ints, npt.NDArray[np.float64]]:
    """Return for each element its first leaf, the one behind its last, its node; and its features.

    Elements that only wrap another are described together with it; a parent comes before its children, and these come
    last to first. ``lengths`` are those of the texts of all nodes; ``kinds`` has one entry a tag, and a last one for
    all others. Features: see `sitestrata.partition.cutting`.
    """
    ends, tags, paths = end.tolist(), tag.tolist(), path.tolist()
    kind = [int(kinds[min(one, len(kinds) - 1)]) for one in tags]
    total = len(leaf_node)
    marks = np.zeros(len(ends) + 1, dtype=np.int64)
    marks[leaf_node + 1] = 1
    before = np.cumsum(marks).tolist()  # leaves in front of each node
    shown = np.maximum(lengths[leaf_node], 1)
    text = _prefix(shown)
    linked = _prefix(np.where(leaf_link >= 0, shown, 0))
    headings = _prefix(leaf_heading != 0)

    def children(node: int) -> list[int]:
        found, child, stop = [], node + 1, ends[node]
        while child < stop:
            if before[ends[child]] > before[child]:
                found.append(child)
            child = ends[child]
        return found

    def begins_with_heading(leaf: int) -> bool:
        return bool(headings[min(leaf + HEADING_WITHIN, total)] > headings[leaf])

    places: list[tuple[int, int, int]] = []
    features: list[tuple[float, ...]] = []
    stack = [(0, total, 0, 0.0, 0)] if total else []  # node, leaves of the parent, alike, headings beside, depth
    while stack:
        node, of_parent, alike, beside, depth = stack.pop()
        first, last = before[node], before[ends[node]]
        size = last - first
        own = kind[node]
        inner = children(node)
        while len(inner) == 1 and tags[inner[0]]:
            node = inner[0]
            own |= kind[node]
            inner = children(node)
        characters = text[last] - text[first]
        places.append((first, last, node))
        features.append(
            (
                log(size / total),
                max(log(2 * size / of_parent), 0.0),
                min(depth / 10, MAX_DEPTH),
                log(1 + alike),
                (linked[last] - linked[first]) / characters,
                max(log(characters / (LONG * size)), 0.0),
                beside,
                float(own & INLINE > 0),
                float(own & BOX > 0),
            )
        )
        larger = [child for child in inner if before[ends[child]] - before[child] >= LEAST]
        if larger:
            counts = Counter([paths[child] for child in inner])
            share = sum([begins_with_heading(before[child]) for child in inner]) / len(inner)
            stack += [(child, size, counts[paths[child]] - 1, share, depth + 1) for child in larger]
    return (
        np.array(places, dtype=np.int32).reshape(-1, 3),
        np.array(features, dtype=np.float64).reshape(-1, FEATURES),
    )


def _prefix(values: object) -> list[int]:
    sums: list[int] = np.concatenate([[0], np.cumsum(np.asarray(values, dtype=np.int64))]).tolist()
    return sums
