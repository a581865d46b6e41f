"""Small webs for the tests of flow: sites with a menu, a tree and a few links between them."""

import numpy as np
import pytest

from sitestrata.flow.page_web import PageWeb, columns_to_web


def sites_web(
    sizes: list[int], *, bar: int = 0, bridges: int = 3, seed: int = 0, hosts: list[str] | None = None
) -> tuple[PageWeb, np.ndarray]:
    """Return a web of sites (own menu of five on every page, children, neighbours) and the site of each page.

    ``bar`` links on every page go to the home pages of that many sites: an organisation bar.
    """
    rng = np.random.default_rng(seed)
    site = np.repeat(np.arange(len(sizes)), sizes)
    start = np.concatenate([[0], np.cumsum(sizes)])
    source, target = [], []
    for page in range(len(site)):
        first, size = start[site[page]], sizes[site[page]]
        place = page - first
        targets = [first + k for k in range(min(5, size))]
        targets += [first + place // 4, first + min(place + 1, size - 1), first + max(place - 1, 0)]
        targets += [start[k] for k in range(bar)]
        source += [page] * len(targets)
        target += targets
    source += rng.integers(0, len(site), bridges).tolist()
    target += rng.integers(0, len(site), bridges).tolist()
    names = hosts or [f"s{k}.example" for k in range(len(sizes))]
    urls = [f"http://{names[site[page]]}/p{page - start[site[page]]}.html" for page in range(len(site))]
    return columns_to_web(np.arange(len(site)), urls, source, target, titles=[f"Site {k}" for k in site]), site


@pytest.fixture(name="sites_web")
def _sites_web():
    return sites_web
