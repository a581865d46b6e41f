"""SegmentCliqueFinder against the literal enumeration of MenuMiner 3.3 on random small webs."""

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from sitestrata.menus.clique_finder import Bindings, find_segment_cliques, page_cliques
from support.segment_webs import all_segment_cliques, best_segment_cliques, links_of, segment_web, wildcards

PATHS = ["html/body/ul", "html/body/div/ul", "html/body/div#a/ul", "html/body/ul.x"]


def webs() -> st.SearchStrategy[tuple[dict[int, list[list[int]]], dict[tuple[int, int], str]]]:
    pages = st.integers(4, 7)

    def build(count: int) -> st.SearchStrategy[tuple[dict[int, list[list[int]]], dict[tuple[int, int], str]]]:
        lists = st.lists(st.lists(st.integers(0, count - 1), max_size=count, unique=True), max_size=3)
        return st.tuples(
            st.fixed_dictionaries(dict.fromkeys(range(count), lists)),
            st.fixed_dictionaries({(page, k): st.sampled_from(PATHS) for page in range(count) for k in range(3)}),
        )

    return pages.flatmap(build)


@given(webs())
@settings(max_examples=150, deadline=None)
def test_first_answer_for_a_fresh_page_is_as_large_as_any_segment_clique(
    made: tuple[dict[int, list[list[int]]], dict[tuple[int, int], str]],
) -> None:
    web = segment_web(*made)
    for page in range(web.page_count):
        expected = max((len(clique) for clique in all_segment_cliques(web, page)), default=0)
        found = page_cliques(web, page, Bindings())

        assert expected == (len(found[0]) if found else 0)


@given(webs())
@settings(max_examples=100, deadline=None)
def test_cliques_are_segment_cliques_and_share_no_link(
    made: tuple[dict[int, list[list[int]]], dict[tuple[int, int], str]],
) -> None:
    web = segment_web(*made)
    found = find_segment_cliques(web)
    possible = set(all_segment_cliques(web))

    assert set(found) <= possible
    assert sum(len(links_of(clique)) for clique in found) == len(set().union(*map(links_of, found)))


def test_finder_comes_close_to_the_procedure_of_the_definition() -> None:
    """Page by page is not the global procedure: count how often it is less uniform, and what it covers."""
    rng = random.Random(7)
    less_uniform = answers = links = best_links = 0
    for _ in range(120):
        count = rng.randint(4, 7)
        segments = {
            page: [rng.sample(range(count), rng.randint(2, count - 1)) for _ in range(rng.randint(1, 3))]
            for page in range(count)
        }
        paths = {(page, k): rng.choice(PATHS) for page in range(count) for k in range(3)}
        web = segment_web(segments, paths)
        for page in range(count):
            found = page_cliques(web, page, Bindings())
            if found:
                rivals = [clique for clique in all_segment_cliques(web, page) if len(clique) == len(found[0])]
                answers += 1
                less_uniform += wildcards(web, found[0]) > min(wildcards(web, clique) for clique in rivals)
        links += sum(len(links_of(clique)) for clique in find_segment_cliques(web))
        best_links += sum(len(links_of(clique)) for clique in best_segment_cliques(web))

    assert answers > 300
    # States are joined while the end of their paths is unknown, so a few answers are less uniform than possible.
    assert less_uniform <= 0.05 * answers
    assert links >= 0.9 * best_links
