"""Menus are compared by target, label, both and order."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitestrata.evaluate.facts import ItemFact, MenuFact
from sitestrata.evaluate.menus import confusion_table, match_by_overlap, score_menu, score_page_sets, score_roles


def items(*pairs: tuple[str, str | None]) -> list[ItemFact]:
    return [ItemFact(label, url) for label, url in pairs]


def same(url: str) -> str:
    return url


def test_scores_worked_by_hand() -> None:
    gold = items(("Home", "/"), ("News", "/news"), ("Shop", "/shop"), ("Help", "/help"))
    found = items(("home ", "/"), ("Shop", "/shop"), ("Latest", "/news"), ("Blog", "/blog"))

    scores = score_menu(found, gold, same)

    assert (3, 4, 4) == (scores.by_target.right, scores.by_target.found, scores.by_target.gold)
    assert 2 == scores.by_label.right
    assert 2 == scores.by_both.right
    assert 2 == scores.in_order.right  # / then /shop, or / then /news
    assert scores.is_exact is False


def test_addresses_of_one_page_are_one_target() -> None:
    def resolve(url: str) -> str:
        return url.removesuffix("index.html")

    scores = score_menu(items(("A", "/index.html"), ("B", "/")), items(("A", "/")), resolve)

    assert scores.is_exact
    assert 1 == scores.by_target.f1


def test_headings_without_link_count_by_label_only() -> None:
    scores = score_menu(items(("Products", None), ("A", "/a")), items(("A", "/a")), same)

    assert 1 == scores.by_target.f1
    assert 2 / 3 == pytest.approx(scores.by_label.f1)


@given(st.lists(st.integers(0, 8), unique=True), st.lists(st.integers(0, 8), unique=True))
def test_order_score_is_the_longest_common_subsequence(first: list[int], second: list[int]) -> None:
    table = [[0] * (len(second) + 1) for _ in range(len(first) + 1)]
    for i, a in enumerate(first):
        for j, b in enumerate(second):
            table[i + 1][j + 1] = table[i][j] + 1 if a == b else max(table[i][j + 1], table[i + 1][j])

    scores = score_menu([ItemFact("", str(a)) for a in first], [ItemFact("", str(b)) for b in second], same)

    assert table[-1][-1] == scores.in_order.right


def test_roles_of_matched_menus_make_the_confusion_table() -> None:
    gold = [
        MenuFact("g1", "s", "main", tuple(items(("A", "/a"), ("B", "/b"), ("C", "/c")))),
        MenuFact("g2", "s", "footer", tuple(items(("X", "/x"), ("Y", "/y")))),
        MenuFact("g3", "s", "local", tuple(items(("P", "/p"), ("Q", "/q")))),
    ]
    found = [
        MenuFact("1", "s", "main", tuple(items(("A", "/a"), ("B", "/b")))),
        MenuFact("2", "s", "main", tuple(items(("X", "/x"), ("Y", "/y")))),
        MenuFact("3", "s", "local", tuple(items(("Z", "/z")))),
    ]

    scores = score_roles(found, gold, same)

    assert (2, 3, 3) == (scores.detection.right, scores.detection.found, scores.detection.gold)
    assert 0.5 == scores.accuracy
    assert {("main", "main"): 1, ("footer", "main"): 1} == scores.confusion
    assert [{"gold role": "footer", "footer": 0, "main": 1}, {"gold role": "main", "footer": 0, "main": 1}] == (
        confusion_table(scores.confusion)
    )


def test_of_menus_with_the_same_items_those_of_one_role_are_matched() -> None:
    listed = tuple(items(("A", "/a"), ("B", "/b")))
    gold = [MenuFact("g1", "s", "local", listed), MenuFact("g2", "s", "toc", listed)]
    found = [MenuFact("1", "s", "toc", listed), MenuFact("2", "s", "local", listed)]

    assert {("local", "local"): 1, ("toc", "toc"): 1} == score_roles(found, gold, same).confusion


def test_most_similar_sets_are_matched_first_and_each_once() -> None:
    found = [frozenset("abc"), frozenset("ab")]
    gold = [frozenset("ab"), frozenset("abcd")]

    assert [(1, 0), (0, 1)] == match_by_overlap(found, gold, least=0.5)


def test_documents_match_if_half_their_pages_are_common() -> None:
    scores = score_page_sets([{"a", "b"}, {"x", "y", "z"}], [{"a", "b", "c"}, {"x", "q", "r"}])

    assert (1, 2, 2) == (scores.right, scores.found, scores.gold)
