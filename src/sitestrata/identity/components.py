"""Classes and edges -> components: redirects, canonical links and equal bytes.

Union-find over classes of addresses. A redirect is the server's own word and joins unconditionally; a canonical link
or equal bytes join only if the contents of the two components are compatible, so that no chain of resemblances through
addresses makes one page of two.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sitestrata.identity.captured import REDIRECT, Ids, positions
from sitestrata.identity.classes import Classes
from sitestrata.identity.content import DIFFERENT, SAME, Contents
from sitestrata.identity.nodes import Nodes

__all__ = ["EDGE_RULES", "Edges", "class_of", "find_edges", "join_classes"]

EDGE_RULES = ("redirect", "canonical", "bytes")


@dataclass(frozen=True, slots=True)
class Edges:
    """Pairs of nodes that evidence other than their text joins, strongest rule first."""

    one: Ids
    other: Ids
    rule: npt.NDArray[np.int8]  # index into redirect, canonical, bytes
    is_certain: npt.NDArray[np.bool_]


def find_edges(contents: Contents, nodes: Nodes, canonical: Ids, twins: Ids, rules: frozenset[str]) -> Edges:
    """List redirects, canonical links that hold, and twins (two rows of ids), as pairs of nodes."""
    captured = contents.captured
    at = positions(nodes.ids, captured.ids)
    pairs: list[tuple[Ids, Ids, npt.NDArray[np.bool_]]] = []
    redirects = np.flatnonzero(captured.kind == REDIRECT) if "redirect" in rules else np.zeros(0, np.int64)
    pairs.append((at[redirects], positions(nodes.ids, captured.target[redirects]), contents.last[redirects] >= 0))
    here, there = np.asarray(captured.canonical["row"], dtype=np.int64), canonical
    here, there = (here[there >= 0], there[there >= 0]) if "canonical" in rules else (here[:0], there[:0])
    holds = (contents.compare(here, there) == SAME) & (here != there)
    pairs.append((at[here[holds]], at[there[holds]], np.zeros(int(holds.sum()), dtype=bool)))
    one, other = positions(nodes.ids, twins[0]), positions(nodes.ids, twins[1])
    pairs.append((one, other, np.zeros(len(one), dtype=bool)))
    return Edges(
        np.concatenate([pair[0] for pair in pairs]),
        np.concatenate([pair[1] for pair in pairs]),
        np.repeat(np.arange(3, dtype=np.int8), [len(pair[0]) for pair in pairs]),
        np.concatenate([pair[2] for pair in pairs]),
    )


def class_of(classes: Classes, nodes: Ids) -> Ids:
    """Return the class of each of some nodes, all of which have one."""
    return classes.label[positions(classes.nodes, nodes)]


def join_classes(contents: Contents, classes: Classes, edges: Edges) -> tuple[Ids, Edges]:
    """Return the component of each class and the edges that were used."""
    parent = list(range(len(classes.row)))
    row = classes.row.tolist()

    def find(node: int) -> int:
        while parent[node] != node:
            parent[node] = node = parent[parent[node]]
        return node

    def is_compatible(one: int, other: int) -> bool:
        if one < 0 or other < 0 or one == other:
            return True
        return bool(contents.compare(np.array([one]), np.array([other]))[0] != DIFFERENT)

    labels = (class_of(classes, side) for side in (edges.one, edges.other))
    used = np.zeros(len(edges.one), dtype=bool)
    for number, (left, right) in enumerate(zip(*(side.tolist() for side in labels), strict=True)):
        one, other = find(left), find(right)
        if one != other:
            if not edges.is_certain[number] and not is_compatible(row[one], row[other]):
                continue
            low, high = min(one, other), max(one, other)
            parent[high] = low
            row[low] = min(row[low], row[high]) if min(row[low], row[high]) >= 0 else max(row[low], row[high])
        used[number] = True
    component = np.array([find(node) for node in range(len(parent))], dtype=np.int64)
    return component, Edges(edges.one[used], edges.other[used], edges.rule[used], edges.is_certain[used])
