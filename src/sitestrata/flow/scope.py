"""A found site as a rule that crawlers understand: SURT prefixes with exclusions, a Browsertrix scope, a list of URLs.

A rule of prefixes can only approximate a set of pages. The fewest prefixes are chosen such that each holds almost only
pages of the site, and each is as narrow as those pages let it be; what lies below them and is not of the site becomes
an exclusion where it is a folder of its own, and is counted as added where it is not. What no prefix covers is listed
one by one, and counted as missed by prefixes.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sitestrata.flow.prefixes import PrefixTree
from sitestrata.urls import surt

__all__ = ["Scope", "browsertrix_scope", "browsertrix_yaml", "scope_of", "surt_lines"]

Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Scope:
    """A site as prefixes; prefixes have no scheme ("a.example/x/")."""

    prefixes: tuple[str, ...]
    exclusions: tuple[str, ...]  # folders below the prefixes without any page of the site
    single: tuple[str, ...]  # addresses of the site below no prefix
    missed: int  # pages of the site that the prefixes alone would miss
    added: int  # captured pages that the prefixes, after the exclusions, would add


def scope_of(tree: PrefixTree, urls: Sequence[str], pages: Ints) -> Scope:
    """Describe a set of pages by prefixes."""
    found, _ = tree.outermost_closed(pages)
    rows = np.repeat(np.arange(len(urls)), np.diff(tree.indptr))
    inside = np.zeros(len(urls), np.bool_)
    inside[pages] = True
    closed = [prefix for prefix, count in found if count > 1 or tree.sizes[prefix] == 1]
    chosen = _tightened(tree, rows, inside, closed)
    below = np.zeros(len(urls), np.bool_)
    below[rows[np.isin(tree.prefixes, chosen)]] = True
    exclusions = _foreign_folders(tree, rows, inside, below)
    excluded = np.zeros(len(urls), np.bool_)
    excluded[rows[np.isin(tree.prefixes, exclusions)]] = True
    return Scope(
        tuple(sorted(tree.names[prefix] for prefix in chosen)),
        tuple(sorted(tree.names[prefix] for prefix in exclusions)),
        tuple(sorted(urls[page] for page in np.flatnonzero(inside & ~below).tolist())),
        int((inside & ~below).sum()),
        int((below & ~excluded & ~inside).sum()),
    )


def _tightened(tree: PrefixTree, rows: Ints, inside: NDArray[np.bool_], prefixes: Sequence[int]) -> list[int]:
    """Return for each prefix the innermost one that holds the same pages of the site.

    Nothing is known of the rest of a host where all pages of the site lie in one folder, and it may be anybody's.
    """
    own = np.bincount(tree.prefixes, weights=inside[rows].astype(float), minlength=len(tree.sizes))
    tight = []
    for prefix in prefixes:
        page = int(rows[(tree.prefixes == prefix) & inside[rows]][0])
        tight.append([inner for inner in tree.of_page(page) if own[inner] == own[prefix]][-1])
    return tight


def _foreign_folders(tree: PrefixTree, rows: Ints, inside: NDArray[np.bool_], below: NDArray[np.bool_]) -> list[int]:
    """Return the outermost prefixes below the chosen ones that hold no page of the site."""
    own = np.bincount(tree.prefixes, weights=inside[rows].astype(float), minlength=len(tree.sizes))
    chosen: set[int] = set()
    for page in np.flatnonzero(below & ~inside).tolist():
        foreign = [prefix for prefix in tree.of_page(page) if own[prefix] == 0]
        if foreign:
            chosen.add(foreign[0])
    return sorted(chosen)


def surt_lines(scope: Scope) -> list[str]:
    """Write the scope as lines of a Heritrix SURT file: ``+`` includes, ``-`` excludes.

    >>> surt_lines(Scope(("a.example/x/",), ("a.example/x/old/",), (), 0, 0))
    ['+http://(example,a,)/x/', '-http://(example,a,)/x/old/']
    """
    lines = [f"+{_heritrix(f'http://{prefix}')}" for prefix in scope.prefixes]
    lines += [f"+{_heritrix(url)}" for url in scope.single]
    return lines + [f"-{_heritrix(f'http://{prefix}')}" for prefix in scope.exclusions]


def _heritrix(url: str) -> str:
    # Heritrix writes the scheme first and closes the host with ",)"; https is folded to http by its canonicaliser.
    name, _, rest = surt(url).partition(")")
    return f"http://({name},){rest}"


def browsertrix_scope(scope: Scope, seeds: Sequence[str]) -> dict[str, object]:
    """Return the scope as the keys of a Browsertrix crawl configuration."""
    return {
        "seeds": [{"url": url} for url in seeds],
        "scopeType": "custom",
        "include": [f"^https?://{_quote(prefix)}" for prefix in scope.prefixes]
        + [f"^{_quote(url)}$" for url in scope.single],
        "exclude": [f"^https?://{_quote(prefix)}" for prefix in scope.exclusions],
    }


def _quote(text: str) -> str:
    """Escape what a JavaScript regular expression would read as an operator."""
    return "".join("\\" + char if char in r"\^$.*+?()[]{}|/" else char for char in text)


def browsertrix_yaml(scope: Scope, seeds: Sequence[str]) -> str:
    """Write the Browsertrix scope as YAML; every scalar is a JSON string, which YAML reads alike."""
    content = browsertrix_scope(scope, seeds)
    lines = ["seeds:"] + [f"  - url: {json.dumps(url)}" for url in seeds] + ['scopeType: "custom"']
    for key in ("include", "exclude"):
        values = content[key]
        assert isinstance(values, list)
        lines += [f"{key}:" if values else f"{key}: []", *(f"  - {json.dumps(value)}" for value in values)]
    return "\n".join(lines) + "\n"
