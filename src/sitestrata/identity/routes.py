"""Components -> the address that stands for each, and the rules that lead every other address to it."""

from collections import defaultdict, deque
from dataclasses import dataclass

import numpy as np

from sitestrata.identity.captured import FILE, MISSING, PAGE, REDIRECT, SILENT, Captured, Ids, positions
from sitestrata.identity.classes import Classes
from sitestrata.identity.components import EDGE_RULES, Edges, class_of
from sitestrata.identity.nodes import Nodes, read_texts
from sitestrata.identity.rules import Policies, differences
from sitestrata.model import TableReader

__all__ = ["Route", "choose_representatives", "read_edge_texts", "trace_routes"]

# Which kind of address stands for a page; those that were not captured rank as silent ones.
_RANK = {PAGE: 0, FILE: 1, SILENT: 2, MISSING: 3, REDIRECT: 4}


@dataclass(frozen=True, slots=True)
class Route:
    """How the addresses of one class come to the representative: by rules to ``way_out``, then by ``rules``."""

    way_out: int  # node
    rules: tuple[str, ...]


def choose_representatives(
    tables: TableReader, captured: Captured, nodes: Nodes, classes: Classes, component: Ids
) -> Ids:
    """Return, by component, the node that stands for it; of equally good ones the first in alphabetical order."""
    owner, candidate = _candidates(captured, nodes, classes, component)
    representative = np.full(len(component), -1, dtype=np.int64)
    representative[owner] = candidate
    _, first, sizes = np.unique(owner, return_index=True, return_counts=True)
    wanted = np.sort(candidate[np.repeat(sizes > 1, sizes)])
    texts = dict(zip(wanted.tolist(), read_texts(tables, nodes.ids[wanted]).to_pylist(), strict=True))
    for start, size in zip(first[sizes > 1].tolist(), sizes[sizes > 1].tolist(), strict=True):
        representative[owner[start]] = min(candidate[start : start + size].tolist(), key=texts.__getitem__)
    return representative


def read_edge_texts(
    tables: TableReader,
    nodes: Nodes,
    classes: Classes,
    component: Ids,
    edges: Edges,
    representative: Ids,
) -> dict[int, str]:
    """Read the addresses at edges between classes and those that stand for their components."""
    one, other = class_of(classes, edges.one), class_of(classes, edges.other)
    joins = one != other
    chosen = representative[component[one[joins]]]
    wanted = np.unique(np.concatenate([edges.one[joins], edges.other[joins], chosen]))
    return dict(zip(wanted.tolist(), read_texts(tables, nodes.ids[wanted]).to_pylist(), strict=True))


def trace_routes(
    classes: Classes,
    component: Ids,
    edges: Edges,
    representative: Ids,
    texts: dict[int, str],
    policies: Policies,
) -> dict[int, Route]:
    """Find the shortest way of every class that edges join to the representative of its component.

    ``representative`` gives the node that stands for each component; ``texts`` the address of every node at an edge
    between classes and of the representatives of their components.
    """
    adjacent: dict[int, list[tuple[int, int, str, int]]] = defaultdict(list)
    labels = (class_of(classes, side).tolist() for side in (edges.one, edges.other))
    nodes = (edges.one.tolist(), edges.other.tolist())
    for left, right, one, other, rule in zip(*labels, *nodes, edges.rule.tolist(), strict=True):
        if left != right:
            adjacent[right].append((left, one, EDGE_RULES[rule], other))
            adjacent[left].append((right, other, EDGE_RULES[rule], one))
    routes: dict[int, Route] = {}
    for root in sorted({int(component[label]) for label in adjacent}):
        start = int(representative[root])
        label = int(class_of(classes, np.array([start]))[0])
        routes[label] = Route(start, ())
        waiting = deque([label])
        while waiting:
            near = waiting.popleft()
            for far, way_out, rule, entry in sorted(adjacent[near]):
                if far not in routes:
                    inside = differences(texts[entry], texts[routes[near].way_out], policies)
                    routes[far] = Route(way_out, (rule, *inside, *routes[near].rules))
                    waiting.append(far)
    return routes


def _candidates(captured: Captured, nodes: Nodes, classes: Classes, component: Ids) -> tuple[Ids, Ids]:
    """Return (component, node) pairs, sorted by component: the nodes that may stand for it, several where they tie.

    Captured pages first, then redirect targets, then the shortest; ties are for the caller to break by text.
    """
    kinds = np.zeros(len(classes.nodes), dtype=np.int64)
    place = positions(classes.nodes, positions(nodes.ids, captured.ids))
    kinds[place[place >= 0]] = captured.kind[place >= 0]
    rank = np.array([_RANK[kind] for kind in range(5)])[kinds]
    is_target = np.zeros(len(classes.nodes), dtype=bool)
    targets = positions(classes.nodes, positions(nodes.ids, captured.target[captured.kind == REDIRECT]))
    is_target[targets[targets >= 0]] = True
    length = nodes.length[classes.nodes]
    own = component[classes.label]
    by = np.lexsort((classes.nodes, length, ~is_target, rank, own))
    keys = np.stack([own, rank, ~is_target, length])[:, by]
    starts = np.ones(len(by), dtype=bool)
    starts[1:] = keys[0, 1:] != keys[0, :-1]
    first = np.maximum.accumulate(np.where(starts, np.arange(len(by)), 0))
    is_tied = (keys == keys[:, first]).all(axis=0)
    return own[by[is_tied]], classes.nodes[by[is_tied]]
