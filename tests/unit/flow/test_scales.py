"""The site around a page on small webs, with every kind of bad input."""

import numpy as np
import pytest

from sitestrata.flow.describe import added_text, label_of, lead_page
from sitestrata.flow.network import flow_network
from sitestrata.flow.page_web import columns_to_web, page_graph
from sitestrata.flow.scales import find_site
from sitestrata.flow.similarity import navigation_similarity


@pytest.mark.parametrize("use_urls", [True, False])
@pytest.mark.parametrize("bar", [0, 4])
def test_site_is_found_from_home_and_from_an_inner_page(sites_web, use_urls: bool, bar: int) -> None:
    """An organisation bar on every page does not drag the other sites in."""
    web, site = sites_web([40, 60, 30, 50, 45], bar=bar, bridges=20)
    network = flow_network(web, use_urls=use_urls)
    for number, home in enumerate([0, 40, 100, 130, 180]):
        for seed in (home, home + 17):
            assert set(np.flatnonzero(site == number)) == set(find_site(network, [seed]).site)


def test_two_hosts_of_one_site_are_one_site(sites_web) -> None:
    web, site = sites_web([60, 40, 50], bridges=9)
    urls = [url.replace("s0.", "docs0." if page % 2 else "www0.") for page, url in enumerate(web.urls)]
    rows = np.repeat(np.arange(web.page_count), np.diff(web.indptr))
    split = columns_to_web(web.ids, urls, rows, web.target_ids[web.targets])

    assert set(np.flatnonzero(site == 0)) == set(find_site(flow_network(split), [7]).site)


def test_three_scales_at_most_with_the_chain_beside(sites_web) -> None:
    web, _ = sites_web([40, 60, 30, 50], bridges=12)
    answer = find_site(flow_network(web), [3])

    assert 1 <= len(answer.ranked) <= 3
    assert sorted((len(scale.pages) for scale in answer.chain), reverse=True) == [len(s.pages) for s in answer.chain]
    for scale in answer.chain:
        assert scale.scale <= scale.upper


def test_seeds_of_two_sites_are_told_apart(sites_web) -> None:
    web, _ = sites_web([40, 60, 30], bridges=6)
    network = flow_network(web)

    assert 2 == len(find_site(network, [3, 70]).seed_groups)
    assert 1 == len(find_site(network, [3, 20]).seed_groups)


def test_evidence_can_tip_the_scale(sites_web) -> None:
    """A set that the caller knows is ranked before the same set without support."""
    web, _ = sites_web([40, 60, 30], bridges=6)
    network = flow_network(web)
    known = np.arange(25)
    plain = find_site(network, [3])
    tipped = find_site(network, [3], evidence={"menu": [known], "other": [np.arange(50, 60)]})

    assert not any(np.array_equal(known, scale.pages) for scale in plain.ranked)
    assert any(scale.support.get("menu") == 1.0 for scale in tipped.ranked)
    assert all("other" not in scale.support for scale in tipped.ranked)


def test_page_without_links_is_its_own_site() -> None:
    web = columns_to_web([1, 2, 3], ["http://a.example/", "http://a.example/b", "http://c.example/"], [1, 2], [2, 1])
    answer = find_site(flow_network(web), [2])

    assert [2] == answer.site.tolist()
    assert 0 == answer.ranked[0].conductance


def test_one_page_collection_and_one_page_site() -> None:
    web = columns_to_web([9], ["http://a.example/"], [9], [9])

    assert [0] == find_site(flow_network(web), [0]).site.tolist()


def test_no_seed_is_refused() -> None:
    web = columns_to_web([], [], [], [])

    with pytest.raises(ValueError, match="seed"):
        find_site(flow_network(web), [])


def test_disconnected_seeds_are_answered_together_and_told_apart() -> None:
    web = columns_to_web([1, 2, 3, 4], [f"http://{k}.example/" for k in "abcd"], [1, 2, 3, 4], [2, 1, 4, 3])
    answer = find_site(flow_network(web), [0, 2])

    assert {0, 2} <= set(answer.site.tolist())
    assert 2 == len(answer.seed_groups)


def test_every_scale_holds_all_seeds_even_where_evidence_knows_one_only() -> None:
    web = columns_to_web([1, 2, 3, 4], [f"http://{k}.example/" for k in "abcd"], [1, 2, 3, 4], [2, 1, 4, 3])
    answer = find_site(flow_network(web), [0, 2], evidence={"site": [[0, 1], [2, 3]]})

    assert all({0, 2} <= set(scale.pages.tolist()) for scale in answer.ranked)


def test_order_of_links_does_not_matter(sites_web) -> None:
    web, _ = sites_web([40, 60, 30], bridges=6)
    rows = np.repeat(np.arange(web.page_count), np.diff(web.indptr))
    order = np.random.default_rng(3).permutation(len(rows))
    again = columns_to_web(web.ids[::-1], web.urls[::-1], rows[order], web.target_ids[web.targets][order])
    one, two = find_site(flow_network(web), [5]), find_site(flow_network(again), [5])

    assert one.site.tolist() == two.site.tolist()
    assert [s.score for s in one.ranked] == [s.score for s in two.ranked]


def test_navigation_similarity_is_the_cosine_of_idf_vectors(sites_web) -> None:
    web, _ = sites_web([6, 5], bridges=4)
    graph = page_graph(web)
    vectors = np.zeros((web.page_count, len(web.target_ids)))
    vectors[np.repeat(np.arange(web.page_count), np.diff(web.indptr)), web.targets] = 1
    vectors *= np.log((web.page_count + 1) / (vectors.sum(0) + 0.5))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    rows = np.repeat(np.arange(graph.node_count), np.diff(graph.indptr))

    assert np.allclose((vectors[rows] * vectors[graph.indices]).sum(1), navigation_similarity(web, graph))


def test_labels_say_where_a_scale_lies_and_what_it_adds(sites_web) -> None:
    web, site = sites_web([40, 60], bridges=2)
    network = flow_network(web)
    small, large = np.flatnonzero(site == 0), np.arange(100)

    assert site[lead_page(web, small)] == 0
    assert "s0.example/" in label_of(network, small)
    assert added_text(network, small, large).startswith("60 more pages")
    assert "nothing more" == added_text(network, small, small)


@pytest.mark.parametrize("use_urls", [True, False])
def test_site_that_nothing_leads_out_of_is_found(sites_web, use_urls: bool) -> None:
    web, site = sites_web([40, 60, 50], bridges=0)
    answer = find_site(flow_network(web, use_urls=use_urls), [7])

    assert np.flatnonzero(site == 0).tolist() == answer.site.tolist()
