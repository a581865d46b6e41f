"""Reduce a page's tree to the hierarchy of its hyperlinks: specification and fallback of ``segment.pyx``.

The rules are those of `sitestrata.segments.transform`; here they run on the flat arrays, from the last node to the
first, so that a node's children are done before it. Every node keeps the list of what its subtree became (links and
segments, in document order) as a chain: ``head``, ``tail`` and ``following`` hold node numbers.
"""

import numpy as np
import numpy.typing as npt

__all__ = ["segment"]

Ints = npt.NDArray[np.int32]


def segment(nodes: Ints, link: Ints, listed: Ints) -> tuple[Ints, Ints, Ints, Ints, Ints]:
    """Return the segments' nodes, each one's parent segment, its first link, the links, and each link's segment.

    ``link[v]`` is the outermost hyperlink that holds node v, or -1; -1 also stands for "no segment" in the answer.
    ``listed`` are the nodes of the links that count, ascending; links are numbered as there. The links of segment s
    are ``links[first[s] : first[s + 1]]``.
    """
    count = nodes.shape[1] - 1
    parent = nodes[0].tolist()
    links = link.tolist()
    head, tail, size, following = [-1] * count, [-1] * count, [0] * count, [-1] * count
    is_segment = [False] * count
    for node in range(count - 1, -1, -1):
        if links[node] == node:
            # A hyperlink is a leaf whatever it contains.
            head[node] = tail[node] = node
            size[node] = 1
        elif links[node] >= 0 or size[node] == 0:
            continue  # rule 1
        elif size[node] > 1 and not _is_link_with_submenu(head[node], size[node], following, links):
            is_segment[node] = True  # rule 4
            above = parent[node]
            _prepend(above, node, node, 1, head, tail, size, following)
            continue
        # Rules 2 and 3: the children go to the parent.
        _prepend(parent[node], head[node], tail[node], size[node], head, tail, size, following)

    segments = [node for node in range(count) if is_segment[node]]
    ordinal = {node: number for number, node in enumerate(segments)}
    above = np.full(len(segments), -1, dtype=np.int32)
    owner = np.full(count, -1, dtype=np.int32)
    for node, number in ordinal.items():
        child = head[node]
        for _ in range(size[node]):
            if is_segment[child]:
                above[ordinal[child]] = number
            else:
                owner[child] = number
            child = following[child]
    of_link = owner[listed]
    order = np.argsort(of_link, kind="stable").astype(np.int32)
    first = np.searchsorted(of_link[order], np.arange(len(segments) + 1)).astype(np.int32)
    return np.array(segments, dtype=np.int32), above, first - first[0], order[first[0] :], of_link


def _is_link_with_submenu(first: int, size: int, following: list[int], links: list[int]) -> bool:
    """Rule 3: exactly two children, the first a hyperlink and the second not."""
    return size == 2 and links[first] == first and links[following[first]] < 0


def _prepend(
    node: int,
    first: int,
    last: int,
    count: int,
    head: list[int],
    tail: list[int],
    size: list[int],
    following: list[int],
) -> None:
    if node < 0 or count == 0:
        return
    following[last] = head[node]
    if head[node] < 0:
        tail[node] = last
    head[node] = first
    size[node] += count
