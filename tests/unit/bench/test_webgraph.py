"""The link graphs that benchmarks run on."""

import numpy as np
import pytest
from webgraph import web_graph


@pytest.mark.parametrize("nodes", [300, 1_500, 3_000, 3_001])
def test_edges_stay_inside_the_graph(nodes: int) -> None:
    """Also where the last site is cut to a single page."""
    source, target, site = web_graph(nodes, 5 * nodes)

    assert 5 * nodes == len(np.unique(source * nodes + target))
    assert max(source.max(), target.max()) < nodes == len(site)
    assert not (source == target).any()
