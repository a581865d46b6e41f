"""The MCL clusters of a workspace's link graph, as the rows that ``sitestrata cluster`` prints."""

from typing import Any

from sitestrata.errors import UsageError
from sitestrata.flow.describe import label_of
from sitestrata.flow.network import flow_network
from sitestrata.flow.online import FlowOptions
from sitestrata.flow.seed import (
    INFLATION,
    LEAST,
    cluster_pages,
    clusters_of,
    collection_graph,
    extend_random,
    merge_related,
)
from sitestrata.flow.similarity import distance_deviation
from sitestrata.run.site import workspace_web
from sitestrata.run.workspace import Workspace

__all__ = ["cluster_rows", "extended_rows"]


def cluster_rows(
    workspace: Workspace,
    *,
    inflation: float | None = None,
    is_paper: bool = False,
    is_merged: bool = True,
    use_urls: bool = True,
) -> list[dict[str, Any]]:
    """Cluster the pages; the paper takes links as they are, the default weighs them (`sitestrata.flow.network`)."""
    if inflation is not None and inflation <= 1:
        raise UsageError(f"--inflation {inflation}: must be above 1")
    web = workspace_web(workspace)
    network = flow_network(web, use_urls=use_urls)
    graph = collection_graph(web) if is_paper else network.graph
    labels = cluster_pages(graph, inflation=inflation or INFLATION)
    if is_merged:
        labels = merge_related(network, labels)
    return [
        {
            "cluster": number,
            "size": len(pages),
            "label": label_of(network, pages),
            "pages": [web.urls[page] for page in pages.tolist()],
        }
        for number, pages in enumerate(clusters_of(labels))
    ]


def extended_rows(
    workspace: Workspace,
    *,
    count: int,
    inflation: float | None = None,
    seed: int = 0,
    max_pages: int | None = None,
) -> list[dict[str, Any]]:
    """Repeat the paper's second experiment: extend random clusters of some size by flow (Senellart 4.2)."""
    web = workspace_web(workspace)
    network = flow_network(web)
    labels = cluster_pages(collection_graph(web), inflation=inflation or INFLATION)
    options = FlowOptions(max_pages=max_pages, sigma=distance_deviation(web.urls))
    found = extend_random(web, labels, count=count, seed=seed, options=options)
    if not found:
        raise UsageError(f"No cluster of {workspace.folder} has more than {LEAST} pages; try a smaller --inflation")
    return [
        {
            "cluster": number,
            "size": len(one.cluster),
            "extended": len(one.pages),
            "label": label_of(network, one.pages),
            "pages": [web.urls[page] for page in one.pages.tolist()],
        }
        for number, one in enumerate(found)
    ]
