"""The worked examples of MenuMiner 3 and 5; where a figure is lost, a reconstruction consistent with the text."""

import random

import numpy as np
import pytest

from sitestrata.menus import clique_finder
from sitestrata.menus.clique_finder import (
    Bindings,
    FinderLimits,
    Hits,
    SegmentClique,
    find_segment_clique,
    find_segment_cliques,
    page_cliques,
)
from sitestrata.menus.local_graph import build_segment_web, local_cliques, local_graph
from support.segment_webs import segment_web


def pages_of(cliques: list[SegmentClique]) -> list[tuple[int, ...]]:
    return sorted(clique.pages for clique in cliques)


def test_menuminer_fig2_four_pages_that_link_one_another_are_a_menu() -> None:
    menu = [0, 1, 2, 3]
    web = segment_web({page: [[other for other in menu if other != page]] for page in menu})

    assert [(0, 1, 2, 3)] == pages_of(find_segment_cliques(web))


def test_menuminer_fig3_one_segment_defines_two_cliques_that_share_no_link() -> None:
    """Top level p1-p4, submenu p5-p7 under p2, in one segment: {p1..p4} and {p2, p5, p6, p7}."""
    top, below = [1, 2, 3, 4], [5, 6, 7]
    segments = {page: [[other for other in top if other != page]] for page in (1, 3, 4)}
    segments |= {page: [[other for other in [*top, *below] if other != page]] for page in (2, 5, 6, 7)}
    web = segment_web(segments)

    found = find_segment_cliques(web)

    assert [(1, 2, 3, 4), (2, 5, 6, 7)] == pages_of(found)
    (segment,) = web.segments(2)
    assert all(segment in clique.segments for clique in found)


def test_links_that_are_not_answered_take_no_part() -> None:
    web = segment_web({0: [[1, 2, 3, 4]], 1: [[0, 2]], 2: [[0, 1]], 3: [[0]], 4: []})

    assert [1, 2, 3] == web.mutual(0).tolist()
    assert [(0, 1, 2)] == pages_of(find_segment_cliques(web))


def test_local_graph_leaves_out_segments_without_a_link_to_the_page() -> None:
    """MenuMiner 5.1, step 2: p1's second segment links p2 but not p0, so the edge p1-p2 is not there."""
    web = segment_web({0: [[1, 2]], 1: [[0], [2]], 2: [[0, 1]]})

    graph = local_graph(web, 0)

    assert [0, 1, 2] == graph.pages
    assert [(0, 1), (0, 2), (1, 0), (2, 0)] == [divmod(edge, 3) for edge in graph.edges.tolist()]
    assert ([], True) == local_cliques(graph, max_cliques=10, max_steps=100)


# Figure 6: a main menu with links to p0-p3 on four pages, and an additional link on p1; each page has a second segment.
FIG6 = {
    0: [[1, 2, 3], [1, 2]],
    1: [[0, 2, 3, 4], [0, 2]],
    2: [[0, 1, 3], [0, 1]],
    3: [[0, 1, 2]],
    4: [[1]],
}


def test_menuminer_fig6_the_largest_segment_clique_of_four_pages() -> None:
    web = segment_web(FIG6)
    graph = local_graph(web, 0)
    cliques, _ = local_cliques(graph, max_cliques=10, max_steps=1000)

    found, is_limited = find_segment_clique(web, graph, cliques, Bindings(), max_states=100)

    assert found is not None
    assert (0, 1, 2, 3) == found.pages
    assert tuple(next(iter(web.segments(page))) for page in range(4)) == found.segments
    assert not is_limited


def test_menuminer_fig6_a_link_bound_to_a_clique_of_four_is_left_alone_by_a_smaller_one() -> None:
    """The link to p3 in the first segment of p1 is bound to a clique of four, so a clique of three cannot use it."""
    web = segment_web({0: [[1, 3]], 1: [[0, 3, 5, 6]], 3: [[0, 1]], 5: [[1, 3, 6]], 6: [[1, 3, 5]], 4: []})
    first = web.segments(1)[0]
    bound = SegmentClique((1, 3, 5, 6), (first, web.segments(3)[0], web.segments(5)[0], web.segments(6)[0]))
    bindings = Bindings()
    bindings.bind(bound)

    assert [] == page_cliques(web, 0, bindings)
    assert [(0, 1, 3)] == pages_of(page_cliques(web, 0, Bindings()))


def test_larger_clique_takes_a_bound_link_and_the_smaller_one_shrinks() -> None:
    segments = {page: [[other for other in range(5) if other != page]] for page in range(5)}
    web = segment_web(segments)
    bindings = Bindings()
    small = SegmentClique((0, 1, 2, 3), tuple(web.segments(page)[0] for page in range(4)))
    bindings.bind(small)

    assert [(0, 1, 2, 3, 4)] == pages_of(page_cliques(web, 4, bindings))
    assert [(0, 1, 2, 3, 4)] == pages_of(bindings.found())


def test_clique_that_loses_one_link_of_one_page_keeps_the_others() -> None:
    """The larger clique takes the link from page 0 to page 3: page 0 leaves the smaller one, which stays a clique."""
    bindings = Bindings()
    bindings.bind(SegmentClique((0, 1, 2, 3), (10, 11, 12, 13)))

    assert bindings.bind(SegmentClique((0, 3, 5, 6, 7), (10, 23, 25, 26, 27)))

    assert [((0, 3, 5, 6, 7), 5), ((1, 2, 3), 3)] == [(clique.pages, len(clique)) for clique in bindings.found()]
    assert 3 == len(bindings.held(11, 2))
    assert {} == bindings.held(11, 0)
    assert 5 == len(bindings.held(10, 3))


def test_clique_of_three_that_loses_a_link_is_dissolved() -> None:
    bindings = Bindings()
    bindings.bind(SegmentClique((0, 1, 2), (10, 11, 12)))
    bindings.bind(SegmentClique((0, 1, 3, 4), (10, 21, 23, 24)))

    assert [(0, 1, 3, 4)] == pages_of(bindings.found())
    assert {} == bindings.held(11, 2)


def test_the_same_clique_is_found_again_from_each_of_its_pages() -> None:
    """Equal bindings must pass, or only the first page would belong to its own menu."""
    web = segment_web({page: [[other for other in range(4) if other != page]] for page in range(4)})
    bindings = Bindings()

    found = [page_cliques(web, page, bindings) for page in range(4)]

    assert [[(0, 1, 2, 3)]] * 4 == [pages_of(cliques) for cliques in found]
    assert 1 == len(bindings.cliques)


def test_of_equal_states_the_more_uniform_is_kept() -> None:
    """MenuMiner 5.2, Figure 7 (3): two segments of p2 would do; the one at the place of the others is taken."""
    segments = {0: [[1, 2]], 1: [[0, 2]], 2: [[0, 1], [0, 1]]}
    paths = {
        (0, 0): "html/body/div#nav/ul",
        (1, 0): "html/body/div#nav/ul",
        (2, 0): "html/body/p",
        (2, 1): "html/body/div#nav/ul",
    }

    (found,) = find_segment_cliques(segment_web(segments, paths))

    assert (0, 1, 3) == found.segments


@pytest.mark.parametrize("order", [range(7), range(6, -1, -1)])
def test_the_order_of_pages_is_an_argument(order: range) -> None:
    web = segment_web({page: [[other for other in range(7) if other != page]] for page in range(7)})

    assert [tuple(range(7))] == pages_of(find_segment_cliques(web, order))


def test_limits_end_the_search_and_are_counted() -> None:
    """A complete web of 40 pages with three segments a page."""
    web = segment_web({page: [[other for other in range(40) if other != page]] * 3 for page in range(40)})
    hits = Hits()

    assert [] == find_segment_cliques(web, [0], limits=FinderLimits(states=5), hits=hits)
    assert (0, 1, 0) == (hits.cliques, hits.states, hits.rounds)


def test_a_page_that_links_thousands_ends_within_its_limits() -> None:
    """Every neighbour links its two neighbours too: 1,998 maximal cliques, of which 100 are looked at."""
    count = 2_000
    segments = {0: [list(range(1, count))]}
    segments |= {
        page: [[0, *(other for other in (page - 1, page + 1) if 0 < other < count)]] for page in range(1, count)
    }
    hits = Hits()

    found = page_cliques(
        segment_web(segments), 0, Bindings(), limits=FinderLimits(cliques=100, states=2_000, rounds=3), hits=hits
    )

    assert [3, 3, 3] == [len(clique) for clique in found]
    assert (1, 0, 1) == (hits.cliques, hits.states, hits.rounds)


def test_a_complete_graph_of_a_thousand_pages_is_one_clique() -> None:
    """The first page searches; the others recall what it has found."""
    count = 1_000
    segment, target = np.divmod(np.arange(count * count), count)
    web = build_segment_web(np.arange(count), ["html/body/ul"] * count, segment, target, count)
    hits = Hits()

    assert [tuple(range(count))] == pages_of(find_segment_cliques(web, hits=hits))
    assert Hits() == hits


def test_moon_moser_graph_of_many_pages_ends_within_its_limits() -> None:
    count = 300
    segment, target = np.divmod(np.arange(count * count), count)
    apart = segment // 3 != target // 3
    web = build_segment_web(np.arange(count), ["html/body/ul"] * count, segment[apart], target[apart], count)
    hits = Hits()

    assert [] == find_segment_cliques(web, range(2), hits=hits)
    assert Hits(cliques=2, states=2) == hits


def test_page_with_more_links_around_it_than_the_limit_is_counted() -> None:
    web = segment_web({page: [[other for other in range(7) if other != page]] for page in range(7)})
    hits = Hits()

    assert [] == find_segment_cliques(web, limits=FinderLimits(links=35), hits=hits)
    assert Hits(links=7) == hits
    assert 1 == len(find_segment_cliques(web, limits=FinderLimits(links=36), hits=hits))
    assert Hits(links=7) == hits


@pytest.mark.parametrize("seed", range(30))
def test_what_is_recalled_is_what_the_search_would_find(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(seed)
    count = rng.randint(3, 9)
    segments = {
        page: [
            [other for other in range(count) if other != page and rng.random() < share]
            for share in rng.sample((0.2, 0.5, 0.9, 1.0, 1.0), rng.randint(1, 3))
        ]
        for page in range(count)
    }
    web = segment_web(segments)

    recalled = find_segment_cliques(web)

    monkeypatch.setattr(clique_finder, "_all_around", lambda *_: None)
    assert find_segment_cliques(web) == recalled
