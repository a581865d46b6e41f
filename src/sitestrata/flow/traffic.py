"""The paper's traffic network around a seed: links as wide as their addresses are alike, a sink behind every page.

Paper: Senellart 2.4.1, Figure 5

c(u, v) = sim(u, v) where u links v; c(s, u) = infinity for the seeds; c(u, t) = eps for every page.

Differences from the paper: none, and that is a trap. On any finite collection the eps of all pages together stay far
below the capacity of one link, so the minimum cut takes all sink arcs and the answer is everything the seed reaches; in
the paper the early stop of the on-line algorithm decides. `sitestrata.flow.scales` is the cure.
"""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from sitestrata.flow.page_web import PageWeb, page_graph
from sitestrata.flow.similarity import EPSILON_DISTANCE, SIGMA, address_distances, similarity
from sitestrata.graph.link_graph import rows_of
from sitestrata.graph.preflow import preflow_push, source_side

__all__ = ["offline_site", "traffic_network"]

Arc = tuple[int, int, float]


def traffic_network(web: PageWeb, seeds: Iterable[int], *, sigma: float = SIGMA) -> tuple[list[Arc], int, int]:
    """Return the arcs of the network, its source and its sink; pages keep their positions."""
    graph = page_graph(web)
    rows, heads = rows_of(graph), graph.indices.astype(np.int64)
    capacities = similarity(address_distances(web.urls, rows, heads), sigma)
    eps = float(similarity(EPSILON_DISTANCE, sigma))
    source, sink = web.page_count, web.page_count + 1
    arcs: list[Arc] = list(zip(rows.tolist(), heads.tolist(), capacities.tolist(), strict=True))
    # "At least as large as the sum of the other capacities" (2.4.1) does for infinity and keeps sums finite.
    infinity = float(capacities.sum()) + web.page_count * eps + 1.0
    arcs += [(source, page, infinity) for page in sorted(set(seeds))]
    arcs += [(page, sink, eps) for page in range(web.page_count)]
    return arcs, source, sink


def offline_site(web: PageWeb, seeds: Iterable[int], *, sigma: float = SIGMA) -> NDArray[np.int64]:
    """Return the source side of the minimum cut of the whole network, by preflow-push."""
    arcs, source, sink = traffic_network(web, seeds, sigma=sigma)
    inside = source_side(preflow_push(arcs, source, sink, web.page_count + 2))
    return np.array(sorted(inside - {source}), np.int64)
