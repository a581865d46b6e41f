"""From a crawled superset to a seed: MCL clusters, clustered again where they are too large, and the choice of one.

Paper: Senellart 3.2, Figure 9; the second experiment 4.2

  1. a superset S of the site (a host, a domain, a collection), 2. its link graph, 3. MCL on the underlying undirected
  graph, recursively, 4. the cluster with a characteristic page, or with most addresses that contain a keyword, 5. flow
  from that cluster.

Steps 1 and 2 are what a workspace is. `merge_related` and `drop_strays` are the paper's future work (4.2.2, 6):
clusters are joined where they are tied as firmly as parts of one site are, and pages whose capacity mostly leads
elsewhere are dropped.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sitestrata.flow.network import FlowNetwork
from sitestrata.flow.online import FlowOptions, OnlineFlow
from sitestrata.flow.page_web import PageWeb, page_graph
from sitestrata.graph.contraction import best_partition
from sitestrata.graph.link_graph import LinkGraph, subgraph, undirected
from sitestrata.graph.mcl import Pruning, mcl

__all__ = [
    "Extended",
    "choose_cluster",
    "cluster_pages",
    "clusters_of",
    "collection_graph",
    "drop_strays",
    "extend",
    "extend_random",
    "merge_related",
]

INFLATION, FINER_INFLATION = 1.2, 2.0  # Senellart 4.1 and 4.2
TOO_LARGE = 0.5  # share of the graph above which a cluster is clustered again (49,170 of 87,140 pages in the paper)
LEAST = 50  # Senellart 4.2.1: smaller clusters "often do not have much interest"
FIRM = 0.003  # tie from which on two page sets are parts of one site, on both development corpora

Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Extended:
    """A cluster and what flow made of it."""

    cluster: Ints
    pages: Ints


def cluster_pages(
    graph: LinkGraph,
    *,
    inflation: float = INFLATION,
    finer: float = FINER_INFLATION,
    too_large: float = TOO_LARGE,
    pruning: Pruning | None = None,
) -> Ints:
    """Label the pages by MCL on an undirected graph; clusters above ``too_large`` are clustered again, finer."""
    labels = mcl(graph, inflation=inflation, pruning=pruning).labels
    sizes = np.bincount(labels) if len(labels) else np.zeros(0, np.int64)
    for label in np.flatnonzero(sizes > too_large * graph.node_count).tolist():
        members = np.flatnonzero(labels == label)
        inner = mcl(subgraph(graph, members), inflation=finer, pruning=pruning).labels
        labels[members] = np.where(inner == 0, label, labels.max() + inner)
    return labels


def choose_cluster(labels: Ints, web: PageWeb, *, page: int | None = None, keyword: str | None = None) -> Ints:
    """Return the cluster of a characteristic page (better not the home), or the one with most keyword addresses."""
    if page is not None:
        return np.flatnonzero(labels == labels[page])
    if not keyword:
        raise ValueError("choose a cluster by a page or by a keyword")
    hits = np.array([keyword.lower() in url.lower() for url in web.urls], np.bool_)
    if not hits.any():
        return np.zeros(0, np.int64)
    counts = np.bincount(labels[hits])
    return np.flatnonzero(labels == int(np.argmax(counts)))


def extend(web: PageWeb, cluster: Ints, *, options: FlowOptions | None = None) -> Ints:
    """Extend a cluster by on-line flow over the collection itself (step 5); flow only adds pages."""
    graph = page_graph(web)
    position = {url: page for page, url in enumerate(web.urls)}
    flow = OnlineFlow([web.urls[page] for page in cluster.tolist()], options)
    while (url := flow.wanted()) is not None:
        flow.observe(url, [web.urls[page] for page in graph.neighbours(position[url]).tolist()])
    return np.union1d(cluster, [position[url] for url in flow.answer()["inside"]]).astype(np.int64)


def extend_random(
    web: PageWeb, labels: Ints, *, count: int = 5, least: int = LEAST, seed: int = 0, options: FlowOptions | None = None
) -> list[Extended]:
    """Repeat the second experiment: extend random clusters above a size by flow (4.2)."""
    sizes = np.bincount(labels) if len(labels) else np.zeros(0, np.int64)
    large = np.flatnonzero(sizes > least)
    chosen = np.random.default_rng(seed).permutation(large)[:count]
    clusters = [np.flatnonzero(labels == label) for label in sorted(chosen.tolist())]
    return [Extended(cluster, extend(web, cluster, options=options)) for cluster in clusters]


def merge_related(network: FlowNetwork, labels: Ints, *, firm: float = FIRM) -> Ints:
    """Join clusters that are tied more firmly than ``firm``; every pair votes with the logarithm of its tie."""
    count = int(labels.max()) + 1 if len(labels) else 0
    sizes = np.bincount(labels, minlength=count).astype(np.float64)
    volume = np.bincount(labels, weights=network.volumes, minlength=count)
    u, v = labels[network.rows], labels[network.graph.indices]
    across = u < v
    keys, place = np.unique(u[across] * max(count, 1) + v[across], return_inverse=True)
    between = np.bincount(place, weights=network.graph.weights[across], minlength=len(keys))
    one, two = keys // max(count, 1), keys % max(count, 1)
    mean = (volume[one] + volume[two]) / (sizes[one] + sizes[two])
    ties = between / np.sqrt(sizes[one] * sizes[two]) / np.maximum(mean, 1e-12)
    return best_partition(count, one, two, np.log(np.maximum(ties, 1e-12) / firm))[labels]


def drop_strays(network: FlowNetwork, pages: Ints) -> Ints:
    """Drop pages of a set that have more capacity to pages outside than to the set."""
    inside = np.zeros(network.web.page_count, np.bool_)
    inside[pages] = True
    weights = network.graph.weights
    own = np.bincount(network.rows, weights=weights * inside[network.graph.indices], minlength=len(inside))
    return pages[own[pages] * 2 >= network.volumes[pages]]


def clusters_of(labels: Ints) -> Sequence[Ints]:
    """Return the clusters as page sets, largest first, then by smallest page."""
    groups = [np.flatnonzero(labels == label) for label in np.unique(labels).tolist()]
    return sorted(groups, key=lambda pages: (-len(pages), int(pages[0])))


def collection_graph(web: PageWeb) -> LinkGraph:
    """Return the underlying undirected graph of a collection, every edge of weight 1 (step 3)."""
    both = undirected(page_graph(web))
    return LinkGraph(both.ids, both.indptr, both.indices, np.ones(both.edge_count))
