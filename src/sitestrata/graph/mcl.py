"""Cluster a graph by the Markov cluster process: let flow spread (expansion), favour where it is strong (inflation).

The graph with loops becomes a matrix whose columns sum to 1. Expansion squares it, inflation raises its entries to a
power and normalises the columns; repeated, flow dies out between clusters until every column points to the attractors
of its cluster. Columns are pruned after expansion: small entries are cut, the largest ``select`` kept, and where that
loses too much mass the largest ``recover`` are taken instead, so a step costs O(|S| l^2). What ties with the last entry
that is kept is kept too, up to four times as many, as in van Dongen's `mcl`: cut by their numbers, ties would make the
clusters depend on the order of the nodes.

Paper: Senellart 3.1, Figure 7; pruning 3.1.3

Differences from the paper:
  - loops weigh as much as the column's largest entry, as van Dongen's `mcl` does (a loop of 1 where there is no edge);
  - the process ends when no column is far from its limit (chaos), or after ``max_steps``: it need not converge;
  - the clusters are read off the limit matrix, where Figure 7 step 4 speaks of the graph.
"""

import os
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sitestrata._kernels import load
from sitestrata.graph.components import connected_components
from sitestrata.graph.link_graph import LinkGraph, pairs_to_graph, rows_of

__all__ = ["Clustering", "Pruning", "interpret", "mcl", "start_matrix"]

INFLATION = 2.0  # Senellart 3.1.2: "usually 2"
CHAOS = 1e-3  # a column is at its limit when its largest entry exceeds its sum of squares by less than this
MAX_STEPS = 100  # Senellart 3.1.3: between 10 and 100
ATTRACTOR = 1e-3  # smallest return flow that makes a node an attractor, and smallest flow that joins a cluster

Ints = NDArray[np.int64]
Matrix = tuple[Ints, NDArray[np.int32], NDArray[np.float32]]  # columns: starts, rows, values


@dataclass(frozen=True, slots=True)
class Pruning:
    """How a column is kept short (the names in brackets are mcl's options)."""

    cutoff: float = 1 / 1000  # smallest entry to keep (1 / -P)
    select: int = 100  # most entries to keep (-S)
    recover: int = 120  # entries to take back ... (-R)
    share: float = 0.9  # ... where less than this share of the mass is left (-pct / 100)


@dataclass(frozen=True, slots=True)
class Clustering:
    """What MCL found: each node's main cluster, and the further ones of nodes that lie between clusters."""

    labels: Ints  # cluster of each node; clusters are numbered by size, largest first, then by smallest node
    overlap: tuple[tuple[int, int], ...]  # (node, further cluster), sorted
    steps: int
    chaos: float
    kept_mass: tuple[float, ...]  # mean column mass that pruning kept, step by step

    @property
    def has_converged(self) -> bool:
        """Tell whether the last step hardly changed anything."""
        return self.chaos < CHAOS

    def clusters(self) -> list[Ints]:
        """Return the main clusters as sorted positions, largest first."""
        order = np.argsort(self.labels, kind="stable")
        return np.split(order, np.flatnonzero(np.diff(self.labels[order])) + 1) if len(order) else []


def mcl(
    graph: LinkGraph,
    *,
    inflation: float = INFLATION,
    pruning: Pruning | None = None,
    max_steps: int = MAX_STEPS,
    threads: int | None = None,
) -> Clustering:
    """Cluster an undirected graph (every edge both ways); its weights count.

    Args:
        graph: the graph; see `sitestrata.graph.link_graph.undirected`.
        inflation: r > 1; the larger, the finer the clusters.
        pruning: how columns are kept short.
        max_steps: when to give up waiting for convergence.
        threads: number of cores; all of them where not given. The result does not depend on it.
    """
    if inflation <= 1:
        raise ValueError(f"inflation must be above 1, not {inflation}")
    kernel = load("mcl")
    prune = pruning or Pruning()
    matrix = start_matrix(graph)  # steps 1 and 2
    chaos, kept = 0.0, []
    steps = 0
    while steps < max_steps and graph.node_count:  # step 3
        *columns, chaos, mass = kernel.step(
            *matrix,
            inflation,
            prune.cutoff,
            max(prune.select, 1),
            max(prune.recover, 0),
            prune.share,
            threads or os.cpu_count() or 1,
        )
        matrix = (columns[0], columns[1], columns[2])
        kept.append(mass)
        steps += 1
        if chaos < CHAOS:
            break
    labels, overlap = interpret(matrix)  # step 4
    return Clustering(labels, overlap, steps, chaos, tuple(kept))


def start_matrix(graph: LinkGraph) -> Matrix:
    """Add loops and make the columns sum to 1."""
    n = graph.node_count
    rows, heads = rows_of(graph), graph.indices.astype(np.int64)
    largest = np.zeros(n)
    np.maximum.at(largest, heads, graph.weights)
    loops = np.arange(n)
    columns = np.concatenate([heads, loops])
    entries = np.concatenate([rows, loops])
    values = np.concatenate([graph.weights, np.where(largest > 0, largest, 1.0)])
    order = np.lexsort((entries, columns))
    columns, entries, values = columns[order], entries[order], values[order]
    values = values / np.bincount(columns, weights=values, minlength=n)[columns]
    indptr = np.zeros(n + 1, np.int64)
    np.cumsum(np.bincount(columns, minlength=n), out=indptr[1:])
    return indptr, entries.astype(np.int32), values.astype(np.float32)


def interpret(matrix: Matrix) -> tuple[Ints, tuple[tuple[int, int], ...]]:
    """Read clusters off a limit matrix: systems of attractors, and the nodes that flow to them."""
    indptr, rows, values = matrix
    n = len(indptr) - 1
    columns = np.repeat(np.arange(n, dtype=np.int64), np.diff(indptr))
    entries = rows.astype(np.int64)
    strong = values >= ATTRACTOR
    is_attractor = np.zeros(n, np.bool_)
    is_attractor[columns[strong & (entries == columns)]] = True
    # Attractors that feed one another are one system.
    inner = strong & is_attractor[columns] & is_attractor[entries]
    system = connected_components(
        pairs_to_graph(np.arange(n), columns[inner], entries[inner], np.ones(int(inner.sum())))
    )
    mass_column, mass_system, mass = _flow_to_systems(columns, entries, values, strong & is_attractor[entries], system)
    label = np.full(n, -1, np.int64)
    # Largest mass first, then smallest system: the first row of each column is its main cluster.
    order = np.lexsort((mass_system, -mass, mass_column))
    mass_column, mass_system = mass_column[order], mass_system[order]
    first = np.concatenate([[True], mass_column[1:] != mass_column[:-1]]) if len(order) else np.zeros(0, np.bool_)
    label[mass_column[first]] = mass_system[first]
    _follow_strongest(label, indptr, rows, values)
    ranks = _rank_by_size(label)
    places = np.searchsorted(ranks[0], mass_system[~first])
    overlap = sorted(zip(mass_column[~first].tolist(), ranks[1][places].tolist(), strict=True))
    return ranks[1][np.searchsorted(ranks[0], label)], tuple(overlap)


def _flow_to_systems(
    columns: Ints, entries: Ints, values: NDArray[np.float32], used: NDArray[np.bool_], system: Ints
) -> tuple[Ints, Ints, NDArray[np.float64]]:
    n = max(len(system), 1)
    keys, place = np.unique(columns[used] * n + system[entries[used]], return_inverse=True)
    mass = np.bincount(place, weights=values[used], minlength=len(keys))
    return keys // n, keys % n, np.round(mass, 4)  # equal shares must tie


def _follow_strongest(label: Ints, indptr: Ints, rows: NDArray[np.int32], values: NDArray[np.float32]) -> None:
    """Give nodes whose attractor was pruned away the cluster of the node their flow mostly goes to."""
    for node in np.flatnonzero(label < 0).tolist():
        path = [node]
        while label[path[-1]] < 0:
            j = path[-1]
            column = slice(indptr[j], indptr[j + 1])
            following = int(rows[column][np.argmax(values[column])]) if indptr[j] < indptr[j + 1] else j
            if following in path:
                label[path[-1]] = min(path)
                break
            path.append(following)
        label[path] = label[path[-1]]


def _rank_by_size(label: Ints) -> tuple[Ints, Ints]:
    """Return the labels in use, sorted, and the number each gets: by size, then by smallest node."""
    names, first, sizes = np.unique(label, return_index=True, return_counts=True)
    order = np.lexsort((first, -sizes))
    rank = np.empty(len(names), np.int64)
    rank[order] = np.arange(len(names))
    return names, rank
