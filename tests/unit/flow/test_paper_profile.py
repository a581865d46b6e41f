"""The paper's own methods: traffic network, on-line preflow-push, the whole process of Figure 9."""

import json

import numpy as np
import pytest

from sitestrata.flow.network import flow_network
from sitestrata.flow.online import FlowOptions, OnlineFlow
from sitestrata.flow.page_web import page_graph
from sitestrata.flow.seed import (
    choose_cluster,
    cluster_pages,
    clusters_of,
    collection_graph,
    drop_strays,
    extend,
    extend_random,
    merge_related,
)
from sitestrata.flow.traffic import offline_site, traffic_network
from sitestrata.graph.components import reachable
from sitestrata.graph.preflow import preflow_push, source_side


def drive(flow: OnlineFlow, web) -> list[str]:
    graph, position = page_graph(web), {url: page for page, url in enumerate(web.urls)}
    fetched = []
    while (url := flow.wanted()) is not None:
        fetched.append(url)
        flow.observe(url, [web.urls[page] for page in graph.neighbours(position[url]).tolist()])
    return fetched


def test_the_papers_cut_is_trivial_on_a_finite_collection(sites_web) -> None:
    """The trap of METHODS B2: the minimum cut takes all sink arcs, and the answer is what the seed reaches."""
    web, _ = sites_web([12, 9], bridges=4)

    assert np.flatnonzero(reachable(page_graph(web), [0])).tolist() == offline_site(web, [0]).tolist()


@pytest.mark.parametrize("seed", range(6))
def test_online_equals_offline_at_convergence_with_full_source_height(sites_web, seed: int) -> None:
    web, _ = sites_web([10, 8, 6], bridges=6, seed=seed)
    options = FlowOptions(epsilon=0.6, source_height=web.page_count + 2, threshold=1e-12)
    flow = OnlineFlow([web.urls[2]], options)
    drive(flow, web)
    arcs, source, sink = traffic_network(web, [2])
    arcs = [(u, v, 0.6 if v == sink else c) for u, v, c in arcs]
    offline = source_side(preflow_push(arcs, source, sink, web.page_count + 2, threshold=1e-12)) - {source}

    assert {web.urls[page] for page in offline} == set(flow.answer()["inside"])


def test_budget_of_one_page_is_kept(sites_web) -> None:
    web, _ = sites_web([10, 8])
    flow = OnlineFlow([web.urls[0]], FlowOptions(max_pages=1))

    assert [web.urls[0]] == drive(flow, web)
    assert [web.urls[0]] == flow.answer()["inside"] + flow.answer()["outside"]
    assert flow.answer()["unknown"]


def test_state_survives_serialisation(sites_web) -> None:
    web, _ = sites_web([15, 10], bridges=4)
    whole = OnlineFlow([web.urls[0]])
    order = drive(whole, web)
    half = OnlineFlow([web.urls[0]], FlowOptions(max_pages=len(order) // 2))
    drive(half, web)
    again = OnlineFlow.resume(json.loads(json.dumps(half.state())))

    assert order[len(order) // 2 :] == drive(again, web)
    assert whole.answer() == again.answer()


def test_page_that_cannot_be_fetched_ends_the_flow_calmly() -> None:
    flow = OnlineFlow(["http://a.example/"])

    assert "http://a.example/" == flow.wanted()
    flow.observe("http://a.example/", [])
    assert flow.wanted() is None
    assert {"http://a.example/"} == {*flow.answer()["inside"], *flow.answer()["outside"]}


def test_oversized_cluster_is_clustered_again(sites_web) -> None:
    web, _ = sites_web([40, 30, 30], bridges=120)
    graph = collection_graph(web)
    coarse = cluster_pages(graph, inflation=1.2, too_large=1.0)
    fine = cluster_pages(graph, inflation=1.2, finer=2.0, too_large=0.3)

    assert len(np.unique(fine)) >= len(np.unique(coarse))
    assert len(web.urls) == sum(len(pages) for pages in clusters_of(fine))


def test_cluster_is_chosen_by_page_or_keyword(sites_web) -> None:
    web, site = sites_web([20, 30], bridges=2)

    assert np.flatnonzero(site == 1).tolist() == choose_cluster(site, web, page=25).tolist()
    assert np.flatnonzero(site == 0).tolist() == choose_cluster(site, web, keyword="S0.").tolist()
    assert [] == choose_cluster(site, web, keyword="nowhere").tolist()
    with pytest.raises(ValueError, match="page or by a keyword"):
        choose_cluster(site, web)


def test_flow_only_adds_pages_to_a_cluster(sites_web) -> None:
    web, _ = sites_web([60, 70], bridges=3)
    cluster = np.arange(20)

    assert set(cluster) <= set(extend(web, cluster, options=FlowOptions(max_pages=40)).tolist())


def test_second_experiment_extends_large_clusters_only(sites_web) -> None:
    web, site = sites_web([60, 70, 10], bridges=3)
    found = extend_random(web, site, count=5, least=50, options=FlowOptions(max_pages=80))

    assert [60, 70] == sorted(len(one.cluster) for one in found)
    assert all(set(one.cluster) <= set(one.pages) for one in found)


def test_clusters_of_one_site_are_merged_and_strays_dropped(sites_web) -> None:
    """Precision stays 1 and recall grows from a half to 1."""
    web, site = sites_web([60, 50, 40], bridges=5)
    network = flow_network(web)
    halves = site * 2 + (np.arange(len(site)) % 2)
    merged = merge_related(network, halves)

    assert 3 == len(np.unique(merged)) == len(np.unique(np.stack([merged, site]), axis=1).T)
    assert np.arange(60).tolist() == drop_strays(network, np.append(np.arange(60), 100)).tolist()
