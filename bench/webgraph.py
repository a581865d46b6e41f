"""Generate link graphs of a given size that look like a crawl: sites of Zipf sizes with menus, trees and a few bridges.

Every page links to its site's menu pages, its parent and children in the site's tree and some random pages of the site;
one edge in twenty goes to another site, mostly to a popular home page. The number of edges is met exactly.
"""

import numpy as np

PAPER_NODES, PAPER_EDGES = 87_140, 709_371  # Senellart 4.1


def web_graph(nodes: int = PAPER_NODES, edges: int = PAPER_EDGES, *, seed: int = 1, bridges: float = 0.05):
    """Return (source, target, site) columns: distinct directed edges without loops, and the site of each node."""
    rng = np.random.default_rng(seed)
    sizes = np.maximum(np.rint(nodes / 12 / np.arange(1, nodes) ** 0.9), 3).astype(int)
    count = int(np.searchsorted(np.cumsum(sizes), nodes)) + 1
    starts = np.concatenate([[0], np.cumsum(sizes[:count])])
    starts[-1] = nodes
    site = np.repeat(np.arange(count), np.diff(starts))
    begin, size = starts[site], np.diff(starts)[site]
    page = np.arange(nodes) - begin
    menu = np.minimum(np.clip(size // 40, 2, 7), size)  # the last site may be cut to a single page
    keys = np.zeros(0, np.int64)
    while len(keys) < edges:
        u = rng.integers(0, nodes, int((edges - len(keys)) * 1.3) + 100)
        kind = rng.random(len(u))
        inside = begin[u] + rng.integers(0, size[u])
        near = begin[u] + np.clip(page[u] + rng.integers(-4, 5, len(u)), 0, size[u] - 1)
        to_menu = begin[u] + rng.integers(0, menu[u])
        parent = begin[u] + page[u] // 8
        home = starts[(count * rng.random(len(u)) ** 3).astype(int)]
        inner = (kind - bridges) / (1 - bridges)
        v = np.select([kind < bridges, inner < 0.3, inner < 0.55, inner < 0.85], [home, to_menu, parent, near], inside)
        keys = np.unique(np.concatenate([keys, (u * nodes + v)[u != v]]))
    keys = np.sort(rng.choice(keys, edges, replace=False))
    return keys // nodes, keys % nodes, site
