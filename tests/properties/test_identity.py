"""What must hold of identity on any collection, however odd."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sitestrata.identity import PAPER_RULES, RULES
from sitestrata.urls import url_id
from support.tiny_web import TinyWeb

pytestmark = pytest.mark.slow  # each example runs five stages

ORIGINS = ["http://example.org", "https://example.org", "https://www.example.org", "http://example.com"]
PATHS = ["/", "/a", "/a/", "/A", "//a", "/a.html", "/a/index.html", "/%61", "/b", "/b/", "/b/c", "/b/c/", "/b//c"]
QUERIES = ["", "?", "?x=1", "?x=2", "?utm_source=q", "?x=1&utm_source=q"]
TEXTS = ["one", "two is another text", "one and a half"]

URL = st.builds(lambda *parts: "".join(parts), *map(st.sampled_from, (ORIGINS, PATHS, QUERIES)))
PAGE = st.tuples(
    st.just("page"),
    URL,
    st.sampled_from(TEXTS),
    st.lists(st.sampled_from(["/", "#", "b", "/b?x=1"]), max_size=3),
    st.none() | URL,
)
ANSWER = st.one_of(
    PAGE,
    PAGE,
    st.tuples(st.just("redirect"), URL, URL),
    st.tuples(st.just("missing"), URL),
    st.tuples(st.just("link"), URL),
)


def build(answers: list[tuple[object, ...]], seed: int | None = None) -> TinyWeb:
    web = TinyWeb(seed=seed)
    seen: set[object] = set()
    for kind, url, *rest in answers:
        if kind != "link" and url in seen:
            continue
        seen.add(url)
        if kind == "page":
            web.page(url, rest[0], links=rest[1], canonical=rest[2])  # type: ignore[arg-type]
        else:
            getattr(web, str(kind))(url, *rest)
    return web


@settings(max_examples=40, deadline=None)
@given(st.lists(ANSWER, max_size=14), st.integers(0, 100))
def test_answer_does_not_depend_on_the_order_of_rows(answers: list[tuple[object, ...]], seed: int) -> None:
    assert build(answers).aliases() == build(answers, seed).aliases()


@settings(max_examples=40, deadline=None)
@given(st.lists(ANSWER, max_size=14))
def test_every_address_has_one_page_that_is_its_own_page(answers: list[tuple[object, ...]]) -> None:
    """Joining is transitive and idempotent: canonical addresses stand for themselves, and all others say why."""
    web = build(answers)
    found = web.aliases()

    assert {capture.url for capture in web.captures} | web.linked <= found.keys()
    for url, alias in found.items():
        assert alias.url_id == url_id(url)
        assert alias.page_id == url_id(alias.canonical)
        assert found[alias.canonical].canonical == alias.canonical
        assert bool(alias.rules) == (url != alias.canonical)
        assert set(alias.rules) <= set(RULES)


@settings(max_examples=40, deadline=None)
@given(st.lists(ANSWER, max_size=14))
def test_pages_of_different_titles_are_never_joined(answers: list[tuple[object, ...]]) -> None:
    web = build(answers)
    found = web.aliases()
    titles: dict[int, set[str | None]] = {}
    for page in web.pages:
        titles.setdefault(found[page["url"]].page_id, set()).add(page["title"])

    assert all(len(of_one) == 1 for of_one in titles.values())


@settings(max_examples=30, deadline=None)
@given(st.lists(ANSWER, max_size=14))
def test_redirect_always_is_where_it_leads(answers: list[tuple[object, ...]]) -> None:
    web = build(answers)
    found = web.aliases()

    for capture in web.captures:
        if capture.location is not None:
            assert found[capture.url].page_id == found[capture.location].page_id


@settings(max_examples=20, deadline=None)
@given(st.lists(ANSWER, max_size=14))
def test_paper_profile_joins_nothing(answers: list[tuple[object, ...]]) -> None:
    found = build(answers).aliases(rules=PAPER_RULES)

    assert all(alias.canonical == url for url, alias in found.items())
