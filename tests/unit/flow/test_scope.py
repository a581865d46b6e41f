"""A site as rules for crawlers, keywords, prefixes."""

import re

import numpy as np

from sitestrata.flow.keywords import keywords
from sitestrata.flow.prefixes import levels, prefix_tree
from sitestrata.flow.scope import browsertrix_scope, browsertrix_yaml, scope_of, surt_lines

URLS = [
    "http://a.example/x/1.html",
    "http://a.example/x/2.html",
    "http://a.example/x/sub/3.html",
    "http://a.example/y/4.html",
    "http://b.example/5.html",
    "http://b.example/6.html",
]


def test_closed_folders_become_prefixes_and_the_rest_single_addresses() -> None:
    scope = scope_of(prefix_tree(URLS), URLS, np.array([0, 1, 2, 4]))

    assert ("a.example/x/",) == scope.prefixes
    assert ("http://b.example/5.html",) == scope.single
    assert (1, 0) == (scope.missed, scope.added)


def test_foreign_folder_below_a_prefix_is_excluded() -> None:
    urls = [f"http://a.example/{n}.html" for n in range(20)] + ["http://a.example/blog/x.html"]
    scope = scope_of(prefix_tree(urls), urls, np.arange(20))

    assert ("a.example/",) == scope.prefixes
    assert ("a.example/blog/",) == scope.exclusions
    assert (0, 0) == (scope.missed, scope.added)
    assert ["+http://(example,a,)/", "-http://(example,a,)/blog/"] == surt_lines(scope)


def test_prefix_is_as_narrow_as_the_pages_of_the_site_let_it_be() -> None:
    """A second host of which only one folder is the site's."""
    urls = [f"http://api.example/lib/v1/{n}.html" for n in range(5)] + [f"http://a.example/{n}" for n in range(3)]
    scope = scope_of(prefix_tree(urls), urls, np.arange(8))

    assert ("a.example/", "api.example/lib/v1/") == scope.prefixes
    assert (0, 0) == (scope.missed, scope.added)


def test_browsertrix_patterns_match_the_site_and_nothing_else() -> None:
    scope = scope_of(prefix_tree(URLS), URLS, np.array([0, 1, 2, 4]))
    content = browsertrix_scope(scope, ["http://a.example/x/1.html"])
    patterns = [re.compile(pattern) for pattern in content["include"]]

    assert [0, 1, 2, 4] == [n for n, url in enumerate(URLS) if any(p.search(url) for p in patterns)]
    assert 'scopeType: "custom"' in browsertrix_yaml(scope, ["http://a.example/x/1.html"])


def test_levels_run_from_the_host_inwards() -> None:
    assert ["a.example:8080/", "a.example:8080/x/"] == levels("https://a.example:8080/x/?q=/y/")


def test_keywords_prefer_links_from_outside() -> None:
    """4.2.2: words of inner links (previous, next) are navigation, not what the set is about."""
    links = [
        (9, 1, "Gemo reports"),
        (8, 1, "the Gemo site"),
        (1, 2, "previous"),
        (2, 1, "previous"),
        (7, 6, "the site"),
    ]

    assert "gemo" == keywords(links, [1, 2])[0][0]
    assert "previous" not in dict(keywords(links, [1, 2]))
    assert "previous" in dict(keywords(links, [1, 2], external_only=False))


def test_keywords_fall_back_to_all_links_and_count_surroundings() -> None:
    links = [(1, 2, "next"), (2, 1, "home")]

    assert {"next": 1, "home": 1, "chapter": 1} == dict(keywords(links, [1, 2], surroundings=["chapter", ""]))
