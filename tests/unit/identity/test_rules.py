"""What each rule takes from an address, and what never counts as a difference."""

import pytest

from sitestrata.identity.rules import (
    FILE_MARK,
    FOLDER_MARK,
    REDUCTIONS,
    Policies,
    Policy,
    differences,
    loosest,
    loosest_path,
    reduce_url,
    scope,
    variants,
)

EVERYTHING = Policies(
    Policy(
        rules=frozenset(REDUCTIONS),
        index=frozenset(["index.html"]),
        extension=frozenset([".html"]),
        dropped=frozenset(["ref"]),
    )
)


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://www.example.org/A//b/index.html?ref=1&x=2", "https://example.org/a/b?x=2" + FOLDER_MARK),
        ("http://example.org/%7ea.html?", "https://example.org/~a" + FILE_MARK),
        ("http://example.org:8080/", "http://example.org:8080/"),
        ("http://[::1]/a", "https://[::1]/a"),
        ("https://example.org/.html", "https://example.org/.html"),  # a name that is all ending keeps it
        ("https://example.org/index.htm", "https://example.org/index.htm"),  # not a name this host uses
        ("https://example.org/a;ref=1;v=2/b", "https://example.org/a;v=2/b"),
        ("https://example.org/a%2fb", "https://example.org/a%2fb"),  # case folds last, so escapes come out lower
    ],
)
def test_remainder_under_all_rules(url: str, expected: str) -> None:
    assert expected == reduce_url(url, EVERYTHING)


def test_host_has_its_own_policy() -> None:
    policies = Policies(EVERYTHING.default, {"example.org": Policy()})

    assert reduce_url("http://www.example.org/A/", policies) == "http://www.example.org/A/"
    assert reduce_url("http://www.example.com/A/", policies) == "https://example.com/a" + FOLDER_MARK


def test_differences_name_only_what_parts_two_addresses() -> None:
    one, other = "http://example.org/a/index.html?ref=1", "https://example.org/a/index.html?ref=2"

    assert differences(one, other, EVERYTHING) == ("scheme", "parameter")
    assert differences(one, one, EVERYTHING) == ()


def test_variants_change_one_thing_each() -> None:
    url = "https://www.example.org/a//B/index.html?x=1&y=2"

    found = {(rule, name): text for rule, name, text in variants(url, frozenset(REDUCTIONS))}

    assert found == {
        ("www", ""): "https://example.org/a//B/index.html?x=1&y=2",
        ("slashes", ""): "https://www.example.org/a/B/index.html?x=1&y=2",
        ("parameter", "x"): "https://www.example.org/a//B/index.html?y=2",
        ("parameter", "y"): "https://www.example.org/a//B/index.html?x=1",
        ("index", "index.html"): "https://www.example.org/a//B/?x=1&y=2",
        ("extension", ".html"): "https://www.example.org/a//B/index?x=1&y=2",
        ("case", ""): "https://www.example.org/a//b/index.html?x=1&y=2",
    }


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://www.example.org/a//b/index.php", "example.org/a/b"),
        ("https://example.org/a/b/", "example.org/a/b"),
        ("https://example.org/a/b.html?utm_source=x", "example.org/a/b"),
        ("https://example.org/a/b?s=1&x=2", "example.org/a/b?x=2"),
        ("https://example.org/a/b?s=2&x=2", "example.org/a/b?s=2&x=2"),
        ("https://example.org/a;s=1/b", "example.org/a/b"),
        ("https://example.org/", "example.org"),
    ],
)
def test_loosest_form_keeps_what_tells_pages_apart(url: str, expected: str) -> None:
    assert expected == loosest(url, frozenset(["s=1"]))


def test_loosest_path_has_no_parameters() -> None:
    assert loosest_path("https://www.example.org/A;s=1/b.html?x=1") == "example.org/a/b"


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://www.example.org/", "example.org"),
        ("http://www.com/", "www.com"),
        ("http://www.example.org:8080/a", "example.org:8080"),
    ],
)
def test_evidence_is_gathered_under_the_host_without_www(url: str, expected: str) -> None:
    assert expected == scope(url)
