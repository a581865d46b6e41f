"""The capacities that work on a finite collection: damped, undirected, by navigation and address.

c(u, v) = (NAVIGATION_FLOOR + cos(u, v)) * (URL_FLOOR + sim(u, v)) / sqrt(out(u) * in(v)), summed over both directions.
With the paper's capacities a home page's own cut is smaller than any site's, so that no sink capacity ever finds the
site; the damping takes that weight from hubs, and the navigation term keeps links between sites thin even where an
organisation links all of its sites on every page. Without addresses the second factor is left out.

Paper: Senellart 2.4.1 (capacities); the measure of content he names as future work in 6
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sitestrata.flow.page_web import PageWeb, page_graph
from sitestrata.flow.prefixes import PrefixTree, prefix_tree
from sitestrata.flow.similarity import address_distances, navigation_similarity, similarity
from sitestrata.graph.conductance import volumes
from sitestrata.graph.link_graph import LinkGraph, in_degrees, out_degrees, rows_of, undirected
from sitestrata.graph.min_cut import integer_capacities

__all__ = ["FlowNetwork", "flow_network", "tie"]

# Chosen on one development corpus and confirmed on the other; none of them is critical within a factor of two.
NAVIGATION_FLOOR = 0.03  # what a link between pages that share no navigation still carries
URL_FLOOR = 0.1  # what a link between the most distant addresses still carries
URL_SIGMA = 1.75  # of the address distance: a site's pages differ by one to four words

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class FlowNetwork:
    """A web with its capacities, ready for any number of seeds."""

    web: PageWeb
    graph: LinkGraph  # undirected; its weights are the capacities
    rows: NDArray[np.int64]  # the page each edge leaves
    capacities: NDArray[np.int64]  # the same, scaled to integers
    volumes: Floats  # capacity at each page
    prefixes: PrefixTree | None  # None = addresses are withheld


def flow_network(web: PageWeb, *, use_urls: bool = True) -> FlowNetwork:
    """Weigh the links of a web."""
    graph = page_graph(web)
    rows, heads = rows_of(graph), graph.indices.astype(np.int64)
    weights = NAVIGATION_FLOOR + navigation_similarity(web, graph)
    weights /= np.sqrt(np.maximum(out_degrees(graph)[rows] * in_degrees(graph)[heads], 1))
    if use_urls:
        weights *= URL_FLOOR + similarity(address_distances(web.urls, rows, heads), URL_SIGMA)
    both = undirected(LinkGraph(graph.ids, graph.indptr, graph.indices, weights))
    return FlowNetwork(
        web,
        both,
        rows_of(both),
        # The chain multiplies capacities with page counts, twice over: leave room for it.
        integer_capacities(both.weights, factor=2 * max(web.page_count, 1)),
        volumes(both),
        prefix_tree(web.urls) if use_urls else None,
    )


def tie(network: FlowNetwork, one: Mask, two: Mask) -> float:
    """Return how strongly two disjoint page sets are tied: capacity between them per page, over a page's mean volume.

    The number of pages enters as the geometric mean of both sizes, so a large site that receives many links of a small
    sister is not tied to it unless it answers.
    """
    size = float(np.sqrt(float(one.sum()) * float(two.sum())))
    mean = float(network.volumes[one | two].mean()) if size else 0.0
    between = float(network.graph.weights[one[network.rows] & two[network.graph.indices]].sum())
    return between / size / mean if size and mean > 0 else 0.0
