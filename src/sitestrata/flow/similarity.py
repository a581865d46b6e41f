"""How alike two pages are, by their addresses and by where they link to.

Paper: Senellart 2.4.1, Figure 6 (addresses)

The paper compares addresses as lists of words: ed(u, v) is the number of words to insert, delete or replace, and
sim = exp(-ed^2 / (2 sigma^2)). Our own measure compares the link targets of two pages, each target weighing the less
the more pages link to it (cosine of idf vectors): pages of one site share its navigation, while the links that a whole
organisation's sites share weigh next to nothing. It knows no address at all.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cpdist

from sitestrata.flow.page_web import PageWeb
from sitestrata.graph.link_graph import LinkGraph
from sitestrata.urls import tokens

__all__ = [
    "EPSILON_DISTANCE",
    "SIGMA",
    "address_distances",
    "distance_deviation",
    "navigation_similarity",
    "similarity",
    "url_distance",
    "url_similarity",
]

SIGMA = 7.24  # Senellart, Figure 6
EPSILON_DISTANCE = 50  # Senellart 2.4.1: eps is the similarity of two addresses at this distance
CHUNK = 200_000  # pairs at a time; words become code points within a chunk

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


def url_distance(one: str, two: str) -> int:
    """Return ed(u, v).

    >>> url_distance("http://a.example/x/1?p=2", "http://b.example/x/2")
    4
    """
    return int(Levenshtein.distance(tokens(one), tokens(two)))


def similarity(distances: Floats | Ints | float, sigma: float) -> Floats:
    """Return sim for distances."""
    return np.asarray(np.exp(-np.square(np.asarray(distances, np.float64)) / (2 * sigma * sigma)))


def url_similarity(one: str, two: str, *, sigma: float = SIGMA) -> float:
    """Return sim(u, v) of two addresses.

    >>> gemo = "http://osage.inria.fr/verso/Gemo/PUBLI/index.php"
    >>> round(url_similarity(gemo, "http://www-rocq.inria.fr/verso/Gemo/Projects/index.html"), 4)
    0.9177
    """
    return float(similarity(url_distance(one, two), sigma))


def address_distances(urls: Sequence[str], u: Ints, v: Ints) -> Ints:
    """Return ed for each pair of positions in ``urls``."""
    words = [tokens(url) for url in urls]
    distances = np.zeros(len(u), np.int64)
    for start in range(0, len(u), CHUNK):
        ends = u[start : start + CHUNK].tolist(), v[start : start + CHUNK].tolist()
        codes: dict[str, str] = {}
        texts: dict[int, str] = {}
        for page in {*ends[0], *ends[1]}:
            texts[page] = "".join(codes.setdefault(word, _code_point(len(codes))) for word in words[page])
        distances[start : start + CHUNK] = cpdist(
            [texts[page] for page in ends[0]], [texts[page] for page in ends[1]], scorer=Levenshtein.distance
        )
    return distances


def _code_point(number: int) -> str:
    return chr(number if number < 0xD800 else number + 0x800)  # no surrogates


def distance_deviation(urls: Sequence[str], *, pairs: int = 20_000, seed: int = 0) -> float:
    """Return the standard deviation of ed over random pairs of addresses, the paper's recipe for sigma."""
    if len(urls) < 2:
        return SIGMA
    rng = np.random.default_rng(seed)
    u, v = rng.integers(0, len(urls), pairs), rng.integers(0, len(urls), pairs)
    return float(np.std(address_distances(urls, u, v))) or SIGMA


def navigation_similarity(web: PageWeb, graph: LinkGraph) -> Floats:
    """Return, for each edge of the page graph, the cosine of the idf-weighted link targets of its two pages."""
    carriers = np.bincount(web.targets, minlength=len(web.target_ids))
    idf = np.log((web.page_count + 1) / (carriers + 0.5))
    rows = np.repeat(np.arange(web.page_count), np.diff(web.indptr))
    squares = np.square(idf[web.targets])
    norms = np.sqrt(np.bincount(rows, weights=squares, minlength=web.page_count))
    norms[norms == 0] = 1.0
    present = np.zeros(len(web.target_ids))
    cosines = np.zeros(graph.edge_count)
    for page in np.flatnonzero(np.diff(graph.indptr)).tolist():
        edges = slice(graph.indptr[page], graph.indptr[page + 1])
        heads = graph.indices[edges].astype(np.int64)
        own = web.targets[web.indptr[page] : web.indptr[page + 1]]
        present[own] = np.square(idf[own])
        lengths = web.indptr[heads + 1] - web.indptr[heads]
        ends = np.cumsum(lengths)
        places = np.arange(ends[-1]) + np.repeat(web.indptr[heads] - (ends - lengths), lengths)
        shared = np.concatenate([[0.0], np.cumsum(present[web.targets[places]])])
        cosines[edges] = (shared[ends] - shared[ends - lengths]) / (norms[page] * norms[heads])
        present[own] = 0.0
    return cosines
